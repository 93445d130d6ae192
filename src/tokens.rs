//! Counts tokens: maximal runs of what is not ECMAScript white space (`\s`).
//!
//! `str::split_whitespace` would be wrong: U+FEFF is white space in ECMAScript and U+0085 is not.
//! Counting works on the bytes, eight at a time in a plain integer and without branches but for
//! chunks that are not ASCII. That is fast in every build, also in the wasm, which is compiled for
//! size: there the compiler would neither vectorise a loop nor, unless told, inline its parts.

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
    let mut counter = Counter {
        tokens: 0,
        carry: 0,
        overhang: 0,
    };
    let mut rest = text.as_bytes();
    while let Some(window) = rest.first_chunk::<WINDOW>() {
        counter.take(window);
        rest = &rest[CHUNK..];
    }
    // The rest is shorter than a window. Blanks behind it begin no token.
    let mut padded = [b' '; 2 * CHUNK + WINDOW];
    padded[..rest.len()].copy_from_slice(rest);
    for at in [0, CHUNK] {
        if let Some(window) = padded[at..].first_chunk::<WINDOW>() {
            counter.take(window);
        }
    }
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

/// The beginning of a text that every save accepts as a context summary, see [`check_stored`].
pub fn fit(text: &str) -> &str {
    let text = truncate(text, MAX_SUMMARY_TOKENS);
    &text[..text.floor_char_boundary(MAX_SUMMARY_BYTES)]
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

/// So many bytes are counted at a time.
const CHUNK: usize = 8;

/// A chunk, and what the widest white space needs to be known when it begins in its last byte.
const WINDOW: usize = CHUNK + 2;

/// In what follows, a mask has the high bit of every byte that it is about, and no other bit. The
/// first byte of a text is the lowest one.
struct Counter {
    tokens: u64,
    /// Mask of the chunk's first byte, if the byte before it belongs to a token.
    carry: u64,
    /// Mask of the chunk's first bytes that end a white space begun in the chunk before.
    overhang: u64,
}

impl Counter {
    /// Counts a token at every byte of the chunk that belongs to one and follows one that does not.
    #[inline(always)]
    fn take(&mut self, window: &[u8; WINDOW]) {
        let chunk = load(window, 0);
        let mut token = no_ascii_spaces(chunk);
        if chunk & HIGH != 0 {
            let [two, three] = wide_spaces(window);
            token &= !(self.overhang | two | two << 8 | three | three << 8 | three << 16);
            self.overhang = (two | three) >> 56 | three >> 48;
        }
        self.tokens += u64::from((token & !(token << 8 | self.carry)).count_ones());
        self.carry = token >> 56;
    }
}

const HIGH: u64 = each(0x80);

/// The same byte in all eight places.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; CHUNK])
}

#[inline(always)]
fn load(window: &[u8; WINDOW], at: usize) -> u64 {
    let [a, b, c, d, e, f, g, h, i, j] = *window;
    u64::from_le_bytes(match at {
        0 => [a, b, c, d, e, f, g, h],
        1 => [b, c, d, e, f, g, h, i],
        _ => [c, d, e, f, g, h, i, j],
    })
}

/// Mask of the bytes that are none of the ASCII white space, U+0009 to U+000D and U+0020.
///
/// The high bits are taken off first, so that no addition carries into the next byte.
#[inline(always)]
fn no_ascii_spaces(chunk: u64) -> u64 {
    let bytes = chunk & !HIGH;
    let not_blank = (bytes ^ each(b' ')) + each(0x7F);
    let tab_or_above = bytes + each(0x80 - b'\t');
    let above_return = bytes + each(0x80 - (b'\r' + 1));
    (not_blank & !(tab_or_above ^ above_return) | chunk) & HIGH
}

/// Masks of the bytes that begin a white space of two and of three bytes.
///
/// Looking at the lead bytes first spares most of the work in text that has none of them.
fn wide_spaces(window: &[u8; WINDOW]) -> [u64; 2] {
    let first = load(window, 0);
    let mut two = equal(first, 0xC2);
    if two != 0 {
        two &= equal(load(window, 1), 0xA0);
    }
    let mut three = equal(first, 0xE2);
    if three != 0 {
        three &= general_punctuation_spaces(load(window, 1), load(window, 2));
    }
    for [lead, second, third] in [[0xE1, 0x9A, 0x80], [0xE3, 0x80, 0x80], [0xEF, 0xBB, 0xBF]] {
        let leads = equal(first, lead);
        if leads != 0 {
            three |= leads & equal(load(window, 1), second) & equal(load(window, 2), third);
        }
    }
    [two, three]
}

/// Mask of the bytes that begin U+2000 to U+200A, U+2028, U+2029, U+202F or U+205F, if they are
/// 0xE2; given are the bytes that follow each.
#[inline(always)]
fn general_punctuation_spaces(second: u64, third: u64) -> u64 {
    let below_200b = !((third & !HIGH) + each(0x80 - 0x0B)) & third & HIGH;
    let separators = equal(third, 0xA8) | equal(third, 0xA9) | equal(third, 0xAF);
    equal(second, 0x80) & (below_200b | separators) | equal(second, 0x81) & equal(third, 0x9F)
}

/// Mask of the bytes that are this one.
#[inline(always)]
fn equal(chunk: u64, byte: u8) -> u64 {
    let difference = chunk ^ each(byte);
    !(((difference & !HIGH) + each(0x7F)) | difference) & HIGH
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
