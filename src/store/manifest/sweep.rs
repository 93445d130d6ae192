//! The leftovers of dead writers among files: listed, or removed.

use super::index::{ManifestFolder, ManifestState};
use super::keys;
use super::name::{self, PartMark, PartName};
use super::part::{self, Age};
use super::plan::difference;
use super::{age, remove, state};
use crate::error::Error;
use crate::store::MAX_DOCUMENTS;
use crate::store::location::Stem;
use crate::str_map::StrSet;

/// The choice to remove leftovers or only list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepAction {
    /// They are only named, and nothing is written.
    List,
    /// They are removed.
    Remove,
}

/// The files that no index names. Paths are relative to the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leftovers {
    /// Parts.
    pub parts: Vec<String>,
    /// Marks of keys.
    pub marks: Vec<String>,
    /// Folders of documents that were removed.
    pub folders: Vec<String>,
    /// The failures of looking, and why: all that belongs to them was left unchanged.
    pub failures: Vec<Error>,
}

impl Leftovers {
    /// Returns the number of leftovers.
    pub fn count(&self) -> usize {
        self.parts.len() + self.marks.len() + self.folders.len()
    }
}

/// Looks for everything that no index names: what dead writers left, or all that is being prepared, which
/// costs those at work another try where it is removed.
pub(super) async fn sweep(
    location: &ManifestFolder<'_>,
    names: &[Stem],
    age: Age,
    act: SweepAction,
) -> Leftovers {
    let mut sweep = Sweep {
        location,
        age,
        act,
        found: Leftovers::default(),
        borne_out: Vec::new(),
    };
    for name in names {
        let swept = sweep.document(name).await;
        sweep.found.failures.extend(swept.err());
    }
    let swept = sweep.trash().await;
    sweep.found.failures.extend(swept.err());
    let swept = sweep.marks().await;
    sweep.found.failures.extend(swept.err());
    sweep.found
}

struct Sweep<'a> {
    location: &'a ManifestFolder<'a>,
    age: Age,
    act: SweepAction,
    found: Leftovers,
    /// Marks of parts that an index names, or that are leftovers themselves.
    borne_out: Vec<String>,
}

impl Sweep<'_> {
    async fn document(&mut self, name: &Stem) -> Result<(), Error> {
        let location = self.location;
        let state = match state::read(location, name).await {
            Ok(Some(state)) => state,
            // A writer died before there was an index, or is about to make it: no lasting fact
            // distinguishes the two until the folder is gone. The next writer of this document goes
            // on from there.
            Ok(None) => return Ok(()),
            Err(error) => {
                // Any of the marks may be wrong.
                if let Ok(parts) = remove::parts_of(location, name.as_str()).await {
                    self.goes_with(name, &parts);
                }
                return Err(error);
            }
        };
        self.goes_with(name, state.parts());
        let left = part::others(location, name, &[], self.age).await?;
        let Some(state) = location.read(name).await? else {
            return Ok(());
        };
        let mut left = difference(&left, state.parts());
        if left.is_empty() {
            return Ok(());
        }
        if self.act == SweepAction::Remove {
            let Some(fenced) = keys::fence(location, name).await? else {
                return Ok(());
            };
            left = difference(&left, fenced.parts());
            part::drop_all(location, name, &left).await;
        }
        self.goes_with(name, &left);
        let shown = |part: &PartName| location.folder.shown(&part::below(location, name, part));
        self.found.parts.extend(left.iter().map(shown));
        Ok(())
    }

    /// The marks of these parts are no leftovers of their own: they are theirs.
    fn goes_with(&mut self, name: &Stem, parts: &[PartName]) {
        let marks = parts.iter().map(|part| PartMark::new(name, part));
        self.borne_out.extend(marks.map(|mark| mark.below()));
    }

    async fn trash(&mut self) -> Result<(), Error> {
        let trashed = remove::trashed(self.location).await?;
        if self.act == SweepAction::Remove && !trashed.is_empty() {
            remove::settle(self.location).await?;
        }
        for removed in trashed {
            if self.act == SweepAction::List {
                let parts = remove::parts_of(self.location, &removed.below).await?;
                self.goes_with(&removed.name, &parts);
            }
            if self.act == SweepAction::Remove
                && let Err(error) = remove::empty(self.location, &removed).await
            {
                self.found.failures.push(error);
                continue;
            }
            let shown = self.location.folder.shown(&removed.below);
            self.found.folders.push(shown);
        }
        Ok(())
    }

    /// The marks that no index bears out.
    async fn marks(&mut self) -> Result<(), Error> {
        let ManifestFolder { io, folder, .. } = self.location;
        let keys = name::keys();
        let borne_out = std::mem::take(&mut self.borne_out);
        let borne_out: StrSet<'_> = borne_out.iter().map(String::as_str).collect();
        folder.expect_folders(io, &[folder.shown(&keys)]).await?;
        for shard in folder.names(io, &keys, MAX_DOCUMENTS).await? {
            let shard = format!("{keys}/{shard}");
            folder.expect_folders(io, &[folder.shown(&shard)]).await?;
            for mark in self.marks_in(&shard).await? {
                // No token comes back: what was named is named, or is another's to remove.
                if borne_out.contains(&mark.below()) {
                    continue;
                }
                let swept = self.mark(&mark).await;
                self.found.failures.extend(swept.err());
            }
        }
        Ok(())
    }

    /// Returns the marks that are old enough.
    async fn marks_in(&self, shard: &str) -> Result<Vec<PartMark>, Error> {
        let ManifestFolder { io, folder, .. } = self.location;
        let mut files = folder.names(io, shard, MAX_DOCUMENTS).await?;
        files.retain(|file| PartMark::of_file(file).is_some());
        if self.age == Age::Dead && !files.is_empty() {
            let dead = age::dead(self.location, folder.host(shard), files.clone()).await?;
            let mut dead = dead.into_iter();
            files.retain(|_| dead.next().unwrap_or(false));
        }
        Ok(files
            .iter()
            .filter_map(|file| PartMark::of_file(file))
            .collect())
    }

    async fn mark(&mut self, mark: &PartMark) -> Result<(), Error> {
        let location = self.location;
        let has =
            |state: Option<&ManifestState>| state.is_some_and(|it| it.parts().contains(&mark.part));
        let mut state = location.read(&mark.name).await?;
        if has(state.as_ref()) {
            return Ok(());
        }
        if self.act == SweepAction::Remove {
            if state.is_some() {
                state = keys::fence(location, &mark.name).await?;
            }
            if has(state.as_ref()) {
                return Ok(());
            }
            keys::remove_unneeded(location, mark, state.as_ref()).await?;
        }
        self.found.marks.push(location.folder.shown(&mark.below()));
        Ok(())
    }
}
