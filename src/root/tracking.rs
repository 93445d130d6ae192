//! The files that the git index holds.

use std::cell::OnceCell;

use crate::effect::{Io, Nearest};

use super::location::Root;
use super::repository::Repository;

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

/// The files of the state folder that the git index holds; the folder and they are relative to where it is kept.
///
/// # Errors
///
/// A sentence, when there is an index that cannot be read.
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
