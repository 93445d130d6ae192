//! The bytes of a part: written once under a unique name.

use super::index::{Keys, ManifestFolder};
use super::keys;
use super::name::{Mark, PartName};
use crate::effect::{Access, Failed, Fault, Links, Sync};
use crate::error::Error;
use crate::store::MAX_DOCUMENTS;
use crate::store::location::{Stem, Storage, dates, while_shared};

/// A file that no index names and that was written so long ago is taken for a dead writer's. A
/// writer for which that is wrong has to begin again.
const DEAD_AFTER_MS: f64 = 60_000.0;

/// The leftovers to remove, by their writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// Those of writers that seem dead, from the dates of the files.
    Dead,
    /// Those of writers that may be at work, too.
    Any,
}

/// Writes a part. Its name is not durable yet.
pub(super) async fn put(
    location: &ManifestFolder<'_>,
    name: &Stem,
    part: &PartName,
    bytes: &[u8],
) -> Result<(), Error> {
    let inner = location.inner(name);
    let file = part.file();
    // Of nothing there is nothing to wait for.
    let sync = match bytes {
        [] => Sync::Lazy,
        _ => location.layout.durability,
    };
    let made = location
        .io
        .create(inner.host(&file), bytes.to_owned(), sync, Access::Owner);
    match made.await {
        Ok(()) => Ok(()),
        Err(failed) => Err(inner.error("write", &file, &failed)),
    }
}

/// The bytes of a part; `None` where it is not there.
pub(super) async fn read(
    location: &ManifestFolder<'_>,
    name: &Stem,
    part: &PartName,
) -> Result<Option<Vec<u8>>, Error> {
    let ManifestFolder {
        io, folder, layout, ..
    } = location;
    let limit = layout.max_part_bytes;
    let below = below(location, name, part);
    let path = folder.host(&below);
    let read = match location.storage() {
        Storage::Records => io.read_record(path).await,
        Storage::Files => {
            let read = || io.read(path.clone(), limit, Links::Refuse);
            while_shared(io, read).await
        }
    };
    let too_large = || {
        let path = folder.shown(&below);
        let message =
            format!("{path} is larger than {limit} bytes, which is the most that is read here");
        Error::too_large(path, message)
    };
    match read {
        Ok(bytes) if bytes.len() > limit as usize => Err(too_large()),
        Ok(bytes) => Ok(Some(bytes)),
        Err(failed) => match failed.fault {
            Fault::NotFound => Ok(None),
            Fault::TooLarge => Err(too_large()),
            _ => Err(folder.error("read", &below, &failed)),
        },
    }
}

/// Returns the place of a part in the folder of documents.
pub(super) fn below(location: &ManifestFolder<'_>, name: &Stem, part: &PartName) -> String {
    match location.storage() {
        Storage::Records => part.record(name),
        Storage::Files => format!("{}/{}", name.as_str(), part.file()),
    }
}

/// Removes parts that no index names, each after its mark: if this ends early, the rest is found by
/// the part. Parts that cannot be removed stay for the next writer of the document.
pub(super) async fn drop_all(location: &ManifestFolder<'_>, name: &Stem, parts: &[PartName]) {
    let inner = location.inner(name);
    for part in parts {
        let has_mark = location.layout.keys == Keys::OfAll;
        if !has_mark || keys::remove(location, &Mark::new(name, part)).await.is_ok() {
            let path = inner.host(&part.file());
            let _ = while_shared(location.io, || location.io.remove(path.clone())).await;
        }
    }
}

/// The parts in the folder of a document that are not among these: what others are preparing, or left.
pub(super) async fn others(
    location: &ManifestFolder<'_>,
    name: &Stem,
    known: &[PartName],
    age: Age,
) -> Result<Vec<PartName>, Error> {
    let inner = location.inner(name);
    let files = inner.names(location.io, "", MAX_DOCUMENTS).await?;
    let parts = files.iter().filter_map(|file| PartName::of_file(file));
    let others: Vec<PartName> = parts.filter(|part| !known.contains(part)).collect();
    if others.is_empty() || age == Age::Any {
        return Ok(others);
    }
    let files = others.iter().map(PartName::file).collect();
    let is_dead = dead(location, inner.host(""), files).await?;
    let others = others.into_iter().zip(is_dead);
    Ok(others.filter_map(|(part, is)| is.then_some(part)).collect())
}

/// Returns those of these files in a folder that seem to be of dead writers. Safety does not depend
/// on it, as nothing does on a clock; on a host without dates, all of them.
pub(super) async fn dead(
    location: &ManifestFolder<'_>,
    folder: String,
    files: Vec<String>,
) -> Result<Vec<bool>, Error> {
    let count = files.len();
    let dead = old(location, folder, files).await?;
    Ok(dead.unwrap_or_else(|| vec![true; count]))
}

/// Returns those of these files in a folder that were written long ago; `None` on a host without
/// dates.
pub(super) async fn old(
    location: &ManifestFolder<'_>,
    folder: String,
    files: Vec<String>,
) -> Result<Option<Vec<bool>>, Error> {
    let io = location.io;
    let cannot = |failed: Failed| failed.cannot_do("read the clock");
    let now_ms = io.clock().await.map_err(cannot)?.wall_ms;
    let dates = dates(io, folder, files).await;
    let is_old = |date: Option<f64>| date.is_some_and(|it| (now_ms - it).abs() > DEAD_AFTER_MS);
    Ok(dates.map(|it| it.into_iter().map(is_old).collect()))
}
