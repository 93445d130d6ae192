//! Which checkpoint a verb is about.

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::checkpoint::command::document::Command;
use crate::error::Target;

/// The arguments that name a checkpoint.
#[derive(Args, Debug)]
pub(super) struct Which {
    /// The command
    #[arg(value_parser = commands())]
    command: String,
    /// The checkpoint of this feature
    #[arg(long, value_name = "NAME")]
    feature: Option<String>,
}

pub(super) fn commands() -> PossibleValuesParser {
    PossibleValuesParser::new(Command::ALL.map(Command::as_str))
}

impl From<Which> for Target {
    fn from(which: Which) -> Self {
        Target {
            command: which.command,
            feature: which.feature,
        }
    }
}
