//! Giving up what stands at a path, only where the undo of the restore holds it.
//!
//! A look at a file and the step that takes it away are two effects, and a program may save the file between
//! them. So a step renames the file aside first, into a folder of the store, and compares it there: from then on
//! a program that saves it makes another file. The prepared file takes the place as a new name, which replaces
//! nothing; so does the file itself where it has to go back. Only where the host has no second names, a look
//! and a rename stand in for that.

use crate::checkpoint::session::plan::fact::{ContentKind, PERMISSIONS, PathContent};
use crate::digest::{Hashing, sha256};
use crate::effect::{Access, Failed, Fault, Io, Links, PathEntry, PathKind, Sync};
use crate::error::Error;
use crate::store::objects::{PIECE_BYTES, swept};
use crate::store::{SIDE, StoreFolder};

use super::prepare::{Prepared, make_own};

/// The folder below that of the store's own files for files that were moved aside.
const ASIDE: &str = "aside";

/// The end of the name of the file that lists where the files of one restore were: each path with a NUL
/// behind it. A file that was moved has the number of its path as its name, and behind it the SHA-256 of what
/// the undo holds.
pub(super) const LIST: &str = ".paths";

/// The content of a path in the undo of a restore, which a step may take away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoContent {
    /// This content.
    Content(PathContent),
    /// Nothing: nothing was there, or the undo does not know it.
    Nothing,
    /// Nothing, and the caller has agreed to lose the file or link that stands there.
    Anything,
}

/// The outcome of putting a file back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PutBackOutcome {
    /// It is in its place.
    Done,
    /// Something else has its place.
    Taken,
    /// Another process has put it back, or removed it.
    Gone,
}

/// The files that one restore moves aside, one after the other.
pub(super) struct Asides<'a> {
    io: &'a Io,
    folder: &'a StoreFolder,
    sync: Sync,
    /// The folder of this restore.
    below: String,
    /// The paths that its steps write or delete, in the order of the steps.
    files: Vec<(&'a str, UndoContent)>,
    /// True once the folder may be there.
    is_begun: bool,
    /// True once the folder and the list of paths are there.
    is_open: bool,
    /// The path at which it stopped because the undo does not hold what stands there.
    pub(super) changed: Option<String>,
}

impl<'a> Asides<'a> {
    /// Files of the restore with this id. Nothing is made before one has to be moved.
    pub(super) fn new(
        io: &'a Io,
        folder: &'a StoreFolder,
        sync: Sync,
        id: &str,
        files: Vec<(&'a str, UndoContent)>,
    ) -> Self {
        Asides {
            io,
            folder,
            sync,
            below: format!("{}/{id}", all()),
            files,
            is_begun: false,
            is_open: false,
            changed: None,
        }
    }

    /// Takes away what stands at the path of this number, and puts there what was prepared, if anything was.
    /// `host` is the path for the host, and `entry` stands there.
    ///
    /// # Errors
    ///
    /// [`Error::conflict`] where something stands there that the undo does not hold and that is not what is
    /// prepared: it is left, or put back, or kept aside where the error says. [`Error::io`].
    pub(super) async fn exchange(
        &mut self,
        number: usize,
        host: &str,
        entry: PathEntry,
        new: Option<(&PathContent, &Prepared)>,
    ) -> Result<(), Error> {
        let (path, held) = self.files[number].clone();
        let target = new.map(|(content, _)| content);
        if entry.kind != PathKind::Absent && !may_pass(entry, &held, target) {
            return Err(self.differs(path, ""));
        }
        let aside = match entry.kind {
            PathKind::Absent => None,
            _ => self.take(number, host, new.is_some()).await?,
        };
        if let Some(at) = &aside {
            match self.passes(at, &held, target).await {
                Ok(true) => {}
                Ok(false) => return Err(self.refuse(number, at, host, None).await),
                // Another restore has put it back.
                Err(failed) if failed.fault == Fault::NotFound => return Err(swept(path)),
                Err(failed) => return Err(self.refuse(number, at, host, Some(failed)).await),
            }
        }
        let put = match new {
            Some((_, prepared)) => self.put(path, host, prepared).await,
            None => Ok(true),
        };
        let is_kept = match (&put, &aside) {
            // A host that fails may have put there what it was to put, or not.
            (Err(_), Some(at)) => {
                !matches!(put_back(self.io, at, host).await, Ok(PutBackOutcome::Taken))
            }
            _ => false,
        };
        if let (Some(at), false) = (aside, is_kept) {
            // The undo holds it. If it cannot be removed, the next restore does that.
            let _ = self.io.remove(at).await;
        }
        match put {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.differs(path, "")),
            Err(error) => Err(error),
        }
    }

    /// Removes what it made. A file that could not be put back stays, and so does the list.
    pub(super) async fn close(&self) {
        if self.is_begun {
            sweep(self.io, self.folder, &self.below).await;
        }
    }

    /// Moves aside what stands at a path; `None` where it is gone.
    async fn take(
        &mut self,
        number: usize,
        host: &str,
        is_replaced: bool,
    ) -> Result<Option<String>, Error> {
        let path = self.files[number].0;
        self.open(path).await?;
        let at = self.folder.host(&self.name(number));
        let Err(failed) = self.io.rename(host.to_owned(), at.clone()).await else {
            return Ok(Some(at));
        };
        let looked = vec![at.clone(), self.folder.host(&self.below)];
        let entries = match self.io.inspect(looked).await {
            Ok(entries) => entries,
            Err(failed) => return Err(failed.cannot("look at", path)),
        };
        let doing = match is_replaced {
            true => "write",
            false => "delete",
        };
        match (entries[0].kind, entries[1].kind) {
            (PathKind::Absent, PathKind::Absent) => Err(swept(path)),
            // It went since it was looked at.
            (PathKind::Absent, _) if failed.fault == Fault::NotFound => Ok(None),
            (PathKind::Absent, _) => Err(failed.cannot(doing, path)),
            // It was moved though the host says that it was not.
            _ => {
                let error = failed.cannot(doing, path);
                let _ = put_back(self.io, &at, host).await;
                Err(error)
            }
        }
    }

    /// Returns whether the file that was moved aside may be lost.
    async fn passes(
        &self,
        at: &str,
        held: &UndoContent,
        target: Option<&PathContent>,
    ) -> Result<bool, Failed> {
        if *held == UndoContent::Anything {
            let entries = self.io.inspect(vec![at.to_owned()]).await?;
            return Ok(matches!(
                entries[0].kind,
                PathKind::File | PathKind::Symlink
            ));
        }
        let held = match held {
            UndoContent::Content(content) => Some(content),
            UndoContent::Nothing | UndoContent::Anything => None,
        };
        let known: Vec<&PathContent> = [held, target].into_iter().flatten().collect();
        let most = known.iter().map(|it| it.size).max().unwrap_or_default();
        let Some(mut found) = content(self.io, at, most).await? else {
            return Ok(false);
        };
        let has_modes = known.iter().any(|it| it.permissions.is_some());
        if has_modes && found.kind == ContentKind::File {
            let entries = self.io.inspect(vec![at.to_owned()]).await?;
            found.permissions = entries[0].mode.map(|it| it & PERMISSIONS);
        }
        Ok(known.iter().any(|it| found.is_same(it)))
    }

    /// Puts a file back that is not to be lost, and returns why the restore stops: it could not be read, or
    /// the undo does not hold it.
    async fn refuse(
        &mut self,
        number: usize,
        at: &str,
        host: &str,
        unread: Option<Failed>,
    ) -> Error {
        let path = self.files[number].0;
        let shown = self.folder.shown(&self.name(number));
        let kept = match put_back(self.io, at, host).await {
            Ok(PutBackOutcome::Done | PutBackOutcome::Gone) => String::new(),
            Ok(PutBackOutcome::Taken) => {
                format!("; what it was before it was saved once more is kept in {shown}")
            }
            Err(failed) => format!(
                "; it is kept in {shown}, because it could not be put back: {}",
                failed.reason()
            ),
        };
        match unread {
            None => self.differs(path, &kept),
            Some(failed) => {
                let message = format!("Cannot read {path}: {}{kept}", failed.reason());
                Error::io(failed.effect, path.to_owned(), message)
            }
        }
    }

    /// The conflict at a path, with what else is to be said of it.
    pub(super) fn differs(&mut self, path: &str, more: &str) -> Error {
        self.changed = Some(path.to_owned());
        let message = format!(
            "{path} was changed after the undo of this restore was made, so it was not restored{more}"
        );
        Error::conflict(message, Vec::new())
    }

    /// Puts what was prepared where nothing stands; `false` where something does.
    async fn put(&self, path: &str, host: &str, prepared: &Prepared) -> Result<bool, Error> {
        let io = self.io;
        let made = match &prepared.target {
            // On some systems a second name of a link is one of what it leads to.
            Some(target) => io.symlink(host.to_owned(), target.clone()).await,
            None => io.link(prepared.at.clone(), host.to_owned()).await,
        };
        let failed = match made {
            Ok(()) => {
                let _ = io.remove(prepared.at.clone()).await;
                return Ok(true);
            }
            Err(failed) => failed,
        };
        match failed.fault {
            Fault::Exists => Ok(false),
            Fault::Unsupported => self.put_without_links(path, host, prepared).await,
            _ => Err(self.cannot_put(path, prepared, &failed).await),
        }
    }

    /// Puts a file in place on a host without second names, where a file that comes between the
    /// look and the rename is replaced.
    async fn put_without_links(
        &self,
        path: &str,
        host: &str,
        prepared: &Prepared,
    ) -> Result<bool, Error> {
        let entries = match self.io.inspect(vec![host.to_owned()]).await {
            Ok(entries) => entries,
            Err(failed) => return Err(failed.cannot("look at", path)),
        };
        if entries[0].kind != PathKind::Absent {
            return Ok(false);
        }
        match self.io.rename(prepared.at.clone(), host.to_owned()).await {
            Ok(()) => Ok(true),
            Err(failed) => Err(self.cannot_put(path, prepared, &failed).await),
        }
    }

    async fn cannot_put(&self, path: &str, prepared: &Prepared, failed: &Failed) -> Error {
        if failed.fault == Fault::NotFound
            && let Ok(entries) = self.io.inspect(vec![prepared.at.clone()]).await
            && entries[0].kind == PathKind::Absent
        {
            return swept(path);
        }
        failed.cannot("write", path)
    }

    /// Makes the folder of this restore, and then beside it the list of its paths: a list without a folder is of no
    /// use.
    async fn open(&mut self, path: &str) -> Result<(), Error> {
        if self.is_open {
            return Ok(());
        }
        self.is_begun = true;
        let (io, folder) = (self.io, self.folder);
        let all = all();
        make_own(io, folder, &all).await?;
        make_own(io, folder, &self.below).await?;
        let mut text = String::new();
        for (path, _) in &self.files {
            text.push_str(path);
            text.push('\0');
        }
        let list = format!("{}{LIST}", self.below);
        let made = io.create(
            folder.host(&list),
            text.into_bytes(),
            self.sync,
            Access::Owner,
        );
        if let Err(failed) = made.await {
            let _ = io.remove(folder.host(&list)).await;
            return Err(match failed.fault {
                Fault::NotFound => swept(path),
                _ => folder.error("write", &list, &failed),
            });
        }
        if self.sync == Sync::Durable {
            for below in [all.as_str(), SIDE] {
                match io.sync_folder(folder.host(below)).await {
                    Ok(()) => {}
                    Err(failed) if failed.fault == Fault::Unsupported => {}
                    Err(failed) if failed.fault == Fault::NotFound => return Err(swept(path)),
                    Err(failed) => return Err(folder.error("make durable", below, &failed)),
                }
            }
        }
        self.is_open = true;
        Ok(())
    }

    /// Returns the place that the file of a path is moved to, relative to the folder of documents.
    fn name(&self, number: usize) -> String {
        match &self.files[number].1 {
            UndoContent::Content(content) => format!("{}/{number}-{}", self.below, content.sha256),
            UndoContent::Nothing | UndoContent::Anything => format!("{}/{number}", self.below),
        }
    }
}

/// The folder of all restores for what they move aside, relative to the folder of documents.
pub(super) fn all() -> String {
    format!("{SIDE}/{ASIDE}")
}

/// Returns whether an entry can be what the undo holds, or what is prepared, by its kind and size.
fn may_pass(entry: PathEntry, held: &UndoContent, target: Option<&PathContent>) -> bool {
    let is_like = |content: &PathContent| match (entry.kind, content.kind) {
        (PathKind::File, ContentKind::File) => entry.size == content.size,
        (PathKind::Symlink, ContentKind::Link) => true,
        _ => false,
    };
    match held {
        UndoContent::Anything => true,
        UndoContent::Content(content) => is_like(content) || target.is_some_and(is_like),
        UndoContent::Nothing => target.is_some_and(is_like),
    }
}

/// Returns the content of a file or a link; `None` for anything else, and for a file of more than `most` bytes.
pub(super) async fn content(io: &Io, at: &str, most: u64) -> Result<Option<PathContent>, Failed> {
    let mut hashing = Hashing::default();
    let mut size: u64 = 0;
    loop {
        // One byte more than expected shows that it is longer.
        let remaining = (most - size).saturating_add(1);
        let length = remaining.min(u64::from(PIECE_BYTES)) as u32;
        let read = io.part(at.to_owned(), size, length, Links::Refuse).await;
        let part = match read {
            Ok(part) => part,
            Err(failed) if failed.fault == Fault::Symlink => return link(io, at).await.map(Some),
            Err(failed) if failed.fault == Fault::WrongKind => return Ok(None),
            Err(failed) => return Err(failed),
        };
        hashing.update(&part);
        size += part.len() as u64;
        if size > most {
            return Ok(None);
        }
        if part.len() < length as usize {
            return Ok(Some(PathContent {
                kind: ContentKind::File,
                is_executable: None,
                permissions: None,
                size,
                sha256: hashing.sha256(),
            }));
        }
    }
}

async fn link(io: &Io, at: &str) -> Result<PathContent, Failed> {
    let target = io.read_link(at.to_owned()).await?;
    Ok(PathContent {
        kind: ContentKind::Link,
        is_executable: None,
        permissions: None,
        size: target.len() as u64,
        sha256: sha256(&target),
    })
}

/// Puts a file back where nothing stands.
pub(super) async fn put_back(io: &Io, at: &str, host: &str) -> Result<PutBackOutcome, Failed> {
    let entries = io.inspect(vec![at.to_owned(), host.to_owned()]).await?;
    match (entries[0].kind, entries[1].kind) {
        (PathKind::Absent, _) => return Ok(PutBackOutcome::Gone),
        (_, PathKind::Absent) => {}
        _ => return Ok(PutBackOutcome::Taken),
    }
    let put = match entries[0].kind {
        PathKind::File => io.link(at.to_owned(), host.to_owned()).await,
        PathKind::Symlink => {
            let target = io.read_link(at.to_owned()).await?;
            io.symlink(host.to_owned(), target).await
        }
        // Of these no second name can be made, and no rename puts one in the place of a file.
        _ => {
            io.rename(at.to_owned(), host.to_owned()).await?;
            return Ok(PutBackOutcome::Done);
        }
    };
    match put {
        Ok(()) => {
            let _ = io.remove(at.to_owned()).await;
            Ok(PutBackOutcome::Done)
        }
        Err(failed) if failed.fault == Fault::Exists => Ok(PutBackOutcome::Taken),
        Err(failed) if failed.fault == Fault::Unsupported => {
            io.rename(at.to_owned(), host.to_owned()).await?;
            Ok(PutBackOutcome::Done)
        }
        Err(failed) => Err(failed),
    }
}

/// Removes the folder of one restore and its list where nothing is left in the folder, and with the last one the
/// folder of all.
pub(super) async fn sweep(io: &Io, folder: &StoreFolder, below: &str) {
    let removed = io.remove_folder(folder.host(below)).await;
    let is_gone = match removed {
        Ok(()) => true,
        Err(failed) => failed.fault == Fault::NotFound,
    };
    if is_gone {
        let _ = io.remove(folder.host(&format!("{below}{LIST}"))).await;
        let _ = io.remove_folder(folder.host(&all())).await;
    }
}
