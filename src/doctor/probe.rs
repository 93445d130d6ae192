//! The files of an examination that tries the file system: their names, and their removal.

use crate::digest::is_id;
use crate::effect::{Failed, Fault, Io, PathEntry, PathKind};
use crate::store::StoreFolder;

/// A folder of this kind holds nothing that anybody needs.
pub(super) const PROBE: &str = "probe-";
/// Names that stay while others come and go.
pub(super) const STAYS: &str = "stays-";
pub(super) const TOKEN: &str = "token-";
pub(super) const PREPARED: &str = ".new";
/// The ending of the file that is moved out of the folder, and how long it is.
pub(super) const MOVED: &str = ".moved";
const MOVED_BYTES: u64 = "four".len() as u64;
/// More names than a probe ever holds.
pub(super) const MAX_NAMES: u32 = 1_000;

/// Returns whether a name is that of something that an examination makes.
pub(super) fn is_trial(name: &str) -> bool {
    is_probe(name.strip_suffix(MOVED).unwrap_or(name))
}

/// Returns whether a name is that of a folder that an examination makes.
pub(super) fn is_probe(name: &str) -> bool {
    name.strip_prefix(PROBE).is_some_and(is_id)
}

/// Returns whether this is the file that an examination moves out of such a folder.
pub(super) fn is_moved(name: &str, entry: PathEntry) -> bool {
    let is_named = name.strip_suffix(MOVED).is_some_and(is_probe);
    is_named && entry.kind == PathKind::File && entry.size == MOVED_BYTES
}

/// Removes the folder of an examination with the files that it made in it, and nothing else:
/// what stands there may have been put there, or have changed since it was found.
pub(super) async fn remove(io: &Io, folder: &StoreFolder, below: &str) -> Result<(), Failed> {
    let mut parts = folder.own_parts();
    let ends = below.match_indices('/').map(|(at, _)| at);
    parts.extend(
        ends.chain([below.len()])
            .map(|end| folder.shown(&below[..end])),
    );
    let looked = folder.inspect(io, &parts).await;
    let entries = looked.map_err(|error| refused(Fault::Other, error.to_string()))?;
    for (part, entry) in parts.iter().zip(entries) {
        match entry.kind {
            PathKind::Folder => {}
            PathKind::Absent => return Err(refused(Fault::NotFound, format!("no {part}"))),
            kind => {
                let detail = format!("{part} is {}", kind.noun());
                return Err(refused(Fault::WrongKind, detail));
            }
        }
    }
    let path = folder.host(below);
    let listing = io.list(path.clone(), MAX_NAMES).await?;
    if let Some(name) = listing.names.iter().find(|name| !is_made(name)) {
        let detail = format!("it holds {name}, which no examination makes");
        return Err(refused(Fault::Other, detail));
    }
    for name in listing.names {
        gone(io.remove(format!("{path}/{name}")).await)?;
    }
    io.remove_folder(path).await
}

/// Counts the removal of a missing file as done.
pub(super) fn gone(removed: Result<(), Failed>) -> Result<(), Failed> {
    match removed {
        Err(failed) if failed.fault == Fault::NotFound => Ok(()),
        removed => removed,
    }
}

fn refused(fault: Fault, detail: String) -> Failed {
    Failed {
        effect: "",
        fault,
        detail,
    }
}

/// Returns whether a file of this name is made by an examination.
fn is_made(name: &str) -> bool {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let name = name.strip_suffix(PREPARED).unwrap_or(name);
    let numbered = [STAYS, TOKEN].iter().find_map(|it| name.strip_prefix(it));
    matches!(name, "one" | "two" | "three" | "four") || numbered.is_some_and(is_number)
}
