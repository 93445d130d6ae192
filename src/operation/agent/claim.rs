//! The claim of a session on a run, and whether it holds.

use crate::agent::{self, Relation, RunPlace};
use crate::checkpoint::command::agents;
use crate::checkpoint::command::document::is_completed;
use crate::git::Checkout;
use crate::operation::Target;
use crate::store::Current;

/// The claim of a session on a run that it changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RunClaim<'a> {
    /// The session works on it already; where it does not any more, nothing is changed.
    Own,
    /// It becomes the session's, unless it is complete, or another living session works on it.
    Free(Living<'a>),
    /// As `Free`; the run is begun where none exists, or only a complete one of this checkout.
    Begun(Living<'a>),
    /// It becomes the session's, regardless of others that work on it; it is begun where none exists, or only a
    /// complete one.
    Any,
}

/// The other sessions that count as living.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Living<'a> {
    /// A session lives this long after its last event.
    pub(super) idle_ms: f64,
    /// Sessions that are known to be gone.
    pub(super) gone: &'a [String],
}

impl Living<'_> {
    fn is_taken(&self, line: &str, id: &str, now_ms: f64) -> bool {
        agents::others(line, id, now_ms, self.idle_ms)
            .any(|owner| !self.gone.iter().any(|gone| gone == owner.session.id))
    }
}

/// Returns whether the session may change what is stored.
pub(super) fn may(
    claim: RunClaim<'_>,
    current: &Current<'_>,
    (target, here): (&Target, &Checkout),
    id: &str,
    now_ms: f64,
) -> bool {
    let Some(document) = current.document else {
        return matches!(claim, RunClaim::Any | RunClaim::Begun { .. });
    };
    let line = agents::line(&document.object).unwrap_or_default();
    let is_open = !is_completed(&document.object);
    match claim {
        RunClaim::Any => true,
        RunClaim::Own => is_open && agents::works_on(&line, id),
        RunClaim::Free(living) => is_open && !living.is_taken(&line, id, now_ms),
        RunClaim::Begun(living) if is_open => !living.is_taken(&line, id, now_ms),
        RunClaim::Begun(_) => {
            let place = RunPlace {
                feature: target.feature.as_deref(),
                branch: agents::branch(&document.object),
                worktree: agents::worktree(&document.object),
            };
            agent::relation(place, here) != Relation::Other
        }
    }
}
