//! The commit protocol of one document: revoke the other tokens, then read again, then rename.
//!
//! A token is the right to commit, and holds the bytes to commit. The ten steps, each with its
//! effect and with the files that a death there leaves beside those of the steps before:
//!
//! 1. **Prepare.** Missing folders are made, and no folder on the way is a link. Leaves: folders.
//! 2. **Wait.** `lock`, the hint that keeps writers apart, is created. Leaves: `lock`, which the
//!    next writer takes over once it was unchanged for 2 s.
//! 3. **Decide.** The document is read, and the caller makes the next one. Leaves: nothing more.
//! 4. **Write.** The new bytes are written into `tokens/ID.new` and synced. Leaves: that file, which
//!    the next commit removes.
//! 5. **Make the token.** The file is renamed to `tokens/ID`. Leaves: the token, which the next
//!    writer revokes.
//! 6. **Revoke.** Every other token is removed, until a clean listing shows only `ID`. Leaves:
//!    nothing more; a writer whose token was removed begins again.
//! 7. **Read again.** The document gets a second name, `history/ID.tmp`, and is read there. Leaves:
//!    that name, which the next commit removes.
//! 8. **Keep.** The second name becomes `history/REVISION-FINGERPRINT.json`. Leaves: an entry in
//!    history of the revision that is still the current one.
//! 9. **Commit.** The token is renamed over the document, which uses up the right and publishes the
//!    bytes in one step. Leaves: the new document, or after a loss of power perhaps the old one.
//! 10. **Settle.** The folder is synced, the new bytes are copied into history, and leftovers and the
//!     lock are removed; then the change is acknowledged. Leaves: the new document, durable once the
//!     sync has returned.
//!
//! Steps 1 to 3, and the removal of the lock, are in `update.rs`, `lease.rs` and `next_revision.rs`; the
//! others are here. A writer that is overtaken in steps 5 to 9 drops its token and begins again at
//! step 2.
//!
//! **Nothing is lost.** Suppose A commits before B, and B's second read came before A's commit. B's
//! clean listing came before that read. A's token exists from its making to A's commit. Either it
//! existed when B's clean listing began, and was in it, so the listing was not clean; or it was made
//! later, and then A's listing, later still, shows B's token, which exists until B commits after A.
//! Each contradicts. Needed: renames and removals of one name are serialized; a listing returns every
//! name that is there for its whole duration; token names are unique. No lock, clock or process id.

use crate::digest;
use std::cell::RefCell;

use crate::effect::{Access, Failed, Fault, Sync, boxed};
use crate::error::{Error, ErrorKind, Written};
use crate::json::Json;

use crate::store::keep::{History, PRUNE_EVERY, RetentionPolicy, prune};
use crate::store::location::{
    LISTING_WAIT_MS, LISTINGS, MAX_NAMES, PREPARING, REPLACED, while_shared,
};
use crate::store::read::{DocumentFileContent, DocumentReader, Revision, Stamp, seal};

use super::deadline::Deadline;
use super::next_revision::Keep;

/// One try to commit. Its id is unique, and names its token.
pub(super) struct Commit<'a> {
    pub(super) reader: &'a DocumentReader<'a>,
    pub(super) policy: RetentionPolicy,
    pub(super) deadline: &'a Deadline<'a>,
    pub(super) id: &'a str,
    /// The names that other writers prepare, or died with, in the listings of this try. A writer
    /// that still needs one when this try has committed read the document before that, and has to
    /// begin again.
    pub(super) left: RefCell<Vec<String>>,
}

/// The result of the second read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    /// The document is not the base any more.
    Overtaken,
    /// It is the base, which is nothing that history keeps: corrupt, or still absent.
    NoRevision,
    /// It is the base, which has a second name in history now.
    Linked,
    /// It is the base, of which a copy is in history now.
    Copied,
}

impl Commit<'_> {
    /// Runs steps 4 to 10. `false`: another writer was faster.
    pub(super) async fn run(
        &self,
        base: &DocumentFileContent,
        stamp: &Stamp,
        bytes: Vec<u8>,
        keeps: Keep,
    ) -> Result<bool, Error> {
        if !self.make_token(bytes.clone()).await? {
            return Ok(false);
        }
        let committed = boxed(self.commit_token(base, stamp, keeps)).await;
        if !matches!(committed, Ok(true)) {
            self.drop_token().await;
            return committed;
        }
        self.settle(stamp, bytes, keeps).await?;
        Ok(true)
    }

    /// Steps 4 and 5: the slow part, the fsync, comes before the token exists, so that a slow disk
    /// does not make writers revoke each other for ever. `false`: it took so long that another
    /// writer swept it away.
    async fn make_token(&self, bytes: Vec<u8>) -> Result<bool, Error> {
        let preparing = self.reader.paths.token(&format!("{}{PREPARING}", self.id));
        let token = self.reader.paths.token(self.id);
        let DocumentReader { io, folder, .. } = self.reader;
        let made = io
            .create(
                self.host(&preparing),
                bytes,
                self.policy.durability,
                Access::Owner,
            )
            .await;
        let rename = || io.rename(self.host(&preparing), self.host(&token));
        let failed = match made {
            Ok(()) => match while_shared(io, rename).await {
                Ok(()) => return Ok(true),
                Err(Failed {
                    fault: Fault::NotFound,
                    ..
                }) => return Ok(false),
                Err(failed) => failed,
            },
            Err(failed) => failed,
        };
        // A file whose fsync failed is never used again.
        let _ = io.remove(self.host(&preparing)).await;
        Err(folder.error("write", &preparing, &failed))
    }

    /// Steps 6 to 9. `false`: another writer was faster.
    async fn commit_token(
        &self,
        base: &DocumentFileContent,
        stamp: &Stamp,
        keeps: Keep,
    ) -> Result<bool, Error> {
        if !self.revoke_others().await? {
            return Ok(false);
        }
        let again = self.read_again(base, keeps).await?;
        if again == Again::Overtaken {
            return Ok(false);
        }
        Ok(self.keep_replaced(base, again, keeps).await?
            && self.rename_over(stamp, base, keeps).await?)
    }

    /// Step 6. `false`: the own token is gone.
    async fn revoke_others(&self) -> Result<bool, Error> {
        let tokens = self.reader.paths.tokens();
        let mut spoiled = 0;
        loop {
            // Each listing opens the folder again, by its path.
            let listing = match self.reader.io.list(self.host(&tokens), MAX_NAMES).await {
                Ok(listing) => listing,
                Err(failed) => return Err(self.reader.folder.error("list", &tokens, &failed)),
            };
            if listing.names.len() >= MAX_NAMES as usize {
                return Err(self.reader.folder.too_many(&tokens, MAX_NAMES));
            }
            let others: Vec<String> = listing
                .names
                .iter()
                .filter(|name| digest::is_id(name) && *name != self.id)
                .map(|name| self.reader.paths.token(name))
                .collect();
            let clean = listing.complete && others.is_empty();
            if !others.is_empty() {
                self.remove(&others).await?;
            }
            // A successful removal proves nothing; only a listing without others does.
            if clean {
                let left = left(&tokens, &listing.names, PREPARING);
                self.left.borrow_mut().extend(left);
                return Ok(listing.names.iter().any(|name| name == self.id));
            }
            self.list_again(&tokens, spoiled).await?;
            if !listing.complete {
                spoiled += 1;
                let waited = self.reader.io.wait(LISTING_WAIT_MS).await;
                waited.map_err(|failed| self.reader.folder.error("list", &tokens, &failed))?;
            }
        }
    }

    /// Takes the right to commit from these tokens.
    #[cold]
    #[inline(never)]
    async fn remove(&self, tokens: &[String]) -> Result<(), Error> {
        let DocumentReader { io, folder, .. } = self.reader;
        folder.expect_files(io, tokens).await?;
        for token in tokens {
            match while_shared(io, || io.remove(self.host(token))).await {
                Ok(())
                | Err(Failed {
                    fault: Fault::NotFound,
                    ..
                }) => {}
                Err(failed) => return Err(folder.error("remove", token, &failed)),
            }
        }
        Ok(())
    }

    /// Refuses another listing after the deadline; so many did not come to their end.
    #[cold]
    #[inline(never)]
    async fn list_again(&self, tokens: &str, spoiled: u32) -> Result<(), Error> {
        let in_time = self.deadline.check(&self.reader.shown()).await;
        in_time.map_err(|busy| match spoiled < LISTINGS {
            true => busy,
            false => self.reader.folder.not_whole(tokens),
        })
    }

    /// Step 7: gives the document a second name in history and reads it there, so that what is
    /// compared is what will be kept. Corrupt bytes are no revision, and are in quarantine already;
    /// what keeps no history is read where it is.
    async fn read_again(&self, base: &DocumentFileContent, keeps: Keep) -> Result<Again, Error> {
        let DocumentReader { io, paths, .. } = self.reader;
        if keeps.is_nothing() || matches!(base, DocumentFileContent::Corrupt { .. }) {
            return self.read_in_place(base).await;
        }
        let link = paths.entry(&format!("{}{REPLACED}", self.id));
        let linked = match (keeps, base) {
            // Another name would leave bytes in the air that a hand or a lazy writer wrote.
            (Keep::Durably, DocumentFileContent::Document(_)) => Err(None),
            _ => {
                let linked = io.link(self.host(&paths.document), self.host(&link)).await;
                linked.map_err(|failed| Some(failed.fault))
            }
        };
        let DocumentFileContent::Document(base) = base else {
            if linked.is_ok() {
                let _ = io.remove(self.host(&link)).await;
                return Ok(Again::Overtaken);
            }
            return Ok(match self.reader.bytes().await? {
                None => Again::NoRevision,
                Some(_) => Again::Overtaken,
            });
        };
        let (again, read) = match linked {
            Ok(()) => (self.reader.bytes_of(&link).await, Again::Linked),
            Err(Some(Fault::NotFound)) => (Ok(None), Again::Overtaken),
            // No links here: read the document itself, and keep a copy.
            Err(_) => (self.copy_document(&link).await, Again::Copied),
        };
        if matches!(&again, Ok(Some(bytes)) if *bytes == base.bytes) {
            return Ok(read);
        }
        let _ = io.remove(self.host(&link)).await;
        again.map(|_| Again::Overtaken)
    }

    #[cold]
    #[inline(never)]
    async fn read_in_place(&self, base: &DocumentFileContent) -> Result<Again, Error> {
        let again = self.reader.bytes().await?;
        Ok(match again.as_deref() == base.bytes() {
            true => Again::NoRevision,
            false => Again::Overtaken,
        })
    }

    /// Step 8: the bytes that were read again take their place in history. `false`: another writer
    /// swept them away.
    async fn keep_replaced(
        &self,
        base: &DocumentFileContent,
        again: Again,
        keeps: Keep,
    ) -> Result<bool, Error> {
        let DocumentFileContent::Document(base) = base else {
            return Ok(true);
        };
        if keeps.is_nothing() {
            return Ok(true);
        }
        let DocumentReader { io, folder, paths } = self.reader;
        let link = paths.entry(&format!("{}{REPLACED}", self.id));
        let entry = paths.entry(&Revision::of(&base.stamp).file());
        // Where the entry is a link to the document already, from a try that ended after this
        // step, renaming one name of a file over another leaves both: the next writer to commit
        // finds this one in its listing, and removes it.
        match io.rename(self.host(&link), self.host(&entry)).await {
            Ok(()) => {}
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => return Ok(false),
            Err(failed) => {
                let _ = io.remove(self.host(&link)).await;
                return Err(folder.error("write", &entry, &failed));
            }
        }
        if self.policy.durability == Sync::Durable && keeps == Keep::Durably {
            let history = History {
                reader: self.reader,
            };
            history.make_durable().await?;
        } else if self.policy.durability == Sync::Durable && again == Again::Copied {
            folder.sync(io, paths.history()).await?;
        }
        Ok(true)
    }

    /// Copies the document where there are no links, and returns its bytes; `None` when it is absent.
    #[cold]
    #[inline(never)]
    async fn copy_document(&self, to: &str) -> Result<Option<Vec<u8>>, Error> {
        let DocumentReader { io, folder, .. } = self.reader;
        let Some(bytes) = self.reader.bytes().await? else {
            return Ok(None);
        };
        match io
            .create(
                self.host(to),
                bytes.clone(),
                self.policy.durability,
                Access::Owner,
            )
            .await
        {
            Ok(()) => Ok(Some(bytes)),
            Err(failed) => Err(folder.error("write", to, &failed)),
        }
    }

    /// Step 9. `false`: the token was revoked.
    async fn rename_over(
        &self,
        stamp: &Stamp,
        base: &DocumentFileContent,
        keeps: Keep,
    ) -> Result<bool, Error> {
        let DocumentReader { io, paths, .. } = self.reader;
        let token = self.host(&paths.token(self.id));
        let document = self.host(&paths.document);
        let renamed = while_shared(io, || io.rename(token.clone(), document.clone())).await;
        let failed = match renamed {
            Ok(()) => return Ok(true),
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => return Ok(false),
            Err(failed) => failed,
        };
        self.is_stored_though(stamp, &failed, base, keeps).await
    }

    /// Returns whether a commit is there though the host says that it failed.
    #[cold]
    #[inline(never)]
    pub(super) async fn is_stored_though(
        &self,
        stamp: &Stamp,
        failed: &Failed,
        base: &DocumentFileContent,
        keeps: Keep,
    ) -> Result<bool, Error> {
        let DocumentReader { folder, paths, .. } = self.reader;
        let error = folder.error("write", &paths.document, failed);
        match self.is_stored(stamp, base, keeps).await {
            Ok(true) => Ok(true),
            Ok(false) => Err(error),
            Err(why) => {
                let revision = stamp.revision;
                let message =
                    format!("{error}; whether revision {revision} is written is unknown: {why}");
                let path = folder.shown(&paths.document);
                Err(Error::io(failed.effect, path, message).with_written(Written::Unknown))
            }
        }
    }

    /// The host does not know, the document does, or history where yet another writer followed.
    async fn is_stored(
        &self,
        stamp: &Stamp,
        base: &DocumentFileContent,
        keeps: Keep,
    ) -> Result<bool, Error> {
        let stored = self.reader.bytes().await?;
        if stored.as_deref().and_then(seal::holding) == Some(stamp.seal.as_str()) {
            return Ok(true);
        }
        if keeps.is_nothing() {
            // Without a history, what replaced this commit looks like what came in its place.
            return match stored.as_deref() == base.bytes() {
                true => Ok(false),
                false => Err(Error::busy(self.reader.shown())),
            };
        }
        let history = History {
            reader: self.reader,
        };
        // Another commit of the same content has the same entry.
        let kept = history.find(stamp).await?;
        let seal = kept.as_ref().and_then(|object| object.get("seal"));
        Ok(seal.and_then(Json::as_str) == Some(stamp.seal.as_str()))
    }

    /// Step 10: only after this is the change acknowledged.
    async fn settle(&self, stamp: &Stamp, bytes: Vec<u8>, keeps: Keep) -> Result<(), Error> {
        let DocumentReader { io, paths, .. } = self.reader;
        if self.policy.durability == Sync::Durable {
            self.reader
                .folder
                .sync(self.reader.io, "")
                .await
                .map_err(|error| not_durable(error, stamp.revision))?;
        }
        if !keeps.is_nothing() {
            // The next writer replaces this copy by a link to the durable document.
            let entry = paths.entry(&Revision::of(stamp).file());
            let _ = io
                .create(self.host(&entry), bytes, Sync::Lazy, Access::Owner)
                .await;
        }
        if !keeps.is_nothing() && stamp.revision.is_multiple_of(PRUNE_EVERY) {
            let history = History {
                reader: self.reader,
            };
            let _ = prune(&history, self.policy).await;
        }
        for below in self.left.take() {
            let _ = io.remove(self.host(&below)).await;
        }
        Ok(())
    }

    fn host(&self, below: &str) -> String {
        self.reader.folder.host(below)
    }

    async fn drop_token(&self) {
        let _ = self
            .reader
            .io
            .remove(self.host(&self.reader.paths.token(self.id)))
            .await;
    }
}

/// Returns the files that writers prepare in a folder, or left there: the names of its listing that
/// have this ending.
pub(super) fn left(folder: &str, names: &[String], ending: &str) -> Vec<String> {
    names
        .iter()
        .filter(|name| name.strip_suffix(ending).is_some_and(digest::is_id))
        .map(|name| format!("{folder}/{name}"))
        .collect()
}

/// A commit that was made, and could not be made durable.
#[cold]
#[inline(never)]
fn not_durable(error: Error, revision: u64) -> Error {
    let message = format!(
        "{error}; revision {revision} is written, but whether it survives a power loss is unknown"
    );
    let error = match error.into_kind() {
        ErrorKind::Io { effect, path, .. } => Error::io(effect, path, message),
        kind => kind.into(),
    };
    error.with_written(Written::Yes)
}
