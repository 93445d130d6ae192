//! The resume point of a run, and what stopped there.

use crate::blocking::operation::command::load::load;
use crate::checkpoint::command::progress::progress;
use crate::checkpoint::command::resume::point;
use crate::checkpoint::command::stopped_phase::stopped_phase;
use crate::error::Target;
use crate::json::Object;
use crate::text::{visible, visible_lines};

use super::cli_hint::command;
use super::index::{RunStatus, status};
use super::version_ref::CheckpointKey;
use super::viewer::Viewer;

/// So many other unfinished runs are named at most.
const MOST: usize = 5;

/// The resume point of a document, and the facts of its phase.
pub(super) fn of_document(document: &Object) -> Object {
    let point = point(document);
    let stopped = stopped_phase(document, point.phase.as_deref());
    let line = |text: &str| visible(text).into_owned();
    let lines = |text: &str| visible_lines(text).into_owned();
    let list = |names: Vec<&str>| -> Vec<String> { names.into_iter().map(line).collect() };
    let alongside = point.alongside.iter().map(String::as_str).collect();
    Object::new()
        .with("phase", point.phase.as_deref().map(line))
        .with("status", stopped.status.map(line))
        .with("error", stopped.error.map(lines))
        .with("created", list(stopped.files_created))
        .with("modified", list(stopped.files_modified))
        .with("phase_summary", point.phase_summary.as_deref().map(lines))
        .with("summary", point.summary.as_deref().map(lines))
        .with("alongside", list(alongside))
        .with("pending", list(stopped.pending))
}

/// The resume point of a run as it is now, with its status, the command that prints it, and the other unfinished runs.
/// `None` where it cannot be read, or is not there.
pub(super) fn of_run(viewer: &mut Viewer, target: &Target) -> Option<Object> {
    // Its warnings are shown with its revisions.
    let loaded = load(&viewer.io(), &viewer.settings(), target)
        .result
        .ok()??;
    let document = &loaded.object;
    let (others, more) = others(viewer, target);
    let shown = of_document(document)
        .with("run", status(document, &progress(document)).as_str())
        .with("command", command(viewer, "resume", Some(target), ""))
        .with("others", others)
        .with("more", more);
    Some(shown)
}

/// The unfinished runs beside this one, the latest first, and how many more there are. One that cannot be read is left
/// out.
fn others(viewer: &mut Viewer, target: &Target) -> (Vec<Object>, u64) {
    let mut latest: Vec<(u64, Object)> = Vec::new();
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
            let named = Object::new().with("key", key);
            latest.insert(at, (updated, named.with("title", facts.target.title())));
            latest.truncate(MOST);
        }
    }
    let more = count - latest.len() as u64;
    (latest.into_iter().map(|(_, other)| other).collect(), more)
}
