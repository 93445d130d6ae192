//! `milepost thread`

use std::fmt::Write;

use clap::{Args, Subcommand};

use crate::checkpoint::thread::difference::{ChannelChange, PartChange, ShownValue};
use crate::checkpoint::thread::steps::{
    StepHead, StepWrite, ThreadStep, ThreadSteps, ThreadSummary,
};
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::page::{NOTHING, counted};
use crate::cli::spelling::one_value;
use crate::error::Error;
use crate::json::Json;
use crate::operation::thread::recover::{RecoveredThread, recover};
use crate::operation::thread::steps::steps;
use crate::operation::thread::summaries::summaries;
use crate::text::visible;

use super::thread_changes::{
    COPY_HELP, CopyWords, PRUNE_HELP, PruneWords, REMOVE_HELP, RemoveWords, copy_words,
    prune_words, remove_words,
};

/// The number of steps without `--limit`.
const USUAL: u64 = 20;

/// The number of rows of a list without `--limit`.
const USUAL_ROWS: u64 = 100;

const RECOVER_HELP: &str = "\
What is damaged is first copied to the folder quarantine of the thread, and the answer says where. The
thread then goes on from its document, its parts and the lines of its journal, as far as they can be
read; the answer counts what is lost. When all of it can be read, nothing is changed and the exit code
is 1.";

const LIST_HELP: &str = "\
Those with the newest steps come first. STEP is the number and the source of the newest step, CHECKPOINT
its id, and PENDING how many writes wait there for the next one. With --json, each has `thread_id`,
`latest` (`namespace`, `id`, `parent`, `at`, `source`, `step`, or null) and `pending`.";

const SHOW_HELP: &str = "\
The newest step comes first. A step is a checkpoint beside the one that it follows from: the channels
whose values differ, and below them the members or items that do. Small values are shown, without their
secrets, and of larger ones the size. Writes are pending as long as no checkpoint follows.

The beginning of an id stands for the only thread whose id begins with it.

With --json: `thread_id`, `steps` and `more` (whether there are older ones). A step has `namespace`, `id`,
`parent`, `at`, `source`, `step`, `changes` (`channel`, `kind`, `before`, `after`, `parts`, `more_parts`),
`writes` (`task`, `channel`, `value`) and `pending`. A part has `at`, `kind`, `before` and `after`; a value
has `bytes`, and `text` or null.";

/// Look after threads of LangGraph.js: list, show, prune, recover
#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub(in crate::cli) struct Arguments {
    #[command(subcommand)]
    verb: ThreadVerb,
}

#[derive(Debug, Subcommand)]
enum ThreadVerb {
    /// List the threads
    #[command(after_help = LIST_HELP)]
    List {
        /// Print at most N; 100 by default, all with --json
        #[arg(short = 'n', long, value_name = "N")]
        limit: Option<u64>,
    },
    /// Print the steps of a thread: what each changed, and what is pending
    #[command(after_help = SHOW_HELP)]
    Show {
        /// The id of the thread, or its beginning
        #[arg(value_name = "THREAD", required_unless_present = "id")]
        thread: Option<String>,
        /// Another way to give THREAD
        #[arg(long, value_name = "THREAD")]
        id: Option<String>,
        /// Print at most N steps, the newest; 20 by default
        #[arg(short = 'n', long, value_name = "N")]
        limit: Option<u64>,
    },
    /// Keep the newest checkpoints of a thread, or remove the threads that are old
    #[command(after_help = PRUNE_HELP)]
    Prune(PruneWords),
    /// Copy a thread
    #[command(after_help = COPY_HELP)]
    Copy(CopyWords),
    /// Remove a thread, or the checkpoints of runs
    #[command(after_help = REMOVE_HELP)]
    Remove(RemoveWords),
    /// Bring a thread back that cannot be read, as far as its files can
    #[command(after_help = RECOVER_HELP)]
    Recover {
        /// The id of the thread
        #[arg(value_name = "THREAD")]
        thread: String,
    },
}

impl Arguments {
    /// The words that work on files alone.
    pub(in crate::cli) fn on_files(&self) -> Option<&'static str> {
        matches!(self.verb, ThreadVerb::Recover { .. }).then_some("thread recover")
    }
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    match arguments.verb {
        ThreadVerb::List { limit } => {
            let reply = summaries(call.io(), &call.settings).await;
            let threads = call.settle(reply).await?;
            let now = call.now().await?;
            if threads.is_empty() {
                let text = call.nothing("No threads").await + "\n";
                return Ok(CliAnswer::data(text, Vec::<Json>::new()));
            }
            Ok(list(call, threads, limit, now))
        }
        ThreadVerb::Show { thread, id, limit } => {
            let thread = one_value("thread", [thread, id])?.unwrap_or_default();
            let limit = usize::try_from(limit.unwrap_or(USUAL)).unwrap_or(usize::MAX);
            let reply = steps(call.io(), &call.settings, &thread, limit).await;
            let found = call.settle(reply).await?;
            let now = call.now().await?;
            Ok(show(call, found, now))
        }
        ThreadVerb::Prune(words) => prune_words(call, words).await,
        ThreadVerb::Copy(words) => copy_words(call, words).await,
        ThreadVerb::Remove(words) => remove_words(call, words).await,
        ThreadVerb::Recover { thread } => {
            let reply = recover(call.io(), &call.settings, &thread).await;
            Ok(recovered_page(&thread, call.settle(reply).await?))
        }
    }
}

fn list(
    call: &CliCall,
    mut threads: Vec<ThreadSummary>,
    limit: Option<u64>,
    now: f64,
) -> CliAnswer {
    let most = usize::try_from(limit.unwrap_or(USUAL_ROWS)).unwrap_or(usize::MAX);
    let heading = ["THREAD", "STEP", "CHECKPOINT", "UPDATED", "PENDING"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(
        threads
            .iter()
            .take(most)
            .map(|thread| row(call, thread, now)),
    );
    let mut text = match most {
        0 => String::new(),
        _ => call.screen.columns(&rows),
    };
    let left_out = threads.len().saturating_sub(most);
    if left_out > 0 {
        let _ = writeln!(text, "and {left_out} more");
    }
    if limit.is_some() {
        threads.truncate(most);
    }
    CliAnswer::data(text, threads)
}

fn row(call: &CliCall, thread: &ThreadSummary, now: f64) -> Vec<String> {
    let latest = thread.latest.as_ref();
    let nothing = || NOTHING.to_owned();
    vec![
        visible(&thread.thread).into_owned(),
        latest.and_then(step_of).unwrap_or_else(nothing),
        latest.map_or_else(nothing, |it| visible(&it.id).into_owned()),
        call.screen
            .time(latest.and_then(|it| it.at.as_deref()), now),
        thread.pending.to_string(),
    ]
}

/// The number of a step and what made it, as far as its maker said.
fn step_of(head: &StepHead) -> Option<String> {
    let number = head.number.as_ref().map(Json::to_line);
    let both: Vec<String> = number.into_iter().chain(head.source.clone()).collect();
    (!both.is_empty()).then(|| visible(&both.join(" ")).into_owned())
}

/// Stands before what belongs to a step, and twice before what belongs to a channel.
const INDENT: &str = "  ";

fn show(call: &CliCall, found: ThreadSteps, now: f64) -> CliAnswer {
    let mut page = ThreadOutput {
        text: String::new(),
        call,
    };
    page.line("", &call.paint.heading(&visible(&found.thread)));
    for step in &found.steps {
        page.step(step, now);
    }
    if found.has_more {
        page.text.push('\n');
        page.line("", "There are older steps; `--limit N` prints more");
    }
    CliAnswer::data(page.text, found)
}

struct ThreadOutput<'a> {
    text: String,
    call: &'a CliCall,
}

impl ThreadOutput<'_> {
    fn line(&mut self, indent: &str, line: &str) {
        let line = format!("{indent}{line}");
        let folded = self
            .call
            .screen
            .fold_after(&line, indent.len() + INDENT.len());
        self.text.push_str(&folded);
    }

    fn step(&mut self, step: &ThreadStep, now: f64) {
        let head = &step.head;
        let id = self.call.paint.heading(&visible(&head.id));
        let at = head.at.as_deref();
        let at = at.map(|at| self.call.screen.time(Some(at), now));
        let namespace = Some(&head.namespace).filter(|it| !it.is_empty());
        let namespace = namespace.map(|it| format!("in {}", visible(it)));
        let about = [step_of(head), at, namespace].into_iter().flatten();
        let words: Vec<String> = std::iter::once(id).chain(about).collect();
        self.text.push('\n');
        self.line("", &words.join(INDENT));
        for change in &step.changes {
            self.change(change);
        }
        if step.changes.is_empty() {
            self.line(INDENT, "no channel changed");
        }
        if step.is_pending {
            for write in &step.writes {
                self.write(write);
            }
        }
    }

    fn change(&mut self, change: &ChannelChange) {
        let ChannelChange {
            channel,
            kind,
            parts,
            more,
            ..
        } = change;
        let values = before_and_after(change.before.as_ref(), change.after.as_ref());
        let line = format!("{}  {}  {values}", visible(channel), kind.as_str());
        self.line(INDENT, &line);
        let below = INDENT.repeat(2);
        for PartChange {
            at,
            kind,
            before,
            after,
        } in parts
        {
            let values = before_and_after(before.as_ref(), after.as_ref());
            let line = format!("{}  {}  {values}", visible(at), kind.as_str());
            self.line(&below, &line);
        }
        if *more > 0 {
            self.line(&below, &format!("and {more} more"));
        }
    }

    fn write(&mut self, write: &StepWrite) {
        let pending = self.call.paint.bad("pending");
        let (task, channel) = (visible(&write.task), visible(&write.channel));
        let value = value(&write.value);
        self.line(
            INDENT,
            &format!("{pending}  {channel}  {value}, by task {task}"),
        );
    }
}

/// The value before a change and the one after it, as far as there are both.
fn before_and_after(before: Option<&ShownValue>, after: Option<&ShownValue>) -> String {
    let both = [before, after].into_iter().flatten().map(value);
    both.collect::<Vec<_>>().join(" -> ")
}

fn value(value: &ShownValue) -> String {
    match &value.text {
        Some(text) => visible(text).into_owned(),
        None => counted(value.bytes, "byte"),
    }
}

fn recovered_page(thread: &str, recovered: RecoveredThread) -> CliAnswer {
    let counted = |count: usize, noun: &str| counted(count as u64, noun);
    let mut text = format!(
        "{}: recovered, with {}\n",
        visible(thread),
        counted(recovered.checkpoints, "checkpoint")
    );
    let (kept, lost) = (recovered.kept, recovered.lost);
    if kept + lost > 0 {
        let _ = writeln!(
            text,
            "Changes since its document was written: {kept} kept, {lost} lost"
        );
    }
    if recovered.dropped > 0 {
        let dropped = counted(recovered.dropped, "checkpoint");
        let _ = writeln!(
            text,
            "Left out, because a value goes on from one that is lost: {dropped}"
        );
    }
    if recovered.lost_parts > 0 {
        let parts = counted(recovered.lost_parts, "file");
        let _ = writeln!(
            text,
            "Gone or not to be read, of older checkpoints: {parts}"
        );
    }
    for copy in &recovered.quarantined {
        let _ = writeln!(text, "What is damaged is kept as {}", visible(copy));
    }
    CliAnswer::confirmation(text, recovered)
}
