//! `milepost recover`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::revision_arg::RevisionArg;
use crate::cli::target_arg::NamedTarget;
use crate::error::{Error, Target};
use crate::operation::command::recover::{RecoveredRun, recover};
use crate::operation::command::restore::RestoredRun;
use crate::text::visible;

const HELP: &str = "\
REVISION, or the last good one, takes the place of a file that is corrupt or gone, as a new revision. A
corrupt file is first copied to the folder quarantine, and the answer says where. When the run can be
read, nothing is changed and the exit code is 1.";

/// Bring a corrupt or lost run back from its history
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: NamedTarget,
    #[command(flatten)]
    revision: RevisionArg,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let Arguments {
        target_arg,
        revision,
    } = arguments;
    let revision = revision.revision()?;
    let target = target_arg.target(call).await?;
    let reply = recover(call.io(), &call.settings, &target, revision).await;
    Ok(page(&target, call.settle(reply).await?))
}

fn page(target: &Target, recovered: RecoveredRun) -> CliAnswer {
    let RestoredRun {
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
    CliAnswer::confirmation(text, recovered)
}
