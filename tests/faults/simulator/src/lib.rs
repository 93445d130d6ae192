//! A host in memory under the step machine that ships: it interleaves operations, kills them at any
//! effect, loses power, fails, and watches that the store keeps its promise.
//!
//! [`seeds`] is runs of many operations from a seed, [`exhaustive`] all orders of a few writers,
//! [`points`] every crash and every power loss of one operation, [`rename`] checkpoints that change
//! their names, [`tasks`] task checkpoints, [`threads`] one change of a thread, [`restores`] restores of
//! files that a program saves, [`sabotage`] the faults that are put into the protocol on purpose, and
//! [`gate`] whether all of these notice them.

mod calm;
mod content;
mod drive;
pub mod exhaustive;
pub mod gate;
pub mod job;
mod listing;
mod oracle;
pub mod points;
mod random;
pub mod rename;
mod reply;
pub mod restores;
pub mod sabotage;
pub mod seeds;
mod sessions;
pub mod tasks;
pub mod threads;
pub mod trace;
mod transcripts;
mod trouble;
mod twins;
mod writer;

use std::fmt;

pub use drive::Tally;

/// A broken promise: what was seen, and how to see it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The seed, or the place of an exhaustive run.
    pub origin: String,
    /// The fault.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.what)
    }
}
