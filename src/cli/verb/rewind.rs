//! `milepost rewind`

use std::fmt::Write;

use clap::Args;

use crate::checkpoint::session::file_diffs::FileDiffs;
use crate::cli::age::age;
use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::cli::file_diff;
use crate::error::Error;
use crate::integrations::FILE;
use crate::operation::session::list_prompts::{ListedPrompt, list_prompts};
use crate::operation::session::plan::PlanReport;
use crate::operation::session::rewind_files::{RewindRequest, RewindTarget, RewoundFiles, rewind};
use crate::text::{shell_word, visible};

use super::restore::of_plan;

const HELP: &str = "\
Where the setting agents.rewind is true, the hooks of an agent keep the files before each prompt, and
after each turn again. What differs between the two is the agent's, and is taken back. What a person
changed between the turns, what two sessions changed at the same time, and what changed in a turn that
was stopped before its end, stays as it is and is named: --lose takes that back, too. Ignored files, the
index and commits are never touched; files go back in the worktree alone.

Without --to the prompts of this branch are listed, and on a terminal a number is asked for. The plan is
shown first, on a terminal with what it changes in each file, and y does exactly that. A snapshot is made of what is there before, and --undo brings it
back; --undo again goes forward, as often as you like. The agent gets a notice with its next prompt.";

/// Take back what an agent changed since a prompt
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// The prompt to go back to: its number in the list, its id, or words of it
    #[arg(long, value_name = "PROMPT")]
    to: Option<String>,
    /// Take back the last rewind
    #[arg(long, conflicts_with = "to")]
    undo: bool,
    /// Only these files and folders
    #[arg(long, value_name = "PATH", num_args = 1..)]
    files: Vec<String>,
    /// Also what other sessions changed
    #[arg(long)]
    all: bool,
    /// A file or folder that is taken back regardless of who changed it; may be given again
    #[arg(long, value_name = "PATH")]
    lose: Vec<String>,
    /// Only print the plan
    #[arg(long)]
    dry_run: bool,
    /// Carry out this plan only if it is still current
    #[arg(long, value_name = "ID", conflicts_with = "dry_run")]
    plan: Option<String>,
    /// Leave the run as it is
    #[arg(long)]
    no_state: bool,
    /// Take back the run alone
    #[arg(long, conflicts_with = "no_state")]
    state_only: bool,
    /// Ask nothing on a terminal
    #[arg(short = 'y', long, conflicts_with = "dry_run")]
    yes: bool,
    /// List at most N prompts, the newest
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<u64>,
}

impl Arguments {
    fn request<'a>(&'a self, target: RewindTarget<'a>) -> RewindRequest<'a> {
        RewindRequest {
            target,
            files: self.files.iter().map(String::as_str).collect(),
            is_of_all: self.all,
            lose: self.lose.iter().map(String::as_str).collect(),
            is_dry_run: self.dry_run,
            plan: self.plan.as_deref(),
            with_state: !self.no_state && self.files.is_empty(),
            with_files: !self.state_only,
            with_diff: false,
        }
    }

    /// Returns whether an option is of use only where it is known which prompt is meant.
    fn needs_target(&self) -> bool {
        let is_any = [
            self.all,
            self.dry_run,
            self.no_state,
            self.state_only,
            self.yes,
            self.plan.is_some(),
        ];
        is_any.contains(&true) || !self.files.is_empty() || !self.lose.is_empty()
    }

    /// The options that the plan was made with, as words of a shell.
    fn words(&self) -> String {
        let paths = |option: &str, paths: &[String]| -> Vec<String> {
            let word = |it: &String| format!("{option}={}", shell_word(it));
            paths.iter().map(word).collect()
        };
        let mut words = paths("--files", &self.files);
        words.extend(paths("--lose", &self.lose));
        let options = [
            (self.all, "--all"),
            (self.no_state, "--no-state"),
            (self.state_only, "--state-only"),
        ];
        let given = options.iter().filter(|(is_given, _)| *is_given);
        words.extend(given.map(|(_, option)| (*option).to_owned()));
        words.join(" ")
    }
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    if arguments.undo {
        return go(call, RewindTarget::LastRewind, &arguments).await;
    }
    if let Some(to) = &arguments.to {
        return go(call, RewindTarget::Prompt(to), &arguments).await;
    }
    let can_choose = call.interactive && !call.wants_json() && call.screen.is_terminal();
    if !can_choose && arguments.needs_target() {
        let message = "Expected the prompt to go back to: `--to` with it, or `--undo`".to_owned();
        return Err(Error::usage(message));
    }
    let reply = list_prompts(call.io(), &call.settings, arguments.limit).await;
    let listed = call.settle(reply).await?;
    let now = call.now().await?;
    let text = of_list(&listed, call, now);
    if listed.is_empty() || !can_choose {
        return Ok(CliAnswer::data(text, listed));
    }
    let answer = call
        .ask(&text, "Go back to before which prompt? [number] ")
        .await;
    let Some(chosen) = answer.filter(|it| !it.is_empty()) else {
        let answer = CliAnswer::data("Nothing was touched\n".to_owned(), listed);
        return Ok(answer.with_exit(Exit::No));
    };
    go(call, RewindTarget::Prompt(&chosen), &arguments).await
}

async fn go(
    call: &CliCall,
    target: RewindTarget<'_>,
    arguments: &Arguments,
) -> Result<CliAnswer, Error> {
    let is_decided = arguments.plan.is_some() || arguments.yes;
    let needs_answer = call.interactive && !call.wants_json() && !is_decided && !arguments.dry_run;
    // A user who sees the plan decides about it.
    let is_seen = call.screen.is_terminal() && !is_decided;
    let is_dry_run = arguments.dry_run || needs_answer || is_seen;
    let request = RewindRequest {
        is_dry_run,
        with_diff: is_dry_run && call.screen.is_terminal() && !call.wants_json(),
        ..arguments.request(target)
    };
    let reply = rewind(call.io(), &call.settings, request.clone()).await;
    let rewound = call.settle(reply).await?;
    let mut text = of_rewound(&rewound, call);
    let Some(plan) = rewound.plan.as_ref() else {
        return Ok(CliAnswer::data(text, rewound));
    };
    if !needs_answer || !plan.refusals.is_empty() || plan.is_nothing() {
        return Ok(page(rewound, text, arguments, call));
    }
    if !call.confirms(&text, "Do this?").await {
        let answer = CliAnswer::data("Nothing was touched\n".to_owned(), rewound.clone());
        return Ok(answer.with_exit(Exit::No));
    }
    text.clear();
    // This plan and no other, regardless of what has changed since.
    let request = RewindRequest {
        is_dry_run: false,
        with_diff: false,
        plan: Some(&plan.id),
        ..request
    };
    let reply = rewind(call.io(), &call.settings, request).await;
    let rewound = call.settle(reply).await?;
    Ok(page(rewound, text, arguments, call))
}

/// The answer, behind the plan unless it was shown before.
fn page(
    rewound: RewoundFiles,
    mut text: String,
    arguments: &Arguments,
    call: &CliCall,
) -> CliAnswer {
    let Some(plan) = &rewound.plan else {
        return CliAnswer::data(text, rewound);
    };
    let mut exit = Exit::Done;
    if let Some(error) = plan.refusal() {
        exit = Exit::from(error.code());
    } else if plan.is_nothing() {
        text.push_str("Nothing is to be taken back\n");
    } else if rewound.is_restored {
        let back = call.command("rewind --undo", None, "");
        let _ = writeln!(
            text,
            "Done; `{}` brings back what was there",
            visible(&back)
        );
    } else {
        let verb = match arguments.undo {
            true => format!("rewind --undo --plan {}", plan.id),
            false => format!("rewind --to {} --plan {}", rewound.id, plan.id),
        };
        let line = call.command(&verb, None, &arguments.words());
        let now = if arguments.dry_run { "" } else { "now " };
        let _ = writeln!(
            text,
            "Nothing was touched; `{}` {now}does this",
            visible(&line)
        );
    }
    CliAnswer::data(text, rewound).with_exit(exit)
}

fn of_rewound(rewound: &RewoundFiles, call: &CliCall) -> String {
    let mut text = String::new();
    if let Some(prompt) = &rewound.prompt {
        let _ = writeln!(text, "To before the prompt: {}", one_line(prompt));
    }
    if let Some(commits) = &rewound.commits {
        let _ = writeln!(
            text,
            "The commits {commits} stay; files change in the worktree alone"
        );
    }
    if let Some(plan) = &rewound.plan {
        text.push_str(&of_plan(plan, call));
        text.push_str(&of_left(plan));
    }
    let diffs = FileDiffs::of(&rewound.diff);
    for file in &diffs.files {
        let _ = writeln!(text, "\n{}", call.paint.heading(&visible(&file.path)));
        text.push_str(&file_diff::page(&file.lines, call.screen, call.paint));
    }
    for line in &diffs.left_out {
        let _ = writeln!(text, "\n{line}");
    }
    text
}

/// The sentence about what stays, with the option that takes it back as well.
fn of_left(plan: &PlanReport) -> String {
    match plan.left.is_empty() {
        true => String::new(),
        false => "  --lose PATH takes back what is left, too\n".to_owned(),
    }
}

fn of_list(listed: &[ListedPrompt], call: &CliCall, now: f64) -> String {
    if listed.is_empty() {
        return format!(
            "No prompts of this branch were kept; hooks keep the files before each where `agents.rewind` is true in {FILE}\n"
        );
    }
    let row = |one: &ListedPrompt| {
        let since = match (one.is_complete, one.created, one.changed, one.deleted) {
            (false, ..) => "incomplete".to_owned(),
            (_, Some(created), Some(changed), Some(deleted)) => {
                format!("+{created} ~{changed} -{deleted}")
            }
            _ => "other commit".to_owned(),
        };
        vec![
            one.number.to_string(),
            one.id.to_string(),
            made(one, call, now),
            one.agent.clone(),
            since,
            one_line(&one.prompt),
        ]
    };
    let rows: Vec<Vec<String>> = listed.iter().map(row).collect();
    call.screen.columns(&rows)
}

/// The time of a prompt: on a terminal as its age, and in a pipe in full.
fn made(one: &ListedPrompt, call: &CliCall, now: f64) -> String {
    match call.screen.is_terminal() {
        true => age(one.id.wall_ms(), now),
        false => one.created_at.clone(),
    }
}

fn one_line(text: &str) -> String {
    visible(text.lines().next().unwrap_or_default()).into_owned()
}

/// Shows the moments of prompts in a list of snapshots.
pub(super) async fn list(call: &CliCall, limit: Option<u64>) -> Result<CliAnswer, Error> {
    let reply = list_prompts(call.io(), &call.settings, limit).await;
    let listed = call.settle(reply).await?;
    let now = call.now().await?;
    Ok(CliAnswer::data(of_list(&listed, call, now), listed))
}
