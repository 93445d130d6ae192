//! `milepost snapshot prune`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::error::Error;
use crate::operation::session::clean_up::{CleanUp, clean_up};

const HELP: &str = "\
The newest ten are kept, or as many as `sessions.keep` in .claude/config/integrations.json says. Pinned
ones, archived ones and the newest good one do not count, and stay.";

/// Remove older snapshots
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// Only print what would be removed
    #[arg(long)]
    dry_run: bool,
    /// Also remove archived ones
    #[arg(long, requires = "days")]
    archived: bool,
    /// Archived ones that were made more than N days ago
    #[arg(long, value_name = "N", requires = "archived")]
    days: Option<u64>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let request = CleanUp {
        is_dry_run: arguments.dry_run,
        archived_days: arguments.days,
    };
    let reply = clean_up(call.io(), &call.settings, request).await;
    let removed = call.settle(reply).await?;
    let word = match request.is_dry_run {
        true => "would remove",
        false => "removed",
    };
    let mut text = String::new();
    for one in &removed {
        let _ = writeln!(text, "{word} {}: {}", one.id, one.reason);
    }
    let of_rewinds: u64 = removed.iter().filter_map(|it| it.bytes).sum();
    if of_rewinds > 0 {
        let _ = writeln!(
            text,
            "{of_rewinds} bytes of what is kept for rewinds, before they are compressed"
        );
    }
    if removed.is_empty() {
        text.push_str("Nothing to remove\n");
    }
    Ok(match request.is_dry_run {
        true => CliAnswer::data(text, removed),
        false => CliAnswer::confirmation(text, removed),
    })
}
