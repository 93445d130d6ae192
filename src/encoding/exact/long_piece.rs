//! Merges the bytes of a long piece, part by part, in a time that grows with its length alone.
//!
//! Byte pair encoding merges in one order: tokens of lower ranks first, and those of one rank from the left. A token's
//! rank is above those of the two that it is made of, so that no merge makes one possible that should have come before.
//! The merges to come stand in a queue, and each costs the same in any text.
//!
//! A part is merged without what follows it. Its *frontier* is a boundary that nothing has crossed so far: on its left
//! stand the tokens that the whole piece has at this point of the order. The last of them may become the left half of
//! a token that ends beyond the frontier; where the bytes permit that, the frontier moves to its other side when
//! the order comes there. What stands left of it in the end is final regardless of what follows, and the next part
//! begins behind it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::token::NONE;
use super::vocabulary::{LONGEST, Vocabulary};
use crate::step_count::step;

/// The bytes of a part, unless less than half of one would be final.
const PART: usize = 4096;

/// No point of the order.
const NEVER: u64 = u64::MAX;

/// The end of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceEnd {
    /// It is known: nothing belongs to the piece behind it.
    Known,
    /// More bytes may follow.
    Open,
}

/// The working memory in which a part is merged.
pub(super) struct LongPiece {
    /// The tokens, at the places where they begin.
    ids: Vec<u32>,
    /// The token that each makes with the next one.
    made: Vec<u32>,
    /// The places where the next one begins, and the former one.
    next: Vec<u32>,
    former: Vec<u32>,
    /// The points of the order that are to come, some of them of merges that are no longer possible.
    order: BinaryHeap<Reverse<u64>>,
    /// The frontier, or the end of the piece.
    end: usize,
    /// The place of the last token before it.
    last: usize,
}

impl LongPiece {
    pub(super) fn new() -> Self {
        LongPiece {
            ids: Vec::new(),
            made: Vec::new(),
            next: Vec::new(),
            former: Vec::new(),
            order: BinaryHeap::new(),
            end: 0,
            last: 0,
        }
    }

    /// Merges the beginning of a piece as far as it is final. Returns its bytes, whose tokens
    /// [`LongPiece::tokens`] has: none where the end is open and all that is known may change.
    pub(super) fn settle(
        &mut self,
        piece: &[u8],
        piece_end: PieceEnd,
        vocabulary: &Vocabulary,
    ) -> usize {
        let mut part = PART;
        loop {
            // No token that crosses the frontier ends behind what is known.
            let most = piece.len().saturating_sub(LONGEST);
            let is_rest = most <= part;
            let end = match piece_end {
                PieceEnd::Known if is_rest => piece.len(),
                _ => most.min(part),
            };
            self.merge(piece, end, vocabulary);
            if is_rest || self.end >= part / 2 {
                return self.end;
            }
            part *= 2;
        }
    }

    /// The tokens that are final.
    pub(super) fn tokens(&self) -> impl Iterator<Item = u32> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let id = (at < self.end).then(|| self.ids[at])?;
            at = self.next[at] as usize;
            Some(id)
        })
    }

    /// Merges the bytes up to `end`, and moves that to where the tokens are final.
    fn merge(&mut self, piece: &[u8], end: usize, vocabulary: &Vocabulary) {
        self.begin(&piece[..end], vocabulary);
        if end == 0 {
            return;
        }
        let is_part = end < piece.len();
        let mut crossing = self.crossing(piece, is_part, 0, vocabulary);
        loop {
            let point = self.order.pop().map_or(NEVER, |Reverse(point)| point);
            step(1);
            while crossing < point {
                if self.last == 0 {
                    self.end = 0;
                    return;
                }
                self.end = self.last;
                self.last = self.former[self.last] as usize;
                self.made[self.last] = NONE;
                crossing = self.crossing(piece, is_part, crossing, vocabulary);
            }
            if point == NEVER {
                return;
            }
            let (token, at) = ((point >> 32) as u32, point as u32 as usize);
            if self.made[at] == token {
                self.join(at, token, vocabulary);
                if self.last == at {
                    crossing = self.crossing(piece, is_part, point, vocabulary);
                }
            }
        }
    }

    /// Begins with the single bytes.
    fn begin(&mut self, bytes: &[u8], vocabulary: &Vocabulary) {
        step(bytes.len());
        self.end = bytes.len();
        self.last = bytes.len().saturating_sub(1);
        let singles = bytes.iter().map(|byte| vocabulary.single(*byte));
        replace(&mut self.ids, singles);
        let pairs = bytes
            .windows(2)
            .map(|two| vocabulary.of_two(two[0], two[1]));
        replace(&mut self.made, pairs.chain([NONE]));
        let length = bytes.len() as u32;
        replace(&mut self.next, 1..=length);
        replace(&mut self.former, (0..length).map(|at| at.saturating_sub(1)));
        let mut points = std::mem::take(&mut self.order).into_vec();
        let made = self.made.iter().zip(0..);
        let made = made.filter(|(token, _)| **token != NONE);
        replace(
            &mut points,
            made.map(|(token, at)| Reverse(point(*token, at))),
        );
        self.order = points.into();
    }

    /// Makes one token of the one at this place and the next one.
    fn join(&mut self, at: usize, token: u32, vocabulary: &Vocabulary) {
        let next = self.next[at] as usize;
        let after = self.next[next] as usize;
        self.ids[at] = token;
        self.next[at] = after as u32;
        self.made[next] = NONE;
        if after < self.end {
            self.former[after] = at as u32;
            self.expect(at, vocabulary.pair(token, self.ids[after]));
        } else {
            self.made[at] = NONE;
            self.last = at;
        }
        if at > 0 {
            let former = self.former[at] as usize;
            self.expect(former, vocabulary.pair(self.ids[former], token));
        }
    }

    /// Notes the token that the one at this place makes with the next one.
    fn expect(&mut self, at: usize, token: u32) {
        self.made[at] = token;
        if token != NONE {
            step(1);
            self.order.push(Reverse(point(token, at)));
        }
    }

    /// The first point from `now` on at which the last token may become a part of one that ends beyond the frontier.
    fn crossing(&self, piece: &[u8], is_part: bool, now: u64, vocabulary: &Vocabulary) -> u64 {
        if !is_part {
            return NEVER;
        }
        let longer = vocabulary.longer(self.ids[self.last], &piece[self.last..]);
        let points = longer.map(|token| point(token, self.last));
        points.filter(|it| *it >= now).min().unwrap_or(NEVER)
    }
}

/// A point of the order: when a token is made that begins at this place.
#[inline(always)]
fn point(token: u32, at: usize) -> u64 {
    u64::from(token) << 32 | at as u64
}

fn replace<T>(all: &mut Vec<T>, by: impl Iterator<Item = T>) {
    all.clear();
    all.extend(by);
}
