//! The limits of what is kept for rewinds.

use crate::integrations::Agents;

/// The limits of what is kept for rewinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewindLimits {
    /// The number of prompts of a session.
    pub keep: u64,
    /// The days since a prompt.
    pub days: u64,
    /// The bytes of all contents.
    pub max_bytes: u64,
}

impl From<&Agents> for RewindLimits {
    fn from(settings: &Agents) -> Self {
        RewindLimits {
            keep: settings.rewind_keep,
            days: settings.rewind_days,
            max_bytes: settings.rewind_max_bytes,
        }
    }
}
