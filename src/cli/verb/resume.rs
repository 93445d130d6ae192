//! `milepost resume`

use std::fmt::Write;

use clap::Args;

use crate::agent::Agent;
use crate::checkpoint::command::agents::branch_name;
use crate::checkpoint::command::progress::{IdleReason, idle_reason};
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::page::{ANY_NAME, NOTHING};
use crate::cli::target_arg::{TargetArg, named, title};
use crate::error::{Error, Target, Warning, WarningCode};
use crate::operation::agent::latest_here::LatestHere;
use crate::operation::agent::resume_here::{ResumeHere, resume_here};
use crate::operation::agent::take::take;
use crate::operation::command::load::load;
use crate::operation::command::lost;
use crate::text::visible;

const HELP: &str = "\
The phase is printed with its status, files and error, and its own summary behind `so far:`; the summary
of the last completed phase follows. The other pending phases and the other unfinished runs are named as
well.

Without COMMAND it is the unfinished run of the current branch. Of several, and where none belongs to
that branch, it is the one that was updated last; runs with something to do come first. When there is
nothing to resume, the exit code is 1. A run that cannot be read is named in a warning, and is the
failure where there is no other one.";

/// At most so many files or phases are named in a line; `--json` has all of them.
const MOST: usize = 10;

/// Print where to carry on, with the summary before it
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: TargetArg,
    /// Take the run over from the sessions that work on it, to the branch that is checked out: they get a
    /// notice, and write to other runs from then on
    #[arg(long)]
    take: bool,
}

/// The variable in which Claude Code gives its shell commands the id of the session.
const SESSION: &str = "CLAUDE_CODE_SESSION_ID";

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let TargetArg { command, feature } = arguments.target_arg;
    if arguments.take {
        let chosen = TargetArg {
            command: command.clone(),
            feature: feature.clone(),
        };
        let target = chosen.target(call).await?;
        let session = call.user.variable(SESSION);
        let session = session.map(|id| (Agent::ClaudeCode, id));
        let reply = take(call.io(), &call.settings, &target, session).await;
        call.settle(reply).await?;
        return of_target(call, target).await;
    }
    let Some(command) = command else {
        let reply = resume_here(call.io(), &call.settings, None).await;
        return match call.settle(reply).await? {
            Some(resume) => Ok(page(resume, call)),
            None => {
                let sentence = "Nothing to resume: there is no unfinished run";
                Err(Error::not_found(call.nothing(sentence).await))
            }
        };
    };
    let target = named(call, command, feature).await?;
    of_target(call, target).await
}

/// The resume point of one run.
async fn of_target(call: &CliCall, target: Target) -> Result<CliAnswer, Error> {
    let mut reply = resume_here(call.io(), &call.settings, Some(&target)).await;
    let vanished = reply.take_warning(WarningCode::Vanished);
    let resume = call.settle(reply).await?;
    if let Some(Warning {
        message, advice, ..
    }) = vanished
    {
        let error = Error::not_found(message);
        return Err(match advice {
            Some(advice) => error.with_advice(advice),
            None => error,
        });
    }
    if let Some(resume) = resume.filter(|it| !it.latest.point.is_empty()) {
        return Ok(page(resume, call));
    }
    Err(nothing(call, &target).await)
}

/// The failure where a run has nothing to resume, with the reason.
async fn nothing(call: &CliCall, target: &Target) -> Error {
    let loaded = load(call.io(), &call.settings, target).await.result;
    // It may have been removed or renamed.
    if let Ok(None) = &loaded
        && let Some(error) = lost(call.io(), &call.settings, target).await
    {
        return error;
    }
    let title = target.title();
    let reason = match loaded {
        Err(error) => return error,
        Ok(None) => {
            let status = call.command("status", None, "");
            format!("there is no run of {title}; `{status}` lists the runs")
        }
        Ok(Some(loaded)) => match idle_reason(&loaded.object) {
            Some(IdleReason::Complete) => format!("{title} is complete"),
            Some(IdleReason::AllDone) => {
                let complete = call.command("complete", Some(target), "");
                format!("every phase of {title} is done; `{complete}` completes it")
            }
            // A phase that has just begun is found by the next call.
            Some(IdleReason::Empty) | None => {
                let words = format!("{ANY_NAME} in_progress");
                let phase = call.command("phase", Some(target), &words);
                format!("{title} has no phase to carry on with; `{phase}` begins one")
            }
        },
    };
    Error::not_found(format!("Nothing to resume: {reason}"))
}

/// The column at which field values begin.
const INDENT: usize = "command  ".len();

/// A resume point that holds something.
fn page(resume: ResumeHere, call: &CliCall) -> CliAnswer {
    let LatestHere { run, point, others } = &resume.latest;
    let facts = &resume.facts;
    let target = &run.target;
    let mut text = String::new();
    let mut field = |name: &str, value: &str| {
        let line = format!("{name:7}  {value}");
        text.push_str(&call.screen.fold_after(&line, INDENT));
    };
    field("command", &visible(&target.command));
    if let Some(feature) = &target.feature {
        field("feature", &visible(feature));
    }
    if let Some(branch) = &run.branch {
        let note = match run.is_elsewhere {
            true => " (not checked out here)",
            false => "",
        };
        field("branch", &format!("{}{note}", branch_name(branch)));
    }
    let phase = point.phase.as_deref().unwrap_or(NOTHING);
    field("phase", &call.paint.heading(&visible(phase)));
    if let Some(status) = &facts.status {
        let status = visible(status);
        match &*status {
            "failed" => field("status", &call.paint.bad(&status)),
            _ => field("status", &status),
        }
    }
    let files = [&facts.files_created[..], &facts.files_modified[..]].concat();
    for (name, names) in [
        ("files", &files),
        ("also", &point.alongside),
        ("pending", &facts.pending),
    ] {
        if !names.is_empty() {
            field(name, &few(names));
        }
    }
    if let Some(since) = &facts.since_recorded {
        field("stale", since);
    }
    if let Some(error) = &facts.error {
        let error = format!("error: {error}");
        let _ = write!(text, "\n{}", call.screen.lines(&error, ""));
    }
    if let Some(summary) = &point.phase_summary {
        let summary = format!("so far: {summary}");
        let _ = write!(text, "\n{}", call.screen.lines(&summary, ""));
    }
    if let Some(summary) = &point.summary {
        let _ = write!(text, "\n{}", call.screen.lines(summary, ""));
    }
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(title).collect();
        let others = format!("Also unfinished: {}", others.join(", "));
        let _ = write!(text, "\n{}", call.screen.fold(&others));
    }
    CliAnswer::data(text, resume)
}

/// The first of these names, and how many more there are.
fn few(names: &[String]) -> String {
    let named: Vec<_> = names.iter().take(MOST).map(|name| visible(name)).collect();
    let named = named.join(", ");
    match names.len().saturating_sub(MOST) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
