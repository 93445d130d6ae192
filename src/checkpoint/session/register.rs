//! The register of snapshots beside their files: those that are pinned, and those that
//! are gone and why.
//!
//! The files themselves never change. This document does, by compare-and-swap: a removal is written
//! here first, so that no id is given twice, even if a process dies in between.

use super::id::SnapshotId;
use crate::json::{Json, Object};
use crate::schema::{Kind, Problem, Shape, optional, published, required};

/// The number of removals that are remembered line by line; of older ones, the greatest id.
const REMEMBERED: usize = 1_000;

/// The document.
pub static REGISTER: Shape = Shape {
    name: "SessionRegister",
    doc: published("The facts of snapshots that are stored beside their files."),
    fields: &[
        optional(
            "pinned",
            Kind::List(&Kind::String),
            "Checkpoints that are never removed.",
        ),
        optional(
            "by_hooks",
            Kind::List(&Kind::String),
            "Checkpoints that hooks of coding agents made, which count apart.",
        ),
        optional(
            "removed",
            Kind::List(&Kind::Object(&REMOVED)),
            "Checkpoints that were removed, the latest last: at most 1,000.",
        ),
        optional(
            "greatest_removed",
            Kind::String,
            "The greatest id that was ever removed: later ones are greater.",
        ),
        optional(
            "restoring",
            Kind::List(&Kind::Object(&RESTORING)),
            "Restores of files that began and did not end: what they need stays.",
        ),
    ],
};

static RESTORING: Shape = Shape {
    name: "UnfinishedRestore",
    doc: published("A restore of files that began."),
    fields: &[
        required("id", Kind::String, "The checkpoint that is restored."),
        required(
            "undo",
            Kind::String,
            "The checkpoint that brings back what was there.",
        ),
    ],
};

static REMOVED: Shape = Shape {
    name: "RemovedSession",
    doc: published("A checkpoint that was removed."),
    fields: &[
        required("id", Kind::String, "Its id."),
        required("at", Kind::Time, "The time at which it was removed."),
        required("reason", Kind::String, "Why."),
    ],
};

/// Everything that is wrong with a register.
pub fn problems(register: &Object) -> Vec<Problem> {
    REGISTER.problems(&Json::from(register.clone()))
}

/// The checkpoints that are pinned.
pub fn pinned(register: &Object) -> Vec<SnapshotId> {
    ids(register, "pinned")
}

/// The checkpoints that hooks made.
pub fn by_hooks(register: &Object) -> Vec<SnapshotId> {
    ids(register, "by_hooks")
}

/// The register with a checkpoint that a hook made.
pub fn with_hook(register: &Object, id: SnapshotId) -> Object {
    let mut lines = list(register, "by_hooks").to_vec();
    lines.push(id.to_string().into());
    register.clone().with("by_hooks", lines)
}

fn ids(register: &Object, key: &str) -> Vec<SnapshotId> {
    let ids = list(register, key).iter();
    ids.filter_map(|id| id.as_str()?.parse().ok()).collect()
}

/// The register with a checkpoint pinned, or not any more; `None` where it is so already.
pub fn with_pin(register: &Object, id: SnapshotId, is_pinned: bool) -> Option<Object> {
    let mut pinned = pinned(register);
    if pinned.contains(&id) == is_pinned {
        return None;
    }
    match is_pinned {
        true => pinned.push(id),
        false => pinned.retain(|it| *it != id),
    }
    let names = pinned.iter().map(|id| Json::from(id.to_string()));
    let mut next = register.clone();
    next.set("pinned", names.collect::<Vec<Json>>());
    Some(next)
}

/// The names of checkpoints that are gone, the greatest of all of them included.
pub fn removed(register: &Object) -> Vec<&str> {
    let greatest = register.get("greatest_removed").and_then(Json::as_str);
    let names = list(register, "removed").iter();
    let names = names.filter_map(|line| line.as_object()?.get("id")?.as_str());
    names.chain(greatest).collect()
}

/// Returns whether a checkpoint is gone: anything left of it is to be removed as well.
pub fn is_removed(register: &Object, id: SnapshotId) -> bool {
    let name = id.to_string();
    removed(register).contains(&name.as_str())
}

/// Returns the register with these removals, each with its reason, at a time in the form of
/// documents; `None` where all of them are in it. A removed checkpoint is no longer pinned, and its
/// maker no longer matters.
pub fn with_removals(
    register: &Object,
    removals: &[(SnapshotId, String)],
    at: &str,
) -> Option<Object> {
    let mut lines = list(register, "removed").to_vec();
    let mut next = register.clone();
    let known = removed(register);
    let new = removals.iter().filter(|(id, _)| {
        let name = id.to_string();
        !known.contains(&name.as_str())
    });
    let before = lines.len();
    for (id, reason) in new {
        let line = Object::new()
            .with("id", id.to_string())
            .with("at", at)
            .with("reason", reason.as_str());
        lines.push(line.into());
        if pinned(&next).contains(id) {
            next = with_pin(&next, *id, false).unwrap_or(next);
        }
    }
    if lines.len() == before {
        return None;
    }
    let mut made = list(&next, "by_hooks").to_vec();
    let is_gone = |it: &Json| {
        removals
            .iter()
            .any(|(id, _)| it.as_str() == Some(&*id.to_string()))
    };
    if made.iter().any(is_gone) {
        made.retain(|it| !is_gone(it));
        next.set("by_hooks", made);
    }
    let ids = removed(&next).into_iter();
    let ids = ids.filter_map(|name| name.parse::<SnapshotId>().ok());
    let greatest = ids.chain(removals.iter().map(|(id, _)| *id)).max();
    lines.drain(..lines.len().saturating_sub(REMEMBERED));
    next.set("removed", lines);
    if let Some(greatest) = greatest {
        next.set("greatest_removed", greatest.to_string());
    }
    Some(next)
}

/// The checkpoints that an unfinished restore needs.
pub fn in_use(register: &Object) -> Vec<SnapshotId> {
    let lines = list(register, "restoring")
        .iter()
        .filter_map(Json::as_object);
    let ids = lines.flat_map(|line| ["id", "undo"].map(|key| line.get(key)));
    let ids = ids.filter_map(|id| id?.as_str()?.parse().ok());
    ids.collect()
}

/// The register with a restore that begins.
pub fn with_restore(register: &Object, id: SnapshotId, undo: SnapshotId) -> Object {
    let mut lines = list(register, "restoring").to_vec();
    lines.retain(|line| !is_of(line, id));
    let line = Object::new()
        .with("id", id.to_string())
        .with("undo", undo.to_string());
    lines.push(line.into());
    register.clone().with("restoring", lines)
}

/// The register once the restore of a checkpoint has ended, and with it the one that it undid; `None` where
/// it is so already.
pub fn without_restore(register: &Object, id: SnapshotId) -> Option<Object> {
    let mut lines = list(register, "restoring").to_vec();
    let before = lines.len();
    lines.retain(|line| !is_of(line, id) && undo_in(line) != Some(id));
    (lines.len() < before).then(|| register.clone().with("restoring", lines))
}

/// The checkpoint with which a restore of this one that did not end began.
pub fn undo_of(register: &Object, id: SnapshotId) -> Option<SnapshotId> {
    let mut lines = list(register, "restoring").iter();
    undo_in(lines.find(|line| is_of(line, id))?)
}

/// The checkpoint whose restore did not end, where it began with this one.
pub fn undone_by(register: &Object, undo: SnapshotId) -> Option<SnapshotId> {
    let mut lines = list(register, "restoring").iter();
    let line = lines.find(|line| undo_in(line) == Some(undo))?;
    line.as_object()?.get("id")?.as_str()?.parse().ok()
}

fn undo_in(line: &Json) -> Option<SnapshotId> {
    line.as_object()?.get("undo")?.as_str()?.parse().ok()
}

fn is_of(line: &Json, id: SnapshotId) -> bool {
    let line = line.as_object().and_then(|line| line.get("id")?.as_str());
    line == Some(&*id.to_string())
}

fn list<'a>(object: &'a Object, key: &str) -> &'a [Json] {
    let list = object.get(key).and_then(Json::as_array);
    list.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    fn id(text: &str) -> SnapshotId {
        text.parse().unwrap()
    }

    const AT: &str = "2025-01-26T10:30:00.000Z";

    #[test]
    fn a_pin_that_was_set_twice_is_taken_once() {
        let first = id("chk-20250126-103000");
        let once = with_pin(&Object::new(), first, true).unwrap();
        assert_eq!(with_pin(&once, first, true), None);
        let none = with_pin(&once, first, false).unwrap();
        assert_eq!((pinned(&once), pinned(&none)), (vec![first], vec![]));
        assert_eq!(with_pin(&none, first, false), None);
    }

    #[test]
    fn a_removed_id_is_remembered_and_not_given_again() {
        let mut register = Object::new().with("unknown", "1e400");
        let number = |n: usize| id(&format!("chk-20250126-103000-{}", n + 2));
        let newest = number(5_000);
        register = with_removals(&register, &[(newest, "old".to_owned())], AT).unwrap();
        for n in 0..REMEMBERED + 10 {
            let removals = [(number(n), "old".to_owned())];
            register = with_removals(&register, &removals, AT).unwrap();
            assert_eq!(with_removals(&register, &removals, AT), None);
        }
        assert_eq!(
            register.get("removed").unwrap().as_array().unwrap().len(),
            REMEMBERED
        );
        assert!(is_removed(&register, newest), "the greatest stays known");
        assert_eq!(removed(&register).len(), REMEMBERED + 1);
        assert_eq!(problems(&register), []);
        assert_eq!(
            register.get("unknown").and_then(Json::as_str),
            Some("1e400")
        );
    }

    #[test]
    fn the_checkpoints_of_an_unfinished_restore_are_known() {
        let (first, undo) = (id("chk-20250126-103000"), id("chk-20250126-103000-2"));
        let register = with_restore(&Object::new(), first, undo);
        let again = with_restore(&register, first, undo);
        assert_eq!(again, register);
        assert_eq!(in_use(&register), [first, undo]);
        assert_eq!(
            (undo_of(&register, first), undo_of(&register, undo)),
            (Some(undo), None)
        );
        assert_eq!(
            (undone_by(&register, first), undone_by(&register, undo)),
            (None, Some(first))
        );
        // By its own end, or by that of what undoes it.
        for id in [first, undo] {
            let ended = without_restore(&register, id).unwrap();
            assert_eq!(
                (in_use(&ended), without_restore(&ended, id)),
                (vec![], None)
            );
        }
        assert_eq!(problems(&register), []);
    }

    #[test]
    fn a_removed_checkpoint_is_no_longer_pinned() {
        let first = id("chk-20250126-103000");
        let register = with_pin(&Object::new(), first, true).unwrap();
        let register = with_hook(&register, first);
        assert_eq!(by_hooks(&register), [first]);
        let register = with_removals(&register, &[(first, "asked for".to_owned())], AT).unwrap();
        assert_eq!((pinned(&register), by_hooks(&register)), (vec![], vec![]));
        assert_eq!(problems(&register), []);
    }
}
