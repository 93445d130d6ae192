//! The arguments that name a revision.

use clap::Args;

use crate::error::Error;

use super::spelling::one_value;
use super::target_arg::TargetArg;

/// The arguments that name one revision of a run.
#[derive(Args, Debug)]
pub(super) struct RevisionArg {
    /// The revision
    #[arg(value_name = "REVISION")]
    at: Option<u64>,
    /// Another way to give REVISION
    #[arg(long, value_name = "N")]
    revision: Option<u64>,
    /// Another way to give REVISION
    #[arg(long, value_name = "N")]
    to: Option<u64>,
}

impl RevisionArg {
    /// Returns true where a revision is named.
    pub(super) fn is_given(&self) -> bool {
        self.spellings().iter().any(Option::is_some)
    }

    /// Returns the revision; `None` where none is named.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] where two are named.
    pub(super) fn revision(&self) -> Result<Option<u64>, Error> {
        one_value("revision", self.spellings())
    }

    /// Returns the revision, which may also be a number in the place of the command.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] where two are named.
    pub(super) fn revision_of(&self, target: &mut TargetArg) -> Result<Option<u64>, Error> {
        let [at, revision, to] = self.spellings();
        one_value("revision", [target.take_number(), at, revision, to])
    }

    fn spellings(&self) -> [Option<u64>; 3] {
        [self.at, self.revision, self.to]
    }
}
