//! In which order rows stand.

use crate::json::{Json, Object};

use super::badge::Badge;
use super::facts::{IndexedRun, RunStatus};

/// The order of rows; of equal ones the name decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::view) enum Sort {
    /// By need of attention: what cannot be read; what failed; what is in progress and was saved at another commit
    /// than HEAD; what is in progress, the one that was longest left alone first; what is to be begun, what is
    /// idle, and what is complete, the latest first.
    #[default]
    Attention,
    /// By command and feature.
    Name,
    /// The latest first; what cannot be read last.
    Updated,
}

/// Times fit below this many bits for the next thousands of years.
const TIME_BITS: u32 = 48;
const LATEST: u64 = (1 << TIME_BITS) - 1;

impl Sort {
    /// As a question says it.
    pub(in crate::view) fn of(question: &Object) -> Self {
        match question.get("sort").and_then(Json::as_str) {
            Some("name") => Sort::Name,
            Some("updated") => Sort::Updated,
            _ => Sort::Attention,
        }
    }

    /// Returns the rank of a checkpoint: the lowest first.
    pub(super) fn rank(self, facts: &IndexedRun) -> u64 {
        let time = facts.updated_ms.unwrap_or_default().min(LATEST);
        let latest_first = LATEST - time;
        match self {
            Sort::Name => 0,
            Sort::Updated => latest_first,
            Sort::Attention => {
                let (group, within) = match facts.status {
                    RunStatus::Corrupt => (0, 0),
                    RunStatus::Failed => (1, latest_first),
                    RunStatus::InProgress if facts.badges.has(Badge::Stale) => (2, time),
                    RunStatus::InProgress => (3, time),
                    RunStatus::Pending => (4, latest_first),
                    RunStatus::Idle => (5, latest_first),
                    RunStatus::Complete => (6, latest_first),
                };
                group << TIME_BITS | within
            }
        }
    }
}
