//! `milepost phase`

use std::fmt::Write;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::checkpoint::command::additions::Creation;
use crate::checkpoint::command::phases::{ADDABLE, Status};
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::news::News;
use crate::cli::page::{ANY_TEXT, saved_line};
use crate::cli::target_arg::NamedTarget;
use crate::error::{Error, Target};
use crate::json::{Json, Object};
use crate::operation::command::remove_phase::remove_phase;
use crate::operation::command::update_phase::{PhaseUpdate, update_phase};
use crate::schema::BUDGET_FIELD;
use crate::text::visible;
use crate::tokens::{self, MAX_SUMMARY_TOKENS};

const HELP: &str = "\
What is given replaces what the phase held, and everything else stays; --created and --modified add
to its lists of files. A run that does not exist is created.

A PATH is typed as in any command, from the working directory; it is kept from the root of the
repository on. One outside of it is refused, and one that does not exist is a warning.

`milepost undo` brings back what --remove took.

The words of a summary are what white space separates. Text that has no spaces, such as Chinese, counts
as one, and is held to 64 KiB alone.";

/// Record the status of a phase
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: NamedTarget,
    /// The phase's name
    phase: String,
    /// pending, in_progress, complete, failed or skipped; without it the status stays, and a new
    /// phase is pending
    #[arg(value_parser = statuses(), hide_possible_values = true)]
    status: Option<String>,
    /// The facts that the next process must know, within 500 words; - reads them from standard input
    // An agent's summary often begins with a list's dash.
    #[arg(short = 'm', long, value_name = "TEXT|-", allow_hyphen_values = true)]
    summary: Option<String>,
    /// A file that the phase created, for its list; may be repeated
    #[arg(long, value_name = "PATH")]
    created: Vec<String>,
    /// A file that the phase modified, for its list; may be repeated
    #[arg(long, value_name = "PATH")]
    modified: Vec<String>,
    /// Why the phase failed
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    error: Option<String>,
    /// The task that is being worked on, such as T002
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// Change only what is there: refuse to make a run or a phase
    #[arg(long)]
    existing: bool,
    /// Take the phase back, which was added by mistake; its history stays
    #[arg(long, conflicts_with_all = [
        "status", "summary", "created", "modified", "error", "task", "existing",
    ])]
    remove: bool,
}

/// The texts that stand for a summary in the commands and the help of this program.
const PLACEHOLDERS: [&str; 3] = ["…", "TEXT", ANY_TEXT];

fn statuses() -> PossibleValuesParser {
    PossibleValuesParser::new(Status::ALL.map(Status::as_str))
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let is_feature_named = arguments.target_arg.is_feature_named();
    let target = arguments.target_arg.target(call).await?;
    if arguments.remove {
        return remove(call, &target, &arguments.phase).await;
    }
    let mut patch = Object::new();
    if let Some(status) = arguments.status {
        patch.set("status", status);
    }
    let mut count = None;
    if let Some(summary) = arguments.summary {
        let summary = call.option(summary).await?;
        expect_facts(&summary)?;
        count = Some(tokens::count(&summary));
        patch.set("context_summary", summary);
    }
    let mut add = Object::new();
    for (list, files) in ADDABLE
        .into_iter()
        .zip([arguments.created, arguments.modified])
    {
        if !files.is_empty() {
            add.set(list, files);
        }
    }
    if let Some(error) = arguments.error {
        patch.set("error", error);
    }
    let update = PhaseUpdate {
        phase: &arguments.phase,
        patch: &patch,
        task: arguments.task.as_deref(),
        add: (!add.is_empty()).then_some(&add),
        creation: Creation::of_option(arguments.existing),
    };
    let reply = update_phase(call.io(), &call.settings, &target, &update).await;
    let settled = call.settle(reply).await?;
    // A summary beyond the budget was refused.
    let budget = budget_of(&settled.object);
    let created = settled.created.clone().unwrap_or_default();
    let news = News::of(call, &target, created, is_feature_named).await;
    let mut line = saved_line(&target, &settled) + &news.words();
    if let Some(count) = count {
        let _ = write!(
            line,
            "; summary {count} of {MAX_SUMMARY_TOKENS} words{budget}"
        );
    }
    Ok(news.answer(&line, settled))
}

/// Refuses a placeholder that was copied with its command.
fn expect_facts(summary: &str) -> Result<(), Error> {
    let stated = summary.trim();
    match PLACEHOLDERS.contains(&stated) {
        false => Ok(()),
        true => Err(Error::usage(format!(
            "{stated} stands for a summary: write the facts that the next process must know in its place"
        ))),
    }
}

async fn remove(call: &CliCall, target: &Target, phase: &str) -> Result<CliAnswer, Error> {
    let reply = remove_phase(call.io(), &call.settings, target, phase).await;
    let saved = call.settle(reply).await?;
    let line = saved_line(target, &saved);
    let text = format!("{line}, without phase {}\n", visible(phase));
    Ok(CliAnswer::confirmation(text, saved))
}

/// The words for the budget that a document says its summary was checked against.
fn budget_of(document: &Object) -> String {
    let budget = document.get(BUDGET_FIELD).and_then(Json::as_object);
    let limit = budget.and_then(|it| it.get("limit")?.as_u64());
    let encoding = budget.and_then(|it| it.get("encoding")?.as_str());
    match limit.zip(encoding) {
        Some((limit, encoding)) => format!(" (and within {limit} tokens of {encoding})"),
        None => String::new(),
    }
}
