//! The milestones that a checkpoint reached since it was looked at last.

use crate::checkpoint::command::milestone::{EventCursor, Milestone};
use crate::checkpoint::command::progress::progress;
use crate::checkpoint::command::restores::restored_by;
use crate::checkpoint::command::tombstone::is_tombstone;
use crate::effect::Io;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::{Settings, Target, Warnings};
use crate::store::CommitMark;
use crate::time;

use super::states::States;

/// The most milestones that are reported of one revision: the last ones, by their times.
const MOST_PER_RUN: usize = 100;

/// From where on a checkpoint is looked at: by default from its beginning.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::operation) struct EventsStart {
    /// The revision after which everything counts.
    pub(in crate::operation) revision: u64,
    /// The cursor at that revision.
    pub(in crate::operation) cursor: EventCursor,
    /// The time from which on something counts, in milliseconds since 1970; something without a time that can be read
    /// always does. `None`: from the beginning.
    pub(in crate::operation) wall_ms: Option<f64>,
}

/// Something that was reached, and at which revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::operation) struct MilestoneEvent {
    pub(in crate::operation) revision: u64,
    pub(in crate::operation) head_commit: Option<String>,
    pub(in crate::operation) milestone: Milestone,
    /// The number of phases that were done, and of all.
    pub(in crate::operation) done: u64,
    pub(in crate::operation) total: u64,
}

/// The position up to which a checkpoint was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::operation) struct EventsSince {
    /// The revision, and how it stood there.
    pub(in crate::operation) revision: u64,
    pub(in crate::operation) cursor: EventCursor,
    /// The milestones, the oldest first.
    pub(in crate::operation) milestones: Vec<MilestoneEvent>,
    /// The number of milestones that do not count, because they are from before the time.
    pub(in crate::operation) held_back: usize,
}

/// Looks at every revision that history still has since then, and at the present one. A milestone that an undo, a redo
/// or a recovery brings back was reported before, and those before a removal are of another checkpoint. It ends at the
/// revision with which as many were found as `capacity` allows.
///
/// # Errors
///
/// Those of [`States::open`], and why the present revision cannot be read, if it cannot.
pub(in crate::operation) async fn events_since(
    io: &Io,
    settings: &Settings,
    target: &Target,
    since: EventsStart,
    capacity: usize,
    warnings: &mut Warnings,
) -> Result<EventsSince, Error> {
    let states = States::open(io, settings, target, warnings).await?;
    if let Some(error) = states.corrupt {
        return Err(error);
    }
    let last = states.len() - 1;
    let after = since.revision;
    let mut events = EventsSince {
        revision: after,
        cursor: since.cursor,
        milestones: Vec::new(),
        held_back: 0,
    };
    for index in 0..=last {
        let (revision, mark) = states.revision(index);
        let is_old = revision <= after || mark == CommitMark::Heartbeat;
        // The present one is looked at under any number: it may have been put back by hand.
        if is_old && index < last {
            continue;
        }
        if !events.milestones.is_empty() && events.milestones.len() >= capacity {
            break;
        }
        // A revision that was pruned in between, or is altered, says nothing; the next one says what is left of it.
        let Some(Ok(object)) = states.read(index).await else {
            continue;
        };
        if is_tombstone(&object) {
            events.milestones.clear();
            events.held_back = 0;
        } else if restored_by(&object).is_none() {
            events.add(revision, &object, since.wall_ms);
        }
        events.revision = revision;
        events.cursor = EventCursor::of(&object);
    }
    Ok(events)
}

/// Returns true for something that was reached at this time or later.
fn is_since(milestone: &Milestone, wall_ms: Option<f64>) -> bool {
    let at = milestone.at.as_deref().and_then(time::parse);
    match (at.map(time::Time::wall_ms), wall_ms) {
        (Some(at), Some(since)) => at >= since,
        _ => true,
    }
}

impl EventsSince {
    fn add(&mut self, revision: u64, object: &Object, since_ms: Option<f64>) {
        let mut milestones = self.cursor.new_milestones(object);
        let found = milestones.len();
        milestones.retain(|it| is_since(it, since_ms));
        self.held_back += found - milestones.len();
        if milestones.is_empty() {
            return;
        }
        let progress = progress(object);
        let head_commit = object.get("head_commit").and_then(Json::as_str);
        let older = milestones.len().saturating_sub(MOST_PER_RUN);
        for milestone in milestones.into_iter().skip(older) {
            self.milestones.push(MilestoneEvent {
                revision,
                head_commit: head_commit.map(str::to_owned),
                milestone,
                done: progress.done(),
                total: progress.total(),
            });
        }
    }
}
