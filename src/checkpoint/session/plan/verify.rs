//! The files that are unchanged since a checkpoint.

use super::fact::{EntryState, FactSource, Heads, PathContent, Present, RecordedPath};
use crate::schema::Shaped;
use crate::str_map::{StrMap, StrSet, order};

/// The result for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Shaped)]
pub enum FileVerdict {
    /// As recorded.
    Same,
    /// Something else stands there: other bytes, another mode, another kind of thing.
    Changed,
    /// It was recorded, and nothing stands there.
    Missing,
    /// Nothing was recorded there, or what HEAD has: it was added or changed since.
    Unexpected,
}

impl FileVerdict {
    /// Every answer, in the order of the documentation.
    pub const ALL: [FileVerdict; 4] = [
        FileVerdict::Same,
        FileVerdict::Changed,
        FileVerdict::Missing,
        FileVerdict::Unexpected,
    ];
}

/// The result for a work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorktreeVerdict<'a> {
    /// Every path that is recorded or differs from HEAD, sorted by its bytes.
    pub files: Vec<(&'a str, FileVerdict)>,
    /// True if another commit is checked out.
    pub has_head_moved: bool,
}

impl WorktreeVerdict<'_> {
    /// Returns whether everything is unchanged.
    pub fn is_match(&self) -> bool {
        !self.has_head_moved
            && self
                .files
                .iter()
                .all(|(_, answer)| *answer == FileVerdict::Same)
    }
}

/// Compares what was recorded with what stands there. A dirty work tree is no mismatch: content decides.
pub fn verify<'a>(
    recorded: &[RecordedPath<'a>],
    present: &[Present<'a>],
    heads: Heads<'_>,
) -> WorktreeVerdict<'a> {
    let state: StrMap<'_, &EntryState<'_>> =
        present.iter().map(|it| (it.path, &it.state)).collect();
    let paths: Vec<&str> = recorded.iter().map(|it| it.path).collect();
    let mut files = Vec::new();
    for at in order(&paths) {
        let record = &recorded[at];
        let answer = answer(record, state.get(record.path).copied());
        // A file that equals HEAD needs no word.
        if record.source == FactSource::Snapshot || answer != FileVerdict::Same {
            files.push((record.path, answer));
        }
    }
    WorktreeVerdict {
        files,
        has_head_moved: heads.have_moved(),
    }
}

/// Compares names whose contents cannot be kept, by whether something stands there. Names that stay are not among the
/// answers.
pub fn compare_names<'a>(
    recorded: &StrSet<'a>,
    present: &StrSet<'a>,
) -> Vec<(&'a str, FileVerdict)> {
    let gone = recorded.iter().map(|(name, _)| name);
    let gone = gone.filter(|name| !present.contains(name));
    let gone = gone.map(|name| (name, FileVerdict::Missing));
    let new = present.iter().map(|(name, _)| name);
    let new = new.filter(|name| !recorded.contains(name));
    let new = new.map(|name| (name, FileVerdict::Unexpected));
    gone.chain(new).collect()
}

/// Returns the result for one path.
pub(super) fn answer(recorded: &RecordedPath<'_>, state: Option<&EntryState<'_>>) -> FileVerdict {
    let is_same = |wanted: &PathContent| match state {
        Some(EntryState::Content(content)) => content.is_same(wanted),
        _ => false,
    };
    match (&recorded.content, state) {
        // A folder stands where no file is to be: its content is listed by itself.
        (None, None | Some(EntryState::Folder)) => FileVerdict::Same,
        (None, Some(_)) => FileVerdict::Unexpected,
        (Some(wanted), _) if is_same(wanted) => FileVerdict::Same,
        (Some(_), _) if recorded.source == FactSource::Head => FileVerdict::Unexpected,
        (Some(_), None) => FileVerdict::Missing,
        (Some(_), Some(_)) => FileVerdict::Changed,
    }
}

#[cfg(test)]
mod tests {
    use super::{FileVerdict, compare_names, verify};
    use crate::checkpoint::session::plan::fact::{
        Bytes, ContentKind, EntryState, FactSource, Heads, Keeping, PathContent, Present,
        RecordedPath,
    };

    fn content(bytes: &str, is_executable: Option<bool>) -> PathContent {
        PathContent {
            kind: ContentKind::File,
            is_executable,
            permissions: None,
            size: bytes.len() as u64,
            sha256: bytes.to_owned(),
        }
    }

    fn said(
        wanted: Option<PathContent>,
        source: FactSource,
        state: Option<EntryState<'_>>,
    ) -> Vec<FileVerdict> {
        let recorded = RecordedPath {
            path: "a",
            content: wanted,
            source,
            bytes: Bytes::Available,
        };
        let present = state.map(|state| Present {
            path: "a",
            state,
            keeping: Keeping::Keepable,
        });
        let present: Vec<_> = present.into_iter().collect();
        let verified = verify(&[recorded], &present, Heads::default());
        verified
            .files
            .into_iter()
            .map(|(_, answer)| answer)
            .collect()
    }

    #[test]
    fn every_file_is_same_changed_missing_or_unexpected() {
        use FactSource::{Head, Snapshot};
        use FileVerdict::{Changed, Missing, Same, Unexpected};
        let file = |bytes| Some(content(bytes, Some(false)));
        let stands = |bytes| file(bytes).map(EntryState::Content);
        let run = Some(content("x", Some(true)));
        let unknown = Some(EntryState::Content(content("x", None)));
        for (wanted, source, state, expected) in [
            (file("x"), Snapshot, stands("x"), &[Same][..]),
            (file("x"), Snapshot, stands("y"), &[Changed]),
            (file("x"), Snapshot, None, &[Missing]),
            (file("x"), Snapshot, Some(EntryState::Folder), &[Changed]),
            (file("x"), Snapshot, Some(EntryState::Special), &[Changed]),
            (
                file("x"),
                Snapshot,
                Some(EntryState::Unreadable("denied")),
                &[Changed],
            ),
            (None, Snapshot, None, &[Same]),
            (None, Snapshot, Some(EntryState::Folder), &[Same]),
            (None, Snapshot, stands("y"), &[Unexpected]),
            (None, Head, stands("y"), &[Unexpected]),
            (file("x"), Head, stands("y"), &[Unexpected]),
            (file("x"), Head, None, &[Unexpected]),
            (file("x"), Head, stands("x"), &[]),
            (run.clone(), Snapshot, stands("x"), &[Changed]),
            (run, Snapshot, unknown, &[Same]),
        ] {
            let said = said(wanted.clone(), source, state.clone());
            assert_eq!(said, expected, "{wanted:?} {source:?} {state:?}");
        }
    }

    #[test]
    fn permission_bits_differ_where_both_are_known_and_else_git_s_bit_decides() {
        let mode = |is_executable, permissions| PathContent {
            permissions,
            ..content("x", Some(is_executable))
        };
        for (one, other, differs) in [
            (mode(false, Some(0o600)), mode(false, Some(0o644)), true),
            (mode(false, Some(0o640)), mode(false, Some(0o640)), false),
            (mode(false, Some(0o600)), mode(false, None), false),
            (mode(true, Some(0o700)), mode(false, None), true),
            (mode(true, None), mode(true, Some(0o755)), false),
        ] {
            assert_eq!(one.differs_in_mode(&other), differs, "{one:?} {other:?}");
            let answer = if differs {
                FileVerdict::Changed
            } else {
                FileVerdict::Same
            };
            let state = Some(EntryState::Content(other));
            assert_eq!(said(Some(one), FactSource::Snapshot, state), [answer]);
        }
    }

    #[test]
    fn a_name_that_came_or_went_is_reported_and_one_that_stays_is_not() {
        let recorded = ["a", "c"].into_iter().collect();
        let present = ["b", "c"].into_iter().collect();
        let expected = [("a", FileVerdict::Missing), ("b", FileVerdict::Unexpected)];
        assert_eq!(compare_names(&recorded, &present), expected);
        assert_eq!(compare_names(&present, &present), []);
    }

    #[test]
    fn a_work_tree_that_equals_the_record_is_no_match_at_another_commit() {
        let heads = |recorded, present| Heads { recorded, present };
        for (recorded, present, is_match) in [
            (Some("a"), Some("a"), true),
            (None, None, true),
            (Some("a"), Some("b"), false),
            (Some("a"), None, false),
            (None, Some("a"), false),
        ] {
            let verified = verify(&[], &[], heads(recorded, present));
            assert_eq!(verified.is_match(), is_match, "{recorded:?} {present:?}");
        }
    }
}
