//! The root, and the search for it.

use std::cell::OnceCell;

use crate::effect::{FoundEntry, Io, Nearest, PathKind};
use crate::error::{Advice, Error};
use crate::extent::IS_WHOLE;
use crate::git::folder;
use crate::repository_path::below;
use crate::store::{Storage, StoreFolder};

use super::messages::reason;
use super::repository::Repository;
use super::{STATE_FOLDER, Settings};

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
    pub(super) own: OnceCell<String>,
    /// The working folder from here, as the host says it; `None` where the caller named the root.
    #[cfg(not(hook_wasm))]
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
    #[cfg(hook_wasm)]
    drop(prefix);
    let mut root = Root {
        is_guess: git == Nearest::OutOfSight,
        path,
        main: None,
        git: OnceCell::from(git),
        #[cfg(not(hook_wasm))]
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

/// Refuses to begin a folder of documents where the root is only a guess: it may be within a
/// repository whose state is kept further up, and state would split in two.
///
/// # Errors
///
/// [`Error::usage`]; [`Error::io`] when the folder cannot be looked at.
pub(crate) async fn expect_known(io: &Io, root: &Root, folder: &StoreFolder) -> Result<(), Error> {
    if !root.is_guess || folder.is_there(io).await? {
        return Ok(());
    }
    let message = "No .git is visible to this program, so it is unknown where the state belongs: \
                   let it see the whole repository, or name the root";
    Err(Error::usage(message.to_owned()).with_advice(Advice::NameRoot))
}

/// Refuses a root that the user named and that is not a folder: anything looked for there would be
/// missing for a wrong reason. To be asked where something is missing.
///
/// # Errors
///
/// [`Error::usage`], with what named it.
pub(crate) async fn expect_there(io: &Io, root: &Root, folder: &StoreFolder) -> Result<(), Error> {
    let Some((named_by, shown)) = &root.named_by else {
        return Ok(());
    };
    if folder.storage() == Storage::Records {
        return Ok(());
    }
    let found = io.inspect(vec![root.path.clone()]).await;
    let why = match found.as_deref() {
        Ok([entry]) if entry.kind == PathKind::Absent => "does not exist",
        Ok([entry]) if entry.kind == PathKind::File => "is no folder",
        // A link may lead to one, and what cannot be looked at is another failure.
        _ => return Ok(()),
    };
    let message = sentence!("The root {shown} {why}");
    Err(Error::usage(message).with_advice(named_by.clone()))
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
            #[cfg(not(hook_wasm))]
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
    pub(crate) fn has_repository(&self) -> bool {
        matches!(self.git.get(), Some(Nearest::Found(_)))
    }

    /// The folder that a working folder is, from here: what relative paths begin with. It is empty
    /// for the root itself, and for a folder outside of it: there a path begins at the root.
    pub(crate) fn prefix(&self, working: &str) -> String {
        #[cfg(not(hook_wasm))]
        if let Some(prefix) = &self.prefix {
            return prefix.clone();
        }
        match folder::is_absolute(&self.path) == folder::is_absolute(working) {
            true => below(&self.path, &self.path, working).unwrap_or_default(),
            false => String::new(),
        }
    }

    /// Returns whether the caller or the environment named it.
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
            Some(Nearest::Found(found)) if found.kind == PathKind::File => {
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
        let kinds: Vec<PathKind> = entries.iter().map(|entry| entry.kind).collect();
        (kinds == [PathKind::Absent, PathKind::Folder]).then_some(top)
    }

    /// The `.git` of the main worktree, where state is kept there.
    pub(super) fn found_main(&self) -> Option<FoundEntry> {
        self.main.as_ref().map(|top| FoundEntry {
            folder: top.clone(),
            below: String::new(),
            kind: PathKind::Folder,
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
    pub(crate) fn join_of_state(&self, below: &str) -> String {
        folder::join(self.of_state(), below)
    }

    /// The nearest `.git`, looked for at most once.
    pub(super) async fn git(&self, io: &Io) -> Result<&Nearest, String> {
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
