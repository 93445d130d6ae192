//! `milepost snapshot restore`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::cli::snapshot_arg::SnapshotArg;
use crate::error::{Advice, Error};
use crate::operation::session::load::SnapshotSelector;
use crate::operation::session::plan::{PlanReport, RunRestore};
use crate::operation::session::restore::{FileRestoreRequest, RestoredSnapshot, restore};
use crate::text::{shell_word, visible};

const HELP: &str = "\
Prints what to do next, the decisions, the files and the summary, for the session that carries on, or
that nothing is left to do.

With --files the files become what they were, and so does the run, while the sessions that work on it
stay. The plan lists every path that is touched, and the revision that the run goes back to. On a
terminal the plan is shown first: y does exactly that, and anything else changes nothing, with the exit
code 1. --yes does it without a question, and --plan does the plan with this id, which --dry-run shows.
Where there is no terminal it is done without a question. A snapshot is made of what is there first, and
restoring that one brings everything back. Where HEAD has moved, or where that snapshot could not keep
what would be lost, nothing is touched. A file that was saved after that snapshot was made stops the
restore before it and stays as it is: what is printed says what is done, and the same command again
finishes it.";

/// Print how to carry on from a snapshot, or bring its files back
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    snapshot: SnapshotArg,
    /// Bring the files back, too
    #[arg(long)]
    files: bool,
    /// Only print the plan
    #[arg(long, requires = "files")]
    dry_run: bool,
    /// Carry out this plan only if it is still current
    #[arg(
        long,
        value_name = "ID",
        requires = "files",
        conflicts_with = "dry_run"
    )]
    plan: Option<String>,
    /// A file whose present content may be lost for good; may be given again
    #[arg(long, value_name = "PATH", requires = "files")]
    lose: Vec<String>,
    /// Any present content may be lost, and HEAD may have moved
    #[arg(long, requires = "files")]
    force: bool,
    /// Leave the run as it is
    #[arg(long, requires = "files")]
    no_state: bool,
    /// Ask nothing on a terminal
    #[arg(short = 'y', long, requires = "files", conflicts_with = "dry_run")]
    yes: bool,
}

impl Arguments {
    /// The options that the plan was made with, as words of a shell.
    fn consent(&self) -> String {
        let paths = self.lose.iter();
        let mut words: Vec<String> = paths
            .map(|it| format!("--lose={}", shell_word(it)))
            .collect();
        let options = [(self.force, "--force"), (self.no_state, "--no-state")];
        let given = options.iter().filter(|(is_given, _)| *is_given);
        words.extend(given.map(|(_, option)| (*option).to_owned()));
        words.join(" ")
    }
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let Arguments { snapshot, .. } = &arguments;
    let selector = snapshot.selector()?;
    let is_decided = arguments.plan.is_some() || arguments.yes;
    let needs_answer = call.interactive && !call.wants_json() && !is_decided && !arguments.dry_run;
    // A user who sees the plan decides about it.
    let is_seen = call.screen.is_terminal() && !is_decided && !arguments.force;
    let request = arguments.files.then(|| FileRestoreRequest {
        is_dry_run: arguments.dry_run || needs_answer || is_seen,
        plan: arguments.plan.as_deref(),
        lose: arguments.lose.iter().map(String::as_str).collect(),
        is_forced: arguments.force,
        with_state: !arguments.no_state,
    });
    let reply = restore(call.io(), &call.settings, selector, request.clone()).await;
    let restored = call.settle(reply).await?;
    match (&restored.plan, request) {
        (Some(plan), Some(request)) if needs_answer && plan.refusals.is_empty() => {
            confirm_plan(call, &restored, plan, request, &arguments).await
        }
        _ => {
            let text = restored.plan.as_ref().map(|plan| of_plan(plan, call));
            Ok(page(restored, text, &arguments, call))
        }
    }
}

/// Carries out a plan that was made, after a yes to it.
async fn confirm_plan(
    call: &CliCall,
    shown: &RestoredSnapshot,
    plan: &PlanReport,
    request: FileRestoreRequest<'_>,
    arguments: &Arguments,
) -> Result<CliAnswer, Error> {
    let mut text = of_plan(plan, call);
    if !plan.is_nothing() {
        if !call.confirms(&text, "Do this?").await {
            let answer = CliAnswer::data("Nothing was touched\n".to_owned(), shown.clone());
            return Ok(answer.with_exit(Exit::No));
        }
        text.clear();
    }
    // This plan and no other, regardless of what has changed since.
    let request = FileRestoreRequest {
        is_dry_run: false,
        plan: Some(&plan.id),
        ..request
    };
    let reply = restore(
        call.io(),
        &call.settings,
        SnapshotSelector::Id(shown.id),
        Some(request),
    )
    .await;
    let restored = call.settle(reply).await?;
    Ok(page(restored, Some(text), arguments, call))
}

/// The answer, behind the plan unless it was shown before.
fn page(
    restored: RestoredSnapshot,
    plan_text: Option<String>,
    arguments: &Arguments,
    call: &CliCall,
) -> CliAnswer {
    let (Some(plan), Some(mut text)) = (&restored.plan, plan_text) else {
        let text = call.screen.lines(&restored.resume, "");
        return CliAnswer::data(text, restored);
    };
    let mut exit = Exit::Done;
    if restored.is_restored {
        match restored.undo {
            Some(undo) => {
                let back = call.command(&format!("snapshot restore {undo} --files"), None, "");
                let back = visible(&back);
                let _ = writeln!(text, "Done; `{back}` brings back what was there");
            }
            None => text.push_str("Everything is as in the snapshot\n"),
        }
    } else if let Some(error) = plan.refusal() {
        // As the restore itself ends that is refused.
        exit = Exit::from(error.code());
    } else if plan.is_nothing() {
        text.push_str("Everything is as in the snapshot\n");
    } else {
        let line = format!(
            "snapshot restore {} --files --plan {}",
            restored.id, plan.id
        );
        let line = call.command(&line, None, &arguments.consent());
        let line = visible(&line);
        let now = if arguments.dry_run { "" } else { "now " };
        let _ = writeln!(text, "Nothing was touched; `{line}` {now}does this");
    }
    CliAnswer::data(text, restored).with_exit(exit)
}

/// The plan, a line for each path.
pub(super) fn of_plan(plan: &PlanReport, call: &CliCall) -> String {
    let mut text = String::new();
    for (path, act, answer) in &plan.changes {
        let act = match *act {
            "set_mode" => "mode",
            act => act,
        };
        let since = match *answer {
            "missing" => "",
            "unexpected" if act == "delete" => "  (new since)",
            _ => "  (changed since)",
        };
        let _ = writeln!(text, "{act:6}  {}{since}", visible(path));
    }
    if let Some(run) = &plan.run {
        text.push_str(&of_run(run));
    }
    for (path, reason) in &plan.left {
        let _ = writeln!(text, "left    {}: {}", visible(path), visible(reason));
    }
    for refusal in &plan.refusals {
        let _ = writeln!(text, "refused: {}", visible(&refusal.message));
    }
    let mut helps: Vec<&Advice> = Vec::new();
    for refusal in &plan.refusals {
        if !helps.contains(&&refusal.advice) {
            helps.push(&refusal.advice);
        }
    }
    for advice in helps {
        let _ = writeln!(text, "  {}", call.advice(advice));
    }
    text
}

/// The revision that the run goes back to, and the phases that change.
fn of_run(run: &RunRestore) -> String {
    let back = match (run.revision, run.present) {
        (Some(revision), Some(present)) => {
            format!("back to the content of revision {revision}, from revision {present}")
        }
        (Some(revision), None) => format!("made again, with the content of revision {revision}"),
        (None, _) => "back to the recorded content".to_owned(),
    };
    let mut text = format!("state   {}: {back}\n", visible(&run.title));
    for phase in &run.phases {
        let _ = writeln!(text, "        {}", visible(phase));
    }
    text
}
