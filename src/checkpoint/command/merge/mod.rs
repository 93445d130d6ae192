//! Three-way merge of whole documents.
//!
//! A field that one side changed takes that side's value. Objects merge field by field, known or
//! not; lists of strings merge as ordered sets, item by item. Where both sides changed one field
//! to different values, the merge is a conflict that names it.
//!
//! These never conflict, because each has an owner when both sides changed it:
//!
//! | field | takes |
//! |---|---|
//! | `updated_at`, that of each phase too | the later one |
//! | `head_commit` | ours: the commit at which the merged document is saved |
//! | `revision`, `seal`, `restores` | theirs: the stored document's, until it is written again |
//!
//! A list with an item that is no string is one value: two equal numbers in it may both mean
//! something, so it is no set.

mod consistency;

use crate::json::{Json, Object, Pointer};
use crate::str_map::{self, StrMap, StrSet};
use crate::time;

/// Merges `ours`, the document to be saved, and `theirs`, the stored one, which both came from
/// `base`.
///
/// Keys stand in the order of `theirs`, then come those that only `ours` has. Items of a list
/// stand in the order of `theirs`; an item that `ours` added follows the one it follows in `ours`,
/// and what `theirs` added there comes first.
///
/// Where merging made `state` contradict a phase's status, although neither side did, the table of
/// phases decides; and `completed_at` goes when a current or pending phase is left. The caller
/// validates the result.
///
/// # Errors
///
/// The fields that both sides changed differently, sorted.
pub fn merge(base: &Object, ours: &Object, theirs: &Object) -> Result<Object, Vec<Pointer>> {
    if theirs == base {
        return Ok(ours.clone());
    }
    if ours == base || ours == theirs {
        return Ok(theirs.clone());
    }
    let mut conflicts = Vec::new();
    let mut merged = merge_objects(&Pointer::root(), base, ours, theirs, &mut conflicts);
    if !conflicts.is_empty() {
        let order = str_map::order(&conflicts.iter().map(Pointer::as_str).collect::<Vec<_>>());
        return Err(order.into_iter().map(|at| conflicts[at].clone()).collect());
    }
    consistency::restore(&mut merged, ours, theirs);
    Ok(merged)
}

fn merge_objects(
    at: &Pointer,
    base: &Object,
    ours: &Object,
    theirs: &Object,
    conflicts: &mut Vec<Pointer>,
) -> Object {
    let base = base.index();
    let our_fields = ours.index();
    let their_fields = theirs.index();
    let only_ours = ours.iter().filter(|(key, _)| !their_fields.contains(key));
    let mut merged = Vec::with_capacity(theirs.len());
    for (key, _) in theirs.iter().chain(only_ours) {
        let field = MergeField {
            base: base.get(key).copied(),
            ours: our_fields.get(key).copied(),
            theirs: their_fields.get(key).copied(),
        };
        if let Some(value) = field.merge(at, key, conflicts) {
            merged.push((key, value));
        }
    }
    merged.into_iter().collect()
}

/// One field in the three documents, absent where it is `None`.
struct MergeField<'a> {
    base: Option<&'a Json>,
    ours: Option<&'a Json>,
    theirs: Option<&'a Json>,
}

impl MergeField<'_> {
    fn merge(self, parent: &Pointer, key: &str, conflicts: &mut Vec<Pointer>) -> Option<Json> {
        if self.ours == self.theirs || self.ours == self.base {
            return self.theirs.cloned();
        }
        if self.theirs == self.base {
            return self.ours.cloned();
        }
        let at = parent.key(key);
        if let Some(owner) = owner(&at) {
            return self.of(owner).cloned();
        }
        match (self.ours, self.theirs) {
            (Some(Json::Object(ours)), Some(Json::Object(theirs))) => {
                let absent = Object::new();
                let base = self.base.and_then(Json::as_object).unwrap_or(&absent);
                Some(merge_objects(&at, base, ours, theirs, conflicts).into())
            }
            (Some(Json::Array(ours)), Some(Json::Array(theirs))) => {
                let base = self.base.and_then(Json::as_array).unwrap_or_default();
                let merged = merge_lists(base, ours, theirs);
                if merged.is_none() {
                    conflicts.push(at);
                }
                merged
            }
            _ => {
                conflicts.push(at);
                None
            }
        }
    }

    fn of(&self, owner: FieldOwner) -> Option<&Json> {
        let time = |value: Option<&Json>| value.and_then(|value| time::parse(value.as_str()?));
        match owner {
            FieldOwner::Ours => self.ours,
            FieldOwner::Theirs => self.theirs,
            FieldOwner::Later if time(self.theirs) > time(self.ours) => self.theirs,
            FieldOwner::Later => self.ours,
        }
    }
}

/// The side whose value a field takes that never conflicts.
enum FieldOwner {
    Ours,
    Theirs,
    Later,
}

fn owner(at: &Pointer) -> Option<FieldOwner> {
    match at.as_str() {
        "/updated_at" => Some(FieldOwner::Later),
        "/head_commit" => Some(FieldOwner::Ours),
        "/revision" | "/seal" | "/restores" => Some(FieldOwner::Theirs),
        // A slash in the name of a phase is escaped, so the next one ends the name.
        other => match other.strip_prefix("/phases/")?.split_once('/')? {
            (_, "updated_at") => Some(FieldOwner::Later),
            _ => None,
        },
    }
}

/// The three lists merged as ordered sets; `None` where an item is no string.
fn merge_lists(base: &[Json], ours: &[Json], theirs: &[Json]) -> Option<Json> {
    let base = strings(base)?;
    let our_set = strings(ours)?;
    let their_set = strings(theirs)?;

    let kept = |item: &str| our_set.contains(item) || !base.contains(item);
    let added = |item: &str| !base.contains(item) && !their_set.contains(item);

    // Our additions: those at the start of the list, and those behind each item that they have too.
    let mut at_start: Vec<&str> = Vec::new();
    let mut behind: Vec<(&str, Vec<&str>)> = Vec::new();
    for item in once_each(ours) {
        if their_set.contains(item) {
            behind.push((item, Vec::new()));
        } else if added(item) {
            behind
                .last_mut()
                .map_or(&mut at_start, |(_, items)| items)
                .push(item);
        }
    }
    let behind: StrMap<'_, Vec<&str>> = behind.into_iter().collect();

    let mut merged: Vec<&str> = Vec::with_capacity(theirs.len());
    let mut waiting = at_start;
    for item in once_each(theirs).filter(|item| kept(item)) {
        // An item that only they added at this place goes before our additions there.
        if our_set.contains(item) {
            merged.append(&mut waiting);
            waiting = behind.get(item).cloned().unwrap_or_default();
        }
        merged.push(item);
    }
    merged.append(&mut waiting);
    Some(merged.into())
}

/// The strings of a list, without repetitions.
fn once_each(items: &[Json]) -> impl Iterator<Item = &str> {
    let items = || items.iter().filter_map(Json::as_str).enumerate();
    let places: StrMap<'_, usize> = items().map(|(at, item)| (item, at)).collect();
    items()
        .filter(move |(at, item)| places.get(item) == Some(at))
        .map(|(_, item)| item)
}

fn strings(items: &[Json]) -> Option<StrSet<'_>> {
    items.iter().map(Json::as_str).collect()
}

#[cfg(test)]
mod tests;
