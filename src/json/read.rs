//! From bytes to [`Json`], in one pass.

use std::fmt;

use super::{Json, MAX_DEPTH, Object};
use crate::str_map::{StrMap, StrSet};

/// A document, and the problems that reading it had to settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedJson {
    /// The document.
    pub value: Json,
    /// The first key found twice in one object; the last value was kept.
    pub duplicate_key: Option<String>,
    /// True if a lone surrogate was replaced by U+FFFD.
    pub text_replaced: bool,
}

/// The reason why bytes are not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The expectation, or the problem.
    pub reason: &'static str,
    /// Line of the first wrong byte, from 1.
    pub line: usize,
    /// Column of the first wrong byte, in bytes from 1.
    pub column: usize,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at line {} column {}",
            self.reason, self.line, self.column
        )
    }
}

/// Reads one JSON value (RFC 8259), and nothing else, from UTF-8 bytes.
///
/// A leading byte order mark is dropped. Numbers keep their text, and keys their order.
///
/// # Errors
///
/// [`Malformed`] when the bytes are not UTF-8, not JSON, or nested deeper than [`MAX_DEPTH`].
///
/// ```
/// use milepost::json;
///
/// let parsed = json::read(br#"{"size": 1.0, "id": 12345678901234567890}"#).expect("it is JSON");
/// assert_eq!(parsed.value.to_line(), r#"{"size":1.0,"id":12345678901234567890}"#);
/// assert_eq!(parsed.duplicate_key, None);
///
/// let malformed = json::read(b"{\n  \"size\": }").expect_err("a value is missing");
/// assert_eq!(malformed.line, 2);
/// ```
pub fn read(bytes: &[u8]) -> Result<ParsedJson, Malformed> {
    read_within(bytes, MAX_DEPTH)
}

/// Reads a text whose values may be nested as deep as this.
///
/// # Errors
///
/// As [`read`].
pub fn read_within(bytes: &[u8], depth: usize) -> Result<ParsedJson, Malformed> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    reserve_ahead(bytes.len());
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Err(malformed(bytes, error.valid_up_to(), "not UTF-8")),
    };
    let mut reader = JsonReader {
        text,
        bytes,
        at: 0,
        depth_left: depth,
        duplicate_key: None,
        text_replaced: false,
    };
    match reader.document() {
        Ok(value) => Ok(ParsedJson {
            value,
            duplicate_key: reader.duplicate_key,
            text_replaced: reader.text_replaced,
        }),
        Err(reason) => Err(malformed(bytes, reader.at, reason)),
    }
}

/// Lets the memory grow once by what will be made of a large text, instead of by a page at a time:
/// of a wasm memory beyond some 100 MB, V8 collects all garbage of the process at each growth. Unused
/// capacity takes no memory.
fn reserve_ahead(length: usize) {
    const LARGE: usize = 1 << 20;
    /// Values take four times their text, and a rule makes others of them.
    const TIMES: usize = 8;
    if length >= LARGE {
        let mut reserved: Vec<u8> = Vec::new();
        // Without it, memory grows as it has to.
        let _ = reserved.try_reserve_exact(TIMES.saturating_mul(length));
        drop(std::hint::black_box(reserved));
    }
}

#[cold]
#[inline(never)]
pub(super) fn malformed(bytes: &[u8], at: usize, reason: &'static str) -> Malformed {
    let before = &bytes[..at.min(bytes.len())];
    let line_start = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    Malformed {
        reason,
        line: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
        column: before.len() - line_start + 1,
    }
}

pub(super) struct JsonReader<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) depth_left: usize,
    pub(super) duplicate_key: Option<String>,
    pub(super) text_replaced: bool,
}

impl JsonReader<'_> {
    fn document(&mut self) -> Result<Json, &'static str> {
        let value = self.value()?;
        match self.next_token() {
            None => Ok(value),
            Some(_) => Err("expected the end of the document"),
        }
    }

    /// The next byte that is no white space, not consumed.
    pub(super) fn next_token(&mut self) -> Option<u8> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    pub(super) fn value(&mut self) -> Result<Json, &'static str> {
        match self.next_token() {
            Some(b'"') => Ok(Json::String(self.string()?)),
            Some(b'{') => self.nested(JsonReader::object),
            Some(b'[') => self.nested(JsonReader::array),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true", Json::Bool(true)),
            Some(b'f') => self.literal("false", Json::Bool(false)),
            Some(b'n') => self.literal("null", Json::Null),
            _ => Err("expected a value"),
        }
    }

    fn nested(
        &mut self,
        inner: fn(&mut Self) -> Result<Json, &'static str>,
    ) -> Result<Json, &'static str> {
        if self.depth_left == 0 {
            return Err("nested deeper than 64 levels");
        }
        self.depth_left -= 1;
        self.at += 1;
        let value = inner(self);
        self.depth_left += 1;
        value
    }

    fn object(&mut self) -> Result<Json, &'static str> {
        let mut members = Vec::new();
        if self.next_token() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Object(Object::new()));
        }
        loop {
            if self.next_token() != Some(b'"') {
                return Err("expected a key in double quotes");
            }
            let key = self.string()?;
            if self.next_token() != Some(b':') {
                return Err("expected a colon");
            }
            self.at += 1;
            members.push((key, self.value()?));
            match self.next_token() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Json::Object(self.settled(members)));
                }
                _ => return Err("expected a comma or a closing brace"),
            }
        }
    }

    fn array(&mut self) -> Result<Json, &'static str> {
        let mut items = Vec::new();
        if self.next_token() == Some(b']') {
            self.at += 1;
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value()?);
            match self.next_token() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Json::Array(items));
                }
                _ => return Err("expected a comma or a closing bracket"),
            }
        }
    }

    pub(super) fn literal(&mut self, word: &str, value: Json) -> Result<Json, &'static str> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err("expected a value");
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Json, &'static str> {
        let start = self.at;
        self.pass_number()?;
        Ok(Json::Number(self.text[start..self.at].into()))
    }

    pub(super) fn pass_number(&mut self) -> Result<(), &'static str> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), &'static str> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start {
            Err("expected a digit")
        } else {
            Ok(())
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn string(&mut self) -> Result<String, &'static str> {
        let start = self.at;
        if !self.pass_string()? {
            return Ok(self.text[start + 1..self.at - 1].to_owned());
        }
        let (text, replaced) = decode(&self.text[start + 1..self.at - 1]);
        self.text_replaced |= replaced;
        Ok(text)
    }

    /// Passes over a string; says whether anything in it is escaped.
    pub(super) fn pass_string(&mut self) -> Result<bool, &'static str> {
        self.at += 1;
        let mut escaped = false;
        loop {
            self.at += plain_length(&self.bytes[self.at..]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return Err("control character in a string"),
                None => return Err("expected the end of a string"),
            }
        }
        self.at += 1;
        Ok(escaped)
    }

    /// Settles repeated keys, and remembers the first one.
    pub(super) fn settled(&mut self, members: Vec<(String, Json)>) -> Object {
        if all_differ(&members) {
            return Object::from_unique(members);
        }
        if self.duplicate_key.is_none() {
            self.duplicate_key = first_repeated(&members);
        }
        without_repetition(members)
    }

    /// Passes over one escape. It is looked at here, because only here its place is known.
    fn escape(&mut self) -> Result<(), &'static str> {
        let rest = &self.bytes[self.at + 1..];
        let length = match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'u', a, b, c, d, ..] if [a, b, c, d].iter().all(|it| it.is_ascii_hexdigit()) => 6,
            [] => 1,
            _ => return Err("invalid escape in a string"),
        };
        self.at += length;
        Ok(())
    }
}

/// Returns the number of bytes before the first quote, backslash or control character.
///
/// Most of a document is text, so it is passed over eight bytes at a time: of each, the high bit is
/// set where the byte may be one of those. It can be set wrongly only behind one that is.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    let mut at = 0;
    while let Some(chunk) = bytes[at..].first_chunk::<8>() {
        let chunk = u64::from_le_bytes(*chunk);
        let quote = (chunk ^ (ONES * u64::from(b'"'))).wrapping_sub(ONES);
        let backslash = (chunk ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
        let control = chunk.wrapping_sub(ONES * 0x20);
        let found = (quote | backslash | control) & !chunk & HIGH;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes[at..].iter();
    at + rest
        .take_while(|&&byte| !matches!(byte, b'"' | b'\\' | 0..=0x1F))
        .count()
}

/// The text of a string whose escapes are well-formed, and whether a lone surrogate was replaced.
///
/// By hand: serde_json's decoder comes with its numbers, whose tables are a tenth of the wasm.
#[inline(never)]
pub(super) fn decode(mut rest: &str) -> (String, bool) {
    let mut text = String::with_capacity(rest.len());
    let mut replaced = false;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = rest.as_bytes()[at + 1];
        rest = &rest[at + 2..];
        let character = match escape {
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = hex_unit(rest);
                rest = &rest[4..];
                let low = rest.strip_prefix("\\u").map(hex_unit);
                let pair = [unit, low.unwrap_or_default()];
                match char::decode_utf16(pair).next() {
                    Some(Ok(character)) => {
                        if character > '\u{FFFF}' {
                            rest = &rest[6..];
                        }
                        character
                    }
                    _ => {
                        replaced = true;
                        char::REPLACEMENT_CHARACTER
                    }
                }
            }
            itself => char::from(itself),
        };
        text.push(character);
    }
    text.push_str(rest);
    (text, replaced)
}

/// The UTF-16 unit that four hex digits name.
fn hex_unit(digits: &str) -> u16 {
    let digits = digits.bytes().take(4);
    digits.fold(0, |unit, digit| {
        unit << 4 | char::from(digit).to_digit(16).unwrap_or(0) as u16
    })
}

/// Removes repeated keys as JavaScript does: the last value, at the place of the first.
pub(super) fn last_value_wins(members: Vec<(String, Json)>) -> Object {
    if all_differ(&members) {
        return Object::from_unique(members);
    }
    without_repetition(members)
}

#[cold]
#[inline(never)]
fn without_repetition(members: Vec<(String, Json)>) -> Object {
    let firsts: Vec<usize> = {
        let places: StrMap<'_, usize> = members
            .iter()
            .enumerate()
            .map(|(at, (key, _))| (key.as_str(), at))
            .collect();
        members
            .iter()
            .filter_map(|(key, _)| places.get(key).copied())
            .collect()
    };
    let mut members: Vec<Option<(String, Json)>> = members.into_iter().map(Some).collect();
    for (at, &first) in firsts.iter().enumerate() {
        if first != at {
            members[first] = members[at].take();
        }
    }
    Object::from_unique(members.into_iter().flatten().collect())
}

fn all_differ(members: &[(String, Json)]) -> bool {
    /// Up to here comparing all pairs is faster than sorting.
    const FEW: usize = 16;
    if members.len() <= FEW {
        return (1..members.len())
            .all(|at| members[..at].iter().all(|(key, _)| *key != members[at].0));
    }
    members
        .iter()
        .map(|(key, _)| key.as_str())
        .collect::<StrSet<'_>>()
        .len()
        == members.len()
}

/// The first key that stood before.
fn first_repeated(members: &[(String, Json)]) -> Option<String> {
    let places: StrMap<'_, usize> = members
        .iter()
        .enumerate()
        .map(|(at, (key, _))| (key.as_str(), at))
        .collect();
    let repeated = members
        .iter()
        .enumerate()
        .find(|(at, (key, _))| places.get(key) != Some(at));
    repeated.map(|(_, (key, _))| key.clone())
}

#[cfg(test)]
mod tests {
    use super::plain_length;

    #[test]
    fn a_string_is_passed_over_up_to_the_first_byte_that_ends_plain_text() {
        for before in 0..20 {
            for byte in 0..=u8::MAX {
                for after in [b'x', b'"', b'!', 0xFF] {
                    let mut bytes = vec![0xC3; before];
                    bytes.push(byte);
                    bytes.resize(before + 12, after);
                    let ends = |&it: &u8| it == b'"' || it == b'\\' || it < 0x20;
                    let naive = bytes.iter().position(ends).unwrap_or(bytes.len());
                    assert_eq!(plain_length(&bytes), naive, "{bytes:?}");
                }
            }
        }
    }
}
