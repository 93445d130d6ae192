//! The state of a session's work: the text for a new context, and a snapshot of it.

use crate::agent;
use crate::checkpoint::command::agents::UNNAMED;
use crate::checkpoint::command::context::{TEXTS, facts as facts_of};
use crate::error::whole;
use crate::error::{Advice, Error, WarningCode};
use crate::json::{Json, Object};
use crate::operation::command::load::load;
use crate::operation::project::budget::{budget, fit};
use crate::operation::{Reply, Target, Warnings, secrets};
use crate::text::visible;

use super::hook_context::HookContext;

/// Warnings of a checkpoint that could not be read, or is gone.
const HIDES_WORK: [WarningCode; 5] = [
    WarningCode::Corrupt,
    WarningCode::TooLarge,
    WarningCode::UnsafePath,
    WarningCode::Io,
    WarningCode::Vanished,
];

/// The text for a context, besides the facts of a run.
#[derive(Default)]
pub(super) struct Telling<'a> {
    /// The run that the session may carry on with.
    pub(super) target: Option<&'a Target>,
    /// The sentence that says what happened to the session's own run.
    pub(super) notice: Option<String>,
    /// The sentence about the other session that works on the run.
    pub(super) owner: Option<String>,
    /// The other unfinished runs of this branch, a line each.
    pub(super) also_here: Vec<String>,
    /// The unfinished runs that belong elsewhere, a line each.
    pub(super) other_work: Vec<String>,
}

/// The text for a context about a run and about the others, with all warnings; `None` where there is nothing to say.
pub(super) async fn context(
    hook: &HookContext<'_>,
    telling: Telling<'_>,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    let mut facts = Object::new();
    if let Some(target) = telling.target {
        let Reply {
            result,
            warnings: of_run,
        } = load(hook.io, hook.settings, target).await;
        of_run.into_iter().for_each(|warning| warnings.add(warning));
        match result {
            Ok(Some(loaded)) => {
                facts = facts_of(target, &loaded.object);
                if !facts.is_empty() {
                    facts.set("since_recorded", since(hook, &loaded.object).await);
                }
                if let Err(error) = keep_to_budget(hook, &mut facts, warnings).await {
                    // The texts are left out where their tokens could not be counted.
                    TEXTS.iter().for_each(|key| drop(facts.remove(key)));
                    facts.set("error", error.to_string());
                }
            }
            Ok(None) => {}
            Err(error) => {
                let message = with_remedy(hook, error.to_string(), error.advice());
                facts.set("error", message);
            }
        }
    }
    let Telling {
        notice,
        owner,
        also_here,
        other_work,
        ..
    } = telling;
    let hides = |code: &WarningCode| HIDES_WORK.contains(code);
    let hides_work = warnings
        .as_slice()
        .iter()
        .any(|warning| hides(&warning.code));
    let has_plan = has_plan(&facts);
    let is_empty = facts.is_empty() && notice.is_none() && other_work.is_empty();
    if is_empty && also_here.is_empty() && !hides_work {
        return Ok(None);
    }
    let messages = warnings.as_slice().iter();
    let messages: Vec<Json> = messages
        .map(|warning| {
            let message = with_remedy(hook, warning.message.clone(), warning.advice.as_ref());
            Json::from(visible(&message).into_owned())
        })
        .collect();
    let mut context = Object::new().with("notice", notice);
    if !facts.is_empty() {
        context.set("other_session", owner);
    }
    for (key, value) in facts {
        context.set(&key, value);
    }
    context.set("also_unfinished_here", also_here);
    context.set("other_work_here", other_work);
    context.set("warnings", messages);
    let tools = match has_plan {
        true => hook.session.agent.plan_tools(),
        false => None,
    };
    Ok(Some(agent::resume_context(
        &secrets::sent(context),
        tools.as_deref(),
    )))
}

/// A message with the command that brings its run back, where one does.
fn with_remedy(hook: &HookContext<'_>, message: String, advice: Option<&Advice>) -> String {
    match advice {
        Some(Advice::Recover(Target { command, feature })) => {
            let remedy = hook.words.recover(command, feature.as_deref());
            [&message, "; ", &remedy].concat()
        }
        _ => message,
    }
}

/// The distance of HEAD from the commit at which the run was recorded.
#[cfg(sessions)]
async fn since(hook: &HookContext<'_>, run: &Object) -> Option<String> {
    crate::operation::command::since::since_recorded(hook.io, hook.root, run).await
}

/// The wasm of hooks reads no objects.
#[cfg(not(sessions))]
async fn since(_: &HookContext<'_>, _: &Object) -> Option<String> {
    None
}

/// Returns whether there is more to do than to go on with work for which an agent named no phase.
fn has_plan(facts: &Object) -> bool {
    let is_named = |phase: &Json| phase.as_str().is_some_and(|phase| phase != UNNAMED);
    let pending = facts.get("pending_phases").and_then(Json::as_array);
    facts.get("phase").is_some_and(is_named) || pending.is_some_and(|pending| !pending.is_empty())
}

/// Cuts every text of the facts to the project's budget.
async fn keep_to_budget(
    hook: &HookContext<'_>,
    facts: &mut Object,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    if facts.is_empty() {
        return Ok(());
    }
    let Some(budget) = budget(hook.io, hook.root).await? else {
        return Ok(());
    };
    whole::needed()?;
    for key in TEXTS {
        let Some(Json::String(text)) = facts.get(key) else {
            continue;
        };
        let (kept, why) = fit(hook.io, budget, text).await?;
        if let Some(why) = why {
            let kept = kept.to_owned();
            let what = format!("`{key}` of the checkpoint was cut: {why}");
            warnings.warn(WarningCode::SummaryTooLong, what);
            facts.set(key, kept);
        }
    }
    Ok(())
}

/// Keeps the work of this moment, where anything changed since the session's last one: the runs are
/// committed already, so that this adds a snapshot.
#[cfg(sessions)]
pub(super) async fn keep(
    hook: &HookContext<'_>,
    reason: &str,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    use crate::operation::session::create::create_session;
    use crate::operation::session::request::{ChangedFiles, Create, MadeBy};

    whole::needed()?;
    let found = match reason {
        "handoff" => hook.found_or_ended().await?,
        _ => hook.found().await?,
    };
    let Some(found) = found else {
        return Ok(());
    };
    let create = Create {
        reason: reason.parse()?,
        message: None,
        given: Object::new(),
        target: Some(found.target),
        files: ChangedFiles::Kept(Vec::new()),
        undo_of: None,
        made_by: Some(MadeBy {
            agent: hook.session.agent.name().to_owned(),
            session: hook.session.id.clone(),
        }),
        turn: None,
    };
    let Reply {
        result,
        warnings: of_session,
    } = create_session(hook.io, hook.settings, create).await;
    of_session
        .into_iter()
        .for_each(|warning| warnings.add(warning));
    result.map(drop)
}

/// The wasm of hooks has no snapshots.
#[cfg(not(sessions))]
pub(super) async fn keep(_: &HookContext<'_>, _: &str, _: &mut Warnings) -> Result<(), Error> {
    whole::needed()
}
