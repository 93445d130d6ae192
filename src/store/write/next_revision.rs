//! The document that takes the place of the one that a writer finds: the caller's change, or a
//! revision from history.

use crate::effect::SideWrite;
use crate::error::{Code, Error};
use crate::json::Object;

use crate::error::whole;
use crate::store::keep::{Accept, History, RetentionPolicy, RevisionChoice, quarantine};
use crate::store::read::{CommitMark, Document, DocumentFileContent, DocumentReader, Stamp};

/// The document that an update starts from.
#[derive(Clone, Copy, Debug)]
pub struct Current<'a> {
    /// `None` for an absent one.
    pub document: Option<&'a Document>,
    /// The document that stands for an absent one, if it is there.
    pub tombstone: Option<&'a Document>,
    /// The state that the caller's change is based on, where that is an earlier one and history
    /// still has it.
    pub base: Option<&'a Object>,
}

/// The caller's change of the current document.
#[derive(Clone, Debug)]
pub enum Change {
    /// Commit this.
    Write(DocumentWrite),
    /// The document is as it should be.
    Keep,
}

/// The document to commit.
#[derive(Clone, Debug)]
pub struct DocumentWrite {
    /// The document; its revision and seal are filled in.
    pub object: Object,
    /// The mark of a change or a heartbeat.
    pub mark: CommitMark,
    /// The new revision is greater than this one, too.
    pub above: Option<u64>,
    /// The treatment of the revision that it replaces.
    pub keeps: Keep,
    /// The changes of other records in the same step. Among files there is no such step.
    pub side_writes: Vec<SideWrite>,
}

/// The ways to keep the revision that a commit replaces in history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It is there when the commit is acknowledged, and durable where renames become durable in
    /// their order.
    AsUsual,
    /// It is durable before the commit.
    Durably,
    /// It is not kept: for a document that says no more than where other things are, and has no
    /// history.
    Nothing,
}

impl Keep {
    /// Returns whether there is no history. The wasm of hooks has no such document.
    pub(in crate::store) fn is_nothing(self) -> bool {
        cfg!(threads) && self == Keep::Nothing
    }

    /// Returns the layout of the document. One without a history says where other things are, is written at each of
    /// their changes, and is for no reader's eyes.
    pub(in crate::store) fn layout(self) -> fn(&Object) -> String {
        #[cfg(threads)]
        if self.is_nothing() {
            return Object::to_members;
        }
        Object::to_document
    }
}

impl Change {
    /// Commits this document as an ordinary change.
    pub fn write(object: Object) -> Self {
        Change::Write(DocumentWrite::new(object))
    }
}

impl DocumentWrite {
    /// An ordinary change.
    pub fn new(object: Object) -> Self {
        DocumentWrite {
            object,
            mark: CommitMark::Change,
            above: None,
            keeps: Keep::AsUsual,
            side_writes: Vec::new(),
        }
    }
}

/// Computes the next document from the current one.
pub type Decide<'a> = dyn FnMut(&Current<'_>) -> Result<Change, Error> + 'a;

/// The document that takes the place of the one that a writer finds.
pub(in crate::store) enum NextRevision<'a> {
    /// The caller's change of the document; nothing replaces a corrupt one.
    Change {
        base: Option<&'a Stamp>,
        decide: &'a mut Decide<'a>,
    },
    /// A revision from history; nothing replaces a document that can be read.
    Recover(Recovery<'a>),
    /// A document without a history, for one that is corrupt or absent.
    #[cfg(threads)]
    Replace(Replacement<'a>),
}

impl NextRevision<'_> {
    /// Returns the document to take the place of the one that was found.
    pub(in crate::store) async fn next(
        &mut self,
        reader: &DocumentReader<'_>,
        policy: RetentionPolicy,
        id: &str,
        found: &DocumentFileContent,
    ) -> Result<Change, Error> {
        let history = History { reader };
        let (base, decide) = match self {
            NextRevision::Recover(recovery) => {
                return recovery.next(&history, policy, id, found).await;
            }
            #[cfg(threads)]
            NextRevision::Replace(replacement) => {
                return replacement.next(reader, id, found).await;
            }
            NextRevision::Change { base, decide } => (*base, decide),
        };
        let document = match found {
            DocumentFileContent::Corrupt { bytes, reason } => {
                whole::needed()?;
                return Err(corrupt(&history, id, bytes, reason.clone()).await);
            }
            DocumentFileContent::Document(document) => Some(&**document),
            DocumentFileContent::Absent => None,
        };
        let is_tombstone = |it: &&Document| (policy.is_tombstone)(&it.object);
        let tombstone = document.filter(is_tombstone);
        let document = document.filter(|it| !is_tombstone(it));
        // The state that the change is based on, where that is not the current one.
        let earlier = match (base, document) {
            (Some(base), Some(document)) if *base != document.stamp => history.find(base).await?,
            _ => None,
        };
        decide(&Current {
            document,
            tombstone,
            base: earlier.as_ref(),
        })
    }
}

/// The caller gets the error of a corrupt document, with a copy of it kept or not.
async fn corrupt(history: &History<'_>, id: &str, bytes: &[u8], mut reason: String) -> Error {
    if let Err(error) = quarantine(history.reader, "", bytes, id).await {
        if error.code() == Code::UnsafePath {
            return error;
        }
        reason = sentence!("{reason}; no copy was kept: {error}");
    }
    let last_good = history.last_good().await.unwrap_or_default();
    Error::corrupt(history.reader.shown(), reason, last_good)
}

/// The revision that is to take the document's place.
pub(in crate::store) struct Recovery<'a> {
    pub(in crate::store) choice: RevisionChoice,
    pub(in crate::store) accept: &'a mut Accept<'a>,
    pub(in crate::store) taken: &'a mut RecoveryAttempt,
}

/// The document that is to take the place of one that is corrupt or absent.
#[cfg(threads)]
pub(in crate::store) struct Replacement<'a> {
    pub(in crate::store) write: DocumentWrite,
    /// The place where the latest try has kept corrupt bytes.
    pub(in crate::store) quarantined: &'a mut Option<String>,
}

#[cfg(threads)]
impl Replacement<'_> {
    async fn next(
        &mut self,
        reader: &DocumentReader<'_>,
        id: &str,
        found: &DocumentFileContent,
    ) -> Result<Change, Error> {
        *self.quarantined = match found {
            DocumentFileContent::Document(document) => return Err(sound(reader, document)),
            DocumentFileContent::Absent => None,
            DocumentFileContent::Corrupt { bytes, .. } => {
                let copy = quarantine(reader, "", bytes, id).await?;
                Some(reader.folder.shown(&copy))
            }
        };
        Ok(Change::Write(self.write.clone()))
    }
}

/// The result of the latest try.
#[derive(Default)]
pub(in crate::store) struct RecoveryAttempt {
    pub(in crate::store) from: u64,
    pub(in crate::store) quarantined: Option<String>,
}

impl Recovery<'_> {
    /// Returns the write that replaces the document that was found: first its copy, then its
    /// next revision.
    async fn next(
        &mut self,
        history: &History<'_>,
        policy: RetentionPolicy,
        id: &str,
        found: &DocumentFileContent,
    ) -> Result<Change, Error> {
        let reader = history.reader;
        self.taken.quarantined = match found {
            DocumentFileContent::Document(document) if !(policy.is_lost)(&document.object) => {
                return Err(sound(reader, document));
            }
            DocumentFileContent::Document(_) | DocumentFileContent::Absent => None,
            DocumentFileContent::Corrupt { bytes, .. } => {
                let copy = quarantine(history.reader, "", bytes, id).await?;
                Some(reader.folder.shown(&copy))
            }
        };
        let Some((from, object)) = history.pick(self.choice, self.accept).await? else {
            let copy = match &self.taken.quarantined {
                Some(copy) => sentence!("; the corrupt file was copied to {copy}"),
                None => String::new(),
            };
            return Err(Error::not_found(sentence!(
                "There is no good revision of {} to recover{copy}",
                reader.shown()
            )));
        };
        self.taken.from = from.number;
        Ok(Change::write(object))
    }
}

pub(in crate::store) fn sound(reader: &DocumentReader<'_>, document: &Document) -> Error {
    Error::not_found(sentence!(
        "There is nothing to recover: {} can be read, and is at revision {}",
        reader.shown(),
        document.stamp.revision
    ))
}
