//! Copies of what was found corrupt.

use crate::digest;
use crate::effect::Fault;
use crate::error::Error;
use crate::error::whole;
use crate::store::location::{PREPARING, Storage, make_below};
use crate::store::read::DocumentReader;
use crate::str_map;

/// The number of copies that are kept.
const KEPT: usize = 3;

/// Returns the name of a copy of corrupt bytes: by their content.
pub(in crate::store) fn copy_name(bytes: &[u8]) -> String {
    format!("{}.json", digest::digest(&[bytes]))
}

/// Keeps a durable copy of corrupt bytes; returns where. `id` is unique. A host with records keeps
/// it in the step that replaces them.
///
/// The copy's name begins with a label. Without one it is of the document, and the newest few of those stay; one
/// with a label is of what belongs to the document, and stays with it.
pub(in crate::store) async fn quarantine(
    reader: &DocumentReader<'_>,
    label: &str,
    bytes: &[u8],
    id: &str,
) -> Result<String, Error> {
    whole::needed()?;
    let DocumentReader { io, folder, paths } = reader;
    let copy = [label, &copy_name(bytes)].concat();
    if folder.storage() == Storage::Records {
        return Ok(paths.entry(&copy));
    }
    make_below(io, folder, &paths.quarantine()).await?;
    let below = paths.quarantined(&copy);
    let mut others = reader.names(&paths.quarantine()).await?;
    // Left over, a copy takes space and is removed by a later writer; nothing depends on it.
    let remove = |below: &str| io.remove(folder.host(below));
    if reader.bytes_of(&below).await?.as_deref() != Some(bytes) {
        let preparing = paths.quarantined(&format!("{id}{PREPARING}"));
        let mut kept = folder.put(io, bytes, &preparing, &below).await;
        if matches!(&kept, Err(failed) if failed.fault == Fault::NotFound) {
            // Swept by a writer that took this one for dead.
            kept = folder.put(io, bytes, &preparing, &below).await;
        }
        if let Err(failed) = kept {
            let _ = remove(&preparing).await;
            return Err(folder.error("write", &preparing, &failed));
        }
    }
    for synced in [paths.quarantine(), paths.own().to_owned()] {
        folder.sync(io, &synced).await?;
    }
    others.retain(|name| name.strip_suffix(".json").is_some_and(digest::is_id) && *name != copy);
    for name in str_map::sort(others).iter().skip(KEPT - 1) {
        let _ = remove(&paths.quarantined(name)).await;
    }
    Ok(below)
}
