//! Keeping contents, and publishing the document that refers to them.

use super::commit_in_progress::{new_commit, removed};
use super::find::{
    ObjectFault, TrashRestoreOutcome, check, find, put_back, renamed, stored, trashed, whole,
};
use super::form::{List, MAX_PIECES, PIECE_BYTES, is_whole, packed};
use super::keep_outcome::{KeepDecision, KeepOutcome, KeptContent, ShownFilePart};
use super::name::{MAKING, OBJECTS, ObjectForm, ObjectName, shard};
use super::reader::{Broken, ContentReader};
use crate::digest::{Hashing, sha256};
use crate::effect::{Access, Failed, Fault, Io, Links, PathKind, Sync};
use crate::error::Error;
use crate::store::immutable_documents::ImmutableDocuments;
use crate::store::location::{Stem, StoreFolder, make_below, make_folder, parent};

/// The number of paths that are looked at in one effect.
const BATCH: usize = 1_000;

/// Keeps the contents of one snapshot.
///
/// Every writer ends with [`ObjectWriter::end`], also after a failure: until then, no object is
/// collected.
#[derive(Debug)]
pub struct ObjectWriter<'a> {
    io: &'a Io,
    folder: &'a StoreFolder,
    durability: Sync,
    /// Its own folder: what is being written, and the right to publish.
    making: String,
    /// Names that were used in it.
    used: u32,
    /// Every object that the document may refer to.
    needed: Vec<ObjectName>,
    /// The folders that contain these.
    touched: [bool; 256],
}

/// A file that has no name as an object yet.
struct New {
    below: String,
    name: ObjectName,
}

impl<'a> ObjectWriter<'a> {
    /// Begins a snapshot.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] when a part on the way is a symbolic link or no folder; [`Error::io`].
    pub async fn begin(
        io: &'a Io,
        folder: &'a StoreFolder,
        durability: Sync,
    ) -> Result<Self, Error> {
        check(io, folder).await?;
        make_folder(io, folder, durability).await?;
        make_below(io, folder, OBJECTS).await?;
        make_below(io, folder, MAKING).await?;
        let making = new_commit(io).await?;
        make_below(io, folder, &making).await?;
        Ok(ObjectWriter {
            io,
            folder,
            durability,
            making,
            used: 0,
            needed: Vec::new(),
            touched: [false; 256],
        })
    }

    /// Keeps a file of the work tree while reading it: one that changes in between is kept with the
    /// bytes that were read. `decide` sees every piece before it is written, and the end of them; a
    /// file that it stops leaves nothing behind. No more than a few pieces are in memory at the
    /// same time.
    ///
    /// # Errors
    ///
    /// [`Error::io`] when it cannot be written; [`Error::conflict`] when this writer was taken for dead. What
    /// concerns the file alone is an answer.
    pub async fn keep_file(
        &mut self,
        path: &str,
        limit: u64,
        decide: &mut dyn FnMut(ShownFilePart<'_>) -> KeepDecision,
    ) -> Result<KeepOutcome, Error> {
        let limit = limit.min(MAX_PIECES * u64::from(PIECE_BYTES));
        let entry = match self.io.inspect(vec![path.to_owned()]).await {
            Ok(entries) => entries[0],
            Err(failed) => return Ok(KeepOutcome::Unreadable(failed)),
        };
        match entry.kind {
            PathKind::File if entry.size > limit => return Ok(KeepOutcome::TooLarge(entry.size)),
            PathKind::File => {}
            PathKind::Absent => return Ok(KeepOutcome::Gone),
            PathKind::Denied => return Ok(KeepOutcome::Unreadable(Failed::denied())),
            kind => return Ok(KeepOutcome::NoFile(kind)),
        }
        // One piece is read in one go.
        let is_long = entry.size >= u64::from(PIECE_BYTES);
        let before = self.stamp(path, is_long).await;
        let mut parts = ContentPieces::default();
        let io = self.io;
        let mut why_not = None;
        while why_not.is_none() {
            let read = io
                .part(path.to_owned(), parts.size, PIECE_BYTES, Links::Refuse)
                .await;
            let bytes = match read {
                Ok(bytes) => bytes,
                Err(failed) => {
                    why_not = Some(match failed.fault {
                        Fault::NotFound => KeepOutcome::Gone,
                        _ => KeepOutcome::Unreadable(failed),
                    });
                    break;
                }
            };
            let is_last = bytes.len() < PIECE_BYTES as usize;
            if !bytes.is_empty() && decide(ShownFilePart::Bytes(&bytes)) == KeepDecision::Stop {
                why_not = Some(KeepOutcome::Stopped);
            } else if parts.size + bytes.len() as u64 > limit {
                why_not = Some(KeepOutcome::TooLarge(parts.size + bytes.len() as u64));
            } else if !bytes.is_empty() || parts.pieces.is_empty() {
                self.add(&mut parts, &bytes).await?;
            }
            if is_last {
                break;
            }
        }
        if why_not.is_none() && decide(ShownFilePart::End) == KeepDecision::Stop {
            why_not = Some(KeepOutcome::Stopped);
        }
        if why_not.is_none() {
            let is_long = is_long || parts.pieces.len() > 1;
            let has_changed = self.stamp(path, is_long).await != before;
            why_not = has_changed.then_some(KeepOutcome::Changed);
        }
        match why_not {
            None => self.name(parts).await.map(KeepOutcome::Content),
            Some(why_not) => {
                self.drop_all(parts.new).await;
                Ok(why_not)
            }
        }
    }

    /// Returns a stamp that shows whether a file of several pieces is still the same; `None` for a
    /// shorter one, and on a host without stamps.
    async fn stamp(&self, path: &str, is_long: bool) -> Option<Vec<String>> {
        if !is_long {
            return None;
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let stamps = self
            .io
            .survey(parent(path).to_owned(), vec![name.to_owned()]);
        stamps.await.ok()
    }

    /// Keeps bytes that are in memory, such as what is in a symbolic link.
    ///
    /// # Errors
    ///
    /// [`Error::io`]; [`Error::conflict`] when this writer was taken for dead.
    pub async fn keep_bytes(&mut self, bytes: &[u8]) -> Result<KeptContent, Error> {
        let mut parts = ContentPieces::default();
        if bytes.is_empty() {
            self.add(&mut parts, bytes).await?;
        }
        for piece in bytes.chunks(PIECE_BYTES as usize) {
            self.add(&mut parts, piece).await?;
        }
        self.name(parts).await
    }

    /// Refers to contents that were kept before, without reading them again; returns those that are
    /// not there.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub async fn refer(&mut self, contents: &[&str]) -> Result<Vec<Broken>, Error> {
        let reader = ContentReader::open(self.io, self.folder).await?;
        let (names, mut broken) = reader.needed_by(contents).await?;
        // A writer without durability may have given their names.
        names.iter().for_each(|it| self.need(*it));
        broken.extend(self.ensure_these(&names).await?);
        Ok(broken)
    }

    /// Publishes a document that refers to the kept contents, as [`ImmutableDocuments::publish`] does. No
    /// collector removes the objects that it refers to.
    ///
    /// # Errors
    ///
    /// [`Error::conflict`] when the name is taken, and another one can be tried; or when this writer
    /// was taken for dead, and has to begin again. [`Error::io`].
    pub async fn publish(
        &mut self,
        documents: &ImmutableDocuments<'_>,
        stem: &Stem,
        bytes: &[u8],
    ) -> Result<(), Error> {
        self.settle().await?;
        let published = documents.publish_from(&self.making, stem, bytes).await?;
        published.map_err(|failed| match failed.fault {
            Fault::NotFound => self.revoked(),
            _ => documents.refused(stem, &failed),
        })
    }

    /// Puts a file that may be deleted at any time into the folder of the documents, in the place of an earlier one.
    /// Nothing is synced, and a failure leaves what was there.
    pub async fn put_cache(&self, name: &str, bytes: Vec<u8>) {
        let below = format!("{}/{name}", self.making);
        let made = self
            .io
            .create(self.folder.host(&below), bytes, Sync::Lazy, Access::Owner);
        if made.await.is_ok() {
            let _ = renamed(self.io, self.folder, &below, name).await;
        }
    }

    /// Looks whether every object that was kept or referred to is in its place, and puts back
    /// objects that a collector has moved in between. Objects that are not there at all were
    /// removed by other programs, and are returned.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub async fn ensure(&self) -> Result<Vec<Broken>, Error> {
        self.ensure_these(&self.needed).await
    }

    async fn ensure_these(&self, names: &[ObjectName]) -> Result<Vec<Broken>, Error> {
        let mut absent = Vec::new();
        for batch in names.chunks(BATCH) {
            let paths: Vec<String> = batch
                .iter()
                .map(|it| self.folder.shown(&it.below()))
                .collect();
            let entries = self.folder.inspect(self.io, &paths).await?;
            let is_absent = entries.iter().map(|it| it.kind != PathKind::File);
            let names = batch.iter().zip(is_absent);
            absent.extend(names.filter(|(_, is_absent)| *is_absent).map(|(it, _)| *it));
        }
        if absent.is_empty() {
            return Ok(Vec::new());
        }
        let in_trash = trashed(self.io, self.folder).await?;
        let mut broken = Vec::new();
        for name in absent {
            let mut is_back = false;
            for (_, below) in in_trash.iter().filter(|(it, _)| *it == name) {
                is_back |=
                    put_back(self.io, self.folder, name, below).await? == TrashRestoreOutcome::Put;
            }
            if is_back {
                continue;
            }
            let found = find(self.io, self.folder, name, &whole(name)).await?;
            if let Err(lack) = found {
                broken.push(self.broken(name, lack));
            }
        }
        Ok(broken)
    }

    /// Ends the snapshot, and removes what it left unfinished. A collector removes the rest.
    pub async fn end(self) {
        let _ = removed(self.io, self.folder, &self.making).await;
    }

    /// Takes a piece.
    async fn add(&mut self, parts: &mut ContentPieces, piece: &[u8]) -> Result<(), Error> {
        parts.size += piece.len() as u64;
        parts.whole.update(piece);
        let sha256 = match parts.pieces.is_empty() {
            // Most contents have one piece, which is hashed once.
            true => parts.whole.clone().sha256(),
            false => sha256(piece),
        };
        let Some(name) = ObjectName::new(&sha256, ObjectForm::Piece) else {
            return Ok(());
        };
        let is_known = parts.distinct.has(name);
        parts.pieces.push(name);
        if is_known {
            return Ok(());
        }
        parts.distinct.add_pieces([name]);
        match self.write(name, &|| packed(piece)).await {
            Ok(new) => {
                parts.new.extend(new);
                Ok(())
            }
            Err(error) => {
                self.drop_all(std::mem::take(&mut parts.new)).await;
                Err(error)
            }
        }
    }

    /// Writes an object under a name of this writer's own; `None` where the object is there, whole.
    async fn write(
        &mut self,
        name: ObjectName,
        stored_bytes: &dyn Fn() -> Vec<u8>,
    ) -> Result<Option<New>, Error> {
        let (io, folder) = (self.io, self.folder);
        self.need(name);
        let shard = shard(name.shard());
        let paths = [&shard, &name.below()].map(|it| folder.shown(it));
        let entries = folder.inspect(io, &paths).await?;
        if entries[0].kind != PathKind::Folder {
            // Refuses what stands there, if anything does.
            make_below(io, folder, &shard).await?;
        }
        // One that is there may be damaged, and is compared before it counts.
        if entries[1].kind == PathKind::File
            && let Ok(there) = stored(io, folder, &name.below()).await?
            && is_whole(name, &there)
        {
            return Ok(None);
        }
        let below = format!("{}/{}", self.making, self.used);
        self.used += 1;
        let made = io
            .create(
                folder.host(&below),
                stored_bytes(),
                self.durability,
                Access::Owner,
            )
            .await;
        match made {
            Ok(()) => Ok(Some(New { below, name })),
            Err(failed) => {
                let _ = io.remove(folder.host(&below)).await;
                Err(self.cannot_write(name, &failed))
            }
        }
    }

    /// Gives the objects of a content their names: all of it was read.
    async fn name(&mut self, mut parts: ContentPieces) -> Result<KeptContent, Error> {
        let content = KeptContent {
            size: parts.size,
            sha256: parts.whole.sha256(),
        };
        if parts.pieces.len() > 1
            && let Some(name) = ObjectName::new(&content.sha256, ObjectForm::List)
        {
            let list = List {
                size: parts.size,
                pieces: parts.pieces,
            };
            match self.write(name, &|| list.to_text(name).into_bytes()).await {
                Ok(new) => parts.new.extend(new),
                Err(error) => {
                    self.drop_all(parts.new).await;
                    return Err(error);
                }
            }
        }
        let mut left = parts.new.into_iter();
        while let Some(new) = left.next() {
            // The object there is damaged, or came in between and is the same.
            let named = renamed(self.io, self.folder, &new.below, &new.name.below()).await;
            if let Err(failed) = named {
                let error = self.cannot_write(new.name, &failed);
                self.drop_all(std::iter::once(new).chain(left)).await;
                return Err(error);
            }
        }
        Ok(content)
    }

    async fn drop_all(&self, new: impl IntoIterator<Item = New>) {
        for new in new {
            let _ = self.io.remove(self.folder.host(&new.below)).await;
        }
    }

    fn need(&mut self, name: ObjectName) {
        self.touched[usize::from(name.shard())] = true;
        self.needed.push(name);
    }

    /// Makes the names of all objects durable, those too that another writer gave.
    async fn settle(&self) -> Result<(), Error> {
        let is_any = self.touched.contains(&true);
        if self.durability == Sync::Lazy || !is_any {
            return Ok(());
        }
        for number in (0..=u8::MAX).filter(|it| self.touched[usize::from(*it)]) {
            self.folder.sync(self.io, &shard(number)).await?;
        }
        self.folder.sync(self.io, OBJECTS).await?;
        self.folder.sync(self.io, "").await
    }

    fn cannot_write(&self, name: ObjectName, failed: &Failed) -> Error {
        match failed.fault {
            Fault::NotFound => self.revoked(),
            _ => self.folder.error("write", &name.below(), failed),
        }
    }

    fn revoked(&self) -> Error {
        let message = format!(
            "The folder {} is gone, because a clean-up took the maker of this checkpoint for dead; nothing was \
             published, make it again",
            self.folder.shown(&self.making)
        );
        Error::conflict(message, Vec::new())
    }

    fn broken(&self, name: ObjectName, lack: ObjectFault) -> Broken {
        Broken {
            sha256: name.sha256(),
            object: self.folder.shown(&name.below()),
            lack,
        }
    }
}

/// A content while it is read.
#[derive(Default)]
struct ContentPieces {
    size: u64,
    whole: Hashing,
    pieces: Vec<ObjectName>,
    /// The references, each once.
    distinct: super::name::References,
    new: Vec<New>,
}
