//! The rule that a merge must not break: `state` says the same about a phase as the phase's status.

use crate::checkpoint::command::document::is_completed;
use crate::checkpoint::command::lists::{PhaseStatements, move_phases, reopen};
use crate::checkpoint::command::status::Status;
use crate::json::{Json, Object};

/// Repairs the contradictions in `merged` that neither side had.
///
/// - A phase that `completed_phases` or `pending_phases` misplaces for its merged status goes
///   where the table of phases puts it. One without an entry in `phases` that both lists name is
///   complete.
/// - `current_phase` becomes null when the merged status of that phase is one that leaves it.
/// - `completed_at` goes when a current or pending phase is left: one side finished the
///   checkpoint while the other went on, and a finished checkpoint would hide that work. It is
///   opened again then, so that no phase is dropped that is still to be done.
///
/// A contradiction that a side already had was written on purpose, or by hand, and stays.
pub(super) fn restore(merged: &mut Object, ours: &Object, theirs: &Object) {
    let repairs = repairs(merged, ours, theirs);
    if !repairs.is_empty()
        && let Some(state) = merged.get_mut("state").and_then(Json::as_object_mut)
    {
        let repairs = repairs.iter();
        let repairs = repairs.map(|(name, status)| (name.as_str(), *status));
        move_phases(state, &repairs.collect());
    }
    if is_finished_too_early(merged)
        && !is_finished_too_early(ours)
        && !is_finished_too_early(theirs)
    {
        reopen(merged);
    }
}

/// The phases that the merged document contradicts itself about, and neither side does, each once and sorted.
fn repairs(merged: &Object, ours: &Object, theirs: &Object) -> Vec<(String, Status)> {
    let merged = PhaseStatements::of(merged);
    let mut views = None;
    let mut found = Vec::new();
    for (name, _) in merged.statuses.iter() {
        if let Some(status) = merged.contradicted(name) {
            let [our_view, their_view] = views
                .get_or_insert_with(|| [PhaseStatements::of(ours), PhaseStatements::of(theirs)]);
            if our_view.contradicted(name).is_none() && their_view.contradicted(name).is_none() {
                found.push((name.to_owned(), status));
            }
        }
    }
    found
}

/// Returns whether a document says that it is complete, although a phase is left.
fn is_finished_too_early(document: &Object) -> bool {
    let state = document.get("state").and_then(Json::as_object);
    let field = |name| state.and_then(|state| state.get(name));
    let is_left = |name: &Json| name.as_str().is_some();
    let mut pending = field("pending_phases")
        .and_then(Json::as_array)
        .into_iter()
        .flatten();
    is_completed(document) && (field("current_phase").is_some_and(is_left) || pending.any(is_left))
}

#[cfg(test)]
#[path = "consistency_tests.rs"]
mod tests;
