//! The answer to an effect, as operations take it.

use crate::error::Error;

use super::{Fault, Outcome, PathKind, Scanned};

/// An effect that could not be performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The name of the effect, see [`super::Effect::name`]; empty where a host makes this.
    pub effect: &'static str,
    /// The reason, as far as the core acts on it.
    pub fault: Fault,
    /// The host's own words.
    pub detail: String,
}

impl Failed {
    /// The answer to a look at a path where [`super::PathKind::Denied`] stands.
    #[cold]
    #[inline(never)]
    pub fn denied() -> Self {
        Failed {
            effect: "inspect",
            fault: Fault::Denied,
            detail: "EACCES: permission denied".to_owned(),
        }
    }

    /// The failure of an operation: that it cannot do this to the file at a path.
    #[cold]
    #[inline(never)]
    pub fn cannot(&self, doing: &str, path: &str) -> Error {
        let mut message = format!("Cannot {doing} {path}: {}", self.reason());
        if self.fault == Fault::Denied {
            message.push_str(&self.missing(path));
        }
        Error::io(self.effect, path.to_owned(), message)
    }

    /// Returns the permission that is missing and its folder or file, for an effect on a path that
    /// messages name so.
    fn missing(&self, path: &str) -> String {
        let above = match path.rsplit_once('/') {
            Some(("", _)) => "/",
            Some((above, _)) => above,
            None => "the root",
        };
        let (permission, at) = match self.effect {
            "read" | "part" | "list" | "scan" | "sync_folder" => ("read", path),
            "inspect" | "read_link" => ("search", above),
            "append" => ("write", path),
            // chmod(2): only the owner of a file may, regardless of other permissions.
            "set_mode" => return format!("; this user does not own {path}"),
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

/// The two clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub wall_ms: f64,
    /// Milliseconds since any fixed moment.
    pub monotonic_ms: f64,
}

/// The result of [`super::Io::ascend`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// The nearest folder that holds the name.
    Found(FoundEntry),
    /// No folder up to the top holds it.
    Nowhere,
    /// No folder that the host may see holds it.
    OutOfSight,
}

/// The entry that [`super::Io::ascend`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundEntry {
    /// The folder that holds it.
    pub folder: String,
    /// The way from there down to where the search began.
    pub below: String,
    /// Its kind.
    pub kind: PathKind,
}

/// A listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderNames {
    /// The names, in any order.
    pub names: Vec<String>,
    /// True if every name is there.
    pub complete: bool,
}

/// All of a folder.
#[derive(Clone, Debug, PartialEq)]
pub struct FolderScan {
    /// The entries in it, in any order.
    pub entries: Vec<Scanned>,
    /// True if that is everything.
    pub complete: bool,
}

/// The tokens of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// In all of it.
    pub tokens: u64,
    /// The bytes of its longest prefix within the limit.
    pub kept: u64,
}

/// Takes what an effect is answered with out of its outcome, or gives the outcome back.
pub(crate) type Fitting<T> = fn(Outcome) -> Result<T, Outcome>;

pub(crate) fn done(outcome: Outcome) -> Result<(), Outcome> {
    match outcome {
        Outcome::Done => Ok(()),
        other => Err(other),
    }
}

pub(crate) fn bytes(outcome: Outcome) -> Result<Vec<u8>, Outcome> {
    match outcome {
        Outcome::Bytes(bytes) => Ok(bytes),
        other => Err(other),
    }
}

pub(crate) fn names(outcome: Outcome) -> Result<FolderNames, Outcome> {
    match outcome {
        Outcome::Names { names, complete } => Ok(FolderNames { names, complete }),
        other => Err(other),
    }
}

/// A host that answers with the wrong kind of outcome is a broken host, not a reason to panic.
pub(crate) fn unexpected(effect: &'static str, outcome: &Outcome) -> Failed {
    let kind = match outcome {
        Outcome::Done => "done",
        Outcome::Bytes(_) => "bytes",
        Outcome::Clock { .. } => "clock",
        Outcome::Entries(_) => "entries",
        Outcome::Found { .. } => "found",
        Outcome::Names { .. } => "names",
        Outcome::Scanned { .. } => "scanned",
        Outcome::Counted { .. } => "counted",
        Outcome::Failed { .. } => "failed",
    };
    Failed {
        effect,
        fault: Fault::Other,
        detail: format!("the host gave an unfitting answer: {kind}"),
    }
}

pub(crate) fn failed(effect: &'static str, outcome: Outcome) -> Failed {
    match outcome {
        Outcome::Failed { fault, detail } => Failed {
            effect,
            fault,
            detail,
        },
        other => unexpected(effect, &other),
    }
}
