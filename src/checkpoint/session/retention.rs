//! The rule of which snapshots are kept.

use super::id::SnapshotId;

/// The number of the newest that are kept, unless the settings say otherwise.
pub const KEPT: u64 = 10;

/// The number of the newest of those that hooks made that are kept beside them.
pub const KEPT_OF_HOOKS: u64 = 10;

/// A checkpoint that may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its id.
    pub id: SnapshotId,
    /// True if a user pinned it.
    pub is_pinned: bool,
    /// True if a restore that was not finished needs it.
    pub is_in_use: bool,
    /// True if it can be read.
    pub is_whole: bool,
    /// True if a hook made it without a request of the user.
    pub is_by_hook: bool,
}

/// Returns the checkpoints that are no longer needed, the oldest first. Archived ones are not among
/// them.
///
/// The newest `kept` stay, and those that are pinned or in use stay and count for nothing. Those
/// that hooks made count apart, so that they push out nothing that a user asked for: the newest
/// [`KEPT_OF_HOOKS`] of them stay. One that cannot be read stays too: it may be all that is left of
/// something. Of the others, the newest that can be read is never removed, regardless of `kept`.
pub fn expired(candidates: &[Candidate], kept: u64) -> Vec<SnapshotId> {
    let newest = candidates.iter().filter(|it| it.is_whole);
    let newest = newest.map(|it| it.id).max();
    let surplus = |is_by_hook: bool, kept: u64| {
        let counted = candidates
            .iter()
            .filter(|it| !it.is_pinned && !it.is_in_use && it.is_whole);
        let counted = counted.filter(|it| it.is_by_hook == is_by_hook);
        let mut ids: Vec<SnapshotId> = counted.map(|it| it.id).collect();
        ids.sort_unstable();
        let kept = usize::try_from(kept).unwrap_or(usize::MAX);
        ids.truncate(ids.len().saturating_sub(kept));
        ids
    };
    let mut expired = surplus(false, kept);
    expired.extend(surplus(true, KEPT_OF_HOOKS));
    expired.sort_unstable();
    expired.retain(|id| Some(*id) != newest);
    expired
}

#[cfg(test)]
mod tests {
    use super::{Candidate, expired};
    use crate::checkpoint::session::id::SnapshotId;

    fn id(number: u32) -> SnapshotId {
        format!("chk-20250126-1030{number:02}").parse().unwrap()
    }

    fn plain(number: u32) -> Candidate {
        Candidate {
            id: id(number),
            is_pinned: false,
            is_in_use: false,
            is_whole: true,
            is_by_hook: false,
        }
    }

    #[test]
    fn checkpoints_of_hooks_push_out_none_that_a_user_asked_for() {
        let mut all: Vec<Candidate> = (0..25).map(plain).collect();
        for candidate in &mut all[2..] {
            candidate.is_by_hook = true;
        }
        let expired = expired(&all, 10);
        assert_eq!(expired, (2..15).map(id).collect::<Vec<_>>());
    }

    #[test]
    fn a_checkpoint_that_is_pinned_in_use_or_unreadable_stays() {
        let mut all: Vec<Candidate> = (0..14).rev().map(plain).collect();
        for candidate in &mut all {
            candidate.is_pinned = candidate.id == id(0);
            candidate.is_in_use = candidate.id == id(1);
            candidate.is_whole = candidate.id != id(2);
        }
        assert_eq!(expired(&all, 10), [id(3)]);
        assert_eq!(expired(&all, 11), []);
        assert_eq!(expired(&all, u64::MAX), []);
    }

    #[test]
    fn the_newest_good_one_stays() {
        let mut all: Vec<Candidate> = (0..3).map(plain).collect();
        assert_eq!(expired(&all, 0), [id(0), id(1)]);
        all[2].is_whole = false;
        assert_eq!(expired(&all, 0), [id(0)]);
        assert_eq!(expired(&[], 0), []);
    }
}
