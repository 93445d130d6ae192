//! `milepost log`

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::when;
use crate::cli::which::Which;
use crate::error::Error;
use crate::operation::command::log::{LogEntry, log};
use crate::text::visible;
use crate::time;

const HELP: &str = "\
WHEN is a time (2026-01-29T10:30:00Z), a date (2026-01-29, in UTC), or how long ago it is: 2w, 2d, 3h,
30m.";

/// Print the revisions of a checkpoint, newest first, a line each
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Which,
    /// At most so many, the newest
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Only those that were saved since then
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let now = call.now().await?;
    let since = arguments.since.map(|since| when::parse(&since, now));
    let since = since.transpose()?;
    let chosen = arguments.which.choose(call).await?;
    let reply = log(call.io(), &call.settings, &chosen.target).await;
    let entries = call.settle(reply).await?;
    let oldest = entries.last().map(|entry| entry.revision);
    let entries = kept(entries, arguments.limit, since);
    Ok(chosen.name_in(page(entries, oldest, call, now), call))
}

/// The entries that were asked for. One that tells no time is as old as the one after it.
fn kept(mut entries: Vec<LogEntry>, limit: Option<u64>, since: Option<f64>) -> Vec<LogEntry> {
    if let Some(since) = since {
        let mut is_kept = true;
        entries.retain(|entry| {
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
fn page(entries: Vec<LogEntry>, oldest: Option<u64>, call: &Call, now: f64) -> Answer {
    let row = |(at, entry): (usize, &LogEntry)| {
        let change = match (entry.altered, &entry.problem) {
            (true, _) => call.paint.bad("altered: its digest does not hold"),
            (false, Some(problem)) => {
                let problem = format!("cannot be read: {}", visible(problem));
                call.paint.bad(&problem)
            }
            (false, None) => {
                let is_oldest = oldest == Some(entry.revision);
                let since = since(entry, entries.get(at + 1));
                what_changed(entry, is_oldest) + &since + &heartbeats(entry.heartbeats)
            }
        };
        let updated = call.screen.time(entry.updated_at.as_deref(), now);
        vec![entry.revision.to_string(), updated, change]
    };
    let rows: Vec<Vec<String>> = entries.iter().enumerate().map(row).collect();
    let text = match rows.is_empty() {
        true => "No revision is as new as that\n".to_owned(),
        false => call.screen.columns(&rows),
    };
    Answer::data(text, entries)
}

/// How many revisions after one are left out.
fn heartbeats(count: u64) -> String {
    match count {
        0 => String::new(),
        1 => " (+1 heartbeat)".to_owned(),
        many => format!(" (+{many} heartbeats)"),
    }
}

/// From which revision the changes are told, where the one before cannot be read.
fn since(entry: &LogEntry, before: Option<&LogEntry>) -> String {
    match (before.is_some_and(|it| it.problem.is_some()), entry) {
        (
            true,
            LogEntry {
                same_as: None,
                compared_with: Some(revision),
                ..
            },
        ) => {
            format!(", since revision {revision}")
        }
        _ => String::new(),
    }
}

/// What says most of what changed, which is one harmless line, and how many changes more there are.
fn what_changed(entry: &LogEntry, is_oldest: bool) -> String {
    if let Some(same) = entry.same_as {
        return format!("as revision {same} again");
    }
    let Some(first) = entry.changes.first() else {
        return match entry.revision {
            1 => "created".to_owned(),
            _ if is_oldest => "the oldest that is kept".to_owned(),
            _ if entry.compared_with.is_none() => "nothing before it can be read".to_owned(),
            _ => "no change".to_owned(),
        };
    };
    // The lists of the state follow from what becomes of a phase.
    let of_a_phase = entry.changes.iter().find(|it| it.starts_with("phase "));
    let change = of_a_phase.unwrap_or(first);
    match entry.changes.len() - 1 {
        0 => change.clone(),
        more => format!("{change} (+{more} more)"),
    }
}
