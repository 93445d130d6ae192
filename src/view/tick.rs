//! A little of the work of reading checkpoints that have changed, so that a page answers in between.

use crate::error::Error;
use crate::json::{Json, Object};
use crate::schema::Shaped;

use super::viewer::Viewer;

/// So many bytes of documents are read in a millisecond, about: nothing here has a clock.
const BYTES_PER_MS: u64 = 50_000;

/// The state of reading.
#[derive(Shaped)]
pub(super) struct Tick {
    /// The number of checkpoints that are still to be read.
    pending: u64,
    /// The number of those that are known.
    indexed: u64,
    /// The number of all of them.
    total: u64,
    /// True if every checkpoint of the folder is known.
    whole: bool,
    /// The number of changes that a page may see.
    version: u64,
}

/// Reads for `ms` milliseconds, about; says how much is left, and whether every checkpoint of the folder is known.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let ms = question.get("ms").and_then(Json::as_u64).unwrap_or(1);
    viewer.read_changed(ms.max(1).saturating_mul(BYTES_PER_MS))?;
    let is_listed = viewer.is_listed();
    let index = viewer.index();
    let (indexed, pending) = (index.indexed() as u64, index.pending() as u64);
    let answer = Tick {
        pending,
        indexed,
        total: indexed + pending,
        whole: is_listed && pending == 0,
        version: index.version(),
    };
    Ok(answer.into())
}
