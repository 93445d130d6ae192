//! Boundaries of characters that tokens tear apart.
//!
//! The tokens of a character's bytes depend on its neighbours only if there is a token that crosses the boundary
//! to one of them and has a part of it. Of such tokens there are a few hundred, most of them a space and the first
//! byte of a word. Everywhere else a character merges with others as a whole or not at all, and only after its own
//! bytes have merged: a token's rank is above the ranks of the two that it is made of.

/// A bit for each two bytes that two characters may end and begin with.
const BITS: usize = 1 << 16;

/// Between which bytes some token has a part of one character and something of the other one.
pub(super) struct Boundaries(Vec<u64>);

impl Boundaries {
    /// The boundaries that some of these tokens tears.
    pub(super) fn of<'a>(tokens: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut learnt = Boundaries(vec![0; BITS / 64]);
        for token in tokens {
            learnt.learn(token);
        }
        learnt
    }

    /// Learns the boundaries that a token tears.
    fn learn(&mut self, token: &[u8]) {
        let starts_one = |byte: &u8| !is_inside(*byte);
        // Behind the part of a character that the token begins with.
        if token.first().is_some_and(|first| is_inside(*first)) {
            self.tear(token, token.iter().position(starts_one));
        }
        // Before the part that it ends with.
        if token.last().is_some_and(|last| !last.is_ascii()) {
            let last = token.iter().rposition(starts_one);
            self.tear(
                token,
                last.filter(|at| token.len() - at < width(token[*at])),
            );
        }
    }

    fn tear(&mut self, token: &[u8], at: Option<usize>) {
        let Some(at) = at.filter(|at| *at > 0) else {
            return;
        };
        let bit = bit(token[at - 1], token[at]);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Returns whether no token tears the boundary before `at`. None tears the ends of a piece.
    #[inline(always)]
    pub(super) fn is_whole(&self, piece: &[u8], at: usize) -> bool {
        if at == 0 || at >= piece.len() {
            return true;
        }
        let bit = bit(piece[at - 1], piece[at]);
        self.0[bit / 64] >> (bit % 64) & 1 == 0
    }
}

/// Returns the number of bytes of a character that begins with this one.
#[inline(always)]
pub(super) fn width(first: u8) -> usize {
    match first {
        ..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    }
}

/// Returns whether a byte stands inside a character.
#[inline(always)]
fn is_inside(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

#[inline(always)]
fn bit(left: u8, right: u8) -> usize {
    usize::from(left) << 8 | usize::from(right)
}

#[cfg(test)]
mod tests {
    use super::Boundaries;

    #[track_caller]
    fn tears(token: &[u8], boundaries: &[(u8, u8)]) {
        let learnt = Boundaries::of([token].into_iter());
        for left in 0..=255 {
            for right in 0..=255 {
                let is_torn = !learnt.is_whole(&[left, right], 1);
                assert_eq!(is_torn, boundaries.contains(&(left, right)), "{token:?}");
            }
        }
    }

    #[test]
    fn a_token_tears_the_boundaries_where_it_has_a_part_of_a_character() {
        for whole in ["a", "ab", "é", "中", "中文", " 中", "😀", "a😀b"] {
            tears(whole.as_bytes(), &[]);
        }
        // Parts of a single one.
        for part in [
            &b"\xE4"[..],
            b"\xE4\xB8",
            b"\xB8\xAD",
            b"\x80",
            b"\xF0\x9F\x98",
        ] {
            tears(part, &[]);
        }
        tears(b" \xE4", &[(b' ', 0xE4)]);
        tears(b"a \xF0\x9F\x98", &[(b' ', 0xF0)]);
        tears(b"\xE4\xB8\xAD\xE6", &[(0xAD, 0xE6)]);
        tears(b"\xAD\xE6\x96\x87", &[(0xAD, 0xE6)]);
        tears(b"\xB8\xADa", &[(0xAD, b'a')]);
        tears(b"\xAD\xE6\x96\x87\xE6\x96\x87", &[(0xAD, 0xE6)]);
        tears(b"\xAD\xE6\x96\x87\xE7", &[(0xAD, 0xE6), (0x87, 0xE7)]);
        tears(b"\xAD\xE6", &[(0xAD, 0xE6)]);
    }
}
