//! The content of a file that snapshots keep, or its difference between two of them.

use crate::blocking::operation::session::content::{SnapshotContent, SnapshotFileContent, content};
use crate::checkpoint::session::id::SnapshotId;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::schema::{Kind, Shaped};
use crate::text::visible;

use super::compare::{lines, shown_lines, whole};
use super::shown_line::ShownLine;
use super::version_ref::{CheckpointKey, VersionRef, settle};
use super::viewer::Viewer;

/// Of a larger file a page shows nothing: it is too long to be read there.
const MAX_BYTES: u32 = 4 << 20;

/// Why an exported page shows no content: nothing is wrong with the checkpoint.
const NOT_EXPORTED: &str = "contents of files are not part of an exported page";

/// Answers what a file was, or how it changed.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let path = question.get("path").and_then(Json::as_str);
    let path = path.ok_or_else(|| Error::usage("Expected `path` to be a path".to_owned()))?;
    let a = side(viewer, question, "a", path)?;
    let b = side(viewer, question, "b", path)?;
    if a.is_none() && b.is_none() {
        let message = "Expected `a` or `b` to be the moment of a snapshot";
        return Err(Error::usage(message.to_owned()));
    }
    let of_a = a.clone().map(|it| it.compared_with(b.as_ref()));
    let of_b = b.map(|it| it.compared_with(a.as_ref()));
    Ok(shown(path, of_a, of_b).into())
}

/// The content that one of the two keeps; `None` where it is not asked for.
fn side(
    viewer: &mut Viewer,
    question: &Object,
    name: &str,
    path: &str,
) -> Result<Option<SnapshotContent>, Error> {
    if matches!(question.get(name), None | Some(Json::Null)) {
        return Ok(None);
    }
    let id: SnapshotId = match VersionRef::of(question, name)?.key {
        CheckpointKey::Session(id) => id,
        _ => {
            let message = format!("Expected `{name}` to be a snapshot: no other keeps files");
            return Err(Error::usage(message));
        }
    };
    let reply = content(&viewer.io(), &viewer.settings(), id, path, MAX_BYTES);
    let mut shown = settle(viewer, reply)?;
    if let SnapshotFileContent::Unreadable(_, why) = &mut shown.content
        && viewer.meta().is_exported()
    {
        NOT_EXPORTED.clone_into(why);
    }
    Ok(Some(shown))
}

/// A file that snapshots keep.
#[derive(Shaped)]
pub(super) struct FilePage {
    /// Its path.
    path: String,
    /// Its lines, or the difference of the two sides; null where there is nothing to show.
    lines: Option<Vec<ShownLine>>,
    /// True if a side is no text.
    binary: bool,
    /// The size of each side in bytes.
    #[shape(kind = Kind::Pair(&Kind::Nullable(&Kind::Integer)), with = Vec::from)]
    size: [Option<u64>; 2],
    /// Why there is nothing to show of a side.
    #[shape(kind = Kind::Pair(&Kind::Nullable(&Kind::String)), with = Vec::from)]
    notes: [Option<String>; 2],
}

fn shown(path: &str, a: Option<SnapshotFileContent>, b: Option<SnapshotFileContent>) -> FilePage {
    let is_pair = a.is_some() && b.is_some();
    let size = [&a, &b].map(|side| side.as_ref().and_then(size));
    let notes = [&a, &b].map(|side| side.as_ref().and_then(note));
    let [a, b] = [a, b].map(text);
    let is_binary = [&a, &b].contains(&&Text::Binary);
    let lines = match (a, b) {
        (Text::Lines(a), Text::Lines(b)) => Some(lines(&a, &b)),
        (Text::Lines(one), Text::None) | (Text::None, Text::Lines(one)) => match is_pair {
            false => Some(whole(&one)),
            true => None,
        },
        _ => None,
    };
    FilePage {
        path: visible(path).into_owned(),
        lines: lines.map(shown_lines),
        binary: is_binary,
        size,
        notes,
    }
}

/// A content that can be shown as lines, or the reason that it cannot.
#[derive(Debug, PartialEq)]
enum Text {
    Lines(String),
    Binary,
    None,
}

fn text(side: Option<SnapshotFileContent>) -> Text {
    match side {
        // A file that is not there has no lines, so that all of the other's came or went.
        Some(SnapshotFileContent::Absent) => Text::Lines(String::new()),
        Some(SnapshotFileContent::Bytes(bytes)) if bytes.contains(&0) => Text::Binary,
        Some(SnapshotFileContent::Bytes(bytes)) => {
            String::from_utf8(bytes).map_or(Text::Binary, Text::Lines)
        }
        _ => Text::None,
    }
}

fn size(side: &SnapshotFileContent) -> Option<u64> {
    match side {
        SnapshotFileContent::Bytes(bytes) => Some(bytes.len() as u64),
        SnapshotFileContent::Unreadable(size, _) => Some(*size),
        SnapshotFileContent::Unknown
        | SnapshotFileContent::Absent
        | SnapshotFileContent::LeftOut(_) => None,
    }
}

/// Why there is nothing to show of a side.
fn note(side: &SnapshotFileContent) -> Option<String> {
    match side {
        SnapshotFileContent::Bytes(_) => None,
        SnapshotFileContent::Unknown => Some("as in the commit".to_owned()),
        SnapshotFileContent::Absent => Some("not there".to_owned()),
        SnapshotFileContent::LeftOut(reason) => Some(format!("not kept: {}", visible(reason))),
        SnapshotFileContent::Unreadable(_, reason) => Some(visible(reason).into_owned()),
    }
}
