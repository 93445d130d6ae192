//! The document in the place of a checkpoint that was removed or renamed: a valid, completed
//! document with empty lists, which every operation takes for an absent one.
//!
//! A rename writes it without `removed_at` first, and with it once the checkpoint is there under
//! its new name, so that every reader knows whether there is something left to do.

use super::document::RunDocument;
use crate::json::{Json, Object};

const RENAMED_TO: &str = "renamed_to";
const REPLACED: &str = "renamed";
const OVER: &str = "renamed_over";
const RENAMED_FROM: &str = "renamed_from";
const REMOVED_AT: &str = "removed_at";

/// Returns whether a document stands for an absent checkpoint.
pub fn is_tombstone(object: &Object) -> bool {
    object.get(REMOVED_AT).is_some() || object.get(RENAMED_TO).is_some()
}

/// Returns the name that the checkpoint moves to, as long as it may not be there yet.
pub fn unfinished_rename(object: &Object) -> Option<&str> {
    match object.get(REMOVED_AT) {
        Some(_) => None,
        None => object.get(RENAMED_TO)?.as_str(),
    }
}

/// Returns when the checkpoint was removed, and the feature that it has instead, where it was renamed.
pub fn ending(object: &Object) -> Option<(&str, Option<&str>)> {
    let text = |member| object.get(member).and_then(Json::as_str);
    Some((text(REMOVED_AT)?, text(RENAMED_TO)))
}

/// The checkpoint that moves, and its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move<'a> {
    /// The new feature name.
    pub to: &'a str,
    /// The seal of the revision that moves, which the tombstone replaces.
    pub replaced: &'a str,
    /// The seal of the tombstone that it replaces there, if there is one. In place of anything else
    /// it is not published, so that it is once at most, and a later look finds the same.
    pub over: Option<&'a str>,
}

/// Returns the move in a tombstone that may be unfinished.
pub fn unfinished_move(object: &Object) -> Option<Move<'_>> {
    let text = |member| object.get(member).and_then(Json::as_str);
    Some(Move {
        to: unfinished_rename(object)?,
        replaced: text(REPLACED).unwrap_or_default(),
        over: text(OVER),
    })
}

/// The tombstone of a checkpoint that was removed.
pub fn removed(command: &str, feature: Option<&str>, now: &str) -> Object {
    let mut object = RunDocument::new(command, feature, now).into_object();
    object.set("completed_at", now);
    object.set(REMOVED_AT, now);
    object
}

/// The tombstone of a checkpoint that moves to another feature.
pub fn renaming(command: &str, feature: Option<&str>, moving: Move<'_>, now: &str) -> Object {
    let mut object = RunDocument::new(command, feature, now).into_object();
    object.set("completed_at", now);
    object.set(RENAMED_TO, moving.to);
    object.set(REPLACED, moving.replaced);
    if let Some(over) = moving.over {
        object.set(OVER, over);
    }
    object
}

/// Returns the tombstone of a finished rename, once the checkpoint is there under its new name.
pub fn finished(mut renaming: Object, now: &str) -> Object {
    renaming.set("updated_at", now);
    renaming.set(REMOVED_AT, now);
    renaming
}

/// A revision under the former name as a document of the new one. `seal` names that revision, so that
/// a second publication is known for one.
pub fn renamed(mut object: Object, feature: &str, seal: &str) -> Object {
    object.set("feature", feature);
    object.set(RENAMED_FROM, seal);
    object
}

/// Returns whether a document goes back to the revision with this seal, under a former name.
pub fn came_from(object: &Object, seal: &str) -> bool {
    object.get(RENAMED_FROM).and_then(Json::as_str) == Some(seal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::command::document::problems;

    const NOW: &str = "2026-01-29T10:30:00.000Z";

    #[test]
    fn a_tombstone_is_a_valid_completed_document_at_each_step() {
        let moving = Move {
            to: "b",
            replaced: "seal",
            over: Some("tombstone"),
        };
        let first = renaming("design", Some("a"), moving, NOW);
        let last = finished(first.clone(), NOW);
        let removed = removed("design", None, NOW);
        assert_eq!(unfinished_rename(&removed), None);
        for object in [&first, &last, &removed] {
            assert_eq!(problems(&Json::Object(object.clone()), &[]), []);
            assert!(is_tombstone(object));
        }
        assert_eq!(unfinished_rename(&first), Some("b"));
        assert_eq!(unfinished_move(&first), Some(moving));
        assert_eq!(unfinished_rename(&last), None);
        assert_eq!(ending(&first), None);
        assert_eq!(ending(&last), Some((NOW, Some("b"))));
        assert_eq!(ending(&removed), Some((NOW, None)));
    }

    #[test]
    fn a_renamed_run_is_no_tombstone_and_knows_its_former_name() {
        let before = RunDocument::new("design", Some("a"), NOW).into_object();
        assert!(!is_tombstone(&before));
        let after = renamed(before, "b", "seal");
        assert!(!is_tombstone(&after));
        assert_eq!(problems(&Json::Object(after.clone()), &[]), []);
        assert!(came_from(&after, "seal") && !came_from(&after, "other"));
    }
}
