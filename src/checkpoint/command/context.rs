//! The facts of a checkpoint that a new context is given.

use super::progress::{in_order, phases};
use super::resume::{has_work, point};
use super::status::Status;
use super::stopped_phase::{stopped_phase, texts};
use crate::error::Target;
use crate::json::{Json, Object};
use crate::tokens;

/// The members of [`facts`] that are texts of users, each within what a save accepts.
pub const TEXTS: [&str; 7] = [
    "phase_status",
    "phase_summary",
    "phase_error",
    "last_completed_phase_summary",
    "summary",
    "current_task",
    "plan",
];

/// Returns the facts that a checkpoint has about the work; empty where it has none yet.
pub fn facts(target: &Target, checkpoint: &Object) -> Object {
    if !has_work(checkpoint) && phases(checkpoint).is_empty() {
        return Object::new();
    }
    let point = point(checkpoint);
    let state = checkpoint.get("state").and_then(Json::as_object);
    let text = |of: &Object, key: &str| {
        let text = of.get(key).and_then(Json::as_str);
        text.map(|text| tokens::fit(text).to_owned())
    };
    let of_state = |key: &str| state.and_then(|state| text(state, key));
    let name = point.phase.as_deref();
    let stopped = stopped_phase(checkpoint, name);
    let completed = in_order(checkpoint, Status::Complete, "completed_phases");
    Object::new()
        .with("command", target.command.as_str())
        .with("feature", target.feature.as_deref())
        .with("phase", name)
        .with("phase_status", stopped.status)
        .with("phase_summary", point.phase_summary)
        .with("phase_error", stopped.error)
        .with("other_phases_in_progress", point.alongside)
        .with("last_completed_phase_summary", point.summary)
        .with("summary", of_state("context_summary"))
        .with("current_task", of_state("current_task"))
        .with("plan", text(checkpoint, "plan"))
        .with("pending_phases", stopped.pending)
        .with("completed_phases", lately(completed))
        .with("decisions", lately(texts(Some(checkpoint), "decisions")))
        .with("files_created", lately(stopped.files_created))
        .with("files_modified", lately(stopped.files_modified))
        .with(
            "files_outside",
            lately(texts(Some(checkpoint), "files_outside")),
        )
}

/// The latest first.
fn lately(mut list: Vec<&str>) -> Vec<&str> {
    list.reverse();
    list
}
