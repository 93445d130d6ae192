//! Counts tokens: maximal runs of what is not ECMAScript white space (`\s`).
//!
//! `str::split_whitespace` would be wrong: U+FEFF is white space in ECMAScript and U+0085 is not.
//! Counting works on the bytes, eight at a time in a plain integer. That is fast in every build,
//! also in the wasm, which is compiled for size and therefore without vectorised loops.

/// A stored context summary has at most this many tokens.
pub const MAX_SUMMARY_TOKENS: u64 = 500;

/// A stored context summary has at most this many bytes of UTF-8: text without white space is one
/// token, however long it is.
pub const MAX_SUMMARY_BYTES: usize = 64 * 1024;

/// What [`validate`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the text is within the limit.
    pub valid: bool,
    /// The text's tokens.
    pub token_count: u64,
    /// The limit in force.
    pub limit: u64,
    /// The sentence, where the text is not valid.
    pub error: Option<String>,
}

/// The tokens of a text, in time linear in its bytes.
pub fn count(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut counter = Counter {
        at: 0,
        tokens: 0,
        in_space: true,
    };
    while let Some(chunk) = bytes[counter.at..].first_chunk::<8>() {
        let chunk = u64::from_le_bytes(*chunk);
        if may_hold_wide_space(chunk) {
            counter.step_through(bytes, counter.at + 8);
        } else {
            counter.take(chunk);
        }
    }
    counter.step_through(bytes, bytes.len());
    counter.tokens
}

/// Compares a text with a token limit; the byte limit of stored summaries is not looked at.
pub fn validate(text: &str, limit: u64) -> Verdict {
    let token_count = count(text);
    let valid = token_count <= limit;
    Verdict {
        valid,
        token_count,
        limit,
        error: (!valid).then(|| {
            format!("Context summary exceeds {limit} token limit (actual: {token_count} tokens)")
        }),
    }
}

/// What every save asks of a context summary: [`MAX_SUMMARY_TOKENS`] and [`MAX_SUMMARY_BYTES`].
///
/// # Errors
///
/// The sentence that says which limit is exceeded.
pub fn check_stored(text: &str) -> Result<(), String> {
    if text.len() > MAX_SUMMARY_BYTES {
        return Err(format!(
            "Context summary exceeds 64 KiB limit (actual: {} bytes)",
            text.len()
        ));
    }
    match validate(text, MAX_SUMMARY_TOKENS).error {
        Some(message) => Err(message),
        None => Ok(()),
    }
}

/// The text up to the end of its last token within the limit; all of it when nothing is beyond.
pub fn truncate(text: &str, limit: u64) -> &str {
    let mut tokens = 0;
    let mut end = 0;
    let mut in_space = true;
    for (at, character) in text.char_indices() {
        if is_space(character) {
            in_space = true;
            continue;
        }
        if in_space {
            if tokens == limit {
                return &text[..end];
            }
            tokens += 1;
            in_space = false;
        }
        end = at + character.len_utf8();
    }
    text
}

/// ECMAScript `\s`: WhiteSpace (U+FEFF and every Zs included) and LineTerminator.
fn is_space(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}'
            | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{FEFF}'
    )
}

struct Counter {
    /// The next byte to look at.
    at: usize,
    tokens: u64,
    /// Whether the byte before it is white space, or there is none.
    in_space: bool,
}

impl Counter {
    /// Takes eight bytes in which all white space is ASCII: a token begins at every byte that is
    /// none and follows one that is.
    fn take(&mut self, chunk: u64) {
        let space = ascii_spaces(chunk);
        let before = space << 8 | u64::from(self.in_space) << 7;
        self.tokens += u64::from((!space & before & HIGH).count_ones());
        self.in_space = space >> 63 == 1;
        self.at += 8;
    }

    /// Takes byte by byte up to `end`, or beyond it by the rest of a white space that lies across.
    fn step_through(&mut self, bytes: &[u8], end: usize) {
        while self.at < end {
            let width = space_width(&bytes[self.at..]);
            if width == 0 && self.in_space {
                self.tokens += 1;
            }
            self.in_space = width > 0;
            self.at += width.max(1);
        }
    }
}

/// Bytes of the white space at the start of UTF-8 bytes; 0 when there is none.
fn space_width(bytes: &[u8]) -> usize {
    match bytes {
        [b'\t'..=b'\r' | b' ', ..] => 1,
        [0xC2, 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}

const LOW: u64 = each(0x01);
const HIGH: u64 = each(0x80);

/// The same byte in all eight places.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The high bit of every byte that is ASCII white space: U+0009 to U+000D, and U+0020.
///
/// The high bits are taken off first, so that no addition carries into the next byte.
fn ascii_spaces(chunk: u64) -> u64 {
    let bytes = chunk & !HIGH;
    let not_blank = (bytes ^ each(b' ')) + each(0x7F);
    let tab_or_above = bytes + each(0x80 - b'\t');
    let above_return = bytes + each(0x80 - (b'\r' + 1));
    (!not_blank | tab_or_above & !above_return) & !chunk & HIGH
}

/// Whether one of the bytes can begin a white space of several bytes.
fn may_hold_wide_space(chunk: u64) -> bool {
    if chunk & HIGH == 0 {
        return false;
    }
    [0xC2, 0xE1, 0xE2, 0xE3, 0xEF].into_iter().any(|lead| {
        let zero_where_equal = chunk ^ each(lead);
        zero_where_equal.wrapping_sub(LOW) & !zero_where_equal & HIGH != 0
    })
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
