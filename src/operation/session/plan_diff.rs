//! The differences that a plan would make, for a user who decides about it.

use std::fmt::Write;

use crate::agent::registration::diff;
use crate::checkpoint::session::plan::fact::{PathContent, RecordedPath};
use crate::effect::{Fault, Links};
use crate::error::Error;
use crate::store::objects::ContentReader;
use crate::text::visible;

use super::compared::{SnapshotComparison, file_bytes};
use super::plan::PlanReport;
use super::snapshot_store::SnapshotStore;

/// A larger file is only named.
const MAX_FILE_BYTES: u32 = 256 << 10;

/// So many lines of one file are in the text.
const MAX_FILE_LINES: usize = 60;

/// Once there are so many lines, no other file is shown.
const MAX_LINES: usize = 300;

/// The text of a path; `None` where nothing stands there.
type Side = Result<Option<String>, Unshown>;

/// A content that is too large, no text, or out of reach.
struct Unshown;

/// The differences that a plan would make, as git prints them, of a bounded length.
///
/// # Errors
///
/// [`Error::io`] where the contents that are kept are out of reach.
pub(super) async fn plan_diff(
    store: &SnapshotStore<'_>,
    compared: &SnapshotComparison,
    plan: &PlanReport,
) -> Result<String, Error> {
    let reader = ContentReader::open(store.io, &store.folder).await?;
    let recorded: Vec<RecordedPath<'_>> = compared.recorded();
    let mut text = String::new();
    let (mut lines, mut left) = (0, 0);
    let changed = plan.changes.iter().filter(|(_, act, _)| *act != "set_mode");
    for (path, ..) in changed {
        if lines >= MAX_LINES {
            left += 1;
            continue;
        }
        let shown = visible(path);
        let _ = writeln!(text, "diff --git a/{shown} b/{shown}");
        let target = recorded.iter().find(|it| it.path == path);
        let target = target.and_then(|it| it.content.as_ref());
        let then = then(store, compared, &reader, (path, target)).await;
        let (Ok(now), Ok(then)) = (now(store, path).await, then) else {
            text.push_str("Binary or large files differ\n");
            continue;
        };
        let all = diff(&shown, now.as_deref(), then.as_deref());
        let mut rest = all.lines();
        for line in rest.by_ref().take(MAX_FILE_LINES) {
            let _ = writeln!(text, "{line}");
            lines += 1;
        }
        let more = rest.count();
        if more > 0 {
            let _ = writeln!(text, "\\ {more} more lines");
        }
    }
    if left > 0 {
        let _ = writeln!(text, "[... changes of {left} files were left out]");
    }
    Ok(text)
}

/// The text that comes to a path.
async fn then(
    store: &SnapshotStore<'_>,
    compared: &SnapshotComparison,
    reader: &ContentReader<'_>,
    (path, content): (&str, Option<&PathContent>),
) -> Side {
    let Some(content) = content else {
        return Ok(None);
    };
    if content.size > u64::from(MAX_FILE_BYTES) {
        return Err(Unshown);
    }
    let bytes = match compared.snapshot.find(path) {
        Some(file) => file_bytes(reader, file, MAX_FILE_BYTES).await,
        None => compared.at_head(store.io, path).await.map(Some),
    };
    text_of(bytes.ok().flatten())
}

/// The text that stands at a path.
async fn now(store: &SnapshotStore<'_>, path: &str) -> Side {
    let host = store.root.join(path);
    let read = store
        .io
        .read(host.clone(), MAX_FILE_BYTES, Links::Refuse)
        .await;
    match read {
        Ok(bytes) => text_of(Some(bytes)),
        Err(failed) if failed.fault == Fault::NotFound => Ok(None),
        Err(failed) if failed.fault == Fault::Symlink => {
            text_of(store.io.read_link(host).await.ok())
        }
        Err(_) => Err(Unshown),
    }
}

fn text_of(bytes: Option<Vec<u8>>) -> Side {
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.filter(|text| !text.contains('\0'));
    text.map(Some).ok_or(Unshown)
}
