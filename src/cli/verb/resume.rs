//! `milepost resume`

use std::fmt::Write;

use clap::Args;

use crate::agent::Agent;
use crate::checkpoint::command::agents::{branch, branch_name};
use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::page::NOTHING;
use crate::cli::which::{Which, find_latest, named, title};
use crate::error::{Error, Target, Warning, WarningCode};
use crate::json::Json;
use crate::operation::agent::latest_here::{LatestHere, Unfinished};
use crate::operation::agent::take::take;
use crate::operation::command::load::load;
use crate::operation::command::lost;
use crate::operation::command::resume_point::resume_point;
use crate::operation::command::since::since_run;
use crate::text::visible;

const HELP: &str = "\
Without COMMAND it is the unfinished run of the branch that is checked out; of several, and where none
belongs here, the one that was updated last, of those that have something to do if there is one. When there is nothing to resume, the exit code is 1. A checkpoint that cannot be
read is named in a warning, and is the failure where there is no other one.";

/// Print where to carry on: the phase to do, and the summary of the last completed one
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Which,
    /// Take the run over from the sessions that work on it, to the branch that is checked out: they are
    /// told, and write to runs of their own from then on
    #[arg(long)]
    take: bool,
}

/// The variable in which Claude Code tells its shell commands the session.
const SESSION: &str = "CLAUDE_CODE_SESSION_ID";

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let Which { command, feature } = arguments.which;
    if arguments.take {
        let chosen = Which {
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
        return match find_latest(call).await? {
            Some(latest) => {
                let since = since(call, &latest.run.target).await?;
                Ok(page(&latest, latest.clone(), since, call))
            }
            None => {
                let sentence = "Nothing to resume: there is no unfinished checkpoint";
                Err(Error::not_found(call.nothing(sentence).await))
            }
        };
    };
    let target = named(call, command, feature).await?;
    of_target(call, target).await
}

/// The resume point of one run.
async fn of_target(call: &Call, target: Target) -> Result<Answer, Error> {
    let mut reply = resume_point(call.io(), &call.settings, &target).await;
    let vanished = reply.take_warning(WarningCode::Vanished);
    let point = call.settle(reply).await?;
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
    if point.is_empty() {
        // Somebody may have removed it, or given it another name.
        if let Ok(None) = load(call.io(), &call.settings, &target).await.result
            && let Some(error) = lost(call.io(), &call.settings, &target).await
        {
            return Err(error);
        }
        return Err(Error::not_found(format!(
            "Nothing to resume: {} is complete, empty, or was never saved",
            target.title()
        )));
    }
    // Its warnings are those of the resume point.
    let loaded = load(call.io(), &call.settings, &target).await.result;
    let loaded = loaded.unwrap_or_default();
    let branch = loaded.and_then(|loaded| branch(&loaded.object).map(str::to_owned));
    let latest = LatestHere {
        run: Unfinished {
            target,
            branch,
            is_elsewhere: false,
        },
        point,
        others: Vec::new(),
    };
    let mut json = Json::from(latest.clone());
    // Nobody has looked for others.
    json.as_object_mut().map(|members| members.remove("others"));
    let since = since(call, &latest.run.target).await?;
    Ok(page(&latest, json, since, call))
}

/// How far HEAD has gone since the run was recorded.
async fn since(call: &Call, target: &Target) -> Result<Option<String>, Error> {
    let reply = since_run(call.io(), &call.settings, target).await;
    call.settle(reply).await
}

/// Where the values of fields begin.
const INDENT: usize = "command  ".len();

/// A resume point that holds something.
fn page(latest: &LatestHere, json: impl Into<Json>, since: Option<String>, call: &Call) -> Answer {
    let mut json = json.into();
    if let (Some(members), Some(since)) = (json.as_object_mut(), &since) {
        members.set("since_recorded", since.as_str());
    }
    let LatestHere { run, point, others } = latest;
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
    if !point.alongside.is_empty() {
        field("also", &visible(&point.alongside.join(", ")));
    }
    if let Some(since) = &since {
        field("stale", since);
    }
    if let Some(summary) = &point.summary {
        let _ = write!(text, "\n{}", call.screen.lines(summary, ""));
    }
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(title).collect();
        let others = format!("Also unfinished: {}", others.join(", "));
        let _ = write!(text, "\n{}", call.screen.fold(&others));
    }
    Answer::data(text, json)
}
