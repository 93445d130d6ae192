//! `milepost archive`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::error::Error;
use crate::operation::session::archive::archive;

const HELP: &str = "\
Archived ones count for nothing where the newest are kept, `milepost list` leaves them out, and only
`milepost cleanup --archived --days N` removes them.";

/// Put session checkpoints of work that is complete into the archive
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// This one; without it, all whose command checkpoint is complete
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Only print what would be archived
    #[arg(long)]
    dry_run: bool,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let Arguments { id, dry_run } = arguments;
    let id = id.as_deref().map(str::parse).transpose()?;
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
        true => Answer::data(text, archived),
        false => Answer::confirmation(text, archived),
    })
}
