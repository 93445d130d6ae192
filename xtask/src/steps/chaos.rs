//! Real processes, stopped and killed at random.

use anyhow::Result;

use super::{Ground, Outcome};
use crate::chaos::{self, Checked};

/// On every host of a writer, or not at all.
pub(super) fn nothing_is_lost(ground: &Ground) -> Result<Outcome> {
    ground.built()?;
    Ok(match chaos::check(ground.workspace)? {
        Checked::Sound(summary) => Outcome::Passed(summary),
        Checked::Missing(why) => Outcome::Skipped(why),
    })
}
