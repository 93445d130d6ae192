//! The state of a path of the work tree and of the folders on the way to it.

use crate::effect::{Failed, Io, PathEntry, PathKind};
use crate::error::Error;
use crate::store::wrong_kind;

/// A work tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct GuardedTree<'a> {
    pub(super) io: &'a Io,
    /// As the host names it, without a final `/`.
    pub(super) root: &'a str,
}

/// The result of a look at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathCheck<'a> {
    /// Every folder on the way is one, and this stands there.
    Entry(PathEntry),
    /// The way ends before: this part of it is no folder, but this.
    Blocked(&'a str, PathKind),
}

impl<'a> GuardedTree<'a> {
    pub(super) fn host(&self, path: &str) -> String {
        format!("{}/{path}", self.root)
    }

    /// Looks at a path and at every folder on the way, in one effect.
    pub(super) async fn check<'p>(&self, path: &'p str) -> Result<PathCheck<'p>, Error> {
        let ends = path.match_indices('/').map(|(at, _)| at);
        let parts: Vec<&str> = ends.chain([path.len()]).map(|at| &path[..at]).collect();
        let paths = parts.iter().map(|it| self.host(it)).collect();
        let looked = self.io.inspect(paths).await;
        let entries = looked.map_err(|failed| failed.cannot("look at", path))?;
        let folders = parts.iter().zip(&entries).take(parts.len() - 1);
        for (part, entry) in folders {
            match entry.kind {
                PathKind::Folder => {}
                PathKind::Denied => return Err(Failed::denied().cannot("look at", part)),
                kind => return Ok(PathCheck::Blocked(part, kind)),
            }
        }
        match entries[parts.len() - 1] {
            entry if entry.kind == PathKind::Denied => {
                Err(Failed::denied().cannot("look at", path))
            }
            entry => Ok(PathCheck::Entry(entry)),
        }
    }

    /// Returns the state of a path whose folders all have to be there.
    pub(super) async fn expect(&self, path: &str) -> Result<PathEntry, Error> {
        match self.check(path).await? {
            PathCheck::Entry(entry) => Ok(entry),
            PathCheck::Blocked(part, PathKind::Absent) => {
                let message = format!(
                    "{path} cannot be restored: the folder {part} is gone since the plan was made"
                );
                Err(Error::io("inspect", path.to_owned(), message))
            }
            PathCheck::Blocked(part, kind) => Err(wrong_kind(part, kind, "a folder")),
        }
    }
}
