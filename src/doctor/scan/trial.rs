//! Tries the file system for real, in a folder of its own: what the commit protocol rests on is
//! done there and looked at.
//!
//! One process does one thing after the other, so what it cannot try is a listing that another
//! process changes while it is made.

use crate::digest::{ID_BYTES, hex};
use crate::doctor::facts::{FileSystemLack, TrialResult};
use crate::doctor::fix_step::Remedy;
use crate::doctor::probe::{self, MAX_NAMES, MOVED, PREPARED, PROBE, STAYS, TOKEN, gone};
use crate::effect::{Access, Failed, Fault, Io, Links, Sync};
use crate::store::{SIDE, StoreFolder};

/// The number of names that stay while others come and go, and the number of times that those do.
const STAYING: usize = 48;
const ROUNDS: usize = 16;
/// A listing that broke off is made again.
const LISTINGS: u32 = 100;
const LISTING_WAIT_MS: u32 = 1;

/// Tries the file system of the state folder, and removes what that made.
pub(super) async fn try_out(io: &Io, folder: &StoreFolder, has_side: bool) -> Vec<TrialResult> {
    let mut below = String::new();
    if has_side {
        below.push_str(SIDE);
        below.push('/');
    }
    below.push_str(PROBE);
    let id = io.random(ID_BYTES as u32).await;
    below.push_str(&id.as_deref().map(hex).unwrap_or_default());
    let trial = TrialFolder {
        io,
        folder: folder.host(&below),
    };
    let made = match id {
        Ok(_) => io.make_folder(trial.folder.clone(), Access::Owner).await,
        Err(failed) => Err(failed),
    };
    if let Err(failed) = made {
        let within = if has_side { SIDE } else { "" };
        let why = |detail| TrialResult::Unwritable(within, detail);
        return vec![refused(failed, why)];
    }
    let mut tried = Vec::new();
    let run = trial.run(&mut tried).await;
    if run.is_ok() {
        tried.extend(move_in(io, folder, &trial).await);
    }
    let removed = probe::remove(io, folder, &below).await;
    if removed
        .as_ref()
        .is_err_and(|it| it.fault == Fault::NotFound)
    {
        tried.push(TrialResult::Interrupted);
        return tried;
    }
    if let Err(found) = run {
        tried.push(found);
    }
    if let Err(failed) = removed {
        let remedy = Remedy::RemoveProbe(below.clone());
        tried.push(TrialResult::Stays(below, remedy, failed.detail));
    }
    tried
}

/// Renames a file into the state folder, as a commit does, and removes it. The folder beside the
/// documents says nothing of this one.
async fn move_in(io: &Io, folder: &StoreFolder, trial: &TrialFolder<'_>) -> Option<TrialResult> {
    // No checkpoint can have this name, and no other examination has this id.
    let id = trial.folder.rsplit('/').next().unwrap_or_default();
    let below = format!("{id}{MOVED}");
    let moved = folder.host(&below);
    if let Err(failed) = io.rename(trial.at("four"), moved.clone()).await {
        // Reported where the folder of the trial is removed.
        return (failed.fault != Fault::NotFound).then(|| refused(failed, TrialResult::Closed));
    }
    let failed = gone(io.remove(moved).await).err()?;
    let remedy = Remedy::Remove(below.clone());
    Some(TrialResult::Stays(below, remedy, failed.detail))
}

/// One thing that is done in the folder.
#[derive(Clone, Copy)]
enum TrialAction<'a> {
    /// Make a file that holds its own name.
    Create(&'a str, Sync),
    Rename(&'a str, &'a str),
    Link(&'a str, &'a str),
    Remove(&'a str),
    SyncFolder,
}

/// The expected result.
#[derive(Clone, Copy)]
enum Expected {
    /// It is done.
    Done,
    /// It is refused, because the name is taken; it would be wrong to do this.
    Refused(&'static str),
    /// It is done, and then a file holds this content, or is absent; else this is wrong.
    Leaves(&'static str, Option<&'static str>, &'static str),
}

/// Files are made once, replaced as a whole, and have two names, each as good as the other.
const FILES: &[(TrialAction<'static>, Expected)] = &[
    (TrialAction::Create("one", Sync::Durable), Expected::Done),
    (
        TrialAction::Create("one", Sync::Lazy),
        Expected::Refused("A file that exists can be created again"),
    ),
    (TrialAction::Create("two", Sync::Lazy), Expected::Done),
    (
        TrialAction::Rename("two", "one"),
        Expected::Leaves("two", None, "A renamed file keeps its name"),
    ),
    (
        TrialAction::Create("four", Sync::Lazy),
        Expected::Leaves(
            "one",
            Some("two"),
            "A file renamed over another does not replace it",
        ),
    ),
    (TrialAction::SyncFolder, Expected::Done),
    (TrialAction::Link("one", "three"), Expected::Done),
    (
        TrialAction::Link("one", "three"),
        Expected::Refused("A second name replaces another file"),
    ),
    (
        TrialAction::Remove("one"),
        Expected::Leaves("three", Some("two"), "A second name is lost with the first"),
    ),
];

/// The folder that the file system is tried in.
struct TrialFolder<'a> {
    io: &'a Io,
    folder: String,
}

impl TrialFolder<'_> {
    /// # Errors
    ///
    /// The failure of the file system, or its lack of room.
    async fn run(&self, tried: &mut Vec<TrialResult>) -> Result<(), TrialResult> {
        let mut lacks = |lack| tried.push(TrialResult::Lacks(lack));
        for &(act, expected) in FILES {
            match (self.act(act).await, expected) {
                (Ok(()), Expected::Refused(wrong)) => return unfit(wrong),
                (Ok(()), Expected::Done) => {}
                (Ok(()), Expected::Leaves(name, content, wrong)) => {
                    if self.read(name).await?.as_deref() != content.map(str::as_bytes) {
                        return unfit(wrong);
                    }
                }
                (Err(failed), _) => match (failed.fault, act, expected) {
                    (Fault::Exists, _, Expected::Refused(_)) => {}
                    (Fault::Unsupported, TrialAction::SyncFolder, _) => {
                        lacks(FileSystemLack::FolderSync);
                    }
                    (_, TrialAction::Link(..), Expected::Done) => {
                        lacks(FileSystemLack::SecondNames);
                        break;
                    }
                    _ => return cannot(act.doing(), failed),
                },
            }
        }
        self.listings().await?;
        if self.read("STAYS-0").await?.is_some() {
            lacks(FileSystemLack::Case);
        }
        Ok(())
    }

    /// Lists, while names come, are renamed and go as tokens do.
    async fn listings(&self) -> Result<(), TrialResult> {
        let mut staying = Vec::new();
        for number in 0..STAYING {
            let name = format!("{STAYS}{number}");
            self.must(TrialAction::Create(&name, Sync::Lazy)).await?;
            staying.push(name);
        }
        for round in 0..ROUNDS {
            let token = format!("{TOKEN}{round}");
            let new = format!("{token}{PREPARED}");
            self.must(TrialAction::Create(&new, Sync::Lazy)).await?;
            self.must(TrialAction::Rename(&new, &token)).await?;
            let names = self.list().await?;
            if !names.contains(&token) || staying.iter().any(|name| !names.contains(name)) {
                return unfit("A listing leaves out a name");
            }
            let is_token = |it: &&String| it.starts_with(TOKEN);
            if names.iter().filter(is_token).count() > 1 {
                return unfit("A listing shows a name that is gone");
            }
            self.must(TrialAction::Remove(&token)).await?;
        }
        Ok(())
    }

    async fn act(&self, act: TrialAction<'_>) -> Result<(), Failed> {
        let (io, at) = (self.io, |name: &str| self.at(name));
        match act {
            TrialAction::Create(name, sync) => {
                io.create(at(name), name.as_bytes().to_owned(), sync, Access::Owner)
            }
            TrialAction::Rename(from, to) => io.rename(at(from), at(to)),
            TrialAction::Link(from, to) => io.link(at(from), at(to)),
            TrialAction::Remove(name) => io.remove(at(name)),
            TrialAction::SyncFolder => io.sync_folder(self.folder.clone()),
        }
        .await
    }

    async fn must(&self, act: TrialAction<'_>) -> Result<(), TrialResult> {
        let done = self.act(act).await;
        done.or_else(|failed| cannot(act.doing(), failed))
    }

    /// The content of a file; `None` where it is absent.
    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, TrialResult> {
        match self.io.read(self.at(name), MAX_NAMES, Links::Refuse).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(failed) if failed.fault == Fault::NotFound => Ok(None),
            Err(failed) => cannot("read a file", failed),
        }
    }

    async fn list(&self) -> Result<Vec<String>, TrialResult> {
        for _ in 0..LISTINGS {
            match self.io.list(self.folder.clone(), MAX_NAMES).await {
                Ok(listing) if listing.complete => return Ok(listing.names),
                Ok(_) => {}
                Err(failed) => return cannot("list a folder", failed),
            }
            let _ = self.io.wait(LISTING_WAIT_MS).await;
        }
        unfit("No listing comes to its end")
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }
}

impl TrialAction<'_> {
    fn doing(self) -> &'static str {
        match self {
            TrialAction::Create(..) => "write and sync a file",
            TrialAction::Rename(..) => "rename a file",
            TrialAction::Link(..) => "refuse a taken name",
            TrialAction::Remove(..) => "remove a file",
            TrialAction::SyncFolder => "sync a folder",
        }
    }
}

fn unfit<T>(found: &str) -> Result<T, TrialResult> {
    Err(TrialResult::Unfit(found.to_owned()))
}

fn cannot<T>(doing: &str, failed: Failed) -> Result<T, TrialResult> {
    let unfit = |detail| TrialResult::Unfit(format!("Cannot {doing}: {detail}"));
    Err(refused(failed, unfit))
}

/// The refusal of the file system, for this reason; a full disk says nothing of the file system, nor of rights.
fn refused(failed: Failed, otherwise: impl FnOnce(String) -> TrialResult) -> TrialResult {
    match failed.fault {
        Fault::NoSpace => TrialResult::Full(failed.detail),
        _ => otherwise(failed.detail),
    }
}
