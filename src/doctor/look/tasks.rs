//! Task checkpoints that cannot be read: the index of a task, or what it names.

use crate::doctor::facts::Unread;
use crate::effect::{Entry, Io, Kind};
use crate::error::Error;
use crate::json::Json;
use crate::keys;
use crate::store::{Document, Folder, MAX_DOCUMENTS, Policy, SIDE, Slot, Stem};

use super::unread::standing;

/// Looks through every task. One whose folder is listed and has no index is just being made, or was not
/// finished: whoever saves it next goes on from there.
pub(super) async fn look(io: &Io, folder: &Folder) -> Vec<Unread> {
    let mut unread = Vec::new();
    let names = match names(io, folder).await {
        Ok(names) => names,
        Err(error) => {
            unread.extend(standing(io, folder, folder.path(), error).await);
            return unread;
        }
    };
    let names = names.into_iter().filter(|name| name != SIDE);
    for name in names.filter(|name| Stem::new(name.clone()).is_ok()) {
        task(io, &folder.below(&name), &mut unread).await;
    }
    unread
}

/// A link in the folder's place is refused: a host follows it where it lists.
async fn names(io: &Io, folder: &Folder) -> Result<Vec<String>, Error> {
    folder.check(io).await?;
    let names = folder.names_up_to(io, "", MAX_DOCUMENTS).await?;
    Ok(keys::sort(names.unwrap_or_default()))
}

async fn task(io: &Io, folder: &Folder, unread: &mut Vec<Unread>) {
    let Ok(stem) = Stem::new("index".to_owned()) else {
        return;
    };
    let slot = Slot::new(io, folder, &stem, Policy::default());
    let index = match slot.read().await {
        Ok(stored) => stored.document,
        Err(error) => {
            let path = slot.shown();
            return unread.extend(standing(io, folder, &path, error).await);
        }
    };
    let Some(index) = index else {
        return;
    };
    let parts = named(&index);
    let shown: Vec<String> = parts.iter().map(|part| folder.shown(part)).collect();
    let entries = folder.inspect(io, &shown).await.unwrap_or_default();
    for (path, entry) in shown.into_iter().zip(entries) {
        unread.extend(missing(path, entry));
    }
}

/// The files that an index names.
fn named(index: &Document) -> Vec<String> {
    let entries = index.object.get("checkpoints").and_then(Json::as_array);
    let file = |entry: &Json| {
        let [key, token] = ["/key", "/token"].map(|at| entry.at(at).and_then(Json::as_str));
        let name = format!("{}-{}", key?, token?);
        // Anything else would lead out of the folder.
        let is_plain = |it: char| it == '-' || it.is_ascii_hexdigit();
        name.chars().all(is_plain).then(|| format!("{name}.json"))
    };
    entries
        .unwrap_or_default()
        .iter()
        .filter_map(file)
        .collect()
}

fn missing(path: String, entry: Entry) -> Option<Unread> {
    let reason = match entry.kind {
        Kind::File => return None,
        Kind::Absent => "the index beside it names it, and it is not there",
        _ => "the index beside it names it, and it is no file",
    };
    let error = Error::corrupt(path.clone(), reason.to_owned(), None);
    Some(Unread { path, error, entry })
}
