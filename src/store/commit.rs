//! The commit protocol: revoke, then read.
//!
//! A token is the right to commit, and holds the bytes to commit. A writer makes its token, removes
//! every other one until a clean listing shows only its own, reads the document again, and renames
//! the token over the document. The rename uses up the right and publishes the bytes in one step.
//!
//! Why nothing is lost: suppose A commits before B, and B's second read came before A's commit. B's
//! clean listing came before that read. A's token exists from its making to A's commit. Either it
//! existed when B's clean listing began, and was in it, so the listing was not clean; or it was made
//! later, and then A's listing, later still, shows B's token, which exists until B commits after A.
//! Both contradict. Needed: renames and removals of one name are serialized; a listing returns every
//! name that is there for its whole duration; token names are unique. No lock, clock or process id.

use crate::effect::{Failed, Fault, Io, Kind, Sync};
use crate::error::{Code, Error};
use crate::json::{Json, Object};

use super::document::{Content, Document, Reader, check_size};
use super::folder::{ASIDE, Folder, LISTING_WAIT_MS, Paths};
use super::history::{History, MAX_NAMES, Revision, TRIM_EVERY};
use super::lock::{self, Hint};
use super::patience::Patience;
use super::seal::{self, ID_BYTES, Stamp};
use super::sharing::while_shared;
use super::{Current, Name};

/// Names of bytes that are being prepared end in this; they are no tokens yet.
const PREPARING: &str = ".new";

/// Names of the link through which the document is read again end in this.
const REPLACED: &str = ".tmp";

/// What the caller makes of the current document.
#[derive(Clone, Debug)]
pub enum Change {
    /// Commit this document; its revision and seal are filled in.
    Write(Object),
    /// The document is as it should be.
    Keep,
}

/// What is stored after an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The document, with its revision and seal.
    pub object: Object,
    /// Which state it is.
    pub stamp: Stamp,
    /// Whether this update wrote it.
    pub changed: bool,
    /// The document that it replaced, or that was kept.
    pub before: Option<Box<Document>>,
    /// Whether the store had written this document before this update.
    pub had_side: bool,
}

/// Computes the next document from the current one.
pub type Decide<'a> = dyn FnMut(&Current<'_>) -> Result<Change, Error> + 'a;

/// Reads the document, lets `decide` compute the next one, and commits that; begins again whenever
/// another writer was faster, so `decide` runs once per try. `base` names the state that the change
/// is based on, for [`Current::base`].
///
/// # Errors
///
/// What `decide` returns; [`Error::corrupt`] when the document is unreadable (a copy is kept in
/// quarantine); [`Error::busy`] at the deadline; [`Error::unsafe_path`], [`Error::too_large`],
/// [`Error::io`]. Nothing was written, except where [`Error::io`] says that the outcome is unknown
/// or that the commit could not be made durable.
pub async fn update(
    io: &Io,
    folder: &Folder,
    name: &Name,
    sync: Sync,
    base: Option<&Stamp>,
    decide: &mut Decide<'_>,
) -> Result<Box<Committed>, Error> {
    let paths = Paths::new(name);
    let reader = Reader {
        io,
        folder,
        paths: &paths,
    };
    let standing = folder.look(io, &paths).await?;
    check_size(folder, &paths, standing.document.size)?;
    if !standing.is_prepared {
        folder.prepare(io, &paths, sync).await?;
    }
    let id = new_id(io).await?;
    let chance = u32::from_str_radix(&id[..8], 16).unwrap_or(1);
    let patience = Patience::start(io, chance).await?;
    let mut writer = Writer {
        reader: &reader,
        sync,
        patience,
        base,
        decide,
    };
    let mut committed = writer.run(id, standing.is_awaited).await?;
    committed.had_side = standing.has_side;
    Ok(committed)
}

/// What a dead writer may have left: preparations that were there before this writer began. One
/// that is still there after a whole commit belongs to nobody, or to somebody who will try again.
async fn unfinished(reader: &Reader<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for (folder, ending) in [
        (reader.paths.tokens(), PREPARING),
        (reader.paths.history(), REPLACED),
        (reader.paths.side().to_owned(), ASIDE),
    ] {
        if let Ok(names) = (History { reader }).names(&folder).await {
            found.extend(
                names
                    .iter()
                    .filter(|name| name.strip_suffix(ending).is_some_and(seal::is_id))
                    .map(|name| format!("{folder}/{name}")),
            );
        }
    }
    found
}

async fn new_id(io: &Io) -> Result<String, Error> {
    match io.random(ID_BYTES as u32).await {
        Ok(bytes) => Ok(seal::hex(&bytes)),
        Err(failed) => Err(Error::io(format!(
            "Cannot get random bytes: {}",
            failed.detail
        ))),
    }
}

struct Writer<'a> {
    reader: &'a Reader<'a>,
    sync: Sync,
    patience: Patience<'a>,
    base: Option<&'a Stamp>,
    decide: &'a mut Decide<'a>,
}

/// How one try ended.
enum Try {
    Committed(Box<Committed>),
    /// Another writer was faster, or revoked the token.
    Overtaken,
}

impl Writer<'_> {
    /// Tries until a try is not overtaken; the hint is given back after each.
    async fn run(&mut self, mut id: String, is_awaited: bool) -> Result<Box<Committed>, Error> {
        let mut is_awaited = is_awaited;
        let mut left_over = Vec::new();
        loop {
            let hint = lock::acquire(self.reader, &id, is_awaited, &mut self.patience).await?;
            if let Hint::Held {
                after_dead_owner: true,
                ..
            } = hint
            {
                left_over = unfinished(self.reader).await;
            }
            let tried = self.attempt(&id).await;
            lock::release(self.reader, &hint, &id, &self.patience).await;
            if let Try::Committed(committed) = tried? {
                for below in left_over {
                    let _ = self.reader.io.remove(self.host(&below)).await;
                }
                return Ok(committed);
            }
            self.patience.wait(&self.shown()).await?;
            id = new_id(self.reader.io).await?;
            is_awaited = false;
        }
    }

    async fn attempt(&mut self, id: &str) -> Result<Try, Error> {
        let base = match self.reader.content(true).await? {
            Content::Corrupt { bytes, reason } => {
                return Err(self.corrupt(id, &bytes, reason).await);
            }
            Content::Document(document) => Some(document),
            Content::Absent => None,
        };
        let earlier = self.earlier(base.as_deref()).await?;
        let current = Current {
            document: base.as_deref(),
            base: earlier.as_ref(),
        };
        let mut object = match (self.decide)(&current)? {
            Change::Write(object) => object,
            Change::Keep => return self.keep(base).await.map(Try::Committed),
        };
        let revision = match &base {
            Some(document) => document.stamp.revision + 1,
            // Where the document is gone, the newest one may be missing from history too.
            None => match (History {
                reader: self.reader,
            })
            .newest_revision()
            .await?
            {
                Some(newest) => newest + 2,
                None => 1,
            },
        };
        let (bytes, stamp) = seal::write(&mut object, revision, id);
        self.check_written_size(&bytes)?;

        if base.is_none() && self.sync == Sync::Durable {
            // Whoever made the folders may not have come to this.
            let Reader { io, folder, .. } = self.reader;
            folder.sync_parents(io).await?;
        }
        if !self.make_token(id, bytes.clone()).await? {
            return Ok(Try::Overtaken);
        }
        let committed = self.commit_token(id, base.as_deref(), &stamp).await;
        match committed {
            Ok(true) => {}
            Ok(false) | Err(_) => {
                self.drop_token(id).await;
                return committed.map(|_| Try::Overtaken);
            }
        }
        self.settle(&stamp, bytes).await?;
        Ok(Try::Committed(Box::new(Committed {
            object,
            stamp,
            changed: true,
            before: base,
            had_side: true,
        })))
    }

    /// The state that the caller's change is based on, where that is not the current one.
    async fn earlier(&self, current: Option<&Document>) -> Result<Option<Object>, Error> {
        match (self.base, current) {
            (Some(base), Some(document)) if *base != document.stamp => {
                (History {
                    reader: self.reader,
                })
                .find(base)
                .await
            }
            _ => Ok(None),
        }
    }

    /// Steps 4 and 5: the slow part, the fsync, lies before the token exists, so that a slow disk
    /// does not make writers revoke each other for ever. `false`: it took so long that another
    /// writer swept it away.
    async fn make_token(&self, id: &str, bytes: Vec<u8>) -> Result<bool, Error> {
        let preparing = self.reader.paths.token(&format!("{id}{PREPARING}"));
        let token = self.reader.paths.token(id);
        let Reader { io, folder, .. } = self.reader;
        let made = io.create(self.host(&preparing), bytes, self.sync).await;
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
        id: &str,
        base: Option<&Document>,
        stamp: &Stamp,
    ) -> Result<bool, Error> {
        if !self.revoke_others(id).await? {
            return Ok(false);
        }
        if !self.read_again(id, base).await? {
            return Ok(false);
        }
        self.rename_over(id, stamp).await
    }

    /// Step 6. `false`: the own token is gone.
    async fn revoke_others(&self, id: &str) -> Result<bool, Error> {
        let tokens = self.reader.paths.tokens();
        let mut met_others = false;
        loop {
            // Each listing opens the folder anew, by its path.
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
                .filter(|name| seal::is_id(name) && *name != id)
                .map(|name| self.reader.paths.token(name))
                .collect();
            let clean = listing.complete && others.is_empty();
            if !others.is_empty() {
                met_others = true;
                self.reader
                    .folder
                    .expect_files(self.reader.io, &others)
                    .await?;
            }
            for token in &others {
                let io = self.reader.io;
                match while_shared(io, || io.remove(self.host(token))).await {
                    Ok(())
                    | Err(Failed {
                        fault: Fault::NotFound,
                        ..
                    }) => {}
                    Err(failed) => return Err(self.reader.folder.error("remove", token, &failed)),
                }
            }
            // A successful removal proves nothing; only a listing without others does.
            if clean {
                return Ok(listing.names.iter().any(|name| name == id));
            }
            let in_time = self.patience.check(&self.shown()).await;
            in_time.map_err(|busy| match met_others {
                true => busy,
                false => self.reader.folder.not_whole(&tokens),
            })?;
            if !listing.complete {
                let waited = self.reader.io.wait(LISTING_WAIT_MS).await;
                waited.map_err(|failed| self.reader.folder.error("list", &tokens, &failed))?;
            }
        }
    }

    /// Steps 7 and 8: takes the replaced revision into history and reads it there, so that what
    /// was compared is what is kept. `false`: the document is not the base any more.
    async fn read_again(&self, id: &str, base: Option<&Document>) -> Result<bool, Error> {
        let Reader { io, folder, paths } = self.reader;
        let link = paths.entry(&format!("{id}{REPLACED}"));
        let linked = io.link(self.host(&paths.document), self.host(&link)).await;
        let Some(base) = base else {
            if linked.is_ok() {
                let _ = io.remove(self.host(&link)).await;
                return Ok(false);
            }
            return Ok(self.reader.bytes().await?.is_none());
        };
        let again = match linked {
            Ok(()) => self.reader.bytes_of(&link).await,
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => Ok(None),
            // No links here: read the document itself, and keep a copy.
            Err(_) => self.copy_document(&link).await,
        };
        if !matches!(&again, Ok(Some(bytes)) if *bytes == base.bytes) {
            let _ = io.remove(self.host(&link)).await;
            return again.map(|_| false);
        }
        let entry = paths.entry(&Revision::of(&base.stamp).file());
        let kept = io.rename(self.host(&link), self.host(&entry)).await;
        // Where the entry is a link to the document already, from a try that ended after this
        // step, renaming one name of a file over another leaves both.
        self.remove_if_there(&link).await;
        match kept {
            Ok(()) => {}
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => return Ok(false),
            Err(failed) => return Err(folder.error("write", &entry, &failed)),
        }
        let copied = linked.is_err();
        if self.sync == Sync::Durable && copied {
            self.sync_folder(&paths.history()).await?;
        }
        Ok(true)
    }

    /// Copies the document, and returns its bytes; `None` when it is absent.
    async fn copy_document(&self, to: &str) -> Result<Option<Vec<u8>>, Error> {
        let Reader { io, folder, .. } = self.reader;
        let Some(bytes) = self.reader.bytes().await? else {
            return Ok(None);
        };
        match io.create(self.host(to), bytes.clone(), self.sync).await {
            Ok(()) => Ok(Some(bytes)),
            Err(failed) => Err(folder.error("write", to, &failed)),
        }
    }

    /// Step 9. `false`: the token was revoked.
    async fn rename_over(&self, id: &str, stamp: &Stamp) -> Result<bool, Error> {
        let Reader { io, folder, paths } = self.reader;
        let token = self.host(&paths.token(id));
        self.patience.check(&self.shown()).await?;
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
        let error = folder.error("write", &paths.document, &failed);
        match self.is_stored(stamp).await {
            Ok(true) => Ok(true),
            Ok(false) => Err(error),
            Err(why) => Err(Error::io(format!(
                "{error}; whether revision {} is written is unknown: {why}",
                stamp.revision
            ))),
        }
    }

    /// Whether a commit whose rename failed happened all the same: the host does not know, the
    /// document does, or history where yet another writer followed.
    async fn is_stored(&self, stamp: &Stamp) -> Result<bool, Error> {
        let stored = self.reader.bytes().await?;
        if stored.as_deref().and_then(seal::holding) == Some(stamp.seal.as_str()) {
            return Ok(true);
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
    async fn settle(&self, stamp: &Stamp, bytes: Vec<u8>) -> Result<(), Error> {
        let Reader { io, paths, .. } = self.reader;
        if self.sync == Sync::Durable {
            self.sync_folder("").await.map_err(|error| {
                Error::io(format!(
                    "{error}; revision {} is written, but whether it survives a power loss is \
                     unknown",
                    stamp.revision
                ))
            })?;
        }
        // The next writer replaces this copy by a link to the durable document.
        let entry = paths.entry(&Revision::of(stamp).file());
        let _ = io.create(self.host(&entry), bytes, Sync::Lazy).await;
        if stamp.revision.is_multiple_of(TRIM_EVERY) {
            let _ = (History {
                reader: self.reader,
            })
            .trim()
            .await;
        }
        Ok(())
    }

    /// The state that was read may be another writer's commit that is not durable yet.
    async fn keep(&self, base: Option<Box<Document>>) -> Result<Box<Committed>, Error> {
        if self.sync == Sync::Durable {
            self.sync_folder("").await?;
        }
        match base {
            Some(document) => Ok(Box::new(Committed {
                object: document.stamped(),
                stamp: document.stamp.clone(),
                changed: false,
                before: Some(document),
                had_side: true,
            })),
            None => Err(Error::not_found(format!("{} does not exist", self.shown()))),
        }
    }

    /// Whether a copy can be kept or not, the caller learns that the document is corrupt.
    async fn corrupt(&self, id: &str, bytes: &[u8], mut reason: String) -> Error {
        let history = History {
            reader: self.reader,
        };
        if let Err(error) = history.quarantine(bytes, id).await {
            if error.code() == Code::UnsafePath {
                return error;
            }
            reason = format!("{reason}; no copy was kept: {error}");
        }
        let last_good = history.last_good().await.unwrap_or_default();
        Error::corrupt(self.shown(), reason, last_good)
    }

    /// Looking first is cheaper than a removal that fails, and mostly nothing is there.
    async fn remove_if_there(&self, below: &str) {
        let entries = self.reader.io.inspect(vec![self.host(below)]).await;
        if entries.is_ok_and(|entries| entries[0].kind != Kind::Absent) {
            let _ = self.reader.io.remove(self.host(below)).await;
        }
    }

    async fn drop_token(&self, id: &str) {
        let _ = self
            .reader
            .io
            .remove(self.host(&self.reader.paths.token(id)))
            .await;
    }

    async fn sync_folder(&self, below: &str) -> Result<(), Error> {
        match self.reader.io.sync_folder(self.host(below)).await {
            Ok(())
            | Err(Failed {
                fault: Fault::Unsupported,
                ..
            }) => Ok(()),
            Err(failed) => Err(self.reader.folder.error("make durable", below, &failed)),
        }
    }

    fn check_written_size(&self, bytes: &[u8]) -> Result<(), Error> {
        check_size(self.reader.folder, self.reader.paths, bytes.len() as u64)
    }

    fn host(&self, below: &str) -> String {
        self.reader.folder.host(below)
    }

    fn shown(&self) -> String {
        self.reader.folder.shown(&self.reader.paths.document)
    }
}
