//! The entries that stand where something could not be read.

use crate::doctor::facts::Unread;
use crate::effect::{Io, PathKind};
use crate::error::{Code, Error, ErrorKind};
use crate::store::StoreFolder;

/// Describes the entry at a path that could not be read, relative to the root; `None` where it is gone.
pub(super) async fn describe(
    io: &Io,
    folder: &StoreFolder,
    path: &str,
    error: Error,
) -> Option<Unread> {
    let inspected = folder.inspect(io, &[path.to_owned()]).await;
    let entry = inspected.ok()?.first().copied()?;
    (entry.kind != PathKind::Absent).then(|| Unread {
        path: path.to_owned(),
        error,
        entry,
    })
}

/// Describes the entry at the path that a failure names, or else at this one. What is damaged may be so because it is
/// gone.
pub(super) async fn of_error(
    io: &Io,
    folder: &StoreFolder,
    shown: &str,
    error: Error,
) -> Option<Unread> {
    let path = match error.kind() {
        ErrorKind::Corrupt { path, .. }
        | ErrorKind::UnsafePath { path, .. }
        | ErrorKind::Io { path, .. }
            if !path.is_empty() =>
        {
            path.clone()
        }
        ErrorKind::TooLarge { input, .. } => input.clone(),
        _ => shown.to_owned(),
    };
    let inspected = folder.inspect(io, std::slice::from_ref(&path)).await;
    let entry = inspected.ok()?.first().copied()?;
    let is_damage = matches!(error.code(), Code::Corrupt | Code::InvalidDocument);
    (is_damage || entry.kind != PathKind::Absent).then_some(Unread { path, error, entry })
}
