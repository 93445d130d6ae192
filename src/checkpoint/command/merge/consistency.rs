//! What a merge must not break: `state` says the same about a phase as the phase's status.

use crate::checkpoint::command::document::is_completed;
use crate::checkpoint::command::status::{Current, Listing, Status};
use crate::json::{Json, Object};
use crate::keys::{Keyed, Keys};

/// Repairs the contradictions in `merged` that neither side had.
///
/// - A phase that `completed_phases` or `pending_phases` misplaces for its merged status goes
///   where the table of phases puts it. One without an entry in `phases` that both lists name is
///   complete.
/// - `current_phase` becomes null when the merged status of that phase is one that leaves it.
/// - `completed_at` goes when a current or pending phase is left: one side finished the
///   checkpoint while the other went on, and a finished checkpoint would hide that work.
///
/// A contradiction that a side already had was written on purpose, or by hand, and stays.
pub(super) fn restore(merged: &mut Object, ours: &Object, theirs: &Object) {
    let repairs = repairs(merged, ours, theirs);
    if !repairs.is_empty() {
        let repairs = repairs.iter();
        let repairs = repairs.map(|(name, status)| (name.as_str(), *status));
        place(merged, &repairs.collect());
    }
    if is_finished_too_early(merged)
        && !is_finished_too_early(ours)
        && !is_finished_too_early(theirs)
    {
        merged.remove("completed_at");
    }
}

/// The phases that the merged document contradicts itself about, and neither side does.
fn repairs(merged: &Object, ours: &Object, theirs: &Object) -> Vec<(String, Status)> {
    let merged = View::of(merged);
    let mut views = None;
    let mut found = Vec::new();
    for name in merged.statuses.given() {
        if let Some(status) = merged.contradicted(name) {
            let [our_view, their_view] =
                views.get_or_insert_with(|| [View::of(ours), View::of(theirs)]);
            if our_view.contradicted(name).is_none() && their_view.contradicted(name).is_none() {
                found.push(((*name).to_owned(), status));
            }
        }
    }
    found
}

/// Whether a document says that it is complete, although a phase is left.
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

fn place(merged: &mut Object, repairs: &Keyed<'_, Status>) {
    let Some(state) = merged.get_mut("state").and_then(Json::as_object_mut) else {
        return;
    };
    let leaves = |status: &Status| status.transition().current == Current::NullIfThis;
    let current = state.get("current_phase").and_then(Json::as_str);
    if current
        .and_then(|name| repairs.get(name))
        .is_some_and(leaves)
    {
        state.set("current_phase", Json::Null);
    }
    relist(state, "completed_phases", repairs, |status| {
        status.transition().completed
    });
    relist(state, "pending_phases", repairs, |status| {
        status.transition().pending
    });
}

fn relist(
    state: &mut Object,
    list: &str,
    repairs: &Keyed<'_, Status>,
    listing: fn(Status) -> Listing,
) {
    let Some(Json::Array(items)) = state.get_mut(list) else {
        return;
    };
    let repair = |item: &Json| item.as_str().and_then(|name| repairs.get(name));
    items.retain(|item| repair(item).is_none_or(|status| listing(*status) == Listing::Appended));

    let listed: Keys<'_> = items.iter().filter_map(Json::as_str).collect();
    let absent: Vec<Json> = repairs
        .iter()
        .filter(|(_, status)| listing(**status) == Listing::Appended)
        .filter(|(name, _)| !listed.contains(name))
        .map(|(name, _)| name.into())
        .collect();
    items.extend(absent);
}

/// What a document says about its phases; what is malformed says nothing.
struct View<'a> {
    statuses: Keyed<'a, Option<Status>>,
    completed: Keys<'a>,
    pending: Keys<'a>,
    current: Option<&'a str>,
}

impl<'a> View<'a> {
    fn of(document: &'a Object) -> Self {
        let state = document.get("state").and_then(Json::as_object);
        let list = |name| {
            let items = state.and_then(|state| state.get(name)?.as_array());
            items.unwrap_or_default().iter().filter_map(Json::as_str)
        };
        let phases = document.get("phases").and_then(Json::as_object);
        let of_phase = |phase: &Json| Status::parse(phase.as_object()?.get("status")?.as_str()?);
        let entries = phases.into_iter().flat_map(Object::iter);
        // A listed phase without an entry comes second: of two, the first one counts.
        let listed = list("completed_phases").map(|name| (name, Some(Status::Complete)));
        let statuses = entries
            .map(|(name, phase)| (name, of_phase(phase)))
            .chain(listed)
            .collect();
        View {
            statuses,
            completed: list("completed_phases").collect(),
            pending: list("pending_phases").collect(),
            current: state.and_then(|state| state.get("current_phase")?.as_str()),
        }
    }

    /// The status of a phase that `state` says something else about.
    fn contradicted(&self, name: &str) -> Option<Status> {
        let status = (*self.statuses.get(name)?)?;
        let transition = status.transition();
        let contradicts = self.completed.contains(name)
            != (transition.completed == Listing::Appended)
            || self.pending.contains(name) != (transition.pending == Listing::Appended)
            || self.current == Some(name) && transition.current == Current::NullIfThis;
        contradicts.then_some(status)
    }
}

#[cfg(test)]
#[path = "consistency_tests.rs"]
mod tests;
