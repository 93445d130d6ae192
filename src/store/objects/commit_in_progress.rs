//! The processes that are making a snapshot: a folder for each, which is its right to publish.

use super::name::MAKING;
use crate::digest::{ID_BYTES, hex, is_id};
use crate::effect::{Failed, Fault, Io};
use crate::error::Error;
use crate::store::MAX_DOCUMENTS;
use crate::store::location::{MAX_NAMES, StoreFolder};

/// A writer that began so long ago is taken for dead, and one that begins so long from now. Where
/// that is wrong, it cannot publish any more, and begins again.
const DEAD_AFTER_S: f64 = 3_600.0;

/// A folder that others fill while it is emptied is tried so often.
const TRIES: u32 = 8;

/// The folder of a new writer. It says when it was made, for [`alive`].
pub(super) async fn new_commit(io: &Io) -> Result<String, Error> {
    let cannot = |failed: Failed| failed.cannot_do("begin a snapshot");
    let id = io.random(ID_BYTES as u32).await.map_err(cannot)?;
    let now = io.clock().await.map_err(cannot)?;
    let seconds = (now.wall_ms / 1000.0).max(0.0) as u64;
    Ok(format!("{MAKING}/{}-{seconds}", hex(&id)))
}

/// The treatment of writers that are taken for dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dead {
    /// Their folders stay as they are.
    Left,
    /// They are put out of their right, and what they left is removed.
    Revoked,
}

/// Returns the number of writers that are at work. A writer is counted whose folder is there during
/// all of this. One that is not counted, and was revoked, publishes nothing any more.
pub(super) async fn alive(io: &Io, folder: &StoreFolder, dead: Dead) -> Result<usize, Error> {
    let names = folder.names(io, MAKING, MAX_DOCUMENTS).await?;
    if names.is_empty() {
        return Ok(0);
    }
    let now = io.clock().await;
    let now = now.map_err(|failed| folder.error("look at", MAKING, &failed))?;
    let mut alive = 0;
    for name in names {
        let Some(since) = since(&name) else { continue };
        let age = now.wall_ms / 1000.0 - since as f64;
        let below = format!("{MAKING}/{name}");
        let is_gone = match dead {
            _ if age.abs() <= DEAD_AFTER_S => false,
            Dead::Left => true,
            Dead::Revoked => removed(io, folder, &below).await?,
        };
        alive += usize::from(!is_gone);
    }
    Ok(alive)
}

/// Returns the time when a writer began; `None` for a name that is no writer's.
fn since(name: &str) -> Option<u64> {
    let (id, seconds) = name.split_once('-')?;
    is_id(id).then_some(())?;
    seconds.parse().ok()
}

/// Removes the folder of a writer; whether it is gone.
pub(super) async fn removed(io: &Io, folder: &StoreFolder, below: &str) -> Result<bool, Error> {
    folder.expect_folders(io, &[folder.shown(below)]).await?;
    for _ in 0..TRIES {
        // Only an empty folder goes, so that nothing is published from it afterwards.
        for name in folder.names(io, below, MAX_NAMES * 100).await? {
            let _ = io.remove(folder.host(&format!("{below}/{name}"))).await;
        }
        match io.remove_folder(folder.host(below)).await {
            Ok(()) => return Ok(true),
            Err(failed) if failed.fault == Fault::NotFound => return Ok(true),
            Err(_) => {}
        }
    }
    Ok(false)
}
