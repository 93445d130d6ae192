//! `milepost complete`

use std::fmt::Write;

use clap::Args;

use crate::checkpoint::command::completion::OpenPhases;
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::page::saved;
use crate::cli::target_arg::NamedTarget;
use crate::error::{Error, Warning};
use crate::operation::command::complete::complete;
use crate::operation::session::archive::archive;

const HELP: &str = "\
A run with phases that are pending, in progress or failed is not completed: they are named. With
--force it is, and they are marked as skipped.";

/// Mark a run as complete, and archive its snapshots
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: NamedTarget,
    /// Skip the unfinished phases
    #[arg(long)]
    force: bool,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let target = arguments.target_arg.target(call).await?;
    let open = arguments.force.then_some(OpenPhases::Skip);
    let reply = complete(call.io(), &call.settings, &target, open).await;
    let mut answer = saved(&target, call.settle(reply).await?);
    // The snapshots of the run make room for those of other runs.
    let reply = archive(call.io(), &call.settings, None, false).await;
    call.warn_all(&reply.warnings).await;
    match reply.result {
        Ok(archived) => {
            for one in archived {
                let _ = writeln!(answer.text, "archived {}", one.id);
            }
        }
        Err(error) => call.warn_all(&[Warning::passed_over(&error)]).await,
    }
    Ok(answer)
}
