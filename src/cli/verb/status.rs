//! `milepost status`

use std::fmt::Write;

use clap::Args;

use crate::checkpoint::command::agents::branch_name;
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::others::{others, words};
use crate::cli::page::{NOTHING, done, in_progress};
use crate::cli::screen::DAY_MS;
use crate::error::Error;
use crate::operation::command::list::{ListedRun, list};
use crate::text::visible;
use crate::time;

/// The number of days that a complete run is shown.
const DAYS_SHOWN: f64 = 7.0;

const HELP: &str = "\
Without options, what is unfinished is printed, and what was completed within 7 days; with --json,
everything.

DONE is how many phases are done, of all that the run knows: complete ones, and those that were
skipped, because nothing is to be done about them. PHASE is the phase in progress, or how many
are in progress or failed; a run whose file was written by another program is called changed by hand.
BRANCH is the branch that hooks of agents recorded, where they did.

`milepost snapshot list` lists the snapshots.";

/// List the runs
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// All of them
    #[arg(long, conflicts_with = "unfinished")]
    all: bool,
    /// Only those that are not complete
    #[arg(long)]
    unfinished: bool,
    /// Print at most N, those that were updated last
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<u64>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let reply = list(call.io(), &call.settings).await;
    let mut listed = call.settle(reply).await?;
    let now = call.now().await?;
    let count = listed.len();
    if arguments.unfinished {
        listed.retain(is_unfinished);
    } else if !arguments.all && !call.wants_json() {
        listed.retain(|one| is_unfinished(one) || was_completed_of_late(one, now));
    }
    if let Some(limit) = arguments.limit {
        listed = limited(listed, limit);
    }
    let mut text = match (count, listed.is_empty()) {
        (0, _) => call.nothing("No runs").await + "\n",
        (_, true) if arguments.limit != Some(0) => "Nothing is unfinished\n".to_owned(),
        (_, true) => String::new(),
        (_, false) => table(&listed, call, now),
    };
    let left_out = count - listed.len();
    if left_out > 0 && !arguments.unfinished {
        let command = call.command("status --all", None, "");
        let command = visible(&command);
        let verb = if left_out == 1 { "is" } else { "are" };
        let _ = writeln!(
            text,
            "{left_out} more {verb} left out; `{command}` lists all"
        );
    }
    if !call.wants_json() {
        text.push_str(&words(&others(call).await));
    }
    Ok(CliAnswer::data(text, listed))
}

pub(in crate::cli) fn is_unfinished(one: &ListedRun) -> bool {
    !one.is_completed
}

fn was_completed_of_late(one: &ListedRun, now: f64) -> bool {
    let completed = one.completed_at.as_deref().and_then(time::parse);
    completed.is_none_or(|completed| now - completed.wall_ms() < DAYS_SHOWN * DAY_MS)
}

/// So many of them, in their order: those that cannot be read, then those that were updated last.
pub(in crate::cli) fn limited(mut listed: Vec<ListedRun>, limit: u64) -> Vec<ListedRun> {
    let age = |one: &ListedRun| {
        let updated = one.updated_at.as_deref().and_then(time::parse);
        (one.problem.is_some(), updated)
    };
    while listed.len() as u64 > limit {
        let ages = listed.iter().map(age).enumerate();
        let oldest = ages.reduce(|oldest, next| if next.1 < oldest.1 { next } else { oldest });
        listed.remove(oldest.map_or(0, |(at, _)| at));
    }
    listed
}

/// Stands behind the phase of a run whose seal does not hold.
const EDITED: &str = "changed by hand";

/// The branch stands behind command and feature.
const BRANCH_COLUMN: usize = 2;

pub(in crate::cli) fn table(listed: &[ListedRun], call: &CliCall, now: f64) -> String {
    let heading = ["COMMAND", "FEATURE", "REVISION", "DONE", "UPDATED", "PHASE"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(listed.iter().map(|one| row(one, call, now)));
    // Without hooks, no branch is recorded.
    if listed.iter().any(|one| one.branch.is_some()) {
        rows[0].insert(BRANCH_COLUMN, "BRANCH".to_owned());
        for (row, one) in rows[1..].iter_mut().zip(listed) {
            let branch = one
                .branch
                .as_deref()
                .map_or(NOTHING.to_owned(), branch_name);
            row.insert(BRANCH_COLUMN, branch);
        }
    }
    call.screen.columns(&rows)
}

fn row(one: &ListedRun, call: &CliCall, now: f64) -> Vec<String> {
    let command = visible(&one.target.command).into_owned();
    let feature = one.target.feature.as_deref().unwrap_or(NOTHING);
    let feature = visible(feature).into_owned();
    let nothing = || NOTHING.to_owned();
    if one.is_deleted {
        let recover = call.command("recover", Some(&one.target), "");
        let words = format!("deleted; `{}` brings it back", visible(&recover));
        let words = call.paint.bad(&words);
        return vec![command, feature, nothing(), nothing(), nothing(), words];
    }
    if let Some(problem) = &one.problem {
        let problem = call.paint.bad(&visible(problem));
        return vec![command, feature, nothing(), nothing(), nothing(), problem];
    }
    let phase = match one.is_completed {
        true => Some(call.paint.good("complete")),
        false => in_progress(&one.progress),
    };
    let phase = match (phase, one.is_edited) {
        (Some(phase), true) => format!("{phase}, {}", call.paint.bad(EDITED)),
        (None, true) => call.paint.bad(EDITED),
        (phase, false) => phase.unwrap_or_else(nothing),
    };
    vec![
        command,
        feature,
        one.revision.to_string(),
        done(&one.progress),
        call.screen.time(one.updated_at.as_deref(), now),
        phase,
    ]
}
