//! Documents with parts: what can be done with them.

use super::index::{ManifestFolder, ManifestIndex, ManifestLayout};
use super::journal::Journal;
use super::keys::REMOVALS;
use super::name::PartName;
use super::part::Age;
use super::plan::{Decide, Unwanted};
use super::records::{self, Changed};
use super::recover::{self, Rebuild};
use super::sweep::{self, Leftovers, SweepAction};
use super::whole::{self, OnDamage};
use super::{files, keys, part, removal, remove, state};
use crate::effect::{Io, PathEntry, PathKind};
use crate::error::{Error, Written};
use crate::store::MAX_DOCUMENTS;
use crate::store::location::{SIDE, Stem, Storage, StoreFolder};
use crate::store::write::{Deadline, new_id};
use crate::str_map as sorting;

/// Each look that finds a part gone was overtaken by a commit.
const READ_ATTEMPTS: u32 = 100;

/// A folder of documents that name parts.
#[derive(Debug)]
pub struct Manifest<'a> {
    location: ManifestFolder<'a>,
}

/// A part that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestPart {
    /// The index that names it.
    pub index: ManifestIndex,
    /// Its key.
    pub key: String,
    /// All of its bytes.
    pub bytes: Vec<u8>,
}

impl<'a> Manifest<'a> {
    /// The documents in a folder, which is made with the first of them.
    pub fn new(io: &'a Io, folder: &'a StoreFolder, layout: ManifestLayout) -> Self {
        Manifest {
            location: ManifestFolder { io, folder, layout },
        }
    }

    /// The names of all documents, sorted. One that is being made, or in which nothing was ever written, may be
    /// among them.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`].
    pub async fn names(&self) -> Result<Vec<Stem>, Error> {
        let ManifestFolder { io, folder, .. } = &self.location;
        folder.check(io).await?;
        Ok(sorted(folder.names(io, "", MAX_DOCUMENTS).await?))
    }

    /// The names of documents as [`Manifest::names`] returns them, and whether there may be more: then they are any
    /// [`MAX_DOCUMENTS`] of them.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`].
    pub async fn some_names(&self) -> Result<(Vec<Stem>, bool), Error> {
        let ManifestFolder { io, folder, .. } = &self.location;
        folder.check(io).await?;
        let (names, has_more) = folder.some_names(io, "", MAX_DOCUMENTS).await?;
        Ok((sorted(names), has_more))
    }

    /// The file or record of an index, as messages show it.
    pub fn shown(&self, name: &Stem) -> String {
        match self.location.versioned_document(name) {
            Ok(versioned) => versioned.shown(),
            Err(_) => self.location.folder.shown(name.as_str()),
        }
    }

    /// Returns the path of a part that was read, for messages.
    pub fn shown_part(&self, name: &Stem, part: &ManifestPart) -> String {
        let found = part.index.part(&part.key);
        found.map_or_else(String::new, |it| self.shown_named(name, it))
    }

    /// Returns the path of the part of this name, for messages.
    pub fn shown_named(&self, name: &Stem, part: &PartName) -> String {
        let below = part::below(&self.location, name, part);
        self.location.folder.shown(&below)
    }

    /// The bytes of a part that an index named when it was read; `None` where it is not there. A part never changes.
    ///
    /// # Errors
    ///
    /// As [`Manifest::read`].
    pub async fn read_part(&self, name: &Stem, part: &PartName) -> Result<Option<Vec<u8>>, Error> {
        part::read(&self.location, name, part).await
    }

    /// The index of a document; `None` for a document that is absent.
    ///
    /// # Errors
    ///
    /// [`Error::corrupt`], [`Error::too_large`], [`Error::unsafe_path`], [`Error::invalid_name`], [`Error::io`].
    pub async fn read(&self, name: &Stem) -> Result<Option<ManifestIndex>, Error> {
        let state = match self.location.storage() {
            Storage::Files => whole::whole(&self.location, name, OnDamage::Leave).await?,
            Storage::Records => self.location.read(name).await?,
        };
        Ok(state.and_then(|it| it.index))
    }

    /// Returns the part that is chosen by its key, and the index that names it; `None` where none
    /// is chosen, or the index has none of that key. `choose` is asked again whenever the part was
    /// replaced or removed in between.
    ///
    /// # Errors
    ///
    /// [`Error::corrupt`] when the index names a part that is not there; [`Error::busy`] when every
    /// part that was chosen was gone right away; as [`Manifest::read`].
    pub async fn part(
        &self,
        name: &Stem,
        choose: &mut dyn FnMut(&ManifestIndex) -> Option<String>,
    ) -> Result<Option<ManifestPart>, Error> {
        let location = &self.location;
        let mut missed = None;
        for _ in 0..READ_ATTEMPTS {
            let Some(index) = state::read(location, name).await?.and_then(|it| it.index) else {
                return Ok(None);
            };
            let chosen = choose(&index).and_then(|key| index.part(&key).cloned());
            let Some(chosen) = chosen else {
                return Ok(None);
            };
            let below = part::below(location, name, &chosen);
            if missed.as_ref() == Some(&chosen) {
                // No token comes back, so that it was named all the time.
                let reason = format!(
                    "the index of {} names it, and it is not there",
                    name.as_str()
                );
                return Err(Error::corrupt(location.folder.shown(&below), reason, None));
            }
            if let Some(bytes) = part::read(location, name, &chosen).await? {
                let key = chosen.key;
                return Ok(Some(ManifestPart { index, key, bytes }));
            }
            missed = Some(chosen);
        }
        Err(Error::busy(location.folder.shown(name.as_str())))
    }

    /// Lets `decide` compute the next index from the present one, and commits that with its new parts;
    /// begins again whenever another writer was faster. Parts that are not named any more are removed.
    ///
    /// # Errors
    ///
    /// The errors of `decide`; [`Error::busy`] at the deadline; [`Error::usage`] for an index that
    /// names a part without its bytes; as [`Manifest::read`]. Nothing was changed, except where the
    /// error says otherwise.
    pub async fn change(&self, name: &Stem, decide: &mut Decide<'_>) -> Result<Changed, Error> {
        let location = &self.location;
        let shown = location.folder.shown(name.as_str());
        let mut token = new_id(location.io).await?;
        let deadline = self.deadline(&token);
        let mut removals = 0;
        let mut is_unknown = false;
        let known = |error: Error, is_unknown: bool| match error.written() {
            Written::No if is_unknown => error.with_written(Written::Unknown),
            _ => error,
        };
        loop {
            match location.storage() {
                Storage::Records => {
                    let tried = records::attempt(location, name, &token, decide).await?;
                    if let Some(changed) = tried {
                        return Ok(changed);
                    }
                    deadline.wait(&shown, false).await?;
                }
                Storage::Files => {
                    let tried = files::attempt(location, name, &token, decide).await;
                    match tried.map_err(|error| known(error, is_unknown))? {
                        files::Attempt::Done(changed) => return Ok(changed),
                        files::Attempt::Begun => deadline.check(&shown).await?,
                        files::Attempt::Removed(error) if removals == REMOVALS => {
                            return Err(known(error, is_unknown));
                        }
                        files::Attempt::Removed(_) => removals += 1,
                        tried => {
                            is_unknown |= matches!(tried, files::Attempt::Unknown);
                            let waited = deadline.wait(&shown, false).await;
                            waited.map_err(|error| known(error, is_unknown))?;
                        }
                    }
                }
            }
            token = new_id(location.io).await?;
        }
    }

    /// Puts another index in the place of one that cannot be read, or whose journal or parts cannot, made of what is
    /// left of them; returns where copies of what was damaged are kept. For documents whose keys are their
    /// [own](super::Keys::Own).
    ///
    /// # Errors
    ///
    /// [`Error::not_found`] where there is no such document, and among records, of which one change is one step;
    /// what `rebuild` returns; [`Error::busy`] at the deadline; [`Error::too_large`], [`Error::unsafe_path`],
    /// [`Error::io`].
    pub async fn recover(
        &self,
        name: &Stem,
        rebuild: &mut Rebuild<'_>,
    ) -> Result<Vec<String>, Error> {
        let location = &self.location;
        if location.storage() == Storage::Records {
            location.read(name).await?;
            let message =
                "There is nothing to recover: a database has no files that are damaged apart";
            return Err(Error::not_found(message.to_owned()));
        }
        let mut token = new_id(location.io).await?;
        let deadline = self.deadline(&token);
        loop {
            if let Some(copies) = recover::attempt(location, name, &token, rebuild).await? {
                return Ok(copies);
            }
            deadline.wait(&self.shown(name), false).await?;
            token = new_id(location.io).await?;
        }
    }

    /// Returns the path of the copy of a journal that is kept before another one takes its place,
    /// of which a loss of power took lines.
    pub fn shown_copy(&self, name: &Stem, journal: &Journal) -> String {
        let bytes = journal.loss.as_ref().map_or(&[][..], |it| &it.bytes);
        match self.location.versioned_document(name) {
            Ok(versioned) => versioned.quarantined(&journal.part.label(), bytes),
            Err(_) => self.location.folder.shown(name.as_str()),
        }
    }

    /// The journal, as messages show it.
    pub fn shown_journal(&self, name: &Stem, journal: &Journal) -> String {
        let below = part::below(&self.location, name, &journal.part);
        self.location.folder.shown(&below)
    }

    /// The parts of an index that are not there, or are no files, as messages show them, and what stands there.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub async fn misplaced_parts(
        &self,
        name: &Stem,
        index: &ManifestIndex,
    ) -> Result<Vec<(String, PathEntry)>, Error> {
        let ManifestFolder { io, folder, .. } = &self.location;
        let parts = index.parts.iter();
        let shown = parts.map(|it| folder.shown(&part::below(&self.location, name, it)));
        let shown: Vec<String> = shown.collect();
        let entries = folder.inspect(io, &shown).await?;
        let parts = shown.into_iter().zip(entries);
        Ok(parts.filter(|(_, it)| it.kind != PathKind::File).collect())
    }

    /// The marks that the parts of an index need and that are not there, relative to the folder of documents.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub async fn missing_marks(
        &self,
        name: &Stem,
        index: &ManifestIndex,
    ) -> Result<Vec<String>, Error> {
        keys::missing(&self.location, name, &index.parts).await
    }

    /// The document that has a part of this key, other than `but`. Its cost does not depend on the
    /// number of documents, as long as one is found by its mark: before it answers `None`, it
    /// looks at all of them, because a mark may be lost.
    ///
    /// # Errors
    ///
    /// As [`Manifest::read`].
    pub async fn find(&self, key: &str, but: Option<&Stem>) -> Result<Option<Stem>, Error> {
        keys::find(&self.location, key, but).await
    }

    /// Removes a document with its parts, as it is at that moment; whether there was one.
    ///
    /// # Errors
    ///
    /// [`Error::busy`] where it changes all the time, among records; [`Error::unsafe_path`], [`Error::io`].
    pub async fn remove(&self, name: &Stem) -> Result<bool, Error> {
        let location = &self.location;
        if location.storage() == Storage::Files {
            return remove::remove(location, name).await;
        }
        let deadline = self.deadline("");
        loop {
            if let Some(removed) = records::remove(location, name, &mut |_| true).await? {
                return Ok(removed);
            }
            let shown = location.folder.shown(name.as_str());
            deadline.wait(&shown, false).await?;
        }
    }

    /// Removes a document that is unwanted, with its parts, in one try; whether it did. One that another writer
    /// changes at the same time stays.
    ///
    /// # Errors
    ///
    /// As [`Manifest::read`]: what cannot be read stays. Where a removal is begun and fails, the next writer of the
    /// document ends it.
    pub async fn remove_if(
        &self,
        name: &Stem,
        now_ms: f64,
        is_unwanted: &mut Unwanted<'_>,
    ) -> Result<bool, Error> {
        let location = &self.location;
        match location.storage() {
            Storage::Files => {
                let token = new_id(location.io).await?;
                removal::remove_if(location, name, (&token, now_ms), is_unwanted).await
            }
            Storage::Records => {
                let removed = records::remove(location, name, is_unwanted).await?;
                Ok(removed.unwrap_or(false))
            }
        }
    }

    /// Removes some of what [`Manifest::remove_if`] has moved away a day ago or earlier.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`]: what is left stays for the next call.
    pub async fn forget_removed(&self, now_ms: f64) -> Result<(), Error> {
        match self.location.storage() {
            Storage::Files => removal::forget(&self.location, now_ms).await,
            Storage::Records => Ok(()),
        }
    }

    /// Removes the copies that are kept of what was damaged in a document, as far as that can be done.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`] where they cannot be listed.
    pub async fn forget_copies(&self, name: &Stem) -> Result<(), Error> {
        match self.location.storage() {
            Storage::Files => {
                let versioned = self.location.versioned_document(name)?;
                let forgotten = versioned.forget_copies().await;
                forgotten.map_err(|error| error.with_written(Written::Yes))
            }
            Storage::Records => Ok(()),
        }
    }

    /// Returns the files that writers that died have left, or seem to have left; they are removed,
    /// where that is asked for. Records have none.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`] where the documents cannot be listed. A part of one of them
    /// that cannot be read is in the answer.
    pub async fn sweep(&self, age: Age, act: SweepAction) -> Result<Leftovers, Error> {
        let ManifestFolder { io, folder, .. } = &self.location;
        if self.location.storage() == Storage::Records || !folder.is_there(io).await? {
            return Ok(Leftovers::default());
        }
        folder.check(io).await?;
        folder.expect_folders(io, &[folder.shown(SIDE)]).await?;
        let names = self.names().await?;
        Ok(sweep::sweep(&self.location, &names, age, act).await)
    }

    fn deadline(&self, token: &str) -> Deadline<'a> {
        let chance = token
            .get(..8)
            .and_then(|it| u32::from_str_radix(it, 16).ok());
        Deadline::new(self.location.io, chance.unwrap_or(1))
    }
}

/// The names that can be stems, sorted.
fn sorted(names: Vec<String>) -> Vec<Stem> {
    let names = sorting::sort(names).into_iter();
    names.filter_map(|name| Stem::new(name).ok()).collect()
}
