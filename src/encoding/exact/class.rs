//! The class of each character, as far as the patterns distinguish them.

use super::table::CHANGES;

/// Letters that are upper or title case.
pub(super) const UPPER: u8 = 1;
/// Letters that are lower case.
pub(super) const LOWER: u8 = 2;
/// Letters without a case, and those that modify others.
pub(super) const CASELESS: u8 = 4;
/// Marks.
pub(super) const MARK: u8 = 8;
/// Numbers.
pub(super) const NUMBER: u8 = 16;
/// White space that is no newline.
pub(super) const SPACE: u8 = 32;
/// Carriage return and line feed.
pub(super) const NEWLINE: u8 = 64;
/// Everything else.
pub(super) const OTHER: u8 = 128;

/// Any letter.
pub(super) const LETTER: u8 = UPPER | LOWER | CASELESS;

/// Above it are marks alone, in [`FAR_MARKS`].
const END: usize = 0x32400;
const FAR_MARKS: std::ops::RangeInclusive<u32> = 0xE0100..=0xE01EF;

const ASCII: [u8; 128] = {
    let mut classes = [OTHER; 128];
    let mut at = 0;
    while at < 128 {
        classes[at] = match at as u8 {
            b'\n' | b'\r' => NEWLINE,
            b'\t' | 0x0B | 0x0C | b' ' => SPACE,
            b'A'..=b'Z' => UPPER,
            b'a'..=b'z' => LOWER,
            b'0'..=b'9' => NUMBER,
            _ => OTHER,
        };
        at += 1;
    }
    classes
};

/// The class of each character, one byte each as far as they differ.
pub(super) struct Classes(Box<[u8]>);

impl Classes {
    /// Unpacks the table.
    pub(super) fn new() -> Self {
        let mut classes = vec![OTHER; END];
        for (at, change) in CHANGES.iter().enumerate() {
            let from = (change >> 3) as usize;
            let to = CHANGES.get(at + 1).map_or(END, |next| (next >> 3) as usize);
            classes[from..to].fill(1 << (change & 7));
        }
        Classes(classes.into())
    }

    /// The class of the character that begins at `at`, and how many bytes it has.
    #[inline(always)]
    pub(super) fn at(&self, text: &[u8], at: usize) -> Option<(u8, usize)> {
        let first = *text.get(at)?;
        match ASCII.get(usize::from(first)) {
            Some(class) => Some((*class, 1)),
            None => Some(self.beyond_ascii(text, at, first)),
        }
    }

    #[inline(always)]
    fn beyond_ascii(&self, text: &[u8], at: usize, first: u8) -> (u8, usize) {
        let next = |by: usize| u32::from(text.get(at + by).copied().unwrap_or_default() & 0x3F);
        let first = u32::from(first);
        let (character, bytes) = if first < 0xE0 {
            ((first & 0x1F) << 6 | next(1), 2)
        } else if first < 0xF0 {
            ((first & 0x0F) << 12 | next(1) << 6 | next(2), 3)
        } else {
            let high = (first & 0x07) << 18 | next(1) << 12;
            (high | next(2) << 6 | next(3), 4)
        };
        (self.of(character), bytes)
    }

    /// The class of this character.
    #[inline(always)]
    pub(super) fn of(&self, character: u32) -> u8 {
        match self.0.get(character as usize) {
            Some(class) => *class,
            None if FAR_MARKS.contains(&character) => MARK,
            None => OTHER,
        }
    }
}

#[cfg(test)]
#[path = "class_tests.rs"]
mod tests;
