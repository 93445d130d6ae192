//! A text as its reader understands it: without what is invisible, and with its escapes as what they stand
//! for.
//!
//! A secret is found in here that an escape, a colour or a character without width cuts in two, or that stands
//! between the zeros of UTF-16. Rules look at this text as at any other, and what they find is hidden in the
//! original, escapes and all. Most texts have nothing of the kind, and are not copied.

use crate::step_count::step;
use crate::text::is_hidden;

/// A text in its normal form.
pub(super) struct Normal {
    pub(super) text: String,
    /// The parts that are not the same byte for byte, in order.
    units: Vec<Unit>,
}

/// A part of the original that stands for one byte, or for none.
struct Unit {
    /// Its position in the normal form.
    at: usize,
    /// The number of bytes of the text that it stands for.
    length: usize,
    /// Its beginning and its end in the original.
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
    is_control_character(byte) || matches!(byte, b'%' | b'&' | b'\\') || byte >= 0x80
}

/// Returns whether a byte is a control character that is no white space.
fn is_control_character(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t'..=b'\r')
}

/// The part at a place that stands for another byte, or for none: that byte, and the length. `before` is the byte
/// before it.
pub(in super::super) fn part_at(text: &[u8], at: usize, before: u8) -> Option<(Option<u8>, usize)> {
    let rest = &text[at..];
    match rest[0] {
        0 => Some((None, 1)),
        0x1b => Some((None, 1 + control(&rest[1..]))),
        b'%' => percent(rest),
        b'&' => entity(rest),
        b'\\' => escape(rest),
        0x80.. => invisible(rest, before).map(|length| (None, length)),
        byte => {
            let is_one = is_control_character(byte) && (is_of_token(before) || opens_value(before));
            is_one.then_some((None, 1))
        }
    }
}

/// The byte that a code stands for, where that is one byte.
fn decoded(code: u32, length: usize) -> Option<(Option<u8>, usize)> {
    match code {
        _ if is_invisible(code) => Some((None, length)),
        1..0x80 => Some((Some(code as u8), length)),
        _ => None,
    }
}

/// `%3D`, and the bytes of an invisible character: `%E2%80%8B`.
fn percent(rest: &[u8]) -> Option<(Option<u8>, usize)> {
    let byte = |at: usize| match rest.get(3 * at..3 * at + 3)? {
        [b'%', digits @ ..] => hex(digits),
        _ => None,
    };
    let first = byte(0)?;
    if first < 0x80 {
        return decoded(first, 3);
    }
    let length = length_of(first as u8)?;
    let mut bytes = [0; 4];
    for (at, one) in bytes[..length].iter_mut().enumerate() {
        *one = byte(at)? as u8;
    }
    is_invisible(code_of(&bytes[..length])?).then_some((None, 3 * length))
}

/// The code of an invisible character in HTML: `&#8203;`, `&#x200b;`.
#[cold]
fn entity(rest: &[u8]) -> Option<(Option<u8>, usize)> {
    const MOST: usize = 7;
    let (start, radix) = match rest {
        [b'&', b'#', b'x' | b'X', ..] => (3, 16),
        [b'&', b'#', ..] => (2, 10),
        _ => return None,
    };
    let digits = rest[start..].iter().take(MOST);
    let digits = digits.map_while(|it| char::from(*it).to_digit(radix));
    let (length, code) = digits.fold((0, 0), |(length, code), digit| {
        (length + 1, code * radix + digit)
    });
    let is_one = length > 0 && rest.get(start + length) == Some(&b';') && is_invisible(code);
    is_one.then_some((None, start + length + 1))
}

/// An escape of JSON or of a programming language, which may be escaped itself.
fn escape(rest: &[u8]) -> Option<(Option<u8>, usize)> {
    let slashes = slashes(rest);
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
            0x1b => is_control(3).or(Some((None, slashes + 3))),
            // One byte of a character that has more.
            0x80.. => None,
            code => decoded(code, slashes + 3),
        },
        b'u' => {
            let (code, length) = code_of_unit(behind)?;
            match code {
                0x1b => is_control(length).or(Some((None, slashes + length))),
                code => decoded(code, slashes + length),
            }
        }
        _ => None,
    }
}

/// Returns the number of backslashes that begin an escape: JSON within JSON has more of them, three times over.
fn slashes(rest: &[u8]) -> usize {
    const MOST: usize = 8;
    let first = rest.iter().take(MOST);
    first.take_while(|it| **it == b'\\').count()
}

/// The code behind the backslash of an escape, and the length: `u200b`, `u{200b}`, and both halves of a pair.
#[cold]
fn code_of_unit(behind: &[u8]) -> Option<(u32, usize)> {
    const MOST: usize = 6;
    if behind.get(1) == Some(&b'{') {
        let digits = behind[2..].iter().take(MOST);
        let length = digits.take_while(|it| it.is_ascii_hexdigit()).count();
        let is_whole = length > 0 && behind.get(2 + length) == Some(&b'}');
        return match is_whole {
            true => Some((hex(&behind[2..2 + length])?, length + 3)),
            false => None,
        };
    }
    let code = hex(behind.get(1..5)?)?;
    if !(0xd800..0xdc00).contains(&code) {
        return Some((code, 5));
    }
    let rest = &behind[5..];
    let slashes = slashes(rest);
    let low = match rest.get(slashes..slashes + 5)? {
        [b'u', digits @ ..] if slashes > 0 => hex(digits)?,
        _ => return None,
    };
    let is_pair = (0xdc00..0xe000).contains(&low);
    is_pair.then(|| {
        let code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        (code, 5 + slashes + 5)
    })
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

/// The length of an invisible character behind one of a token, or behind what opens a value.
fn invisible(rest: &[u8], before: u8) -> Option<usize> {
    // Elsewhere it is part of a picture, or of a language.
    if !is_of_token(before) && !opens_value(before) {
        return None;
    }
    let length = length_of(rest[0])?;
    let code = code_of(rest.get(..length)?)?;
    // These join letters, or select a form of one, and stand alone where a page is about them.
    let joins = matches!(code, 0x200c | 0x200d | 0xfe00..=0xfe0f);
    (is_invisible(code) && (is_of_token(before) || !joins)).then_some(length)
}

/// Returns whether a value or its separator stands behind such a byte: `password: …`, `Bearer …`.
fn opens_value(byte: u8) -> bool {
    matches!(byte, b':' | b'"' | b'\'' | b' ' | b'\t')
}

fn is_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'+' | b'=')
}

/// Returns the number of bytes of a character that begins so.
fn length_of(first: u8) -> Option<usize> {
    match first {
        0xc0..0xe0 => Some(2),
        0xe0..0xf0 => Some(3),
        0xf0.. => Some(4),
        _ => None,
    }
}

fn code_of(character: &[u8]) -> Option<u32> {
    let text = str::from_utf8(character).ok()?;
    text.chars().next().map(u32::from)
}

/// Returns whether a character shows nothing where it stands in a word. White space parts words.
fn is_invisible(code: u32) -> bool {
    char::from_u32(code).is_some_and(|it| !matches!(it, '\t'..='\r') && is_hidden(it))
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
            ("a\\u{200b}b\\u{3d}", "ab="),
            ("a\\udb40\\udc41b", "ab"),
            ("a\\\\udb40\\\\udc41b", "ab"),
            ("a%E2%80%8Bb%c2%ADc", "abc"),
            ("a&#8203;b&#x200B;c&#xe0041;d", "abcd"),
            ("a\u{3164}b\u{2028}c\u{85}d\u{8}e\u{7f}", "abcde"),
            ("a\\u0008b\\x08c%08d\\u000ae\\u001bf", "abcd\nef"),
            ("\u{200b}a: \u{feff}b", "a: b"),
            ("a:\u{200b} \"\u{2060}b'\u{ad}c\t\u{202a}d", "a: \"b'c\td"),
            ("a \u{8}b \u{7f}", "a b "),
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
            " \u{200d}a:\u{200c}b \"\u{fe0f}",
            "\u{e9}\u{200b}a\n\u{200b}b",
            "%zz",
            "caf%C3%A9 %E2%82%AC %E2%80",
            "a&b &amp; a &#39;b&#39; &#8203 &#x;",
            "\\u{zz} \\u{} \\u{2019} \\ud83d\\ude00 \\ud83d x",
            "\\xe2\\x82\\xac",
            "\u{e9}\u{8}",
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
