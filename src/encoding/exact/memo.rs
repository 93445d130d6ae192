//! A memory of the number of tokens of pieces that are no tokens, so that a word which comes again is not merged again.

use super::hash::mix;

/// A piece has at most so many bytes; the last one says how many.
const BYTES: usize = 23;
const ENTRIES: usize = 1 << 13;

/// A table that forgets: each place has the latest piece.
pub(super) struct Memo(Vec<([u64; 3], u32)>);

/// A piece as the memo knows it.
pub(super) struct MemoKey([u64; 3]);

impl MemoKey {
    #[inline(always)]
    pub(super) fn of(piece: &[u8]) -> Option<MemoKey> {
        if piece.len() > BYTES {
            return None;
        }
        let mut bytes = [0; BYTES + 1];
        bytes[..piece.len()].copy_from_slice(piece);
        bytes[BYTES] = piece.len() as u8;
        let part = |at: usize| {
            let mut part = [0; 8];
            part.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(part)
        };
        Some(MemoKey([part(0), part(8), part(16)]))
    }

    #[inline(always)]
    fn slot(&self) -> usize {
        let MemoKey([first, second, third]) = self;
        mix(first ^ third.rotate_left(17), *second) as usize % ENTRIES
    }
}

impl Memo {
    pub(super) fn new() -> Self {
        Memo(vec![([0; 3], 0); ENTRIES])
    }

    #[inline(always)]
    pub(super) fn get(&self, key: &MemoKey) -> Option<u32> {
        let (piece, tokens) = &self.0[key.slot()];
        (*piece == key.0).then_some(*tokens)
    }

    #[inline(always)]
    pub(super) fn put(&mut self, key: &MemoKey, tokens: u32) {
        self.0[key.slot()] = (key.0, tokens);
    }
}
