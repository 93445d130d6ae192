//! The token that each two tokens make.

use super::hash::mix;
use super::token::{ID_BITS, ID_MASK, NONE};

/// At most eight tenths of them are taken.
const SLOTS: usize = 1 << 18;
/// Bits that say which pairs there may be.
const MARKS: usize = 1 << 21;

/// A table of them, made when it is worth its while.
pub(super) struct Pairs {
    /// The pair and the id in one number.
    slots: Vec<u64>,
    /// For each hash of a pair whether it may be there. Empty without a table.
    marks: Vec<u64>,
}

impl Pairs {
    pub(super) fn none() -> Self {
        Pairs {
            slots: Vec::new(),
            marks: Vec::new(),
        }
    }

    #[inline(always)]
    pub(super) fn are_there(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Makes the table, of the keys of tokens.
    pub(super) fn of(keys: impl Iterator<Item = (u64, u32)>) -> Self {
        let mut made = Pairs {
            slots: vec![u64::MAX; SLOTS],
            marks: vec![0; MARKS / 64],
        };
        keys.for_each(|(key, id)| made.add(key, id));
        made
    }

    /// A function of its own, which engines compile for speed while it is called.
    #[inline(never)]
    fn add(&mut self, key: u64, id: u32) {
        let hash = mix(key, 0);
        self.marks[mark(hash) / 64] |= 1 << (mark(hash) % 64);
        let mut slot = hash as usize % SLOTS;
        while self.slots[slot] != u64::MAX {
            slot = (slot + 1) % SLOTS;
        }
        self.slots[slot] = key << ID_BITS | u64::from(id);
    }

    /// The token that two make, by their key, or [`NONE`]. Nothing without a table.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        let hash = mix(key, 0);
        let mark = mark(hash);
        if self.marks.get(mark / 64)? >> (mark % 64) & 1 == 0 {
            return Some(NONE);
        }
        let mut slot = hash as usize % SLOTS;
        loop {
            let found = self.slots[slot];
            if found >> ID_BITS == key {
                return Some(found as u32 & ID_MASK);
            }
            if found == u64::MAX {
                return Some(NONE);
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// Two tokens in one number.
#[inline(always)]
pub(super) fn key(left: u32, right: u32) -> u64 {
    u64::from(left) << ID_BITS | u64::from(right)
}

#[inline(always)]
fn mark(hash: u64) -> usize {
    (hash >> 24) as usize % MARKS
}
