//! The sources of everything that a viewer shows.

use crate::checkpoint::command::name;
use crate::effect::PathKind::Absent;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::integrations;
use crate::json::Json;
use crate::operation::command::names;
use crate::operation::project::load_integrations::added_commands;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Settings, Target};
use crate::root::{self, Root};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::{SIDE, StoreFolder, side_folder_of};

use super::mirror::mirrored;

pub(super) const OPERATION: Operation = Operation::at::<SourcesArguments, Sources>(
    "sources",
    "The places of everything that a viewer shows, and what the repository says of it; nothing is made but a mirror.",
    perform,
)
.of(Capability::Viewing);

/// The checkpoints to show.
#[derive(ArgumentMembers)]
struct SourcesArguments<'a> {
    /// Checkpoints whose files are to be named; each has to be there.
    #[shape(optional)]
    checkpoints: Vec<Target>,
    /// The place of state in records: an absolute folder that is there, and that nothing else writes to. Its files are
    /// brought up to what the records are.
    mirror: Option<&'a str>,
}

/// The places. A `path` has `/` between its parts and is relative to the root; what is elsewhere has its name alone.
#[derive(Shaped)]
struct Sources {
    #[shape(flatten)]
    folders: SourceFolders,
    /// The commit that HEAD is at, where it is known.
    head: Option<String>,
    /// The git folder of this worktree, as the host names it: something in it changes with HEAD.
    git: Option<String>,
    /// The files of the state folder that git tracks, relative to the root.
    tracked: Vec<String>,
    /// The commands that the project adds.
    commands: Vec<String>,
    /// The files of those that were asked for.
    checkpoints: Vec<CheckpointFiles>,
}

/// The folders and files that are sources.
#[derive(Shaped)]
struct SourceFolders {
    /// The name of the root.
    name: String,
    /// The state folder.
    state: Source,
    /// The folder of snapshots.
    sessions: Source,
    /// Those of work that is complete.
    archive: Source,
    /// The folder of task checkpoints.
    tasks: Source,
    /// The folder of threads.
    threads: Source,
    /// The files of the store beside the documents of the state folder.
    side: Source,
    /// The project's integrations.json.
    settings: Source,
}

/// A file or folder, there or not.
#[derive(Shaped)]
struct Source {
    /// Its name in a viewer.
    path: String,
    /// Its location, as the host names it.
    host: String,
    /// The folders that lead to it, outermost first and with it itself where it is one, as the host names them: none
    /// of them may be a symbolic link.
    way: Vec<String>,
}

/// The places of the files of a checkpoint.
#[derive(Shaped)]
struct CheckpointFiles {
    /// Its document, as a viewer calls it.
    document: String,
    /// The folder of what the store keeps beside it, likewise.
    side: String,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        with_warnings(async |warnings| {
            let root = root::locate(io, settings).await?;
            let state = root::state_folder(&root, settings)?;
            root::expect_there(io, &root, &state).await?;
            let SourcesArguments {
                checkpoints,
                mirror,
            } = arguments.read();
            if let Some(to) = mirror {
                mirrored(io, &root, &state, to, warnings).await?;
            }
            let added = added_commands(io, &root).await;
            let known = added.as_deref().unwrap_or_default();
            let checkpoints = files(io, &state, &checkpoints, known).await?;
            let sources = Sources {
                folders: folders(&root, settings, &state)?,
                head: root::head(io, &root).await.commit().map(str::to_owned),
                git: git(io, &root).await,
                tracked: tracked(io, &root, &state).await,
                // Why they cannot be read, doctor says.
                commands: added.unwrap_or_default(),
                checkpoints,
            };
            Ok(Json::from(sources))
        })
        .await
    })
}

fn folders(root: &Root, settings: &Settings, state: &StoreFolder) -> Result<SourceFolders, Error> {
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
    Ok(SourceFolders {
        name: name.unwrap_or("/").to_owned(),
        state: folder(state),
        sessions: folder(&sessions),
        archive: folder(&archive),
        tasks: folder(&root::tasks_folder(state)),
        threads: folder(&state.below(root::THREADS)),
        side: folder(&state.below(SIDE)),
        settings,
    })
}

fn source(state: &StoreFolder, path: &str, host: String, folders: Vec<String>) -> Source {
    Source {
        path: called(state, path).to_owned(),
        host,
        way: folders,
    }
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
) -> Result<Vec<CheckpointFiles>, Error> {
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
        files.push(CheckpointFiles {
            document: called(state, &document).to_owned(),
            side: called(state, &side).to_owned(),
        });
    }
    Ok(files)
}
