//! The end of a turn, and of a subagent: the last message of either.

use crate::agent::Payload;
use crate::checkpoint::command::agents;
use crate::effect::boxed;
use crate::error::{Error, whole};
use crate::operation::Warnings;
use crate::operation::command::budget_check::BudgetCheck;
use crate::operation::project::budget::{budget, fit};

use super::gate::summary_of;
use super::hook_context::HookContext;
use super::last_words::last_words;
use super::shell_changes;

/// The turn ends. Its last message is the summary of its phase, where the turn has changed anything.
pub(super) async fn stop(
    hook: &HookContext<'_>,
    payload: &Payload<'_>,
    message: Option<&str>,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let Some((found, is_here)) = hook.found_at_end().await? else {
        return Ok(());
    };
    let unnamed = match is_here {
        true => boxed(shell_changes::seen(hook, &found)).await?,
        false => shell_changes::Unnamed::default(),
    };
    let id = hook.session.id.as_str();
    let has_changed = !unnamed.changed.is_empty();
    let message = match has_changed || agents::phase_of_turn(&found.object, id).is_some() {
        true => {
            let words = last_words(hook.io, payload).await?;
            message_of(hook, message.or(words.as_deref()), warnings).await?
        }
        false => None,
    };
    if has_changed || !unnamed.gone.is_empty() || agents::has_worked(&found.object, id) {
        hook.change_at(&found, warnings, &mut |draft, now| {
            let has_changed = agents::add_changed(draft, id, &unnamed.changed, now)?;
            let has_forgotten = agents::forget_files(draft, &unnamed.gone);
            let text = message.as_ref().map(|(message, _)| message.as_str());
            let (is_taken, has_ended) = agents::stop(draft, id, text, now)?;
            if let Some((_, check)) = message.as_ref().filter(|_| is_taken) {
                check.record(draft.as_object_mut())?;
            }
            Ok(has_changed || has_forgotten || has_ended)
        })
        .await?;
    }
    shell_changes::keep(hook, unnamed).await;
    Ok(())
}

/// A subagent ended. Its last message joins the reports of the phase that the work is in.
pub(super) async fn report(
    hook: &HookContext<'_>,
    kind: Option<&str>,
    message: Option<&str>,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let Some((found, _)) = hook.found_at_end().await? else {
        return Ok(());
    };
    if !agents::has_current_phase(&found.object) {
        return Ok(());
    }
    let Some((message, _)) = message_of(hook, message, warnings).await? else {
        return Ok(());
    };
    hook.change_at(&found, warnings, &mut |draft, now| {
        agents::report(draft, kind, &message, now)
    })
    .await
    .map(drop)
}

/// A message as a summary, cut to the project's budget, too, and how it was counted.
async fn message_of(
    hook: &HookContext<'_>,
    message: Option<&str>,
    warnings: &mut Warnings,
) -> Result<Option<(String, BudgetCheck)>, Error> {
    let Some(message) = message else {
        return Ok(None);
    };
    let Some(message) = summary_of(hook, ("the message", message), warnings).await? else {
        return Ok(None);
    };
    let Some(budget) = budget(hook.io, hook.root).await? else {
        return Ok(Some((message, BudgetCheck::Words)));
    };
    whole::needed()?;
    // A counted text is kept as it is: without the white space at its end it may have more tokens.
    let (kept, _) = fit(hook.io, budget, &message).await?;
    let kept = (!kept.is_empty()).then(|| kept.to_owned());
    Ok(kept.map(|kept| (kept, BudgetCheck::within(budget))))
}
