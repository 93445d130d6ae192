//! Tokens of well-known issuers, wherever they stand: by what they begin with, and by their pattern.
//!
//! A table has the beginnings. What may follow decides: how much of which characters, and that it is no word.
//! At each byte at most [`MAX_CLASSIFIED`] bytes are looked at for each beginning that stands there; only what is found
//! is read to its end, and nothing in it is looked at again.

mod pattern;
mod table;

use super::redact::Rule;
use crate::step_count::step;
pub(super) use pattern::{WebTokens, pattern_at};
use table::ISSUERS;

/// So much of what follows a beginning shows its kind.
const MAX_CLASSIFIED: usize = 64;

/// The dashes around the label of a key, which stand in no token.
const DASHES: &[u8] = b"-----";

/// The characters that a token has behind its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Hexadecimal digits in lower or upper case.
    Hex,
    /// Small letters and digits.
    Lower,
    /// Capitals and digits.
    Upper,
    /// Letters and digits.
    Base62,
    /// Letters, digits, `_` and `-`.
    Word,
    /// Those of `Word`, and points.
    Dotted,
    /// Those of `Dotted`, and `=` behind a part.
    Padded,
    /// Base64 of either kind, with `=` and `%`, which may stand for these.
    Base64,
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Alphabet::Hex => byte.is_ascii_hexdigit(),
            Alphabet::Lower => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
            Alphabet::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Alphabet::Base62 => byte.is_ascii_alphanumeric(),
            Alphabet::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Alphabet::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Alphabet::Padded => byte == b'=' || Alphabet::Dotted.has(byte),
            Alphabet::Base64 => {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'%')
            }
        }
    }
}

/// The property that distinguishes the rest of a token from words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mix {
    /// Nothing has to.
    Any,
    /// A letter, and a digit or many changes of case.
    Chance,
    /// As by chance, with two letters of each case.
    Dense,
    /// A letter, and four digits.
    Digits,
    /// As by chance, in a part before the first point that is long.
    Long,
    /// The form of a UUID.
    Uuid,
}

/// A kind of token, by what it begins with.
#[derive(Clone, Copy)]
pub(super) struct Issuer {
    start: &'static str,
    of: Alphabet,
    /// The least number of characters that follow.
    least: u8,
    /// True if exactly that many follow.
    is_exact: bool,
    /// True if nothing that belongs to a word or to base64 may stand before it.
    is_alone: bool,
    mix: Mix,
    rule: Rule,
}

impl Issuer {
    const fn new(start: &'static str, of: Alphabet, least: u8) -> Self {
        Issuer {
            start,
            of,
            least,
            is_exact: false,
            is_alone: false,
            mix: Mix::Chance,
            rule: Rule::Token,
        }
    }

    const fn exact(mut self) -> Self {
        self.is_exact = true;
        self
    }

    const fn alone(mut self) -> Self {
        self.is_alone = true;
        self
    }

    const fn any(mut self) -> Self {
        self.mix = Mix::Any;
        self
    }

    const fn dense(mut self) -> Self {
        self.mix = Mix::Dense;
        self
    }

    const fn digits(mut self) -> Self {
        self.mix = Mix::Digits;
        self
    }

    const fn long(mut self) -> Self {
        self.mix = Mix::Long;
        self
    }

    const fn uuid(mut self) -> Self {
        self.mix = Mix::Uuid;
        self.is_exact = true;
        self
    }

    const fn cloud(mut self) -> Self {
        self.rule = Rule::CloudKey;
        self
    }

    const fn key(mut self) -> Self {
        self.rule = Rule::PrivateKey;
        self
    }

    /// Returns the end of the token that begins at a position.
    fn end(&self, text: &[u8], at: usize) -> Option<usize> {
        let start = self.start.as_bytes();
        if !text[at..].starts_with(start) {
            return None;
        }
        if self.is_alone && at > 0 && is_inner(text[at - 1]) {
            return None;
        }
        let from = at + start.len();
        let least = usize::from(self.least);
        let classified = run(self.of, text, from, MAX_CLASSIFIED);
        step(classified);
        if classified < least
            || !self.is_of_chance(&text[from..from + classified.min(MAX_CLASSIFIED)])
        {
            return None;
        }
        if self.is_exact {
            let end = from + least;
            let goes_on = text.get(end).is_some_and(u8::is_ascii_alphanumeric);
            return (classified == least && !goes_on).then_some(end);
        }
        let mut end = from + run(self.of, text, from, usize::MAX);
        step(end - from);
        // A character that closes a sentence, or a path, is no part of it.
        while end > from && matches!(text[end - 1], b'-' | b'.') {
            end -= 1;
        }
        Some(end)
    }

    fn is_of_chance(&self, rest: &[u8]) -> bool {
        let seen = CharacterCounts::of(rest);
        let has_hyphens = matches!(
            self.of,
            Alphabet::Word | Alphabet::Dotted | Alphabet::Padded
        );
        if has_hyphens && self.mix != Mix::Uuid && is_name_of_words(rest) {
            return false;
        }
        let letters = seen.small + seen.capitals;
        let is_mixed = letters > 0 && (seen.digits > 0 || seen.turns > 2);
        match self.mix {
            Mix::Any => true,
            Mix::Chance => is_mixed,
            Mix::Dense => is_mixed && seen.small > 1 && seen.capitals > 1,
            Mix::Digits => letters > 0 && seen.digits > 3,
            Mix::Long => is_mixed && rest.iter().take_while(|it| **it != b'.').count() > 19,
            Mix::Uuid => is_uuid(rest),
        }
    }
}

/// The number of characters of each kind in a text.
struct CharacterCounts {
    digits: u32,
    small: u32,
    capitals: u32,
    /// The number of times a capital follows a small letter.
    turns: u32,
}

impl CharacterCounts {
    fn of(text: &[u8]) -> Self {
        let mut seen = CharacterCounts {
            digits: 0,
            small: 0,
            capitals: 0,
            turns: 0,
        };
        let mut before = b' ';
        for &byte in text {
            seen.digits += u32::from(byte.is_ascii_digit());
            seen.small += u32::from(byte.is_ascii_lowercase());
            seen.capitals += u32::from(byte.is_ascii_uppercase());
            seen.turns += u32::from(before.is_ascii_lowercase() && byte.is_ascii_uppercase());
            before = byte;
        }
        seen
    }
}

/// Returns the number of characters of an alphabet that follow, up to so many. The dashes around the label of a key are
/// none of them.
fn run(of: Alphabet, text: &[u8], from: usize, most: usize) -> usize {
    let rest = &text[from..];
    let mut length = 0;
    while length <= most
        && let Some(&byte) = rest.get(length)
        && of.has(byte)
        && !(byte == b'-' && rest[length..].starts_with(DASHES))
    {
        length += 1;
    }
    length
}

/// Returns whether a beginning behind this is part of a word, or of base64.
fn is_inner(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/')
}

/// `folding-cube-with-delay-1`: a class of a style sheet, or the name of a package.
fn is_name_of_words(rest: &[u8]) -> bool {
    let is_plain = |part: &&[u8]| part.len() > 2 && part.iter().all(u8::is_ascii_lowercase);
    let parts = rest.split(|it| matches!(it, b'-' | b'_' | b'.'));
    parts.filter(is_plain).count() > 2
}

fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// The issuers in the order of their first bytes.
const ORDER: [u8; ISSUERS.len()] = order();

/// The position of the first issuer of each first byte in that order.
const STARTS: [u8; 129] = starts();

const fn first_byte(issuer: &Issuer) -> u8 {
    issuer.start.as_bytes()[0]
}

const fn order() -> [u8; ISSUERS.len()] {
    let mut order = [0; ISSUERS.len()];
    let mut filled = 0;
    let mut byte = 0;
    while byte < 128 {
        let mut at = 0;
        while at < ISSUERS.len() {
            if first_byte(&ISSUERS[at]) == byte {
                order[filled] = at as u8;
                filled += 1;
            }
            at += 1;
        }
        byte += 1;
    }
    order
}

const fn starts() -> [u8; 129] {
    let mut starts = [0; 129];
    let mut byte = 0;
    while byte < 128 {
        let mut count = 0;
        let mut at = 0;
        while at < ISSUERS.len() {
            if first_byte(&ISSUERS[at]) as usize == byte {
                count += 1;
            }
            at += 1;
        }
        starts[byte + 1] = starts[byte] + count;
        byte += 1;
    }
    starts
}

/// The token of an issuer that begins at a place: its rule, and where it ends.
pub(super) fn token_at(text: &[u8], at: usize) -> Option<(Rule, usize)> {
    let first = usize::from(*text.get(at)?);
    let next = STARTS.get(first + 1)?;
    let candidates = &ORDER[usize::from(STARTS[first])..usize::from(*next)];
    step(candidates.len());
    let mut found: Option<(Rule, usize)> = None;
    for index in candidates {
        let issuer = &ISSUERS[usize::from(*index)];
        if let Some(end) = issuer.end(text, at)
            && found.is_none_or(|(_, longest)| end > longest)
        {
            found = Some((issuer.rule, end));
        }
    }
    found
}

/// So many bytes of a beginning the wasm of hooks knows.
const HEAD: usize = 4;

/// The first bytes of each beginning, of which one that is shorter ends with zeros, and whether it stands alone.
static HEADS: [[u8; HEAD + 1]; ISSUERS.len()] = heads();

const fn heads() -> [[u8; HEAD + 1]; ISSUERS.len()] {
    let mut heads = [[0; HEAD + 1]; ISSUERS.len()];
    let mut at = 0;
    while at < ISSUERS.len() {
        let start = ISSUERS[ORDER[at] as usize].start.as_bytes();
        let mut byte = 0;
        while byte < HEAD && byte < start.len() {
            heads[at][byte] = start[byte];
            byte += 1;
        }
        heads[at][HEAD] = ISSUERS[ORDER[at] as usize].is_alone as u8;
        at += 1;
    }
    heads
}

/// Returns whether something may begin at a place as a token does: of every token that [`token_at`] finds, this says
/// yes.
pub(super) fn may_begin_at(text: &[u8], at: usize) -> bool {
    /// No beginning and rest are shorter.
    const LEAST: usize = 14;
    let Some(&first) = text.get(at) else {
        return false;
    };
    let first = usize::from(first);
    let Some(next) = STARTS.get(first + 1) else {
        return false;
    };
    let heads = &HEADS[usize::from(STARTS[first])..usize::from(*next)];
    let rest = &text[at..];
    let is_within = at > 0 && is_inner(text[at - 1]);
    let begins = |head: &[u8; HEAD + 1]| {
        let mut pairs = head[..HEAD].iter().zip(rest);
        let is_one = pairs.all(|(of_head, byte)| *of_head == 0 || of_head == byte);
        is_one && !(is_within && head[HEAD] == 1)
    };
    if rest.len() < LEAST || !heads.iter().any(begins) {
        return false;
    }
    let is_part = |byte: &&u8| Alphabet::Base64.has(**byte) || matches!(**byte, b'.' | b'~');
    // The beginning itself is shorter than what is classified behind it.
    let length = rest
        .iter()
        .take(2 * MAX_CLASSIFIED)
        .take_while(is_part)
        .count();
    let seen = CharacterCounts::of(&rest[..length]);
    let is_plain = seen.digits == 0 && seen.turns < 3;
    length >= LEAST && !(is_plain && seen.small > 0)
}

#[cfg(test)]
pub(super) fn starts_of_issuers() -> impl Iterator<Item = TokenShape> {
    ISSUERS.iter().map(|issuer| TokenShape {
        start: issuer.start,
        of: issuer.of,
        length: usize::from(issuer.least),
        is_alone: issuer.is_alone,
        is_uuid: issuer.mix == Mix::Uuid,
    })
}

/// The parts that the tests make a token of.
#[cfg(test)]
pub(super) struct TokenShape {
    pub(super) start: &'static str,
    pub(super) of: Alphabet,
    pub(super) length: usize,
    pub(super) is_alone: bool,
    pub(super) is_uuid: bool,
}
