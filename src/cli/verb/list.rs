//! `milepost snapshot list`

use std::fmt::Write;

use clap::Args;

use crate::cli::age::age;
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::page::NOTHING;
use crate::cli::screen::Screen;
use crate::error::Error;
use crate::operation::session::list::{ListedSnapshot, list};
use crate::text::visible;
use crate::time;

use super::rewind;

const HELP: &str = "\
`milepost status` lists the runs, which change as the work goes on; these are the moments that
`milepost snapshot create` and the hooks of agents kept.";

/// List the snapshots, the newest first
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// Also the archived ones, of runs that are complete
    #[arg(long)]
    archived: bool,
    /// Those before prompts instead, which rewinds go back to
    #[arg(long, conflicts_with = "archived")]
    prompts: bool,
    /// Print at most N, the newest
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<u64>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let Arguments {
        archived,
        prompts,
        limit,
    } = arguments;
    if prompts {
        return rewind::list(call, limit).await;
    }
    let reply = list(call.io(), &call.settings, archived, limit).await;
    let listed = call.settle(reply).await?;
    let now = call.now().await?;
    let mut text = String::new();
    if listed.is_empty() && limit != Some(0) {
        let make = call.command("snapshot create --reason user_requested", None, "");
        let make = visible(&make);
        let _ = writeln!(text, "No snapshots; `{make}` makes one");
    }
    let rows: Vec<Vec<String>> = listed.iter().map(|one| row(one, call, now)).collect();
    if !rows.is_empty() {
        text.push_str(&call.screen.columns(&rows));
    }
    Ok(CliAnswer::data(text, listed))
}

fn row(one: &ListedSnapshot, call: &CliCall, now: f64) -> Vec<String> {
    let text = |text: Option<&String>| match text {
        Some(text) => visible(text).into_owned(),
        None => NOTHING.to_owned(),
    };
    let phase = match (one.current_phase, one.total_phases) {
        (Some(current), Some(total)) => format!("Phase {current}/{total}"),
        _ => NOTHING.to_owned(),
    };
    let mut last: Vec<String> = Vec::new();
    if let Some(problem) = &one.problem {
        last.push(call.paint.bad(&visible(problem)));
    }
    if let Some(message) = &one.message {
        let line = message.lines().next().unwrap_or_default();
        last.push(visible(line).into_owned());
    }
    for (badge, is_so) in [("[pinned]", one.is_pinned), ("[archived]", one.is_archived)] {
        if is_so {
            last.push(badge.to_owned());
        }
    }
    let mut row = vec![
        one.id.to_string(),
        text(one.reason.as_ref()),
        phase,
        made(one, call.screen, now),
    ];
    if !last.is_empty() {
        row.push(last.join(" "));
    }
    row
}

/// The time of a snapshot: on a terminal as its age, and in a pipe in full.
fn made(one: &ListedSnapshot, screen: Screen, now: f64) -> String {
    let created = one.created_at.as_deref().and_then(time::parse);
    let created = created.map_or_else(|| one.id.wall_ms(), time::Time::wall_ms);
    match screen.is_terminal() {
        true => age(created, now),
        false => time::format(created),
    }
}

#[cfg(test)]
mod tests {
    use super::{ListedSnapshot, Screen, age, made};
    use crate::cli::age::{HOUR_MS, MINUTE_MS};
    use crate::cli::screen::DAY_MS;

    #[test]
    fn an_age_is_in_the_largest_unit_and_from_thirty_days_on_as_a_date() {
        let one = ListedSnapshot {
            id: "chk-20250126-103000".parse().unwrap(),
            created_at: Some("2025-01-26T10:30:00Z".to_owned()),
            reason: None,
            message: None,
            task: None,
            current_phase: None,
            total_phases: None,
            is_pinned: false,
            is_archived: false,
            problem: None,
        };
        let without = ListedSnapshot {
            created_at: None,
            ..one.clone()
        };
        let then = one.id.wall_ms();
        for (ms, expected) in [
            (0.0, "just now"),
            (-30_000.0, "just now"),
            (MINUTE_MS - 1.0, "just now"),
            (MINUTE_MS, "1min ago"),
            (45.0 * MINUTE_MS + 59_999.0, "45min ago"),
            (HOUR_MS, "1h ago"),
            (2.0 * HOUR_MS + MINUTE_MS, "2h ago"),
            (DAY_MS - 1.0, "23h ago"),
            (3.0 * DAY_MS, "3d ago"),
            (30.0 * DAY_MS - 1.0, "29d ago"),
            (30.0 * DAY_MS, "2025-01-26"),
            (-2.0 * MINUTE_MS, "2025-01-26"),
        ] {
            assert_eq!(age(then, then + ms), expected, "{ms}");
            for one in [&one, &without] {
                let shown = made(one, Screen::new(Some(80)), then + ms);
                assert_eq!(shown, expected, "{ms}");
                // A pipe has no age: what is read from it may be read later.
                let shown = made(one, Screen::new(None), then + ms);
                assert_eq!(shown, "2025-01-26T10:30:00.000Z");
            }
        }
    }
}
