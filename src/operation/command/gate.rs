//! The gate: checks whether shipping is allowed, and allows it.

use crate::checkpoint::command::document::Draft;
use crate::checkpoint::command::gate::{self, GateVerdict};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::extent::WRITES;
use crate::json::{Json, Object};
use crate::operation::reply::{about, with_warnings};
use crate::operation::row::{Answering, Arguments, Operation, read_only};
use crate::operation::{Reply, Settings, Target, Warnings};
use crate::root;
use crate::schema::ArgumentMembers;
use crate::store::Current;

use super::load::find;
use super::not_found::missing;
use super::run_store::RunStore;

pub(super) const OPERATION: Operation = Operation::at::<GateArguments, GateVerdict>(
    "gate",
    "Tells whether the work may be shipped; with `open` or `close`, sets that first.",
    perform,
);

/// The checkpoint, and what becomes of its gate.
#[derive(ArgumentMembers)]
struct GateArguments<'a> {
    #[shape(flatten)]
    target: Target,
    /// Open it, at the present commit.
    open: bool,
    /// Why it is to be closed, at the present commit.
    close: Option<Vec<&'a str>>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let GateArguments {
            target,
            open,
            close,
        } = arguments.read();
        let decision = match (open, &close) {
            (false, None) => None,
            (true, None) => Some(Decision::Open),
            (false, Some(reasons)) if !reasons.is_empty() => Some(Decision::Close(reasons)),
            _ => {
                let error = "Expected either `open` or reasons to `close`".to_owned();
                return Warnings::default().reply(Err(Error::usage(error)));
            }
        };
        let verdict = match decision {
            None => gate(io, settings, &target).await,
            Some(_) if !WRITES => return read_only(),
            Some(decision) => set_gate(io, settings, &target, decision).await,
        };
        verdict.map(Json::from)
    })
}

/// Checks whether `/ship` may go on.
///
/// Fails with `not_found` when there is no checkpoint, and as [`load`](super::load::load) does.
pub async fn gate(io: &Io, settings: &Settings, target: &Target) -> Reply<GateVerdict> {
    about(target, async |warnings| {
        match find(io, settings, target, warnings).await? {
            Some((loaded, head)) => Ok(gate::check(&loaded.object, head.commit())),
            None => {
                let store = RunStore::open(io, settings, target).await?;
                Err(missing(&store, target).await)
            }
        }
    })
    .await
}

/// Judges the gate of a document that was loaded, at the present commit.
///
/// Fails with `usage`.
pub async fn gate_of(io: &Io, settings: &Settings, document: &Object) -> Reply<GateVerdict> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        let head = root::head(io, &root).await;
        Ok(gate::check(document, head.commit()))
    })
    .await
}

/// The change of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision<'a> {
    /// Shipping is allowed.
    Open,
    /// It is not, for these reasons.
    Close(&'a [&'a str]),
}

/// Opens or closes the gate, at the present commit, and judges it then.
///
/// Fails with `not_found` when there is no checkpoint, and as [`save`](super::save::save) does.
pub async fn set_gate(
    io: &Io,
    settings: &Settings,
    target: &Target,
    decision: Decision<'_>,
) -> Reply<GateVerdict> {
    about(target, async |warnings| {
        let store = RunStore::open(io, settings, target).await?;
        // Looked for first, so that asking for a missing one makes no folder.
        if store.read().await?.document.is_none() {
            return Err(missing(&store, target).await);
        }
        let moment = store.moment(warnings).await?;
        let reasons = match decision {
            Decision::Open => &[],
            Decision::Close(reasons) => reasons,
        };
        let head = moment.head.commit();
        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            let document = current
                .document
                .ok_or_else(|| Error::no_checkpoint(target))?;
            let mut draft = Draft::from(document.stamped());
            gate::set(draft.as_object_mut(), reasons, head);
            store.sign(&moment, draft, current, &[&document.object])
        };
        let committed = store
            .update(None, &mut decide, &moment.head, warnings)
            .await?;
        Ok(gate::check(&committed.object, head))
    })
    .await
}
