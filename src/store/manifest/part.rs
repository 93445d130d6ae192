//! The bytes of a part: written once under a unique name.

use super::index::{Keys, ManifestFolder};
use super::name::{PartMark, PartName};
use super::{age, keys};
use crate::effect::{Access, Fault, Links, Sync};
use crate::error::Error;
use crate::store::MAX_DOCUMENTS;
use crate::store::location::{Stem, Storage, while_shared};

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
        if !has_mark
            || keys::remove(location, &PartMark::new(name, part))
                .await
                .is_ok()
        {
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
    let is_dead = age::dead(location, inner.host(""), files).await?;
    let others = others.into_iter().zip(is_dead);
    Ok(others.filter_map(|(part, is)| is.then_some(part)).collect())
}
