//! Files that differ from HEAD: those that shell commands changed in the turn of a session, which no tool named.
//!
//! A baseline has what differed before. It is recorded when a session begins, and again at the end of each turn, so
//! that what a turn changed is in the phase of that turn alone.

use std::collections::{BTreeMap, BTreeSet};

use super::super::document::Draft;
use crate::json::{Json, Object};

/// The members of a phase with its files.
pub(super) const CREATED: &str = "files_created";
pub(super) const MODIFIED: &str = "files_modified";

/// With more files than this that differ, nothing is recorded, and nothing joins.
pub const MAX_DIRTY: usize = 2_000;

/// The member of a recorded baseline with its files.
const FILES: &str = "files";

/// A file that differs from HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirtyFile {
    /// Its path, relative to the root.
    pub path: String,
    /// The state by which its content is known.
    pub trace: Trace,
    /// True if git does not track it.
    pub is_new: bool,
}

/// The evidence that distinguishes one content of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    /// The file is not there.
    Gone,
    /// The file is there.
    There {
        /// Bytes of a file; 0 for a link.
        size: u64,
        /// The time of its last write, in ms since 1970, where that is known.
        modified_ms: Option<u64>,
    },
}

/// The files that differed from HEAD at some time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<String, Trace>);

impl Baseline {
    /// The files of now, without those that a tool has just written. `None` for more than [`MAX_DIRTY`].
    pub fn of(files: &[DirtyFile], named: &[&str]) -> Option<Baseline> {
        let files = files.iter();
        let before = files.filter(|file| !named.contains(&file.path.as_str()));
        let files: BTreeMap<_, _> = before.map(|it| (it.path.clone(), it.trace)).collect();
        (files.len() <= MAX_DIRTY).then_some(Baseline(files))
    }

    /// From what was recorded; `None` for anything else.
    pub fn parse(recorded: &Object) -> Option<Baseline> {
        let files = recorded.get(FILES)?.as_array()?.iter();
        let file = |file: &Json| {
            let mut parts = file.as_array()?.iter();
            let path = parts.next()?.as_str()?.to_owned();
            let trace = match parts.next() {
                None => Trace::Gone,
                Some(size) => Trace::There {
                    size: size.as_u64()?,
                    modified_ms: parts.next().and_then(Json::as_u64),
                },
            };
            Some((path, trace))
        };
        files.map(file).collect::<Option<_>>().map(Baseline)
    }

    /// As it is recorded: of each file the path, the size and the time.
    pub fn record(&self, record: &mut Object) {
        let files = self.0.iter().map(|(path, trace)| {
            let mut file = vec![Json::from(path.as_str())];
            if let Trace::There { size, modified_ms } = trace {
                file.push(Json::from(*size));
                file.extend(modified_ms.map(Json::from));
            }
            Json::from(file)
        });
        record.set(FILES, files.collect::<Vec<_>>());
    }

    /// Returns whether the file was there.
    pub fn was_there(&self, path: &str) -> bool {
        matches!(self.0.get(path), Some(Trace::There { .. }))
    }

    fn has(&self, file: &DirtyFile) -> bool {
        self.0.get(&file.path) == Some(&file.trace)
    }
}

/// The files that a turn changed, and no tool named: they differ now, and did not in the baseline or had another
/// content. `named` are the files of the turn, `others` those of other sessions' runs.
pub fn unnamed<'a>(
    files: &'a [DirtyFile],
    baseline: &Baseline,
    named: &BTreeSet<&str>,
    others: &BTreeSet<String>,
) -> Vec<&'a DirtyFile> {
    let is_unnamed = |file: &&DirtyFile| {
        let path = file.path.as_str();
        !baseline.has(file) && !named.contains(path) && !others.contains(path)
    };
    files.iter().filter(is_unnamed).collect()
}

/// The files that a phase of the run created. Such a one may be gone again; one that was there before the run was
/// deleted by it, which is a change.
pub fn created_files(run: &Object) -> BTreeSet<&str> {
    let phases = run.get("phases").and_then(Json::as_object);
    let phases = phases.into_iter().flat_map(Object::iter);
    let lists = phases.filter_map(|(_, phase)| phase.as_object()?.get(CREATED)?.as_array());
    lists.flatten().filter_map(Json::as_str).collect()
}

/// Takes files that are gone again out of the lists of all phases. Returns whether anything changed.
pub fn forget_files(draft: &mut Draft, gone: &[String]) -> bool {
    let Some(Json::Object(phases)) = draft.as_object_mut().get_mut("phases") else {
        return false;
    };
    let is_gone = |file: &Json| {
        let path = file.as_str();
        path.is_some_and(|path| gone.iter().any(|gone| gone == path))
    };
    let mut is_change = false;
    for (_, phase) in phases.iter_mut() {
        let Json::Object(phase) = phase else { continue };
        for key in [CREATED, MODIFIED] {
            let Some(list) = phase.get(key).and_then(Json::as_array) else {
                continue;
            };
            let kept: Vec<Json> = list.iter().filter(|it| !is_gone(it)).cloned().collect();
            if kept.len() != list.len() {
                phase.set(key, kept);
                is_change = true;
            }
        }
    }
    is_change
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::super::document::Draft;
    use super::{Baseline, DirtyFile, MAX_DIRTY, Trace, created_files, forget_files, unnamed};
    use crate::json::{self, Json, Object};

    fn object(text: &str) -> Object {
        match json::read(text.as_bytes()).unwrap().value {
            Json::Object(object) => object,
            other => panic!("{other:?}"),
        }
    }

    fn there(size: u64, modified_ms: u64) -> Trace {
        Trace::There {
            size,
            modified_ms: Some(modified_ms),
        }
    }

    fn file(path: &str, trace: Trace) -> DirtyFile {
        DirtyFile {
            path: path.to_owned(),
            trace,
            is_new: false,
        }
    }

    #[test]
    fn only_what_changed_since_the_baseline_and_was_not_named_joins() {
        let before = [
            file("same", there(3, 1)),
            file("touched", there(3, 1)),
            file("grown", there(3, 1)),
            file("deleted", there(3, 1)),
            file("restored", Trace::Gone),
            file("just-written", there(3, 1)),
        ];
        let baseline = Baseline::of(&before, &["just-written"]).unwrap();
        let now = [
            file("same", there(3, 1)),
            file("touched", there(3, 2)),
            file("grown", there(4, 1)),
            file("deleted", Trace::Gone),
            file("restored", there(3, 1)),
            file("just-written", there(3, 1)),
            file("new", there(0, 9)),
            file("of-a-tool", there(1, 9)),
            file("of-another", there(1, 9)),
        ];
        let others = BTreeSet::from(["of-another".to_owned()]);
        let named = BTreeSet::from(["of-a-tool"]);
        let joining = unnamed(&now, &baseline, &named, &others);
        let joining: Vec<_> = joining.iter().map(|file| file.path.as_str()).collect();
        let expected = [
            "touched",
            "grown",
            "deleted",
            "restored",
            "just-written",
            "new",
        ];
        assert_eq!(joining, expected);
    }

    #[test]
    fn a_baseline_is_read_as_recorded_and_other_text_is_no_baseline() {
        let unknown = Trace::There {
            size: 7,
            modified_ms: None,
        };
        let files = [
            file("__proto__", there(3, 1_795_372_500_123)),
            file("a b/\u{e9}", Trace::Gone),
            file("link", unknown),
        ];
        let baseline = Baseline::of(&files, &[]).unwrap();
        let mut record = Object::new();
        baseline.record(&mut record);
        assert_eq!(Baseline::parse(&object(&record.to_line())), Some(baseline));
        for text in [
            "{}",
            r#"{"files":1}"#,
            r#"{"files":[["a",-1]]}"#,
            r#"{"files":[[]]}"#,
        ] {
            assert_eq!(Baseline::parse(&object(text)), None, "{text}");
        }
        let many: Vec<_> = (0..=MAX_DIRTY)
            .map(|at| file(&at.to_string(), Trace::Gone))
            .collect();
        assert_eq!(Baseline::of(&many, &[]), None);
        assert!(Baseline::of(&many[1..], &[]).is_some());
    }

    #[test]
    fn a_file_that_a_phase_created_leaves_all_lists_when_it_is_gone() {
        let run = r#"{"phases":{"a":{"files_created":["of-b"]},"b":{"files_created":["of-c"],
            "files_modified":["of-b","of-a"]},"c":1}}"#;
        let run = object(run);
        assert_eq!(created_files(&run), BTreeSet::from(["of-b", "of-c"]));
        let mut draft = Draft::from(run);
        let gone = ["of-b".to_owned()];
        assert!(forget_files(&mut draft, &gone));
        assert!(!forget_files(&mut draft, &gone));
        let expected = r#"{"phases":{"a":{"files_created":[]},"b":{"files_created":["of-c"],"files_modified":["of-a"]},"c":1}}"#;
        assert_eq!(draft.as_object().to_line(), expected);
    }
}
