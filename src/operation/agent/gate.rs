//! The texts of an event without their secrets: those that are stored, and those that are compared with stored ones.

use crate::agent;
use crate::checkpoint::command::agents::{self, Planned};
use crate::checkpoint::command::phases::Status;
use crate::error::Error;
use crate::operation::reply::Warnings;
use crate::operation::secrets;
use crate::tokens;

use super::hook_context::HookContext;

/// The files whose paths hold no secret: others are not listed.
pub(super) fn listed<T>(files: Vec<T>, path: impl Fn(&T) -> &String) -> Result<Vec<T>, Error> {
    let mut listed = Vec::with_capacity(files.len());
    for file in files {
        if !secrets::holds(path(&file))? {
            listed.push(file);
        }
    }
    Ok(listed)
}

/// A message as a summary: without its secrets, cut to what a save accepts. `None` where nothing is left.
pub(super) async fn summary_of(
    hook: &HookContext<'_>,
    (what, message): (&str, &str),
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    // The part that is cut away need not be looked at, but a secret is not to be cut in two.
    let hidden = secrets::hidden(hook.io, hook.root, (what, message.trim()), warnings).await?;
    let summary = tokens::fit(&hidden).trim_end();
    Ok((!summary.is_empty()).then(|| summary.to_owned()))
}

/// An item of a plan, whose text loses its secrets before it is compared with what is stored.
pub(super) async fn planned_of(
    hook: &HookContext<'_>,
    item: &agent::Item,
    warnings: &mut Warnings,
) -> Result<Option<Planned>, Error> {
    let text = match item.name.as_deref().and_then(agent::one_line) {
        Some(text) => {
            Some(secrets::hidden(hook.io, hook.root, ("the plan", &text), warnings).await?)
        }
        None => None,
    };
    if text.is_none() && item.id.is_none() {
        return Ok(None);
    }
    Ok(Some(Planned {
        id: item.id.clone(),
        text: text.map(|text| agents::stored_text(&text)),
        status: item.progress.map(|progress| match progress {
            agent::PlanItemProgress::Pending => Status::Pending,
            agent::PlanItemProgress::InProgress => Status::InProgress,
            agent::PlanItemProgress::Complete => Status::Complete,
            agent::PlanItemProgress::Cancelled => Status::Skipped,
        }),
        is_new: item.is_new,
        call: item.call.clone(),
    }))
}
