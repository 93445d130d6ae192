//! Paths that a caller typed, as those of the repository.

use crate::effect::{Io, PathKind};
use crate::error::{Error, WarningCode};
use crate::git::folder::is_absolute;
use crate::repository_path::{NotInRepository, below, repository_path};
use crate::root::{Alias, Root};
use crate::text::visible;

use super::{Settings, Warnings};

/// Returns whether a path that is kept as given, from the root on, leads out of the repository.
pub(in crate::operation) fn is_outside(settings: &Settings, root: &Root, path: &str) -> bool {
    let found = path_of(root, "", settings.alias.as_ref(), path);
    found == Err(NotInRepository::Outside)
}

/// The paths of the repository that a caller typed in its working folder, in their order: below the root, normalised,
/// with `/`. One that does not exist is a warning, because it may be one of a file that was deleted.
///
/// # Errors
///
/// [`Error::usage`] for the first one that is no path in the repository, with the reason.
pub(in crate::operation) async fn repository_paths(
    io: &Io,
    settings: &Settings,
    root: &Root,
    typed: &[&str],
    warnings: &mut Warnings,
) -> Result<Vec<String>, Error> {
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    let prefix = root.prefix(&settings.working);
    let mut paths = Vec::new();
    for typed in typed {
        let path = path_of(root, &prefix, settings.alias.as_ref(), typed).map_err(|why| {
            let reason = why.as_str();
            Error::usage(format!("The path '{}' {reason}", visible(typed)))
        })?;
        paths.push(path);
    }
    // A host that has no files to look at knows of none that is missing.
    let found = io.inspect(paths.iter().map(|path| root.join(path)).collect());
    let found = found.await.unwrap_or_default();
    for (path, entry) in paths.iter().zip(&found) {
        if entry.kind == PathKind::Absent {
            let path = visible(path);
            let message =
                format!("{path} does not exist: check its spelling, unless it was deleted");
            warnings.warn(WarningCode::MissingFile, message);
        }
    }
    Ok(paths)
}

/// The path of the repository that was typed, which an absolute one may be by another name of the folder.
fn path_of(
    root: &Root,
    prefix: &str,
    alias: Option<&Alias>,
    typed: &str,
) -> Result<String, NotInRepository> {
    let found = repository_path(root.path(), prefix, typed);
    let alias = alias.filter(|_| found == Err(NotInRepository::Outside) && is_absolute(typed));
    match alias.and_then(|alias| Some((alias, below(&alias.name, "", typed)?))) {
        Some((alias, below)) => {
            repository_path(root.path(), prefix, &format!("{}/{below}", alias.folder))
        }
        None => found,
    }
}
