//! The files before a prompt and after its turn, kept for rewinds.
//!
//! `session-ID.turn`, beside the session's other records, says that a turn began: only the end of such a turn is kept. A
//! session that ends, or whose process is gone, gives its turn up.
//! A failure is a warning, and the event goes on.

use crate::effect::PathKind;

use super::hook_context::HookContext;

/// The end of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnEnd {
    /// The agent ended it.
    Stop,
    /// The session ended before.
    SessionEnd,
}

/// The ending of the record of a turn that began.
const TURN: &str = "turn";

#[cfg(sessions)]
pub(super) use enabled::{after_turn, before_prompt};
#[cfg(not(sessions))]
pub(super) use stub::{after_turn, before_prompt};

/// Returns whether a turn of the session began whose end is to be kept.
async fn has_begun(hook: &HookContext<'_>) -> bool {
    let Some(records) = hook.records() else {
        return false;
    };
    let looked = hook.io.inspect(vec![records.path(TURN)]).await;
    looked.is_ok_and(|it| it.iter().any(|entry| entry.kind == PathKind::File))
}

#[cfg(sessions)]
mod enabled {
    use super::super::process::{Process, ProcessState};
    use super::super::records::Records;
    use super::super::settings::agent_settings;
    use super::{HookContext, TURN, TurnEnd, has_begun};
    use crate::agent;
    use crate::checkpoint::session::turns::Occasion;
    use crate::effect::boxed;
    use crate::error::{Error, Warning, WarningCode};
    use crate::integrations::Agents;
    use crate::json::Object;
    use crate::operation::session::record_moment::{
        MomentRequest, RecordedMoment, RewindSince, record,
    };
    use crate::operation::session::rewind_limits::RewindLimits;
    use crate::operation::{Warnings, secrets};
    use crate::text::quoted;

    /// The name of the record of a turn until it is complete.
    const PREPARING: &str = "turn-new";

    /// The member with the process of the agent.
    const PROCESS: &str = "process";

    /// The part of a prompt that is kept.
    const PROMPT_CHARACTERS: usize = 200;

    /// The most paths that a notice names.
    const MAX_NAMED: usize = 40;

    /// Keeps the files before a prompt. Returns what the agent is to know of rewinds since the last one.
    pub(in super::super) async fn before_prompt(
        hook: &HookContext<'_>,
        settings: &Agents,
        prompt: &str,
        warnings: &mut Warnings,
    ) -> Option<String> {
        // The record of a turn that did not end: what a person did since then is not the agent's.
        forget(hook).await;
        if !settings.rewind {
            return None;
        }
        match boxed(keep(hook, settings, Occasion::Prompt, Some(prompt))).await {
            Ok(recorded) => {
                let mut sentences = recorded.notices;
                for sentence in &sentences {
                    warnings.warn(WarningCode::TooLarge, sentence.clone());
                }
                sentences.extend(sentence(&recorded.rewinds));
                let is_any = !sentences.is_empty();
                is_any.then(|| agent::notice(&sentences.join("\n")))
            }
            Err(error) => {
                warnings.add(Warning::passed_over(&error));
                None
            }
        }
    }

    /// Keeps the files after a turn, and at the end of its session where the turn did not end before.
    ///
    /// # Errors
    ///
    /// None here; in the wasm of hooks, where the library has to be asked.
    pub(in super::super) async fn after_turn(
        hook: &HookContext<'_>,
        end: TurnEnd,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        if !has_begun(hook).await {
            return Ok(());
        }
        let settings = agent_settings(hook.io, hook.root).await;
        let occasion = match end {
            TurnEnd::Stop => Occasion::Stop,
            TurnEnd::SessionEnd => Occasion::End,
        };
        if settings.rewind
            && let Err(error) = boxed(keep(hook, &settings, occasion, None)).await
        {
            warnings.add(Warning::passed_over(&error));
        }
        forget(hook).await;
        Ok(())
    }

    /// Removes the record of a turn that began.
    async fn forget(hook: &HookContext<'_>) {
        if let Some(records) = hook.records() {
            records.remove(TURN).await;
        }
    }

    async fn keep(
        hook: &HookContext<'_>,
        settings: &Agents,
        occasion: Occasion,
        prompt: Option<&str>,
    ) -> Result<RecordedMoment, Error> {
        let Some(records) = hook.records() else {
            return Ok(RecordedMoment::default());
        };
        let Some(records) = records.made(hook.root).await else {
            return Ok(RecordedMoment::default());
        };
        // A warning of a snapshot would be repeated with every prompt.
        let warnings = &mut Warnings::default();
        let prompt = match prompt {
            Some(prompt) => {
                let what = ("the prompt", prompt.trim());
                let hidden = secrets::hidden(hook.io, hook.root, what, warnings).await?;
                Some(hidden.chars().take(PROMPT_CHARACTERS).collect::<String>())
            }
            None => None,
        };
        let found = hook.found().await?;
        let given_up = match occasion {
            Occasion::Prompt => given_up(hook, &records).await,
            _ => Vec::new(),
        };
        let request = MomentRequest {
            occasion,
            agent: hook.session.agent.name(),
            session: &hook.session.id,
            branch: hook.branch_here().await?,
            prompt: prompt.as_deref(),
            run: found.map(|it| it.target),
            given_up: given_up.clone(),
        };
        let limits = RewindLimits::from(settings);
        let recorded = record(hook.io, hook.settings, request, limits, warnings).await?;
        if occasion == Occasion::Prompt {
            note_turn(hook, &records).await;
        }
        for id in &given_up {
            records.of_other(id).remove(TURN).await;
        }
        Ok(recorded)
    }

    /// The other sessions whose turns began and whose processes are gone.
    async fn given_up(hook: &HookContext<'_>, records: &Records<'_>) -> Vec<String> {
        let mut gone = Vec::new();
        for id in records.others_with(TURN).await {
            let path = records.of_other(&id).path(TURN);
            let record = records.read(path).await;
            let process = record.as_ref().and_then(|it| it.get(PROCESS)?.as_object());
            if let Some(process) = process.and_then(Process::of)
                && process.state(hook.io).await == ProcessState::Gone
            {
                gone.push(id);
            }
        }
        gone
    }

    /// Notes that a turn began, and in which process.
    async fn note_turn(hook: &HookContext<'_>, records: &Records<'_>) {
        let mut record = Object::new();
        if let Some(process) = Process::of_agent(hook.io).await {
            record.set(PROCESS, process.to_object());
        }
        records.replace(TURN, PREPARING, record).await;
    }

    /// The sentence about rewinds; `None` for none.
    fn sentence(rewinds: &[RewindSince]) -> Option<String> {
        let newest = rewinds.first()?;
        let mut paths: Vec<&str> = Vec::new();
        for path in rewinds.iter().flat_map(|it| &it.paths) {
            if !paths.contains(&path.as_str()) {
                paths.push(path);
            }
        }
        let more = match paths.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        paths.truncate(MAX_NAMED);
        let names = match paths.is_empty() {
            true => "no file".to_owned(),
            false => paths.join(", "),
        };
        Some(match &newest.prompt {
            Some(prompt) => format!(
                "Since your last turn the user rewound the files of this project to before the prompt {}. Your later \
                 changes of these are undone: {names}{more}. Read them again before you change them, and do not \
                 build on what is undone.",
                quoted(prompt)
            ),
            None => format!(
                "Since your last turn the user rewound files of this project and took that back. These may be others \
                 than you left: {names}{more}. Read them again before you change them."
            ),
        })
    }
}

/// The wasm of hooks has no snapshots.
#[cfg(not(sessions))]
mod stub {
    use super::{HookContext, TurnEnd, has_begun};
    use crate::error::{Error, whole};
    use crate::integrations::Agents;
    use crate::operation::Warnings;

    pub(in super::super) async fn before_prompt(
        _: &HookContext<'_>,
        _: &Agents,
        _: &str,
        _: &mut Warnings,
    ) -> Option<String> {
        None
    }

    /// Leaves it to the library, where a turn began.
    pub(in super::super) async fn after_turn(
        hook: &HookContext<'_>,
        _: TurnEnd,
        _: &mut Warnings,
    ) -> Result<(), Error> {
        match has_begun(hook).await {
            true => whole::needed(),
            false => Ok(()),
        }
    }
}
