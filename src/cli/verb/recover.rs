//! `milepost recover`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::which::Named;
use crate::error::{Error, Target};
use crate::operation::command::recover::{Recovered, recover};
use crate::operation::command::restore::Restored;
use crate::text::visible;

const HELP: &str = "\
The last good revision takes the place of a file that is corrupt or gone, as a new revision. A
corrupt file is first copied to the folder quarantine, and the answer says where. When the checkpoint
can be read, nothing is changed and the exit code is 1.";

/// Bring a corrupt or lost checkpoint back from its history
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Named,
    /// Take this revision instead of the last good one
    #[arg(long, value_name = "N")]
    to: Option<u64>,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let target = arguments.which.target(call).await?;
    let reply = recover(call.io(), &call.settings, &target, arguments.to).await;
    Ok(page(&target, call.settle(reply).await?))
}

fn page(target: &Target, recovered: Recovered) -> Answer {
    let Restored {
        revision,
        restored: from,
        ..
    } = recovered.restored;
    let mut text = format!(
        "{}: saved revision {revision}, with the content of revision {from}\n",
        target.title()
    );
    if let Some(copy) = &recovered.quarantined {
        let _ = writeln!(text, "The corrupt file is kept as {}", visible(copy));
    }
    Answer::confirmation(text, recovered)
}
