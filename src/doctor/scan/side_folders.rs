//! The files beside the documents: those that dead writers left, quarantine, and foreign ones.

use crate::doctor::facts::{Crowd, Inside, Leftover, SideFiles};
use crate::effect::{Io, Links, PathKind};
use crate::root::CONTEXTS;
use crate::store::{self, MAX_LOCK_BYTES, MAX_NAMES, OVERVIEW, OVERVIEW_NEW, SIDE, StoreFolder};

use super::names::{checkpoint, entries, strays};

/// The entries of the side folders that belong to all checkpoints.
const OF_ALL: [&str; 3] = [OVERVIEW, OVERVIEW_NEW, CONTEXTS];

/// Looks through the side folder of every checkpoint.
pub(super) async fn scan(io: &Io, folder: &StoreFolder, added: &[String], inside: &mut Inside) {
    let side_files = &mut inside.side_files;
    let mut side_folders = Vec::new();
    let mut others = Vec::new();
    for name in entries(io, folder, SIDE, &[".gitignore"], side_files).await {
        if OF_ALL.contains(&name.as_str()) {
            continue;
        }
        let listed = checkpoint(&format!("{name}.json"), added);
        match listed.is_some_and(|listed| listed.stem.side() == name) {
            true => side_folders.push(name),
            false => others.push(name),
        }
    }
    strays(io, folder, SIDE, &others, side_files).await;
    let path = |side: &String| folder.shown(&format!("{SIDE}/{side}"));
    let shown: Vec<String> = side_folders.iter().map(path).collect();
    let entries = folder.inspect(io, &shown).await;
    for (name, entry) in side_folders.iter().zip(entries.unwrap_or_default()) {
        match entry.kind {
            PathKind::Folder => side(io, folder, name, added, side_files).await,
            PathKind::Absent => {}
            kind => side_files.misplaced.push((format!("{SIDE}/{name}"), kind)),
        }
    }
}

async fn side(
    io: &Io,
    folder: &StoreFolder,
    side: &str,
    added: &[String],
    side_files: &mut SideFiles,
) {
    let there = store::side_folder(io, folder, side).await;
    for below in there.unfinished {
        let leftover = if below.ends_with("/lock") {
            let lock = io.read(folder.host(&below), MAX_LOCK_BYTES, Links::Refuse);
            let Ok(bytes) = lock.await else {
                continue;
            };
            Leftover::Lock(below, bytes)
        } else if below.ends_with("/waiting") {
            Leftover::Waiting(below)
        } else {
            Leftover::Unfinished(below)
        };
        side_files.leftovers.push(leftover);
    }
    side_files.quarantined.extend(there.quarantined);
    side_files.misplaced.extend(there.misplaced);
    for below in there.crowded {
        // A token that is removed is a right that is taken back: its writer begins again.
        let kept: &[&str] = match below.ends_with("/tokens") {
            true => &[],
            false => &["*.json"],
        };
        side_files.crowds.push(Crowd {
            below,
            limit: MAX_NAMES,
            kept,
        });
    }
    let failures = there.failures.iter().map(ToString::to_string);
    side_files.unlisted.extend(failures);
    strays(
        io,
        folder,
        &format!("{SIDE}/{side}"),
        &there.strays,
        side_files,
    )
    .await;
    let recorded = there.recorded.iter();
    let recorded = recorded.filter_map(|stem| checkpoint(&format!("{stem}.json"), added));
    side_files.recorded.extend(recorded);
}
