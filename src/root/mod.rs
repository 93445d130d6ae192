//! The place where an operation works: the root, the commit that HEAD is at, and whether git tracks
//! a file.
//!
//! HEAD and the index are read from the repository's files, so that no configuration of a
//! repository can make a program run. Only where refs are stored in `reftable/` is the host asked
//! for git.

mod repository;

use std::cell::OnceCell;

use crate::effect::{FoundEntry, Io, Kind, Nearest, Sync};
use crate::error::{Advice, Error};
use crate::extent::IS_WHOLE;
#[cfg(any(feature = "sessions", feature = "agents", not(target_family = "wasm")))]
use crate::git::Checkout;
use crate::git::folder;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
use crate::repository_path::below;
use crate::store::{Folder, Retention, Storage};
pub use repository::Head;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub use repository::RepositoryFolders;
use repository::{Repository, reason};

/// The folder of command checkpoints, relative to the root.
pub const STATE_FOLDER: &str = ".claude/state";

/// The folder of task checkpoints, in that of command checkpoints.
pub const TASKS: &str = "tasks";

/// The folder of threads, beside it.
pub const THREADS: &str = "threads";

/// The folder of notifications of checkpoints, beside them.
pub const NOTIFICATIONS: &str = "notifications";

/// The folder of how full the context windows of agents' sessions are, in the side folder of all command
/// checkpoints.
pub const CONTEXTS: &str = ".contexts";

/// The folder of session checkpoints, relative to the root.
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
const SESSIONS_FOLDER: &str = ".claude/checkpoints";

/// The folder of session checkpoints, in a folder of command checkpoints that the caller chose.
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
const CHOSEN_SESSIONS: &str = "checkpoints";

/// In either of both: those of work that is complete.
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
const ARCHIVE: &str = "archive";

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

/// The folder that an operation works in, and that state is kept below, unless it is a linked worktree.
#[derive(Clone, Debug)]
pub struct Root {
    path: String,
    /// The top of the main worktree of this linked one, whose state is kept there: git removes a worktree with what
    /// it ignores in it.
    main: Option<String>,
    /// The place of the nearest `.git` at or above the root, once it was looked for.
    git: OnceCell<Nearest>,
    /// The git folder of this worktree, once it was looked for.
    own: OnceCell<String>,
    /// The working folder from here, as the host says it; `None` where the caller named the root.
    #[cfg(any(feature = "sessions", not(target_family = "wasm")))]
    prefix: Option<String>,
    /// True if it is the working folder for want of a better one: the host sees no `.git`, and not
    /// every folder that may hold one.
    is_guess: bool,
    /// The setting to check where it does not exist, and its name in messages; `None` where it was
    /// found.
    named_by: Option<(Advice, String)>,
}

/// Finds the root: the one that the caller names, else `GIT_ROOT`, else the nearest folder at or
/// above the working folder that holds `.git`, else the working folder.
///
/// Where that `.git` is of a linked worktree, state is kept with the main one, unless the worktree has a state folder
/// already, or the host does not show the main worktree.
///
/// # Errors
///
/// [`Error::usage`] for an empty root, [`Error::io`] when the folders above cannot be searched.
pub async fn locate(io: &Io, settings: &Settings) -> Result<Root, Error> {
    if let Some(root) = &settings.root {
        if root.is_empty() {
            return Err(Error::usage(
                "Expected `root` to be a folder, got an empty text".into(),
            ));
        }
        return Ok(Root::named(root, &settings.working, Advice::CheckRoot));
    }
    if let Some(git_root) = settings.git_root.as_ref().filter(|root| !root.is_empty()) {
        return Ok(Root::named(
            git_root,
            &settings.working,
            Advice::CheckGitRoot,
        ));
    }
    let nearest = io
        .ascend(settings.working.clone(), ".git")
        .await
        .map_err(|failed| {
            let reason = reason(&failed);
            let message =
                format!("Cannot look for a repository at or above the working folder: {reason}");
            Error::io(failed.effect, String::new(), message)
        })?;
    let (path, git, prefix) = match nearest {
        Nearest::Found(mut found) => {
            let path = found.folder.clone();
            // The root is the folder of `.git` itself, so that nothing is between them.
            let prefix = std::mem::take(&mut found.below);
            (path, Nearest::Found(found), prefix)
        }
        nowhere => (settings.working.clone(), nowhere, String::new()),
    };
    #[cfg(not(any(feature = "sessions", not(target_family = "wasm"))))]
    drop(prefix);
    let mut root = Root {
        is_guess: git == Nearest::OutOfSight,
        path,
        main: None,
        git: OnceCell::from(git),
        #[cfg(any(feature = "sessions", not(target_family = "wasm")))]
        prefix: Some(prefix),
        named_by: None,
        own: OnceCell::new(),
    };
    let is_own_choice = settings.dir.as_ref().is_none_or(String::is_empty);
    // Beside a database, what belongs to this machine is kept there.
    let is_beside_records = IS_WHOLE && settings.storage == Storage::Records;
    if is_own_choice || is_beside_records {
        root.main = root.main_worktree(io).await;
    }
    Ok(root)
}

/// The folder of command checkpoints: the one that the settings name, else the program's own.
///
/// # Errors
///
/// [`Error::usage`] as [`Folder::new`].
pub fn state_folder(root: &Root, settings: &Settings) -> Result<Folder, Error> {
    let top = match IS_WHOLE && settings.storage == Storage::Records {
        true => root.path(),
        false => root.of_state(),
    };
    let folder = Folder::new(top, settings.dir.as_deref(), STATE_FOLDER)?;
    Ok(folder.kept_in(settings.storage))
}

/// The folder of what belongs to this machine alone: that of runs, and the program's own where these are in a database.
///
/// # Errors
///
/// [`Error::usage`] as [`Folder::new`].
#[cfg(any(feature = "sessions", feature = "agents", not(target_family = "wasm")))]
pub fn local_folder(root: &Root, settings: &Settings) -> Result<Folder, Error> {
    let folder = state_folder(root, settings)?;
    match folder.storage() {
        Storage::Files => Ok(folder),
        Storage::Records => Folder::new(root.of_state(), None, STATE_FOLDER),
    }
}

/// The folder of session checkpoints: the program's own, or `checkpoints` in the folder that the settings
/// name.
///
/// # Errors
///
/// [`Error::usage`] as [`Folder::new`].
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub fn sessions_folder(root: &Root, settings: &Settings) -> Result<Folder, Error> {
    let chosen = settings.dir.as_deref().filter(|dir| !dir.is_empty());
    let chosen = chosen.map(|dir| format!("{dir}/{CHOSEN_SESSIONS}"));
    let folder = Folder::new(root.path(), chosen.as_deref(), SESSIONS_FOLDER)?;
    Ok(folder.kept_in(settings.storage))
}

/// The folder of session checkpoints of work that is complete, in that of the others.
///
/// # Errors
///
/// [`Error::usage`] as [`Folder::new`].
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub fn archive_folder(root: &Root, sessions: &Folder) -> Result<Folder, Error> {
    let path = format!("{}/{ARCHIVE}", sessions.path());
    let folder = Folder::new(root.path(), Some(&path), "")?;
    Ok(folder.kept_in(sessions.storage()))
}

/// The folder of task checkpoints, in one of command checkpoints.
pub fn tasks_folder(state: &Folder) -> Folder {
    state.below(TASKS)
}

/// The folder of threads, in one of command checkpoints.
#[cfg(any(feature = "threads", not(target_family = "wasm")))]
pub fn threads_folder(state: &Folder) -> Folder {
    state.below(THREADS)
}

/// The folder of notifications of checkpoints, in one of command checkpoints.
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
pub fn notifications_folder(state: &Folder) -> Folder {
    state.below(NOTIFICATIONS)
}

/// Refuses to begin a folder of documents where the root is only a guess: it may be within a
/// repository whose state is kept further up, and state would split in two.
///
/// # Errors
///
/// [`Error::usage`]; [`Error::io`] when the folder cannot be looked at.
pub(crate) async fn expect_known(io: &Io, root: &Root, folder: &Folder) -> Result<(), Error> {
    if !root.is_guess || folder.is_there(io).await? {
        return Ok(());
    }
    let message = "There is no .git in what this program may see, so where the state belongs is \
                   unknown: let it see the whole repository, or name the root";
    Err(Error::usage(message.to_owned()).with_advice(Advice::NameRoot))
}

/// Refuses a root that the user named and that is not a folder: anything looked for there would be
/// missing for a wrong reason. To be asked where something is missing.
///
/// # Errors
///
/// [`Error::usage`], with what named it.
pub(crate) async fn expect_there(io: &Io, root: &Root, folder: &Folder) -> Result<(), Error> {
    let Some((named_by, shown)) = &root.named_by else {
        return Ok(());
    };
    if folder.storage() == Storage::Records {
        return Ok(());
    }
    let found = io.inspect(vec![root.path.clone()]).await;
    let why = match found.as_deref() {
        Ok([entry]) if entry.kind == Kind::Absent => "does not exist",
        Ok([entry]) if entry.kind == Kind::File => "is no folder",
        // A link may lead to one, and what cannot be looked at is another failure.
        _ => return Ok(()),
    };
    let message = sentence!("The root {shown} {why}");
    Err(Error::usage(message).with_advice(named_by.clone()))
}

/// Reads the commit that HEAD of the nearest repository at or above the root is at. After
/// [`locate`] found the root by its `.git`, this takes two reads in the common case: HEAD and the
/// branch.
pub async fn head(io: &Io, root: &Root) -> Head {
    let head = async {
        match root.git(io).await? {
            Nearest::Found(found) => Repository::open(io, found, &root.own).await?.head(io).await,
            Nearest::Nowhere => Ok(Head::NoRepository),
            Nearest::OutOfSight => Ok(Head::OutOfSight),
        }
    };
    head.await.unwrap_or_else(Head::Unreadable)
}

/// The branch that is checked out, such as `feature/ENG-123-dark-mode`; `None` where HEAD is at no branch,
/// and where there is no repository.
///
/// # Errors
///
/// A sentence, when there is a repository whose HEAD cannot be read.
#[cfg(any(feature = "cli", feature = "agents", not(target_family = "wasm")))]
pub async fn branch(io: &Io, root: &Root) -> Result<Option<String>, String> {
    match root.git(io).await? {
        Nearest::Found(found) => {
            let repository = Repository::open(io, found, &root.own).await?;
            repository.branch(io).await
        }
        Nearest::Nowhere | Nearest::OutOfSight => Ok(None),
    }
}

/// Returns the commit and branch that are checked out at the root. The default branch is the one
/// that the remote `origin` names.
#[cfg(any(feature = "sessions", feature = "agents", not(target_family = "wasm")))]
pub async fn checkout(io: &Io, root: &Root) -> Checkout {
    let Ok(Nearest::Found(found)) = root.git(io).await else {
        return Checkout::Unknown;
    };
    let Ok(repository) = Repository::open(io, found, &root.own).await else {
        return Checkout::Unknown;
    };
    match repository.branch(io).await {
        Ok(branch) => Checkout::Known {
            branch,
            worktree: repository.worktree(),
            default: repository.default_branch(io).await,
        },
        Err(_) => Checkout::Unknown,
    }
}

/// Returns whether the repository has a branch of that name; true where that cannot be read.
#[cfg(any(feature = "agents", not(target_family = "wasm")))]
pub async fn has_branch(io: &Io, root: &Root, branch: &str) -> bool {
    let Ok(Nearest::Found(found)) = root.git(io).await else {
        return true;
    };
    match Repository::open(io, found, &root.own).await {
        Ok(repository) => repository.has_branch(io, branch).await,
        Err(_) => true,
    }
}

/// Returns when a branch was created from another one, in ms, as its reflog says.
#[cfg(any(feature = "agents", not(target_family = "wasm")))]
pub async fn created_from_other(io: &Io, root: &Root, branch: &str) -> Option<f64> {
    let Ok(Nearest::Found(found)) = root.git(io).await else {
        return None;
    };
    let repository = Repository::open(io, found, &root.own).await.ok()?;
    repository.created_from_other(io, branch).await
}

/// Returns when the linked worktree of the root was added, in ms; `None` where that is not known,
/// and for a main worktree.
#[cfg(any(feature = "sessions", feature = "agents", not(target_family = "wasm")))]
pub async fn worktree_added(io: &Io, root: &Root) -> Option<f64> {
    let Ok(Nearest::Found(found)) = root.git(io).await else {
        return None;
    };
    let repository = Repository::open(io, found, &root.own).await.ok()?;
    repository.added(io).await
}

/// Returns whether several worktrees may keep their state where this root does.
#[cfg(any(feature = "agents", not(target_family = "wasm")))]
pub async fn has_worktrees(io: &Io, root: &Root) -> bool {
    let Ok(Nearest::Found(found)) = root.git(io).await else {
        return false;
    };
    match Repository::open(io, found, &root.own).await {
        Ok(repository) => repository.has_worktrees(io).await,
        Err(_) => false,
    }
}

/// Returns whether the git index holds the file at this path below the root; `None` where the host
/// sees no repository. It costs one effect, and two where the index has more than some hundred
/// entries; all of such an index is read only where its start is not enough, as for a root below
/// the top of the repository.
///
/// # Errors
///
/// A sentence, when there is an index that cannot be read.
pub async fn tracked(io: &Io, root: &Root, below_root: &str) -> Result<Option<bool>, String> {
    match root.git(io).await? {
        Nearest::Found(found) => {
            let repository = Repository::open(io, found, &root.own).await?;
            repository.tracks(io, below_root).await.map(Some)
        }
        Nearest::Nowhere | Nearest::OutOfSight => Ok(None),
    }
}

/// Returns whether the git index holds a file of the state folder, which may be that of the main
/// worktree.
///
/// # Errors
///
/// As [`tracked`].
pub async fn tracks_state(io: &Io, root: &Root, path: &str) -> Result<Option<bool>, String> {
    let Some(found) = root.found_main() else {
        return tracked(io, root, path).await;
    };
    let repository = Repository::open(io, &found, &OnceCell::new()).await?;
    repository.tracks(io, path).await.map(Some)
}

/// Returns the place of the files of the nearest repository at or above the root; `None` where the
/// host sees none.
///
/// # Errors
///
/// A sentence, when that cannot be decided.
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub async fn repository(io: &Io, root: &Root) -> Result<Option<RepositoryFolders>, String> {
    match root.git(io).await? {
        Nearest::Found(found) => {
            let repository = Repository::open(io, found, &root.own).await?;
            repository.place(io).await.map(Some)
        }
        Nearest::Nowhere | Nearest::OutOfSight => Ok(None),
    }
}

/// The files of the state folder that the git index holds; the folder and they are relative to where it is kept.
///
/// # Errors
///
/// A sentence, when there is an index that cannot be read.
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
pub(crate) async fn tracked_state(
    io: &Io,
    root: &Root,
    folder: &str,
) -> Result<Vec<String>, String> {
    if let Some(found) = root.found_main() {
        let repository = Repository::open(io, &found, &OnceCell::new()).await?;
        return repository.tracked_below(io, folder).await;
    }
    match root.git(io).await? {
        Nearest::Found(found) => {
            let repository = Repository::open(io, found, &root.own).await?;
            repository.tracked_below(io, folder).await
        }
        Nearest::Nowhere | Nearest::OutOfSight => Ok(Vec::new()),
    }
}

impl Root {
    /// A root that the caller chose. It is shown as seen from the working folder, as on every host.
    fn named(path: &str, working: &str, named_by: Advice) -> Self {
        let below = path.strip_prefix(working);
        let below = below.and_then(|path| path.strip_prefix('/'));
        let shown = below.filter(|path| !path.is_empty()).unwrap_or(path);
        Root {
            path: path.to_owned(),
            main: None,
            git: OnceCell::new(),
            own: OnceCell::new(),
            #[cfg(any(feature = "sessions", not(target_family = "wasm")))]
            prefix: None,
            is_guess: false,
            named_by: Some((named_by, shown.to_owned())),
        }
    }

    /// The folder, as the caller or the host named it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns whether it was found by its `.git`.
    #[cfg(any(feature = "agents", not(target_family = "wasm")))]
    pub(crate) fn has_repository(&self) -> bool {
        matches!(self.git.get(), Some(Nearest::Found(_)))
    }

    /// The folder that a working folder is, from here: what relative paths begin with. It is empty
    /// for the root itself, and for a folder outside of it: there a path begins at the root.
    #[cfg(any(feature = "sessions", not(target_family = "wasm")))]
    pub(crate) fn prefix(&self, working: &str) -> String {
        match &self.prefix {
            Some(prefix) => prefix.clone(),
            None if folder::is_absolute(&self.path) == folder::is_absolute(working) => {
                below(&self.path, &self.path, working).unwrap_or_default()
            }
            None => String::new(),
        }
    }

    /// Returns whether the caller or the environment named it.
    #[cfg(any(feature = "agents", not(target_family = "wasm")))]
    pub(crate) fn is_named(&self) -> bool {
        self.named_by.is_some()
    }

    /// The folder that state is kept below.
    pub fn of_state(&self) -> &str {
        self.main.as_ref().unwrap_or(&self.path)
    }

    /// The top of the main worktree, where the root is that of a linked one whose state is to be kept there.
    async fn main_worktree(&self, io: &Io) -> Option<String> {
        match self.git.get() {
            Some(Nearest::Found(found)) if found.kind == Kind::File => {
                self.main_of_linked(io, found).await
            }
            _ => None,
        }
    }

    #[inline(never)]
    async fn main_of_linked(&self, io: &Io, found: &FoundEntry) -> Option<String> {
        let repository = Repository::open(io, found, &self.own).await.ok()?;
        let top = repository.main_worktree(io).await?;
        let paths = vec![self.join(STATE_FOLDER), top.clone()];
        let entries = io.inspect(paths).await.ok()?;
        let kinds: Vec<Kind> = entries.iter().map(|entry| entry.kind).collect();
        (kinds == [Kind::Absent, Kind::Folder]).then_some(top)
    }

    /// The `.git` of the main worktree, where state is kept there.
    fn found_main(&self) -> Option<FoundEntry> {
        self.main.as_ref().map(|top| FoundEntry {
            folder: top.clone(),
            below: String::new(),
            kind: Kind::Folder,
        })
    }

    /// Returns whether it is more than the working folder for want of a better one.
    pub fn is_known(&self) -> bool {
        !self.is_guess
    }

    /// The path of something below the root; `below` has `/` between its parts.
    pub fn join(&self, below: &str) -> String {
        folder::join(&self.path, below)
    }

    /// The path of something below the folder that state is kept below.
    #[cfg(any(feature = "cli", not(target_family = "wasm")))]
    pub(crate) fn join_of_state(&self, below: &str) -> String {
        folder::join(self.of_state(), below)
    }

    /// The nearest `.git`, looked for at most once.
    async fn git(&self, io: &Io) -> Result<&Nearest, String> {
        if let Some(nearest) = self.git.get() {
            return Ok(nearest);
        }
        let nearest = io.ascend(self.path.clone(), ".git").await;
        let nearest = nearest.map_err(|failed| {
            format!(
                "The folders above the root cannot be searched: {}",
                reason(&failed)
            )
        })?;
        // It cannot have been set by another: an operation is one line of steps.
        Ok(self.git.get_or_init(|| nearest))
    }
}

#[cfg(test)]
mod tests {
    use super::Root;
    use crate::error::Advice;

    #[test]
    fn a_root_that_does_not_exist_is_shown_as_seen_from_the_working_folder() {
        for (root, working, expected) in [
            ("/home/a/missing", "/home/a", "missing"),
            ("./missing", ".", "missing"),
            ("/home/ab", "/home/a", "/home/ab"),
            ("/home/a", "/home/a", "/home/a"),
            ("elsewhere", "", "elsewhere"),
        ] {
            let root = Root::named(root, working, Advice::CheckRoot);
            let (_, shown) = root.named_by.unwrap();
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn relative_paths_begin_in_the_working_folder_where_that_is_in_the_root() {
        for (root, working, expected) in [
            ("/p", "/p/packages/api", "packages/api"),
            ("/p/", "/p", ""),
            ("/p", "/home", ""),
            ("/p", "/px", ""),
            ("C:\\p", "c:\\P\\src", "src"),
            (".", ".", ""),
            ("./sub", ".", ""),
            (".", "/home", ""),
        ] {
            let named = Root::named(root, working, Advice::CheckRoot);
            assert_eq!(named.prefix(working), expected, "{working} in {root}");
        }
    }

    #[test]
    fn a_path_below_the_root_has_one_separator() {
        for (root, expected) in [
            ("/home/a", "/home/a/b/c"),
            ("/home/a/", "/home/a/b/c"),
            ("/home/a//", "/home/a/b/c"),
            ("/", "/b/c"),
            (".", "b/c"),
            ("./", "b/c"),
            ("..", "../b/c"),
            ("C:/", "C:/b/c"),
            ("C:\\work", "C:\\work/b/c"),
        ] {
            let root = Root::named(root, "/home", Advice::CheckRoot);
            assert_eq!(root.join("b/c"), expected, "{root:?}");
        }
    }
}
