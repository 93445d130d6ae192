//! Runs that a seed decides: the same seed is the same run, effect by effect.

use crate::trace::Trace;
use crate::{Tally, Violation, drive, random, rename, sessions, tasks, transcripts};

/// The work of the processes of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// Operations on one run.
    Updates,
    /// Writers, readers and renames side by side.
    Renames,
    /// Operations on snapshots.
    Sessions,
    /// Operations on task checkpoints.
    Tasks,
    /// Operations on transcripts of agents' sessions.
    Transcripts,
}

impl Seeds {
    /// Runs what the seed says.
    ///
    /// # Errors
    ///
    /// The violation.
    pub fn run(self, seed: u64) -> Result<Tally, Violation> {
        self.run_traced(seed, Trace::default())
    }

    /// Runs a seed, with each thing that happens written to `trace`.
    ///
    /// # Errors
    ///
    /// As [`Seeds::run`].
    pub fn run_traced(self, seed: u64, trace: Trace) -> Result<Tally, Violation> {
        let run = match self {
            Seeds::Updates => drive::run::<random::Jobs>,
            Seeds::Renames => drive::run::<rename::seeds::Tasks>,
            Seeds::Sessions => drive::run::<sessions::Sessions>,
            Seeds::Tasks => drive::run::<tasks::seeds::Tasks>,
            Seeds::Transcripts => drive::run::<transcripts::Transcripts>,
        };
        run(seed, trace)
    }
}
