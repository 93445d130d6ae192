//! `milepost pin`

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::error::Error;
use crate::operation::session::pin::pin;

/// Keep a session checkpoint for good
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    /// The checkpoint
    #[arg(value_name = "ID")]
    id: String,
    /// Take the pin away
    #[arg(long)]
    remove: bool,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let id = arguments.id.parse()?;
    let reply = pin(call.io(), &call.settings, id, !arguments.remove).await;
    let pinned = call.settle(reply).await?;
    let text = match (pinned.is_pinned, pinned.has_changed) {
        (true, true) => format!("{id} is pinned\n"),
        (true, false) => format!("{id} was pinned already\n"),
        (false, true) => format!("{id} is pinned no more\n"),
        (false, false) => format!("{id} was not pinned\n"),
    };
    Ok(Answer::confirmation(text, pinned))
}
