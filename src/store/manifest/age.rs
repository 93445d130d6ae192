//! The ages of files that no index names.

use super::index::ManifestFolder;
use crate::error::Error;
use crate::store::location::dates;

/// A file that no index names and that was written so long ago is taken for a dead writer's. A
/// writer for which that is wrong has to begin again.
const DEAD_AFTER_MS: f64 = 60_000.0;

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
    let now_ms = io.now().await?.wall_ms;
    let dates = dates(io, folder, files).await;
    let is_old = |date: Option<f64>| date.is_some_and(|it| (now_ms - it).abs() > DEAD_AFTER_MS);
    Ok(dates.map(|it| it.into_iter().map(is_old).collect()))
}
