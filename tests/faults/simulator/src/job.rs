//! The jobs of simulated processes: the operations that ship, on one checkpoint.

use milepost::effect::{Machine, Sync};
use milepost::error::Error;

use crate::sabotage::Sabotaged;

use self::perform::perform;

mod perform;

/// The blocking variant of [`perform`]; see `build.rs`.
#[allow(warnings, clippy::all)]
mod blocking {
    include!(concat!(env!("OUT_DIR"), "/perform.rs"));
}

/// The root of every simulated place.
pub const ROOT: &str = "/r";
/// The one document.
pub const DOCUMENT: &str = "/r/.claude/state/design-checkpoint.json";
/// The folder that the store keeps beside it.
pub const SIDE: &str = "/r/.claude/state/.milepost/design-checkpoint";

/// One operation. Numbers are never used twice in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// Adds the phase of this number.
    Phase(u32),
    /// Says again that the phase of this number is complete, as an agent does that shows that it lives;
    /// adds it where it is not there.
    Heartbeat(u32),
    /// Replaces the document by one that has the phase of this number alone.
    Replace(u32),
    /// Marks the checkpoint as complete.
    Complete,
    /// Goes back to the revision before the present one.
    Undo,
    /// Goes forward again to what an undo took back.
    Redo,
    /// Brings a corrupt or lost document back.
    Recover,
    /// Removes all but the newest ten replaced revisions.
    Trim,
    /// Reads the document.
    Read,
}

/// The end of a job that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was acknowledged, at this revision; whether it wrote anything.
    Acknowledged {
        /// The revision that is stored.
        revision: u64,
        /// True if this job wrote it.
        changed: bool,
        /// The revision whose content it brought back, if it did.
        restored: Option<u64>,
    },
    /// History was trimmed.
    Trimmed,
    /// The document that was read: the revision and the text, where there is a document.
    Read(Option<(u64, String)>),
}

/// The name of the phase that a number stands for.
pub fn phase(number: u32) -> String {
    format!("p{number}")
}

impl Job {
    /// Starts the job. Where it ends, the blocking variant has to ask for
    /// the same, and to end with the same.
    pub(crate) fn start(self, durability: Sync) -> Sabotaged<Result<Ended, Error>> {
        let machine = Machine::start(move |io| async move { perform(self, &io, durability).await });
        Sabotaged::new(machine).with_twin(move |io| blocking::perform(self, &io, durability))
    }
}
