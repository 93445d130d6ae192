//! The location at which an operation works.

use crate::effect::{Io, boxed};
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings};
use crate::root;
use crate::schema::Shaped;

pub(super) const OPERATION: Operation = Operation::at::<(), Location>(
    "location",
    "The root, and the state folder below it; nothing is made.",
    perform,
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move { location(io, settings).await.map(Json::from) })
}

/// The folder of checkpoints.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct Location {
    /// The root, as the host names it.
    pub root: String,
    /// The state folder, as the host names it.
    pub state_folder: String,
    /// True if the root is known: the host may see no `.git`, nor every folder that may hold one.
    pub is_known: bool,
    /// The path in messages: relative to `of_state`, unless the caller named it otherwise.
    #[shape(skip)]
    pub shown: String,
    /// The folder that this is relative to: the root, or the top of the main worktree.
    #[shape(skip)]
    pub of_state: String,
}

/// The location of checkpoints. Nothing is made, and nothing has to be there.
///
/// Fails with `usage`, `io`.
pub async fn location(io: &Io, settings: &Settings) -> Reply<Location> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        let folder = root::state_folder(&root, settings)?;
        Ok(Location {
            root: root.path().to_owned(),
            state_folder: folder.host(""),
            shown: folder.path().to_owned(),
            of_state: root.of_state().to_owned(),
            is_known: root.is_known(),
        })
    })
    .await
}
