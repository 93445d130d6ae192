//! `milepost undo`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::revision_arg::RevisionArg;
use crate::cli::target_arg::{ChosenTarget, TargetArg};
use crate::error::Error;
use crate::operation::command::restore::{ExpectedState, RestoredRun};
use crate::operation::command::undo::{Undo, undo};

const HELP: &str = "\
The content of REVISION, or of the one before the present one, becomes the next revision, and so nothing
is lost. Again, it goes one further back; `milepost redo` goes forward again, until anything else changes
the run. With --seen, a save of another writer since that revision is a conflict, and nothing is written.";

/// Go back to an earlier revision
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: TargetArg,
    #[command(flatten)]
    revision: RevisionArg,
    /// Only if this is the present revision
    #[arg(long, value_name = "N")]
    seen: Option<u64>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let Arguments {
        mut target_arg,
        revision,
        seen,
    } = arguments;
    let to = revision.revision_of(&mut target_arg)?;
    let chosen = target_arg.choose(call).await?;
    let what = Undo {
        to,
        seen: seen.map(ExpectedState::Revision),
    };
    let reply = undo(call.io(), &call.settings, &chosen.target, &what).await;
    Ok(page(&chosen, call.settle(reply).await?))
}

pub(super) fn page(chosen: &ChosenTarget, restored: RestoredRun) -> CliAnswer {
    let title = chosen.target.title();
    let RestoredRun {
        revision,
        restored: from,
        ..
    } = restored;
    let text = match restored.changed {
        true => {
            format!("{title}: saved revision {revision}, with the content of revision {from}\n")
        }
        false => format!("{title}: nothing to change, still at revision {revision}\n"),
    };
    CliAnswer::confirmation(text, chosen.name_in_json(restored))
}
