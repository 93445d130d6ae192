//! What differed from HEAD, as git prints it.

use std::fmt::Write;

use crate::checkpoint::session::plan::fact::Kind;
use crate::checkpoint::session::snapshot::{Change, File, Snapshot};
use crate::effect::Links;
use crate::text::visible;

use super::opened::Opened;

/// A longer text is cut.
const MAX_BYTES: usize = 64 << 10;

/// A larger new file is only named.
const MAX_NEW_BYTES: u32 = 16 << 10;

/// More paths that must not be in it are no argument any more.
const MAX_WITHHELD: usize = 200;

/// The text of a new checkpoint, where the host has git: changes as `git diff HEAD` prints them, and new
/// files behind them. What a snapshot leaves out is not in it.
pub(super) async fn text(opened: &Opened<'_>, snapshot: &Snapshot) -> Option<String> {
    let withheld: Vec<&str> = snapshot
        .left_out
        .iter()
        .map(|it| it.path.as_str())
        .collect();
    if withheld.len() > MAX_WITHHELD {
        return None;
    }
    let mut arguments: Vec<String> = [
        "diff",
        "HEAD",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--no-renames",
        "--relative",
        "--ignore-submodules",
        "--",
        ".",
    ]
    .map(str::to_owned)
    .to_vec();
    let own = opened.own_folders().ok()?;
    for path in own.iter().map(String::as_str).chain(withheld) {
        arguments.push(format!(":(exclude,literal){path}"));
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let diff = opened.io.git(opened.root.path(), &arguments).await.ok()?;
    let mut text = String::from_utf8_lossy(&diff).into_owned();
    let new = snapshot.files.iter();
    for file in new.filter(|file| file.change == Change::Added && !file.is_staged) {
        if text.len() > MAX_BYTES {
            break;
        }
        text.push_str(&added(opened, file).await);
    }
    if text.len() > MAX_BYTES {
        let end = text.floor_char_boundary(MAX_BYTES);
        let cut = text[..end].rfind('\n').map_or(end, |at| at + 1);
        let left = text.len() - cut;
        text.truncate(cut);
        let _ = writeln!(text, "[... {left} bytes and more were left out]");
    }
    Some(text)
}

/// A new file, as a patch of it.
async fn added(opened: &Opened<'_>, file: &File) -> String {
    let path = visible(&file.path);
    let content = file.content.as_ref();
    let mode = match content.map(|content| (content.kind, content.is_executable)) {
        Some((Kind::Link, _)) => "120000",
        Some((Kind::File, Some(true))) => "100755",
        _ => "100644",
    };
    let head = format!("diff --git a/{path} b/{path}\nnew file mode {mode}\n");
    let host = opened.root.join(&file.path);
    let bytes = match content.map(|content| content.kind) {
        Some(Kind::Link) => opened.io.read_link(host).await,
        _ => opened.io.read(host, MAX_NEW_BYTES, Links::Refuse).await,
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
