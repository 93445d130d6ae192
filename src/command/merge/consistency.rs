//! What a merge must not break: `state` says the same about a phase as the phase's status.

use std::collections::{BTreeMap, BTreeSet};

use crate::command::phases::{Current, Listing, Status};
use crate::json::{Json, Object};

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
    let sides = [View::of(ours), View::of(theirs)];
    let repairs = View::of(merged).repairs(&sides);
    place(merged, &repairs);

    let view = View::of(merged);
    if view.is_finished_too_early() && !sides.iter().any(View::is_finished_too_early) {
        merged.remove("completed_at");
    }
}

fn place(merged: &mut Object, repairs: &BTreeMap<String, Status>) {
    let Some(state) = merged.get_mut("state").and_then(Json::as_object_mut) else {
        return;
    };
    let leaves = |status: &Status| status.effects().current == Current::NullIfThis;
    let current = state.get("current_phase").and_then(Json::as_str);
    if current
        .and_then(|name| repairs.get(name))
        .is_some_and(leaves)
    {
        state.set("current_phase", Json::Null);
    }
    relist(state, "completed_phases", repairs, |status| {
        status.effects().completed
    });
    relist(state, "pending_phases", repairs, |status| {
        status.effects().pending
    });
}

fn relist(
    state: &mut Object,
    list: &str,
    repairs: &BTreeMap<String, Status>,
    listing: impl Fn(Status) -> Listing,
) {
    let Some(Json::Array(items)) = state.get_mut(list) else {
        return;
    };
    let repair = |item: &Json| item.as_str().and_then(|name| repairs.get(name));
    items.retain(|item| repair(item).is_none_or(|status| listing(*status) == Listing::Appended));

    let listed: BTreeSet<&str> = items.iter().filter_map(Json::as_str).collect();
    let absent: Vec<Json> = repairs
        .iter()
        .filter(|(_, status)| listing(**status) == Listing::Appended)
        .filter(|(name, _)| !listed.contains(name.as_str()))
        .map(|(name, _)| name.as_str().into())
        .collect();
    items.extend(absent);
}

/// What a document says about its phases; what is malformed says nothing.
struct View<'a> {
    statuses: BTreeMap<&'a str, Status>,
    completed: BTreeSet<&'a str>,
    pending: BTreeSet<&'a str>,
    current: Option<&'a str>,
    finished: bool,
}

impl<'a> View<'a> {
    fn of(document: &'a Object) -> Self {
        let state = document.get("state").and_then(Json::as_object);
        let list = |name| -> BTreeSet<&str> {
            let items = state.and_then(|state| state.get(name)?.as_array());
            items
                .unwrap_or_default()
                .iter()
                .filter_map(Json::as_str)
                .collect()
        };
        let phases = document.get("phases").and_then(Json::as_object);
        let completed = list("completed_phases");
        let mut statuses: BTreeMap<&str, Status> = completed
            .iter()
            .map(|name| (*name, Status::Complete))
            .collect();
        for (name, phase) in phases.into_iter().flat_map(Object::iter) {
            let status = phase.as_object().and_then(|phase| phase.get("status"));
            match status.and_then(|status| Status::parse(status.as_str()?)) {
                Some(status) => statuses.insert(name, status),
                None => statuses.remove(name),
            };
        }
        View {
            statuses,
            completed,
            pending: list("pending_phases"),
            current: state.and_then(|state| state.get("current_phase")?.as_str()),
            finished: document
                .get("completed_at")
                .is_some_and(|at| *at != Json::Null),
        }
    }

    fn repairs(&self, sides: &[View<'_>]) -> BTreeMap<String, Status> {
        self.statuses
            .iter()
            .filter(|(name, _)| self.contradicts(name))
            .filter(|(name, _)| !sides.iter().any(|side| side.contradicts(name)))
            .map(|(name, status)| ((*name).to_owned(), *status))
            .collect()
    }

    /// Whether `state` says something else about the phase than its status.
    fn contradicts(&self, name: &str) -> bool {
        let Some(status) = self.statuses.get(name) else {
            return false;
        };
        let effects = status.effects();
        self.completed.contains(name) != (effects.completed == Listing::Appended)
            || self.pending.contains(name) != (effects.pending == Listing::Appended)
            || self.current == Some(name) && effects.current == Current::NullIfThis
    }

    fn is_finished_too_early(&self) -> bool {
        self.finished && (self.current.is_some() || !self.pending.is_empty())
    }
}

#[cfg(test)]
#[path = "consistency_tests.rs"]
mod tests;
