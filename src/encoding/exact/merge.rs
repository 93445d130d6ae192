//! Merges the bytes of a short piece, as byte pair encoding is defined: of all neighbours, the two that make the token
//! of the lowest rank become one, the first two of several, until no two make any.

use super::characters::{self, Characters};
use super::token::NONE;
use super::vocabulary::Vocabulary;

/// A piece that begins as more tokens is not for this: its cost grows with the square of their number.
const MOST: usize = 64;

/// Characters of three bytes or more begin with these.
const WIDE: u8 = 0xE0;

/// The working memory in which a piece is merged.
pub(super) struct Merge {
    ids: [u32; MOST],
    /// The token that each makes with the next one.
    ranks: [u32; MOST],
    next: [u8; MOST],
    former: [u8; MOST],
    /// The number of tokens at the beginning.
    length: usize,
    /// None before the first piece that has any.
    characters: Option<Characters>,
}

impl Merge {
    pub(super) fn new() -> Self {
        Merge {
            ids: [0; MOST],
            ranks: [NONE; MOST],
            next: [0; MOST],
            former: [0; MOST],
            length: 0,
            characters: None,
        }
    }

    /// Merges a piece of two bytes or more, unless it is too long. Returns how many tokens it has.
    #[inline(always)]
    pub(super) fn run(&mut self, piece: &[u8], vocabulary: &Vocabulary) -> Option<usize> {
        self.begin(piece, vocabulary)?;
        let length = self.length;
        for at in 0..length {
            self.next[at] = at as u8 + 1;
            self.former[at] = (at as u8).wrapping_sub(1);
        }
        // The search goes by fours.
        let searched = length.next_multiple_of(4);
        self.ranks[length - 1..searched].fill(NONE);
        let mut tokens = length;
        loop {
            let (lowest, at) = lowest(&self.ranks[..searched]);
            if lowest == NONE {
                return Some(tokens);
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

    /// The tokens that a piece begins as, and those that each two of them make. Nothing where that is too much.
    #[inline(always)]
    fn begin(&mut self, piece: &[u8], vocabulary: &Vocabulary) -> Option<()> {
        if piece.len() > 4 * MOST {
            return None;
        }
        if piece.iter().any(|byte| *byte >= WIDE) {
            return self.begin_with_characters(piece, vocabulary);
        }
        if piece.len() > MOST {
            return None;
        }
        self.length = piece.len();
        for (id, byte) in self.ids.iter_mut().zip(piece) {
            *id = vocabulary.single(*byte);
        }
        for (rank, two) in self.ranks.iter_mut().zip(piece.windows(2)) {
            *rank = vocabulary.of_two(two[0], two[1]);
        }
        Some(())
    }

    #[inline(always)]
    fn begin_with_characters(&mut self, piece: &[u8], vocabulary: &Vocabulary) -> Option<()> {
        let characters = self
            .characters
            .get_or_insert_with(|| Characters::of(vocabulary));
        self.length = 0;
        let mut at = 0;
        while at < piece.len() {
            if self.length + characters::MOST > MOST {
                return None;
            }
            let (tokens, end) = characters.begin(piece, at, vocabulary);
            for token in tokens.into_iter().take_while(|token| *token != NONE) {
                self.ids[self.length] = token;
                self.length += 1;
            }
            at = end;
        }
        let ids = &self.ids[..self.length];
        for (rank, two) in self.ranks.iter_mut().zip(ids.windows(2)) {
            *rank = vocabulary.pair(two[0], two[1]);
        }
        Some(())
    }

    /// The tokens of the piece that was merged last.
    pub(super) fn tokens(&self) -> impl Iterator<Item = u32> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let id = (at < self.length).then(|| self.ids[at])?;
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
