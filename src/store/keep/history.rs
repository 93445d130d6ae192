//! The revisions that were replaced.

use crate::digest;
use crate::effect::{Fault, Swap};
use crate::error::whole;
use crate::error::{Error, ErrorKind};
use crate::json::{self, Json, Object};
use crate::store::location::{REPLACED, SIDE, Storage};
use crate::store::read::seal::{self, CommitMark, Stamp};
use crate::store::read::{DocumentReader, Revision, check_written};
use crate::str_map;

/// A writer that commits takes a preparation beside it for a dead writer's; this is the number of
/// times that another may.
const SWEPT: u32 = 100;

/// The revision that is to take the document's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevisionChoice {
    /// The newest one below this number that is whole and accepted.
    Below(u64),
    /// The newest such one below the newest change that is below this number: heartbeats between
    /// them are passed over.
    BelowChange(u64),
    /// This one and no other.
    Exactly(u64),
}

/// Makes the document to write of a revision and what it holds, or says why it cannot be written.
pub type Accept<'a> = dyn FnMut(&Revision, Object) -> Result<Object, Error> + 'a;

/// The content of an entry of history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedContent {
    /// The document, whole.
    Whole(Object),
    /// The bytes are not those that were recorded.
    Altered,
}

pub(in crate::store) struct History<'a> {
    pub(in crate::store) reader: &'a DocumentReader<'a>,
}

impl History<'_> {
    /// Every name in history.
    pub(in crate::store) async fn names(&self) -> Result<Vec<String>, Error> {
        self.reader.names(self.reader.paths.history()).await
    }

    /// The stored revisions, in any order.
    pub(in crate::store) async fn stored(&self) -> Result<Vec<Revision>, Error> {
        self.names().await.map(|names| revisions(&names))
    }

    /// The stored revisions, where there can be any.
    pub(in crate::store) async fn listed(&self, has_side: bool) -> Result<Vec<Revision>, Error> {
        match has_side {
            true => self.stored().await,
            false => Ok(Vec::new()),
        }
    }

    /// The stored revisions, oldest first.
    pub(in crate::store) async fn revisions(&self) -> Result<Vec<Revision>, Error> {
        let mut revisions = self.stored().await?;
        // Digits of one length are in the order of their numbers.
        let padded: Vec<String> = revisions
            .iter()
            .map(|it| format!("{:016}-{}", it.number, it.fingerprint))
            .collect();
        let order = str_map::order(&padded.iter().map(String::as_str).collect::<Vec<_>>());
        Ok(order
            .into_iter()
            .map(|at| std::mem::take(&mut revisions[at]))
            .collect())
    }

    /// The highest number in history.
    pub(in crate::store) async fn newest_revision(&self) -> Result<Option<u64>, Error> {
        let kept = self.stored().await?;
        Ok(kept.iter().map(|revision| revision.number).max())
    }

    /// The newest revision that is whole. One that cannot be read is passed over: it says nothing
    /// about those before it.
    pub(in crate::store) async fn last_good(&self) -> Result<Option<u64>, Error> {
        for revision in self.revisions().await?.iter().rev() {
            if let Ok(Some(RecordedContent::Whole(_))) = self.read(revision).await {
                return Ok(Some(revision.number));
            }
        }
        Ok(None)
    }

    /// Returns one stored revision; `None` when it was pruned in between.
    pub(in crate::store) async fn read(
        &self,
        revision: &Revision,
    ) -> Result<Option<RecordedContent>, Error> {
        let below = self.reader.paths.entry(&revision.file());
        let Some(bytes) = self.reader.bytes_of(&below).await? else {
            return Ok(None);
        };
        if seal::fingerprint(&bytes) != revision.fingerprint {
            return Ok(Some(RecordedContent::Altered));
        }
        Ok(Some(
            match json::read(&bytes).map(|reading| reading.value) {
                Ok(Json::Object(object)) => RecordedContent::Whole(object),
                _ => RecordedContent::Altered,
            },
        ))
    }

    /// Returns the revision that is wanted, with its accepted content; `None` where none is
    /// below a number.
    pub(in crate::store) async fn pick(
        &self,
        choice: RevisionChoice,
        accept: &mut Accept<'_>,
    ) -> Result<Option<(Revision, Object)>, Error> {
        whole::needed()?;
        let mut refused = None;
        let mut is_below_change = false;
        for revision in self.revisions().await?.into_iter().rev() {
            let number = revision.number;
            let fits = match choice {
                RevisionChoice::Below(limit) => number < limit,
                RevisionChoice::BelowChange(limit) => {
                    let fits = is_below_change;
                    is_below_change |= number < limit && revision.mark == CommitMark::Change;
                    fits
                }
                RevisionChoice::Exactly(exact) => number == exact,
            };
            if !fits {
                continue;
            }
            let accepted = match self.read(&revision).await {
                // Pruned in between.
                Ok(None) => continue,
                Ok(Some(RecordedContent::Altered)) => {
                    let DocumentReader { folder, paths, .. } = self.reader;
                    Err(altered(
                        folder.shown(&paths.entry(&revision.file())),
                        &revision,
                    ))
                }
                Ok(Some(RecordedContent::Whole(object))) => accept(&revision, object),
                // It may be what is wanted, so that an older one is never taken in its place unseen.
                Err(error) => return Err(unread(error, choice)),
            };
            match accepted {
                Ok(object) => return Ok(Some((revision, object))),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match choice {
            RevisionChoice::Below(_) | RevisionChoice::BelowChange(_) => Ok(None),
            RevisionChoice::Exactly(number) => Err(refused.unwrap_or_else(|| not_kept(number))),
        }
    }

    /// The document of this state, if history still has it.
    pub(in crate::store) async fn find(&self, stamp: &Stamp) -> Result<Option<Object>, Error> {
        let revision = Revision::of(stamp);
        if !digest::is_id(&revision.fingerprint) {
            return Ok(None);
        }
        match self.read(&revision).await? {
            Some(RecordedContent::Whole(object)) => Ok(Some(object)),
            _ => Ok(None),
        }
    }

    /// Puts a document into history under this number. `id` is unique.
    pub(in crate::store) async fn add(
        &self,
        number: u64,
        mark: CommitMark,
        mut object: Object,
        id: &str,
    ) -> Result<(), Error> {
        let DocumentReader { io, folder, paths } = self.reader;
        let (bytes, stamp) = seal::write(&mut object, number, id, mark);
        check_written(folder, paths, bytes.len())?;
        let entry = paths.entry(&Revision::of(&stamp).file());
        // A document has the same entry, no matter which commit sealed it.
        if folder.storage() == Storage::Records {
            let swap = Swap {
                record: folder.host(&entry),
                expected: None,
                bytes: Some(bytes),
                keep: None,
                side_writes: Vec::new(),
            };
            return match io.swap_record(swap).await {
                Err(failed) if failed.fault != Fault::Changed => {
                    Err(folder.error("write", &entry, &failed))
                }
                _ => Ok(()),
            };
        }
        let preparing = paths.entry(&format!("{id}{REPLACED}"));
        let mut kept = folder.put(io, &bytes, &preparing, &entry).await;
        for _ in 0..SWEPT {
            match &kept {
                Err(failed) if failed.fault == Fault::NotFound => {}
                _ => break,
            }
            kept = folder.put(io, &bytes, &preparing, &entry).await;
        }
        if let Err(failed) = kept {
            // Left over, it takes space; a later writer removes it.
            let _ = io.remove(folder.host(&preparing)).await;
            return Err(folder.error("write", &entry, &failed));
        }
        self.make_durable().await
    }

    /// Makes the names in history durable, and those of the folders on the way to it: their maker
    /// may have died before they were.
    pub(in crate::store) async fn make_durable(&self) -> Result<(), Error> {
        let DocumentReader { io, folder, paths } = self.reader;
        let mut parts = vec!["", SIDE, paths.side(), paths.own()];
        // Most names are their own side folder.
        parts.dedup();
        for part in parts {
            folder.sync(io, part).await?;
        }
        folder.sync(io, paths.history()).await
    }
}

/// The revisions among the names in history.
pub(in crate::store) fn revisions(names: &[String]) -> Vec<Revision> {
    let revisions = names.iter().filter_map(|name| Revision::of_file(name));
    revisions.collect()
}

/// An entry that could not be read.
fn unread(error: Error, choice: RevisionChoice) -> Error {
    let message = sentence!("{error}; an older revision is taken if it is asked for by its number");
    match (error.into_kind(), choice) {
        (
            ErrorKind::Io { effect, path, .. },
            RevisionChoice::Below(_) | RevisionChoice::BelowChange(_),
        ) => Error::io(effect, path, message),
        (kind, _) => kind.into(),
    }
}

/// The error for an entry at this path that does not hold what was recorded.
pub(in crate::store) fn altered(entry: String, revision: &Revision) -> Error {
    let reason = sentence!(
        "its digest does not hold: it is not what was kept as revision {}",
        revision.number
    );
    Error::corrupt(entry, reason, None)
}

/// A revision that history does not have.
fn not_kept(number: u64) -> Error {
    ErrorKind::NotKept(number).into()
}
