//! A snapshot that is never removed.

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::register;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{
    Answering, Arguments, Capability, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Kind, Shape};

use super::snapshot_store::SnapshotStore;

pub(super) const OPERATION: Operation = Operation::changing(
    "pin_session",
    "Pins a snapshot, so that it is never removed, or takes the pin away.",
    &ARGUMENTS,
    Kind::Object(&PINNED),
    perform,
)
.of(Capability::Sessions);

const ARGUMENTS: Shape = shape(
    "PinSessionArguments",
    "The checkpoint.",
    &[
        required("id", Kind::String, "Its id."),
        optional("remove", &Kind::Boolean, "Take the pin away."),
    ],
);

const PINNED: Shape = shape(
    "PinnedSession",
    "A snapshot and its pin.",
    &[
        required("id", Kind::String, "Its id."),
        required("pinned", Kind::Boolean, "True if it is pinned now."),
        required("changed", Kind::Boolean, "True if it was otherwise before."),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        match arguments.text("id").parse() {
            Ok(id) => pin(io, settings, id, !arguments.flag("remove"))
                .await
                .map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// The result of [`pin`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pinned {
    /// Its id.
    pub id: SnapshotId,
    /// Set where it is pinned now.
    pub is_pinned: bool,
    /// Set where it was otherwise before.
    pub has_changed: bool,
}

impl From<Pinned> for Json {
    fn from(pinned: Pinned) -> Self {
        Object::new()
            .with("id", pinned.id.to_string())
            .with("pinned", pinned.is_pinned)
            .with("changed", pinned.has_changed)
            .into()
    }
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
