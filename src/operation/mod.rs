//! What users ask for, as straight-line code over effects: each operation puts rules and store
//! together.

pub mod place;
mod repository;

use crate::effect;
use crate::error::{Error, Warning};

/// The end of an operation: its answer, and what it noticed on the way, whether it succeeded or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply<T> {
    /// The answer, or why there is none.
    pub result: Result<T, Error>,
    /// In the order in which they were noticed.
    pub warnings: Vec<Warning>,
}

/// Where an operation works, as the caller says it. [`place::locate`] finds the root from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The root, when the caller names it.
    pub root: Option<String>,
    /// The value of the environment variable `GIT_ROOT`; empty counts as absent.
    pub git_root: Option<String>,
    /// The working folder.
    pub working: String,
    /// The state folder, when the caller names one instead of `.claude/state`.
    pub dir: Option<String>,
    /// Whether a save waits for stable storage.
    pub durability: effect::Sync,
}

/// Which checkpoint an operation works on, as the caller says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The command's name.
    pub command: String,
    /// The feature, when the command runs for one.
    pub feature: Option<String>,
}
