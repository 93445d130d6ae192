//! `milepost task`

use std::cmp::Reverse;
use std::fmt::Write;

use clap::{Args, Subcommand};

use crate::checkpoint::task::entry::TaskIndexEntry;
use crate::checkpoint::task::index::TaskIndex;
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::page::{NOTHING, counted};
use crate::cli::spelling::one_value;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::task::list_tasks::TaskListPage;
use crate::operation::task::prune_tasks::prune_tasks;
use crate::operation::task::show::{ShownTask, show};
use crate::operation::task::summaries::summaries;
use crate::sorting;
use crate::text::visible;

use super::thread_changes::removed_page;

/// The number of rows of a list without `--limit`.
const USUAL_ROWS: u64 = 100;

const LIST_HELP: &str = "\
Those that were saved last come first. With --json, each has `task_id`, `revision`, `checkpoints` (how
many), `bytes`, `latest` (the id of the latest) and `saved_at`.";

const SHOW_HELP: &str = "\
The beginning of an id stands for the only task, or the only checkpoint of the task, whose id begins with
it. A task is complete once its checkpoint has no pending steps, else in progress. Its checkpoints are the
attempts that are kept.

With --json: `task_id`, `status` (`complete` or `in_progress`), `revision`, `checkpoints` (`id`,
`saved_at`, `bytes`) and `checkpoint` (`id`, `saved_at`, `bytes`, `remaining_steps`, `state`), whose `state`
is as its maker saved it, without secrets.";

const PRUNE_HELP: &str = "\
A task that is saved at the same time stays. With --json: `tasks`, their ids, and `checkpoints`, the number
of their checkpoints.";

/// Look after task checkpoints of orchestrators: list, show, prune
#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub(in crate::cli) struct Arguments {
    #[command(subcommand)]
    verb: TaskVerb,
}

#[derive(Debug, Subcommand)]
enum TaskVerb {
    /// List the tasks that have checkpoints
    #[command(after_help = LIST_HELP)]
    List {
        /// Print at most N; 100 by default, all with --json
        #[arg(short = 'n', long, value_name = "N")]
        limit: Option<u64>,
    },
    /// Print a task: its status, its checkpoints, and the data of the latest
    #[command(after_help = SHOW_HELP)]
    Show {
        /// The id of the task, or its beginning
        #[arg(value_name = "TASK", required_unless_present = "id")]
        task: Option<String>,
        /// Another way to give TASK
        #[arg(long, value_name = "TASK")]
        id: Option<String>,
        /// The data of this checkpoint instead
        #[arg(long, value_name = "ID")]
        checkpoint: Option<String>,
    },
    /// Remove the tasks that are old
    #[command(after_help = PRUNE_HELP)]
    Prune {
        /// Remove the tasks whose latest checkpoint was saved more than D days ago
        #[arg(long, value_name = "D")]
        days: u64,
        /// Only print the tasks that would go
        #[arg(long)]
        dry_run: bool,
    },
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    match arguments.verb {
        TaskVerb::List { limit } => {
            let reply = summaries(call.io(), &call.settings).await;
            let tasks = call.settle(reply).await?;
            let now = call.now().await?;
            if tasks.is_empty() {
                let text = call.nothing("No tasks").await + "\n";
                return Ok(CliAnswer::data(text, Vec::<Json>::new()));
            }
            Ok(list(call, tasks, limit, now))
        }
        TaskVerb::Show {
            task,
            id,
            checkpoint,
        } => {
            let task = one_value("task", [task, id])?.unwrap_or_default();
            let (io, settings) = (call.io(), &call.settings);
            let reply = show(io, settings, &task, checkpoint.as_deref()).await;
            let found = call.settle(reply).await?;
            let now = call.now().await?;
            Ok(page(call, found, now))
        }
        TaskVerb::Prune { days, dry_run } => {
            let reply = prune_tasks(call.io(), &call.settings, days, dry_run).await;
            let pruned = call.settle(reply).await?;
            let ids = pruned.tasks.iter().map(|it| it.as_str().to_owned());
            let text = removed_page(&ids.collect::<Vec<_>>(), "task", dry_run);
            Ok(CliAnswer::confirmation(text, pruned))
        }
    }
}

fn list(call: &CliCall, mut tasks: Vec<TaskIndex>, limit: Option<u64>, now: f64) -> CliAnswer {
    sorting::sort_by_key(&mut tasks, |index| {
        let saved_at = index.latest().map(|it| it.part().saved_at.clone());
        (Reverse(saved_at), index.task().as_str().to_owned())
    });
    let most = usize::try_from(limit.unwrap_or(USUAL_ROWS)).unwrap_or(usize::MAX);
    let heading = ["TASK", "CHECKPOINTS", "LATEST", "SAVED"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(tasks.iter().take(most).map(|index| row(call, index, now)));
    let mut text = match most {
        0 => String::new(),
        _ => call.screen.columns(&rows),
    };
    let left_out = tasks.len().saturating_sub(most);
    if left_out > 0 {
        let _ = writeln!(text, "and {left_out} more");
    }
    if limit.is_some() {
        tasks.truncate(most);
    }
    CliAnswer::data(text, json_of(tasks))
}

/// The list of a page of tasks, as the operation answers it.
fn json_of(tasks: Vec<TaskIndex>) -> Json {
    let page = Json::from(TaskListPage { tasks, next: None });
    let list = page.as_object().and_then(|page| page.get("tasks"));
    list.cloned().unwrap_or(Json::Null)
}

fn row(call: &CliCall, index: &TaskIndex, now: f64) -> Vec<String> {
    let latest = index.latest();
    let id = latest.map(|it| visible(it.id().as_str()).into_owned());
    let saved_at = latest.map(|it| it.part().saved_at.as_str());
    vec![
        visible(index.task().as_str()).into_owned(),
        index.entries().len().to_string(),
        id.unwrap_or_else(|| NOTHING.to_owned()),
        call.screen.time(saved_at, now),
    ]
}

/// Stands before what belongs to a heading.
const INDENT: &str = "  ";
/// The column at which field values begin.
const VALUE: usize = "  checkpoint  ".len();

fn page(call: &CliCall, found: ShownTask, now: f64) -> CliAnswer {
    let state = &found.checkpoint.state;
    let mut page = TaskOutput {
        text: String::new(),
        call,
        now,
    };
    let heading = visible(found.index.task().as_str());
    page.line("", &call.paint.heading(&heading));
    let status = match found.status() {
        "complete" => call.paint.good("complete"),
        other => other.to_owned(),
    };
    page.painted("status", &status);
    page.field("agent", state.get("agentId"));
    page.painted("step", &step(state));
    page.painted("checkpoint", &page.saved(&found.checkpoint.entry));
    for entry in found.index.entries() {
        if entry.id() != found.checkpoint.entry.id() {
            page.painted("also", &page.saved(entry));
        }
    }
    page.steps(state);
    page.data("context", state.get("context"));
    page.data("metadata", state.get("metadata"));
    CliAnswer::data(page.text, found)
}

/// The number of the step, and of all.
fn step(state: &Object) -> String {
    let number = |key: &str| state.get(key).and_then(Json::as_u64);
    match (number("stepIndex"), number("totalSteps")) {
        (Some(step), Some(total)) => format!("{step} of {total}"),
        _ => NOTHING.to_owned(),
    }
}

struct TaskOutput<'a> {
    text: String,
    call: &'a CliCall,
    now: f64,
}

impl TaskOutput<'_> {
    fn line(&mut self, indent: &str, line: &str) {
        let line = format!("{indent}{line}");
        self.text
            .push_str(&self.call.screen.fold_after(&line, VALUE));
    }

    /// A field whose value is safe to print.
    fn painted(&mut self, name: &str, value: &str) {
        self.line(INDENT, &format!("{name:10}  {value}"));
    }

    fn field(&mut self, name: &str, value: Option<&Json>) {
        if let Some(value) = value.and_then(Json::as_str) {
            self.painted(name, &visible(value));
        }
    }

    /// The id of a checkpoint, when it was saved, and how large it is.
    fn saved(&self, entry: &TaskIndexEntry) -> String {
        let part = entry.part();
        let at = self.call.screen.time(Some(&part.saved_at), self.now);
        let id = visible(entry.id().as_str());
        format!("{id}, saved {at}, {}", counted(part.bytes, "byte"))
    }

    /// The steps that are done, then those that remain.
    fn steps(&mut self, state: &Object) {
        let list = |key: &str| state.get(key).and_then(Json::as_array).unwrap_or_default();
        let text = |step: &Json, key: &str| {
            let found = step.as_object()?.get(key)?.as_str()?;
            Some(visible(found).into_owned())
        };
        let (done, remaining) = (list("completedSteps"), list("pendingSteps"));
        if !done.is_empty() || !remaining.is_empty() {
            self.text.push('\n');
        }
        for step in done {
            let (id, name) = (text(step, "stepId"), text(step, "name"));
            let both: Vec<String> = id.into_iter().chain(name).collect();
            let status = self.call.paint.good("complete");
            self.line("", &format!("{status}  {}", both.join("  ")));
        }
        for step in remaining.iter().filter_map(Json::as_str) {
            self.line("", &format!("pending   {}", visible(step)));
        }
    }

    /// An object that its maker chose the members of.
    fn data(&mut self, name: &str, value: Option<&Json>) {
        let Some(value) = value else {
            return;
        };
        let document = value.to_document();
        let lines = self.call.screen.lines(&document, INDENT);
        let _ = write!(self.text, "\n{name}\n{lines}");
    }
}
