//! `milepost complete`

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::page::saved;
use crate::cli::which::Named;
use crate::error::Error;
use crate::operation::command::complete::complete;

/// Mark a checkpoint as complete
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Named,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let target = arguments.which.into();
    let reply = complete(call.io(), &call.settings, &target).await;
    Ok(saved(&target, call.settle(reply).await?))
}
