//! `milepost snapshot archive`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::snapshot_arg::SnapshotIdArg;
use crate::error::Error;
use crate::operation::session::archive::archive;

const HELP: &str = "\
Archived ones do not count where the newest are kept, `milepost snapshot list` leaves them out, and only
`milepost snapshot prune --archived --days N` removes them. Without ID it is all whose run is complete.";

/// Archive the snapshots of runs that are complete
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    snapshot: SnapshotIdArg,
    /// Only print what would be archived
    #[arg(long)]
    dry_run: bool,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let Arguments { snapshot, dry_run } = arguments;
    let id = snapshot.id()?;
    let reply = archive(call.io(), &call.settings, id, dry_run).await;
    let archived = call.settle(reply).await?;
    let word = match dry_run {
        true => "would archive",
        false => "archived",
    };
    let mut text = String::new();
    for one in &archived {
        let _ = writeln!(text, "{word} {}", one.id);
    }
    if archived.is_empty() {
        text.push_str("Nothing to archive\n");
    }
    Ok(match dry_run {
        true => CliAnswer::data(text, archived),
        false => CliAnswer::confirmation(text, archived),
    })
}
