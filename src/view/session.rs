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

use super::revision_file::RevisionFile;
use super::shown_line::{LinePiece, LineSign, ShownLine, TextLine};
use super::snapshot_resume::SnapshotResume;
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
pub(super) fn resume_with(_: SessionId, document: &Object) -> SnapshotResume {
    let summary = document.get("context_summary").and_then(Json::as_str);
    SnapshotResume {
        phase: None,
        summary: summary.map(|it| visible_lines(it).into_owned()),
        text: visible_lines(&resume::text(document)).into_owned(),
    }
}

/// The sentences of it, for people.
pub(super) fn prose(_: SessionId, document: &Object) -> String {
    let made = document.get("created_at").and_then(Json::as_str);
    let text = sentences(document, made.unwrap_or_default());
    visible_lines(&text).into_owned()
}

/// The files that it keeps, each with what differed as far as that is kept as text, and those that it had to leave out.
pub(super) fn snapshot_files(_: SessionId, document: &Object) -> Vec<RevisionFile> {
    let snapshot = Snapshot::of(document).unwrap_or_default();
    let diff = document.get("git_diff").and_then(Json::as_str);
    let diffs = FileDiffs::of(diff.unwrap_or_default());
    let files = snapshot.files.iter().map(|it| {
        let list = match it.change {
            SnapshotChange::Added => "created",
            SnapshotChange::Modified => "modified",
            SnapshotChange::Deleted => "deleted",
        };
        RevisionFile {
            size: Some(it.content.as_ref().map(|it| it.size)),
            lines: Some(diffs.at(&it.path).map(|it| lines(&it.lines))),
            ..RevisionFile::new(&it.path, list)
        }
    });
    let left_out = snapshot.left_out.iter().map(|it| RevisionFile {
        reason: Some(visible(&it.reason).into_owned()),
        ..RevisionFile::new(&it.path, "left_out")
    });
    files.chain(left_out).collect()
}

/// The lines of a difference, as those of two versions are shown.
fn lines(lines: &[DiffLine<'_>]) -> Vec<ShownLine> {
    lines.iter().filter_map(line).collect()
}

fn line(line: &DiffLine<'_>) -> Option<ShownLine> {
    let (op, a, b, text) = match *line {
        DiffLine::Hunk { passed: 0, .. } | DiffLine::Note(_) => return None,
        DiffLine::Hunk { passed, .. } => return Some(ShownLine::folded(passed)),
        DiffLine::Same(a, b, text) => (LineSign::Same, Some(a), Some(b), text),
        DiffLine::Old(a, text) => (LineSign::Old, Some(a), None, text),
        DiffLine::New(b, text) => (LineSign::New, None, Some(b), text),
    };
    let part = LinePiece {
        text: visible_lines(text).into_owned(),
        is_marked: false,
    };
    let parts = vec![part];
    Some(ShownLine::Text(TextLine { op, a, b, parts }))
}
