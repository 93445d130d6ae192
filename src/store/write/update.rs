//! One update of a document: the hint, the decision, the commit, and again where another writer was
//! faster.

use std::cell::RefCell;

use crate::digest;
use crate::effect::{Io, Sync, boxed};
use crate::error::Error;
use crate::json::Object;

use crate::store::keep::{History, RetentionPolicy, revisions};
use crate::store::location::{
    ASIDE, AccessPurpose, LocationState, PREPARING, REPLACED, Storage, inspect, prepare,
};
use crate::store::read::seal;
use crate::store::read::{
    Document, DocumentFileContent, DocumentReader, Stamp, check_size, check_written, content,
};

use super::commit::{Commit, left};
use super::deadline::Deadline;
use super::lease::{self, Lease};
#[cfg(threads)]
use super::next_revision::Replacement;
use super::next_revision::{Change, Decide, DocumentWrite, NextRevision};
use super::records;

/// The stored state after an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The document, with its revision and seal.
    pub object: Object,
    /// The state that it is.
    pub stamp: Stamp,
    /// True if this update wrote it.
    pub changed: bool,
    /// The document that it replaced, or that was kept.
    pub before: Option<Box<Document>>,
    /// True if the store had written this document before this update.
    pub had_side: bool,
}

/// See [`super::VersionedDocument::update`].
pub(in crate::store) async fn update(
    reader: &DocumentReader<'_>,
    policy: RetentionPolicy,
    base: Option<&Stamp>,
    decide: &mut Decide<'_>,
) -> Result<Box<Committed>, Error> {
    let DocumentReader { io, folder, paths } = reader;
    let state = inspect(io, folder, paths, AccessPurpose::Writing).await?;
    check_size(folder, paths, state.document.size)?;
    write(
        reader,
        policy,
        &state,
        NextRevision::Change { base, decide },
    )
    .await
}

/// See [`super::VersionedDocument::update_found`].
#[cfg(threads)]
pub(in crate::store) async fn update_found(
    reader: &DocumentReader<'_>,
    policy: RetentionPolicy,
    found: Option<Box<Document>>,
    decide: &mut Decide<'_>,
) -> Result<Box<Committed>, Error> {
    let id = new_id(reader.io).await?;
    let mut writer = UpdateWriter {
        reader,
        policy,
        deadline: deadline(reader.io, &id),
        next_revision: NextRevision::Change { base: None, decide },
        found,
    };
    writer.run(id, false).await
}

/// See [`super::VersionedDocument::replace`].
#[cfg(threads)]
pub(in crate::store) async fn replace(
    reader: &DocumentReader<'_>,
    policy: RetentionPolicy,
    next: DocumentWrite,
) -> Result<Option<String>, Error> {
    let DocumentReader { io, folder, paths } = reader;
    let state = inspect(io, folder, paths, AccessPurpose::Writing).await?;
    check_size(folder, paths, state.document.size)?;
    let mut quarantined = None;
    let replacement = Replacement {
        write: next,
        quarantined: &mut quarantined,
    };
    let next_revision = NextRevision::Replace(replacement);
    write(reader, policy, &state, next_revision).await?;
    Ok(quarantined)
}

/// Writes the next revision. The document's size has been checked.
pub(in crate::store) async fn write<'a>(
    reader: &'a DocumentReader<'a>,
    policy: RetentionPolicy,
    state: &LocationState,
    next_revision: NextRevision<'a>,
) -> Result<Box<Committed>, Error> {
    let DocumentReader { io, folder, paths } = reader;
    if !state.is_prepared {
        prepare(io, folder, paths, policy.durability).await?;
    }
    let id = new_id(io).await?;
    let mut writer = UpdateWriter {
        reader,
        policy,
        deadline: deadline(io, &id),
        next_revision,
        #[cfg(threads)]
        found: None,
    };
    let mut committed = writer.run(id, state.is_awaited).await?;
    committed.had_side = state.has_side;
    Ok(committed)
}

fn deadline<'a>(io: &'a Io, id: &str) -> Deadline<'a> {
    let chance = u32::from_str_radix(&id[..8], 16).unwrap_or(1);
    Deadline::new(io, chance)
}

/// Returns the files that a dead writer may have left where no try looks: preparations that were
/// there before this writer began. One that is still there after a whole commit has no owner, or
/// one that will retry.
#[cold]
#[inline(never)]
async fn unfinished(reader: &DocumentReader<'_>) -> Vec<String> {
    let DocumentReader { io, folder, paths } = reader;
    let mut found = Vec::new();
    for (below, ending) in [
        (paths.quarantine(), PREPARING),
        (paths.side().to_owned(), ASIDE),
    ] {
        let looked = folder.expect_folders(io, &[folder.shown(&below)]).await;
        if looked.is_ok()
            && let Ok(names) = reader.names(&below).await
        {
            found.extend(left(&below, &names, ending));
        }
    }
    found
}

pub(in crate::store) async fn new_id(io: &Io) -> Result<String, Error> {
    match io.random(digest::ID_BYTES as u32).await {
        Ok(bytes) => Ok(digest::hex(&bytes)),
        Err(failed) => Err(failed.cannot_do("get random bytes")),
    }
}

/// The writer of an update. The steps of the protocol are in [`super::commit`].
struct UpdateWriter<'a> {
    reader: &'a DocumentReader<'a>,
    policy: RetentionPolicy,
    deadline: Deadline<'a>,
    next_revision: NextRevision<'a>,
    /// The record that the first try starts from, where it was read a moment ago: the swap compares it.
    #[cfg(threads)]
    found: Option<Box<Document>>,
}

/// The end of one try.
enum Try {
    Committed(Box<Committed>),
    /// Another writer was faster, or revoked the token.
    Overtaken,
}

impl UpdateWriter<'_> {
    /// Tries until a try is not overtaken; the hint is given back after each.
    async fn run(&mut self, mut id: String, is_awaited: bool) -> Result<Box<Committed>, Error> {
        let mut is_awaited = is_awaited;
        let mut left_over = Vec::new();
        loop {
            let lease = match self.reader.folder.storage() {
                Storage::Files => {
                    lease::acquire(self.reader, &id, is_awaited, &self.deadline).await?
                }
                Storage::Records => Lease::Without,
            };
            if let Lease::Held {
                after_dead_owner: true,
                ..
            } = lease
            {
                left_over = unfinished(self.reader).await;
            }
            let tried = self.attempt(&id).await;
            lease::release(self.reader, &lease, &id, &self.deadline).await;
            if let Try::Committed(committed) = tried? {
                for below in left_over {
                    let _ = self.reader.io.remove(self.reader.folder.host(&below)).await;
                }
                return Ok(committed);
            }
            self.deadline.wait(&self.reader.shown(), false).await?;
            id = new_id(self.reader.io).await?;
            is_awaited = false;
        }
    }

    /// The document that a try starts from, and the files that writers that died have left in history.
    async fn base(&mut self) -> Result<(DocumentFileContent, Vec<String>), Error> {
        #[cfg(threads)]
        if let Some(found) = self.found.take() {
            return Ok((DocumentFileContent::Document(found), Vec::new()));
        }
        let history = History {
            reader: self.reader,
        };
        let listed = history.names().await;
        let left = match &listed {
            Ok(names) => left(self.reader.paths.history(), names, REPLACED),
            Err(_) => Vec::new(),
        };
        let base = content(self.reader, listed.map(|names| revisions(&names))).await?;
        Ok((base, left))
    }

    async fn attempt(&mut self, id: &str) -> Result<Try, Error> {
        let (base, left) = self.base().await?;
        let history = History {
            reader: self.reader,
        };
        let DocumentWrite {
            mut object,
            mark,
            above,
            keeps,
            side_writes,
        } = match boxed(self.next_revision.next(self.reader, self.policy, id, &base)).await? {
            Change::Write(write) => write,
            Change::Keep => return self.keep(base).await.map(Try::Committed),
        };
        let revision = match &base {
            DocumentFileContent::Document(document) => document.stamp.revision + 1,
            // Where the document is lost, the newest one may be missing from history too. Lost once
            // more before a writer copied this one, its number comes again, under another seal.
            DocumentFileContent::Absent | DocumentFileContent::Corrupt { .. } => {
                match history.newest_revision().await? {
                    Some(newest) => newest + 2,
                    None => 1,
                }
            }
        };
        let revision = above.map_or(revision, |above| revision.max(above + 1));
        let (bytes, stamp) = seal::write_as(&mut object, revision, id, mark, keeps.layout());
        let DocumentReader { folder, paths, .. } = self.reader;
        check_written(folder, paths, bytes.len())?;

        if matches!(base, DocumentFileContent::Absent) && self.policy.durability == Sync::Durable {
            // The maker of the folders may have died before this.
            let DocumentReader { io, folder, .. } = self.reader;
            folder.sync_parents(io).await?;
        }
        let commit = Commit {
            reader: self.reader,
            policy: self.policy,
            deadline: &self.deadline,
            id,
            left: RefCell::new(left),
        };
        let committed = match self.reader.folder.storage() {
            Storage::Files => commit.run(&base, &stamp, bytes, keeps).await?,
            Storage::Records => {
                let next = records::NextRecord {
                    stamp: &stamp,
                    bytes,
                    keeps,
                    side_writes,
                };
                boxed(records::swap(&commit, &base, next)).await?
            }
        };
        if !committed {
            return Ok(Try::Overtaken);
        }
        Ok(Try::Committed(Box::new(Committed {
            object,
            stamp,
            changed: true,
            before: base.document(),
            had_side: true,
        })))
    }

    /// The state that was read may be another writer's commit that is not durable yet.
    #[cold]
    #[inline(never)]
    async fn keep(&self, base: DocumentFileContent) -> Result<Box<Committed>, Error> {
        if self.policy.durability == Sync::Durable {
            self.reader.folder.sync(self.reader.io, "").await?;
        }
        match base.document() {
            Some(document) => Ok(Box::new(Committed {
                object: document.stamped(),
                stamp: document.stamp.clone(),
                changed: false,
                before: Some(document),
                had_side: true,
            })),
            None => Err(Error::not_found(sentence!(
                "{} does not exist",
                self.reader.shown()
            ))),
        }
    }
}
