//! `milepost show`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::page::{Paint, lines, title};
use crate::cli::which::Which;
use crate::error::{Error, Target};
use crate::git::head::short;
use crate::json::{Json, Object};
use crate::operation::command::load::{Loaded, load, load_revision};
use crate::operation::command::lost;
use crate::text::visible;

const HELP: &str = "\
`milepost log` lists the revisions that are kept.";

/// Print one checkpoint
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Which,
    /// As it was at this revision
    #[arg(long, value_name = "N")]
    revision: Option<u64>,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let (io, settings) = (call.io(), &call.settings);
    let target = arguments.which.into();
    if let Some(revision) = arguments.revision {
        let reply = load_revision(io, settings, &target, revision).await;
        let loaded = call.settle(reply).await?;
        return Ok(page(&target, &loaded, call.paint));
    }
    let reply = load(io, settings, &target).await;
    if let Some(loaded) = call.settle(reply).await? {
        return Ok(page(&target, &loaded, call.paint));
    }
    let lost = lost(io, settings, &target).await;
    Err(lost.unwrap_or_else(|| {
        Error::not_found(format!(
            "There is no checkpoint of {}; `milepost status` lists them",
            title(&target)
        ))
    }))
}

/// The document may break its schema; what is there is shown.
fn page(target: &Target, loaded: &Loaded, paint: Paint) -> Answer {
    let document = &loaded.object;
    let state = object(document, "state");
    let mut text = format!(
        "{}, revision {}\n",
        paint.heading(&title(target)),
        loaded.revision
    );
    let head = string(Some(document), "head_commit").map(|commit| short(&commit).to_owned());
    field(&mut text, "head", head);
    field(&mut text, "started", string(Some(document), "started_at"));
    field(&mut text, "updated", string(Some(document), "updated_at"));
    field(
        &mut text,
        "completed",
        string(Some(document), "completed_at"),
    );
    field(&mut text, "phase", string(state, "current_phase"));
    field(&mut text, "task", string(state, "current_task"));
    if let Some(gate) = object(document, "gate") {
        let allowed = gate.get("ship_allowed").and_then(Json::as_bool);
        let word = if allowed == Some(true) {
            "allows shipping"
        } else {
            "forbids shipping"
        };
        field(&mut text, "gate", Some(word.to_owned()));
        list(&mut text, "blocker", gate.get("blockers"));
    }
    if let Some(summary) = string(state, "context_summary") {
        let _ = write!(text, "\n{}", lines(&summary, "  "));
    }
    for (name, phase) in object(document, "phases")
        .into_iter()
        .flat_map(Object::iter)
    {
        self::phase(&mut text, name, phase.as_object(), paint);
    }
    for name in unstarted(document) {
        let _ = writeln!(text, "\npending  {}", visible(name));
    }
    Answer::with_document(text, &loaded.text)
}

fn phase(text: &mut String, name: &str, phase: Option<&Object>, paint: Paint) {
    let status = string(phase, "status").unwrap_or_default();
    let status = visible(&status);
    let status = match &*status {
        "complete" => paint.good(&status),
        "failed" => paint.bad(&status),
        _ => status.into_owned(),
    };
    let _ = writeln!(text, "\n{status}  {}", paint.heading(&visible(name)));
    let Some(phase) = phase else { return };
    if let Some(summary) = string(Some(phase), "context_summary") {
        text.push_str(&lines(&summary, "  "));
    }
    if let Some(error) = string(Some(phase), "error") {
        text.push_str(&lines(&format!("error: {error}"), "  "));
    }
    list(text, "created", phase.get("files_created"));
    list(text, "modified", phase.get("files_modified"));
}

/// Phases that are only announced: pending, and without an entry of their own.
fn unstarted(document: &Object) -> impl Iterator<Item = &str> {
    let phases = object(document, "phases");
    object(document, "state")
        .and_then(|state| state.get("pending_phases"))
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .filter_map(Json::as_str)
        .filter(move |name| phases.is_none_or(|phases| phases.get(name).is_none()))
}

fn field(text: &mut String, name: &str, value: Option<String>) {
    if let Some(value) = value {
        let _ = writeln!(text, "  {name:9}  {}", visible(&value));
    }
}

fn list(text: &mut String, name: &str, items: Option<&Json>) {
    let items = items.and_then(Json::as_array).unwrap_or_default();
    for item in items.iter().filter_map(Json::as_str) {
        field(text, name, Some(item.to_owned()));
    }
}

fn string(object: Option<&Object>, key: &str) -> Option<String> {
    object?.get(key)?.as_str().map(str::to_owned)
}

fn object<'a>(object: &'a Object, key: &str) -> Option<&'a Object> {
    object.get(key)?.as_object()
}
