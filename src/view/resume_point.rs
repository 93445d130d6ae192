//! The resume point of a run, and what stopped there.

use crate::blocking::operation::command::load::load;
use crate::checkpoint::command::progress::progress;
use crate::checkpoint::command::resume::point;
use crate::checkpoint::command::stopped_phase::stopped_phase;
use crate::error::Target;
use crate::json::Object;
use crate::schema::Shaped;
use crate::text::{visible, visible_lines};

use super::cli_hint::command;
use super::index::{RunStatus, status};
use super::version_ref::CheckpointKey;
use super::viewer::Viewer;

/// So many other unfinished runs are named at most.
const MOST: usize = 5;

/// The resume point of a document, and the facts of its phase.
#[derive(Shaped)]
pub(super) struct StoppedPoint {
    /// The phase to go on with.
    phase: Option<String>,
    /// The status of the phase.
    status: Option<String>,
    /// The error that the phase failed with.
    error: Option<String>,
    /// The files that the phase created.
    created: Vec<String>,
    /// The files that the phase modified.
    modified: Vec<String>,
    /// The summary of the phase itself.
    phase_summary: Option<String>,
    /// That of the last completed phase which has one.
    summary: Option<String>,
    /// The other phases in progress.
    alongside: Vec<String>,
    /// The other pending phases.
    pending: Vec<String>,
}

/// The resume point of a run as it is now, and what stopped there.
#[derive(Shaped)]
pub(super) struct RunResume {
    #[shape(flatten)]
    point: StoppedPoint,
    /// The status of the run.
    run: &'static str,
    /// The command that prints the same in a terminal.
    command: String,
    /// Other unfinished runs, the latest first.
    others: Vec<OtherRun>,
    /// The number of the others.
    more: u64,
}

/// An unfinished run beside the one that is shown.
#[derive(Shaped)]
struct OtherRun {
    /// The key that questions about it have.
    key: String,
    /// The command and the feature, to be shown.
    title: String,
}

/// The resume point of a document, and the facts of its phase.
pub(super) fn of_document(document: &Object) -> StoppedPoint {
    let point = point(document);
    let stopped = stopped_phase(document, point.phase.as_deref());
    let line = |text: &str| visible(text).into_owned();
    let lines = |text: &str| visible_lines(text).into_owned();
    let list = |names: Vec<&str>| -> Vec<String> { names.into_iter().map(line).collect() };
    let alongside = point.alongside.iter().map(String::as_str).collect();
    StoppedPoint {
        phase: point.phase.as_deref().map(line),
        status: stopped.status.map(line),
        error: stopped.error.map(lines),
        created: list(stopped.files_created),
        modified: list(stopped.files_modified),
        phase_summary: point.phase_summary.as_deref().map(lines),
        summary: point.summary.as_deref().map(lines),
        alongside: list(alongside),
        pending: list(stopped.pending),
    }
}

/// The resume point of a run as it is now, with its status, the command that prints it, and the other unfinished runs.
/// `None` where it cannot be read, or is not there.
pub(super) fn of_run(viewer: &mut Viewer, target: &Target) -> Option<RunResume> {
    // Its warnings are shown with its revisions.
    let loaded = load(&viewer.io(), &viewer.settings(), target)
        .result
        .ok()??;
    let document = &loaded.object;
    let (others, more) = others(viewer, target);
    Some(RunResume {
        point: of_document(document),
        run: status(document, &progress(document)).as_str(),
        command: command(viewer, "resume", Some(target), ""),
        others,
        more,
    })
}

/// The unfinished runs beside this one, the latest first, and how many more there are. One that cannot be read is left
/// out.
fn others(viewer: &mut Viewer, target: &Target) -> (Vec<OtherRun>, u64) {
    let mut latest: Vec<(u64, OtherRun)> = Vec::new();
    let mut count = 0;
    for facts in viewer.index().all() {
        let is_open = !matches!(facts.status, RunStatus::Corrupt | RunStatus::Complete);
        if !is_open || facts.target == *target {
            continue;
        }
        count += 1;
        let updated = facts.updated_ms.unwrap_or_default();
        let at = latest.iter().position(|(other, _)| *other < updated);
        let at = at.unwrap_or(latest.len());
        if at < MOST {
            let key = CheckpointKey::Command(facts.target.clone()).to_string();
            let title = facts.target.title();
            latest.insert(at, (updated, OtherRun { key, title }));
            latest.truncate(MOST);
        }
    }
    let more = count - latest.len() as u64;
    (latest.into_iter().map(|(_, other)| other).collect(), more)
}
