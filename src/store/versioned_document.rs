//! One document that many change.

use crate::effect::{Io, PathKind, Sync};
use crate::error::Error;
use crate::error::whole;
use crate::extent::WRITES;
use crate::json::Object;

use super::keep::{
    Accept, History, Pruned, RecordedContent, Retention, RetentionPolicy, RevisionChoice, altered,
    prune,
};
#[cfg(threads)]
use super::keep::{copy_name, quarantine};
use super::location::{AccessPurpose, LocationState, Paths, Stem, StoreFolder, inspect, prepare};
use super::read::{
    CommitMark, Document, DocumentFileContent, DocumentReader, Revision, Stamp, check_size, content,
};
use super::write::{Committed, Decide, RecoveredDocument, new_id, recover, update};
#[cfg(threads)]
use super::write::{DocumentWrite, replace, update_found};

/// The result of [`VersionedDocument::read`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDocument {
    /// `None` when there is no document.
    pub document: Option<Box<Document>>,
    /// The document that stands for an absent one, if it is there.
    pub tombstone: Option<Box<Document>>,
    /// True if the store has written this document before.
    pub has_side: bool,
}

/// The place of one document, with its history: it is replaced by compare-and-swap, by any number of
/// processes at the same time.
#[derive(Debug)]
pub struct VersionedDocument<'a> {
    reader: DocumentReader<'a>,
    policy: RetentionPolicy,
    /// The look before reading.
    before: AccessPurpose,
}

impl<'a> VersionedDocument<'a> {
    /// The place under a stem in a folder.
    pub fn new(io: &'a Io, folder: &StoreFolder, stem: &Stem, policy: RetentionPolicy) -> Self {
        let reader = DocumentReader {
            io,
            folder: folder.clone(),
            paths: Paths::new(stem, folder.storage()),
        };
        VersionedDocument {
            reader,
            policy,
            before: AccessPurpose::Reading,
        }
    }

    /// Returns the document with only its own folders looked at before it is read: for callers that
    /// have just looked at those that all documents share ([`super::check_side`]), and refused
    /// none.
    #[must_use]
    pub fn one_of_many(self) -> Self {
        let before = AccessPurpose::ReadingNext;
        VersionedDocument { before, ..self }
    }

    /// The folder that it is in.
    pub fn folder(&self) -> &StoreFolder {
        &self.reader.folder
    }

    /// Returns whether both have one side folder: their names differ in letter case at most.
    pub fn shares_side(&self, other: &VersionedDocument<'_>) -> bool {
        self.reader.paths.side() == other.reader.paths.side()
    }

    /// The document's path, as messages show it.
    pub fn shown(&self) -> String {
        self.reader.shown()
    }

    /// Reads the document. Nothing is written, also when it is corrupt.
    ///
    /// # Errors
    ///
    /// [`Error::corrupt`], [`Error::too_large`], [`Error::unsafe_path`], [`Error::io`].
    pub async fn read(&self) -> Result<StoredDocument, Error> {
        let DocumentReader { folder, paths, .. } = &self.reader;
        let state = self.inspect().await?;
        let has_side = state.has_side;
        let stored = |document: Option<Box<Document>>| {
            let is_tombstone = |it: &Document| (self.policy.is_tombstone)(&it.object);
            let (document, tombstone) = match document.as_deref().is_some_and(is_tombstone) {
                true => (None, document),
                false => (document, None),
            };
            StoredDocument {
                document,
                tombstone,
                has_side,
            }
        };
        if state.document.kind == PathKind::Absent {
            return Ok(stored(None));
        }
        check_size(folder, paths, state.document.size)?;
        match content(&self.reader, self.history().listed(has_side).await).await? {
            DocumentFileContent::Absent => Ok(stored(None)),
            DocumentFileContent::Document(document) => Ok(stored(Some(document))),
            DocumentFileContent::Corrupt { reason, .. } => {
                whole::needed()?;
                let last_good = self.history().last_good().await.unwrap_or_default();
                Err(Error::corrupt(self.shown(), reason, last_good))
            }
        }
    }

    /// Reads the document, lets `decide` compute the next one, and commits that; begins again
    /// whenever another writer was faster, so `decide` runs once per try. `base` names the state that
    /// the change is based on, for [`super::Current::base`].
    ///
    /// # Errors
    ///
    /// The errors of `decide`; [`Error::corrupt`] when the document is unreadable (a copy is kept
    /// in quarantine); [`Error::busy`] at the deadline; [`Error::unsafe_path`],
    /// [`Error::too_large`], [`Error::io`]. Nothing was written, except where [`Error::io`] says
    /// that the outcome is unknown or that the commit could not be made durable.
    pub async fn update(
        &self,
        base: Option<&Stamp>,
        decide: &mut Decide<'_>,
    ) -> Result<Box<Committed>, Error> {
        match WRITES {
            true => update(&self.reader, self.policy, base, decide).await,
            false => Err(self.read_only()),
        }
    }

    /// Updates a record as [`VersionedDocument::update`] does, from a state that was read a moment ago: the first try
    /// does not read it again, because the swap compares.
    ///
    /// # Errors
    ///
    /// As [`VersionedDocument::update`].
    #[cfg(threads)]
    pub async fn update_found(
        &self,
        found: Option<Box<Document>>,
        decide: &mut Decide<'_>,
    ) -> Result<Box<Committed>, Error> {
        match WRITES {
            true => update_found(&self.reader, self.policy, found, decide).await,
            false => Err(self.read_only()),
        }
    }

    /// Makes durable what was committed so far, by whomever, where the policy asks for it.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub async fn make_durable(&self) -> Result<(), Error> {
        let DocumentReader { io, folder, .. } = &self.reader;
        match self.policy.durability {
            Sync::Durable => folder.sync(io, "").await,
            Sync::Lazy => Ok(()),
        }
    }

    /// The revisions that history holds, oldest first.
    ///
    /// # Errors
    ///
    /// [`Error::io`], [`Error::unsafe_path`] when history cannot be listed.
    pub async fn revisions(&self) -> Result<Vec<Revision>, Error> {
        self.inspect().await?;
        self.history().revisions().await
    }

    /// Returns one revision from history; `None` when it was pruned in between.
    ///
    /// # Errors
    ///
    /// [`Error::io`], [`Error::unsafe_path`] when the entry cannot be read.
    pub async fn recorded(&self, revision: &Revision) -> Result<Option<RecordedContent>, Error> {
        self.history().read(revision).await
    }

    /// The path of a revision in history, as messages show it.
    pub fn entry(&self, revision: &Revision) -> String {
        let DocumentReader { folder, paths, .. } = &self.reader;
        folder.shown(&paths.entry(&revision.file()))
    }

    /// Returns the reason why a revision that is [`RecordedContent::Altered`] cannot be had.
    pub fn altered(&self, revision: &Revision) -> Error {
        altered(self.entry(revision), revision)
    }

    /// The revision that is wanted, as `accept` made it; `None` where history has none
    /// below a number. One that is altered, or that `accept` refuses, is passed over, unless it is
    /// wanted by its number.
    ///
    /// # Errors
    ///
    /// For a revision that is wanted by its number: [`Error::not_found`], [`Error::corrupt`] when it
    /// is altered, and what `accept` returns. [`Error::io`], [`Error::unsafe_path`] when history
    /// cannot be listed, and when a revision that may be the wanted one cannot be read.
    pub async fn pick(
        &self,
        choice: RevisionChoice,
        accept: &mut Accept<'_>,
    ) -> Result<Option<(Revision, Object)>, Error> {
        self.inspect().await?;
        self.history().pick(choice, accept).await
    }

    /// Writes the revision that is wanted, as `accept` made it, in the place of a document that is
    /// corrupt, lost as the policy says, or absent though it has a history. A corrupt
    /// document is first kept, durably, in quarantine. `accept` runs once per revision that is looked at, in every try.
    ///
    /// # Errors
    ///
    /// [`Error::not_found`] when nothing is lost, when nothing was ever stored, and when no
    /// revision is left to take; for a revision wanted by its number as [`VersionedDocument::pick`]; as
    /// [`VersionedDocument::update`] otherwise.
    pub async fn recover(
        &self,
        choice: RevisionChoice,
        accept: &mut Accept<'_>,
    ) -> Result<RecoveredDocument, Error> {
        match WRITES {
            true => recover(&self.reader, self.policy, choice, accept).await,
            false => Err(self.read_only()),
        }
    }

    /// Writes this in the place of a document that is corrupt or absent, and that has no history. A corrupt one
    /// is first kept, durably, in quarantine; returns where, as messages show paths.
    ///
    /// # Errors
    ///
    /// [`Error::not_found`] where there is a document that can be read; as [`VersionedDocument::update`] otherwise.
    #[cfg(threads)]
    pub async fn replace(&self, next: DocumentWrite) -> Result<Option<String>, Error> {
        replace(&self.reader, self.policy, next).await
    }

    /// Keeps a durable copy, in quarantine, of bytes that belong to this document and are damaged; returns where,
    /// as messages show paths. It stays for as long as the document does. Its name begins with a label.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`].
    #[cfg(threads)]
    pub async fn quarantine(&self, label: &str, bytes: &[u8]) -> Result<String, Error> {
        let DocumentReader { io, folder, paths } = &self.reader;
        prepare(io, folder, paths, self.policy.durability).await?;
        let id = new_id(io).await?;
        let copy = quarantine(&self.reader, label, bytes, &id).await?;
        Ok(folder.shown(&copy))
    }

    /// Returns the place of that copy.
    #[cfg(threads)]
    pub fn quarantined(&self, label: &str, bytes: &[u8]) -> String {
        let DocumentReader { folder, paths, .. } = &self.reader;
        let copy = [label, &copy_name(bytes)].concat();
        folder.shown(&paths.quarantined(&copy))
    }

    /// Removes all copies in quarantine, as far as that can be done.
    ///
    /// # Errors
    ///
    /// [`Error::io`], [`Error::unsafe_path`] where they cannot be listed.
    #[cfg(threads)]
    pub async fn forget_copies(&self) -> Result<(), Error> {
        let DocumentReader { io, folder, paths } = &self.reader;
        for name in self.reader.names(&paths.quarantine()).await? {
            // One that stays is removed by the next deletion.
            let _ = io.remove(folder.host(&paths.quarantined(&name))).await;
        }
        Ok(())
    }

    /// Removes from history what `retention` does not keep.
    ///
    /// # Errors
    ///
    /// [`Error::io`], [`Error::unsafe_path`] when history cannot be listed, or when a revision cannot
    /// be removed; the others are removed all the same.
    pub async fn prune(&self, retention: Retention) -> Result<Pruned, Error> {
        self.inspect().await?;
        let policy = RetentionPolicy {
            retention,
            ..self.policy
        };
        prune(&self.history(), policy).await
    }

    /// Puts a document into history under this number, durably. The present one is untouched, and one
    /// that is there already stays.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`], [`Error::too_large`].
    pub async fn add_to_history(
        &self,
        number: u64,
        mark: CommitMark,
        object: Object,
    ) -> Result<(), Error> {
        let DocumentReader { io, folder, paths } = &self.reader;
        prepare(io, folder, paths, Sync::Durable).await?;
        let id = new_id(io).await?;
        self.history().add(number, mark, object, &id).await
    }

    /// Returns the error that nothing can be written here.
    fn read_only(&self) -> Error {
        let path = self.shown();
        let message = format!("Cannot write {path}: here it is only shown");
        Error::io("create", path, message)
    }

    fn history(&self) -> History<'_> {
        History {
            reader: &self.reader,
        }
    }

    /// Refuses what is no folder on the way.
    async fn inspect(&self) -> Result<LocationState, Error> {
        let DocumentReader { io, folder, paths } = &self.reader;
        inspect(io, folder, paths, self.before).await
    }
}
