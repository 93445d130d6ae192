//! `milepost phase`

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::checkpoint::command::phases::Status;
use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::page::saved;
use crate::cli::which::Which;
use crate::error::{Error, Target};
use crate::json::Object;
use crate::operation::command::update_phase::{PhaseUpdate, update_phase};

const HELP: &str = "\
What is given replaces what the phase held, and everything else stays: --created and --modified
replace the whole list. A checkpoint that does not exist is created.";

/// Record the status of one phase
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Which,
    /// The phase's name
    phase: String,
    /// Its status from now on
    #[arg(value_parser = statuses())]
    status: String,
    /// What the next process must know, within 500 tokens; - reads standard input
    // An agent's summary often begins with a list's dash.
    #[arg(long, value_name = "TEXT|-", allow_hyphen_values = true)]
    summary: Option<String>,
    /// A file that the phase created; may be repeated
    #[arg(long, value_name = "PATH")]
    created: Vec<String>,
    /// A file that the phase modified; may be repeated
    #[arg(long, value_name = "PATH")]
    modified: Vec<String>,
    /// Why the phase failed
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    error: Option<String>,
    /// The task that is being worked on, such as T002
    #[arg(long, value_name = "ID")]
    task: Option<String>,
}

fn statuses() -> PossibleValuesParser {
    PossibleValuesParser::new(Status::ALL.map(Status::as_str))
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let target = Target::from(arguments.which);
    let mut patch = Object::new();
    patch.set("status", arguments.status);
    if let Some(summary) = arguments.summary {
        patch.set("context_summary", call.option(summary).await?);
    }
    if !arguments.created.is_empty() {
        patch.set("files_created", arguments.created);
    }
    if !arguments.modified.is_empty() {
        patch.set("files_modified", arguments.modified);
    }
    if let Some(error) = arguments.error {
        patch.set("error", error);
    }
    let update = PhaseUpdate {
        phase: &arguments.phase,
        patch: &patch,
        task: arguments.task.as_deref(),
        add: None,
    };
    let reply = update_phase(call.io(), &call.settings, &target, &update).await;
    Ok(saved(&target, call.settle(reply).await?))
}
