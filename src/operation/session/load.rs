//! One snapshot.

use crate::checkpoint::session::register;
use crate::effect::{Io, boxed};
use crate::error::{Error, Warning};
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

pub use super::snapshot_store::SnapshotSelector;
use super::snapshot_store::SnapshotStore;

pub(super) const OPERATION: Operation =
    Operation::at::<SnapshotArguments, LoadedSnapshot>("load_session", "One snapshot.", perform)
        .of(Capability::Sessions);

/// The checkpoint: one of the two.
#[derive(ArgumentMembers)]
#[shape(name = "LoadSessionArguments")]
pub(super) struct SnapshotArguments<'a> {
    /// The checkpoint of this id.
    id: Option<&'a str>,
    /// The newest snapshot, except archived ones and those a restore made.
    latest: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        match selector(&arguments.read()) {
            Ok(selector) => load(io, settings, selector).await.map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// The checkpoint that the arguments name.
pub(super) fn selector(arguments: &SnapshotArguments<'_>) -> Result<SnapshotSelector, Error> {
    SnapshotSelector::new(arguments.id, arguments.latest)
}

/// A snapshot as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "LoadedSession")]
pub struct LoadedSnapshot {
    /// Its id.
    pub id: String,
    /// Its file, relative to the root.
    pub path: String,
    /// True if it is never removed.
    #[shape(name = "pinned")]
    pub is_pinned: bool,
    /// True if the work that it belongs to is complete.
    #[shape(name = "archived")]
    pub is_archived: bool,
    /// The YAML, exactly as it is stored.
    pub text: String,
    /// The document, parsed.
    pub document: Object,
}

/// Loads one.
///
/// Warns `invalid_document`, `untrusted_origin`. Fails with `not_found`, and with `corrupt`,
/// `too_large`, `unsafe_path`, `io`.
pub async fn load(
    io: &Io,
    settings: &Settings,
    selector: SnapshotSelector,
) -> Reply<LoadedSnapshot> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::open(io, settings).await?;
        let session = store.find(selector).await?;
        let id = session.known.id;
        store.notice(&session, warnings).await;
        let pinned = match super::register::read(&store, warnings).await {
            Ok(register) => register::pinned(&register),
            Err(error) => {
                warnings.add(Warning::passed_over(&error));
                Vec::new()
            }
        };
        Ok(LoadedSnapshot {
            id: id.to_string(),
            path: store.shown(session.known),
            is_pinned: pinned.contains(&id),
            is_archived: session.known.is_archived,
            text: session.text,
            document: session.document,
        })
    })
    .await
}
