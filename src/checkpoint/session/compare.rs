//! The differences between two checkpoints.

use std::fmt;

use crate::json::{Json, Object, Pointer};
use crate::schema::{Kind, Shaped};
use crate::text::{short, visible};

/// The members in which every two checkpoints differ, and their files.
pub const ALWAYS: [&str; 3] = ["id", "created_at", "snapshot"];

/// A value that differs.
#[derive(Clone, Debug, PartialEq, Shaped)]
#[shape(name = "SessionChange")]
pub struct SnapshotDifference {
    /// Its position, as a JSON pointer; for an item of a list, the list.
    #[shape(name = "path")]
    pub at: Pointer,
    /// The value in the first one; null for nothing.
    #[shape(kind = Kind::Any)]
    pub before: Option<Json>,
    /// The value in the second one; null for nothing.
    #[shape(kind = Kind::Any)]
    pub after: Option<Json>,
}

/// Returns every value that differs, in the order of the documents. For lists, the items that only
/// one of them has are listed. Members that each checkpoint has of its own, and its files, are left
/// out.
pub fn differences(before: &Object, after: &Object) -> Vec<SnapshotDifference> {
    let mut found = Vec::new();
    let root = Pointer::root();
    for (key, old, new) in before.differing(after) {
        if !ALWAYS.contains(&key) {
            compare(root.key(key), old, new, &mut found);
        }
    }
    found
}

fn compare(
    at: Pointer,
    before: Option<&Json>,
    after: Option<&Json>,
    found: &mut Vec<SnapshotDifference>,
) {
    match (before, after) {
        (Some(Json::Object(before)), Some(Json::Object(after))) => {
            for (key, old, new) in before.differing(after) {
                compare(at.key(key), old, new, found);
            }
        }
        (Some(Json::Array(before)), Some(Json::Array(after))) => {
            let only = |of: &[Json], other: &[Json]| -> Vec<Json> {
                of.iter()
                    .filter(|item| !other.contains(item))
                    .cloned()
                    .collect()
            };
            let (gone, new) = (only(before, after), only(after, before));
            if gone.is_empty() && new.is_empty() {
                // The items are equal, in another order or not as often.
                found.push(SnapshotDifference {
                    at,
                    before: Some(Json::Array(before.clone())),
                    after: Some(Json::Array(after.clone())),
                });
                return;
            }
            let gone = gone.into_iter().map(|item| (Some(item), None));
            let new = new.into_iter().map(|item| (None, Some(item)));
            found.extend(gone.chain(new).map(|(before, after)| SnapshotDifference {
                at: at.clone(),
                before,
                after,
            }));
        }
        (before, after) => found.push(SnapshotDifference {
            at,
            before: before.cloned(),
            after: after.cloned(),
        }),
    }
}

impl fmt::Display for SnapshotDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Json| {
            let line = match value {
                Json::String(text) => text.clone(),
                other => other.to_line(),
            };
            short(&visible(&line)).into_owned()
        };
        let at = visible(self.at.as_str());
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, "{at}: {} -> {}", shown(before), shown(after)),
            (None, Some(after)) => write!(f, "{at}: + {}", shown(after)),
            (Some(before), None) => write!(f, "{at}: - {}", shown(before)),
            (None, None) => Ok(()),
        }
    }
}

/// The change of a path between two checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Shaped)]
pub enum FileChange {
    /// Only the second one has it.
    Added,
    /// Only the first one has it.
    Removed,
    /// They have other contents, modes or kinds.
    Changed,
}

/// The paths whose state differs between two snapshots, sorted by their bytes: each snapshot has what
/// differed from its commit.
pub fn files(before: &Object, after: &Object) -> Vec<(String, FileChange)> {
    let (before, after) = (by_path(before), by_path(after));
    let mut found = Vec::new();
    for (path, old, new) in before.differing(&after) {
        let change = match (old, new) {
            (Some(old), Some(new)) if differs_by_host(old, new) => continue,
            (None, _) => FileChange::Added,
            (_, None) => FileChange::Removed,
            (Some(_), Some(_)) => FileChange::Changed,
        };
        found.push((path.to_owned(), change));
    }
    found.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Returns whether two states of a file differ in nothing but permission bits that one of their hosts alone knew.
fn differs_by_host(old: &Json, new: &Json) -> bool {
    const MODE: &str = "mode";
    let without = |state: &Json| {
        let mut state = state.as_object()?.clone();
        let mode = state.remove(MODE);
        Some((mode.is_some(), state))
    };
    match (without(old), without(new)) {
        (Some((had, old)), Some((has, new))) => had != has && old == new,
        _ => false,
    }
}

/// The files of a snapshot under their paths, without what says nothing of their state.
fn by_path(document: &Object) -> Object {
    let snapshot = document.get("snapshot").and_then(Json::as_object);
    let files = snapshot.and_then(|snapshot| snapshot.get("files")?.as_array());
    let state = |file: &Json| {
        let mut file = file.as_object()?.clone();
        let path = file.get("path")?.as_str()?.to_owned();
        for key in ["path", "staged", "change"] {
            file.remove(key);
        }
        Some((path, Json::Object(file)))
    };
    files.unwrap_or_default().iter().filter_map(state).collect()
}

#[cfg(test)]
mod tests {
    use super::{FileChange, differences, files};
    use crate::checkpoint::session::yaml;
    use crate::json::Object;

    fn document(text: &str) -> Object {
        yaml::read(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_difference_is_shown_without_the_parts_that_are_equal() {
        let before = document(
            "id: a\nmessage: x\ntask: {id: t, mode: DIRECT}\ndecisions: [{q: 1}, {q: 2}]\nsame: 1\n\
             gotchas: [a, b]\n",
        );
        let after = document(
            "id: b\ntask: {id: t, mode: ORCHESTRATED}\ndecisions: [{q: 2}, {q: 3}]\nsame: 1\n\
             gotchas: [b, a]\nnew: \"\\e[1m\"\n",
        );
        let found = differences(&before, &after);
        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "/message: - x",
                "/task/mode: DIRECT -> ORCHESTRATED",
                "/decisions: - {\"q\":1}",
                "/decisions: + {\"q\":3}",
                "/gotchas: [\"a\",\"b\"] -> [\"b\",\"a\"]",
                "/new: + \\u{1b}[1m",
            ]
        );
    }

    #[test]
    fn permission_bits_that_one_host_alone_knew_are_no_difference() {
        let snapshot =
            |files: &str| document(&format!("snapshot: {{partial: false, files: [{files}]}}\n"));
        let known = snapshot("{path: a, sha256: x, mode: '0640'}");
        let other = snapshot("{path: a, sha256: x, mode: '0600'}");
        let unknown = snapshot("{path: a, sha256: x}");
        assert_eq!(files(&known, &unknown), []);
        assert_eq!(files(&unknown, &known), []);
        let changed = ("a".to_owned(), FileChange::Changed);
        assert_eq!(files(&known, &other), std::slice::from_ref(&changed));
        let unlike = snapshot("{path: a, sha256: y}");
        assert_eq!(files(&known, &unlike), [changed]);
    }

    #[test]
    fn a_file_that_was_only_staged_is_not_changed() {
        let snapshot =
            |files: &str| document(&format!("snapshot: {{partial: false, files: [{files}]}}\n"));
        let before = snapshot(
            "{path: b, change: added, sha256: x}, {path: a, change: modified, sha256: y}, {path: c}",
        );
        let after =
            snapshot("{path: a, change: modified, sha256: z}, {path: c, staged: true}, {path: d}");
        assert_eq!(
            files(&before, &after),
            [
                ("a".to_owned(), FileChange::Changed),
                ("b".to_owned(), FileChange::Removed),
                ("d".to_owned(), FileChange::Added),
            ]
        );
        assert_eq!(files(&Object::new(), &Object::new()), []);
    }
}
