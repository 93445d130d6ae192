//! The facts of a work tree that verifying and restoring a checkpoint compare.

use super::content;
use super::head_files::at_head;
use super::report::ScanLimits;
use super::scan::WorktreeScan;
use super::table::StoredBlob;
use crate::checkpoint::session::plan::fact::{
    Bytes, ContentKind, EntryState, FactSource, Keeping, PathContent, Present, RecordedPath,
};
use crate::effect::{Io, PathEntry, PathKind};
use crate::error::Error;
use crate::git::ignore::IgnorePathKind;
use crate::str_map::{StrMap, StrSet};
use crate::text::escaped;

/// The number of paths that are looked at in one effect.
const MOST_INSPECTED: usize = 1_000;
/// The reason why a checkpoint would not keep an ignored file.
const IGNORED: &str = "it is ignored";
const HIDDEN: &str = "it is marked as assume-unchanged or skip-worktree in the index, so that git does not look at it";

/// The facts to gather, and the files of the work tree that are read for them.
#[derive(Clone, Copy)]
pub struct FactScope<'a> {
    /// The paths that the snapshot lists.
    pub recorded: &'a [&'a str],
    /// The paths that it left out: what stands there is named, and neither read nor entered.
    pub left_out: &'a [&'a str],
    /// The product's own folders: they are named where they are in the way, and never entered.
    pub own: &'a [&'a str],
    /// Returns whether a file of this size at a path is read. One that is not has no SHA-256, and
    /// its content equals no other.
    pub reads: &'a dyn Fn(&str, u64) -> bool,
    /// The limits on the scan.
    pub limits: &'a ScanLimits,
    /// The most bytes of one file in HEAD that are in memory.
    pub head_bytes: usize,
}

/// The facts; [`fact`](crate::checkpoint::session::plan::fact) says which they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorktreeFacts {
    present: Vec<At>,
    at_head: Vec<AtHead>,
    folders: Vec<(String, Option<u32>)>,
}

/// The state of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct At {
    path: String,
    state: PresentState,
    not_kept: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PresentState {
    Content(PathContent),
    Folder,
    Unreadable(String),
    Special,
}

/// The content in HEAD of a path that differs from it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AtHead {
    path: String,
    content: Option<PathContent>,
    /// The reason why its bytes cannot be had.
    left_out: Option<String>,
}

impl WorktreeFacts {
    /// Returns the state of the work tree, sorted by path.
    pub fn present(&self) -> Vec<Present<'_>> {
        let facts = self.present.iter().map(|at| Present {
            path: &at.path,
            state: match &at.state {
                PresentState::Content(content) => EntryState::Content(content.clone()),
                PresentState::Folder => EntryState::Folder,
                PresentState::Unreadable(why) => EntryState::Unreadable(why),
                PresentState::Special => EntryState::Special,
            },
            keeping: match &at.not_kept {
                Some(why) => Keeping::Excluded(why),
                None => Keeping::Keepable,
            },
        });
        facts.collect()
    }

    /// Returns the content in HEAD of each path that differs from it and that the checkpoint does
    /// not list, sorted by path.
    pub fn recorded(&self) -> Vec<RecordedPath<'_>> {
        let facts = self.at_head.iter().map(|at| RecordedPath {
            path: &at.path,
            content: at.content.clone(),
            source: FactSource::Head,
            bytes: match &at.left_out {
                Some(why) => Bytes::LeftOut(why),
                None => Bytes::Available,
            },
        });
        facts.collect()
    }

    /// The folders on the way to all of these paths, sorted, with their permission bits where the host and the worktree
    /// have modes.
    pub fn folders(&self) -> &[(String, Option<u32>)] {
        &self.folders
    }
}

/// Gathers the facts. Files are read in parts, and what HEAD has that is larger than the scope says cannot be
/// restored from there.
///
/// # Errors
///
/// [`Error::io`] when nothing can be looked at; [`Error::too_large`] beyond the limits, in a folder that
/// stands where a file was.
pub async fn facts(
    io: &Io,
    scan: &mut WorktreeScan,
    scope: &FactScope<'_>,
) -> Result<WorktreeFacts, Error> {
    let listed: StrSet<'_> = scope.recorded.iter().copied().collect();
    let left_out: StrSet<'_> = scope.left_out.iter().copied().collect();
    let differing: Vec<String> = scan.files.iter().map(|it| it.path.clone()).collect();
    let of_snapshot = scope.recorded.iter().map(|it| (*it).to_owned());
    let wanted = sorted(of_snapshot.chain(differing).collect());
    let mut facts = WorktreeFacts::default();
    let standing = stands(io, scan, &wanted, scope, &mut facts.folders).await?;
    let files = scan.files.iter().map(|it| (it.path.clone(), it.head));
    let of_head: Vec<(String, Option<StoredBlob>)> =
        files.filter(|(path, _)| !listed.contains(path)).collect();
    for (path, head) in of_head {
        let (content, left_out) = match head {
            None => (None, None),
            Some(stored) => match at_head(io, scan, &path, scope.head_bytes).await {
                Ok((stored, bytes)) => (Some(content_of(stored, &bytes)), None),
                Err(why) => (Some(content_of(stored, b"")), Some(why)),
            },
        };
        facts.at_head.push(AtHead {
            path,
            content,
            left_out,
        });
    }
    let at_head = facts.at_head.iter();
    let at_head: StrMap<'_, u64> = at_head
        .filter_map(|it| Some((it.path.as_str(), it.content.as_ref()?.size)))
        .collect();
    let mut present = Vec::with_capacity(standing.len());
    for (path, entry) in standing {
        let not_kept = not_kept(scan, &path, entry.kind);
        // A file of the size of the content in HEAD may have that content.
        let is_read = at_head.get(&path) == Some(&entry.size) || (scope.reads)(&path, entry.size);
        let state = match (left_out.contains(&path), entry.kind) {
            (true, PathKind::Folder) => PresentState::Folder,
            (true, _) => PresentState::Special,
            (false, PathKind::File) if !is_read => unread(scan, &path, entry),
            (false, _) => read_content(io, scan, &path, entry).await,
        };
        present.push(At {
            state,
            path,
            not_kept: not_kept.map(str::to_owned),
        });
    }
    facts.present = present;
    Ok(facts)
}

/// The content of a blob, as these bytes of the worktree.
pub fn content_of(stored: StoredBlob, bytes: &[u8]) -> PathContent {
    PathContent {
        kind: match stored.is_link() {
            true => ContentKind::Link,
            false => ContentKind::File,
        },
        is_executable: (!stored.is_link()).then_some(stored.is_executable()),
        permissions: None,
        size: bytes.len() as u64,
        sha256: content::sha256_of(bytes),
    }
}

/// Returns the state of the paths, of folders in the way of them, and of the content of a folder at
/// one of them, and the paths that were left out, sorted by path. The folders on the way to the
/// paths are put in a list.
async fn stands(
    io: &Io,
    scan: &WorktreeScan,
    wanted: &[String],
    scope: &FactScope<'_>,
    on_the_way: &mut Vec<(String, Option<u32>)>,
) -> Result<Vec<(String, PathEntry)>, Error> {
    let limits = scope.limits;
    let own = scope.own.iter().chain(scope.left_out);
    let own: StrSet<'_> = own.copied().collect();
    let above = wanted.iter().flat_map(|path| folders(path));
    let above = sorted(above.map(str::to_owned).collect());
    let mut blocked: Vec<String> = Vec::new();
    let mut found: Vec<(String, PathEntry)> = Vec::new();
    for (folder, entry) in inspect(io, scan, &above).await? {
        // Sorted, so that the folders above come first.
        let is_beyond = folders(&folder).any(|it| is_in(&blocked, it));
        if is_beyond {
            continue;
        }
        if entry.kind == PathKind::Folder {
            on_the_way.push((folder, scan.permissions(entry)));
            continue;
        }
        blocked.push(folder.clone());
        if entry.kind != PathKind::Absent {
            found.push((folder, entry));
        }
    }
    let mut open = Vec::new();
    for (path, entry) in inspect(io, scan, wanted).await? {
        if folders(&path).any(|it| is_in(&blocked, it)) || entry.kind == PathKind::Absent {
            continue;
        }
        if entry.kind == PathKind::Folder {
            open.push(path.clone());
        }
        found.push((path, entry));
    }
    let mut count = 0;
    while let Some(folder) = open.pop() {
        count += 1;
        if count > limits.folders || found.len() > limits.files.saturating_add(wanted.len()) {
            let message = format!("There is too much in {folder}, where a file was");
            return Err(Error::too_large(folder, message));
        }
        let listing = io.scan(scan.tree.at(&folder), limits.names).await;
        let listing = listing.map_err(|failed| failed.cannot("look into", &folder))?;
        for scanned in listing.entries {
            let mut entry = scanned.entry;
            let name = match scanned.bytes() {
                // It is in the way, and stays.
                Some(bytes) => {
                    entry.kind = PathKind::Other;
                    escaped(&bytes)
                }
                None => scanned.name,
            };
            let path = [&folder, "/", &name].concat();
            if entry.kind == PathKind::Folder {
                match own.contains(&path) || name.eq_ignore_ascii_case(".git") {
                    // It stays, with any content.
                    true => entry.kind = PathKind::Other,
                    false => open.push(path.clone()),
                }
            }
            found.push((path, entry));
        }
        if !listing.complete {
            // A file without a name in Unicode is in the way all the same.
            let name = [&folder, "/\u{fffd}"].concat();
            let (kind, size, mode) = (PathKind::Other, 0, None);
            found.push((name, PathEntry { kind, size, mode }));
        }
    }
    let left_out = sorted(scope.left_out.iter().map(|it| (*it).to_owned()).collect());
    for (path, entry) in inspect(io, scan, &left_out).await? {
        if !folders(&path).any(|it| is_in(&blocked, it)) && entry.kind != PathKind::Absent {
            found.push((path, entry));
        }
    }
    found.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    found.dedup_by(|later, first| later.0 == first.0);
    Ok(found)
}

/// A path that is not folded: none of the folders above it is a link.
async fn inspect(
    io: &Io,
    scan: &WorktreeScan,
    paths: &[String],
) -> Result<Vec<(String, PathEntry)>, Error> {
    let mut found = Vec::with_capacity(paths.len());
    for paths in paths.chunks(MOST_INSPECTED) {
        let absolute_paths = paths.iter().map(|it| scan.tree.at(it)).collect();
        let entries = io.inspect(absolute_paths).await;
        let entries = entries.map_err(|failed| failed.cannot("look at", &paths[0]))?;
        found.extend(paths.iter().cloned().zip(entries));
    }
    Ok(found)
}

/// A file by its size alone.
fn unread(scan: &WorktreeScan, path: &str, entry: PathEntry) -> PresentState {
    PresentState::Content(PathContent {
        kind: ContentKind::File,
        is_executable: scan.tree.is_executable(entry, scan.known(path)),
        permissions: scan.permissions(entry),
        size: entry.size,
        sha256: String::new(),
    })
}

async fn read_content(io: &Io, scan: &WorktreeScan, path: &str, entry: PathEntry) -> PresentState {
    let at = scan.tree.at(path);
    let content = match entry.kind {
        PathKind::Folder => return PresentState::Folder,
        PathKind::Absent | PathKind::Other => return PresentState::Special,
        PathKind::Denied => {
            return PresentState::Unreadable("a folder above may not be searched".to_owned());
        }
        PathKind::Symlink => {
            let read = io.read_link(at).await;
            read.map(|bytes| {
                (
                    ContentKind::Link,
                    bytes.len() as u64,
                    content::sha256_of(&bytes),
                )
            })
        }
        PathKind::File => {
            let read = content::sha256(io, &at, entry.size).await;
            read.map(|(size, sha256)| (ContentKind::File, size, sha256))
        }
    };
    match content {
        Ok((kind, size, sha256)) => PresentState::Content(PathContent {
            kind,
            is_executable: match kind {
                ContentKind::File => scan.tree.is_executable(entry, scan.known(path)),
                ContentKind::Link => None,
            },
            permissions: match kind {
                ContentKind::File => scan.permissions(entry),
                ContentKind::Link => None,
            },
            size,
            sha256,
        }),
        Err(failed) => PresentState::Unreadable(failed.reason()),
    }
}

/// Returns the reason why a checkpoint made now would not keep the file there.
fn not_kept(scan: &WorktreeScan, path: &str, kind: PathKind) -> Option<&'static str> {
    if scan.file(path).is_some() {
        // Also what is ignored, where HEAD has it.
        return None;
    }
    if scan.is_hidden(path) {
        return Some(HIDDEN);
    }
    let is_there = |at: &str| {
        let known = scan
            .left_out
            .binary_search_by(|it| it.path.as_str().cmp(at));
        known.ok().map(|at| scan.left_out[at].reason.as_str())
    };
    if let Some(why) = folders(path).chain([path]).find_map(is_there) {
        return Some(why);
    }
    let kind = match kind {
        PathKind::Folder => IgnorePathKind::Folder,
        _ => IgnorePathKind::File,
    };
    scan.is_ignored(path, kind).then_some(IGNORED)
}

/// Returns the folders that contain a path, from the root down.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.bytes().enumerate().filter(|(_, it)| *it == b'/');
    ends.map(|(end, _)| &path[..end])
}

fn is_in(sorted: &[String], path: &str) -> bool {
    sorted.binary_search_by(|it| it.as_str().cmp(path)).is_ok()
}

fn sorted(mut paths: Vec<String>) -> Vec<String> {
    paths.sort_unstable();
    paths.dedup();
    paths
}
