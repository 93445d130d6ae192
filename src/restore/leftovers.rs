//! Files that a restore has moved aside and not put back: it died, or their place was taken.

use crate::checkpoint::session::plan::path::problem;
use crate::digest::is_id;
use crate::effect::{Fault, Io, Links, PathEntry, PathKind};
use crate::error::Error;
use crate::store::{SIDE, Storage, StoreFolder, wrong_kind};
use crate::str_map;

use super::aside::{LIST, PutBackOutcome, all, content, put_back, sweep};
use super::path_guard::{GuardedTree, PathCheck};

/// More names are not listed.
const MAX_LEFT: u32 = 100_000;

/// A list of paths is no longer than this.
const MAX_LIST_BYTES: u32 = 256 << 20;

/// A file that was moved aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// Its present place, relative to the folder of documents.
    pub below: String,
    /// Its former place, relative to the root; `None` where nothing says so.
    pub path: Option<String>,
    /// The SHA-256 of what the undo of its restore holds of that path.
    held: Option<String>,
}

/// The files that are left aside in a folder of documents. A restore at work has one for a moment.
///
/// # Errors
///
/// [`Error::unsafe_path`] when a part on the way is a symbolic link or no folder; [`Error::io`].
pub async fn left_aside(io: &Io, folder: &StoreFolder) -> Result<Vec<Aside>, Error> {
    let mut left = Vec::new();
    for below in restores(io, folder).await? {
        left.extend(of_one(io, folder, &below).await?);
    }
    Ok(left)
}

/// Puts back what restores that died have left aside, and removes what is held by their undo and has its place
/// taken. Returns what stays aside. `own` are the folders of the product, relative to the root.
///
/// A restore that is at work finds the place of its file taken, and stops.
///
/// # Errors
///
/// As [`left_aside`].
pub async fn settle(
    io: &Io,
    root: &str,
    own: &[&str],
    folder: &StoreFolder,
) -> Result<Vec<Aside>, Error> {
    let mut kept = Vec::new();
    for below in restores(io, folder).await? {
        for aside in of_one(io, folder, &below).await? {
            let is_settled = bring_back(io, root, own, folder, &aside).await;
            if !matches!(is_settled, Ok(true)) {
                kept.push(aside);
            }
        }
        sweep(io, folder, &below).await;
    }
    Ok(kept)
}

/// Returns whether nothing stands where a file was.
pub async fn has_room(io: &Io, root: &str, own: &[&str], aside: &Aside) -> bool {
    let tree = GuardedTree {
        io,
        root: root.trim_end_matches('/'),
    };
    matches!(original_entry(tree, own, aside).await, Ok(Some((_, entry))) if entry.kind == PathKind::Absent)
}

/// Puts one file back where nothing stands, or removes it where the undo of its restore holds it or the same
/// stands in its place; `false` where it has to stay aside.
///
/// # Errors
///
/// [`Error::io`].
pub async fn bring_back(
    io: &Io,
    root: &str,
    own: &[&str],
    folder: &StoreFolder,
    aside: &Aside,
) -> Result<bool, Error> {
    let tree = GuardedTree {
        io,
        root: root.trim_end_matches('/'),
    };
    let at = folder.host(&aside.below);
    let entry = original_entry(tree, own, aside).await?;
    let is_settled = match entry {
        Some((path, entry)) if entry.kind == PathKind::Absent => {
            let back = put_back(io, &at, &tree.host(path)).await;
            back.map_err(|failed| failed.cannot("put back", path))? != PutBackOutcome::Taken
        }
        _ => {
            let standing = entry.map(|(path, _)| tree.host(path));
            is_needless(io, &at, aside, standing).await && removed(io, at).await
        }
    };
    if is_settled && let Some((below, _)) = aside.below.rsplit_once('/') {
        sweep(io, folder, below).await;
    }
    Ok(is_settled)
}

async fn removed(io: &Io, at: String) -> bool {
    match io.remove(at).await {
        Ok(()) => true,
        Err(failed) => failed.fault == Fault::NotFound,
    }
}

/// Returns whether a file that was moved aside is held by the undo, or stands in its place.
async fn is_needless(io: &Io, at: &str, aside: &Aside, standing: Option<String>) -> bool {
    let Ok(Some(found)) = content(io, at, u64::MAX).await else {
        return false;
    };
    if aside.held.as_deref() == Some(found.sha256.as_str()) {
        return true;
    }
    match standing {
        Some(host) => {
            let there = content(io, &host, found.size).await;
            matches!(there, Ok(Some(there)) if there.has_bytes_of(&found))
        }
        None => false,
    }
}

/// Returns the path where a file was, with the entry that stands there; `None` where nothing says so, where that
/// leads elsewhere, and where its folder is gone.
async fn original_entry<'p>(
    tree: GuardedTree<'_>,
    own: &[&str],
    aside: &'p Aside,
) -> Result<Option<(&'p str, PathEntry)>, Error> {
    let Some(path) = aside.path.as_deref() else {
        return Ok(None);
    };
    if problem(path, own).is_some() {
        return Ok(None);
    }
    Ok(match tree.check(path).await? {
        PathCheck::Entry(entry) => Some((path, entry)),
        PathCheck::Blocked(..) => None,
    })
}

/// The folders of restores that have not removed theirs, relative to the folder of documents.
async fn restores(io: &Io, folder: &StoreFolder) -> Result<Vec<String>, Error> {
    if folder.storage() == Storage::Records {
        return Ok(Vec::new());
    }
    let all = all();
    let mut parts = folder.own_parts();
    parts.push(folder.shown(SIDE));
    parts.push(folder.shown(&all));
    let entries = folder.inspect(io, &parts).await?;
    for (part, entry) in parts.iter().zip(&entries) {
        match entry.kind {
            PathKind::Folder => {}
            PathKind::Absent => return Ok(Vec::new()),
            kind => return Err(wrong_kind(part, kind, "a folder")),
        }
    }
    let names = names(io, folder, &all).await?;
    let ids = names.iter().map(|it| it.strip_suffix(LIST).unwrap_or(it));
    let ids = ids.filter(|it| is_id(it)).map(|it| format!("{all}/{it}"));
    let mut ids = str_map::sort(ids.collect());
    ids.dedup();
    Ok(ids)
}

/// Returns the files in the folder of one restore.
async fn of_one(io: &Io, folder: &StoreFolder, below: &str) -> Result<Vec<Aside>, Error> {
    let shown = folder.shown(below);
    let entries = folder.inspect(io, std::slice::from_ref(&shown)).await?;
    match entries[0].kind {
        PathKind::Folder => {}
        PathKind::Absent => return Ok(Vec::new()),
        kind => return Err(wrong_kind(&shown, kind, "a folder")),
    }
    let names = names(io, folder, below).await?;
    if names.is_empty() {
        return Ok(Vec::new());
    }
    // Without it nothing says where they were.
    let list = folder.host(&format!("{below}{LIST}"));
    let read = io.read(list, MAX_LIST_BYTES, Links::Refuse).await;
    let text = String::from_utf8(read.unwrap_or_default()).unwrap_or_default();
    let mut paths: Vec<&str> = text.split('\0').collect();
    // A path without NUL behind it was cut off.
    paths.pop();
    let aside = |name: &String| {
        let (number, held) = match name.split_once('-') {
            Some((number, held)) => (number, Some(held.to_owned())),
            None => (name.as_str(), None),
        };
        let path = number.parse::<usize>().ok().and_then(|at| paths.get(at));
        Aside {
            below: format!("{below}/{name}"),
            path: path.map(|it| (*it).to_owned()),
            held,
        }
    };
    Ok(str_map::sort(names).iter().map(aside).collect())
}

/// Returns the names in a folder that was looked at; none where it is gone.
async fn names(io: &Io, folder: &StoreFolder, below: &str) -> Result<Vec<String>, Error> {
    match io.list(folder.host(below), MAX_LEFT).await {
        Ok(listed) => Ok(listed.names),
        Err(failed) if failed.fault == Fault::NotFound => Ok(Vec::new()),
        Err(failed) => Err(folder.error("list", below, &failed)),
    }
}
