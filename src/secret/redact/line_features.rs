//! The features of a line, seen in one pass.
//!
//! Nearly every line of a text has nothing that any rule could begin with. So each rule says here what a line
//! needs for it, and is asked for no other line.

use super::mask::Mask;
use super::{login, named, shape};
use crate::step_count::step;

/// No rule takes a shorter word for a token.
const LEAST_TOKEN: usize = 14;

/// Nor a shorter line, where a token has other characters than a word.
const LEAST_BASE64: usize = 24;

/// A value without a digit is not of chance with fewer capitals behind small letters.
const LEAST_TURNS: u32 = 6;

/// A text that is shorter has no secret: `Bearer x`, `://:abc@`.
pub(super) const LEAST_TEXT: usize = 8;

// The classes of a byte, as bits.
const WORD: u32 = 1;
const DIGIT: u32 = 1 << 1;
const SMALL: u32 = 1 << 2;
const CAPITAL: u32 = 1 << 3;
const EQUALS: u32 = 1 << 4;
const COLON: u32 = 1 << 5;
const SLASH: u32 = 1 << 6;
const AT: u32 = 1 << 7;
const POINT: u32 = 1 << 8;
const QUESTION: u32 = 1 << 9;
const DASH: u32 = 1 << 10;
const LETTER_B: u32 = 1 << 11;
const END: u32 = 1 << 12;
const PLUS: u32 = 1 << 15;

// And what follows from two or more of them.
const TWO_DASHES: u32 = 1 << 13;
const SCHEME: u32 = 1 << 14;
const FLAG: u32 = 1 << 16;

const CLASSES: [u32; 256] = classes();

const fn classes() -> [u32; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b'0'..=b'9' => WORD | DIGIT,
            b'b' => WORD | SMALL | LETTER_B,
            b'B' => WORD | CAPITAL | LETTER_B,
            b'a'..=b'z' => WORD | SMALL,
            b'A'..=b'Z' => WORD | CAPITAL,
            b'_' => WORD,
            b'-' => WORD | DASH,
            b'.' => WORD | POINT,
            b'=' => EQUALS,
            b':' => COLON,
            b'/' => SLASH,
            b'+' => PLUS,
            b'@' => AT,
            b'?' => QUESTION,
            b'\n' => END,
            _ => 0,
        };
        byte += 1;
    }
    classes
}

/// The features of one line.
pub(super) struct LineFeatures {
    /// The end of the line.
    pub(super) end: usize,
    seen: u32,
    /// Bytes of the line.
    length: usize,
    /// Bytes of its longest word.
    longest: usize,
    /// The number of times a capital follows a small letter.
    turns: u32,
}

impl LineFeatures {
    /// Looks at the line that begins there.
    pub(super) fn at(text: &[u8], from: usize) -> Self {
        let mut end = text.len();
        let (mut seen, mut longest, mut turns) = (0, 0, 0);
        let mut before = 0;
        let mut word = from;
        for (length, byte) in text[from..].iter().enumerate() {
            let class = CLASSES[usize::from(*byte)];
            if class & WORD == 0 {
                let at = from + length;
                longest = longest.max(at - word);
                word = at + 1;
                if class == END {
                    end = at;
                    break;
                }
            } else if class & (CAPITAL | DASH | LETTER_B) != 0 {
                turns += u32::from(before & SMALL != 0 && class & CAPITAL != 0);
                if before & class & DASH != 0 {
                    seen |= TWO_DASHES;
                }
                if class & DASH != 0 && login::begins_flag(text, from + length) {
                    seen |= FLAG;
                }
                if class & LETTER_B != 0 && begins_scheme(&text[from + length..]) {
                    seen |= SCHEME;
                }
            }
            seen |= class;
            before = class;
        }
        step(end - from);
        LineFeatures {
            end,
            seen,
            length: end - from,
            longest: longest.max(end.saturating_sub(word)),
            turns,
        }
    }

    /// Returns whether any rule may find something.
    pub(super) fn may_hold_secret(&self) -> bool {
        self.may_hold_token()
            || self.may_hold_password()
            || self.may_hold_address()
            || self.has(EQUALS | SCHEME | FLAG | COLON)
            || self.may_hold_named()
    }

    /// Marks what the rules find.
    pub(super) fn mark(&self, line: &str, mask: &mut Mask<'_>) {
        if self.may_hold_token() {
            shape::tokens(line, mask);
        }
        if self.may_hold_password() {
            shape::passwords_in_addresses(line, mask);
        }
        if self.may_hold_address() {
            shape::addresses(line, mask);
        }
        if self.has(EQUALS) {
            shape::connection_string(line, mask);
        }
        if self.has(SCHEME) {
            shape::schemes(line, mask);
        }
        if self.has(FLAG) {
            login::flags(line, mask);
        }
        if self.has(COLON) {
            login::fields(line, mask);
        }
        if self.has(COLON) && self.has(EQUALS) {
            login::cookies(line, mask);
        }
        if self.may_hold_named() {
            named::mark(line, mask);
        }
    }

    fn may_hold_token(&self) -> bool {
        // Base64 has parts that are shorter.
        self.longest >= LEAST_TOKEN || self.has(SLASH | PLUS) && self.length >= LEAST_BASE64
    }

    /// `scheme://user:password@host`
    fn may_hold_password(&self) -> bool {
        self.has(COLON) && self.has(SLASH) && self.has(AT)
    }

    /// That of a webhook, or one with parameters.
    fn may_hold_address(&self) -> bool {
        self.has(SLASH) && (self.has(POINT) || self.has(QUESTION) && self.has(EQUALS))
    }

    /// A value that is strong enough, behind a separator or a flag.
    fn may_hold_named(&self) -> bool {
        let is_strong = self.has(DIGIT) || self.turns >= LEAST_TURNS;
        is_strong && self.has(EQUALS | COLON | TWO_DASHES)
    }

    /// Returns whether any of these is in it.
    fn has(&self, classes: u32) -> bool {
        self.seen & classes != 0
    }
}

/// `Bearer` or `Basic`.
fn begins_scheme(text: &[u8]) -> bool {
    [&b"bearer"[..], b"basic"].iter().any(|scheme| {
        let word = text.get(..scheme.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(scheme))
    })
}

#[cfg(test)]
mod tests {
    use super::{LineFeatures, Mask};
    use crate::secret::redact::any_text::any_text;
    use crate::secret::redact::{Allowed, Rule};

    fn marked(features: &LineFeatures, line: &str) -> Vec<(Rule, usize, usize)> {
        let none = Allowed::default();
        let mut mask = Mask::new(&none);
        mask.begin(line.len());
        features.mark(line, &mut mask);
        let mut all = Vec::new();
        mask.show(&mut |rule, start, end| all.push((rule, start, end)));
        all
    }

    #[test]
    fn every_rule_is_asked_for_a_line_with_its_secret() {
        let _run = milepost_property::seed("every rule is asked for a line with its secret", 7);
        let mut chance = fastrand::Rng::with_seed(7);
        for _ in 0..6_000 {
            let text = any_text(&mut chance);
            for line in text.split('\n') {
                let features = LineFeatures::at(line.as_bytes(), 0);
                assert_eq!(features.end, line.len());
                let every_rule = LineFeatures {
                    end: line.len(),
                    length: usize::MAX,
                    seen: u32::MAX,
                    longest: usize::MAX,
                    turns: u32::MAX,
                };
                let found = marked(&every_rule, line);
                assert_eq!(marked(&features, line), found, "{line:?}");
                assert!(found.is_empty() || features.may_hold_secret(), "{line:?}");
            }
        }
    }
}
