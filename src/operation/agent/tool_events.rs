//! The events of an agent's tools: files that they wrote, and the agent's plan.

use crate::agent;
use crate::checkpoint::command::agents::{self, Planned};
use crate::checkpoint::command::document::Draft;
use crate::effect::boxed;
use crate::error::Error;
use crate::operation::Warnings;
use crate::text::visible;

use super::begin::{found_or_begun, found_or_begun_by};
use super::claim::RunClaim;
use super::gate::{planned_of, summary_of};
use super::hook_context::HookContext;
use super::moments;
use super::settings::agent_settings;

/// Files that a tool wrote join the phase that the work is in. One that is listed already costs no look at
/// the index, and no write but the first of a turn and one each minute. Returns what the agent is to know.
pub(super) async fn wrote(
    hook: &HookContext<'_>,
    files: &[(String, Option<bool>)],
    outside: &[String],
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    if files.is_empty() && outside.is_empty() {
        return Ok(None);
    }
    for _ in 0..ATTEMPTS {
        if let Some(notice) = write_once(hook, files, outside, warnings).await? {
            return Ok(notice);
        }
    }
    Err(taken_over())
}

/// Each try that fails is another session's takeover.
const ATTEMPTS: u32 = 3;

#[cold]
fn taken_over() -> Error {
    Error::busy("The run of this session".to_owned())
}

/// Lists files once; `None` where the run was taken over in between.
async fn write_once(
    hook: &HookContext<'_>,
    files: &[(String, Option<bool>)],
    outside: &[String],
    warnings: &mut Warnings,
) -> Result<Option<Option<String>>, Error> {
    // Files outside alone begin no run.
    let begun = match files.is_empty() {
        true => (hook.found().await?, None),
        false => found_or_begun_by(hook, files, warnings).await?,
    };
    let (Some(found), mut notice) = begun else {
        return Ok(Some(None));
    };
    let id = hook.session.id.as_str();
    let mut known = Vec::with_capacity(files.len());
    let mut is_change = !agents::has_worked(&found.object, id);
    if is_change && !files.is_empty() {
        boxed(moments::before_work(hook, files, warnings)).await?;
    }
    let mut created = Vec::new();
    for (path, is_new) in files {
        let (is_listed, is_in_place) = agents::is_listed(&found.object, path);
        let is_new = !is_listed && hook.is_new(path, *is_new).await;
        if is_new && hook.is_there(path).await {
            created.push(path.clone());
        }
        is_change |= !is_in_place;
        known.push((path.clone(), is_new));
    }
    let outside = agents::new_outside(&found.object, outside);
    if !outside.is_empty() && !agents::has_outside(&found.object) {
        let first = visible(&outside[0]).into_owned();
        let sentence = format!(
            "{first} is outside of this repository. Such files are listed as outside in the run of this session, \
             and get no run of their own."
        );
        notice = Some(notice.map_or(sentence.clone(), |notice| format!("{notice} {sentence}")));
    }
    is_change |= !outside.is_empty();
    if is_change || agents::is_due(&found.object, id, hook.now_ms().await?) {
        let mut decide = |draft: &mut Draft, now: &str| {
            let is_listed = agents::list_outside(draft, &outside);
            let is_change = agents::wrote(draft, id, &known, now)? | is_listed;
            agents::note_created(draft, id, &created);
            Ok(is_change)
        };
        let target = &found.target;
        let holds = hook
            .commit(target, RunClaim::Own, warnings, &mut decide)
            .await?;
        if !holds {
            return Ok(None);
        }
    }
    Ok(Some(notice))
}

/// The agent's plan becomes phases, unless the project does not want that. Returns what the agent is to know.
pub(super) async fn planned(
    hook: &HookContext<'_>,
    plan: &agent::PlanUpdate,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    if !agent_settings(hook.io, hook.root).await.plan {
        return Ok(None);
    }
    let mut items: Vec<Planned> = Vec::with_capacity(plan.items.len());
    for item in &plan.items {
        items.extend(planned_of(hook, item, warnings).await?);
    }
    // An empty plan, or a change of an unknown task, begins nothing.
    let begins = items.iter().any(|item| item.text.is_some());
    let id = hook.session.id.as_str();
    for _ in 0..ATTEMPTS {
        let (found, notice) = match begins {
            true => found_or_begun(hook, warnings).await?,
            false => (hook.found().await?, None),
        };
        let Some(found) = found else {
            return Ok(notice);
        };
        let mut decide =
            |draft: &mut Draft, now: &str| agents::plan(draft, id, &items, plan.is_whole, now);
        if hook.change_at(&found, warnings, &mut decide).await? {
            return Ok(notice);
        }
    }
    Err(taken_over())
}

/// The plan that the user approved is the plan of the run, without its secrets and cut to what a summary may have.
pub(super) async fn presented(
    hook: &HookContext<'_>,
    plan: &str,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    let Some(plan) = summary_of(hook, ("the plan", plan), warnings).await? else {
        return Ok(None);
    };
    let (Some(found), notice) = found_or_begun(hook, warnings).await? else {
        return Ok(None);
    };
    let id = hook.session.id.as_str();
    hook.change_at(&found, warnings, &mut |draft, _| {
        Ok(agents::present(draft, id, &plan))
    })
    .await?;
    Ok(notice)
}
