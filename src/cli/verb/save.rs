//! `milepost save`

use clap::Args;

use crate::checkpoint::command::additions::Creation;
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::news::News;
use crate::cli::page::saved_line;
use crate::cli::target_arg::ExactTarget;
use crate::error::{Error, Target};
use crate::operation::command::save::{RunInput, save};

const HELP: &str = "\
With the revision and seal that `milepost show --json` printed, changes that others made since are
merged, and a field that both changed is a conflict. Without them the document is replaced; the
replaced one stays in the history. `milepost snapshot create` keeps a moment of the work.";

/// Save a whole document of a run
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: ExactTarget,
    /// The document, as JSON
    #[arg(value_name = "FILE|-")]
    file: String,
    /// Change only what is there: refuse to make a run or a phase
    #[arg(long)]
    existing: bool,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let target: Target = arguments.target_arg.into();
    let text = call.text(&arguments.file).await?;
    let creation = Creation::of_option(arguments.existing);
    let given = RunInput::Text(&text);
    let reply = save(call.io(), &call.settings, &target, given, creation).await;
    let saved = call.settle(reply).await?;
    // The name is the one to the letter, whether it has a feature or none.
    let created = saved.created.clone().unwrap_or_default();
    let news = News::of(call, &target, created, true).await;
    let line = saved_line(&target, &saved) + &news.words();
    Ok(news.answer(&line, saved))
}
