//! `milepost snapshot pin` and `unpin`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::snapshot_arg::SnapshotIdArg;
use crate::error::Error;
use crate::operation::session::pin::pin;

/// Keep a snapshot for good
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    snapshot: SnapshotIdArg,
    /// Take the pin away
    #[arg(long)]
    remove: bool,
}

/// Take the pin of a snapshot away
#[derive(Args, Debug)]
pub(in crate::cli) struct Removal {
    #[command(flatten)]
    snapshot: SnapshotIdArg,
}

impl From<Removal> for Arguments {
    fn from(removal: Removal) -> Self {
        Arguments {
            snapshot: removal.snapshot,
            remove: true,
        }
    }
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let id = arguments.snapshot.required()?;
    let reply = pin(call.io(), &call.settings, id, !arguments.remove).await;
    let pinned = call.settle(reply).await?;
    let text = match (pinned.is_pinned, pinned.has_changed) {
        (true, true) => format!("{id} is pinned\n"),
        (true, false) => format!("{id} was pinned already\n"),
        (false, true) => format!("{id} is pinned no more\n"),
        (false, false) => format!("{id} was not pinned\n"),
    };
    Ok(CliAnswer::confirmation(text, pinned))
}
