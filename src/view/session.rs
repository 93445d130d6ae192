//! Snapshots, as questions about any version need them.

use crate::blocking::operation::session::load::{SnapshotSelector, load};
use crate::checkpoint::command::diff::{DocumentDifference, differences_but};
use crate::checkpoint::session::compare;
use crate::checkpoint::session::file_diffs::{DiffLine, FileDiffs};
use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::prose::prose as sentences;
use crate::checkpoint::session::resume;
use crate::checkpoint::session::snapshot::{Snapshot, SnapshotChange};
use crate::error::{Error, Warning};
use crate::json::{Json, Object};
use crate::text::{visible, visible_lines};

use super::viewer::Viewer;

/// The name of a snapshot.
pub(super) type SessionId = SnapshotId;

/// The name in a key.
///
/// # Errors
///
/// [`Error::invalid_name`] for an invalid id.
pub(super) fn id(text: &str) -> Result<SessionId, Error> {
    text.parse()
}

/// Its document and its text, and what reading it warns of.
pub(super) fn read(
    viewer: &Viewer,
    id: SessionId,
) -> (Result<(Object, String), Error>, Vec<Warning>) {
    let reply = load(&viewer.io(), &viewer.settings(), SnapshotSelector::Id(id));
    let loaded = reply.result.map(|loaded| (loaded.document, loaded.text));
    (loaded, reply.warnings)
}

/// The differences between two, without those that every two have.
pub(super) fn differences<'a>(
    _: [SessionId; 2],
    a: &'a Object,
    b: &'a Object,
) -> Vec<DocumentDifference<'a>> {
    differences_but(&compare::ALWAYS, a, b)
}

/// The files that differ, each with what became of it.
pub(super) fn files(_: [SessionId; 2], a: &Object, b: &Object) -> Vec<(String, &'static str)> {
    let files = compare::files(a, b).into_iter();
    files
        .map(|(path, change)| (path, change.as_str()))
        .collect()
}

/// The lines that the command line prints of two.
pub(super) fn page(_: [SessionId; 2], a: &Object, b: &Object) -> Vec<String> {
    let changes = compare::differences(a, b);
    let changes = changes.iter().map(ToString::to_string);
    let files = compare::files(a, b);
    let files = files.iter();
    let files = files.map(|(path, it)| format!("{:7}  {}", it.as_str(), visible(path)));
    changes.chain(files).collect()
}

/// The text for an agent that resumes with it.
pub(super) fn resume_with(_: SessionId, document: &Object) -> Object {
    let summary = document.get("context_summary").and_then(Json::as_str);
    Object::new()
        .with("phase", Json::Null)
        .with("summary", summary.map(|it| visible_lines(it).into_owned()))
        .with("text", visible_lines(&resume::text(document)).into_owned())
}

/// The sentences of it, for people.
pub(super) fn prose(_: SessionId, document: &Object) -> Json {
    let made = document.get("created_at").and_then(Json::as_str);
    let text = sentences(document, made.unwrap_or_default());
    visible_lines(&text).into_owned().into()
}

/// The files that it keeps, each with what differed as far as that is kept as text, and those that it had to leave out.
pub(super) fn snapshot_files(_: SessionId, document: &Object) -> Vec<Object> {
    let snapshot = Snapshot::of(document).unwrap_or_default();
    let diff = document.get("git_diff").and_then(Json::as_str);
    let diffs = FileDiffs::of(diff.unwrap_or_default());
    let file = |path: &str, list: &str| {
        Object::new()
            .with("path", visible(path).into_owned())
            .with("list", list)
            .with("phases", Json::Array(Vec::new()))
    };
    let files = snapshot.files.iter().map(|it| {
        let list = match it.change {
            SnapshotChange::Added => "created",
            SnapshotChange::Modified => "modified",
            SnapshotChange::Deleted => "deleted",
        };
        let lines = diffs.at(&it.path).map(|it| lines(&it.lines));
        file(&it.path, list)
            .with("size", it.content.as_ref().map(|it| it.size))
            .with("lines", lines)
    });
    let left_out = snapshot.left_out.iter().map(|it| {
        let reason = visible(&it.reason).into_owned();
        file(&it.path, "left_out").with("reason", reason)
    });
    files.chain(left_out).collect()
}

/// The lines of a difference, as those of two versions are shown.
fn lines(lines: &[DiffLine<'_>]) -> Vec<Object> {
    lines.iter().filter_map(line).collect()
}

fn line(line: &DiffLine<'_>) -> Option<Object> {
    let (op, a, b, text) = match *line {
        DiffLine::Hunk { passed: 0, .. } | DiffLine::Note(_) => return None,
        DiffLine::Hunk { passed, .. } => {
            let fold = Object::new().with("op", "\u{2026}");
            return Some(fold.with("count", passed as u64));
        }
        DiffLine::Same(a, b, text) => ("=", Some(a), Some(b), text),
        DiffLine::Old(a, text) => ("-", Some(a), None, text),
        DiffLine::New(b, text) => ("+", None, Some(b), text),
    };
    let number = |number: Option<usize>| number.map(|it| it as u64);
    let part = Object::new()
        .with("text", visible_lines(text).into_owned())
        .with("mark", false);
    let shown = Object::new()
        .with("op", op)
        .with("a", number(a))
        .with("b", number(b))
        .with("parts", vec![part]);
    Some(shown)
}
