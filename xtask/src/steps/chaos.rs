//! Real processes, stopped and killed at random.

use anyhow::Result;

use super::{Ground, Outcome};
use crate::chaos;

/// On every host of a writer, or not at all.
pub(super) fn nothing_is_lost(ground: &Ground) -> Result<Outcome> {
    ground.built()?;
    Ok(match chaos::check(ground.workspace)? {
        Ok(summary) => Outcome::Passed(summary),
        Err(missing) => Outcome::Skipped(missing),
    })
}
