//! `milepost diff`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::page::lines;
use crate::cli::which::Which;
use crate::error::Error;
use crate::operation::command::diff::{Diff, diff};

/// Print what changed between two revisions; with --json, as a JSON Patch (RFC 6902)
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Which,
    /// The earlier revision; without it, the one before B
    #[arg(value_name = "A")]
    from: Option<u64>,
    /// The later revision; without it, the present one
    #[arg(value_name = "B")]
    to: Option<u64>,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let Arguments { which, from, to } = arguments;
    let reply = diff(call.io(), &call.settings, &which.into(), from, to).await;
    Ok(page(call.settle(reply).await?))
}

fn page(diff: Diff) -> Answer {
    let mut text = String::new();
    for change in &diff.changes {
        text.push_str(&lines(&change.to_string(), ""));
    }
    if diff.changes.is_empty() {
        let _ = writeln!(text, "Revisions {} and {} are the same", diff.from, diff.to);
    }
    Answer::data(text, diff.patch)
}
