//! A text as its reader understands it: without what is invisible, and with its escapes as what they stand
//! for.
//!
//! A secret is found in here that an escape, a colour or a character without width cuts in two, or that stands
//! between the zeros of UTF-16. Rules look at this text as at any other, and what they find is hidden in the
//! original, escapes and all. Most texts have nothing of the kind, and are not copied.

use super::super::steps::step;

/// A text in its normal form.
pub(super) struct Normal {
    pub(super) text: String,
    /// The parts that are not the same byte for byte, in order.
    units: Vec<Unit>,
}

/// A part of the original that stands for one byte, or for none.
struct Unit {
    /// Where it stands in the normal form.
    at: usize,
    /// The number of bytes of the text that it stands for.
    length: usize,
    /// Where it begins in the original, and where it ends.
    from: usize,
    until: usize,
}

impl Normal {
    /// The normal form; `None` where it is the text itself.
    pub(super) fn of(text: &str) -> Option<Normal> {
        let bytes = text.as_bytes();
        let mut before = b' ';
        let mut first = None;
        for (at, byte) in bytes.iter().enumerate() {
            if may_escape(*byte) && part_at(bytes, at, before).is_some() {
                first = Some(at);
                break;
            }
            before = *byte;
        }
        step(bytes.len());
        let first = first?;
        let mut normal = Normal {
            text: String::with_capacity(text.len()),
            units: Vec::new(),
        };
        let mut kept = 0;
        let mut at = first;
        while at < bytes.len() {
            let last = match at > kept {
                true => bytes[at - 1],
                false => normal.text.as_bytes().last().copied().unwrap_or(b' '),
            };
            let part = match may_escape(bytes[at]) {
                true => part_at(bytes, at, last),
                false => None,
            };
            let Some((byte, length)) = part else {
                at += 1;
                continue;
            };
            step(length);
            normal.text.push_str(&text[kept..at]);
            let unit = Unit {
                at: normal.text.len(),
                length: usize::from(byte.is_some()),
                from: at,
                until: at + length,
            };
            normal.units.push(unit);
            normal.text.extend(byte.map(char::from));
            at += length;
            kept = at;
        }
        normal.text.push_str(&text[kept..]);
        Some(normal)
    }

    /// The place in the original of a byte of the normal form.
    pub(super) fn start(&self, at: usize) -> usize {
        let behind = self.units.partition_point(|unit| unit.at <= at);
        match behind.checked_sub(1).map(|before| &self.units[before]) {
            None => at,
            Some(unit) if at < unit.at + unit.length => unit.from,
            Some(unit) => unit.until + (at - unit.at - unit.length),
        }
    }

    /// The end in the original of what ends here in the normal form.
    pub(super) fn end(&self, at: usize) -> usize {
        let Some(last) = at.checked_sub(1) else {
            return 0;
        };
        let behind = self.units.partition_point(|unit| unit.at <= last);
        // Of parts that stand for nothing there may be some at the same place; the one that stands for a byte comes
        // last.
        match behind.checked_sub(1).map(|before| &self.units[before]) {
            Some(unit) if last < unit.at + unit.length => unit.until,
            _ => self.start(last) + 1,
        }
    }
}

/// Returns whether an escape may begin with this byte.
fn may_escape(byte: u8) -> bool {
    matches!(byte, 0 | 0x1b | b'%' | b'\\') || byte >= 0x80
}

/// The part at a place that stands for another byte, or for none: that byte, and the length. `before` is the byte
/// before it.
pub(in super::super) fn part_at(text: &[u8], at: usize, before: u8) -> Option<(Option<u8>, usize)> {
    let rest = &text[at..];
    match rest[0] {
        0 => Some((None, 1)),
        0x1b => Some((None, 1 + control(&rest[1..]))),
        b'%' => {
            let byte = hex(rest.get(1..3)?)?;
            decoded(byte, 3)
        }
        b'\\' => escape(rest),
        0x80.. => invisible(rest, before).map(|length| (None, length)),
        _ => None,
    }
}

/// The byte that a code stands for, where that is one byte.
fn decoded(code: u32, length: usize) -> Option<(Option<u8>, usize)> {
    match code {
        0 => Some((None, length)),
        1..0x80 => Some((Some(code as u8), length)),
        _ => None,
    }
}

/// An escape of JSON or of a programming language, which may be escaped itself.
fn escape(rest: &[u8]) -> Option<(Option<u8>, usize)> {
    /// JSON within JSON, three times over.
    const MOST: usize = 8;
    let slashes = rest
        .iter()
        .take(MOST)
        .take_while(|it| **it == b'\\')
        .count();
    let behind = &rest[slashes..];
    let is_control = |length: usize| {
        let is_one = behind.get(length) == Some(&b'[');
        is_one.then(|| (None, slashes + length + control(&behind[length..])))
    };
    match behind.first()? {
        b'n' | b'r' => Some((Some(b'\n'), slashes + 1)),
        b't' => Some((Some(b'\t'), slashes + 1)),
        quote @ (b'"' | b'\'' | b'/') => Some((Some(*quote), slashes + 1)),
        b'e' => is_control(1),
        b'0' if behind.starts_with(b"033") => is_control(3),
        b'x' => match hex(behind.get(1..3)?)? {
            0x1b => is_control(3),
            code => decoded(code, slashes + 3),
        },
        b'u' => match hex(behind.get(1..5)?)? {
            0x1b => is_control(5),
            code if is_invisible(code) => Some((None, slashes + 5)),
            code => decoded(code, slashes + 5),
        },
        _ => None,
    }
}

/// The length of a terminal's sequence that goes on here, behind its escape.
fn control(rest: &[u8]) -> usize {
    /// No colour is longer.
    const LONGEST: usize = 32;
    if rest.first() != Some(&b'[') {
        return 0;
    }
    let parameters = rest[1..].iter().take(LONGEST);
    let length = parameters
        .take_while(|it| matches!(**it, b'0'..=b'?' | b' '..=b'/'))
        .count();
    let is_whole = rest
        .get(1 + length)
        .is_some_and(|it| matches!(*it, b'@'..=b'~'));
    match is_whole {
        true => 2 + length,
        false => 0,
    }
}

/// The length of an invisible character behind one of a token.
fn invisible(rest: &[u8], before: u8) -> Option<usize> {
    // Elsewhere it is part of a picture, or of a language.
    if !before.is_ascii_alphanumeric() && !matches!(before, b'_' | b'-' | b'.' | b'/' | b'+') {
        return None;
    }
    let length = match rest[0] {
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
        _ => return None,
    };
    let text = str::from_utf8(rest.get(..length)?).ok()?;
    let code = text.chars().next().map(u32::from)?;
    is_invisible(code).then_some(length)
}

/// Returns whether a character shows nothing where it stands in a word.
fn is_invisible(code: u32) -> bool {
    matches!(code, 0xad | 0x34f | 0x61c | 0x180b..=0x180f | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f
        | 0xfe00..=0xfe0f | 0xfeff | 0xe0000..=0xe0fff)
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |code, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(code * 16 + digit)
    })
}

#[cfg(test)]
mod tests {
    use super::Normal;

    #[test]
    fn escapes_stand_for_what_they_are_and_invisible_characters_are_left_out() {
        for (text, expected) in [
            ("a\\nb", "a\nb"),
            ("a\\\\\\\\nb", "a\nb"),
            ("a\\u003db", "a=b"),
            ("a%3Db%20c", "a=b c"),
            ("\u{1b}[32mab\u{1b}[0m", "ab"),
            ("\\u001b[1;32mab\\x1b[0m\\033[0m\\e[m", "ab"),
            ("ab\u{200b}cd\u{ad}e\u{feff}", "abcde"),
            ("a\\u200bb", "ab"),
            ("g\0h\0p\0", "ghp"),
            ("{\\\"a\\\":1}", "{\"a\":1}"),
        ] {
            assert_eq!(Normal::of(text).unwrap().text, expected, "{text:?}");
        }
    }

    #[test]
    fn text_without_escapes_is_its_own_normal_form() {
        for text in [
            "",
            "a b",
            "50% of a",
            "C:\\Users\\me",
            "caf\u{e9} \u{2764}\u{fe0f}",
            "\u{200b}a",
            "%zz",
        ] {
            assert!(Normal::of(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn every_place_of_the_normal_form_leads_back_to_where_it_came_from() {
        let text = "a\\u003db\u{200b}c\0\0d%41";
        let normal = Normal::of(text).unwrap();
        assert_eq!(normal.text, "a=bcdA");
        let places: Vec<_> = (0..normal.text.len())
            .map(|at| &text[normal.start(at)..normal.end(at + 1)])
            .collect();
        assert_eq!(places, ["a", "\\u003d", "b", "c", "d", "%41"]);
        assert_eq!(&text[normal.start(2)..normal.end(4)], "b\u{200b}c");
    }
}
