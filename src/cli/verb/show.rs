//! `milepost show`

use std::fmt::Write;

use clap::Args;

use crate::checkpoint::command::agents::{branch, branch_name};
use crate::checkpoint::command::gate;
use crate::checkpoint::command::phases::Status;
use crate::checkpoint::command::progress::{phases, progress};
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::page::{done, gate_in_words, in_progress};
use crate::cli::revision_arg::RevisionArg;
use crate::cli::session;
use crate::cli::target_arg::TargetArg;
use crate::error::{Error, Target};
use crate::git::head::short;
use crate::json::{Json, Object};
use crate::operation::command::gate::gate_of;
use crate::operation::command::load::{Loaded, load, load_revision};
use crate::operation::command::lost;
use crate::operation::session::load::SnapshotSelector;
use crate::text::visible;

const HELP: &str = "\
Without COMMAND, once nothing is unfinished, it is the run that was updated last.

`milepost log` lists the revisions that are kept. A snapshot is named by its id, such as
chk-20250126-103000; `milepost snapshot list` lists those. It is shown with the difference of each file
that it keeps, the sides beside each other on a terminal of 100 columns.";

/// Print a run, or a snapshot by its id
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: TargetArg,
    #[command(flatten)]
    revision: RevisionArg,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let (io, settings) = (call.io(), &call.settings);
    let Arguments {
        mut target_arg,
        revision,
    } = arguments;
    if let Some(id) = session::named(&target_arg, revision.is_given())? {
        return session::show(call, SnapshotSelector::Id(id)).await;
    }
    let revision = revision.revision_of(&mut target_arg)?;
    let target = target_arg.look_up(call).await?.target;
    if let Some(revision) = revision {
        let reply = load_revision(io, settings, &target, revision).await;
        let loaded = call.settle(reply).await?;
        return page(&target, &loaded, call).await;
    }
    let reply = load(io, settings, &target).await;
    if let Some(loaded) = call.settle(reply).await? {
        return page(&target, &loaded, call).await;
    }
    let lost = lost(io, settings, &target).await;
    Err(lost.unwrap_or_else(|| {
        Error::not_found(format!(
            "There is no run of {}; `{}` lists the runs",
            target.title(),
            call.command("status", None, "")
        ))
    }))
}

/// The document may break its schema; what is there is shown.
async fn page(target: &Target, loaded: &Loaded, call: &CliCall) -> Result<CliAnswer, Error> {
    let now = call.now().await?;
    let document = &loaded.object;
    let state = object(document, "state");
    let screen = call.screen;
    let heading = call.paint.heading(&target.title());
    let mut page = RunOutput {
        text: screen.fold(&format!("{heading}, revision {}", loaded.revision)),
        call,
    };
    let head = string(Some(document), "head_commit").map(|commit| short(&commit).to_owned());
    page.field("branch", branch(document).map(branch_name));
    page.field("head", head);
    for (name, key) in [
        ("started", "started_at"),
        ("updated", "updated_at"),
        ("completed", "completed_at"),
    ] {
        let time = string(Some(document), key);
        page.field(name, time.map(|time| screen.time(Some(&time), now)));
    }
    let progress = progress(document);
    page.field("phase", in_progress(&progress));
    page.field("done", (progress.total() > 0).then(|| done(&progress)));
    page.field("task", string(state, "current_task"));
    if gate::is_recorded(document) {
        let reply = gate_of(call.io(), &call.settings, document).await;
        let verdict = call.settle(reply).await?;
        page.field("gate", Some(gate_in_words(&verdict)));
        for blocker in verdict.blockers {
            page.field("blocker", Some(blocker));
        }
    }
    if let Some(summary) = string(state, "context_summary") {
        let _ = write!(page.text, "\n{}", screen.lines(&summary, INDENT));
    }
    let entries = object(document, "phases").map(Object::index);
    for (name, status) in phases(document) {
        let entry = entries.as_ref().and_then(|entries| entries.get(name));
        page.phase(name, status, entry.and_then(|entry| entry.as_object()));
    }
    Ok(CliAnswer::with_document(page.text, &loaded.text))
}

/// Stands before what belongs to a heading.
const INDENT: &str = "  ";
/// The column at which field values begin.
const VALUE: usize = "  completed  ".len();

struct RunOutput<'a> {
    text: String,
    call: &'a CliCall,
}

impl RunOutput<'_> {
    fn phase(&mut self, name: &str, status: Status, phase: Option<&Object>) {
        let CliCall { paint, screen, .. } = *self.call;
        let written = string(phase, "status");
        let status = visible(written.as_deref().unwrap_or(status.as_str()));
        let status = match &*status {
            "complete" => paint.good(&status),
            "failed" => paint.bad(&status),
            _ => status.into_owned(),
        };
        let line = format!("{status}  {}", paint.heading(&visible(name)));
        let _ = write!(self.text, "\n{}", screen.fold_after(&line, INDENT.len()));
        if let Some(summary) = string(phase, "context_summary") {
            self.text.push_str(&screen.lines(&summary, INDENT));
        }
        if let Some(error) = string(phase, "error") {
            let error = format!("error: {error}");
            self.text.push_str(&screen.lines(&error, INDENT));
        }
        self.list(
            "created",
            phase.and_then(|phase| phase.get("files_created")),
        );
        self.list(
            "modified",
            phase.and_then(|phase| phase.get("files_modified")),
        );
    }

    fn field(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value {
            let line = format!("{INDENT}{name:9}  {}", visible(&value));
            let lines = self.call.screen.fold_after(&line, VALUE);
            self.text.push_str(&lines);
        }
    }

    fn list(&mut self, name: &str, items: Option<&Json>) {
        let items = items.and_then(Json::as_array).unwrap_or_default();
        for item in items.iter().filter_map(Json::as_str) {
            self.field(name, Some(item.to_owned()));
        }
    }
}

fn string(object: Option<&Object>, key: &str) -> Option<String> {
    object?.get(key)?.as_str().map(str::to_owned)
}

fn object<'a>(object: &'a Object, key: &str) -> Option<&'a Object> {
    object.get(key)?.as_object()
}
