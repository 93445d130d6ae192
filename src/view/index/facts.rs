//! The facts that a page knows of one checkpoint without its document.

use crate::blocking::operation::command::listed_state::ListedState;
use crate::blocking::store::{Document, Origin};
use crate::checkpoint::command::agents;
use crate::checkpoint::command::document::{check_version, is_completed};
use crate::checkpoint::command::phases;
use crate::checkpoint::command::progress::{self, Progress};
use crate::checkpoint::command::resume::{has_work, last_summary};
use crate::error::{Code, Error, Target};
use crate::json::{Json, Object};
use crate::text::visible;
use crate::time;
use crate::view::problem::RunProblem;

use super::badge::{Badge, Badges};
use super::lower::push_lower;

/// The part of the last summary, or of an error, that stands in a row.
const SUMMARY_CHARACTERS: usize = 200;

/// The beginning of the mark that takes the place of a secret.
const REDACTED: &str = "[REDACTED:";

/// One word for how a run stands, the one that needs attention most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::view) enum RunStatus {
    /// It cannot be read.
    Corrupt,
    /// A phase has failed, and is to be retried.
    Failed,
    InProgress,
    /// There is something to do, and no phase is in progress.
    Pending,
    /// Nothing is to be done, and the run is not complete.
    Idle,
    Complete,
}

impl RunStatus {
    pub(in crate::view) const ALL: [RunStatus; 6] = [
        RunStatus::Corrupt,
        RunStatus::Failed,
        RunStatus::InProgress,
        RunStatus::Pending,
        RunStatus::Idle,
        RunStatus::Complete,
    ];

    pub(in crate::view) fn as_str(self) -> &'static str {
        match self {
            RunStatus::Corrupt => "corrupt",
            RunStatus::Failed => "failed",
            RunStatus::InProgress => "in_progress",
            RunStatus::Pending => "pending",
            RunStatus::Idle => "idle",
            RunStatus::Complete => "complete",
        }
    }
}

/// One checkpoint.
#[derive(Clone, Debug)]
pub(in crate::view) struct IndexedRun {
    pub(in crate::view) target: Target,
    pub(in crate::view) status: RunStatus,
    pub(in crate::view) phases: Vec<(String, phases::Status)>,
    pub(in crate::view) progress: Progress,
    /// True where there is something to do.
    pub(in crate::view) has_work: bool,
    pub(in crate::view) updated_at: Option<String>,
    pub(in crate::view) updated_ms: Option<u64>,
    pub(in crate::view) completed_at: Option<String>,
    pub(in crate::view) revision: u64,
    pub(in crate::view) problem: Option<RunProblem>,
    /// The beginning of the last summary.
    pub(in crate::view) summary: String,
    /// The beginning of the error of a phase that has failed, after the name of the phase.
    pub(in crate::view) error: Option<String>,
    /// The branch that hooks recorded, in words.
    pub(in crate::view) branch: Option<String>,
    /// The distance of HEAD from the commit at which it was recorded, in words, where the source states it.
    pub(in crate::view) since_recorded: Option<String>,
    /// The commit that it was saved at.
    pub(super) head: Option<String>,
    /// The warnings that follow from itself alone.
    pub(super) own: Badges,
    /// All its warnings.
    pub(in crate::view) badges: Badges,
    /// All that it says, in small letters: a line for each text.
    pub(super) text: String,
    /// The files that it names, in the same form.
    pub(super) files: String,
}

impl IndexedRun {
    /// The facts of what is stored under a stem; `None` where that is no checkpoint. `bytes` are those of
    /// its file.
    pub(super) fn of<'a>(
        listed: ListedState,
        has_file: bool,
        bytes: impl FnOnce() -> &'a [u8],
    ) -> Option<Self> {
        match listed {
            ListedState::Checkpoint(target, document) => {
                Some(IndexedRun::of_document(target, &document))
            }
            ListedState::Broken(target, error) => {
                Some(IndexedRun::of_broken(target, &error, has_file, bytes()))
            }
            ListedState::Moving(_) | ListedState::Removed(_) | ListedState::Nothing => None,
        }
    }

    fn of_document(target: Target, document: &Document) -> Self {
        let object = &document.object;
        let phases = progress::phases(object);
        let progress = progress::counted(object, &phases);
        let text = |key: &str| object.get(key).and_then(Json::as_str);
        let own = Badges::default()
            .with(Badge::EditedByHand, document.origin == Origin::Edited)
            .with(Badge::UnsupportedVersion, check_version(object).is_err());
        let status = status(object, &progress);
        let error = match status {
            RunStatus::Failed => error(object, &progress, &phases),
            _ => None,
        };
        let mut facts = IndexedRun {
            status,
            has_work: has_work(object),
            phases: phases.into_iter().map(shown_phase).collect(),
            updated_at: text("updated_at").map(shown),
            updated_ms: text("updated_at").and_then(milliseconds),
            completed_at: text("completed_at").map(shown),
            revision: document.stamp.revision,
            summary: summary(object).map(beginning).unwrap_or_default(),
            error,
            branch: agents::branch(object).map(agents::branch_name),
            head: text("head_commit").map(str::to_owned),
            progress: Progress {
                current_phase: progress.current_phase.as_deref().map(shown),
                ..progress
            },
            ..IndexedRun::empty(target)
        };
        facts.text.reserve(document.bytes.len());
        let is_redacted = facts.note(object);
        facts.own = own.with(Badge::Redacted, is_redacted);
        facts
    }

    fn of_broken(target: Target, error: &Error, has_file: bool, bytes: &[u8]) -> Self {
        let code = error.code();
        let own = Badges::default()
            .with(Badge::Corrupt, code == Code::Corrupt)
            .with(Badge::Conflict, code == Code::Corrupt && has_marks(bytes))
            .with(Badge::TooLarge, code == Code::TooLarge)
            .with(Badge::UnsafePath, code == Code::UnsafePath)
            .with(Badge::Vanished, !has_file && code == Code::NotFound);
        let message = shown(&error.to_string());
        let mut facts = IndexedRun {
            own,
            ..IndexedRun::empty(target)
        };
        push_line(&mut facts.text, &message);
        facts.problem = Some(RunProblem {
            code: code.as_str(),
            message,
        });
        facts
    }

    fn empty(target: Target) -> Self {
        let mut text = String::new();
        push_line(&mut text, &target.title());
        IndexedRun {
            target,
            status: RunStatus::Corrupt,
            phases: Vec::new(),
            progress: Progress::default(),
            has_work: false,
            updated_at: None,
            updated_ms: None,
            completed_at: None,
            revision: 0,
            problem: None,
            summary: String::new(),
            error: None,
            branch: None,
            since_recorded: None,
            head: None,
            own: Badges::default(),
            badges: Badges::default(),
            text,
            files: String::new(),
        }
    }

    /// Notes every text of a document but its seal, the names of its phases, and its files; whether something was
    /// taken out of a text.
    fn note(&mut self, object: &Object) -> bool {
        let mut is_redacted = false;
        for (key, value) in object.iter() {
            match (key, value) {
                ("seal", _) => {}
                ("phases", Json::Object(phases)) => {
                    for (name, phase) in phases.iter() {
                        push_line(&mut self.text, name);
                        is_redacted |= self.note_value(phase);
                        self.note_files(phase);
                    }
                }
                (_, value) => is_redacted |= self.note_value(value),
            }
        }
        is_redacted
    }

    fn note_value(&mut self, value: &Json) -> bool {
        match value {
            Json::String(text) => {
                push_line(&mut self.text, text);
                text.contains(REDACTED)
            }
            Json::Array(items) => items
                .iter()
                .fold(false, |is, item| self.note_value(item) | is),
            Json::Object(object) => {
                let members = object.iter();
                members.fold(false, |is, (_, value)| self.note_value(value) | is)
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => false,
        }
    }

    fn note_files(&mut self, phase: &Json) {
        let phase = phase.as_object();
        for list in ["files_created", "files_modified"] {
            let files = phase.and_then(|phase| phase.get(list)?.as_array());
            for file in files.unwrap_or_default() {
                push_line(&mut self.files, file.as_str().unwrap_or_default());
            }
        }
    }
}

/// The status of a run that can be read.
pub(in crate::view) fn status(object: &Object, progress: &Progress) -> RunStatus {
    match progress {
        _ if is_completed(object) => RunStatus::Complete,
        Progress { failed: 1.., .. } => RunStatus::Failed,
        Progress {
            in_progress: 1.., ..
        } => RunStatus::InProgress,
        // A plan is work before it has phases.
        _ if has_work(object) => RunStatus::Pending,
        _ => RunStatus::Idle,
    }
}

fn shown_phase((name, status): (&str, phases::Status)) -> (String, phases::Status) {
    (shown(name), status)
}

/// The latest summary of the run: its last completed phase, or the run as a whole.
fn summary(object: &Object) -> Option<&str> {
    let of_run = || {
        object
            .get("state")?
            .as_object()?
            .get("context_summary")?
            .as_str()
    };
    last_summary(object).or_else(of_run)
}

/// The error of the phase to resume, if that has failed; else that of the first failed phase that says one.
fn error(
    object: &Object,
    progress: &Progress,
    phases: &[(&str, phases::Status)],
) -> Option<String> {
    let entries = object.get("phases")?.as_object()?.index();
    let current = progress.current_phase.as_deref();
    let failed = phases
        .iter()
        .filter(|(_, status)| *status == phases::Status::Failed);
    let (first, others): (Vec<&str>, Vec<&str>) = failed
        .map(|(name, _)| *name)
        .partition(|name| Some(*name) == current);
    first.into_iter().chain(others).find_map(|name| {
        let error = entries.get(name)?.as_object()?.get("error")?.as_str()?;
        (!error.is_empty()).then(|| beginning(&format!("{name}: {error}")))
    })
}

fn beginning(text: &str) -> String {
    let end = text.char_indices().nth(SUMMARY_CHARACTERS);
    let beginning = &text[..end.map_or(text.len(), |(end, _)| end)];
    // It stands in one line.
    let words: Vec<&str> = beginning.split_whitespace().collect();
    shown(&words.join(" "))
}

fn shown(text: &str) -> String {
    visible(text).into_owned()
}

/// Milliseconds since 1970; a time before that is no time of a checkpoint.
pub(super) fn milliseconds(text: &str) -> Option<u64> {
    let ms = time::parse(text)?.wall_ms();
    (ms >= 0.0).then_some(ms as u64)
}

fn push_line(lines: &mut String, text: &str) {
    push_lower(lines, text);
    lines.push('\n');
}

/// Returns whether lines of a file are the conflict marks that git leaves where both sides changed the same.
fn has_marks(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    lines.any(|line| line.starts_with(b"<<<<<<< "))
        && lines.any(|line| line.starts_with(b">>>>>>> "))
}
