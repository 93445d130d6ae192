//! The steps of a plan, one after the other.

use super::aside::{Asides, UndoContent};
use super::path_guard::{GuardedTree, PathCheck};
use super::prepare::{ContentSource, Workshop};
use crate::checkpoint::session::plan::change::RestoreStep;
use crate::checkpoint::session::plan::fact::{ContentKind, PERMISSIONS, PathContent};
use crate::checkpoint::session::plan::path::problem;
use crate::effect::{Access, Failed, Fault, Io, PathEntry, PathKind, Sync};
use crate::error::{Error, Written};
use crate::store::wrong_kind;
use crate::str_map;

/// The bits of a mode for others than the owner.
const OTHERS: u32 = 0o077;

/// The bits that a folder gets by itself on most machines: where a host sets none, there is no word of them.
const USUAL: [u32; 2] = [0o755, 0o775];

/// The part of a plan that was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The number of steps done, from the first on.
    pub steps: usize,
    /// Files and folders whose mode could not be restored, because the host has none or does not let it be set.
    pub without_mode: Vec<String>,
}

/// A restore that stopped in the middle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The part that was done until then. The step behind it was not done, or not whole.
    pub done: Done,
    /// The reason: the error names the path and the effect.
    pub error: Error,
    /// The path of a file that was changed, so that the undo does not hold it.
    pub changed: Option<String>,
}

/// Does the steps of a plan in the work tree at `root`. `own` are the folders of the product, relative to
/// the root, `held` says what the undo holds of a path, and `source` where the bytes of a content for a path
/// come from.
///
/// # Errors
///
/// [`Stopped`]. Steps that were done stay done; the same call again finishes the rest. With [`Error::conflict`]
/// at the first path where something stands that neither the undo holds nor the step would write.
pub async fn perform(
    io: &Io,
    root: &str,
    own: &[&str],
    workshop: &mut Workshop<'_>,
    steps: &[RestoreStep<'_>],
    held: &dyn Fn(&str) -> UndoContent,
    source: impl AsyncFn(&str, &PathContent) -> Result<ContentSource, Error>,
) -> Result<Done, Box<Stopped>> {
    let root = root.trim_end_matches('/');
    let files = steps.iter().filter_map(exchanged);
    let files = files.map(|path| (path, held(path))).collect();
    let (folder, sync) = (workshop.folder(), workshop.sync());
    let mut asides = Asides::new(io, folder, sync, workshop.id(), files);
    let work = RestoredTree {
        tree: GuardedTree { io, root },
        written: steps.iter().filter_map(written).collect(),
        folders: steps.iter().filter_map(made).collect(),
        folder_modes: steps.iter().rev().filter_map(folder_mode).collect(),
    };
    let mut done = Done::default();
    // Before anything is touched.
    let unsafe_one = steps.iter().find_map(|step| check(step, own).err());
    let ended = match unsafe_one {
        Some(error) => Err(error),
        None => {
            let doing = work.all(workshop, &mut asides, steps, held, &source, &mut done);
            doing.await
        }
    };
    asides.close().await;
    workshop.close().await;
    // The steps that were done are made durable, also where the rest failed.
    let synced = work.sync(workshop.sync(), &steps[..done.steps]).await;
    match ended.and(synced) {
        Ok(()) => Ok(done),
        Err(error) => {
            let written = match done.steps {
                0 => error.written(),
                _ => Written::Yes,
            };
            let error = error.with_written(written);
            let changed = asides.changed;
            Err(Box::new(Stopped {
                done,
                error,
                changed,
            }))
        }
    }
}

/// A work tree, and what the whole of the steps makes of it: what a step finds may be what a later one
/// made, when they are done again.
struct RestoredTree<'a> {
    tree: GuardedTree<'a>,
    written: str_map::StrMap<'a, &'a PathContent>,
    folders: str_map::StrSet<'a>,
    /// The last ones, of a folder that is opened in between.
    folder_modes: str_map::StrMap<'a, u32>,
}

impl RestoredTree<'_> {
    async fn all(
        &self,
        workshop: &mut Workshop<'_>,
        asides: &mut Asides<'_>,
        steps: &[RestoreStep<'_>],
        held: &dyn Fn(&str) -> UndoContent,
        source: &impl AsyncFn(&str, &PathContent) -> Result<ContentSource, Error>,
        done: &mut Done,
    ) -> Result<(), Error> {
        // Of those that write or delete a file.
        let mut number = 0;
        for step in steps {
            match step {
                RestoreStep::Delete(path) => {
                    self.delete(path, number, asides).await?;
                    number += 1;
                }
                RestoreStep::RemoveFolder(path) => self.remove_folder(path).await?,
                RestoreStep::RemoveIfEmpty(path) => self.remove_if_empty(path).await?,
                RestoreStep::MakeFolder(path) => self.make_folder(path).await?,
                RestoreStep::Write(path, content) => {
                    let standing = self.target_entry(path).await?;
                    let from = source(path, content).await?;
                    let prepared = workshop.prepare(path, content, from, standing).await?;
                    // Preparing may have taken long.
                    let standing = self.target_entry(path).await?;
                    let new = Some((content, &prepared));
                    asides
                        .exchange(number, &self.tree.host(path), standing, new)
                        .await?;
                    number += 1;
                    if !prepared.has_mode {
                        done.without_mode.push((*path).to_owned());
                    }
                }
                RestoreStep::SetMode(path, is_executable) => {
                    if !self.set_mode(path, *is_executable).await? {
                        done.without_mode.push((*path).to_owned());
                    }
                }
                RestoreStep::SetPermissions(path, bits) => {
                    if !self
                        .set_permissions(path, *bits, &held(path), asides)
                        .await?
                    {
                        done.without_mode.push((*path).to_owned());
                    }
                }
                RestoreStep::SetFolderPermissions(path, bits) => {
                    let is_set = self.set_folder_permissions(path, *bits).await?;
                    if !is_set && self.folder_modes.get(path) == Some(bits) {
                        done.without_mode.push((*path).to_owned());
                    }
                }
            }
            done.steps += 1;
        }
        Ok(())
    }

    async fn delete(
        &self,
        path: &str,
        number: usize,
        asides: &mut Asides<'_>,
    ) -> Result<(), Error> {
        let Some(entry) = self.before(path).await? else {
            return Ok(());
        };
        match entry.kind {
            PathKind::Absent => Ok(()),
            // A folder that was made here by a later step, before these were done again.
            PathKind::Folder if self.folders.contains(path) => Ok(()),
            PathKind::File | PathKind::Symlink => {
                asides
                    .exchange(number, &self.tree.host(path), entry, None)
                    .await
            }
            kind => Err(wrong_kind(path, kind, "a file or a symbolic link")),
        }
    }

    async fn remove_folder(&self, path: &str) -> Result<(), Error> {
        let Some(entry) = self.before(path).await? else {
            return Ok(());
        };
        match entry.kind {
            PathKind::Absent => Ok(()),
            PathKind::File | PathKind::Symlink if self.written.contains(path) => Ok(()),
            PathKind::Folder => gone(self.tree.io.remove_folder(self.tree.host(path)).await)
                .map_err(|failed| failed.cannot("remove the folder", path)),
            kind => Err(wrong_kind(path, kind, "a folder")),
        }
    }

    async fn remove_if_empty(&self, path: &str) -> Result<(), Error> {
        let Some(PathEntry {
            kind: PathKind::Folder,
            ..
        }) = self.before(path).await?
        else {
            return Ok(());
        };
        let (io, host) = (self.tree.io, self.tree.host(path));
        match gone(io.remove_folder(host.clone()).await) {
            Ok(()) => Ok(()),
            // A folder that is not empty stays.
            Err(failed) => match io.list(host, 1).await {
                Ok(listed) if !listed.names.is_empty() || !listed.complete => Ok(()),
                Ok(_) => Err(failed.cannot("remove the folder", path)),
                Err(listing) if listing.fault == Fault::NotFound => Ok(()),
                Err(listing) => Err(listing.cannot("list", path)),
            },
        }
    }

    async fn make_folder(&self, path: &str) -> Result<(), Error> {
        let is_there = |entry: PathEntry| match entry.kind {
            PathKind::Absent => Ok(false),
            PathKind::Folder => Ok(true),
            kind => Err(wrong_kind(path, kind, "a folder, or nothing")),
        };
        if is_there(self.tree.expect(path).await?)? {
            return Ok(());
        }
        // One that is to be its owner's alone is so from the beginning.
        let access = match self.folder_modes.get(path) {
            Some(bits) if bits & OTHERS == 0 => Access::Owner,
            _ => Access::Shared,
        };
        let made = self.tree.io.make_folder(self.tree.host(path), access);
        match made.await {
            Ok(()) => Ok(()),
            Err(failed) if failed.fault == Fault::Exists => {
                is_there(self.tree.expect(path).await?).map(|_| ())
            }
            Err(failed) => Err(failed.cannot("make the folder", path)),
        }
    }

    /// Returns the state of the path where a file or link is to go.
    async fn target_entry(&self, path: &str) -> Result<PathEntry, Error> {
        let entry = self.tree.expect(path).await?;
        match entry.kind {
            PathKind::Absent | PathKind::File | PathKind::Symlink => Ok(entry),
            kind => Err(wrong_kind(path, kind, "a file, a symbolic link or nothing")),
        }
    }

    /// Returns whether the mode was set; `false` on a host without modes, or that does not let it be set.
    async fn set_mode(&self, path: &str, is_executable: bool) -> Result<bool, Error> {
        let entry = self.tree.expect(path).await?;
        if entry.kind != PathKind::File {
            return Err(wrong_kind(path, entry.kind, "a regular file"));
        }
        let host = self.tree.host(path);
        has_set(path, self.tree.io.set_mode(host, is_executable).await)
    }

    /// Sets the permission bits of a file, where they are those that the undo holds; `false` on a
    /// host without modes, or that does not let them be set.
    async fn set_permissions(
        &self,
        path: &str,
        bits: u32,
        held: &UndoContent,
        asides: &mut Asides<'_>,
    ) -> Result<bool, Error> {
        let entry = self.tree.expect(path).await?;
        if entry.kind != PathKind::File {
            return Err(wrong_kind(path, entry.kind, "a regular file"));
        }
        let now = entry.mode.map(|it| it & PERMISSIONS);
        let known = match held {
            UndoContent::Content(content) => content.permissions,
            UndoContent::Nothing | UndoContent::Anything => None,
        };
        if let (Some(now), Some(known)) = (now, known)
            && now != known
            && now != bits
        {
            return Err(asides.differs(path, ""));
        }
        let host = self.tree.host(path);
        has_set(path, self.tree.io.set_permissions(host, bits).await)
    }

    /// Sets the permission bits of a folder, unless a step before removed it; `false` where that cannot be done, and
    /// the folder and most others have other bits.
    async fn set_folder_permissions(&self, path: &str, bits: u32) -> Result<bool, Error> {
        let Some(entry) = self.before(path).await? else {
            return Ok(true);
        };
        match entry.kind {
            PathKind::Absent => return Ok(true),
            PathKind::Folder => {}
            kind => return Err(wrong_kind(path, kind, "a folder")),
        }
        let has_them = entry.mode.map(|it| it & PERMISSIONS) == Some(bits);
        match self
            .tree
            .io
            .set_permissions(self.tree.host(path), bits)
            .await
        {
            Ok(()) => Ok(true),
            Err(failed) => match failed.fault {
                // A host may know modes of files alone.
                Fault::Unsupported | Fault::WrongKind | Fault::Denied => {
                    Ok(has_them || USUAL.contains(&bits))
                }
                _ => Err(failed.cannot("set the mode of", path)),
            },
        }
    }

    /// Returns the state of a path that is to go; `None` where its folder went before it.
    async fn before(&self, path: &str) -> Result<Option<PathEntry>, Error> {
        match self.tree.check(path).await? {
            PathCheck::Entry(entry) => Ok(Some(entry)),
            // Nothing is below a file, nor below the link that a later step made.
            PathCheck::Blocked(_, PathKind::Absent | PathKind::File) => Ok(None),
            PathCheck::Blocked(part, PathKind::Symlink) if self.is_link(part) => Ok(None),
            PathCheck::Blocked(part, kind) => Err(wrong_kind(part, kind, "a folder")),
        }
    }

    fn is_link(&self, path: &str) -> bool {
        let content = self.written.get(path);
        content.is_some_and(|it| it.kind == ContentKind::Link)
    }

    /// Makes the names durable that came and went: those in the folders of these steps.
    async fn sync(&self, sync: Sync, steps: &[RestoreStep<'_>]) -> Result<(), Error> {
        if sync == Sync::Lazy {
            return Ok(());
        }
        let is_mode = |it: &&RestoreStep<'_>| {
            matches!(
                it,
                RestoreStep::SetMode(..)
                    | RestoreStep::SetPermissions(..)
                    | RestoreStep::SetFolderPermissions(..)
            )
        };
        let changed = steps.iter().filter(|it| !is_mode(it));
        let parents = changed.map(|it| path_of(it).rsplit_once('/').map_or("", |(it, _)| it));
        let parents: str_map::StrSet<'_> = parents.collect();
        for (parent, ()) in parents.iter() {
            let host = match parent {
                "" if self.tree.root.is_empty() => "/".to_owned(),
                "" => self.tree.root.to_owned(),
                parent => self.tree.host(parent),
            };
            match self.tree.io.sync_folder(host).await {
                Ok(()) => {}
                Err(failed) => match failed.fault {
                    // The host cannot; or a later step has removed it.
                    Fault::Unsupported | Fault::NotFound | Fault::WrongKind | Fault::Symlink => {}
                    _ => return Err(failed.cannot("make durable", parent)),
                },
            }
        }
        Ok(())
    }
}

/// Returns whether the mode of a file was set. One of another user cannot get any, and must not stop the rest.
fn has_set(path: &str, set: Result<(), Failed>) -> Result<bool, Error> {
    match set {
        Ok(()) => Ok(true),
        Err(failed) if matches!(failed.fault, Fault::Unsupported | Fault::Denied) => Ok(false),
        Err(failed) => Err(failed.cannot("set the mode of", path)),
    }
}

/// Treats a file that is gone already as removed.
fn gone(removed: Result<(), Failed>) -> Result<(), Failed> {
    match removed {
        Err(failed) if failed.fault == Fault::NotFound => Ok(()),
        removed => removed,
    }
}

fn written<'a>(step: &'a RestoreStep<'a>) -> Option<(&'a str, &'a PathContent)> {
    match step {
        RestoreStep::Write(path, content) => Some((path, content)),
        _ => None,
    }
}

fn exchanged<'a>(step: &'a RestoreStep<'a>) -> Option<&'a str> {
    match step {
        RestoreStep::Delete(path) | RestoreStep::Write(path, _) => Some(path),
        _ => None,
    }
}

fn made<'a>(step: &'a RestoreStep<'a>) -> Option<&'a str> {
    match step {
        RestoreStep::MakeFolder(path) => Some(path),
        _ => None,
    }
}

fn folder_mode<'a>(step: &'a RestoreStep<'a>) -> Option<(&'a str, u32)> {
    match step {
        RestoreStep::SetFolderPermissions(path, bits) => Some((path, *bits)),
        _ => None,
    }
}

fn path_of<'a>(step: &RestoreStep<'a>) -> &'a str {
    match step {
        RestoreStep::Delete(path)
        | RestoreStep::RemoveFolder(path)
        | RestoreStep::RemoveIfEmpty(path)
        | RestoreStep::MakeFolder(path)
        | RestoreStep::Write(path, _)
        | RestoreStep::SetMode(path, _)
        | RestoreStep::SetPermissions(path, _)
        | RestoreStep::SetFolderPermissions(path, _) => path,
    }
}

/// Refuses a step that leads elsewhere. The folders that contain a file are held to the same, other
/// than that one of the product's own may be below.
fn check(step: &RestoreStep<'_>, own: &[&str]) -> Result<(), Error> {
    let path = path_of(step);
    let own = match step {
        RestoreStep::MakeFolder(_) | RestoreStep::RemoveIfEmpty(_) => &[],
        _ => own,
    };
    match problem(path, own) {
        None => Ok(()),
        Some(why) => {
            let message = format!("{path} {}; nothing was touched", why.as_str());
            Err(Error::unsafe_path(path.to_owned(), message))
        }
    }
}
