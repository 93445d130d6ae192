//! The meaning of names in the folders of the store, and the names that have none.

use crate::checkpoint::command::name;
use crate::doctor::facts::{Crowd, Leftover, SideFiles, StoredRun};
use crate::doctor::fix_step::Remedy;
use crate::doctor::probe::{is_moved, is_probe, is_trial};
use crate::effect::{Io, PathKind};
use crate::store::{MAX_DOCUMENTS, Stem, StoreFolder};
use crate::str_map;

/// The names in a folder, sorted; more than a folder of the store can have are a crowd, of which those with one of the
/// names `kept` belong to others.
pub(super) async fn entries(
    io: &Io,
    folder: &StoreFolder,
    below: &str,
    kept: &'static [&'static str],
    side_files: &mut SideFiles,
) -> Vec<String> {
    match folder.names_up_to(io, below, MAX_DOCUMENTS).await {
        Ok(Some(names)) => return str_map::sort(names),
        Ok(None) => side_files.crowds.push(Crowd {
            below: below.to_owned(),
            limit: MAX_DOCUMENTS,
            kept,
        }),
        Err(error) => side_files.unlisted.push(error.to_string()),
    }
    Vec::new()
}

/// Notes the entries of a folder that are no part of the store.
pub(super) async fn strays(
    io: &Io,
    folder: &StoreFolder,
    below: &str,
    names: &[String],
    side_files: &mut SideFiles,
) {
    let names = names.iter().filter(|name| *name != ".gitignore").cloned();
    let (trials, others): (Vec<String>, Vec<String>) = names.partition(|name| is_trial(name));
    self::trials(io, folder, below, &trials, side_files).await;
    if !others.is_empty() {
        side_files.strays.push((below.to_owned(), others));
    }
}

/// Looks at entries with the name of something that an examination makes. A name proves nothing: the author of the
/// repository can give it to a link that leads to any folder.
async fn trials(
    io: &Io,
    folder: &StoreFolder,
    below: &str,
    names: &[String],
    side_files: &mut SideFiles,
) {
    let join = |name: &String| match below {
        "" => name.clone(),
        below => format!("{below}/{name}"),
    };
    let paths: Vec<String> = names.iter().map(join).collect();
    let shown: Vec<String> = paths.iter().map(|it| folder.shown(it)).collect();
    if shown.is_empty() {
        return;
    }
    let entries = match folder.inspect(io, &shown).await {
        Ok(entries) => entries,
        Err(error) => return side_files.unlisted.push(error.to_string()),
    };
    for ((name, path), entry) in names.iter().zip(paths).zip(entries) {
        let remedy = match entry.kind {
            PathKind::Absent => continue,
            PathKind::Folder if is_probe(name) => Remedy::RemoveProbe(path.clone()),
            PathKind::File if is_moved(name, entry) => Remedy::Remove(path.clone()),
            kind => {
                side_files.misplaced.push((path, kind));
                continue;
            }
        };
        side_files.leftovers.push(Leftover::Trial(path, remedy));
    }
}

/// The checkpoint that is stored under this name; `None` for any other file. The project may have
/// `added` commands.
pub(super) fn checkpoint(file: &str, added: &[String]) -> Option<StoredRun> {
    let stem = Stem::of_file(file)?;
    let target = name::target(stem.as_str(), added)?;
    Some(StoredRun { target, stem })
}
