//! `milepost log`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::target_arg::TargetArg;
use crate::cli::time_arg;
use crate::error::{Error, Warning};
use crate::operation::command::load::load;
use crate::operation::command::log::{LogEntry, headlines, log};
use crate::operation::command::lost;
use crate::time;

const HELP: &str = "\
Without COMMAND, once nothing is unfinished, it is the run that was updated last.

WHEN is a time (2026-01-29T10:30:00Z), a date (2026-01-29, in UTC), or how long ago it is: 2w, 2d, 3h,
30m.";

/// List the revisions of a run, the newest first
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: TargetArg,
    /// Print at most N, the newest
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<u64>,
    /// Only those that were saved since then
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let now = call.now().await?;
    let since = arguments.since.map(|since| time_arg::parse(&since, now));
    let since = since.transpose()?;
    let chosen = arguments.target_arg.look_up(call).await?;
    let reply = log(call.io(), &call.settings, &chosen.target).await;
    let entries = call.settle(reply).await?;
    if let Ok(None) = load(call.io(), &call.settings, &chosen.target).await.result
        && let Some(gone) = lost(call.io(), &call.settings, &chosen.target).await
    {
        call.warn_all(&[Warning::passed_over(&gone)]).await;
    }
    let headlines = headlines(&entries);
    let entries = entries.into_iter().zip(headlines).collect();
    let entries = within_limits(entries, arguments.limit, since);
    Ok(chosen.name_in(page(entries, call, now), call))
}

/// An entry, and its line on the page.
type Headlined = (LogEntry, String);

/// The entries within the limit and the time. One without a time is as old as the one after it.
fn within_limits(
    mut entries: Vec<Headlined>,
    limit: Option<u64>,
    since: Option<f64>,
) -> Vec<Headlined> {
    if let Some(since) = since {
        let mut is_kept = true;
        entries.retain(|(entry, _)| {
            if let Some(updated) = entry.updated_at.as_deref().and_then(time::parse) {
                is_kept = updated.wall_ms() >= since;
            }
            is_kept
        });
    }
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    entries.truncate(limit.unwrap_or(usize::MAX));
    entries
}

/// One line for each revision.
fn page(entries: Vec<Headlined>, call: &CliCall, now: f64) -> CliAnswer {
    let row = |(entry, headline): &Headlined| {
        let change = match &entry.problem {
            Some(_) => call.paint.bad(headline),
            None => headline.clone(),
        };
        let updated = call.screen.time(entry.updated_at.as_deref(), now);
        vec![entry.revision.to_string(), updated, change]
    };
    let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
    let text = match rows.is_empty() {
        true => "No revision is as new as that\n".to_owned(),
        false => call.screen.columns(&rows),
    };
    let entries: Vec<LogEntry> = entries.into_iter().map(|(entry, _)| entry).collect();
    CliAnswer::data(text, entries)
}
