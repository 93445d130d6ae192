//! Task checkpoints that cannot be read: the index of a task, or what it names. And the marks that say of an id
//! which task has it.

use crate::checkpoint::task::index::parts;
use crate::checkpoint::task::limits::MOST_BYTES;
use crate::doctor::facts::{Inside, Unmarked, Unread};
use crate::effect::{Io, PathKind, Sync};
use crate::error::Error;
use crate::json::Object;
use crate::store::manifest::{Keys, Manifest, ManifestLayout, PartName};
use crate::store::{Stem, StoreFolder};

use super::unread::{describe, of_error};

/// Looks through every task. One whose folder is listed and has no index, nor a part that was written long ago, is just
/// being made, or was not finished: the next save of it goes on from there.
pub(super) async fn scan(io: &Io, folder: &StoreFolder, inside: &mut Inside) {
    let layout = ManifestLayout {
        durability: Sync::Lazy,
        max_part_bytes: u32::try_from(MOST_BYTES).unwrap_or(u32::MAX),
        keys: Keys::OfAll,
        parts: named,
    };
    let manifest = Manifest::new(io, folder, layout);
    // A link in the folder's place is refused: a host follows it where it lists.
    let names = match manifest.names().await {
        Ok(names) => names,
        Err(error) => {
            let unread = describe(io, folder, folder.path(), error).await;
            return inside.unread_tasks.extend(unread);
        }
    };
    for name in names {
        task(io, folder, &manifest, &name, inside).await;
    }
}

async fn task(
    io: &Io,
    folder: &StoreFolder,
    manifest: &Manifest<'_>,
    name: &Stem,
    inside: &mut Inside,
) {
    let index = match manifest.read(name).await {
        Ok(Some(index)) => index,
        Ok(None) => return,
        Err(error) => {
            let unread = of_error(io, folder, &manifest.shown(name), error).await;
            return inside.unread_tasks.extend(unread);
        }
    };
    for (path, entry) in manifest
        .misplaced_parts(name, &index)
        .await
        .unwrap_or_default()
    {
        let reason = match entry.kind {
            PathKind::Absent => "the index beside it names it, and it is not there",
            _ => "the index beside it names it, and it is no file",
        };
        let error = Error::corrupt(path.clone(), reason.to_owned(), None);
        inside.unread_tasks.push(Unread { path, error, entry });
    }
    let missing = manifest.missing_marks(name, &index).await;
    for mark in missing.unwrap_or_default() {
        inside.unmarked_tasks.push(Unmarked {
            path: manifest.shown(name),
            mark: format!("{}/{mark}", crate::root::TASKS),
        });
    }
}

fn named(index: &Object) -> Vec<PartName> {
    let parts = parts(index).into_iter();
    let parts = parts.map(|(key, token)| PartName {
        key: key.to_owned(),
        token: token.to_owned(),
    });
    parts.collect()
}
