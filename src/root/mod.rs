//! The place where an operation works: the root, the commit that HEAD is at, and whether git tracks
//! a file.
//!
//! HEAD and the index are read from the repository's files, so that no configuration of a
//! repository can make a program run. Only where refs are stored in `reftable/` is the host asked
//! for git.

mod checkout;
mod folders;
mod location;
mod messages;
mod repository;
mod tracking;

use crate::effect::Sync;
use crate::store::{Retention, Storage};
pub use checkout::{
    branch, checkout, created_from_other, has_branch, has_worktrees, head, repository,
    worktree_added,
};
#[cfg(sessions)]
pub use folders::prompts_folder;
pub use folders::{
    archive_folder, local_folder, notifications_folder, sessions_folder, state_folder,
    tasks_folder, threads_folder,
};
pub use location::{Root, locate};
pub(crate) use location::{expect_known, expect_there};
pub use repository::{Head, RepositoryFolders};
pub(crate) use tracking::tracked_state;
pub use tracking::{tracked, tracks_state};

/// The folder of runs, relative to the root.
pub const STATE_FOLDER: &str = ".claude/state";

/// The folder of task checkpoints, in that of runs.
pub const TASKS: &str = "tasks";

/// The folder of threads, beside it.
pub const THREADS: &str = "threads";

/// The folder of notifications of checkpoints, beside them.
pub const NOTIFICATIONS: &str = "notifications";

/// The folder of how full the context windows of agents' sessions are, in the side folder of all runs.
pub const CONTEXTS: &str = ".contexts";

/// The place where an operation works, in the caller's environment and arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The root that the caller chose.
    pub root: Option<String>,
    /// The value of `GIT_ROOT`; empty counts as absent.
    pub git_root: Option<String>,
    /// The working directory.
    pub working: String,
    /// Another name of it, or of a folder above it.
    pub alias: Option<Alias>,
    /// The folder of checkpoints, relative to the root or absolute.
    pub dir: Option<String>,
    /// States whether a change must survive a power loss before it is acknowledged.
    pub durability: Sync,
    /// The amount of history that is kept.
    pub history: Retention,
    /// The storage in which the host keeps documents.
    pub storage: Storage,
}

/// Another name of a folder, which a symbolic link gives it: paths are compared by their words alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The other name.
    pub name: String,
    /// The name by which the host knows it.
    pub folder: String,
}
