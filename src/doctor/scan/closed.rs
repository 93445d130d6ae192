//! The folders and files of the store whose mode keeps their owner out, and so every writer.
//!
//! Nothing is entered but what the store makes: a folder that the user chose holds folders of others as well.

use crate::doctor::facts::ClosedPath;
use crate::effect::{Io, PathEntry, PathKind};
use crate::root::{NOTIFICATIONS, TASKS, THREADS};
use crate::store::{MAX_DOCUMENTS, SIDE, StoreFolder};
use crate::str_map;

/// The rights of the owner that a writer needs in a folder, and those that one is made with.
const FOLDER_BITS: u32 = 0o700;
/// Those of a file that is made once, or replaced as a whole.
const READ_BIT: u32 = 0o400;
/// Those of a file that grows, and those that each file is made with.
const FILE_BITS: u32 = 0o600;
/// The right to reach what is in a folder.
const SEARCH_BIT: u32 = 0o100;
const ACCESS_BITS: u32 = 0o777;

/// The folder with the contents of files, beside snapshots.
const OBJECTS: &str = "objects";
/// The beginnings of the names of files that grow: the journal of a thread and its tally.
const GROWING: [&str; 2] = ["00-", "01-"];

/// No project has more folders; what is beyond them is not looked at.
const MAX_FOLDERS: usize = 100_000;
/// The most paths of one look.
const MAX_PATHS: usize = 1_000;

/// Looks through everything that writers of the store need, as far as it can be reached.
pub(in crate::doctor) async fn closed(
    io: &Io,
    folder: &StoreFolder,
    sessions: &[StoreFolder],
) -> Vec<ClosedPath> {
    let mut found = Vec::new();
    let names = [SIDE, TASKS, THREADS, NOTIFICATIONS];
    of_folder(io, folder, folder.is_own(), &names, &mut found).await;
    for one in sessions {
        // The archive is in the folder of snapshots, and the store makes it as well.
        let is_own = sessions.iter().any(|it| it.is_own() && holds(it, one));
        of_folder(io, one, is_own, &[SIDE, OBJECTS], &mut found).await;
    }
    // A folder of documents can be above another one, for which less is needed of it: what is known best comes first.
    found.sort_unstable_by(|one, other| {
        let known = |it: &ClosedPath| (it.made_with, it.lacking);
        let places = one.shown.cmp(&other.shown);
        places.then_with(|| known(other).cmp(&known(one)))
    });
    found.dedup_by(|one, other| one.shown == other.shown);
    found
}

/// Looks at one folder of documents, those above it, and the folders of these names in it.
///
/// Nothing beyond a symbolic link is looked at: it is not the store's.
async fn of_folder(
    io: &Io,
    folder: &StoreFolder,
    is_own: bool,
    names: &[&str],
    found: &mut Vec<ClosedPath>,
) {
    let above = folder.own_parts();
    let entries = folder.inspect(io, &above).await.unwrap_or_default();
    for (at, (part, entry)) in above.iter().zip(&entries).enumerate() {
        if entry.kind != PathKind::Folder {
            return;
        }
        let is_documents = at + 1 == above.len();
        let needed = match is_documents {
            true => FOLDER_BITS,
            false => SEARCH_BIT,
        };
        if let Some(lacking) = lacking(*entry, needed) {
            found.push(ClosedPath {
                host: folder.under_root(part),
                shown: part.clone(),
                lacking,
                // The folders that the user chose or made have permissions of the user.
                made_with: (is_documents && is_own).then_some(FOLDER_BITS),
                ..of_entry(*entry)
            });
        }
    }
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut folders = Vec::new();
    for (below, entry) in look(io, folder, names).await {
        // A folder with the name of one of ours can be another program's, where the user chose the place.
        let is_ours = is_own || below == SIDE || holds_side(io, folder, &below).await;
        if is_ours {
            note(folder, below, entry, &mut folders, found);
        }
    }
    let mut count = 0_usize;
    while let Some(below) = folders.pop() {
        count += 1;
        if count > MAX_FOLDERS {
            return;
        }
        let listed = folder.names_up_to(io, &below, MAX_DOCUMENTS).await;
        // A folder that cannot be listed is a finding of another check.
        let names = listed.ok().flatten().unwrap_or_default();
        let inner = str_map::sort(names).into_iter();
        let inner: Vec<String> = inner.map(|name| format!("{below}/{name}")).collect();
        for part in inner.chunks(MAX_PATHS) {
            for (below, entry) in look(io, folder, part.to_vec()).await {
                note(folder, below, entry, &mut folders, found);
            }
        }
    }
}

/// The entries at these paths, which are relative to the folder of documents; none where the host cannot look, or has
/// no modes.
async fn look(io: &Io, folder: &StoreFolder, below: Vec<String>) -> Vec<(String, PathEntry)> {
    let shown: Vec<String> = below.iter().map(|it| folder.shown(it)).collect();
    let entries = folder.inspect(io, &shown).await.unwrap_or_default();
    let looked = below.into_iter().zip(entries);
    looked.filter(|(_, entry)| entry.mode.is_some()).collect()
}

/// Notes a path that lacks a right, and a folder to look through.
fn note(
    folder: &StoreFolder,
    below: String,
    entry: PathEntry,
    folders: &mut Vec<String>,
    found: &mut Vec<ClosedPath>,
) {
    let (needed, made_with) = match entry.kind {
        PathKind::Folder => (FOLDER_BITS, FOLDER_BITS),
        _ => (file_bits(&below), FILE_BITS),
    };
    if let Some(lacking) = lacking(entry, needed) {
        found.push(ClosedPath {
            host: folder.host(&below),
            shown: folder.shown(&below),
            lacking,
            made_with: Some(made_with),
            ..of_entry(entry)
        });
    }
    if entry.kind == PathKind::Folder {
        folders.push(below);
    }
}

/// The rights that writers need of a file. One that other checks read is theirs.
fn file_bits(below: &str) -> u32 {
    let mut parts = below.split('/');
    let is_thread = parts.clone().next() == Some(THREADS);
    let name = parts.clone().next_back().unwrap_or_default();
    match parts.any(|part| part == SIDE) {
        true => READ_BIT,
        false if is_thread && GROWING.iter().any(|start| name.starts_with(start)) => FILE_BITS,
        false => 0,
    }
}

/// The needed rights that a file or folder lacks; `None` where it has all of them, or no mode.
fn lacking(entry: PathEntry, needed: u32) -> Option<u32> {
    let lacking = needed & !entry.mode?;
    (lacking != 0).then_some(lacking)
}

/// The facts of an entry, without its path.
fn of_entry(entry: PathEntry) -> ClosedPath {
    ClosedPath {
        shown: String::new(),
        host: String::new(),
        kind: entry.kind,
        mode: entry.mode.unwrap_or_default() & ACCESS_BITS,
        lacking: 0,
        made_with: None,
    }
}

/// Returns whether a folder of documents is another one, or in it.
fn holds(folder: &StoreFolder, other: &StoreFolder) -> bool {
    let below = other.path().strip_prefix(folder.path());
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

/// Returns whether the store has written to a folder.
async fn holds_side(io: &Io, folder: &StoreFolder, below: &str) -> bool {
    let side = folder.shown(&format!("{below}/{SIDE}"));
    let entries = folder.inspect(io, &[side]).await.unwrap_or_default();
    entries.iter().any(|entry| entry.kind == PathKind::Folder)
}

#[cfg(test)]
mod tests {
    use super::{FILE_BITS, READ_BIT, file_bits};

    #[test]
    fn a_file_needs_the_rights_that_its_writers_use() {
        for (below, expected) in [
            (".milepost/design-checkpoint/history/1-a.json", READ_BIT),
            ("tasks/a/.milepost/index/lock", READ_BIT),
            ("tasks/a/00-b.json", 0),
            ("threads/a/index.json", 0),
            ("threads/a/00-b.json", FILE_BITS),
            ("threads/a/01-b.json", FILE_BITS),
            ("objects/ab/cd", 0),
        ] {
            assert_eq!(file_bits(below), expected, "{below}");
        }
    }
}
