//! `milepost complete`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::page::saved;
use crate::cli::which::Named;
use crate::error::{Error, Warning};
use crate::operation::command::complete::complete;
use crate::operation::session::archive::archive;

/// Mark a checkpoint as complete, and archive its session checkpoints
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Named,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let target = arguments.which.target(call).await?;
    let reply = complete(call.io(), &call.settings, &target).await;
    let mut answer = saved(&target, call.settle(reply).await?);
    // What belongs to it makes room for the sessions of other work.
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
