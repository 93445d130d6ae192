//! `milepost log`

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::page::{NOTHING, Paint, columns};
use crate::cli::which::Which;
use crate::error::Error;
use crate::operation::command::log::{LogEntry, log};
use crate::text::visible;

/// Print the revisions of a checkpoint, newest first, a line each: number, time, what changed
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let reply = log(call.io(), &call.settings, &arguments.which.into()).await;
    Ok(page(call.settle(reply).await?, call.paint))
}

/// One line for each revision.
fn page(entries: Vec<LogEntry>, paint: Paint) -> Answer {
    let oldest = entries.len().saturating_sub(1);
    let rows: Vec<[String; 3]> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| {
            let updated = entry.updated_at.as_deref().unwrap_or(NOTHING);
            [
                entry.revision.to_string(),
                visible(updated).into_owned(),
                match (entry.altered, &entry.problem) {
                    (true, _) => paint.bad("altered: its digest does not hold"),
                    (false, Some(problem)) => {
                        paint.bad(&format!("cannot be read: {}", visible(problem)))
                    }
                    (false, None) => {
                        let since = since(entry, entries.get(at + 1));
                        what_changed(entry, at == oldest) + &since + &heartbeats(entry.heartbeats)
                    }
                },
            ]
        })
        .collect();
    Answer::data(columns(&rows), entries)
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
