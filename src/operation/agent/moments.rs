//! The files before a prompt and after its turn, kept for rewinds.
//!
//! `session-ID.turn`, beside the session's other records, says that a turn began: only the end of such a turn is kept. A
//! session that ends, or whose process is gone, gives its turn up. `session-ID.stopped` says that a turn ended, and that
//! no prompt came since: a tool that writes files has it go on.
//! A failure is a warning, and the event goes on.

use crate::effect::{PathEntry, PathKind};

use super::hook_context::HookContext;

/// The end of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnEnd {
    /// The agent ended it.
    Stop,
    /// The agent ended it once more, after a hook of the user had refused that.
    Continued,
    /// The session ended before.
    SessionEnd,
}

/// The ending of the record of a turn that began.
const TURN: &str = "turn";

/// The ending of that record once the turn has ended.
const STOPPED: &str = "stopped";

/// The state of a session's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TurnState {
    /// None began, or its end is of no interest.
    None,
    /// It is under way.
    Begun,
    /// It ended, and no prompt came since.
    Stopped,
}

#[cfg(sessions)]
pub(super) use enabled::{after_turn, before_prompt, before_work};
#[cfg(not(sessions))]
pub(super) use stub::{after_turn, before_prompt, before_work};

/// The state of the session's turn.
async fn turn_state(hook: &HookContext<'_>) -> TurnState {
    let Some(records) = hook.records() else {
        return TurnState::None;
    };
    let paths = vec![records.path(TURN), records.path(STOPPED)];
    let looked = hook.io.inspect(paths).await.unwrap_or_default();
    let is_file = |it: &PathEntry| it.kind == PathKind::File;
    match looked.iter().position(is_file) {
        Some(0) => TurnState::Begun,
        Some(_) => TurnState::Stopped,
        None => TurnState::None,
    }
}

/// Returns whether the end of a turn is to be kept.
async fn is_kept(hook: &HookContext<'_>, end: TurnEnd) -> bool {
    match turn_state(hook).await {
        TurnState::None => false,
        TurnState::Begun => true,
        // It changed nothing by a tool that names files, but may have by a shell command.
        TurnState::Stopped => end == TurnEnd::Continued,
    }
}

#[cfg(sessions)]
mod enabled {
    use super::super::hook_context::FoundRun;
    use super::super::process::{Process, ProcessState};
    use super::super::records::Records;
    use super::super::settings::agent_settings;
    use super::{HookContext, STOPPED, TURN, TurnEnd, TurnState, is_kept, turn_state};
    use crate::agent;
    use crate::checkpoint::command::agents;
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
        match boxed(keep(hook, settings, TurnPoint::Prompt(prompt))).await {
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
        if !is_kept(hook, end).await {
            return Ok(());
        }
        let settings = agent_settings(hook.io, hook.root).await;
        if !settings.rewind {
            forget(hook).await;
            return Ok(());
        }
        if let Err(error) = boxed(keep(hook, &settings, TurnPoint::End(end))).await {
            warnings.add(Warning::passed_over(&error));
        }
        match (hook.records(), end) {
            (Some(records), TurnEnd::Stop | TurnEnd::Continued) => {
                records.rename(TURN, STOPPED).await;
            }
            _ => forget(hook).await,
        }
        Ok(())
    }

    /// Keeps the files at the first one that a tool wrote after the end of its turn: the turn goes on.
    ///
    /// # Errors
    ///
    /// None here; in the wasm of hooks, where the library has to be asked.
    pub(in super::super) async fn before_work(
        hook: &HookContext<'_>,
        files: &[(String, Option<bool>)],
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        if turn_state(hook).await != TurnState::Stopped {
            return Ok(());
        }
        let settings = agent_settings(hook.io, hook.root).await;
        if !settings.rewind {
            forget(hook).await;
            return Ok(());
        }
        let wrote = files.iter().map(|(path, _)| path.clone()).collect();
        if let Err(error) = boxed(keep(hook, &settings, TurnPoint::Tool(wrote))).await {
            warnings.add(Warning::passed_over(&error));
        }
        if let Some(records) = hook.records() {
            note_turn(hook, &records).await;
            records.remove(STOPPED).await;
        }
        Ok(())
    }

    /// Removes the record of a turn.
    async fn forget(hook: &HookContext<'_>) {
        if let Some(records) = hook.records() {
            records.remove(TURN).await;
            records.remove(STOPPED).await;
        }
    }

    /// A point of a turn at which files are kept.
    enum TurnPoint<'a> {
        /// Right before a prompt.
        Prompt(&'a str),
        /// After a tool wrote these files, in a turn that had ended.
        Tool(Vec<String>),
        /// At its end.
        End(TurnEnd),
    }

    impl TurnPoint<'_> {
        fn occasion(&self) -> Occasion {
            match self {
                TurnPoint::Prompt(_) => Occasion::Prompt,
                TurnPoint::Tool(_) => Occasion::Tool,
                TurnPoint::End(TurnEnd::SessionEnd) => Occasion::End,
                TurnPoint::End(TurnEnd::Stop | TurnEnd::Continued) => Occasion::Stop,
            }
        }
    }

    async fn keep(
        hook: &HookContext<'_>,
        settings: &Agents,
        point: TurnPoint<'_>,
    ) -> Result<RecordedMoment, Error> {
        let Some(records) = hook.records() else {
            return Ok(RecordedMoment::default());
        };
        let Some(records) = records.made(hook.root).await else {
            return Ok(RecordedMoment::default());
        };
        // A warning of a snapshot would be repeated with every prompt.
        let warnings = &mut Warnings::default();
        let occasion = point.occasion();
        let prompt = match point {
            TurnPoint::Prompt(prompt) => {
                let what = ("the prompt", prompt.trim());
                let hidden = secrets::hidden(hook.io, hook.root, what, warnings).await?;
                Some(hidden.chars().take(PROMPT_CHARACTERS).collect::<String>())
            }
            TurnPoint::Tool(_) | TurnPoint::End(_) => None,
        };
        let found = match occasion {
            // A session that goes on in another process works on its run only once it has written a file.
            Occasion::Prompt => hook.found_or_ended().await?.filter(|it| is_free(hook, it)),
            _ => hook.found().await?,
        };
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
            is_continued: matches!(point, TurnPoint::End(TurnEnd::Continued)),
            wrote: match point {
                TurnPoint::Tool(wrote) => wrote,
                TurnPoint::Prompt(_) | TurnPoint::End(_) => Vec::new(),
            },
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

    /// Returns whether the session works on a run, or no other one does.
    fn is_free(hook: &HookContext<'_>, run: &FoundRun) -> bool {
        let line = agents::line(&run.object).unwrap_or_default();
        let mut owners = agents::owners(&line);
        agents::works_on(&line, &hook.session.id)
            || owners.all(|it| it.presence != agents::SessionPresence::Working)
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

    /// The sentence about a rewind of the run alone.
    fn of_run(prompt: &str) -> String {
        format!(
            "Since your last turn the user took the record of this work back to before the prompt {}. The files stay \
             as they are.",
            quoted(prompt)
        )
    }

    /// The sentence about rewinds; `None` for none.
    fn sentence(rewinds: &[RewindSince]) -> Option<String> {
        let Some(newest) = rewinds.iter().find(|it| !it.paths.is_empty()) else {
            return Some(of_run(rewinds.first()?.prompt.as_deref()?));
        };
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
        let names = paths.join(", ");
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
    use super::{HookContext, TurnEnd, TurnState, is_kept, turn_state};
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
        end: TurnEnd,
        _: &mut Warnings,
    ) -> Result<(), Error> {
        match is_kept(hook, end).await {
            true => whole::needed(),
            false => Ok(()),
        }
    }

    /// Leaves it to the library, where a turn ended.
    pub(in super::super) async fn before_work(
        hook: &HookContext<'_>,
        _: &[(String, Option<bool>)],
        _: &mut Warnings,
    ) -> Result<(), Error> {
        match turn_state(hook).await {
            TurnState::Stopped => whole::needed(),
            TurnState::None | TurnState::Begun => Ok(()),
        }
    }
}
