//! `milepost prune`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::target_arg::NamedTarget;
use crate::error::{Error, Target};
use crate::operation::command::prune::prune;
use crate::store::Pruned;

const HELP: &str = "\
Without options, 50 replaced revisions are kept, at any age, as every few commits do by themselves.
The newest 10 are never removed. `milepost snapshot prune` removes snapshots.";

/// Remove old revisions of a run
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: NamedTarget,
    /// Keep N replaced revisions
    #[arg(long, value_name = "N")]
    keep: Option<u64>,
    /// Remove those that are older as well
    #[arg(long, value_name = "D")]
    days: Option<u64>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let Arguments {
        target_arg,
        keep,
        days,
    } = arguments;
    let target = target_arg.target(call).await?;
    let reply = prune(call.io(), &call.settings, &target, keep, days).await;
    Ok(page(&target, call.settle(reply).await?))
}

fn page(target: &Target, pruned: Pruned) -> CliAnswer {
    let title = target.title();
    let kept = pruned.kept;
    let text = match pruned.removed.as_slice() {
        [] => format!("{title}: nothing to remove, {kept} revisions are kept\n"),
        [only] => format!("{title}: removed revision {only}, {kept} are kept\n"),
        [first, .., last] => format!(
            "{title}: removed {} revisions, {first} to {last}; {kept} are kept\n",
            pruned.removed.len()
        ),
    };
    CliAnswer::confirmation(text, pruned)
}
