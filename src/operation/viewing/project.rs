//! The project that a place belongs to.

use crate::effect::{Io, boxed};
use crate::json::Json;
use crate::operation::Settings;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::root::{self, Head};
use crate::schema::Shaped;

pub(super) const OPERATION: Operation = Operation::at::<(), Project>(
    "project",
    "The root and the branch that are worked on, and whether anything shows that a project is there.",
    perform,
)
.of(Capability::Viewing);

/// The project that a place belongs to.
#[derive(Shaped)]
struct Project {
    /// The root, as the host names it.
    root: String,
    /// The branch that is checked out; null where HEAD is at none or cannot be read, and without a repository.
    branch: Option<String>,
    /// True if there is a repository at or above the root.
    has_repository: bool,
    /// True if runs or snapshots were stored there before.
    has_state: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        with_warnings(async |_| {
            let root = root::locate(io, settings).await?;
            let state = root::state_folder(&root, settings)?;
            let snapshots = root::sessions_folder(&root, settings)?;
            let head = root::head(io, &root).await;
            let has_repository = !matches!(head, Head::NoRepository | Head::OutOfSight);
            // A branch that cannot be read is reported by the operation that needs it.
            let branch = root::branch(io, &root).await.unwrap_or_default();
            let has_state = state.is_there(io).await? || snapshots.is_there(io).await?;
            Ok(Json::from(Project {
                root: root.path().to_owned(),
                branch,
                has_repository,
                has_state,
            }))
        })
        .await
    })
}
