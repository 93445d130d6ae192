//! Counts tokens: maximal runs of what is not ECMAScript white space (`\s`).
//!
//! `str::split_whitespace` would be wrong: U+FEFF is white space in ECMAScript and U+0085 is not.
//! Counting works on the bytes, sixteen at a time, by the vector instructions of WebAssembly, which
//! every host that is supported has. Elsewhere functions of the same names stand for them.

#[cfg(target_arch = "wasm32")]
use core::arch::wasm32 as lanes;

#[cfg(not(target_arch = "wasm32"))]
mod lanes;

use lanes::{
    i8x16_lt, i8x16_splat, u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_shuffle, u8x16_splat,
    u8x16_sub, u64x2, v128, v128_and, v128_or,
};

/// A stored context summary has at most this many tokens.
pub const MAX_SUMMARY_TOKENS: u64 = 500;

/// A stored context summary has at most this many bytes of UTF-8: text without white space is one
/// token, however long it is.
pub const MAX_SUMMARY_BYTES: usize = 64 * 1024;

/// The result of [`validate`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordLimitVerdict {
    /// True if the text is within the limit.
    pub valid: bool,
    /// The text's tokens.
    pub token_count: u64,
    /// The limit in force.
    pub limit: u64,
    /// The sentence, where the text is not valid.
    pub error: Option<String>,
}

/// Returns the number of words of a text, which the limit of a summary counts as its tokens.
///
/// A word is a maximal run of characters that are not ECMAScript white space (`\s`). Any text has a count; the
/// time is linear in its bytes.
///
/// ```
/// use milepost::tokens::count;
///
/// assert_eq!(count("Read the plan.\n\tThen act."), 5);
/// assert_eq!(count(" \n"), 0);
/// // U+FEFF is white space in ECMAScript, and U+0085 is not.
/// assert_eq!((count("a\u{FEFF}b"), count("a\u{85}b")), (2, 1));
/// ```
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
pub fn count(text: &str) -> u64 {
    let mut counter = WordCounter {
        tokens: 0,
        in_token: 0,
        overhang: 0,
    };
    let (chunks, rest) = text.as_bytes().as_chunks();
    // Blanks before and behind the text begin no token.
    let mut last = [b' '; CHUNK];
    last[..rest.len()].copy_from_slice(rest);
    let mut chunk = u8x16_splat(b' ');
    for next in chunks.iter().chain([&last, &[b' '; CHUNK]]) {
        let next = load(next);
        counter.take(chunk, next);
        chunk = next;
    }
    counter.tokens
}

/// Compares a text with a limit in words, as [`count`] counts them. The byte limit of stored summaries is not looked
/// at: [`check_stored`] checks both.
///
/// A text above the limit is no error of this function: the verdict has the sentence to show.
///
/// ```
/// use milepost::tokens::validate;
///
/// assert!(validate("one two", 2).valid);
/// let verdict = validate("one two three", 2);
/// assert!(!verdict.valid);
/// assert_eq!((verdict.token_count, verdict.limit), (3, 2));
/// assert_eq!(
///     verdict.error.as_deref(),
///     Some("Context summary exceeds 2 token limit (actual: 3 tokens)"),
/// );
/// ```
pub fn validate(text: &str, limit: u64) -> WordLimitVerdict {
    let token_count = count(text);
    let valid = token_count <= limit;
    WordLimitVerdict {
        valid,
        token_count,
        limit,
        error: (!valid).then(|| {
            format!("Context summary exceeds {limit} token limit (actual: {token_count} tokens)")
        }),
    }
}

/// Checks what every save requires of a context summary: at most [`MAX_SUMMARY_TOKENS`] words and at most
/// [`MAX_SUMMARY_BYTES`] bytes of UTF-8.
///
/// # Errors
///
/// The sentence that says which limit is exceeded, of the bytes before the words.
///
/// ```
/// use milepost::tokens::check_stored;
///
/// assert_eq!(check_stored("The theme is in CSS variables."), Ok(()));
/// assert_eq!(
///     check_stored(&"word ".repeat(501)),
///     Err("Context summary exceeds 500 token limit (actual: 501 tokens)".to_owned()),
/// );
/// assert_eq!(
///     check_stored(&"x".repeat(64 * 1024 + 1)),
///     Err("Context summary exceeds 64 KiB limit (actual: 65537 bytes)".to_owned()),
/// );
/// ```
pub fn check_stored(text: &str) -> Result<(), String> {
    if text.len() > MAX_SUMMARY_BYTES {
        return Err(sentence!(
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

/// Returns the text up to the end of its last word within a limit in words; all of it, with the white space at its
/// end, where nothing is beyond.
///
/// ```
/// use milepost::tokens::truncate;
///
/// assert_eq!(truncate("one  two three", 2), "one  two");
/// assert_eq!(truncate("one  two\n", 2), "one  two\n");
/// assert_eq!(truncate("one", 0), "");
/// ```
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
const CHUNK: usize = 16;

/// In what follows, a mask has a bit for every byte of a chunk, the lowest one for the first byte.
struct WordCounter {
    tokens: u64,
    /// 1 if the byte before the chunk belongs to a token.
    in_token: u32,
    /// Mask of the chunk's first bytes that end a white space begun in the chunk before.
    overhang: u32,
}

impl WordCounter {
    /// Counts a token at every byte of the chunk that belongs to one and follows one that does not.
    /// A white space that begins in the chunk may end in the next one.
    #[inline]
    #[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
    fn take(&mut self, chunk: v128, next: v128) {
        let blank = u8x16_eq(chunk, u8x16_splat(b' '));
        // From tab to carriage return.
        let control = u8x16_lt(u8x16_sub(chunk, u8x16_splat(b'\t')), u8x16_splat(5));
        let mut spaces = self.overhang | u32::from(u8x16_bitmask(v128_or(blank, control)));
        self.overhang = 0;
        if u8x16_bitmask(chunk) != 0 && u8x16_bitmask(wide_space_leads(chunk)) != 0 {
            let [two, three] = wide_spaces(chunk, next);
            let wide = two | two << 1 | three | three << 1 | three << 2;
            spaces |= wide;
            self.overhang = wide >> CHUNK;
        }
        let token = !spaces & 0xFFFF;
        self.tokens += u64::from((token & !(token << 1 | self.in_token)).count_ones());
        self.in_token = token >> (CHUNK - 1);
    }
}

#[inline]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn load(chunk: &[u8; CHUNK]) -> v128 {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *chunk;
    u64x2(
        u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        u64::from_le_bytes([i, j, k, l, m, n, o, p]),
    )
}

/// The bytes that every wide white space begins with, and what else begins with them: 0xC2, 0xE1 to
/// 0xE3, and 0xEF. Most scripts have none of them, and are not looked at more closely.
#[inline]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn wide_space_leads(chunk: v128) -> v128 {
    let from_e1_to_e3 = u8x16_lt(u8x16_sub(chunk, u8x16_splat(0xE1)), u8x16_splat(3));
    let is_c2 = u8x16_eq(chunk, u8x16_splat(0xC2));
    let is_ef = u8x16_eq(chunk, u8x16_splat(0xEF));
    v128_or(from_e1_to_e3, v128_or(is_c2, is_ef))
}

/// Masks of the bytes that begin a white space of two and of three bytes.
#[inline]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn wide_spaces(first: v128, next: v128) -> [u32; 2] {
    let second =
        u8x16_shuffle::<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(first, next);
    let third =
        u8x16_shuffle::<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17>(first, next);
    let is = |bytes, byte| u8x16_eq(bytes, u8x16_splat(byte));

    // U+00A0.
    let two = v128_and(is(first, 0xC2), is(second, 0xA0));

    // U+2000 to U+200A, which as signed numbers are the lowest; U+2028, U+2029 and U+202F.
    let below_200b = i8x16_lt(third, i8x16_splat(0x8B_u8.cast_signed()));
    let separators = v128_or(
        is(v128_and(third, u8x16_splat(0xFE)), 0xA8),
        is(third, 0xAF),
    );
    let in_2000 = v128_and(is(second, 0x80), v128_or(below_200b, separators));
    // U+205F.
    let in_2040 = v128_and(is(second, 0x81), is(third, 0x9F));
    let three = v128_and(is(first, 0xE2), v128_or(in_2000, in_2040));

    // U+1680, U+3000 and U+FEFF. (As a loop it is one in a build for size, and takes twice the time.)
    let these = |a, b, c| v128_and(is(first, a), v128_and(is(second, b), is(third, c)));
    let others = v128_or(these(0xE1, 0x9A, 0x80), these(0xE3, 0x80, 0x80));
    let three = v128_or(three, v128_or(others, these(0xEF, 0xBB, 0xBF)));
    [u8x16_bitmask(two).into(), u8x16_bitmask(three).into()]
}

#[cfg(test)]
mod tests;
