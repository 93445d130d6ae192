//! The tokens of an encoding, and which two make which.
//!
//! A token that has several bytes is made of two that come before it: byte pair encoding of a token's own bytes ends
//! with these two, for every token of both encodings. So ranks, which are the tokens' numbers, and bytes follow.

use super::hash::hash;
use super::pairs::{Pairs, key};
use super::token::{ID_BITS, ID_MASK, NONE};
use crate::step_count::step;

/// The longest token of both encodings has so many bytes.
pub(super) const LONGEST: usize = 128;

/// So many bytes are copied in one step.
const COPIED: usize = 8;

/// Lengths of tokens from here on are not distinguished.
const LONG: usize = 31;

/// Slots of the table of tokens: at most four tenths of them are taken.
const SLOTS: usize = 1 << 19;
/// So many bytes are merged without the table of pairs: until then it would take longer to make than it saves.
const PATIENCE: usize = 1 << 14;

/// An encoding's tokens, by their bytes and by the two that each is made of.
pub(super) struct Vocabulary {
    /// The bytes of all tokens, one after the other, and at least [`COPIED`] more.
    bytes: Vec<u8>,
    /// The offset of those of each token, which is the end of those of the former one, and the end of the last ones.
    begins: Vec<u32>,
    /// The two that each token is made of, in one number.
    parts: Vec<u64>,
    /// Tokens by a hash of their bytes: the id, and above it bits of the hash.
    slots: Vec<u32>,
    /// Tokens by the two that they are made of, once [`Vocabulary::expect_merges`] has made it.
    pairs: Pairs,
    /// The number of bytes that are yet to be merged before that is worth its while.
    patience: usize,
    /// The token that two bytes make.
    byte_pairs: Vec<u32>,
    /// The token of each byte.
    singles: [u32; 256],
    /// The lengths of tokens that begin with these three bytes, or others of the same place; the highest bit
    /// stands for [`LONG`] and all above.
    lengths: Vec<u32>,
}

impl Vocabulary {
    /// Makes the tables of what a stream had; all tokens have at most so many bytes together.
    pub(super) fn of(planes: Vec<u8>, bytes: usize) -> Self {
        let (singles, pairs) = planes.split_at(256);
        let singles = singles.to_vec();
        let size = pairs.len() / 6;
        let parts = (0..size).map(|at| parts_of(pairs, size, at)).collect();
        // Its memory becomes that of what follows.
        drop(planes);
        let mut made = Vocabulary {
            bytes: vec![0; bytes + COPIED],
            byte_pairs: vec![NONE; 1 << 16],
            lengths: vec![0; 1 << 16],
            begins: Vec::with_capacity(256 + size + 1),
            parts,
            slots: vec![NONE; SLOTS],
            pairs: Pairs::none(),
            patience: PATIENCE,
            singles: [0; 256],
        };
        made.begins.push(0);
        for (id, byte) in (0..).zip(&singles) {
            made.bytes[id as usize] = *byte;
            made.begins.push(id + 1);
            made.singles[usize::from(*byte)] = id;
        }
        for id in 256..256 + size as u32 {
            made.add(id);
        }
        made
    }

    /// Adds a token that is made of two. A function of its own, which engines compile for speed while it is called:
    /// what they have begun to run they leave as it is.
    #[inline(never)]
    fn add(&mut self, id: u32) {
        let (left, right) = self.made_of(id);
        let begin = self.begins[id as usize] as usize;
        let middle = self.copy(left, begin);
        let end = self.copy(right, middle);
        self.begins.push(end as u32);
        let bytes = &self.bytes[begin..end];
        match bytes {
            [first, second] => {
                self.byte_pairs[usize::from(*first) << 8 | usize::from(*second)] = id;
            }
            [first, second, third, ..] => {
                self.lengths[beginning(*first, *second, *third)] |= 1 << bytes.len().min(LONG);
            }
            _ => {}
        }
        let hash = hash(bytes);
        let mut slot = hash as usize % SLOTS;
        while self.slots[slot] != NONE {
            slot = (slot + 1) % SLOTS;
        }
        self.slots[slot] = tag(hash) | id;
    }

    /// Notes each piece that is about to be merged. Who merges little, such as a hook with a summary to count,
    /// is done sooner without the table of pairs than it is made.
    #[inline(always)]
    pub(super) fn expect_merges(&mut self, bytes: usize) {
        if !self.pairs.are_there() {
            match self.patience.checked_sub(bytes) {
                Some(left) => self.patience = left,
                None => self.add_pairs(),
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn add_pairs(&mut self) {
        self.pairs = Pairs::of(self.parts.iter().copied().zip(256..));
    }

    /// Copies the bytes of a token to another place, and returns where they end. Most are few, and are there sooner
    /// with what happens to stand behind them than with a call that copies any number.
    #[inline(always)]
    fn copy(&mut self, id: u32, offset: usize) -> usize {
        let from = self.begins[id as usize] as usize;
        let to = self.begins[id as usize + 1] as usize;
        let length = to - from;
        if length > COPIED {
            self.bytes.copy_within(from..to, offset);
        } else if let Some(bytes) = self.bytes[from..].first_chunk::<COPIED>().copied()
            && let Some(target) = self.bytes[offset..].first_chunk_mut()
        {
            *target = bytes;
        }
        offset + length
    }

    /// The bytes of a token, if there is one.
    #[inline(always)]
    pub(super) fn bytes(&self, id: u32) -> Option<&[u8]> {
        let from = *self.begins.get(id as usize)? as usize;
        let to = *self.begins.get(id as usize + 1)? as usize;
        self.bytes.get(from..to)
    }

    /// The bytes of each token.
    pub(super) fn tokens(&self) -> impl Iterator<Item = &[u8]> {
        let ends = self.begins.windows(2);
        ends.map(|ends| &self.bytes[ends[0] as usize..ends[1] as usize])
    }

    /// The two that a token is made of; for a single byte, itself twice.
    #[inline(always)]
    pub(super) fn made_of(&self, id: u32) -> (u32, u32) {
        let at = id.checked_sub(256);
        match at.and_then(|at| self.parts.get(at as usize)) {
            Some(parts) => ((parts >> ID_BITS) as u32, *parts as u32 & ID_MASK),
            None => (id, id),
        }
    }

    /// The token of a single byte.
    #[inline(always)]
    pub(super) fn single(&self, byte: u8) -> u32 {
        self.singles[usize::from(byte)]
    }

    /// The token that two bytes make, or [`NONE`].
    #[inline(always)]
    pub(super) fn of_two(&self, left: u8, right: u8) -> u32 {
        self.byte_pairs[usize::from(left) << 8 | usize::from(right)]
    }

    /// The token that these two make, or [`NONE`].
    #[inline(always)]
    pub(super) fn pair(&self, left: u32, right: u32) -> u32 {
        step(1);
        match self.pairs.find(key(left, right)) {
            Some(token) => token,
            None => self.pair_by_bytes(left, right),
        }
    }

    /// The token of a pair, without the table of pairs.
    #[cold]
    #[inline(never)]
    fn pair_by_bytes(&self, left: u32, right: u32) -> u32 {
        let (Some(first), Some(second)) = (self.bytes(left), self.bytes(right)) else {
            return NONE;
        };
        let mut both = [0; LONGEST];
        let Some(bytes) = both.get_mut(..first.len() + second.len()) else {
            return NONE;
        };
        bytes[..first.len()].copy_from_slice(first);
        bytes[first.len()..].copy_from_slice(second);
        let id = self.find(bytes);
        // Other tokens may make these bytes.
        match id != NONE && self.made_of(id) == (left, right) {
            true => id,
            false => NONE,
        }
    }

    /// The token that has these bytes, at least two, or [`NONE`].
    #[inline(always)]
    pub(super) fn find(&self, bytes: &[u8]) -> u32 {
        step(1);
        let hash = hash(bytes);
        let tag = tag(hash);
        let mut slot = hash as usize % SLOTS;
        loop {
            let found = self.slots[slot];
            if found == NONE {
                return NONE;
            }
            let id = found & ID_MASK;
            if found & !ID_MASK == tag && self.bytes(id) == Some(bytes) {
                return id;
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// The tokens that these bytes begin with, longer than `left` and with that as their left half.
    pub(super) fn longer(&self, left: u32, bytes: &[u8]) -> impl Iterator<Item = u32> {
        let shortest = self.bytes(left).map_or(0, <[u8]>::len) + 1;
        let lengths = match bytes {
            [first, second, third, ..] => self.lengths[beginning(*first, *second, *third)],
            _ => 0,
        };
        let is_one = move |length: &usize| *length == 2 || lengths >> (*length).min(LONG) & 1 == 1;
        let lengths = (shortest..=bytes.len().min(LONGEST)).filter(is_one);
        let tokens = lengths.map(move |length| self.find(&bytes[..length]));
        tokens.filter(move |id| *id != NONE && self.made_of(*id).0 == left)
    }
}

/// The two that a token is made of, from six planes of this size. A function of its own as [`Vocabulary::add`] is.
#[inline(never)]
fn parts_of(planes: &[u8], size: usize, at: usize) -> u64 {
    let byte = |plane: usize| u32::from(planes[plane * size + at]);
    let left = byte(0) << 16 | byte(1) << 8 | byte(2);
    key(left, byte(3) << 16 | byte(4) << 8 | byte(5))
}

/// A place for the first three bytes of tokens.
#[inline(always)]
fn beginning(first: u8, second: u8, third: u8) -> usize {
    let bytes = u32::from_le_bytes([first, second, third, 0]);
    (bytes.wrapping_mul(0x9E37_79B1) >> 16) as usize
}

/// Bits of the hash that the place in the table does not determine. Never those of [`NONE`] with any id.
#[inline(always)]
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32 & !ID_MASK & (u32::MAX >> 1)
}
