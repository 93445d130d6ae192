//! Encodes a long piece in a time that grows with its length alone.
//!
//! Tokens are what byte pair encoding makes of a piece exactly if that holds of each two neighbours. So the longest
//! token that fits is taken, and where it does not go with its former one, a shorter one; where none does, the
//! former one is taken back. No place is begun from twice in vain.

use super::token::NONE;
use super::vocabulary::Vocabulary;

/// The tokens of a piece.
pub(super) fn encode(piece: &[u8], vocabulary: &Vocabulary, tokens: &mut Vec<u32>) {
    let begin = tokens.len();
    // Places that are not yet known to lead nowhere.
    let mut open = vec![u64::MAX; piece.len() / 64 + 1];
    let mut at = 0;
    let mut next = vocabulary.longest(piece);
    loop {
        let bytes = vocabulary.bytes(next).unwrap_or_default();
        let end = at + bytes.len();
        let former = tokens[begin..].last().copied();
        let is_open = open[end / 64] >> (end % 64) & 1 == 1;
        if is_open && former.is_none_or(|former| go_together(former, next, vocabulary)) {
            tokens.push(next);
            at = end;
            if at == piece.len() {
                return;
            }
            next = vocabulary.longest(&piece[at..]);
        } else if bytes.len() > 1 {
            next = vocabulary.longest(&bytes[..bytes.len() - 1]);
        } else if let Some(former) = tokens.pop() {
            open[at / 64] &= !(1 << (at % 64));
            at -= vocabulary.bytes(former).map_or(0, <[u8]>::len);
            next = former;
            // It is tried again, finds that its end is not open, and gets shorter.
        } else {
            // The single bytes always go together in some way.
            debug_assert!(false, "a piece without an encoding");
            return;
        }
    }
}

/// Returns whether byte pair encoding leaves these two as they are: no merge across their boundary comes before the
/// merges within them.
fn go_together(left: u32, right: u32, vocabulary: &Vocabulary) -> bool {
    let (mut left, mut right) = (left, right);
    let mut limit = NONE;
    loop {
        // The token that the two at the boundary would have made, if it had been before they became part of more.
        let made = vocabulary.pair(left, right);
        if made < limit {
            return false;
        }
        if left > right {
            limit = left;
            left = vocabulary.made_of(left).1;
            if left == limit {
                limit = right + 1;
                right = vocabulary.made_of(right).0;
                if right + 1 == limit {
                    return true;
                }
            }
        } else {
            limit = right + 1;
            right = vocabulary.made_of(right).0;
            if right + 1 == limit {
                limit = left;
                left = vocabulary.made_of(left).1;
                if left == limit {
                    return true;
                }
            }
        }
    }
}
