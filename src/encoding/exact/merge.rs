//! Merges the bytes of a short piece, as byte pair encoding is told: of all neighbours, the two that make the token
//! of the lowest rank become one, the first two of several, until no two make any.

use super::vocabulary::{NONE, Vocabulary};

/// A longer piece is not for this: what it takes grows with the square of the length. Long runs of emoji are encoded
/// faster otherwise from about here on.
pub(super) const MOST: usize = 64;

/// Where a piece is merged.
pub(super) struct Merge {
    ids: [u32; MOST],
    /// The token that each makes with the next one.
    ranks: [u32; MOST],
    next: [u8; MOST],
    former: [u8; MOST],
}

impl Merge {
    pub(super) fn new() -> Self {
        Merge {
            ids: [0; MOST],
            ranks: [NONE; MOST],
            next: [0; MOST],
            former: [0; MOST],
        }
    }

    /// Merges a piece of two to [`MOST`] bytes. Returns how many tokens it has.
    #[inline(always)]
    pub(super) fn run(&mut self, piece: &[u8], vocabulary: &Vocabulary) -> usize {
        let length = piece.len();
        for (at, byte) in piece.iter().enumerate() {
            self.ids[at] = vocabulary.single(*byte);
            self.ranks[at] = match piece.get(at + 1) {
                Some(next) => vocabulary.of_two(*byte, *next),
                None => NONE,
            };
            self.next[at] = at as u8 + 1;
            self.former[at] = (at as u8).wrapping_sub(1);
        }
        // The search goes by fours.
        let searched = length.next_multiple_of(4);
        self.ranks[length..searched].fill(NONE);
        let mut tokens = length;
        loop {
            let (lowest, at) = lowest(&self.ranks[..searched]);
            if lowest == NONE {
                return tokens;
            }
            tokens -= 1;
            let next = usize::from(self.next[at]);
            let after = usize::from(self.next[next]);
            self.ids[at] = lowest;
            self.next[at] = after as u8;
            self.ranks[next] = NONE;
            self.ranks[at] = if after < length {
                self.former[after] = at as u8;
                vocabulary.pair(lowest, self.ids[after])
            } else {
                NONE
            };
            if at > 0 {
                let former = usize::from(self.former[at]);
                self.ranks[former] = vocabulary.pair(self.ids[former], lowest);
            }
        }
    }

    /// The tokens of the piece of so many bytes that was merged last.
    pub(super) fn tokens(&self, length: usize) -> impl Iterator<Item = u32> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let id = (at < length).then(|| self.ids[at])?;
            at = usize::from(self.next[at]);
            Some(id)
        })
    }
}

/// The lowest rank, and where it stands first.
#[inline(always)]
fn lowest(ranks: &[u32]) -> (u32, usize) {
    let mut lowest = [NONE; 4];
    for four in ranks.chunks_exact(4) {
        for (lowest, rank) in lowest.iter_mut().zip(four) {
            *lowest = (*lowest).min(*rank);
        }
    }
    let lowest = lowest.into_iter().fold(NONE, u32::min);
    let at = ranks.iter().position(|rank| *rank == lowest);
    (lowest, at.unwrap_or_default())
}
