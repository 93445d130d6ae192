//! `milepost redo`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::target_arg::TargetArg;
use crate::error::Error;
use crate::operation::command::redo::redo;
use crate::operation::command::restore::ExpectedState;

use super::undo::page;

const HELP: &str = "\
After `milepost undo`, as often as that was called. Any other change to the run ends it: then there is
nothing to redo, and the exit code is 1.";

/// Redo what an undo took back
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: TargetArg,
    /// Only if this is the present revision
    #[arg(long, value_name = "N")]
    seen: Option<u64>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let chosen = arguments.target_arg.choose(call).await?;
    let seen = arguments.seen.map(ExpectedState::Revision);
    let reply = redo(call.io(), &call.settings, &chosen.target, seen.as_ref()).await;
    Ok(page(&chosen, call.settle(reply).await?))
}
