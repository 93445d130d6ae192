//! The contents that paths had in a commit that is no longer checked out.

use crate::checkpoint::session::plan::fact::{Bytes, FactSource, PathContent, RecordedPath};
use crate::checkpoint::session::plan::path::folders;
use crate::checkpoint::session::snapshot::Snapshot;
use crate::effect::Io;
use crate::error::Error;
use crate::git::head::short;
use crate::str_map::StrSet;
use crate::worktree::{StoredBlob, WorktreeScan, at_commit, blobs_at, content_of, differing_paths};

/// Of one file that a commit has, so much is in memory.
const MAX_FILE_BYTES: usize = 64 << 20;

/// The content of a path in an earlier commit.
pub(super) struct EarlierPath {
    pub(super) path: String,
    pub(super) stored: Option<StoredBlob>,
    content: Option<PathContent>,
    left_out: Option<String>,
}

impl EarlierPath {
    pub(super) fn recorded(&self) -> RecordedPath<'_> {
        RecordedPath {
            path: &self.path,
            content: self.content.clone(),
            source: FactSource::Head,
            bytes: match &self.left_out {
                Some(why) => Bytes::LeftOut(why),
                None => Bytes::Available,
            },
        }
    }
}

/// The content in an earlier commit of each path that differs between the two or from HEAD, and that a snapshot does
/// not list. `None` is before the first commit, which has no file.
///
/// # Errors
///
/// [`Error::io`] where the commit cannot be read.
pub(super) async fn earlier_paths(
    io: &Io,
    scan: &mut WorktreeScan,
    commit: Option<&str>,
    (snapshot, own): (&Snapshot, &[&str]),
) -> Result<Vec<EarlierPath>, Error> {
    let head = scan.head.clone();
    let unknown = |why: String| {
        let id = commit.or(head.as_deref()).unwrap_or_default();
        let message = format!("The commit {} cannot be compared: {why}", short(id));
        Error::io("read", id.to_owned(), message)
    };
    let between = (commit, head.as_deref());
    let mut paths = differing_paths(io, scan, between).await.map_err(unknown)?;
    paths.extend(scan.files.iter().map(|it| it.path.clone()));
    let listed: StrSet<'_> = snapshot.files.iter().map(|it| it.path.as_str()).collect();
    let is_own = |path: &str| folders(path).any(|it| own.contains(&it));
    paths.retain(|it| !listed.contains(it) && !is_own(it));
    paths.sort_unstable();
    paths.dedup();
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let blobs = match commit {
        Some(commit) => blobs_at(io, scan, commit, &names).await.map_err(unknown)?,
        None => vec![None; names.len()],
    };
    let mut earlier = Vec::with_capacity(paths.len());
    for (path, stored) in paths.into_iter().zip(blobs) {
        let (content, left_out) = match stored.zip(commit) {
            None => (None, None),
            Some((blob, commit)) => {
                let read = at_commit(io, scan, (commit, blob), &path, MAX_FILE_BYTES).await;
                match read {
                    Ok(bytes) => (Some(content_of(blob, &bytes)), None),
                    Err(why) => (Some(content_of(blob, b"")), Some(why)),
                }
            }
        };
        earlier.push(EarlierPath {
            path,
            stored,
            content,
            left_out,
        });
    }
    Ok(earlier)
}

/// The content of each of these paths in a commit, `None` for nothing, or why it cannot be had.
pub(super) async fn contents_at(
    io: &Io,
    scan: &mut WorktreeScan,
    commit: &str,
    paths: &[&str],
) -> Vec<Result<Option<PathContent>, String>> {
    let blobs = match blobs_at(io, scan, commit, paths).await {
        Ok(blobs) => blobs,
        Err(why) => return vec![Err(why); paths.len()],
    };
    let mut contents = Vec::with_capacity(paths.len());
    for (path, stored) in paths.iter().zip(blobs) {
        contents.push(match stored {
            None => Ok(None),
            Some(blob) => {
                let read = at_commit(io, scan, (commit, blob), path, MAX_FILE_BYTES).await;
                read.map(|bytes| Some(content_of(blob, &bytes)))
            }
        });
    }
    contents
}
