//! `milepost` alone: the state of the work, and what to type next.

use std::fmt::Write;

use crate::error::{Error, Target};
use crate::json::{Json, Object};
use crate::operation::agent::latest_here::{LatestHere, latest_here};
use crate::operation::command::list::{ListedRun, list};
use crate::operation::hooks::agents_present::agents_present;
use crate::operation::project::init::is_initialized;
use crate::store::Storage;
use crate::text::{shell_word, visible};

use super::answer::CliAnswer;
use super::call::CliCall;
use super::others::{Count, others, words};
use super::page::{ANY_NAME, ANY_TEXT};
use super::verb::status;

/// For who runs this in a project without anything.
const FIRST: &str = "\
Milepost keeps the state of a coding agent's work, so that the next process
carries on: in .claude/state, which `init` makes and has git ignore. Nothing is
written before that, or before you record something.

";

/// The number of unfinished runs that are named here; `status` names all of them.
const MOST: u64 = 10;

pub(super) async fn run(call: &CliCall) -> Result<CliAnswer, Error> {
    let all = call.settle(list(call.io(), &call.settings).await).await?;
    let reply = latest_here(call.io(), &call.settings).await;
    // A run that cannot be read is in the list, with the reason.
    let latest = match reply.result {
        Ok(latest) => {
            call.warn_all(&reply.warnings).await;
            latest.filter(|latest| !latest.run.is_elsewhere)
        }
        Err(_) => None,
    };
    let (is_first, next) = match (&latest, all.is_empty()) {
        (None, true) => beginning(call).await,
        _ => (false, next(call, &all, latest.as_ref()).to_vec()),
    };
    let others = others(call).await;
    let now = call.now().await?;
    let count = all.len();
    let unfinished: Vec<ListedRun> = all.into_iter().filter(status::is_unfinished).collect();
    let total = unfinished.len();
    let shown = status::limited(unfinished, MOST);

    let mut text = String::from(if is_first { FIRST } else { "" });
    match (count, shown.is_empty()) {
        (0, _) => text.push_str("No runs here yet\n"),
        (_, true) => text.push_str("Nothing is unfinished\n"),
        (_, false) => text.push_str(&status::table(&shown, call, now)),
    }
    if total > shown.len() {
        let _ = writeln!(text, "and {} more", total - shown.len());
    }
    text.push_str(&words(&others));
    text.push_str("\nNext:\n");
    for command in &next {
        // Not folded, so that it can be copied.
        let _ = writeln!(text, "  {}", visible(command));
    }
    let checkpoints: Vec<Json> = shown.into_iter().map(Json::from).collect();
    let mut json = Object::new()
        .with("checkpoints", checkpoints)
        .with("next", next);
    for Count {
        noun,
        count,
        has_more,
    } in others
    {
        let counted = Object::new().with("count", count).with("more", has_more);
        json.set(&format!("{noun}s"), counted);
    }
    Ok(CliAnswer::data(text, json))
}

/// The commands for a project without runs, but for what was done already, and whether nothing was.
async fn beginning(call: &CliCall) -> (bool, Vec<String>) {
    let has_files = call.settings.storage == Storage::Files;
    let is_first = has_files && !is_initialized(call.io(), &call.settings).await;
    let first = if !has_files {
        Some(call.command("status --all", None, ""))
    } else if is_first {
        Some(call.command("init", None, ""))
    } else {
        let agents = agents_present(call.io(), &call.settings, &call.user).await;
        let agents = agents.result.unwrap_or_default();
        let names: Vec<&str> = agents.iter().map(|agent| agent.name()).collect();
        let words = format!("install {}", names.join(" "));
        (!names.is_empty()).then(|| call.command("hooks", None, &words))
    };
    let commands = first.into_iter().chain([begin(call), help(call)]);
    (is_first, commands.collect())
}

/// The command that begins a run.
fn begin(call: &CliCall) -> String {
    let target = Target {
        command: "implement".to_owned(),
        feature: None,
    };
    call.command("phase", Some(&target), &format!("{ANY_NAME} in_progress"))
}

fn help(call: &CliCall) -> String {
    format!("{} --help", call.program().words())
}

/// The commands that fit the state of what is there.
fn next(call: &CliCall, all: &[ListedRun], latest: Option<&LatestHere>) -> [String; 3] {
    let command = |verb: &str| call.command(verb, None, "");
    let has_files = call.settings.storage == Storage::Files;
    let Some(LatestHere { run, point, .. }) = latest else {
        if let Some(lost) = all.iter().find(|one| one.is_deleted) {
            let recover = call.command("recover", Some(&lost.target), "");
            return [recover, command("status"), help(call)];
        }
        return match has_files && all.iter().any(|one| one.problem.is_some()) {
            true => [command("doctor"), command("status"), help(call)],
            false => [command("status --all"), begin(call), help(call)],
        };
    };
    let target = &run.target;
    let is_in_progress = |one: &&ListedRun| one.target == *target && one.progress.in_progress > 0;
    let step = match &point.phase {
        None => call.command("complete", Some(target), ""),
        Some(phase) => {
            let status = match all.iter().find(is_in_progress) {
                Some(_) => format!("complete --summary {ANY_TEXT}"),
                None => "in_progress".to_owned(),
            };
            let words = format!("{} {status}", shell_word(phase));
            call.command("phase", Some(target), &words)
        }
    };
    let show = call.command("show", Some(target), "");
    [command("resume"), show, step]
}
