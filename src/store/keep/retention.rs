//! The amount of history that is kept: by count and by age, and never less than the newest
//! revisions.
//!
//! The newest so many stay in any case, and so do the newest so many that changed something,
//! however many heartbeats follow them.

use crate::effect::Sync;
use crate::error::Error;
use crate::json::Object;

/// The number of replaced revisions that are kept by default.
pub const KEPT_REVISIONS: usize = 50;

/// The number of the newest revisions that are never removed, at any age: the clock may be wrong.
pub const NEVER_PRUNED: usize = 10;

/// A folder with more names than [`MAX_NAMES`](super::MAX_NAMES) is not listed, so no history comes near it.
pub(in crate::store) const MOST_KEPT: usize = 9_000;

/// The rules by which a document is kept.
#[derive(Clone, Copy, Debug)]
pub struct RetentionPolicy {
    /// States whether a change must survive a power loss before it is acknowledged.
    pub durability: Sync,
    /// The amount of history that is kept.
    pub retention: Retention,
    /// The member that says when a document was written, in RFC 3339, for retention by age; without
    /// it no revision has an age.
    pub time_field: Option<&'static str>,
    /// Returns whether a document is a tombstone: it stands for an absent one.
    pub is_tombstone: fn(&Object) -> bool,
    /// Returns whether a document may be recovered though it can be read: nothing else can change
    /// it.
    pub is_lost: fn(&Object) -> bool,
}

impl Default for RetentionPolicy {
    fn default() -> Self {
        RetentionPolicy {
            durability: Sync::Durable,
            retention: Retention::default(),
            time_field: None,
            is_tombstone: |_| false,
            is_lost: |_| false,
        }
    }
}

/// The amount of history that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    pub(in crate::store) revisions: usize,
    pub(in crate::store) days: Option<u64>,
}

impl Default for Retention {
    fn default() -> Self {
        Retention {
            revisions: KEPT_REVISIONS,
            days: None,
        }
    }
}

impl Retention {
    /// Sets the values that are given: so many replaced revisions, as many that changed something,
    /// and none that is older than so many days. The newest [`NEVER_PRUNED`] stay at any age.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for fewer revisions than are never removed, and for more than can be listed.
    pub fn with(self, revisions: Option<u64>, days: Option<u64>) -> Result<Self, Error> {
        let revisions = match revisions {
            None => self.revisions,
            Some(few) if few < NEVER_PRUNED as u64 => {
                return Err(Error::usage(sentence!(
                    "Expected {NEVER_PRUNED} revisions or more to be kept, got {few}: the newest \
                     {NEVER_PRUNED} are never removed"
                )));
            }
            Some(many) if many > MOST_KEPT as u64 => {
                return Err(Error::usage(sentence!(
                    "Expected {MOST_KEPT} revisions or fewer to be kept, got {many}"
                )));
            }
            Some(revisions) => usize::try_from(revisions).unwrap_or(usize::MAX),
        };
        let days = days.or(self.days);
        Ok(Retention { revisions, days })
    }
}
