//! Snapshots, where a verb takes a run or one of them.

use std::fmt::Write;

use crate::checkpoint::session::file_diffs::FileDiffs;
use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::prose::prose;
use crate::checkpoint::session::snapshot::{Snapshot, SnapshotFile};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::session::diff::diff as diff_sessions;
use crate::operation::session::load::{SnapshotSelector, load};
use crate::text::visible;

use super::answer::CliAnswer;
use super::call::CliCall;
use super::file_diff;

/// The beginning of an id, and of no command.
const BEGINNING: &str = "chk-";

/// The snapshot that stands in the place of a command.
///
/// # Errors
///
/// [`Error::invalid_name`] for one that is not an id; [`Error::usage`] beside what only a run has.
pub(super) fn named(
    target_arg: &super::target_arg::TargetArg,
    has_more: bool,
) -> Result<Option<SnapshotId>, Error> {
    let name = target_arg.command.as_deref();
    let Some(name) = name.filter(|name| name.starts_with(BEGINNING)) else {
        return Ok(None);
    };
    let id = name.parse()?;
    if has_more || target_arg.feature.is_some() {
        let message = format!("A snapshot such as {id} has no revisions and no feature");
        return Err(Error::usage(message));
    }
    Ok(Some(id))
}

/// A snapshot, whole: what it says, and each file with its difference.
pub(super) async fn show(call: &CliCall, selector: SnapshotSelector) -> Result<CliAnswer, Error> {
    call.expect_files("Snapshots")?;
    let reply = load(call.io(), &call.settings, selector).await;
    let loaded = call.settle(reply).await?;
    let now = call.now().await?;
    let document = loaded.document;
    let created = document.get("created_at").and_then(Json::as_str);
    let said = prose(&document, &call.screen.time(created, now));
    let mut text = call.screen.lines(&said, "");
    for (is_so, word) in [
        (loaded.is_pinned, "pinned"),
        (loaded.is_archived, "archived"),
    ] {
        if is_so {
            let _ = write!(text, "\n{word}\n");
        }
    }
    files(&mut text, &document, call);
    let document = Json::from(document).to_document();
    Ok(CliAnswer::with_document(text, &document))
}

/// The files of a snapshot, each with its difference as far as that is kept.
fn files(text: &mut String, document: &Object, call: &CliCall) {
    let Some(snapshot) = Snapshot::of(document) else {
        return;
    };
    let diff = document.get("git_diff").and_then(Json::as_str);
    let diffs = FileDiffs::of(diff.unwrap_or_default());
    for file in &snapshot.files {
        let _ = write!(text, "\n{}", call.screen.fold(&heading(file, call)));
        match diffs.at(&file.path) {
            Some(diff) => {
                text.push_str(&file_diff::page(&diff.lines, call.screen, call.paint));
            }
            None => text.push_str("(its difference is not kept as text)\n"),
        }
    }
    if !snapshot.left_out.is_empty() {
        text.push('\n');
    }
    for out in &snapshot.left_out {
        let line = format!("not kept: {} {}", visible(&out.path), visible(&out.reason));
        text.push_str(&call.screen.fold(&line));
    }
    for note in &diffs.left_out {
        let _ = write!(text, "\n{}", call.screen.lines(note, ""));
    }
}

/// The change of a file, its size, and whether it was staged.
fn heading(file: &SnapshotFile, call: &CliCall) -> String {
    let path = call.paint.heading(&visible(&file.path));
    let mut line = format!("{:8}  {path}", file.change.as_str());
    if let Some(content) = &file.content {
        let _ = match content.size {
            1 => write!(line, "  1 byte"),
            size => write!(line, "  {size} bytes"),
        };
    }
    if file.is_staged {
        line.push_str("  staged");
    }
    line
}

/// The differences between two.
pub(super) async fn diff(
    call: &CliCall,
    from: SnapshotId,
    to: SnapshotId,
) -> Result<CliAnswer, Error> {
    call.expect_files("Snapshots")?;
    let reply = diff_sessions(call.io(), &call.settings, from, to).await;
    let diff = call.settle(reply).await?;
    let mut text = String::new();
    for change in &diff.changes {
        text.push_str(&call.screen.lines(&change.to_string(), ""));
    }
    for (path, change) in &diff.files {
        let _ = writeln!(text, "{:7}  {}", change.as_str(), visible(path));
    }
    if text.is_empty() {
        let _ = writeln!(text, "{from} and {to} say the same");
    }
    Ok(CliAnswer::data(text, diff))
}
