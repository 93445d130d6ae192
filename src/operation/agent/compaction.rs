//! The resume point after a compaction, for an agent that starts no new session then.
//!
//! Copilot CLI says that it is about to compact, and nothing afterwards. Its session therefore gets a record beside
//! those of `context_window.rs`, under the same rules, and the next event whose answer may give context has the
//! resume point.

use crate::agent::{self, Payload};
use crate::error::{Error, whole};
use crate::json::Json;
use crate::operation::Warnings;

use super::begin;
use super::hook_context::HookContext;
use super::settings::agent_settings;

const IS_DUE: &str = "is_resume_point_due";

/// Records that the context loses the resume point, where no event says so afterwards. What cannot be recorded is not
/// given.
pub(super) async fn record(hook: &HookContext<'_>) {
    if !hook.session.agent.is_silent_after_compaction() {
        return;
    }
    if let Some(records) = hook.open_records().await {
        records.write((IS_DUE, Json::from(true)), true).await;
    }
}

/// Returns whether the answer to this event is to give the resume point. With other agents that costs nothing, with
/// these a look.
///
/// # Errors
///
/// Fails with `usage` if only the `library` build can do it.
pub(super) async fn is_due(hook: &HookContext<'_>, payload: &Payload<'_>) -> Result<bool, Error> {
    let may_be = hook.session.agent.is_silent_after_compaction() && payload.subagent.is_none();
    if !may_be || !agent::gives_context(payload) {
        return Ok(false);
    }
    let Some(records) = hook.records() else {
        return Ok(false);
    };
    let record = records.record().await;
    if record.is_none_or(|record| record.get(IS_DUE) != Some(&Json::Bool(true))) {
        return Ok(false);
    }
    whole::needed()?;
    Ok(true)
}

/// Gives the resume point in an answer that has nothing else to say: the line to print. Of several events at the same
/// time one has it.
///
/// # Errors
///
/// As a load.
pub(super) async fn give(
    hook: &HookContext<'_>,
    payload: &Payload<'_>,
    output: Option<String>,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    let Some(records) = hook.open_records().await else {
        return Ok(output);
    };
    // An answer with the resume point in it settles it as well.
    if !records.remove_record().await || output.is_some() {
        return Ok(output);
    }
    let settings = agent_settings(hook.io, hook.root).await;
    let context = begin::resume(hook, &settings, warnings).await?;
    Ok(context.and_then(|context| agent::answer(payload, &context)))
}
