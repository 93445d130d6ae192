//! The milestones of a checkpoint that others are notified of: a phase is done or has failed, the
//! gate is closed, the command is complete.
//!
//! Everything follows from two documents, the one that was looked at last and the present one. Of
//! the former only an [`EventCursor`] has to be remembered, so that nothing is lost where history was
//! pruned.

use super::document::is_completed;
use super::gate;
use super::progress::phases;
use super::resume::last_summary;
use super::status::Status;
use super::tombstone::is_tombstone;
use crate::digest::digest;
use crate::json::{Json, Object};
use crate::sorting;
use crate::str_map::StrSet;
use crate::time;

/// The facts that are remembered of a document that was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventCursor {
    /// Another run has begun where this differs.
    started_at: Option<String>,
    completed: Vec<String>,
    failed: Vec<String>,
    /// `None` where the gate is not closed.
    closed_by: Option<Vec<String>>,
    completed_at: Option<String>,
}

/// One thing that a checkpoint reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Milestone {
    /// Its kind.
    pub kind: MilestoneKind,
    /// The phase, if it is about one.
    pub phase: Option<String>,
    /// Its time, as the document says.
    pub at: Option<String>,
    /// The summary that the next one must know: of the phase, or of the run.
    pub summary: Option<String>,
    /// The reason why the phase failed.
    pub error: Option<String>,
    /// The reasons why the gate is closed.
    pub blockers: Vec<String>,
    /// The skipped phases of a command that is complete.
    pub skipped: Vec<String>,
    /// The phases that failed.
    pub failed: Vec<String>,
    /// The phases that were pending or in progress.
    pub unfinished: Vec<String>,
}

/// The kinds of milestones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MilestoneKind {
    /// A phase is complete.
    PhaseCompleted,
    /// A phase has failed.
    PhaseFailed,
    /// The gate is closed, or has a blocker that it did not have.
    GateClosed,
    /// The command is complete.
    Completed,
}

impl MilestoneKind {
    /// All of them, in the order in which those of one document are reported.
    pub const ALL: [MilestoneKind; 4] = [
        MilestoneKind::PhaseCompleted,
        MilestoneKind::PhaseFailed,
        MilestoneKind::GateClosed,
        MilestoneKind::Completed,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            MilestoneKind::PhaseCompleted => "checkpoint.phase_completed",
            MilestoneKind::PhaseFailed => "checkpoint.phase_failed",
            MilestoneKind::GateClosed => "checkpoint.gate_closed",
            MilestoneKind::Completed => "checkpoint.completed",
        }
    }
}

impl EventCursor {
    /// Returns the facts of a document; of a tombstone, no facts.
    pub fn of(document: &Object) -> Self {
        if is_tombstone(document) {
            return EventCursor::default();
        }
        let all = phases(document);
        let of = |wanted: Status| {
            let mine = all.iter().filter(|(_, status)| *status == wanted);
            mine.map(|(name, _)| (*name).to_owned()).collect()
        };
        let closed_by = gate::closed_by(document);
        EventCursor {
            started_at: text(document, "started_at"),
            completed: of(Status::Complete),
            failed: of(Status::Failed),
            closed_by: closed_by.map(|them| them.iter().map(|it| mark(it)).collect()),
            completed_at: text(document, "completed_at"),
        }
    }

    /// Reads it from its remembered form.
    pub fn read(remembered: &Object) -> Self {
        EventCursor {
            started_at: text(remembered, "started_at"),
            completed: texts(remembered, "completed"),
            failed: texts(remembered, "failed"),
            closed_by: remembered
                .get("closed_by")
                .map(|_| texts(remembered, "closed_by")),
            completed_at: text(remembered, "completed_at"),
        }
    }

    /// Returns whether both are of one run of the command, under any name.
    pub fn is_of_same_run(&self, other: &EventCursor) -> bool {
        self.started_at.is_some() && self.started_at == other.started_at
    }

    /// Returns the milestones that a document reached since then: phases in the order of their
    /// times, then the gate, then the command as a whole.
    pub fn new_milestones(&self, document: &Object) -> Vec<Milestone> {
        let now = EventCursor::of(document);
        let nothing = EventCursor::default();
        // The remembered state is of a run before this one.
        let before = match self.is_of_same_run(&now) || self.started_at.is_none() {
            true => self,
            false => &nothing,
        };
        let mut milestones = Vec::new();
        for (kind, names, known) in [
            (
                MilestoneKind::PhaseCompleted,
                &now.completed,
                &before.completed,
            ),
            (MilestoneKind::PhaseFailed, &now.failed, &before.failed),
        ] {
            let known: StrSet<'_> = known.iter().map(String::as_str).collect();
            let new = names.iter().filter(|name| !known.contains(name));
            milestones.extend(new.map(|name| of_phase(document, kind, name)));
        }
        // Those without a time come first, in the order of the document.
        sorting::sort_by(&mut milestones, |one, other| {
            wall_ms(one).total_cmp(&wall_ms(other))
        });
        milestones.extend(now.closed_since(before).then(|| of_gate(document)));
        if is_completed(document) && now.completed_at != before.completed_at {
            milestones.push(of_command(document));
        }
        milestones
    }

    fn closed_since(&self, before: &EventCursor) -> bool {
        match (&self.closed_by, &before.closed_by) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(now), Some(before)) => now.iter().any(|it| !before.contains(it)),
        }
    }
}

impl From<EventCursor> for Object {
    fn from(cursor: EventCursor) -> Self {
        let mut object = Object::new();
        let optional = |object: &mut Object, key, value: Option<Json>| {
            if let Some(value) = value {
                object.set(key, value);
            }
        };
        optional(&mut object, "started_at", cursor.started_at.map(Json::from));
        object.set("completed", cursor.completed);
        object.set("failed", cursor.failed);
        optional(&mut object, "closed_by", cursor.closed_by.map(Json::from));
        optional(
            &mut object,
            "completed_at",
            cursor.completed_at.map(Json::from),
        );
        object
    }
}

impl Milestone {
    fn new(kind: MilestoneKind, at: Option<String>) -> Self {
        Milestone {
            kind,
            phase: None,
            at,
            summary: None,
            error: None,
            blockers: Vec::new(),
            skipped: Vec::new(),
            failed: Vec::new(),
            unfinished: Vec::new(),
        }
    }
}

fn of_phase(document: &Object, kind: MilestoneKind, name: &str) -> Milestone {
    let entries = document.get("phases").and_then(Json::as_object);
    let entry = entries.and_then(|entries| entries.get(name)?.as_object());
    let said = |key| entry.and_then(|entry| text(entry, key));
    let at = said("updated_at").or_else(|| text(document, "updated_at"));
    Milestone {
        phase: Some(name.to_owned()),
        summary: said("context_summary"),
        error: said("error").filter(|_| kind == MilestoneKind::PhaseFailed),
        ..Milestone::new(kind, at)
    }
}

fn of_gate(document: &Object) -> Milestone {
    Milestone {
        blockers: gate::closed_by(document).unwrap_or_default(),
        ..Milestone::new(MilestoneKind::GateClosed, text(document, "updated_at"))
    }
}

fn of_command(document: &Object) -> Milestone {
    let state = document.get("state").and_then(Json::as_object);
    let summary = state.and_then(|state| text(state, "context_summary"));
    let all = phases(document);
    let of = |is_meant: fn(Status) -> bool| {
        let mine = all.iter().filter(|(_, status)| is_meant(*status));
        mine.map(|(name, _)| (*name).to_owned()).collect()
    };
    Milestone {
        summary: summary.or_else(|| last_summary(document).map(str::to_owned)),
        skipped: of(|status| status == Status::Skipped),
        failed: of(|status| status == Status::Failed),
        unfinished: of(|status| status.is_open() && status != Status::Failed),
        ..Milestone::new(MilestoneKind::Completed, text(document, "completed_at"))
    }
}

fn mark(blocker: &str) -> String {
    digest(&[blocker.as_bytes()])
}

fn wall_ms(milestone: &Milestone) -> f64 {
    let at = milestone.at.as_deref().and_then(time::parse);
    at.map_or(0.0, time::Time::wall_ms)
}

fn text(object: &Object, key: &str) -> Option<String> {
    let text = object.get(key)?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}

fn texts(object: &Object, key: &str) -> Vec<String> {
    let list = object.get(key).and_then(Json::as_array).unwrap_or_default();
    let texts = list.iter().filter_map(Json::as_str);
    texts.map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "milestone_tests.rs"]
mod tests;
