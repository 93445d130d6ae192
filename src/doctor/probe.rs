//! Tries the file system for real, in a folder of its own: what the commit protocol rests on is
//! done there and looked at.
//!
//! One process does one thing after the other, so what it cannot try is a listing that another
//! process changes while it is made.

use crate::effect::{Entry, Failed, Fault, Io, Kind, Links, Sync};
use crate::store::SIDE;

use super::Examination;
use super::finding::{Check, Finding, Level, Remedy, Report, word};
use super::fix::gone;
use super::folder::{Standing, named};

/// A folder of this kind holds nothing that anybody needs.
const PROBE: &str = "probe-";
const ID_BYTES: u32 = 16;

/// Names that stay while others come and go, and how often those do.
const STAYING: usize = 48;
const ROUNDS: usize = 16;
const STAYS: &str = "stays-";
const TOKEN: &str = "token-";
const PREPARED: &str = ".new";
/// The ending of the file that is moved out of the folder, and how long it is.
const MOVED: &str = ".moved";
const MOVED_BYTES: u64 = "four".len() as u64;
/// More names than a probe ever holds.
const MAX_NAMES: u32 = 1_000;
/// A listing that broke off is made again.
const LISTINGS: u32 = 100;
const LISTING_WAIT_MS: u32 = 1;

const UNFIT: &str = "The store rests on this: on such a file system changes that were acknowledged \
                     can be lost. Keep the state on a local disk, or in a database.";

const NO_LINKS: (&str, &str) = (
    "Files cannot have a second name here",
    "Replaced revisions are copied instead, which takes longer.",
);
const NO_FOLDER_SYNC: (&str, &str) = (
    "Folders cannot be synced here",
    "What was acknowledged survives the end of a process, and perhaps not a power loss.",
);
const FOLDS_CASE: (&str, &str) = (
    "Letter case makes no difference in names here",
    "Features whose names differ in case only cannot both have a checkpoint.",
);

/// Whether a name is that of something that an examination makes.
pub(super) fn is_trial(name: &str) -> bool {
    is_probe(name.strip_suffix(MOVED).unwrap_or(name))
}

/// Whether a name is that of a folder that an examination makes.
pub(super) fn is_probe(name: &str) -> bool {
    name.strip_prefix(PROBE).is_some_and(|id| {
        id.len() == 2 * ID_BYTES as usize && id.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Whether this is the file that an examination moves out of such a folder.
pub(super) fn is_moved(name: &str, entry: Entry) -> bool {
    let is_named = name.strip_suffix(MOVED).is_some_and(is_probe);
    is_named && entry.kind == Kind::File && entry.size == MOVED_BYTES
}

impl Examination<'_> {
    /// Tries the file system of the state folder, and removes what that made.
    pub(super) async fn try_out(&self, standing: &Standing, report: &mut Report) {
        let path = self.folder.path();
        let mut below = String::new();
        if standing.has_side {
            below.push_str(SIDE);
            below.push('/');
        }
        below.push_str(PROBE);
        let id = self.io.random(ID_BYTES).await;
        for byte in id.iter().flatten() {
            below.push_str(&format!("{byte:02x}"));
        }
        let probe = Probe {
            io: self.io,
            folder: self.host(&below),
        };
        let made = match id {
            Ok(_) => self.io.make_folder(probe.folder.clone()).await,
            Err(failed) => Err(failed),
        };
        if let Err(failed) = made {
            let found = format!("Nothing can be written here: {}", failed.detail);
            let why = "Checkpoints can only be read.";
            let error = report.tell(Check::FileSystem, Level::Error, path, &found, why);
            self.give_rights(standing, error);
            return;
        }
        let tried = probe.run(report, path).await;
        if tried.is_ok() {
            self.move_in(&probe, standing, report).await;
        }
        let removed = self.remove_probe(&below).await;
        let is_gone = |failed: &Failed| failed.fault == Fault::NotFound;
        if removed.as_ref().is_err_and(is_gone) {
            let found = "Somebody removed the folder in which the file system was being tried";
            let why = "Nothing is known of it; examine it again.";
            report.tell(Check::FileSystem, Level::Note, path, found, why);
            return;
        }
        if let Err(found) = tried {
            report.tell(Check::FileSystem, Level::Error, path, &found, UNFIT);
        }
        if let Err(failed) = removed {
            self.stays(&below, &failed, report)
                .with(Remedy::RemoveProbe(below));
        }
    }

    /// The command that gives the owner of a folder what is needed to write to it. A fix never does:
    /// somebody may have closed the folder on purpose.
    fn give_rights(&self, standing: &Standing, error: &mut Finding) {
        if let Some(below) = standing.lacking() {
            error.mended_by(format!("chmod u+rwx {}", word(&self.folder.shown(below))));
        }
    }

    /// Renames a file into the state folder, as a commit does, and removes it. The folder beside the
    /// documents tells nothing of this one.
    async fn move_in(&self, probe: &Probe<'_>, standing: &Standing, report: &mut Report) {
        let path = self.folder.path();
        // No checkpoint can have this name, and nobody else has this id.
        let id = probe.folder.rsplit('/').next().unwrap_or_default();
        let below = format!("{id}{MOVED}");
        let moved = self.host(&below);
        if let Err(failed) = self.io.rename(probe.at("four"), moved.clone()).await {
            // Told where the folder of the trial is removed.
            if failed.fault != Fault::NotFound {
                let found = format!("No file can be put here: {}", failed.detail);
                let why = "A save renames its file into this folder: every one fails.";
                let error = report.tell(Check::FileSystem, Level::Error, path, &found, why);
                self.give_rights(standing, error);
            }
            return;
        }
        if let Err(failed) = gone(self.io.remove(moved).await) {
            self.stays(&below, &failed, report)
                .with(Remedy::Remove(below));
        }
    }

    /// What was made to try the file system is still there.
    fn stays<'a>(&self, below: &str, failed: &Failed, report: &'a mut Report) -> &'a mut Finding {
        let path = self.folder.shown(below);
        let found = format!(
            "What was made to try it cannot be removed: {}",
            failed.detail
        );
        let why = "It is of no use to anybody.";
        report.tell(Check::FileSystem, Level::Warning, &path, &found, why)
    }

    /// Removes the folder of an examination with the files that it made in it, and nothing else:
    /// what stands there may have been put there, or have changed since it was found.
    pub(super) async fn remove_probe(&self, below: &str) -> Result<(), Failed> {
        let mut parts = self.folder.own_parts();
        let ends = below.match_indices('/').map(|(at, _)| at);
        parts.extend(
            ends.chain([below.len()])
                .map(|end| self.folder.shown(&below[..end])),
        );
        let looked = self.folder.inspect(self.io, &parts).await;
        let entries = looked.map_err(|error| refused(Fault::Other, error.to_string()))?;
        for (part, entry) in parts.iter().zip(entries) {
            match entry.kind {
                Kind::Folder => {}
                Kind::Absent => return Err(refused(Fault::NotFound, format!("no {part}"))),
                kind => {
                    let detail = format!("{part} is {}", named(kind));
                    return Err(refused(Fault::WrongKind, detail));
                }
            }
        }
        let folder = self.host(below);
        let listing = self.io.list(folder.clone(), MAX_NAMES).await?;
        if let Some(name) = listing.names.iter().find(|name| !is_made(name)) {
            let detail = format!("it holds {name}, which no examination makes");
            return Err(refused(Fault::Other, detail));
        }
        for name in listing.names {
            gone(self.io.remove(format!("{folder}/{name}")).await)?;
        }
        self.io.remove_folder(folder).await
    }
}

fn refused(fault: Fault, detail: String) -> Failed {
    Failed {
        effect: "",
        fault,
        detail,
    }
}

/// Whether a file of this name is made by an examination.
fn is_made(name: &str) -> bool {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let name = name.strip_suffix(PREPARED).unwrap_or(name);
    let numbered = [STAYS, TOKEN].iter().find_map(|it| name.strip_prefix(it));
    matches!(name, "one" | "two" | "three" | "four") || numbered.is_some_and(is_number)
}

/// One thing that is done in the folder.
#[derive(Clone, Copy)]
enum Act<'a> {
    /// Make a file that holds its own name.
    Create(&'a str, Sync),
    Rename(&'a str, &'a str),
    Link(&'a str, &'a str),
    Remove(&'a str),
    SyncFolder,
}

/// What is to come of it.
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
const FILES: &[(Act<'static>, Expected)] = &[
    (Act::Create("one", Sync::Durable), Expected::Done),
    (
        Act::Create("one", Sync::Lazy),
        Expected::Refused("A file that exists can be created again"),
    ),
    (Act::Create("two", Sync::Lazy), Expected::Done),
    (
        Act::Rename("two", "one"),
        Expected::Leaves("two", None, "A renamed file keeps its name"),
    ),
    (
        Act::Create("four", Sync::Lazy),
        Expected::Leaves(
            "one",
            Some("two"),
            "A file renamed over another does not replace it",
        ),
    ),
    (Act::SyncFolder, Expected::Done),
    (Act::Link("one", "three"), Expected::Done),
    (
        Act::Link("one", "three"),
        Expected::Refused("A second name replaces another file"),
    ),
    (
        Act::Remove("one"),
        Expected::Leaves("three", Some("two"), "A second name is lost with the first"),
    ),
];

/// The folder that the file system is tried in.
struct Probe<'a> {
    io: &'a Io,
    folder: String,
}

impl Probe<'_> {
    /// # Errors
    ///
    /// What the file system does not do.
    async fn run(&self, report: &mut Report, path: &str) -> Result<(), String> {
        let mut note = |(found, why)| {
            report.tell(Check::FileSystem, Level::Note, path, found, why);
        };
        for &(act, expected) in FILES {
            match (self.act(act).await, expected) {
                (Ok(()), Expected::Refused(wrong)) => return Err(wrong.to_owned()),
                (Ok(()), Expected::Done) => {}
                (Ok(()), Expected::Leaves(name, content, wrong)) => {
                    if self.read(name).await?.as_deref() != content.map(str::as_bytes) {
                        return Err(wrong.to_owned());
                    }
                }
                (Err(failed), _) => match (failed.fault, act, expected) {
                    (Fault::Exists, _, Expected::Refused(_)) => {}
                    (Fault::Unsupported, Act::SyncFolder, _) => note(NO_FOLDER_SYNC),
                    (_, Act::Link(..), Expected::Done) => {
                        note(NO_LINKS);
                        break;
                    }
                    _ => return cannot(act.doing(), failed),
                },
            }
        }
        self.listings().await?;
        if self.read("STAYS-0").await?.is_some() {
            note(FOLDS_CASE);
        }
        Ok(())
    }

    /// Lists, while names come, are renamed and go as tokens do.
    async fn listings(&self) -> Result<(), String> {
        let mut staying = Vec::new();
        for number in 0..STAYING {
            let name = format!("{STAYS}{number}");
            self.must(Act::Create(&name, Sync::Lazy)).await?;
            staying.push(name);
        }
        for round in 0..ROUNDS {
            let token = format!("{TOKEN}{round}");
            let new = format!("{token}{PREPARED}");
            self.must(Act::Create(&new, Sync::Lazy)).await?;
            self.must(Act::Rename(&new, &token)).await?;
            let names = self.list().await?;
            if !names.contains(&token) || staying.iter().any(|name| !names.contains(name)) {
                return Err("A listing leaves out a name".to_owned());
            }
            let is_token = |it: &&String| it.starts_with(TOKEN);
            if names.iter().filter(is_token).count() > 1 {
                return Err("A listing shows a name that is gone".to_owned());
            }
            self.must(Act::Remove(&token)).await?;
        }
        Ok(())
    }

    async fn act(&self, act: Act<'_>) -> Result<(), Failed> {
        let (io, at) = (self.io, |name: &str| self.at(name));
        match act {
            Act::Create(name, sync) => io.create(at(name), name.as_bytes().to_owned(), sync),
            Act::Rename(from, to) => io.rename(at(from), at(to)),
            Act::Link(from, to) => io.link(at(from), at(to)),
            Act::Remove(name) => io.remove(at(name)),
            Act::SyncFolder => io.sync_folder(self.folder.clone()),
        }
        .await
    }

    async fn must(&self, act: Act<'_>) -> Result<(), String> {
        let done = self.act(act).await;
        done.or_else(|failed| cannot(act.doing(), failed))
    }

    /// The content of a file; `None` where it is absent.
    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        match self.io.read(self.at(name), MAX_NAMES, Links::Refuse).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(failed) if failed.fault == Fault::NotFound => Ok(None),
            Err(failed) => cannot("read a file", failed),
        }
    }

    async fn list(&self) -> Result<Vec<String>, String> {
        for _ in 0..LISTINGS {
            match self.io.list(self.folder.clone(), MAX_NAMES).await {
                Ok(listing) if listing.complete => return Ok(listing.names),
                Ok(_) => {}
                Err(failed) => return cannot("list a folder", failed),
            }
            let _ = self.io.wait(LISTING_WAIT_MS).await;
        }
        Err("No listing comes to its end".to_owned())
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }
}

impl Act<'_> {
    fn doing(self) -> &'static str {
        match self {
            Act::Create(..) => "write and sync a file",
            Act::Rename(..) => "rename a file",
            Act::Link(..) => "tell that a name is taken",
            Act::Remove(..) => "remove a file",
            Act::SyncFolder => "sync a folder",
        }
    }
}

fn cannot<T>(doing: &str, failed: Failed) -> Result<T, String> {
    Err(format!("Cannot {doing}: {}", failed.detail))
}
