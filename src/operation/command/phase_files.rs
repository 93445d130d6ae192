//! The files that a change gives a phase, as paths of the repository.

use crate::checkpoint::command::phases::ADDABLE;
use crate::error::{Error, WarningCode};
use crate::json::{Json, Object};
use crate::operation::workspace::Workspace;
use crate::operation::{Warnings, paths};
use crate::root::Root;
use crate::text::visible;

use super::run_store::RunStore;

/// The items for lists of a phase, with their paths from the root on; see [`paths::repository_paths`].
///
/// # Errors
///
/// Those of [`paths::repository_paths`].
pub(super) async fn added(
    store: &RunStore<'_>,
    add: &Object,
    warnings: &mut Warnings,
) -> Result<Object, Error> {
    let mut added = add.clone();
    for (_, items) in added.iter_mut() {
        if let Json::Array(items) = items {
            let Workspace { io, settings, .. } = **store;
            let typed: Vec<&str> = items.iter().filter_map(Json::as_str).collect();
            let found =
                paths::repository_paths(io, settings, &store.root, &typed, warnings).await?;
            *items = found.into_iter().map(Json::from).collect();
        }
    }
    Ok(added)
}

/// Returns whether a file of a patch may be outside of the repository. A path without `..` that begins at the root or
/// is relative is inside.
pub(super) fn may_lead_outside(root: &Root, patch: &Object) -> bool {
    let is_plain = |path: &str| {
        let below = path.strip_prefix(root.path());
        let below = below.and_then(|below| below.strip_prefix('/'));
        let path = below.unwrap_or(path);
        let climbs = path.split(['/', '\\']).any(|part| part == "..");
        !climbs && !matches!(path.as_bytes(), [b'/' | b'\\', ..] | [_, b':', ..])
    };
    files(patch).any(|path| !is_plain(path))
}

/// Warns of the files of a patch that are outside of the repository. A patch is kept as given, so that scripts
/// read what they wrote.
#[cold]
pub(super) fn warn_of_outside(store: &RunStore<'_>, patch: &Object, warnings: &mut Warnings) {
    let is_outside = |path: &&str| paths::is_outside(store.settings, &store.root, path);
    let outside: Vec<&str> = files(patch).filter(is_outside).collect();
    let Some(first) = outside.first() else {
        return;
    };
    let more = match outside.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let first = visible(first);
    let message = format!(
        "{first} is outside of the repository{more}: a patch is kept as given, so name its files from the root on"
    );
    warnings.warn(WarningCode::OutsideRepository, message);
}

/// The files that a patch gives its phase.
fn files(patch: &Object) -> impl Iterator<Item = &str> {
    let lists = ADDABLE.into_iter().filter_map(move |key| patch.get(key));
    let items = lists.filter_map(Json::as_array).flatten();
    items.filter_map(Json::as_str)
}
