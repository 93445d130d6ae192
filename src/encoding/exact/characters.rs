//! Characters of three and four bytes, merged by themselves ahead of the pieces that they stand in: most of what a
//! piece of Chinese or of emoji takes to merge.

use super::boundary::{Boundaries, width};
use super::token::NONE;
use super::vocabulary::Vocabulary;

/// So many characters are kept. Those that stand next to each other in Unicode do so here.
const KEPT: usize = 1 << 13;

/// So many tokens are kept of a character.
pub(super) const MOST: usize = 3;

/// The tokens of a character; the rest is [`NONE`].
type Tokens = [u32; MOST];

pub(super) struct Characters {
    boundaries: Boundaries,
    /// Forgets: each place has the latest character.
    kept: Vec<(u32, Tokens)>,
}

impl Characters {
    /// Looks at each token of the vocabulary, so this is for when there is a character to merge.
    #[inline(never)]
    pub(super) fn of(vocabulary: &Vocabulary) -> Self {
        Characters {
            boundaries: Boundaries::of(vocabulary.tokens()),
            kept: vec![(0, [NONE; MOST]); KEPT],
        }
    }

    /// The form in which a piece begins at `at`, and where that ends: a character as it is by itself where that is
    /// certain, or a byte.
    #[inline(always)]
    pub(super) fn begin(
        &mut self,
        piece: &[u8],
        at: usize,
        vocabulary: &Vocabulary,
    ) -> (Tokens, usize) {
        let end = at + width(piece[at]);
        let is_whole = |at| self.boundaries.is_whole(piece, at);
        if end - at > 2 && is_whole(at) && is_whole(end) {
            let tokens = self.tokens(&piece[at..end], vocabulary);
            if tokens[0] != NONE {
                return (tokens, end);
            }
        }
        ([vocabulary.single(piece[at]), NONE, NONE], at + 1)
    }

    #[inline(always)]
    fn tokens(&mut self, character: &[u8], vocabulary: &Vocabulary) -> Tokens {
        // No other character has this number, and none has 0.
        let number = |sum: u32, byte: &u8| sum << 6 ^ u32::from(*byte);
        let number = character.iter().fold(0, number);
        let (kept, tokens) = &mut self.kept[number as usize % KEPT];
        if *kept != number {
            *kept = number;
            *tokens = merged(character, vocabulary);
        }
        *tokens
    }
}

/// The tokens that byte pair encoding makes of a character, or nothing where they are too many to keep.
#[inline(never)]
fn merged(character: &[u8], vocabulary: &Vocabulary) -> Tokens {
    let single = |byte: &u8| vocabulary.single(*byte);
    let mut ids: Vec<u32> = character.iter().map(single).collect();
    loop {
        let made = ids.windows(2).map(|two| vocabulary.pair(two[0], two[1]));
        match made.zip(0..).min() {
            Some((token, at)) if token != NONE => {
                ids[at] = token;
                ids.remove(at + 1);
            }
            _ => break,
        }
    }
    let mut tokens = [NONE; MOST];
    if let Some(kept) = tokens.get_mut(..ids.len()) {
        kept.copy_from_slice(&ids);
    }
    tokens
}
