//! A run is taken over from the sessions that work on it.

use crate::agent::Agent;
use crate::checkpoint::command::agents;
use crate::checkpoint::command::document::{Draft, is_completed};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::operation::command::run_store::{Moment, RunStore};
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Target, secrets};
use crate::root::{self, Head};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::{Change, Current};

use super::begin;
use super::hook_context::HookContext;
use super::session::SessionKey;

pub(super) const OPERATION: Operation = Operation::changing::<TakeArguments, Taken>(
    "take",
    "Takes a run over from the sessions that work on it, to the branch that is checked out.",
    perform,
)
.of(Capability::Agents);

/// The run, and the session that takes it.
#[derive(ArgumentMembers)]
struct TakeArguments<'a> {
    #[shape(flatten)]
    target: Target,
    /// The agent of the session; without it the next session of the branch carries on.
    agent: Option<&'a str>,
    /// The session, by the agent's own id.
    session: Option<&'a str>,
}

/// A run that was taken over.
#[derive(Shaped)]
struct Taken {
    /// The number of sessions that worked on it.
    replaced: u64,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let TakeArguments {
            target,
            agent,
            session,
        } = arguments.read();
        let session = agent.and_then(Agent::parse).zip(session);
        let reply = take(io, settings, &target, session).await;
        reply.map(|replaced| Taken { replaced }.into())
    })
}

/// Takes a run over: the sessions that work on it get a notice at their next event, and write to runs of their own from
/// then on. Without a session that takes it, the next one of the branch carries on. Returns the number of sessions that
/// worked on it.
///
/// Fails with `not_found` where there is no unfinished run of that name, and as a save does.
pub async fn take(
    io: &Io,
    settings: &Settings,
    target: &Target,
    session: Option<(Agent, &str)>,
) -> Reply<u64> {
    about(target, async |warnings| {
        let store = RunStore::open(io, settings, target).await?;
        let stored = store.read().await?.document;
        let Some(document) = stored.filter(|it| !is_completed(&it.object)) else {
            return Err(Error::no_checkpoint(target));
        };
        let line = agents::line(&document.object).unwrap_or_default();
        let id = session.map(|(agent, id)| SessionKey::new(agent, id));
        let own = id.as_ref().map(|it| it.id.as_str());
        let others = agents::owners(&line).filter(|owner| {
            owner.presence == agents::SessionPresence::Working && Some(owner.session.id) != own
        });
        let replaced = others.count() as u64;
        if let Some(session) = &id {
            let hook = HookContext::new(io, settings, &store.root, session);
            begin::take(&hook, target, warnings).await?;
            return Ok(replaced);
        }
        let here = root::checkout(io, &store.root).await;
        let branch = match here.branch() {
            Some(branch) if secrets::holds(branch)? => None,
            branch => branch,
        };
        let now = store.now().await?;
        let moment = Moment {
            now,
            head: Head::Unreadable(String::new()),
        };
        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            let document = current
                .document
                .ok_or_else(|| Error::no_checkpoint(target))?;
            let mut draft = Draft::from(document.stamped());
            let mut changed = agents::replace_others(&mut draft, None, &moment.now);
            if let Some(worktree) = here.worktree() {
                changed |= agents::place(&mut draft, branch, worktree);
            }
            match changed {
                true => store.sign(&moment, draft, current, &[&document.object]),
                false => Ok(Change::Keep),
            }
        };
        store
            .update(None, &mut decide, &moment.head, warnings)
            .await?;
        Ok(replaced)
    })
    .await
}
