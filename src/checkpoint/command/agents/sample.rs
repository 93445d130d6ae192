//! Runs, plans and lists for tests.

use super::super::document::Draft;
use super::super::phases::Status;
use super::parts::{phase, phases, status_of};
use super::{Planned, SessionRef, note, plan};
use crate::checkpoint::command::document::RunDocument;
use crate::json::Json;
use crate::time;

pub(super) const NOW: &str = "2026-01-29T10:30:00.000Z";
pub(super) const LATER: &str = "2026-01-29T10:31:00.000Z";

pub(super) fn ms(time: &str) -> f64 {
    time::parse(time).unwrap().wall_ms()
}

pub(super) fn new() -> Draft {
    RunDocument::new("implement", None, NOW).into()
}

pub(super) fn item(text: &str, status: Status) -> Planned {
    Planned {
        text: Some(text.to_owned()),
        status: Some(status),
        ..Planned::default()
    }
}

pub(super) fn created(id: &str, text: &str) -> Planned {
    Planned {
        id: Some(id.to_owned()),
        is_new: true,
        ..item(text, Status::Pending)
    }
}

pub(super) fn changed(id: &str, status: Status) -> Planned {
    Planned {
        id: Some(id.to_owned()),
        status: Some(status),
        ..Planned::default()
    }
}

/// Brings the draft in line with a whole list of this session, each item as `text status`.
pub(super) fn listed(draft: &mut Draft, session: &str, items: &[(&str, Status)]) -> bool {
    let items: Vec<Planned> = items
        .iter()
        .map(|(text, status)| item(text, *status))
        .collect();
    let changed = plan(draft, session, &items, true, NOW).unwrap();
    let again = plan(draft, session, &items, true, LATER).unwrap();
    assert!(!again, "the same list changes nothing");
    changed
}

pub(super) fn tasked(draft: &mut Draft, session: &str, item: Planned) -> bool {
    plan(draft, session, &[item], false, NOW).unwrap()
}

/// A run that some sessions work on.
pub(super) fn shared() -> Draft {
    let mut draft = new();
    for id in ["s", "t", "u", "other"] {
        let session = SessionRef { agent: "codex", id };
        note(&mut draft, session, NOW);
    }
    draft
}

/// The phases as `name status`, and the document is valid.
pub(super) fn phases_of(draft: &Draft) -> Vec<String> {
    draft.clone().check(&[]).unwrap();
    phases(draft.as_object())
        .map(|(name, phase)| format!("{name} {}", status_of(phase).unwrap().as_str()))
        .collect()
}

pub(super) fn field(draft: &Draft, name: &str, key: &str) -> String {
    let phase = phase(draft.as_object(), name).unwrap();
    phase.get(key).map(Json::to_line).unwrap_or_default()
}
