//! Tries the file system for real, in a folder of its own: what the commit protocol rests on is
//! done there and looked at.
//!
//! One process does one thing after the other, so what it cannot try is a listing that another
//! process changes while it is made.

use crate::effect::{Failed, Fault, Io, Kind, Links, Sync};
use crate::store::SIDE;

use super::Ward;
use super::finding::{Check, Finding, Level, Remedy, word};
use super::fix::gone;
use super::folder::Standing;

/// A folder of this kind holds nothing that anybody needs.
const PROBE: &str = "probe-";
const ID_BYTES: u32 = 16;

/// Names that stay while others come and go, and how often those do.
const STAYING: usize = 48;
const ROUNDS: usize = 16;
/// More names than a probe ever holds.
const MAX_NAMES: u32 = 1_000;
/// A listing that broke off is made again.
const LISTINGS: u32 = 100;
const LISTING_WAIT_MS: u32 = 1;

const UNFIT: &str = "The store rests on this: on such a file system changes that were acknowledged \
                     can be lost. Keep the state on a local disk, or in a database.";

/// Whether a name is that of a folder that an examination makes.
pub(super) fn is_probe(name: &str) -> bool {
    name.strip_prefix(PROBE).is_some_and(|id| {
        id.len() == 2 * ID_BYTES as usize && id.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

impl Ward<'_> {
    /// Tries the file system of the state folder, and removes what that made.
    pub(super) async fn try_out(&self, standing: &Standing) -> Vec<Finding> {
        let path = self.folder.path();
        let finding = |level, found: String| Finding::new(Check::FileSystem, level, found).at(path);
        let id = match self.io.random(ID_BYTES).await {
            Ok(bytes) => bytes,
            Err(failed) => {
                let found = format!("There is no randomness: {}", failed.detail);
                let found = finding(Level::Error, found);
                return vec![found.because("Nothing can be saved without it.")];
            }
        };
        let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        let below = match standing.has_side {
            true => format!("{SIDE}/{PROBE}{id}"),
            false => format!("{PROBE}{id}"),
        };
        let probe = Probe {
            io: self.io,
            folder: self.host(&below),
        };
        if let Err(failed) = self.io.make_folder(probe.folder.clone()).await {
            let found = format!("Nothing can be written here: {}", failed.detail);
            return vec![finding(Level::Error, found).because("Checkpoints can only be read.")];
        }
        let mut notes = Vec::new();
        let tried = probe.run(&mut notes).await;
        let was_disturbed = tried.is_err() && probe.is_gone().await;
        let removed = gone(self.remove_probe(&probe.folder).await);

        let mut findings: Vec<Finding> = notes
            .into_iter()
            .map(|(found, why)| finding(Level::Note, found.to_owned()).because(why))
            .collect();
        match tried {
            Ok(()) => {}
            Err(_) if was_disturbed => {
                let found = "Somebody removed the folder in which the file system was being tried";
                let note = finding(Level::Note, found.to_owned());
                findings.push(note.because("Nothing is known of it; examine it again."));
            }
            Err(Trouble::Unfit(found)) => {
                findings.push(finding(Level::Error, found.to_owned()).because(UNFIT));
            }
            Err(Trouble::Failed(doing, detail)) => {
                let error = finding(Level::Error, format!("Cannot {doing}: {detail}"));
                findings.push(error.because("A save does the same, and fails as well."));
            }
        }
        if let Err(failed) = removed {
            let path = self.folder.shown(&below);
            let found = format!(
                "What was made to try it cannot be removed: {}",
                failed.detail
            );
            let warning = Finding::new(Check::FileSystem, Level::Warning, found);
            let warning = warning.because("It is of no use to anybody.");
            let warning = warning.with(Remedy::RemoveProbe(below));
            findings.push(warning.mended_by(format!("rm -r {}", word(&path))).at(path));
        }
        findings
    }

    /// Removes the folder of an examination with all files in it.
    pub(super) async fn remove_probe(&self, folder: &str) -> Result<(), Failed> {
        let listing = self.io.list(folder.to_owned(), MAX_NAMES).await?;
        for name in listing.names {
            gone(self.io.remove(format!("{folder}/{name}")).await)?;
        }
        self.io.remove_folder(folder.to_owned()).await
    }
}

/// Why a file system was not found sound.
enum Trouble {
    /// It does something else than the protocol needs.
    Unfit(&'static str),
    /// It cannot do this, and says why.
    Failed(&'static str, String),
}

/// What is worth knowing of a sound file system, and why.
type Notes = Vec<(&'static str, &'static str)>;

/// The folder that the file system is tried in.
struct Probe<'a> {
    io: &'a Io,
    folder: String,
}

impl Probe<'_> {
    async fn run(&self, notes: &mut Notes) -> Result<(), Trouble> {
        self.files(notes).await?;
        self.listings().await?;
        self.folders(notes).await
    }

    /// Files: made once, replaced as a whole, under two names.
    async fn files(&self, notes: &mut Notes) -> Result<(), Trouble> {
        self.create("one", Sync::Durable).await?;
        match self.make("one", Sync::Lazy).await {
            Err(Failed {
                fault: Fault::Exists,
                ..
            }) => {}
            Ok(()) => return unfit("A file that exists can be created again"),
            Err(failed) => return cannot("tell that a file exists", &failed),
        }
        self.create("two", Sync::Lazy).await?;
        self.rename("two", "one").await?;
        self.expect(
            "one",
            "two",
            "A file renamed over another does not replace it",
        )
        .await?;
        if self.kind("two").await? != Kind::Absent {
            return unfit("A renamed file keeps its name");
        }
        let link = |to| self.io.link(self.at("one"), self.at(to));
        match link("three").await {
            Ok(()) => {}
            Err(_) => {
                notes.push((
                    "Files cannot have a second name here",
                    "Replaced revisions are copied instead, which takes longer.",
                ));
                return self.remove("one").await;
            }
        }
        match link("three").await {
            Err(Failed {
                fault: Fault::Exists,
                ..
            }) => {}
            Ok(()) => return unfit("A second name replaces another file"),
            Err(failed) => return cannot("tell that a name is taken", &failed),
        }
        self.remove("one").await?;
        self.expect("three", "two", "A second name is lost with the first")
            .await?;
        self.remove("three").await
    }

    /// Listings, while names come, are renamed and go as tokens do.
    async fn listings(&self) -> Result<(), Trouble> {
        let mut expected = Vec::new();
        for number in 0..STAYING {
            let name = format!("stays-{number}");
            self.create(&name, Sync::Lazy).await?;
            expected.push(name);
        }
        for round in 0..ROUNDS {
            let (new, token) = (format!("comes-{round}"), format!("goes-{round}"));
            self.create(&new, Sync::Lazy).await?;
            self.rename(&new, &token).await?;
            let names = self.list().await?;
            let has_all = expected.iter().all(|name| names.contains(name));
            if !has_all || !names.contains(&token) {
                return unfit("A listing leaves out a name");
            }
            if names.len() > expected.len() + 1 {
                return unfit("A listing shows a name that is gone");
            }
            self.remove(&token).await?;
        }
        Ok(())
    }

    /// Folders: made durable, and how they hold letter case.
    async fn folders(&self, notes: &mut Notes) -> Result<(), Trouble> {
        match self.io.sync_folder(self.folder.clone()).await {
            Ok(()) => {}
            Err(Failed {
                fault: Fault::Unsupported,
                ..
            }) => notes.push((
                "Folders cannot be synced here",
                "What was acknowledged survives the end of a process, and perhaps not a power loss.",
            )),
            Err(failed) => return cannot("sync a folder", &failed),
        }
        if self.kind("STAYS-0").await? != Kind::Absent {
            notes.push((
                "Letter case makes no difference in names here",
                "Features whose names differ in case only cannot both have a checkpoint.",
            ));
        }
        Ok(())
    }

    async fn is_gone(&self) -> bool {
        let entries = self.io.inspect(vec![self.folder.clone()]).await;
        entries.is_ok_and(|entries| entries[0].kind == Kind::Absent)
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }

    /// A new file that holds its own name.
    async fn make(&self, name: &str, sync: Sync) -> Result<(), Failed> {
        let bytes = name.as_bytes().to_owned();
        self.io.create(self.at(name), bytes, sync).await
    }

    async fn create(&self, name: &str, sync: Sync) -> Result<(), Trouble> {
        let made = self.make(name, sync).await;
        made.or_else(|failed| cannot("write and sync a file", &failed))
    }

    async fn rename(&self, from: &str, to: &str) -> Result<(), Trouble> {
        let renamed = self.io.rename(self.at(from), self.at(to)).await;
        renamed.or_else(|failed| cannot("rename a file", &failed))
    }

    async fn remove(&self, name: &str) -> Result<(), Trouble> {
        let removed = self.io.remove(self.at(name)).await;
        removed.or_else(|failed| cannot("remove a file", &failed))
    }

    async fn kind(&self, name: &str) -> Result<Kind, Trouble> {
        match self.io.inspect(vec![self.at(name)]).await {
            Ok(entries) => Ok(entries[0].kind),
            Err(failed) => cannot("look at a file", &failed),
        }
    }

    async fn expect(
        &self,
        name: &str,
        content: &str,
        otherwise: &'static str,
    ) -> Result<(), Trouble> {
        let read = self.io.read(self.at(name), MAX_NAMES, Links::Refuse).await;
        match read {
            Ok(bytes) if bytes == content.as_bytes() => Ok(()),
            Ok(_) => unfit(otherwise),
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => unfit(otherwise),
            Err(failed) => cannot("read a file", &failed),
        }
    }

    async fn list(&self) -> Result<Vec<String>, Trouble> {
        for _ in 0..LISTINGS {
            match self.io.list(self.folder.clone(), MAX_NAMES).await {
                Ok(listing) if listing.complete => return Ok(listing.names),
                Ok(_) => {
                    let waited = self.io.wait(LISTING_WAIT_MS).await;
                    waited.or_else(|failed| cannot("wait", &failed))?;
                }
                Err(failed) => return cannot("list a folder", &failed),
            }
        }
        unfit("No listing comes to its end")
    }
}

fn unfit<T>(found: &'static str) -> Result<T, Trouble> {
    Err(Trouble::Unfit(found))
}

fn cannot<T>(doing: &'static str, failed: &Failed) -> Result<T, Trouble> {
    Err(Trouble::Failed(doing, failed.detail.clone()))
}
