//! The statuses of phases, and what each of them does to the state of its run.

use crate::json::Json;

/// The status of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Not yet started.
    Pending,
    /// Being worked on.
    InProgress,
    /// Finished.
    Complete,
    /// Met an error; it is retried.
    Failed,
    /// Left out on purpose.
    Skipped,
}

/// The change of `state.current_phase`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CurrentPhaseChange {
    /// The phase becomes the current one.
    This,
    /// Null if the phase was the current one.
    NullIfThis,
    /// It stays.
    Unchanged,
}

/// The change of a phase's place in a list of `state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PhaseListChange {
    /// Appended if absent.
    Appended,
    /// Removed.
    Removed,
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transition {
    pub(super) current: CurrentPhaseChange,
    pub(super) completed: PhaseListChange,
    pub(super) pending: PhaseListChange,
}

impl Status {
    /// Every status, in the order of the schema.
    pub const ALL: [Status; 5] = [
        Status::Pending,
        Status::InProgress,
        Status::Complete,
        Status::Failed,
        Status::Skipped,
    ];

    /// The status as documents name it, such as `in_progress`.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::InProgress => "in_progress",
            Status::Complete => "complete",
            Status::Failed => "failed",
            Status::Skipped => "skipped",
        }
    }

    /// The status of that name.
    pub fn parse(name: &str) -> Option<Status> {
        Status::ALL
            .into_iter()
            .find(|status| status.as_str() == name)
    }

    /// Returns whether a phase of this status is still to be done.
    pub fn is_open(self) -> bool {
        matches!(self, Status::Pending | Status::InProgress | Status::Failed)
    }

    pub(super) fn from_json(value: &Json) -> Option<Status> {
        value.as_str().and_then(Status::parse)
    }

    /// The table: what taking this status does to `state`.
    ///
    /// A failed phase stays the current one, so that it is retried.
    #[rustfmt::skip]
    pub(super) fn transition(self) -> Transition {
        use CurrentPhaseChange::{NullIfThis, This, Unchanged};
        use PhaseListChange::{Appended, Removed};

        //                  status             current_phase completed_phases pending_phases
        let (current, completed, pending) = match self {
            Status::Pending    => (NullIfThis, Removed,  Appended),
            Status::InProgress => (This,       Removed,  Removed),
            Status::Complete   => (NullIfThis, Appended, Removed),
            Status::Failed     => (Unchanged,  Removed,  Removed),
            Status::Skipped    => (NullIfThis, Removed,  Removed),
        };
        Transition { current, completed, pending }
    }
}
