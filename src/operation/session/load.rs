//! One snapshot.

use crate::checkpoint::session::register;
use crate::effect::{Io, boxed};
use crate::error::Warning;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{
    Answering, Arguments, Capability, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Field, Kind, Shape};

pub use super::snapshot_store::SnapshotSelector;
use super::snapshot_store::SnapshotStore;

pub(super) const OPERATION: Operation = Operation::at(
    "load_session",
    "One snapshot.",
    &ARGUMENTS,
    Kind::Object(&LOADED),
    perform,
)
.of(Capability::Sessions);

pub(super) const ID: Field = optional("id", &Kind::String, "The checkpoint of this id.");
pub(super) const LATEST: Field = optional(
    "latest",
    &Kind::Boolean,
    "The newest snapshot, except archived ones and those a restore made.",
);

const ARGUMENTS: Shape = shape(
    "LoadSessionArguments",
    "The checkpoint: one of the two.",
    &[ID, LATEST],
);

const LOADED: Shape = shape(
    "LoadedSession",
    "A snapshot as it is stored.",
    &[
        required("id", Kind::String, "Its id."),
        required("path", Kind::String, "Its file, relative to the root."),
        required("pinned", Kind::Boolean, "True if it is never removed."),
        required(
            "archived",
            Kind::Boolean,
            "True if the work that it belongs to is complete.",
        ),
        required("text", Kind::String, "The YAML, exactly as it is stored."),
        required("document", Kind::Record, "The document, parsed."),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        match selector(arguments) {
            Ok(selector) => load(io, settings, selector).await.map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// The checkpoint that the arguments name.
pub(super) fn selector(arguments: &Arguments) -> Result<SnapshotSelector, crate::error::Error> {
    SnapshotSelector::new(arguments.optional_text("id"), arguments.flag("latest"))
}

/// A snapshot as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedSnapshot {
    /// Its id.
    pub id: String,
    /// Its file, relative to the root.
    pub path: String,
    /// Set where it is never removed.
    pub is_pinned: bool,
    /// Set where the work that it belongs to is complete.
    pub is_archived: bool,
    /// The YAML, exactly as it is stored.
    pub text: String,
    /// The document, parsed.
    pub document: Object,
}

impl From<LoadedSnapshot> for Json {
    fn from(loaded: LoadedSnapshot) -> Self {
        Object::new()
            .with("id", loaded.id)
            .with("path", loaded.path)
            .with("pinned", loaded.is_pinned)
            .with("archived", loaded.is_archived)
            .with("text", loaded.text)
            .with("document", loaded.document)
            .into()
    }
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
