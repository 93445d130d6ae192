//! The fill of a session's context window, and what follows from it.
//!
//! It is no part of a checkpoint: the status line records it in the side folder of all checkpoints, where
//! each session has
//!
//! - `session-ID.json`: how full its window is, since when, and the id (of a subagent with a session of its own, what
//!   started it: `subagents.rs`);
//! - `session-ID.owner`: the process and the branch that it was seen at (`owner_record.rs`);
//! - `session-ID.dirty`: what differed from HEAD before its turn (`shell_changes.rs`);
//! - `session-ID.due`, while it is to be asked to hand its work over: so a hook has one name to look for, and reads
//!   nothing;
//! - `session-ID.made`, once it was asked: the hook that asks gives the other one this name, and only one of several
//!   concurrent hooks can.
//!
//! Nothing is synced, no process waits for it, and all of it may be deleted at any time. A failure counts as if it had
//! not been tried: no status line, and no event, fails for it.

use crate::agent::{self, Agent, ContextSource, Event, HandoffRequestState, Payload};
use crate::checkpoint::command::agents;
use crate::effect::PathKind;
use crate::error::{Error, Warning, whole};
use crate::json::Json;
use crate::operation::Warnings;
use crate::operation::project::budget::budget;

use super::hook_context::HookContext;
use super::records::{DUE, MADE, USED};
use super::settings::agent_settings;
use super::work_state;

/// Records how full the window of a session is, in percent, and whether the session is to be asked to hand
/// its work over. Where that cannot be written, nothing is.
pub(super) async fn record(hook: &HookContext<'_>, used: u64) {
    let Some(records) = hook.open_records().await else {
        return;
    };
    let Some(before) = records.request().await else {
        return;
    };
    let recorded = records.used().await;
    let record = (USED, Json::from(used));
    if recorded != Some(used) && !records.write(record, recorded.is_none()).await {
        return;
    }
    let threshold = agent_settings(hook.io, hook.root).await.handoff_at;
    let request = before.at(used, threshold);
    if request == before {
        return;
    }
    match request {
        HandoffRequestState::Due => records.create(DUE).await,
        HandoffRequestState::None => {
            records.remove(DUE).await;
            records.remove(MADE).await;
        }
        HandoffRequestState::Made => {}
    }
}

/// Returns whether the answer to this event is to ask the agent to hand its work over. That costs one look, and nothing
/// with agents that do not say how full their window is.
///
/// # Errors
///
/// Fails with `usage` if only the `library` build can do it.
pub(super) async fn is_request_due(
    hook: &HookContext<'_>,
    payload: &Payload<'_>,
) -> Result<bool, Error> {
    // The window of a subagent is another one.
    let is_of_window = payload.agent == Agent::ClaudeCode && payload.subagent.is_none();
    if !is_of_window || !agent::gives_context(payload) {
        return Ok(false);
    }
    let Some(records) = hook.records() else {
        return Ok(false);
    };
    let looked = hook.io.inspect(vec![records.path(DUE)]).await;
    if !looked.is_ok_and(|it| it.iter().all(|entry| entry.kind == PathKind::File)) {
        return Ok(false);
    }
    whole::needed()?;
    let Event::SessionStart(source) = payload.event else {
        return Ok(true);
    };
    // The text that a new context gets of the work is enough for now.
    if matches!(source, ContextSource::Compact | ContextSource::Clear)
        && let Some(records) = hook.open_records().await
    {
        // The full window was emptied.
        records.remove(DUE).await;
    }
    Ok(false)
}

/// Keeps a snapshot, and asks the agent to record its summary: the line to print. `None` where
/// another hook does so, and where there is nothing to hand over.
///
/// # Errors
///
/// As a load.
pub(super) async fn request(
    hook: &HookContext<'_>,
    payload: &Payload<'_>,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    whole::needed()?;
    let Some(records) = hook.open_records().await else {
        return Ok(None);
    };
    let (Some(found), Some(used)) = (hook.found().await?, records.used().await) else {
        records.remove(DUE).await;
        return Ok(None);
    };
    if !records.rename(DUE, MADE).await {
        return Ok(None);
    }
    // The agent's own summary is worth more than the checkpoint, and is asked for without one as well.
    if let Err(error) = work_state::keep(hook, "handoff", warnings).await {
        warnings.add(Warning::passed_over(&error));
    }
    let phase = agents::phase_of_summary(&found.object);
    // A recorded summary is checked; what is asked for here is advice.
    let budget = budget(hook.io, hook.root).await.unwrap_or_default();
    let target = &found.target;
    // Always named, an empty one too: without one the run of the branch is meant, which may be another one.
    let feature = target.feature.as_deref().unwrap_or_default();
    let target = (target.command.as_str(), Some(feature));
    let sentence = agent::handoff_request(hook.words, used, target, &phase, budget);
    Ok(agent::answer(payload, &sentence))
}
