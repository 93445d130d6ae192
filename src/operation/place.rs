//! Where an operation works: the root, the commit that HEAD is at, and whether git tracks a file.
//!
//! HEAD and the index are read from the repository's files, so that no configuration of a
//! repository can make a program run. Only where refs lie in `reftable/` is the host asked for git.

use std::cell::OnceCell;

use super::Place;
pub use super::repository::Head;
use super::repository::{Repository, reason};
use crate::effect::{Found, Io};
use crate::error::Error;
use crate::git::folder;

/// The folder that state is kept below.
#[derive(Clone, Debug)]
pub struct Root {
    path: String,
    /// Where the nearest `.git` at or above the root is, once it was looked for.
    git: OnceCell<Option<Found>>,
}

/// Finds the root: the one that the caller names, else `GIT_ROOT`, else the nearest folder at or
/// above the working folder that holds `.git`, else the working folder.
///
/// # Errors
///
/// [`Error::usage`] for an empty root, [`Error::io`] when the folders above cannot be searched.
pub async fn locate(io: &Io, place: &Place) -> Result<Root, Error> {
    if let Some(root) = &place.root {
        if root.is_empty() {
            return Err(Error::usage(
                "Expected `root` to be a folder, got an empty text".into(),
            ));
        }
        return Ok(Root::new(root, OnceCell::new()));
    }
    if let Some(git_root) = place.git_root.as_ref().filter(|root| !root.is_empty()) {
        return Ok(Root::new(git_root, OnceCell::new()));
    }
    let found = io
        .ascend(place.working.clone(), ".git")
        .await
        .map_err(|failed| {
            let reason = reason(&failed);
            Error::io(format!(
                "Cannot look for a repository at or above the working folder: {reason}"
            ))
        })?;
    // The root is the folder of `.git` itself, so that nothing lies between them.
    let found = found.map(|found| Found {
        below: String::new(),
        ..found
    });
    let path = found.as_ref().map_or(&place.working, |found| &found.folder);
    Ok(Root::new(path, OnceCell::from(found.clone())))
}

/// Reads the commit that HEAD of the nearest repository at or above the root is at. After
/// [`locate`] found the root by its `.git`, this takes two reads in the common case: HEAD and the
/// branch.
pub async fn head(io: &Io, root: &Root) -> Head {
    let head = async {
        match root.git(io).await? {
            Some(found) => Repository::open(io, found).await?.head(io).await,
            None => Ok(Head::NoRepository),
        }
    };
    head.await.unwrap_or_else(Head::Unreadable)
}

/// Whether the git index holds the file at this path below the root. An index that is there but
/// cannot be read counts as holding it: the answer only decides whether to warn of a planted file.
pub async fn tracked(io: &Io, root: &Root, below_root: &str) -> bool {
    let tracked = async {
        match root.git(io).await? {
            Some(found) => {
                Repository::open(io, found)
                    .await?
                    .tracks(io, below_root)
                    .await
            }
            None => Ok(false),
        }
    };
    tracked.await.unwrap_or(true)
}

impl Root {
    fn new(path: &str, git: OnceCell<Option<Found>>) -> Self {
        Root {
            path: path.to_owned(),
            git,
        }
    }

    /// The folder, as the caller or the host named it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The path of something below the root; `below` has `/` between its parts.
    pub fn join(&self, below: &str) -> String {
        folder::join(&self.path, below)
    }

    /// The nearest `.git`, looked for at most once.
    async fn git(&self, io: &Io) -> Result<Option<&Found>, String> {
        if self.git.get().is_none() {
            let found = io
                .ascend(self.path.clone(), ".git")
                .await
                .map_err(|failed| {
                    format!(
                        "The folders above the root cannot be searched: {}",
                        reason(&failed)
                    )
                })?;
            // Nobody else can have set it: an operation is one line of steps.
            let _ = self.git.set(found);
        }
        Ok(self.git.get().and_then(Option::as_ref))
    }
}

#[cfg(test)]
mod tests {
    use super::Root;
    use std::cell::OnceCell;

    #[test]
    fn a_path_below_the_root_has_one_separator() {
        for (root, expected) in [
            ("/work/a", "/work/a/b/c"),
            ("/work/a/", "/work/a/b/c"),
            ("/work/a//", "/work/a/b/c"),
            ("/", "/b/c"),
            (".", "b/c"),
            ("./", "b/c"),
            ("..", "../b/c"),
            ("C:/", "C:/b/c"),
            ("C:\\work", "C:\\work/b/c"),
        ] {
            assert_eq!(
                Root::new(root, OnceCell::new()).join("b/c"),
                expected,
                "{root}"
            );
        }
    }
}
