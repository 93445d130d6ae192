//! Preparing a file or link whole before it takes its place.

use crate::checkpoint::session::plan::fact::{ContentKind, PERMISSIONS, PathContent};
use crate::digest::{ID_BYTES, hex, is_id, sha256};
use crate::effect::{Access, Failed, Fault, Io, PathEntry, PathKind, Sync};
use crate::error::Error;
use crate::store::objects::{ContentReader, ObjectFault, swept};
use crate::store::{SIDE, StoreFolder, make_folder, wrong_kind};

/// The folder below that of the store's own files in which contents are prepared.
const RESTORE: &str = "restore";

/// The limit on the length of a symbolic link's target.
const MAX_LINK_BYTES: u32 = 1 << 16;

/// Leftovers of restores that died are looked for up to this many.
const MAX_LEFT: u32 = 100_000;

/// Without this bit, a file cannot be opened to be synced once more.
const OWNER_WRITES: u32 = 0o200;

/// The bits that a file gets by itself on most machines: it need not be given those of the file that it replaces, and
/// there is no word of them where a host sets none.
const USUAL: [u32; 2] = [0o644, 0o664];

/// The source of the bytes of a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContentSource {
    /// The contents that are stored beside the documents.
    Store,
    /// These bytes, such as git's objects gave them.
    Bytes(Vec<u8>),
}

/// A content that is ready to take its place.
pub(super) struct Prepared {
    /// Its place, for the host.
    pub(super) at: String,
    /// True if it has its earlier mode, as far as that is another one than most files have.
    pub(super) has_mode: bool,
    /// The path in it, of a symbolic link.
    pub(super) target: Option<Vec<u8>>,
}

/// The folder where contents are prepared, in the file system of the work tree.
#[derive(Debug)]
pub struct Workshop<'a> {
    io: &'a Io,
    folder: &'a StoreFolder,
    reader: ContentReader<'a>,
    sync: Sync,
    /// The folder of this restore.
    below: String,
    used: u32,
}

impl<'a> Workshop<'a> {
    /// Makes a place to prepare contents in, in the folder of documents.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] when a part on the way is a symbolic link or no folder; [`Error::io`].
    pub async fn open(io: &'a Io, folder: &'a StoreFolder, sync: Sync) -> Result<Self, Error> {
        make_folder(io, folder, sync).await?;
        let reader = ContentReader::open(io, folder).await?;
        let id = match io.random(ID_BYTES as u32).await {
            Ok(bytes) => hex(&bytes),
            Err(failed) => return Err(failed.cannot_do("get random bytes")),
        };
        let all = format!("{SIDE}/{RESTORE}");
        let below = format!("{all}/{id}");
        for below in [&all, &below] {
            make_own(io, folder, below).await?;
        }
        let workshop = Workshop {
            io,
            folder,
            reader,
            sync,
            below,
            used: 0,
        };
        workshop.sweep(&all).await;
        Ok(workshop)
    }

    /// Prepares a content under a name that it answers, with its mode. `standing` is what it takes the place of.
    ///
    /// # Errors
    ///
    /// [`Error::not_found`] when the kept content is missing, or damaged, or the given bytes are not those
    /// of the content; [`Error::io`]. `path` is what it is for.
    pub(super) async fn prepare(
        &mut self,
        path: &str,
        content: &PathContent,
        source: ContentSource,
        standing: PathEntry,
    ) -> Result<Prepared, Error> {
        let to = self.folder.host(&format!("{}/{}", self.below, self.used));
        self.used += 1;
        let made = match content.kind {
            ContentKind::Link => {
                let made = self.link(path, content, source, to.clone()).await;
                made.map(|target| (true, Some(target)))
            }
            ContentKind::File => {
                let permissions = permissions(content, standing);
                let made = self.file(path, content, source, permissions, to.clone());
                let made = made.await;
                made.map(|has_mode| (has_mode, None))
            }
        };
        if made.is_err() {
            let _ = self.io.remove(to.clone()).await;
        }
        made.map(|(has_mode, target)| Prepared {
            at: to,
            has_mode,
            target,
        })
    }

    /// The folder of documents.
    pub(super) fn folder(&self) -> &'a StoreFolder {
        self.folder
    }

    /// The id of this restore.
    pub(super) fn id(&self) -> &str {
        let (_, id) = self.below.rsplit_once('/').unwrap_or_default();
        id
    }

    /// Returns whether written files have to be on stable storage.
    pub(super) fn sync(&self) -> Sync {
        self.sync
    }

    /// Removes what restores that died have left. One that is still at work stops for want of what it
    /// prepared, and is done again.
    async fn sweep(&self, all: &str) {
        let listed = self.io.list(self.folder.host(all), MAX_LEFT).await;
        let names = listed.map(|it| it.names).unwrap_or_default();
        for name in names.iter().filter(|it| is_id(it)) {
            let below = format!("{all}/{name}");
            if below != self.below {
                let _ = self.empty(&below).await;
            }
        }
    }

    /// Removes what was prepared.
    pub(super) async fn close(&self) {
        let all = format!("{SIDE}/{RESTORE}");
        let _ = self.empty(&self.below).await;
        let _ = self.io.remove_folder(self.folder.host(&all)).await;
    }

    async fn empty(&self, below: &str) -> Result<(), Failed> {
        let left = self.io.list(self.folder.host(below), MAX_LEFT).await?;
        for name in left.names {
            let _ = self
                .io
                .remove(self.folder.host(&format!("{below}/{name}")))
                .await;
        }
        self.io.remove_folder(self.folder.host(below)).await
    }

    /// The path in it.
    async fn link(
        &self,
        path: &str,
        content: &PathContent,
        source: ContentSource,
        to: String,
    ) -> Result<Vec<u8>, Error> {
        let target = match source {
            ContentSource::Bytes(bytes) => bytes,
            ContentSource::Store => {
                let read = self.reader.read(&content.sha256, MAX_LINK_BYTES).await?;
                read.map_err(|broken| lost(path, &broken.object, broken.lack))?
            }
        };
        check(path, content, &target)?;
        let made = self.io.symlink(to, target.clone()).await;
        made.map_err(|failed| cannot(&failed, "make the symbolic link", path))?;
        Ok(target)
    }

    /// Returns whether its mode could be set.
    async fn file(
        &self,
        path: &str,
        content: &PathContent,
        source: ContentSource,
        permissions: Option<u32>,
        to: String,
    ) -> Result<bool, Error> {
        let is_executable = content.is_executable == Some(true);
        let has_more = is_executable || permissions.is_some();
        // Synced once, with its mode, unless its owner may not write it from then on.
        let is_synced_after = has_more && permissions.is_none_or(|it| it & OWNER_WRITES != 0);
        let sync = match is_synced_after {
            true => Sync::Lazy,
            false => self.sync,
        };
        // Until it has its mode, only its owner may use it.
        let access = match permissions {
            Some(_) => Access::Owner,
            None => Access::Shared,
        };
        match source {
            ContentSource::Bytes(bytes) => {
                check(path, content, &bytes)?;
                let made = self.io.create(to.clone(), bytes, sync, access).await;
                made.map_err(|failed| cannot(&failed, "write", path))?;
            }
            ContentSource::Store => {
                let copied = self
                    .reader
                    .copy_out(&content.sha256, to.clone(), path, access, sync)
                    .await?;
                let size = copied.map_err(|broken| lost(path, &broken.object, broken.lack))?;
                if size != content.size {
                    return Err(other_bytes(path));
                }
            }
        }
        if !has_more {
            return Ok(true);
        }
        let set = match permissions {
            Some(bits) => self.io.set_permissions(to.clone(), bits).await,
            None => self.io.set_mode(to.clone(), true).await,
        };
        let has_mode = match set {
            Ok(()) => true,
            // Where there are no modes, none is restored: nothing else denies the user a file of
            // theirs.
            Err(failed) if matches!(failed.fault, Fault::Unsupported | Fault::Denied) => {
                let is_usual = content.permissions.is_none_or(|it| USUAL.contains(&it));
                is_usual && !is_executable
            }
            Err(failed) => return Err(cannot(&failed, "set the mode of", path)),
        };
        if is_synced_after && self.sync == Sync::Durable {
            let synced = self.io.append(to, Vec::new(), Sync::Durable).await;
            synced.map_err(|failed| cannot(&failed, "make durable", path))?;
        }
        Ok(has_mode)
    }
}

/// The permission bits of a file that takes the place of what stands there: those that were recorded, else those of the
/// file that it replaces, of which a commit knows one alone. `None` for those that a new file gets by itself.
fn permissions(content: &PathContent, standing: PathEntry) -> Option<u32> {
    let of_standing = || {
        let mode = standing.mode.filter(|_| standing.kind == PathKind::File)? & PERMISSIONS;
        let bits = match content.is_executable {
            Some(true) => mode | (mode & 0o444) >> 2,
            Some(false) => mode & !0o111,
            None => mode,
        };
        (!USUAL.contains(&(bits & !0o111))).then_some(bits)
    };
    content.permissions.or_else(of_standing)
}

/// Makes a folder below that of the documents, for the owner alone, and looks whether it is one.
///
/// # Errors
///
/// [`Error::unsafe_path`] when something else stands there; [`Error::conflict`] when another restore has
/// removed it; [`Error::io`].
pub(super) async fn make_own(io: &Io, folder: &StoreFolder, below: &str) -> Result<(), Error> {
    match io.make_folder(folder.host(below), Access::Owner).await {
        Ok(()) => {}
        Err(failed) if failed.fault == Fault::Exists => {}
        Err(failed) if failed.fault == Fault::NotFound => return Err(swept(below)),
        Err(failed) => return Err(folder.error("make", below, &failed)),
    }
    let shown = folder.shown(below);
    let entries = folder.inspect(io, std::slice::from_ref(&shown)).await?;
    match entries[0].kind {
        PathKind::Folder => Ok(()),
        PathKind::Absent => Err(swept(&shown)),
        kind => Err(wrong_kind(&shown, kind, "a folder")),
    }
}

/// Returns the error for something that could not be prepared. Only another restore removes the
/// folder that it is prepared in.
fn cannot(failed: &Failed, doing: &str, path: &str) -> Error {
    match failed.fault {
        Fault::NotFound => swept(path),
        _ => failed.cannot(doing, path),
    }
}

fn check(path: &str, content: &PathContent, bytes: &[u8]) -> Result<(), Error> {
    match bytes.len() as u64 == content.size && sha256(bytes) == content.sha256 {
        true => Ok(()),
        false => Err(other_bytes(path)),
    }
}

fn other_bytes(path: &str) -> Error {
    let message = format!(
        "{path} cannot be restored: the bytes that were found for it are not those that were recorded"
    );
    Error::not_found(message)
}

fn lost(path: &str, object: &str, lack: ObjectFault) -> Error {
    let what = match lack {
        ObjectFault::Missing => "missing",
        ObjectFault::Damaged => "damaged",
    };
    Error::not_found(format!(
        "{path} cannot be restored: its content is {what} ({object})"
    ))
}
