//! `milepost save`

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::page::saved;
use crate::cli::which::Exact;
use crate::error::Error;
use crate::operation::command::save::{Given, save};

const HELP: &str = "\
With the revision and seal that `milepost show --json` printed, changes that others made since are
merged, and a field that both changed is a conflict. Without them the document is replaced; the
replaced one stays in the history.";

/// Save a whole checkpoint document
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Exact,
    /// The document, as JSON
    #[arg(value_name = "FILE|-")]
    file: String,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let target = arguments.which.into();
    let text = call.text(&arguments.file).await?;
    let reply = save(call.io(), &call.settings, &target, Given::Text(&text)).await;
    Ok(saved(&target, call.settle(reply).await?))
}
