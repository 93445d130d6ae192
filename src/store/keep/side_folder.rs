//! The content of the side folder of a document. Looked at only: nothing is changed.

use crate::digest;
use crate::effect::{Io, PathEntry, PathKind};
use crate::error::Error;
use crate::str_map;

use crate::store::location::{
    ASIDE, HISTORY, LOCK, MAX_NAMES, PREPARING, QUARANTINE, REPLACED, SIDE, StoreFolder, TOKENS,
    WAITING,
};
use crate::store::read::Revision;

/// The content of a side folder. Paths are relative to the folder of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideFolder {
    /// The files that a writer makes on its way and removes at its end: tokens, bytes that are
    /// being prepared, the lock. They belong to a writer at work, or were left by one that died.
    pub unfinished: Vec<String>,
    /// Copies of corrupt documents.
    pub quarantined: Vec<String>,
    /// The files that no writer makes.
    pub strays: Vec<String>,
    /// The paths that are not a file, or not a folder, where one belongs.
    pub misplaced: Vec<(String, PathKind)>,
    /// Folders with more names than the store ever makes, which are looked at no further.
    pub crowded: Vec<String>,
    /// The documents that have a history here, by the names of their files without `.json`.
    pub recorded: Vec<String>,
    /// The failures of listing and looking.
    pub failures: Vec<Error>,
}

/// The role of a folder of the store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The side folder of all names that differ in case only.
    Side,
    /// The files that belong to one of these names.
    Own,
    Tokens,
    History,
    Quarantine,
}

/// The purpose of a name in such a folder.
enum SideNamePurpose {
    Folder(Role),
    Unfinished,
    Revision,
    Quarantined,
}

/// Looks through the side folder of this name. No symbolic link is followed.
pub async fn side_folder(io: &Io, folder: &StoreFolder, side: &str) -> SideFolder {
    let mut found = SideFolder::default();
    let mut folders = vec![(format!("{SIDE}/{side}"), Role::Side)];
    while let Some((below, role)) = folders.pop() {
        let names = match folder.names_up_to(io, &below, MAX_NAMES).await {
            // Hosts list in any order.
            Ok(Some(names)) => str_map::sort(names),
            Ok(None) => {
                found.crowded.push(below);
                continue;
            }
            Err(error) => {
                found.failures.push(error);
                continue;
            }
        };
        if names.is_empty() {
            continue;
        }
        let parts: Vec<String> = names.iter().map(|name| format!("{below}/{name}")).collect();
        let shown: Vec<String> = parts.iter().map(|part| folder.shown(part)).collect();
        let entries = match folder.inspect(io, &shown).await {
            Ok(entries) => entries,
            Err(error) => {
                found.failures.push(error);
                continue;
            }
        };
        for ((name, part), entry) in names.iter().zip(parts).zip(entries) {
            if let Some(next) = found.note(role.part(side, name), part, entry) {
                folders.push(next);
            }
        }
        if role == Role::History && names.iter().any(|name| Revision::of_file(name).is_some()) {
            found.recorded.extend(owner(&below).map(str::to_owned));
        }
    }
    found
}

impl SideFolder {
    /// Notes what stands at a path; returns a folder to look through.
    fn note(
        &mut self,
        part: Option<SideNamePurpose>,
        below: String,
        entry: PathEntry,
    ) -> Option<(String, Role)> {
        match (part, entry.kind) {
            // Gone since the folder was listed.
            (_, PathKind::Absent) => {}
            (Some(SideNamePurpose::Folder(role)), PathKind::Folder) => return Some((below, role)),
            (Some(SideNamePurpose::Unfinished), PathKind::File) => self.unfinished.push(below),
            (Some(SideNamePurpose::Quarantined), PathKind::File) => self.quarantined.push(below),
            (Some(SideNamePurpose::Revision), PathKind::File) => {}
            (Some(_), kind) => self.misplaced.push((below, kind)),
            (None, _) => self.strays.push(below),
        }
        None
    }
}

impl Role {
    /// Returns the purpose of a name in a folder of this role; `None` for one that no writer makes.
    fn part(self, side: &str, name: &str) -> Option<SideNamePurpose> {
        let is_id_before = |ending: &str| name.strip_suffix(ending).is_some_and(digest::is_id);
        match (self, name) {
            (Role::Side | Role::Own, HISTORY) => Some(SideNamePurpose::Folder(Role::History)),
            (Role::Side | Role::Own, QUARANTINE) => Some(SideNamePurpose::Folder(Role::Quarantine)),
            (Role::Side, TOKENS) => Some(SideNamePurpose::Folder(Role::Tokens)),
            (Role::Side, LOCK | WAITING) => Some(SideNamePurpose::Unfinished),
            (Role::Side, _) if is_id_before(ASIDE) => Some(SideNamePurpose::Unfinished),
            (Role::Side, _) if name != side && name.eq_ignore_ascii_case(side) => {
                Some(SideNamePurpose::Folder(Role::Own))
            }
            (Role::Tokens, _) if is_id_before("") || is_id_before(PREPARING) => {
                Some(SideNamePurpose::Unfinished)
            }
            (Role::History, _) if Revision::of_file(name).is_some() => {
                Some(SideNamePurpose::Revision)
            }
            (Role::History, _) if is_id_before(REPLACED) => Some(SideNamePurpose::Unfinished),
            (Role::Quarantine, _) if is_id_before(".json") => Some(SideNamePurpose::Quarantined),
            (Role::Quarantine, _) if is_id_before(PREPARING) => Some(SideNamePurpose::Unfinished),
            _ => None,
        }
    }
}

/// Returns the document whose history a folder is: the name of the folder around it.
fn owner(history: &str) -> Option<&str> {
    history.rsplit('/').nth(1)
}
