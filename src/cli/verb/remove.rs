//! `milepost remove`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::target_arg::NamedTarget;
use crate::error::Error;
use crate::operation::command::remove::remove;

const HELP: &str = "\
Its history is kept: `milepost recover` brings it back, and the next save begins a new run.";

/// Remove a run, and keep its history
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: NamedTarget,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let target = arguments.target_arg.target(call).await?;
    let reply = remove(call.io(), &call.settings, &target).await;
    let removed = call.settle(reply).await?;
    let text = format!("{}: removed; its history is kept\n", target.title());
    Ok(CliAnswer::confirmation(text, removed))
}
