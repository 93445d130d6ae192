//! `milepost diff`

use std::fmt::Write;

use clap::Args;

use crate::checkpoint::session::id::SnapshotId;
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::session;
use crate::cli::spelling::one_value;
use crate::cli::target_arg::TargetArg;
use crate::error::Error;
use crate::operation::command::diff::{RunDiff, diff};

const HELP: &str = "\
Without COMMAND, once nothing is unfinished, it is the run that was updated last.

With --json it is a JSON Patch (RFC 6902). `milepost diff 3 5` compares two revisions of the latest run,
`milepost diff chk-… chk-…` two snapshots, as `milepost snapshot diff` does.";

/// Print what changed between two revisions
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: TargetArg,
    /// The earlier revision; without it, the one before B
    #[arg(value_name = "A", value_parser = Point::parse)]
    from: Option<Point>,
    /// The later revision; without it, the present one
    #[arg(value_name = "B")]
    to: Option<u64>,
    /// Another way to give B
    #[arg(long = "to", value_name = "N")]
    named_to: Option<u64>,
    /// Another way to give B
    #[arg(long, value_name = "N")]
    revision: Option<u64>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let second = [arguments.to, arguments.named_to, arguments.revision];
    let has_more = second.iter().any(Option::is_some);
    if let Some(first) = session::named(&arguments.target_arg, has_more)? {
        return match arguments.from {
            Some(Point::Session(second)) => session::diff(call, first, second).await,
            _ => Err(Error::usage(format!(
                "Expected the id of a second snapshot behind {first}"
            ))),
        };
    }
    let Arguments {
        target_arg,
        from,
        to,
        named_to,
        revision,
    } = arguments.shifted()?;
    let to = one_value("later revision", [to, named_to, revision])?;
    let from = match from {
        Some(Point::Session(id)) => {
            let message = format!("Expected two snapshots, or none: got {id} alone");
            return Err(Error::usage(message));
        }
        Some(Point::Revision(revision)) => Some(revision),
        None => None,
    };
    let chosen = target_arg.look_up(call).await?;
    let reply = diff(call.io(), &call.settings, &chosen.target, from, to).await;
    let diff = call.settle(reply).await?;
    Ok(chosen.name_in(page(diff, call), call))
}

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
enum Point {
    Revision(u64),
    Session(SnapshotId),
}

impl Point {
    fn parse(text: &str) -> Result<Point, String> {
        if let Ok(id) = text.parse() {
            return Ok(Point::Session(id));
        }
        let revision = text.parse().map(Point::Revision);
        revision.map_err(|error: std::num::ParseIntError| error.to_string())
    }
}

impl Arguments {
    /// The arguments with a number in the place of COMMAND, which is no name of one, as a revision.
    fn shifted(mut self) -> Result<Self, Error> {
        let first = self.target_arg.command.as_deref();
        let Some(Ok(first)) = first.map(str::parse::<u64>) else {
            return Ok(self);
        };
        self.target_arg.command = None;
        let second = self.from.replace(Point::Revision(first));
        if let (Some(_), Some(third)) = (second, self.to) {
            let message =
                format!("Expected COMMAND, or two revisions at most: got {third} as well");
            return Err(Error::usage(message));
        }
        match second {
            Some(Point::Session(_)) => self.from = second,
            Some(Point::Revision(second)) => self.to = Some(second),
            None => self.to = None,
        }
        Ok(self)
    }
}

fn page(diff: RunDiff, call: &CliCall) -> CliAnswer {
    let mut text = String::new();
    for change in &diff.changes {
        text.push_str(&call.screen.lines(&change.to_string(), ""));
    }
    if diff.changes.is_empty() {
        let _ = writeln!(text, "Revisions {} and {} are the same", diff.from, diff.to);
    }
    CliAnswer::data(text, diff.patch)
}
