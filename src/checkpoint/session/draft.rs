//! The content of a new snapshot: the fields that its maker gives, and the rest from the
//! work.

use super::compress::{SummaryOmissions, compress};
use super::reason::SnapshotReason;
use super::resume::NOTHING_LEFT;
use crate::json::{Json, Object};

/// The facts that a run has about the work, handed over as plain data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunContext<'a> {
    /// Its command.
    pub command: &'a str,
    /// Its feature.
    pub feature: Option<&'a str>,
    /// Its revision.
    pub revision: u64,
    /// Its completed phases, in the order of completion.
    pub completed: Vec<Completed<'a>>,
    /// The phases that are left, the one to carry on with first.
    pub remaining: Vec<&'a str>,
    /// True if the first of those is in progress, or has failed and is retried.
    pub is_under_way: bool,
    /// The number of phases left out on purpose.
    pub skipped: u64,
    /// The summary of the phase to carry on with, then that of the last completed one.
    pub summary: Option<&'a str>,
    /// The files that its phases created.
    pub created: Vec<&'a str>,
    /// The files that its phases changed.
    pub modified: Vec<&'a str>,
}

/// A completed phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completed<'a> {
    /// Its name.
    pub name: &'a str,
    /// The evidence that it succeeded.
    pub evidence: Option<&'a str>,
}

/// The request for a snapshot.
#[derive(Clone, Debug)]
pub struct SnapshotRequest<'a> {
    /// The occasion.
    pub reason: SnapshotReason,
    /// The message of its maker.
    pub message: Option<&'a str>,
    /// The run that it is made of, where there is one.
    pub work: Option<&'a RunContext<'a>>,
    /// Fields of the document that its maker gives.
    pub given: Object,
    /// The most words of the context summary, where the maker gives none.
    pub summary_words: u64,
}

/// A document that [`super::document::write`] checks and writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotDraft {
    /// The document without its id and its time.
    pub document: Object,
    /// The parts of the context that are not in its summary; nothing where the maker gave the
    /// summary.
    pub left_out: SummaryOmissions,
}

/// Fills in what the maker left out.
///
/// A field that is given stays as it is, of any kind: it is checked where the document is written.
/// `reason`, and `message` where there is one, are those of the request, and `checkpoint` is that
/// of the work. Left out, a field is filled so:
///
/// - `task.id`: `COMMAND` or `COMMAND-FEATURE`, null without work.
/// - `progress`: that of the work, where nothing of it is given; two views of the phases are not mixed. Of
///   what is given in part, the numbers follow from its lists.
/// - `decisions`: empty. `files.created`, `files.modified`: those of the work, each path once.
/// - `context_summary`: the [compressed](compress) context, with the work's own summary in it.
/// - `resume.can_resume`: whether a phase remains; without any phase known, true.
///   `resume.instructions`: to carry on with that phase.
pub fn draft(request: SnapshotRequest<'_>) -> SnapshotDraft {
    let SnapshotRequest {
        reason,
        message,
        work,
        given: mut document,
        summary_words,
    } = request;
    document.set("reason", reason.as_str());
    if let Some(message) = message {
        document.set("message", message);
    }
    fill_task(&mut document, work);
    fill_progress(&mut document, work);
    fill(&mut document, "decisions", || Json::Array(Vec::new()));
    if let Some(files) = part(&mut document, "files") {
        fill(files, "created", || paths(work.map(|work| &work.created)));
        fill(files, "modified", || paths(work.map(|work| &work.modified)));
    }
    let mut left_out = SummaryOmissions::default();
    if document.get("context_summary").is_none() {
        let known = work.and_then(|work| work.summary);
        let compressed = compress(&document, known, summary_words);
        document.set("context_summary", compressed.text);
        left_out = compressed.left_out;
    }
    fill_resume(&mut document);
    match work {
        Some(work) => document.set("checkpoint", reference(work)),
        None => drop(document.remove("checkpoint")),
    }
    SnapshotDraft { document, left_out }
}

fn fill_task(document: &mut Object, work: Option<&RunContext<'_>>) {
    if let Some(task) = part(document, "task") {
        fill(task, "id", || match work {
            Some(RunContext {
                command,
                feature: Some(feature),
                ..
            }) => format!("{command}-{feature}").into(),
            Some(work) => work.command.into(),
            None => Json::Null,
        });
    }
}

fn fill_progress(document: &mut Object, work: Option<&RunContext<'_>>) {
    let work = match document.get("progress") {
        None => work,
        Some(_) => None,
    };
    let Some(progress) = part(document, "progress") else {
        return;
    };
    if let Some(work) = work {
        let completed = work.completed.iter().zip(1_u64..).map(|(phase, number)| {
            let entry = Object::new().with("phase", number).with("name", phase.name);
            match phase.evidence {
                Some(evidence) => entry.with("evidence", evidence),
                None => entry,
            }
        });
        progress.set("completed", completed.collect::<Vec<_>>());
        progress.set("remaining", work.remaining.clone());
    }
    fill(progress, "completed", || Json::Array(Vec::new()));
    let [completed, remaining] = ["completed", "remaining"].map(|key| length(progress, key));
    let is_under_way = work.is_some_and(|work| work.is_under_way && remaining > 0);
    let skipped = work.map_or(0, |work| work.skipped);
    fill(progress, "current_phase", || {
        (completed + u64::from(is_under_way)).into()
    });
    fill(progress, "total_phases", || {
        (completed + remaining + skipped).into()
    });
}

fn fill_resume(document: &mut Object) {
    let progress = document.get("progress").and_then(Json::as_object);
    let field = |key| progress.and_then(|progress| progress.get(key));
    let completed = progress.map_or(0, |progress| length(progress, "completed"));
    let total = field("total_phases")
        .and_then(Json::as_u64)
        .unwrap_or_default();
    let remaining = field("remaining").and_then(Json::as_array);
    let can_resume = match remaining {
        Some(names) => !names.is_empty(),
        None => total == 0 || total > completed,
    };
    let next = remaining.and_then(|names| names.first()?.as_str());
    let instructions = match next {
        Some(name) => Some(format!("Continue with phase {}: {name}", completed + 1)),
        None if !can_resume => Some(NOTHING_LEFT.to_owned()),
        None => None,
    };
    if let Some(resume) = part(document, "resume") {
        fill(resume, "can_resume", || can_resume.into());
        if let Some(instructions) = instructions {
            fill(resume, "instructions", || instructions.into());
        }
    }
}

fn reference(work: &RunContext<'_>) -> Object {
    Object::new()
        .with("command", work.command)
        .with("feature", work.feature)
        .with("revision", work.revision)
}

/// Returns the object of this key, made if missing; `None` where something else stands there.
fn part<'a>(document: &'a mut Object, key: &str) -> Option<&'a mut Object> {
    fill(document, key, || Object::new().into());
    document.get_mut(key)?.as_object_mut()
}

fn fill(object: &mut Object, key: &str, value: impl FnOnce() -> Json) {
    if object.get(key).is_none() {
        object.set(key, value());
    }
}

fn length(object: &Object, key: &str) -> u64 {
    let list = object.get(key).and_then(Json::as_array);
    list.unwrap_or_default().len() as u64
}

/// Paths, each once.
fn paths(paths: Option<&Vec<&str>>) -> Json {
    let paths = paths.into_iter().flatten();
    let once: Object = paths.map(|path| (*path, Json::Null)).collect();
    Json::Array(once.into_iter().map(|(path, _)| path.into()).collect())
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
