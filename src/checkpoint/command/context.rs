//! What a new context is told of a checkpoint.

use super::progress::{in_order, phases};
use super::resume::{has_work, point};
use super::status::Status;
use crate::error::Target;
use crate::json::{Json, Object};
use crate::tokens;

/// The members of [`facts`] that are texts of somebody's, each within what a save accepts.
pub const TEXTS: [&str; 7] = [
    "phase_status",
    "phase_summary",
    "phase_error",
    "last_completed_phase_summary",
    "summary",
    "current_task",
    "plan",
];

/// What a checkpoint says of the work; empty where it says nothing yet.
pub fn facts(target: &Target, checkpoint: &Object) -> Object {
    if !has_work(checkpoint) && phases(checkpoint).is_empty() {
        return Object::new();
    }
    let point = point(checkpoint);
    let phases = checkpoint.get("phases").and_then(Json::as_object);
    let state = checkpoint.get("state").and_then(Json::as_object);
    let list = |of: Option<&Object>, key: &str| {
        let list = of.and_then(|of| of.get(key)?.as_array());
        let texts = list
            .unwrap_or_default()
            .iter()
            .filter(|it| it.as_str().is_some());
        texts.cloned().collect::<Vec<Json>>()
    };
    let name = point.phase.as_deref();
    let phase = name.and_then(|name| phases?.get(name)?.as_object());
    let text = |of: Option<&Object>, key: &str| {
        let text = of.and_then(|of| of.get(key)?.as_str());
        text.map(|text| tokens::fit(text).to_owned())
    };
    let lately = |mut list: Vec<Json>| {
        list.reverse();
        list
    };
    let named = |status, list| {
        let names = in_order(checkpoint, status, list).into_iter();
        names.map(Json::from).collect::<Vec<Json>>()
    };
    let pending = named(Status::Pending, "pending_phases");
    let completed = named(Status::Complete, "completed_phases");
    Object::new()
        .with("command", target.command.as_str())
        .with("feature", target.feature.as_deref())
        .with("phase", name)
        .with("phase_status", text(phase, "status"))
        .with("phase_summary", text(phase, "context_summary"))
        .with("phase_error", text(phase, "error"))
        .with("other_phases_in_progress", point.alongside)
        .with("last_completed_phase_summary", point.summary)
        .with("summary", text(state, "context_summary"))
        .with("current_task", text(state, "current_task"))
        .with("plan", text(Some(checkpoint), "plan"))
        .with("pending_phases", pending)
        .with("completed_phases", lately(completed))
        .with("decisions", lately(list(Some(checkpoint), "decisions")))
        .with("files_created", lately(list(phase, "files_created")))
        .with("files_modified", lately(list(phase, "files_modified")))
        .with(
            "files_outside",
            lately(list(Some(checkpoint), "files_outside")),
        )
}
