//! Looks at every checkpoint that changed since the cursor was there, and queues what it reached.

use crate::checkpoint::command::milestone::EventCursor;
use crate::error::{Error, Target, Warning, WarningCode};
use crate::integrations::{Notifications, Service};
use crate::json::Object;
use crate::notification::cursor::{NotificationCursor, Position};
use crate::notification::delivery::Receiver;
use crate::notification::issue;
use crate::notification::notice::{NoticeOccasion, notice};
use crate::operation::Warnings;
use crate::operation::command::events_since::{EventsStart, MilestoneEvent, events_since};
use crate::operation::command::list::{RunSelection, read_all};
use crate::operation::workspace::Workspace;
use crate::root;
use crate::time;

use super::cursor_store::CursorStore;

/// Moves the cursor to what is there now. Of a checkpoint that is new to it, what was reached before the cursor's own
/// beginning is not sent: returns the number of those milestones.
///
/// # Errors
///
/// Those of a list. A checkpoint that cannot be read is a warning, and is looked at again next time.
pub(super) async fn collect(
    store: &CursorStore<'_>,
    settings: &Notifications,
    cursor: &mut NotificationCursor,
    warnings: &mut Warnings,
) -> Result<usize, Error> {
    let all = read_all(store.io, store.settings, &store.root, RunSelection::All).await?;
    let before = std::mem::take(&mut cursor.positions);
    let is_there = |target: &Target| all.iter().any(|(it, _)| it == target);
    let shared = CollectContext {
        settings,
        project: project(store.root.path()),
        branch: branch(store, settings, warnings).await,
        now: time::format(store.now().await?),
        begun: cursor.since.as_deref().and_then(wall_ms),
        gone: before.iter().filter(|it| !is_there(&it.target)).collect(),
    };
    let mut held_back = 0;
    for (target, summary) in &all {
        let position = before.iter().find(|it| it.target == *target);
        let seen = match summary {
            Ok(summary) if position.is_some_and(|it| it.revision == summary.revision()) => Ok(None),
            Ok(_) => {
                shared
                    .collect_run(store, cursor, target, position, warnings)
                    .await
            }
            Err(error) => Err(error.clone()),
        };
        let seen = seen.unwrap_or_else(|error| {
            warnings.add(Warning::passed_over(&error).about(target));
            None
        });
        let seen = seen.map(|(position, held)| {
            held_back += held;
            position
        });
        cursor.positions.extend(seen.or_else(|| position.cloned()));
    }
    Ok(held_back)
}

fn at(position: &Position) -> EventsStart {
    EventsStart {
        revision: position.revision,
        cursor: EventCursor::read(&position.standing),
        wall_ms: None,
    }
}

fn wall_ms(text: &str) -> Option<f64> {
    time::parse(text).map(time::Time::wall_ms)
}

/// The name of the root's folder.
fn project(root: &str) -> &str {
    let root = root.trim_end_matches(['/', '\\']);
    let name = root.rsplit(['/', '\\']).next();
    name.unwrap_or_default()
}

/// The branch, where anybody needs it.
async fn branch(
    store: &CursorStore<'_>,
    settings: &Notifications,
    warnings: &mut Warnings,
) -> Option<String> {
    let is_linear = |service: &Service| matches!(service, Service::Linear { .. });
    if !settings.endpoints.iter().any(|it| is_linear(&it.service)) {
        return None;
    }
    match root::branch(store.io, &store.root).await {
        Ok(branch) => branch,
        Err(why) => {
            warnings.warn(WarningCode::HeadUnreadable, why);
            None
        }
    }
}

/// The context that all checkpoints of one look share.
struct CollectContext<'a> {
    settings: &'a Notifications,
    project: &'a str,
    branch: Option<String>,
    now: String,
    /// The time from which on things count that a checkpoint reached which is new to the cursor; `None`: from its
    /// beginning.
    begun: Option<f64>,
    /// The positions of checkpoints that are gone: one may have been renamed.
    gone: Vec<&'a Position>,
}

impl CollectContext<'_> {
    /// Queues what a checkpoint reached, and says where it was seen, and how many milestones are from before the
    /// beginning; `None` where there is no room for more.
    async fn collect_run(
        &self,
        store: &CursorStore<'_>,
        cursor: &mut NotificationCursor,
        target: &Target,
        position: Option<&Position>,
        warnings: &mut Warnings,
    ) -> Result<Option<(Position, usize)>, Error> {
        let Workspace { io, settings, .. } = **store;
        let capacity = cursor.capacity();
        if capacity == 0 {
            return Ok(None);
        }
        let since = match position {
            Some(position) => at(position),
            None => EventsStart {
                wall_ms: self.begun,
                ..EventsStart::default()
            },
        };
        let mut events = events_since(io, settings, target, since, capacity, warnings).await?;
        let former = match position {
            Some(_) => None,
            None => self.former(&events.cursor),
        };
        if let Some(former) = former {
            events = events_since(io, settings, target, at(former), capacity, warnings).await?;
        }
        for event in &events.milestones {
            self.enqueue(cursor, target, event);
        }
        let position = Position {
            target: target.clone(),
            revision: events.revision,
            standing: Object::from(events.cursor),
        };
        Ok(Some((position, events.held_back)))
    }

    /// The position of a checkpoint that is new under its name and was seen under a former one.
    fn former(&self, cursor: &EventCursor) -> Option<&Position> {
        let is_of_same_run =
            |it: &&&Position| EventCursor::read(&it.standing).is_of_same_run(cursor);
        self.gone.iter().find(is_of_same_run).copied()
    }

    fn enqueue(
        &self,
        cursor: &mut NotificationCursor,
        target: &Target,
        milestone_event: &MilestoneEvent,
    ) {
        let milestone = &milestone_event.milestone;
        let event = milestone.kind.as_str();
        let occasion = NoticeOccasion {
            event,
            at: milestone.at.as_deref(),
            project: self.project,
            target,
            phase: milestone.phase.as_deref(),
            summary: milestone.summary.as_deref(),
            error: milestone.error.as_deref(),
            blockers: &milestone.blockers,
            revision: milestone_event.revision,
            head_commit: milestone_event.head_commit.as_deref(),
            done: milestone_event.done,
            total: milestone_event.total,
            skipped: &milestone.skipped,
            failed: &milestone.failed,
            unfinished: &milestone.unfinished,
        };
        cursor.enqueue(target, notice(&occasion, &self.now), self.receivers(event));
    }

    fn receivers(&self, event: &str) -> Vec<Receiver> {
        let endpoints = self.settings.endpoints.iter();
        let wanting = endpoints.filter(|endpoint| endpoint.wants(event));
        let receiver = wanting.filter_map(|endpoint| {
            let issue = match &endpoint.service {
                Service::Linear { branch_prefix, .. } => {
                    // Work on a branch of no issue concerns none.
                    Some(issue::of_branch(self.branch.as_deref()?, branch_prefix)?)
                }
                Service::Webhook { .. } | Service::Slack { .. } => None,
            };
            Some(Receiver {
                endpoint: endpoint.id(),
                issue,
            })
        });
        receiver.collect()
    }
}
