//! What stands where something could not be read.

use crate::doctor::facts::Unread;
use crate::effect::{Io, Kind};
use crate::error::Error;
use crate::store::Folder;

/// What could not be read at a path, relative to the root; `None` where it is gone.
pub(super) async fn standing(io: &Io, folder: &Folder, path: &str, error: Error) -> Option<Unread> {
    let inspected = folder.inspect(io, &[path.to_owned()]).await;
    let entry = inspected.ok()?.first().copied()?;
    (entry.kind != Kind::Absent).then(|| Unread {
        path: path.to_owned(),
        error,
        entry,
    })
}
