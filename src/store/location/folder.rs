//! The places of the parts of a stored document, and the check that nothing on the way is a
//! symbolic link.

use crate::effect::{Access, Failed, Fault, Io, PathEntry, PathKind, Sync};
use crate::error::{Advice, Error};
use crate::extent::IS_WHOLE;
use crate::git::folder::is_absolute;
use crate::text::quoted;

use super::parent::parent;

/// More names than this in one folder of the store cannot come from the store.
pub const MAX_NAMES: u32 = 10_000;

/// A listing that is not whole is made again this often, so long apart. Under wasmtime, 16 busy
/// writers spoil about every second one.
pub(in crate::store) const LISTINGS: u32 = 100;
pub(in crate::store) const LISTING_WAIT_MS: u32 = 1;

/// The storage in which a host keeps documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// Files: the store's own protocol makes a compare-and-swap of them.
    #[default]
    Files,
    /// Records, which the host swaps by itself.
    Records,
}

/// A folder of documents under a root, or the name that their records begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreFolder {
    /// As the host names it, without a final `/`; empty for the root of the file system.
    root: String,
    /// Relative to the root with `/`, or absolute where the caller chose so.
    path: String,
    /// True if it is the one that the program makes by itself, not one that the user chose.
    is_own: bool,
    /// The number of its last parts that are in another folder of documents, whose rules for git
    /// hold for them.
    inner: usize,
    storage: Storage,
}

impl StoreFolder {
    /// The folder `dir` under `root`, or `own` where none is chosen: the program's own folder, whose
    /// rules for git the store makes.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for a `dir` with `..` in it, and for the root of a file system.
    pub fn new(root: &str, dir: Option<&str>, own: &str) -> Result<Self, Error> {
        let dir = dir.filter(|dir| !dir.is_empty()).unwrap_or(own);
        let root = root.trim_end_matches('/').to_owned();
        let refused = || {
            Err(Error::usage(sentence!(
                "Expected `dir` to be a folder below the root, or an absolute path to one, without \
                 `..`; got {}",
                quoted(dir)
            )))
        };
        let normal = dir.replace('\\', "/");
        let parts: Vec<&str> = normal
            .split('/')
            .filter(|part| !matches!(*part, "" | "."))
            .collect();
        if parts.contains(&"..") {
            return refused();
        }
        let mut path = parts.join("/");
        if is_absolute(&normal) {
            if parts.iter().all(|part| is_drive(part)) {
                return refused();
            }
            if normal.starts_with('/') {
                // Two separators on Windows begin the name of another machine.
                let start = if dir.starts_with(r"\\") { "//" } else { "/" };
                path.insert_str(0, start);
            }
            // Below the root, every part on the way is looked at.
            let below = path.strip_prefix(&root);
            let below = below.and_then(|below| below.strip_prefix('/'));
            if let Some(below) = below.filter(|below| !is_absolute(below)) {
                path = below.to_owned();
            }
        } else if is_absolute(&path) {
            // Below the root, a folder with the name of a drive would be taken for the drive.
            return refused();
        }
        Ok(StoreFolder {
            root,
            is_own: path == own,
            path,
            inner: 0,
            storage: Storage::Files,
        })
    }

    /// The folder of this name in this one, for documents of its own.
    #[must_use]
    pub fn below(&self, name: &str) -> Self {
        StoreFolder {
            root: self.root.clone(),
            path: self.shown(name),
            is_own: self.is_own,
            inner: self.inner + 1,
            storage: self.storage,
        }
    }

    /// Returns whether it is in another folder of documents.
    pub(super) fn is_inner(&self) -> bool {
        self.inner > 0
    }

    /// Returns the folder of documents that contains it.
    pub(in crate::store) fn outer(&self) -> Option<Self> {
        let inner = self.inner.checked_sub(1)?;
        let above = self.path.rfind('/').unwrap_or(0);
        Some(StoreFolder {
            path: self.path[..above].to_owned(),
            inner,
            ..self.clone()
        })
    }

    /// Returns the folder of this name with its documents in this storage.
    #[must_use]
    pub fn kept_in(self, storage: Storage) -> Self {
        StoreFolder { storage, ..self }
    }

    /// Returns the storage of its documents.
    pub fn storage(&self) -> Storage {
        match IS_WHOLE {
            true => self.storage,
            false => Storage::Files,
        }
    }

    /// Returns whether it is the one that the program makes by itself, not one that the user chose.
    pub fn is_own(&self) -> bool {
        self.is_own && self.inner == 0
    }

    /// The folder, as messages name it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns whether the folder is named from the root on, so that git may know its content.
    pub fn is_below_root(&self) -> bool {
        !is_absolute(&self.path)
    }

    /// A path for the host.
    pub fn host(&self, below: &str) -> String {
        let parts = [self.path.as_str(), below];
        let path: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        self.under_root(&path.join("/"))
    }

    /// Returns the path for the host of a path that messages show like this.
    pub fn under_root(&self, path: &str) -> String {
        if is_absolute(&self.path) {
            path.to_owned()
        } else {
            format!("{}/{path}", self.root)
        }
    }

    /// The folder and those above it, up to the root, outermost first; an absolute folder stands
    /// alone with those in it, since those above it are the caller's.
    pub fn own_parts(&self) -> Vec<String> {
        let ends = self
            .path
            .match_indices('/')
            .map(|(at, _)| at)
            .chain([self.path.len()]);
        let mut parts: Vec<String> = ends
            .filter(|&end| end > 0)
            .map(|end| self.path[..end].to_owned())
            .collect();
        if is_absolute(&self.path) {
            parts.drain(..parts.len().saturating_sub(self.inner + 1));
        }
        parts
    }

    /// Makes a fault of the host into an error that names the path as the user knows it.
    pub fn error(&self, doing: &str, below: &str, failed: &Failed) -> Error {
        let path = self.shown(below);
        match failed.fault {
            Fault::Symlink => {
                let message = sentence!(
                    "{path} is a symbolic link; expected a file of its own, none is followed here"
                );
                Error::unsafe_path(path, message)
            }
            Fault::WrongKind => {
                let message = sentence!("{path} is not a regular file");
                Error::unsafe_path(path, message)
            }
            _ => failed.cannot(doing, &path),
        }
    }

    /// A path as messages show it: relative to the root.
    pub fn shown(&self, below: &str) -> String {
        match (self.path.as_str(), below) {
            ("", below) => below.to_owned(),
            (path, "") => path.to_owned(),
            (path, below) => format!("{path}/{below}"),
        }
    }

    /// Returns whether anything stands where the folder of documents belongs.
    ///
    /// # Errors
    ///
    /// [`Error::io`] when the host cannot look.
    pub async fn is_there(&self, io: &Io) -> Result<bool, Error> {
        if self.storage() == Storage::Records {
            return Ok(true);
        }
        let entries = self.inspect(io, std::slice::from_ref(&self.path)).await?;
        Ok(entries.iter().any(|entry| entry.kind != PathKind::Absent))
    }

    /// Refuses a folder of documents that is a symbolic link, or below one.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`]; [`Error::io`].
    pub async fn check(&self, io: &Io) -> Result<(), Error> {
        if self.storage() == Storage::Records {
            return Ok(());
        }
        self.expect_folders(io, &self.own_parts()).await
    }

    /// Refuses what is there and no regular file.
    ///
    /// # Errors
    ///
    /// [`Error::UnsafePath`]; [`Error::Io`].
    pub(in crate::store) async fn expect_files(
        &self,
        io: &Io,
        below: &[String],
    ) -> Result<(), Error> {
        let parts: Vec<String> = below.iter().map(|below| self.shown(below)).collect();
        let entries = self.inspect(io, &parts).await?;
        let mut parts = parts.iter().zip(&entries);
        parts.try_for_each(|(part, entry)| expect_file(part, *entry))
    }

    pub(in crate::store) async fn expect_folders(
        &self,
        io: &Io,
        parts: &[String],
    ) -> Result<(), Error> {
        let entries = self.inspect(io, parts).await?;
        let mut parts = parts.iter().zip(&entries);
        parts.try_for_each(|(part, entry)| self.expect_folder(part, *entry))
    }

    /// Refuses what is there and no folder.
    pub(super) fn expect_folder(&self, part: &str, entry: PathEntry) -> Result<(), Error> {
        match entry.kind {
            PathKind::Absent | PathKind::Folder => Ok(()),
            kind => {
                let error = wrong_kind(part, kind, "a folder");
                // A folder that the store has made itself is never replaced by another folder of
                // documents.
                match kind == PathKind::Symlink && self.own_parts().iter().any(|own| own == part) {
                    true => Err(error.with_advice(Advice::NameDir)),
                    false => Err(error),
                }
            }
        }
    }

    /// Makes the names in a folder of the store durable, where the host can.
    pub(in crate::store) async fn sync(&self, io: &Io, below: &str) -> Result<(), Error> {
        if self.storage() == Storage::Records {
            return Ok(());
        }
        match io.sync_folder(self.host(below)).await {
            Ok(())
            | Err(Failed {
                fault: Fault::Unsupported,
                ..
            }) => Ok(()),
            Err(failed) => Err(self.error("make durable", below, &failed)),
        }
    }

    /// Makes the folder of documents itself durable, and those above it.
    pub(in crate::store) async fn sync_parents(&self, io: &Io) -> Result<(), Error> {
        if self.storage() == Storage::Records {
            return Ok(());
        }
        for part in self.own_parts() {
            self.sync_parent(io, &part).await?;
        }
        Ok(())
    }

    pub(super) async fn sync_parent(&self, io: &Io, part: &str) -> Result<(), Error> {
        let host = self.under_root(part);
        match io.sync_folder(parent(&host).to_owned()).await {
            Ok(())
            | Err(Failed {
                fault: Fault::Unsupported,
                ..
            }) => Ok(()),
            Err(failed) => Err(Error::io(
                failed.effect,
                part.to_owned(),
                format!("Cannot make {part} durable: {}", failed.reason()),
            )),
        }
    }

    /// Returns the state of each of these paths, which messages show.
    ///
    /// # Errors
    ///
    /// [`Error::io`] when the host cannot look.
    pub async fn inspect(&self, io: &Io, parts: &[String]) -> Result<Vec<PathEntry>, Error> {
        let paths = parts.iter().map(|part| self.under_root(part)).collect();
        io.inspect(paths)
            .await
            .map_err(|failed| failed.cannot("look at", &self.path))
    }

    /// Every name in a folder, which was looked at before; none where it is absent.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] when a part on the way is no folder; [`Error::io`] when it holds more
    /// names than `limit`, or cannot be listed whole.
    pub(in crate::store) async fn names(
        &self,
        io: &Io,
        below: &str,
        limit: u32,
    ) -> Result<Vec<String>, Error> {
        let names = self.names_up_to(io, below, limit).await?;
        names.ok_or_else(|| self.too_many(below, limit))
    }

    /// Returns the names; `None` when there are more names than `limit`.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] when a part on the way is no folder; [`Error::io`] when it cannot be
    /// listed whole.
    pub async fn names_up_to(
        &self,
        io: &Io,
        below: &str,
        limit: u32,
    ) -> Result<Option<Vec<String>>, Error> {
        let (names, has_more) = self.some_names(io, below, limit).await?;
        Ok((!has_more).then_some(names))
    }

    /// Returns names, at most so many, and whether there may be more.
    ///
    /// # Errors
    ///
    /// As [`StoreFolder::names_up_to`].
    pub(in crate::store) async fn some_names(
        &self,
        io: &Io,
        below: &str,
        limit: u32,
    ) -> Result<(Vec<String>, bool), Error> {
        for _ in 0..LISTINGS {
            let listed = match self.storage() {
                Storage::Files => io.list(self.host(below), limit).await,
                Storage::Records => io.list_records(self.host(below), limit).await,
            };
            match listed {
                Ok(listing) if listing.names.len() >= limit as usize => {
                    return Ok((listing.names, true));
                }
                Ok(listing) if listing.complete => return Ok((listing.names, false)),
                // A name vanished while the host listed, which then does not know what it missed.
                Ok(_) => {
                    let waited = io.wait(LISTING_WAIT_MS).await;
                    waited.map_err(|failed| self.error("list", below, &failed))?;
                }
                Err(Failed {
                    fault: Fault::NotFound,
                    ..
                }) => return Ok((Vec::new(), false)),
                Err(failed) => return Err(self.error("list", below, &failed)),
            }
        }
        Err(self.not_whole(below))
    }

    /// A folder with more names than the store ever makes.
    pub(in crate::store) fn too_many(&self, below: &str, limit: u32) -> Error {
        let path = self.shown(below);
        let message = format!(
            "{path} holds more than {limit} entries, stray files among them that this store did not \
             make"
        );
        Error::io("list", path, message).with_advice(Advice::Doctor)
    }

    /// A folder of which no listing came to its end.
    pub(in crate::store) fn not_whole(&self, below: &str) -> Error {
        let path = self.shown(below);
        let message = format!("Cannot list {path}: every listing ended early");
        Error::io("list", path, message)
    }

    /// Writes a file that gets its name only when it is whole: a torn one would count as written.
    pub(in crate::store) async fn put(
        &self,
        io: &Io,
        bytes: &[u8],
        preparing: &str,
        below: &str,
    ) -> Result<(), Failed> {
        let preparing = self.host(preparing);
        io.create(
            preparing.clone(),
            bytes.to_owned(),
            Sync::Durable,
            Access::Owner,
        )
        .await?;
        io.rename(preparing, self.host(below)).await
    }
}

fn is_drive(part: &str) -> bool {
    matches!(part.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

pub(super) fn expect_file(part: &str, entry: PathEntry) -> Result<(), Error> {
    match entry.kind {
        PathKind::Absent | PathKind::File => Ok(()),
        kind => Err(wrong_kind(part, kind, "a regular file")),
    }
}

/// The failure of an operation that needs something else at this path than what stands there.
///
/// [`Error::io`] where its kind is unknown.
pub fn wrong_kind(part: &str, kind: PathKind, expected: &str) -> Error {
    if kind == PathKind::Denied {
        return Failed::denied().cannot("look at", part);
    }
    let found = kind.noun();
    let message = sentence!("{part} is {found}; expected {expected}, and nothing is followed");
    Error::unsafe_path(part.to_owned(), message)
}
