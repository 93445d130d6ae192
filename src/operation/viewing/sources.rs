//! The sources of everything that a viewer shows.

use crate::checkpoint::command::name;
use crate::effect::PathKind::Absent;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::integrations;
use crate::json::{Json, Object};
use crate::operation::command::names;
use crate::operation::project::load_integrations::added_commands;
use crate::operation::reply::with_warnings;
use crate::operation::row::{
    Answering, Arguments, Capability, Operation, TARGET, optional, required, shape,
};
use crate::operation::{Settings, Target};
use crate::root::{self, Root};
use crate::schema::{Kind, Shape};
use crate::store::{SIDE, StoreFolder, side_folder_of};

use super::mirror::mirrored;

pub(super) const OPERATION: Operation = Operation::at(
    "sources",
    "The places of everything that a viewer shows, and what the repository says of it; nothing is made but a mirror.",
    &ARGUMENTS,
    Kind::Object(&SOURCES),
    perform,
)
.of(Capability::Viewing);

const ARGUMENTS: Shape = shape(
    "SourcesArguments",
    "The checkpoints to show.",
    &[
        optional(
            "checkpoints",
            &Kind::List(&Kind::Object(&TARGET)),
            "Checkpoints whose files are to be named; each has to be there.",
        ),
        optional(
            "mirror",
            &Kind::String,
            "The place of state in records: an absolute folder that is there, and that nothing else writes to. Its files are \
             brought up to what the records are.",
        ),
    ],
);

const SOURCES: Shape = shape(
    "Sources",
    "The places. A `path` has `/` between its parts and is relative to the root; what is elsewhere has its \
     name alone.",
    &[
        required("name", Kind::String, "The name of the root."),
        required("state", Kind::Object(&SOURCE), "The state folder."),
        required(
            "sessions",
            Kind::Object(&SOURCE),
            "The folder of snapshots.",
        ),
        required(
            "archive",
            Kind::Object(&SOURCE),
            "Those of work that is complete.",
        ),
        required(
            "tasks",
            Kind::Object(&SOURCE),
            "The folder of task checkpoints.",
        ),
        required("threads", Kind::Object(&SOURCE), "The folder of threads."),
        required(
            "side",
            Kind::Object(&SOURCE),
            "The files of the store beside the documents of the state folder.",
        ),
        required(
            "settings",
            Kind::Object(&SOURCE),
            "The project's integrations.json.",
        ),
        required(
            "head",
            Kind::Nullable(&Kind::String),
            "The commit that HEAD is at, where it is known.",
        ),
        required(
            "git",
            Kind::Nullable(&Kind::String),
            "The git folder of this worktree, as the host names it: something in it changes with HEAD.",
        ),
        required(
            "tracked",
            Kind::List(&Kind::String),
            "The files of the state folder that git tracks, relative to the root.",
        ),
        required(
            "commands",
            Kind::List(&Kind::String),
            "The commands that the project adds.",
        ),
        required(
            "checkpoints",
            Kind::List(&Kind::Object(&FILES)),
            "The files of those that were asked for.",
        ),
    ],
);

const SOURCE: Shape = shape(
    "Source",
    "A file or folder, there or not.",
    &[
        required("path", Kind::String, "Its name in a viewer."),
        required("host", Kind::String, "Its location, as the host names it."),
        required(
            "way",
            Kind::List(&Kind::String),
            "The folders that lead to it, outermost first and with it itself where it is one, as the host names \
             them: none of them may be a symbolic link.",
        ),
    ],
);

const FILES: Shape = shape(
    "CheckpointFiles",
    "The places of the files of a checkpoint.",
    &[
        required(
            "document",
            Kind::String,
            "Its document, as a viewer calls it.",
        ),
        required(
            "side",
            Kind::String,
            "The folder of what the store keeps beside it, likewise.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        with_warnings(async |warnings| {
            let root = root::locate(io, settings).await?;
            let state = root::state_folder(&root, settings)?;
            root::expect_there(io, &root, &state).await?;
            if let Some(to) = arguments.optional_text("mirror") {
                mirrored(io, &root, &state, to, warnings).await?;
            }
            let added = added_commands(io, &root).await;
            let known = added.as_deref().unwrap_or_default();
            let checkpoints = files(io, &state, &targets(arguments), known).await?;
            let sources = folders(&root, settings, &state)?
                .with("head", root::head(io, &root).await.commit())
                .with("git", git(io, &root).await)
                .with("tracked", tracked(io, &root, &state).await)
                // Why they cannot be read, doctor says.
                .with("commands", added.unwrap_or_default())
                .with("checkpoints", checkpoints);
            Ok(Json::from(sources))
        })
        .await
    })
}

fn targets(arguments: &Arguments) -> Vec<Target> {
    let checkpoints = arguments.value("checkpoints").and_then(Json::as_array);
    let checkpoints = checkpoints
        .unwrap_or_default()
        .iter()
        .filter_map(Json::as_object);
    checkpoints
        .map(|it| Arguments(it.clone()).target())
        .collect()
}

fn folders(root: &Root, settings: &Settings, state: &StoreFolder) -> Result<Object, Error> {
    let sessions = root::sessions_folder(root, settings)?;
    let archive = root::archive_folder(root, &sessions)?;
    let parent = integrations::FILE
        .rsplit_once('/')
        .map_or("", |(parent, _)| parent);
    let config = StoreFolder::new(root.path(), None, parent)?;
    let settings = root.join(integrations::FILE);
    let settings = source(state, integrations::FILE, settings, folders_to(&config));
    let path = root.path().replace('\\', "/");
    let name = path.rsplit('/').find(|part| !part.is_empty());
    let folder =
        |folder: &StoreFolder| source(state, folder.path(), folder.host(""), folders_to(folder));
    Ok(Object::new()
        .with("name", name.unwrap_or("/"))
        .with("state", folder(state))
        .with("sessions", folder(&sessions))
        .with("archive", folder(&archive))
        .with("tasks", folder(&root::tasks_folder(state)))
        .with("threads", folder(&state.below(root::THREADS)))
        .with("side", folder(&state.below(SIDE)))
        .with("settings", settings))
}

fn source(state: &StoreFolder, path: &str, host: String, folders: Vec<String>) -> Object {
    Object::new()
        .with("path", called(state, path))
        .with("host", host)
        .with("way", folders)
}

/// The name in a viewer of a path of the state folder or of one that goes with it: the reader of an export does not see
/// where on this machine it is.
pub(super) fn called<'a>(state: &StoreFolder, path: &'a str) -> &'a str {
    if state.is_below_root() {
        return path;
    }
    let above = state
        .path()
        .rfind('/')
        .map_or("", |at| &state.path()[..=at]);
    path.strip_prefix(above).unwrap_or(path)
}

fn folders_to(folder: &StoreFolder) -> Vec<String> {
    let parts = folder.own_parts();
    parts.iter().map(|part| folder.under_root(part)).collect()
}

async fn git(io: &Io, root: &Root) -> Option<String> {
    let place = root::repository(io, root).await.ok()??;
    Some(place.own)
}

async fn tracked(io: &Io, root: &Root, state: &StoreFolder) -> Vec<String> {
    if !state.is_below_root() || state.path().is_empty() {
        return Vec::new();
    }
    let tracked = root::tracked_state(io, root, state.path()).await;
    tracked.unwrap_or_default()
}

async fn files(
    io: &Io,
    state: &StoreFolder,
    targets: &[Target],
    added: &[String],
) -> Result<Vec<Object>, Error> {
    let mut files = Vec::new();
    for target in targets {
        let stem = names::stem(target)?;
        name::check_command(&target.command, added)?;
        let document = state.shown(&stem.file());
        let side = state.shown(&side_folder_of(&stem));
        // One that is gone may have a history.
        let found = state.inspect(io, &[document.clone(), side.clone()]).await?;
        if found.iter().all(|it| it.kind == Absent) {
            return Err(Error::no_checkpoint(target));
        }
        files.push(
            Object::new()
                .with("document", called(state, &document))
                .with("side", called(state, &side)),
        );
    }
    Ok(files)
}
