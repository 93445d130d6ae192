//! The paths of the repository that were typed in the working folder.

use crate::effect::{Io, boxed};
use crate::json::{Json, Object};
use crate::operation::paths;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation, required, shape};
use crate::operation::{Reply, Settings};
use crate::root;
use crate::schema::{Kind, Shape};

pub(super) const OPERATION: Operation = Operation::at(
    "repository_paths",
    "The paths of the repository that were typed in the working folder: below the root, normalised, with `/`.",
    &ARGUMENTS,
    Kind::Object(&ANSWER),
    perform,
)
.of(Capability::Viewing);

const ARGUMENTS: Shape = shape(
    "RepositoryPathsArguments",
    "Paths as they were typed.",
    &[required(
        "paths",
        Kind::List(&Kind::String),
        "Absolute, or relative to the working folder; to the root, where the working folder is not in it.",
    )],
);

const ANSWER: Shape = shape(
    "RepositoryPaths",
    "Paths of the repository.",
    &[required(
        "paths",
        Kind::List(&Kind::String),
        "Their paths relative to the root, in their order.",
    )],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let typed = arguments.value("paths").and_then(Json::as_array);
        let typed = typed.unwrap_or_default().iter().filter_map(Json::as_str);
        let typed: Vec<&str> = typed.collect();
        let reply = repository_paths(io, settings, &typed).await;
        reply.map(|paths| Json::from(Object::new().with("paths", paths)))
    })
}

/// The paths of the repository that were typed in the working folder, in their order.
///
/// Warns `missing_file` of one that does not exist. Fails with `usage` for one outside of the repository, and with
/// `io`.
pub async fn repository_paths(io: &Io, settings: &Settings, typed: &[&str]) -> Reply<Vec<String>> {
    with_warnings(async |warnings| {
        let root = root::locate(io, settings).await?;
        paths::repository_paths(io, settings, &root, typed, warnings).await
    })
    .await
}
