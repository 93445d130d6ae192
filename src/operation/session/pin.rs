//! A snapshot that is never removed.

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::register;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::snapshot_store::SnapshotStore;

pub(super) const OPERATION: Operation = Operation::changing::<PinSessionArguments, Pinned>(
    "pin_session",
    "Pins a snapshot, so that it is never removed, or takes the pin away.",
    perform,
)
.of(Capability::Sessions);

/// The checkpoint.
#[derive(ArgumentMembers)]
struct PinSessionArguments<'a> {
    /// Its id.
    id: &'a str,
    /// Take the pin away.
    remove: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let PinSessionArguments { id, remove } = arguments.read();
        match id.parse() {
            Ok(id) => pin(io, settings, id, !remove).await.map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// A snapshot and its pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "PinnedSession")]
pub struct Pinned {
    /// Its id.
    pub id: SnapshotId,
    /// True if it is pinned now.
    #[shape(name = "pinned")]
    pub is_pinned: bool,
    /// True if it was otherwise before.
    #[shape(name = "changed")]
    pub has_changed: bool,
}

/// Pins a checkpoint, or takes its pin away.
///
/// Warns `corrupt` and `vanished` where the register of pins was taken from its history, and `edited_by_hand`. Fails with
/// `not_found`, and with `corrupt`, `unsafe_path`, `busy`, `io`.
pub async fn pin(io: &Io, settings: &Settings, id: SnapshotId, is_pinned: bool) -> Reply<Pinned> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::open(io, settings).await?;
        let mut has_changed = false;
        let is_there = store.read(id).await.map(drop);
        if is_pinned {
            is_there?;
        }
        let mut change = |register: &Object| {
            if is_pinned && register::is_removed(register, id) {
                return Err(Error::not_found(format!("{id} was removed")));
            }
            let next = register::with_pin(register, id, is_pinned);
            has_changed = next.is_some();
            Ok(next)
        };
        boxed(super::register::commit(&store, &mut change, warnings)).await?;
        Ok(Pinned {
            id,
            is_pinned,
            has_changed,
        })
    })
    .await
}
