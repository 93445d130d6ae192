//! The handle over which an operation asks for effects, one method for each.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::machine::Slot;
use super::{Effect, Entry, Fault, Kind, Links, Outcome, Stream, Sync};

/// Asks the host for effects. Handed to an operation by its machine.
#[derive(Clone, Debug)]
pub struct Io {
    slot: Rc<RefCell<Slot>>,
}

/// An effect that could not be performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The reason, as far as the core acts on it.
    pub fault: Fault,
    /// The host's own words.
    pub detail: String,
}

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub wall_ms: f64,
    /// Milliseconds since any fixed moment.
    pub monotonic_ms: f64,
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

    async fn perform(&self, effect: Effect) -> Result<Outcome, Failed> {
        self.slot.replace(Slot::Asked(effect));
        match (Answer { slot: &self.slot }).await {
            Outcome::Failed { fault, detail } => Err(Failed { fault, detail }),
            outcome => Ok(outcome),
        }
    }

    /// [`Effect::Clock`]
    pub async fn clock(&self) -> Result<Clock, Failed> {
        match self.perform(Effect::Clock).await? {
            Outcome::Clock {
                wall_ms,
                monotonic_ms,
            } => Ok(Clock {
                wall_ms,
                monotonic_ms,
            }),
            other => Err(unexpected(&other)),
        }
    }

    /// [`Effect::Random`]
    pub async fn random(&self, length: u32) -> Result<Vec<u8>, Failed> {
        match self.perform(Effect::Random { length }).await? {
            Outcome::Bytes(bytes) if bytes.len() == length as usize => Ok(bytes),
            other => Err(unexpected(&other)),
        }
    }

    /// [`Effect::Wait`]
    pub async fn wait(&self, ms: u32) -> Result<(), Failed> {
        self.done(Effect::Wait { ms }).await
    }

    /// [`Effect::Ascend`]; `None` when no folder above holds the name.
    pub async fn ascend(&self, from: &str, name: &str) -> Result<Option<Found>, Failed> {
        let effect = Effect::Ascend {
            from: from.to_owned(),
            name: name.to_owned(),
        };
        match self.perform(effect).await {
            Ok(Outcome::Found {
                folder,
                below,
                kind,
            }) => Ok(Some(Found {
                folder,
                below,
                kind,
            })),
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => Ok(None),
            Err(failed) => Err(failed),
            Ok(other) => Err(unexpected(&other)),
        }
    }

    /// [`Effect::Inspect`]; one entry per path.
    pub async fn inspect(&self, paths: Vec<String>) -> Result<Vec<Entry>, Failed> {
        let asked = paths.len();
        match self.perform(Effect::Inspect { paths }).await? {
            Outcome::Entries(entries) if entries.len() == asked => Ok(entries),
            other => Err(unexpected(&other)),
        }
    }

    /// [`Effect::Read`]
    pub async fn read(&self, path: &str, limit: u32, links: Links) -> Result<Vec<u8>, Failed> {
        self.bytes(Effect::Read {
            path: path.to_owned(),
            limit,
            links,
        })
        .await
    }

    /// [`Effect::MakeFolder`]
    pub async fn make_folder(&self, path: &str) -> Result<(), Failed> {
        self.done(Effect::MakeFolder {
            path: path.to_owned(),
        })
        .await
    }

    /// [`Effect::Create`]
    pub async fn create(&self, path: &str, bytes: Vec<u8>, sync: Sync) -> Result<(), Failed> {
        self.done(Effect::Create {
            path: path.to_owned(),
            bytes,
            sync,
        })
        .await
    }

    /// [`Effect::Rename`]
    pub async fn rename(&self, from: &str, to: &str) -> Result<(), Failed> {
        self.done(Effect::Rename {
            from: from.to_owned(),
            to: to.to_owned(),
        })
        .await
    }

    /// [`Effect::Link`]
    pub async fn link(&self, from: &str, to: &str) -> Result<(), Failed> {
        self.done(Effect::Link {
            from: from.to_owned(),
            to: to.to_owned(),
        })
        .await
    }

    /// [`Effect::Remove`]
    pub async fn remove(&self, path: &str) -> Result<(), Failed> {
        self.done(Effect::Remove {
            path: path.to_owned(),
        })
        .await
    }

    /// [`Effect::List`]
    pub async fn list(&self, path: &str, limit: u32) -> Result<Names, Failed> {
        match self
            .perform(Effect::List {
                path: path.to_owned(),
                limit,
            })
            .await?
        {
            Outcome::Names { names, complete } => Ok(Names { names, complete }),
            other => Err(unexpected(&other)),
        }
    }

    /// [`Effect::SyncFolder`]
    pub async fn sync_folder(&self, path: &str) -> Result<(), Failed> {
        self.done(Effect::SyncFolder {
            path: path.to_owned(),
        })
        .await
    }

    /// [`Effect::Git`]
    pub async fn git(&self, folder: &str, arguments: &[&str]) -> Result<Vec<u8>, Failed> {
        let arguments = arguments
            .iter()
            .map(|&argument| argument.to_owned())
            .collect();
        self.bytes(Effect::Git {
            folder: folder.to_owned(),
            arguments,
        })
        .await
    }

    /// [`Effect::Print`]
    pub async fn print(&self, stream: Stream, text: String) -> Result<(), Failed> {
        self.done(Effect::Print { stream, text }).await
    }

    /// [`Effect::Input`]
    pub async fn input(&self, limit: u32) -> Result<Vec<u8>, Failed> {
        self.bytes(Effect::Input { limit }).await
    }

    async fn done(&self, effect: Effect) -> Result<(), Failed> {
        match self.perform(effect).await? {
            Outcome::Done => Ok(()),
            other => Err(unexpected(&other)),
        }
    }

    async fn bytes(&self, effect: Effect) -> Result<Vec<u8>, Failed> {
        match self.perform(effect).await? {
            Outcome::Bytes(bytes) => Ok(bytes),
            other => Err(unexpected(&other)),
        }
    }
}

/// A host that answers with the wrong kind of outcome is a broken host, not a reason to panic.
fn unexpected(outcome: &Outcome) -> Failed {
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
        fault: Fault::Other,
        detail: format!("the host gave an unfitting answer: {kind}"),
    }
}

struct Answer<'a> {
    slot: &'a RefCell<Slot>,
}

impl Future for Answer<'_> {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Outcome> {
        match self.slot.take() {
            Slot::Answered(outcome) => Poll::Ready(outcome),
            other => {
                self.slot.replace(other);
                Poll::Pending
            }
        }
    }
}
