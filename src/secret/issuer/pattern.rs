//! Tokens that begin with nothing of their own: what stands in their middle gives them away.

use super::super::redact::Rule;
use super::{Alphabet, run};
use crate::step_count::step;

/// The token around a byte that stands in the middle of one: its rule, where it begins and where it ends.
pub(in super::super) fn pattern_at(text: &[u8], at: usize) -> Option<(Rule, usize, usize)> {
    match text[at] {
        b':' => telegram(text, at).map(|(start, end)| (Rule::Token, start, end)),
        b'.' => discord(text, at)
            .or_else(|| airtable(text, at))
            .map(|(start, end)| (Rule::Token, start, end)),
        b'Q' => azure(text, at).map(|(start, end)| (Rule::CloudKey, start, end)),
        b'-' => mailchimp(text, at).map(|(start, end)| (Rule::Token, start, end)),
        b'_' => maxmind(text, at).map(|(start, end)| (Rule::Token, start, end)),
        _ => None,
    }
}

/// Returns the number of characters of an alphabet before a place, up to one more than so many.
fn run_before(of: Alphabet, text: &[u8], at: usize, most: usize) -> usize {
    let before = text[..at].iter().rev().take(most + 1);
    let length = before.take_while(|byte| of.has(**byte)).count();
    step(length);
    length
}

fn run_behind(of: Alphabet, text: &[u8], from: usize, most: usize) -> usize {
    let Some(_) = text.get(from) else { return 0 };
    let length = run(of, text, from, most);
    step(length);
    length
}

/// The number of a bot, a colon, `AA` and 33 characters.
fn telegram(text: &[u8], at: usize) -> Option<(usize, usize)> {
    if !text[at..].starts_with(b":AA") {
        return None;
    }
    let digits = text[..at].iter().rev().take(13);
    let digits = digits.take_while(|it| it.is_ascii_digit()).count();
    let length = run_behind(Alphabet::Word, text, at + 1, 46);
    let is_one = (8..=12).contains(&digits) && (35..=46).contains(&length);
    is_one.then(|| (at - digits, at + 1 + length))
}

/// The id of a user in base64, six characters and the rest, with points between them.
fn discord(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let middle = run_behind(Alphabet::Word, text, at + 1, 6);
    let point = at + 1 + 6;
    if middle != 6 || text.get(point) != Some(&b'.') {
        return None;
    }
    let last = run_behind(Alphabet::Word, text, point + 1, 48);
    if last < 27 {
        return None;
    }
    let most = 28;
    let available = run_before(Alphabet::Base62, text, at, most).min(most);
    // Behind other letters, the id is what of them are digits in base64.
    let lengths = [26, 24, 28, 25, 23];
    let length = lengths
        .iter()
        .find(|length| **length <= available && is_number_in_base64(&text[at - **length..at]))?;
    let end = point + 1 + last.min(48);
    Some((at - length, end))
}

/// Returns whether this is base64 of digits alone.
fn is_number_in_base64(text: &[u8]) -> bool {
    let mut bits = 0_u32;
    let mut count = 0;
    let mut decoded = 0;
    for byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            _ => return false,
        };
        bits = (bits << 6 | u32::from(value)) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            if !((bits >> count) as u8).is_ascii_digit() {
                return false;
            }
            decoded += 1;
        }
    }
    decoded >= 17
}

/// `pat`, 14 characters, a point, and 64 hexadecimal digits.
fn airtable(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let start = at.checked_sub(17)?;
    let is_before =
        text[start..].starts_with(b"pat") && text[start..at].iter().all(u8::is_ascii_alphanumeric);
    let length = run_behind(Alphabet::Hex, text, at + 1, 64);
    (is_before && length == 64).then_some((start, at + 1 + length))
}

/// Three characters, a digit, `Q~` and at least 31 more: a client's secret.
fn azure(text: &[u8], at: usize) -> Option<(usize, usize)> {
    if !text[at..].starts_with(b"Q~") {
        return None;
    }
    let start = at.checked_sub(4)?;
    let is_part = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.' | b'~' | b'-');
    let is_before = text[start..at - 1].iter().all(is_part) && text[at - 1].is_ascii_digit();
    let rest = text[at + 2..].iter().take(40);
    let length = rest.take_while(|it| is_part(it)).count();
    step(length);
    (is_before && length >= 31).then_some((start, at + 2 + length.min(34)))
}

/// 32 hexadecimal digits, `-us` and the number of a data centre.
fn mailchimp(text: &[u8], at: usize) -> Option<(usize, usize)> {
    if !text[at..].starts_with(b"-us") {
        return None;
    }
    let digits = text[at + 3..].iter().take(3);
    let digits = digits.take_while(|it| it.is_ascii_digit()).count();
    let length = run_before(Alphabet::Hex, text, at, 32);
    ((1..=2).contains(&digits) && length == 32).then(|| (at - 32, at + 3 + digits))
}

/// Six characters, `_`, 29 characters and `_mmk`.
fn maxmind(text: &[u8], at: usize) -> Option<(usize, usize)> {
    const FIRST: usize = 6;
    const SECOND: usize = 29;
    const END: &[u8] = b"_mmk";
    let end = at + END.len();
    let goes_on = text.get(end).is_some_and(u8::is_ascii_alphanumeric);
    if !text[at..].starts_with(END) || goes_on {
        return None;
    }
    let middle = at.checked_sub(SECOND + 1)?;
    let start = middle.checked_sub(FIRST)?;
    let is_one = run_before(Alphabet::Base62, text, at, SECOND) == SECOND
        && text[middle] == b'_'
        && run_before(Alphabet::Base62, text, middle, FIRST) >= FIRST
        && text[start..at].iter().any(u8::is_ascii_digit);
    is_one.then_some((start, end))
}

/// Finds web tokens: three parts in base64, of which the first is an object.
///
/// The first part may begin anywhere in what looks like one, and where that ends is looked for once.
#[derive(Default)]
pub(in super::super) struct WebTokens {
    /// The end of the latest first part, and the end that a token with it would have.
    latest: Option<(usize, Option<usize>)>,
}

impl WebTokens {
    /// No part is shorter.
    const LEAST: usize = 10;

    /// Returns the end of the token that begins at a position.
    pub(in super::super) fn end(&mut self, text: &[u8], at: usize) -> Option<usize> {
        if !text[at..].starts_with(b"eyJ") {
            return None;
        }
        let (first, end) = match self.latest {
            Some((first, end)) if first > at => (first, end),
            _ => {
                let first = at + run_behind(Alphabet::Word, text, at, usize::MAX - 1);
                let end = token_end(text, first);
                self.latest = Some((first, end));
                (first, end)
            }
        };
        end.filter(|_| first - at >= Self::LEAST)
    }
}

/// Returns the end of the third part.
fn token_end(text: &[u8], first: usize) -> Option<usize> {
    let mut end = first;
    for _ in 0..2 {
        if text.get(end) != Some(&b'.') {
            return None;
        }
        let length = run_behind(Alphabet::Word, text, end + 1, usize::MAX - 1);
        if length < WebTokens::LEAST {
            return None;
        }
        end += 1 + length;
    }
    Some(end)
}
