//! The project that a place belongs to.

use crate::effect::{Io, boxed};
use crate::json::{Json, Object};
use crate::operation::Settings;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, NONE, Operation, required, shape};
use crate::root::{self, Head};
use crate::schema::{Kind, Shape};

pub(super) const OPERATION: Operation = Operation::at(
    "project",
    "The root and the branch that are worked on, and whether anything shows that a project is there.",
    &NONE,
    Kind::Object(&PROJECT),
    perform,
)
.of(Capability::Viewing);

const PROJECT: Shape = shape(
    "Project",
    "The project that a place belongs to.",
    &[
        required("root", Kind::String, "The root, as the host names it."),
        required(
            "branch",
            Kind::Nullable(&Kind::String),
            "The branch that is checked out; null where HEAD is at none or cannot be read, and without a \
             repository.",
        ),
        required(
            "has_repository",
            Kind::Boolean,
            "True if there is a repository at or above the root.",
        ),
        required(
            "has_state",
            Kind::Boolean,
            "True if runs or snapshots were stored there before.",
        ),
    ],
);

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
            Ok(Json::from(
                Object::new()
                    .with("root", root.path())
                    .with("branch", branch)
                    .with("has_repository", has_repository)
                    .with("has_state", has_state),
            ))
        })
        .await
    })
}
