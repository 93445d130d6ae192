//! The words of `milepost thread` that remove or copy.

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::page::counted;
use crate::error::Error;
use crate::json::Object;
use crate::operation::thread::copy::copy;
use crate::operation::thread::prune::prune;
use crate::operation::thread::prune_all::prune_all;
use crate::operation::thread::remove::remove;
use crate::operation::thread::remove_runs::remove_runs;
use crate::text::visible;

pub(super) const PRUNE_HELP: &str = "\
With THREAD, its newest checkpoints of each namespace are kept, 1 without --keep. A kept one reads as
before: the values and writes of others that it goes on from stay. With --days, threads whose newest
checkpoint is older are removed, as `milepost thread remove` does it.

With --json: `kept` and `removed`, the numbers of checkpoints; with --days `threads`, their ids.";

pub(super) const REMOVE_HELP: &str = "\
What a run that is going on puts after that is refused. With --run only the checkpoints of these runs go,
from THREAD or from all threads; those of other runs read as before. A run is known by the `run_id` of its
configuration.

With --json: `deleted`, whether THREAD was there; with --run `removed`, the number of checkpoints, and
`threads`, the ids of those that had them.";

pub(super) const COPY_HELP: &str = "\
The copy has all checkpoints of the thread, in all namespaces, and both go on by themselves. There must be
no thread under the other id. With --json: `checkpoints`, the number of them.";

#[derive(Args, Debug)]
pub(in crate::cli) struct PruneWords {
    /// The id of the thread
    #[arg(value_name = "THREAD", required_unless_present = "days")]
    thread: Option<String>,
    /// Keep N checkpoints of each namespace; 1 by default
    #[arg(long, value_name = "N", conflicts_with = "days")]
    keep: Option<u64>,
    /// Remove threads whose newest checkpoint is older than D days
    #[arg(long, value_name = "D", conflicts_with = "thread")]
    days: Option<u64>,
    /// Only print the threads that would go
    #[arg(long, requires = "days", conflicts_with = "thread")]
    dry_run: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct RemoveWords {
    /// The id of the thread
    #[arg(value_name = "THREAD", required_unless_present = "run")]
    thread: Option<String>,
    /// Only the checkpoints of this run; may be given several times
    #[arg(long, value_name = "RUN")]
    run: Vec<String>,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct CopyWords {
    /// The id of the thread
    #[arg(value_name = "THREAD")]
    thread: String,
    /// The id of the copy
    #[arg(value_name = "TARGET")]
    target: String,
}

pub(super) async fn prune_words(call: &CliCall, words: PruneWords) -> Result<CliAnswer, Error> {
    let (io, settings) = (call.io(), &call.settings);
    if let Some(days) = words.days {
        let reply = prune_all(io, settings, days, words.dry_run).await;
        let pruned = call.settle(reply).await?;
        let text = removed_page(&pruned.threads, "thread", words.dry_run);
        return Ok(CliAnswer::confirmation(text, pruned));
    }
    let thread = words.thread.unwrap_or_default();
    let reply = prune(io, settings, &thread, words.keep).await;
    let pruned = call.settle(reply).await?;
    let text = format!(
        "{}: removed {}, {} kept\n",
        visible(&thread),
        checkpoints(pruned.removed),
        pruned.kept
    );
    Ok(CliAnswer::confirmation(text, pruned))
}

pub(super) async fn remove_words(call: &CliCall, words: RemoveWords) -> Result<CliAnswer, Error> {
    let (io, settings) = (call.io(), &call.settings);
    if !words.run.is_empty() {
        let reply = remove_runs(io, settings, words.run, words.thread.as_deref()).await;
        let deleted = call.settle(reply).await?;
        let threads = counted(deleted.threads.len() as u64, "thread");
        let text = format!("Removed {} of {threads}\n", checkpoints(deleted.removed));
        return Ok(CliAnswer::confirmation(text, deleted));
    }
    let thread = words.thread.unwrap_or_default();
    let reply = remove(io, settings, &thread).await;
    let deleted = call.settle(reply).await?;
    let text = match deleted {
        true => format!("{}: removed\n", visible(&thread)),
        false => format!("{}: there is no such thread\n", visible(&thread)),
    };
    let data = Object::new().with("deleted", deleted);
    Ok(CliAnswer::confirmation(text, data))
}

pub(super) async fn copy_words(call: &CliCall, words: CopyWords) -> Result<CliAnswer, Error> {
    let CopyWords { thread, target } = words;
    let reply = copy(call.io(), &call.settings, &thread, &target, None).await;
    let copied = call.settle(reply).await?;
    let text = format!(
        "{}: copied to {}, {}\n",
        visible(&thread),
        visible(&target),
        checkpoints(copied.checkpoints)
    );
    Ok(CliAnswer::confirmation(text, copied))
}

fn checkpoints(count: usize) -> String {
    counted(count as u64, "checkpoint")
}

/// The page of a retention by age: the ids of what went, or would go.
pub(super) fn removed_page(ids: &[String], noun: &str, is_dry_run: bool) -> String {
    let count = counted(ids.len() as u64, noun);
    let head = match is_dry_run {
        true => format!("Would remove {count}\n"),
        false => format!("Removed {count}\n"),
    };
    let lines = ids.iter().map(|id| format!("  {}\n", visible(id)));
    std::iter::once(head).chain(lines).collect()
}
