//! The folders of documents, below the root or where the settings say.

use crate::error::Error;
use crate::extent::IS_WHOLE;
use crate::store::{Storage, StoreFolder};

use super::location::Root;
use super::{NOTIFICATIONS, STATE_FOLDER, Settings, TASKS, THREADS};

/// The folder of snapshots, relative to the root.
const SESSIONS_FOLDER: &str = ".claude/checkpoints";

/// The folder of snapshots, in a folder of runs that the caller chose.
const CHOSEN_SESSIONS: &str = "checkpoints";

/// In either of both: those of work that is complete.
const ARCHIVE: &str = "archive";

/// In either of both: the snapshots before prompts, which no list of snapshots has.
#[cfg(sessions)]
const PROMPTS: &str = "prompts";

/// The folder of runs: the one that the settings name, else the program's own.
///
/// # Errors
///
/// [`Error::usage`] as [`StoreFolder::new`].
pub fn state_folder(root: &Root, settings: &Settings) -> Result<StoreFolder, Error> {
    let top = match IS_WHOLE && settings.storage == Storage::Records {
        true => root.path(),
        false => root.of_state(),
    };
    let folder = StoreFolder::new(top, settings.dir.as_deref(), STATE_FOLDER)?;
    Ok(folder.kept_in(settings.storage))
}

/// The folder of what belongs to this machine alone: that of runs, and the program's own where these are in a database.
///
/// # Errors
///
/// [`Error::usage`] as [`StoreFolder::new`].
pub fn local_folder(root: &Root, settings: &Settings) -> Result<StoreFolder, Error> {
    let folder = state_folder(root, settings)?;
    match folder.storage() {
        Storage::Files => Ok(folder),
        Storage::Records => StoreFolder::new(root.of_state(), None, STATE_FOLDER),
    }
}

/// The folder of snapshots: the program's own, or `checkpoints` in the folder that the settings
/// name.
///
/// # Errors
///
/// [`Error::usage`] as [`StoreFolder::new`].
pub fn sessions_folder(root: &Root, settings: &Settings) -> Result<StoreFolder, Error> {
    let chosen = settings.dir.as_deref().filter(|dir| !dir.is_empty());
    let chosen = chosen.map(|dir| format!("{dir}/{CHOSEN_SESSIONS}"));
    let folder = StoreFolder::new(root.path(), chosen.as_deref(), SESSIONS_FOLDER)?;
    Ok(folder.kept_in(settings.storage))
}

/// The folder of snapshots of work that is complete, in that of the others.
///
/// # Errors
///
/// [`Error::usage`] as [`StoreFolder::new`].
pub fn archive_folder(root: &Root, sessions: &StoreFolder) -> Result<StoreFolder, Error> {
    let path = format!("{}/{ARCHIVE}", sessions.path());
    let folder = StoreFolder::new(root.path(), Some(&path), "")?;
    Ok(folder.kept_in(sessions.storage()))
}

/// The folder of what is kept for rewinds, in that of snapshots.
///
/// # Errors
///
/// [`Error::usage`] as [`StoreFolder::new`].
#[cfg(sessions)]
pub fn prompts_folder(root: &Root, sessions: &StoreFolder) -> Result<StoreFolder, Error> {
    let path = format!("{}/{PROMPTS}", sessions.path());
    StoreFolder::new(root.path(), Some(&path), "")
}

/// The folder of task checkpoints, in a folder of runs.
pub fn tasks_folder(state: &StoreFolder) -> StoreFolder {
    state.below(TASKS)
}

/// The folder of threads, in a folder of runs.
pub fn threads_folder(state: &StoreFolder) -> StoreFolder {
    state.below(THREADS)
}

/// The folder of notifications, in a folder of runs.
pub fn notifications_folder(state: &StoreFolder) -> StoreFolder {
    state.below(NOTIFICATIONS)
}
