//! The differences from HEAD, as git prints them.

use std::fmt::Write;

use crate::checkpoint::session::plan::fact::ContentKind;
use crate::checkpoint::session::snapshot::{SnapshotChange, SnapshotFile, SnapshotOmission};
use crate::effect::{Fault, Links};
use crate::text::visible;
use crate::worktree::WorktreeScan;

use super::snapshot::SnapshotFiles;
use super::snapshot_store::SnapshotStore;

/// A larger new file is only named.
const MAX_NEW_BYTES: u32 = 16 << 10;

/// The most bytes of paths that are handed to git: with more of them the text is cut in any case.
const MAX_ARGUMENTS: usize = 16 << 10;

/// Before the paths: in a large repository, looking at every file once more would take longest of all.
const DIFF: [&str; 14] = [
    // Otherwise git rewrites the index, regardless of its options about locks.
    "-c",
    "diff.autoRefreshIndex=false",
    // For a few paths, twenty threads that go through all of a large index take longer than the looks.
    "-c",
    "core.preloadIndex=false",
    "--literal-pathspecs",
    "diff",
    "HEAD",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-renames",
    "--relative",
    "--ignore-submodules",
    "--",
];

/// The text of a new checkpoint: changes as `git diff HEAD` prints them, and new files behind them. `None`
/// where there are changes and the host has no git. What a snapshot leaves out is not in it. A text of more
/// than `max_bytes` is cut.
pub(super) async fn text(
    store: &SnapshotStore<'_>,
    taken: &mut SnapshotFiles,
    max_bytes: usize,
) -> Option<String> {
    let SnapshotFiles { scan, snapshot, .. } = taken;
    let snapshot = &*snapshot;
    let is_new = |file: &&SnapshotFile| file.change == SnapshotChange::Added;
    // Git takes a path for all that is below it, where a folder stands there by now.
    let hides = |file: &SnapshotFile| {
        let rest = |out: &SnapshotOmission| {
            out.path
                .strip_prefix(&file.path)?
                .strip_prefix('/')
                .map(drop)
        };
        snapshot.left_out.iter().any(|out| rest(out).is_some())
    };
    let changed = snapshot.files.iter();
    let changed = changed.filter(|file| !is_new(file) && !hides(file));
    let mut text = of_changed(store, scan, changed.map(|file| file.path.as_str())).await?;
    for file in snapshot.files.iter().filter(is_new) {
        if text.len() > max_bytes {
            break;
        }
        text.push_str(&added(store, file).await);
    }
    if text.len() > max_bytes {
        let end = text.floor_char_boundary(max_bytes);
        let cut = text[..end].rfind('\n').map_or(end, |at| at + 1);
        let left = text.len() - cut;
        text.truncate(cut);
        let _ = writeln!(text, "[... {left} bytes and more were left out]");
    }
    Some(text)
}

/// The changes of files that HEAD has.
async fn of_changed<'a>(
    store: &SnapshotStore<'_>,
    scan: &mut WorktreeScan,
    paths: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let mut arguments = DIFF.to_vec();
    let (mut bytes, mut left_out) = (0, 0);
    for path in paths {
        bytes += path.len() + 1;
        match bytes <= MAX_ARGUMENTS {
            true => arguments.push(path),
            false => left_out += 1,
        }
    }
    let named = arguments.len() - DIFF.len();
    if named + left_out == 0 {
        return Some(String::new());
    }
    let root = store.root.path();
    let mut text = match scan.git(store.io, root, &arguments).await {
        Ok(diff) => String::from_utf8_lossy(&diff).into_owned(),
        Err(failed) if failed.fault == Fault::Unsupported => return None,
        // It took too long, or printed too much.
        Err(_) => {
            left_out += named;
            String::new()
        }
    };
    if left_out > 0 {
        let _ = writeln!(text, "[... changes of {left_out} files were left out]");
    }
    Some(text)
}

/// A new file, as a patch of it.
async fn added(store: &SnapshotStore<'_>, file: &SnapshotFile) -> String {
    let path = visible(&file.path);
    let content = file.content.as_ref();
    let mode = match content.map(|content| (content.kind, content.is_executable)) {
        Some((ContentKind::Link, _)) => "120000",
        Some((ContentKind::File, Some(true))) => "100755",
        _ => "100644",
    };
    let head = format!("diff --git a/{path} b/{path}\nnew file mode {mode}\n");
    let host = store.root.join(&file.path);
    let bytes = match content.map(|content| content.kind) {
        Some(ContentKind::Link) => store.io.read_link(host).await,
        _ => store.io.read(host, MAX_NEW_BYTES, Links::Refuse).await,
    };
    let text = bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(text) = text.filter(|text| !text.contains('\0')) else {
        return format!("{head}Binary files /dev/null and b/{path} differ\n");
    };
    let count = text.lines().count();
    if count == 0 {
        return head;
    }
    let mut patch = format!("{head}--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{count} @@\n");
    for line in text.split_inclusive('\n') {
        patch.push('+');
        patch.push_str(line);
    }
    if !patch.ends_with('\n') {
        patch.push_str("\n\\ No newline at end of file\n");
    }
    patch
}
