//! The handle over which an operation asks for effects, one method for each.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use crate::error::Error;

use super::machine::Slot;
use super::{Access, Effect, Entry, Fault, Kind, Links, Outcome, Stream, Swap, Sync};

/// Asks the host for effects. Handed to an operation by its machine.
#[derive(Clone, Debug)]
pub struct Io {
    slot: Rc<RefCell<Slot>>,
}

/// An effect that could not be performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The name of the effect, see [`Effect::name`]; empty where a host makes this.
    pub effect: &'static str,
    /// The reason, as far as the core acts on it.
    pub fault: Fault,
    /// The host's own words.
    pub detail: String,
}

impl Failed {
    /// What a look at a path came to where [`super::Kind::Denied`] stands.
    #[cold]
    #[inline(never)]
    pub fn denied() -> Self {
        Failed {
            effect: "inspect",
            fault: Fault::Denied,
            detail: "EACCES: permission denied".to_owned(),
        }
    }

    /// The failure of an operation: that it cannot do this to what lies at a path.
    #[cold]
    #[inline(never)]
    pub fn cannot(&self, doing: &str, path: &str) -> Error {
        let mut message = format!("Cannot {doing} {path}: {}", self.reason());
        if self.fault == Fault::Denied {
            message.push_str(&self.missing(path));
        }
        Error::io(self.effect, path.to_owned(), message)
    }

    /// Which permission is missing on which folder or file, for an effect on a path that messages
    /// name so.
    fn missing(&self, path: &str) -> String {
        let above = match path.rsplit_once('/') {
            Some(("", _)) => "/",
            Some((above, _)) => above,
            None => "the root",
        };
        let (permission, at) = match self.effect {
            "read" | "list" | "sync_folder" => ("read", path),
            "inspect" => ("search", above),
            _ => ("write", above),
        };
        format!("; this user has no {permission} permission on {at}")
    }

    /// The failure of an operation: that it cannot do this, which concerns no path.
    #[cold]
    #[inline(never)]
    pub fn cannot_do(&self, doing: &str) -> Error {
        let message = format!("Cannot {doing}: {}", self.reason());
        Error::io(self.effect, String::new(), message)
    }

    /// The host's own words, and before them what the core knows of the reason.
    pub fn reason(&self) -> String {
        match self.fault {
            Fault::NoSpace => format!("the disk is full, or a quota is used up ({})", self.detail),
            _ => self.detail.clone(),
        }
    }
}

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub wall_ms: f64,
    /// Milliseconds since any fixed moment.
    pub monotonic_ms: f64,
}

/// What [`Io::ascend`] came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// The nearest folder that holds the name.
    Found(Found),
    /// No folder up to the top holds it.
    Nowhere,
    /// No folder that the host may see holds it.
    OutOfSight,
}

/// Where [`Io::ascend`] found the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The folder that holds it.
    pub folder: String,
    /// The way from there down to where the search began.
    pub below: String,
    /// What it is.
    pub kind: Kind,
}

/// A listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The names, in any order.
    pub names: Vec<String>,
    /// Whether every name is there.
    pub complete: bool,
}

impl Io {
    pub(super) fn new(slot: Rc<RefCell<Slot>>) -> Self {
        Io { slot }
    }

    fn ask<T>(&self, effect: Effect, fitting: Fitting<T>) -> Answer<'_, T> {
        self.slot.replace(Slot::Asked(effect));
        Answer {
            slot: &self.slot,
            fitting,
        }
    }

    /// [`Effect::Clock`]
    pub fn clock(&self) -> Answer<'_, Clock> {
        self.ask(Effect::Clock, |outcome| match outcome {
            Outcome::Clock {
                wall_ms,
                monotonic_ms,
            } => Ok(Clock {
                wall_ms,
                monotonic_ms,
            }),
            other => Err(other),
        })
    }

    /// [`Effect::Random`]
    pub async fn random(&self, length: u32) -> Result<Vec<u8>, Failed> {
        let bytes = self.ask(Effect::Random { length }, bytes).await?;
        if bytes.len() != length as usize {
            return Err(unexpected("random", &Outcome::Bytes(bytes)));
        }
        Ok(bytes)
    }

    /// [`Effect::Wait`]
    pub fn wait(&self, ms: u32) -> Answer<'_, ()> {
        self.ask(Effect::Wait { ms }, done)
    }

    /// [`Effect::Ascend`]
    pub fn ascend(&self, from: String, name: &str) -> Answer<'_, Nearest> {
        let effect = Effect::Ascend {
            from,
            name: name.to_owned(),
        };
        self.ask(effect, |outcome| match outcome {
            Outcome::Found {
                folder,
                below,
                kind,
            } => Ok(Nearest::Found(Found {
                folder,
                below,
                kind,
            })),
            Outcome::Failed {
                fault: Fault::NotFound,
                ..
            } => Ok(Nearest::Nowhere),
            Outcome::Failed {
                fault: Fault::Unsupported,
                ..
            } => Ok(Nearest::OutOfSight),
            other => Err(other),
        })
    }

    /// [`Effect::Inspect`]; one entry per path.
    pub async fn inspect(&self, paths: Vec<String>) -> Result<Vec<Entry>, Failed> {
        let asked = paths.len();
        let effect = Effect::Inspect { paths };
        let entries = self.ask(effect, |outcome| match outcome {
            Outcome::Entries(entries) => Ok(entries),
            other => Err(other),
        });
        let entries = entries.await?;
        if entries.len() != asked {
            return Err(unexpected("inspect", &Outcome::Entries(entries)));
        }
        Ok(entries)
    }

    /// [`Effect::Read`]
    pub fn read(&self, path: String, limit: u32, links: Links) -> Answer<'_, Vec<u8>> {
        self.ask(Effect::Read { path, limit, links }, bytes)
    }

    /// [`Effect::ReadStart`]
    pub fn read_start(&self, path: String, limit: u32) -> Answer<'_, Vec<u8>> {
        self.ask(Effect::ReadStart { path, limit }, bytes)
    }

    /// [`Effect::MakeFolder`]
    pub fn make_folder(&self, path: String, access: Access) -> Answer<'_, ()> {
        self.ask(Effect::MakeFolder { path, access }, done)
    }

    /// [`Effect::Create`]
    pub fn create(
        &self,
        path: String,
        bytes: Vec<u8>,
        sync: Sync,
        access: Access,
    ) -> Answer<'_, ()> {
        let effect = Effect::Create {
            path,
            bytes,
            sync,
            access,
        };
        self.ask(effect, done)
    }

    /// [`Effect::Rename`]
    pub fn rename(&self, from: String, to: String) -> Answer<'_, ()> {
        self.ask(Effect::Rename { from, to }, done)
    }

    /// [`Effect::Link`]
    pub fn link(&self, from: String, to: String) -> Answer<'_, ()> {
        self.ask(Effect::Link { from, to }, done)
    }

    /// [`Effect::Remove`]
    pub fn remove(&self, path: String) -> Answer<'_, ()> {
        self.ask(Effect::Remove { path }, done)
    }

    /// [`Effect::RemoveFolder`]
    pub fn remove_folder(&self, path: String) -> Answer<'_, ()> {
        self.ask(Effect::RemoveFolder { path }, done)
    }

    /// [`Effect::Restrict`]
    pub fn restrict(&self, path: String) -> Answer<'_, ()> {
        self.ask(Effect::Restrict { path }, done)
    }

    /// [`Effect::List`]
    pub fn list(&self, path: String, limit: u32) -> Answer<'_, Names> {
        self.ask(Effect::List { path, limit }, names)
    }

    /// [`Effect::SyncFolder`]
    pub fn sync_folder(&self, path: String) -> Answer<'_, ()> {
        self.ask(Effect::SyncFolder { path }, done)
    }

    /// [`Effect::ReadRecord`]
    pub fn read_record(&self, record: String) -> Answer<'_, Vec<u8>> {
        self.ask(Effect::ReadRecord { record }, bytes)
    }

    /// [`Effect::SwapRecord`]
    pub fn swap_record(&self, swap: Swap) -> Answer<'_, ()> {
        self.ask(Effect::SwapRecord(Box::new(swap)), done)
    }

    /// [`Effect::ListRecords`]
    pub fn list_records(&self, under: String, limit: u32) -> Answer<'_, Names> {
        self.ask(Effect::ListRecords { under, limit }, names)
    }

    /// [`Effect::Git`]
    pub fn git(&self, folder: &str, arguments: &[&str]) -> Answer<'_, Vec<u8>> {
        let effect = Effect::Git {
            folder: folder.to_owned(),
            arguments: arguments.iter().map(|&it| it.to_owned()).collect(),
        };
        self.ask(effect, bytes)
    }

    /// [`Effect::Print`]
    pub fn print(&self, stream: Stream, text: String) -> Answer<'_, ()> {
        self.ask(Effect::Print { stream, text }, done)
    }

    /// [`Effect::Input`]
    pub fn input(&self, limit: u32) -> Answer<'_, Vec<u8>> {
        self.ask(Effect::Input { limit }, bytes)
    }
}

/// Takes what an effect is answered with out of its outcome, or gives the outcome back.
type Fitting<T> = fn(Outcome) -> Result<T, Outcome>;

fn done(outcome: Outcome) -> Result<(), Outcome> {
    match outcome {
        Outcome::Done => Ok(()),
        other => Err(other),
    }
}

fn bytes(outcome: Outcome) -> Result<Vec<u8>, Outcome> {
    match outcome {
        Outcome::Bytes(bytes) => Ok(bytes),
        other => Err(other),
    }
}

fn names(outcome: Outcome) -> Result<Names, Outcome> {
    match outcome {
        Outcome::Names { names, complete } => Ok(Names { names, complete }),
        other => Err(other),
    }
}

/// A host that answers with the wrong kind of outcome is a broken host, not a reason to panic.
fn unexpected(effect: &'static str, outcome: &Outcome) -> Failed {
    let kind = match outcome {
        Outcome::Done => "done",
        Outcome::Bytes(_) => "bytes",
        Outcome::Clock { .. } => "clock",
        Outcome::Entries(_) => "entries",
        Outcome::Found { .. } => "found",
        Outcome::Names { .. } => "names",
        Outcome::Failed { .. } => "failed",
    };
    Failed {
        effect,
        fault: Fault::Other,
        detail: format!("the host gave an unfitting answer: {kind}"),
    }
}

/// The answer to an effect that was asked for; one effect is under way at a time, so it is awaited
/// before the next one is asked for.
///
/// Asking is done by the call, not by the future: an operation has many such steps, and each costs
/// it no more than these two words.
#[must_use = "the host is told of the effect when its answer is awaited"]
pub struct Answer<'a, T> {
    slot: &'a RefCell<Slot>,
    fitting: Fitting<T>,
}

impl<T> Future for Answer<'_, T> {
    type Output = Result<T, Failed>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        match answered(self.slot) {
            Some((effect, outcome)) => {
                Poll::Ready((self.fitting)(outcome).map_err(|outcome| failed(effect, outcome)))
            }
            None => Poll::Pending,
        }
    }
}

fn answered(slot: &RefCell<Slot>) -> Option<(&'static str, Outcome)> {
    match slot.take() {
        Slot::Answered(effect, outcome) => Some((effect, outcome)),
        other => {
            slot.replace(other);
            None
        }
    }
}

fn failed(effect: &'static str, outcome: Outcome) -> Failed {
    match outcome {
        Outcome::Failed { fault, detail } => Failed {
            effect,
            fault,
            detail,
        },
        other => unexpected(effect, &other),
    }
}
