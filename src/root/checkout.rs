//! The commit and the branch that are checked out at a root, and its worktree.

use crate::effect::{Io, Nearest};
use crate::git::Checkout;

use super::location::Root;
use super::repository::{Head, Repository, RepositoryFolders};

/// Reads the commit that HEAD of the nearest repository at or above the root is at. After
/// [`locate`](super::locate) found the root by its `.git`, this takes two reads in the common case: HEAD and the
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
pub async fn branch(io: &Io, root: &Root) -> Result<Option<String>, String> {
    match root.git(io).await? {
        Nearest::Found(found) => {
            let repository = Repository::open(io, found, &root.own).await?;
            repository.branch(io).await
        }
        Nearest::Nowhere | Nearest::OutOfSight => Ok(None),
    }
}

/// Returns the branch that is checked out at the root, its worktree and the default branch. That is the one that the
/// remote `origin` names; without one, a branch with the name of a trunk that is checked out, or else `main` or
/// `master`, if there is one of them.
pub async fn checkout(io: &Io, root: &Root) -> Checkout {
    let Ok(Nearest::Found(found)) = root.git(io).await else {
        return Checkout::Unknown;
    };
    let Ok(repository) = Repository::open(io, found, &root.own).await else {
        return Checkout::Unknown;
    };
    match repository.branch(io).await {
        Ok(branch) => Checkout::Known {
            default: repository.default_branch(io, branch.as_deref()).await,
            branch,
            worktree: repository.worktree(),
        },
        Err(_) => Checkout::Unknown,
    }
}

/// Returns whether the repository has a branch of that name; true where that cannot be read.
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
pub async fn created_from_other(io: &Io, root: &Root, branch: &str) -> Option<f64> {
    let Ok(Nearest::Found(found)) = root.git(io).await else {
        return None;
    };
    let repository = Repository::open(io, found, &root.own).await.ok()?;
    repository.created_from_other(io, branch).await
}

/// Returns when the linked worktree of the root was added, in ms; `None` where that is not known,
/// and for a main worktree.
pub async fn worktree_added(io: &Io, root: &Root) -> Option<f64> {
    let Ok(Nearest::Found(found)) = root.git(io).await else {
        return None;
    };
    let repository = Repository::open(io, found, &root.own).await.ok()?;
    repository.added(io).await
}

/// Returns whether several worktrees may keep their state where this root does.
pub async fn has_worktrees(io: &Io, root: &Root) -> bool {
    let Ok(Nearest::Found(found)) = root.git(io).await else {
        return false;
    };
    match Repository::open(io, found, &root.own).await {
        Ok(repository) => repository.has_worktrees(io).await,
        Err(_) => false,
    }
}

/// Returns the place of the files of the nearest repository at or above the root; `None` where the
/// host sees none.
///
/// # Errors
///
/// A sentence, when that cannot be decided.
pub async fn repository(io: &Io, root: &Root) -> Result<Option<RepositoryFolders>, String> {
    match root.git(io).await? {
        Nearest::Found(found) => {
            let repository = Repository::open(io, found, &root.own).await?;
            repository.place(io).await.map(Some)
        }
        Nearest::Nowhere | Nearest::OutOfSight => Ok(None),
    }
}
