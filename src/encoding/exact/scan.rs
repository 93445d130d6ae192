//! Finds the ends of the pieces of a text: the patterns of both encodings, by hand.
//!
//! o200k:
//!
//! ```text
//! [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
//! ```
//!
//! cl100k:
//!
//! ```text
//! '(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+
//! |\s++$|\s*[\r\n]|\s+(?!\S)|\s
//! ```

use super::class::{CASELESS, Classes, LETTER, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER};
use crate::encoding::Encoding;
use crate::step_count::step;

/// The classes that a word of o200k begins with.
const BEGINS_WORD: u8 = UPPER | CASELESS | MARK;
/// The classes that it ends with.
const ENDS_WORD: u8 = LOWER | CASELESS | MARK;
/// The classes that may stand before a word, once.
const BEFORE_WORD: u8 = OTHER | SPACE | MARK;

/// A piece that may go on for long, by the characters with which it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenPiece {
    /// A word of o200k, before its first letter of lower case.
    Word,
    /// A word of o200k, behind that.
    EndOfWord,
    /// Letters of cl100k.
    Letters,
    /// Punctuation and the like.
    Others,
    /// The newlines behind punctuation.
    Newlines,
    /// White space.
    WhiteSpace,
}

/// The part of a piece that belongs to it regardless of what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenPart {
    /// Its end.
    pub(super) end: usize,
    /// The place at which the piece ends, unless what follows makes it go on: all behind is of it then, or else of
    /// the next one.
    pub(super) early_end: Option<usize>,
    open: OpenPiece,
    /// From here on the piece goes on as `then`.
    turn: usize,
    then: OpenPiece,
}

impl OpenPart {
    /// The piece as it goes on from a place within the part.
    pub(super) fn at(&self, place: usize) -> OpenPiece {
        match place > self.turn {
            true => self.then,
            false => self.open,
        }
    }
}

/// A walk over the pieces of a text.
pub(super) struct PieceScan<'a> {
    text: &'a [u8],
    classes: &'a Classes,
    /// True if a piece was found by looking beyond the last character: more text could change it.
    looked_beyond: bool,
}

impl<'a> PieceScan<'a> {
    pub(super) fn new(text: &'a str, classes: &'a Classes) -> Self {
        PieceScan {
            text: text.as_bytes(),
            classes,
            looked_beyond: false,
        }
    }

    /// Returns whether any piece so far would have been another one with more text behind.
    pub(super) fn looked_beyond(&self) -> bool {
        self.looked_beyond
    }

    /// Returns the end of the piece whose further part begins at `from`.
    pub(super) fn end_within(&mut self, encoding: Encoding, open: OpenPiece, from: usize) -> usize {
        let is_o200k = encoding == Encoding::O200k;
        match open {
            OpenPiece::Word => {
                let (word, capitals) = self.word(from);
                self.contraction(word.unwrap_or(capitals))
            }
            OpenPiece::EndOfWord => {
                let end = self.run(from, ENDS_WORD);
                self.contraction(end)
            }
            OpenPiece::Letters => self.run(from, LETTER),
            OpenPiece::Others => {
                let end = self.run(from, OTHER | MARK);
                self.newlines(end, is_o200k)
            }
            OpenPiece::Newlines => self.newlines(from, is_o200k),
            OpenPiece::WhiteSpace => self.white_space(from, is_o200k),
        }
    }

    /// The part of the piece in which the text ends that belongs to this piece regardless of what follows. The piece
    /// begins at `from`, or a further part `within` it does.
    pub(super) fn open(
        &mut self,
        encoding: Encoding,
        within: Option<OpenPiece>,
        from: usize,
    ) -> Option<OpenPart> {
        let (open, begin) = match within {
            Some(open) => (open, from),
            None => self.beginning(encoding, from)?,
        };
        let text_end = self.text.len();
        let (turn, then, end) = match open {
            OpenPiece::Word => match self.lower(begin) {
                (Some(lower), _) => {
                    let end = self.run(lower, ENDS_WORD);
                    (lower, OpenPiece::EndOfWord, end)
                }
                // Without one of lower case, the word goes back to where it can end.
                (None, end) => {
                    let (word, _) = self.word(begin);
                    return (end == text_end).then(|| OpenPart {
                        end,
                        early_end: word.filter(|word| *word < end),
                        open,
                        turn: text_end,
                        then: open,
                    });
                }
            },
            OpenPiece::EndOfWord => (begin, open, self.run(begin, ENDS_WORD)),
            OpenPiece::Letters => (begin, open, self.run(begin, LETTER)),
            OpenPiece::Others => {
                let end = self.run(begin, OTHER | MARK);
                let newlines = self.newlines(end, encoding == Encoding::O200k);
                (end, OpenPiece::Newlines, newlines)
            }
            OpenPiece::Newlines => {
                let end = self.newlines(begin, encoding == Encoding::O200k);
                (begin, open, end)
            }
            OpenPiece::WhiteSpace => {
                return self.open_white_space(begin);
            }
        };
        (end == text_end).then_some(OpenPart {
            end,
            early_end: None,
            open,
            turn,
            then,
        })
    }

    /// The kind of a piece that may go on for long, and where the characters of that kind begin.
    fn beginning(&mut self, encoding: Encoding, from: usize) -> Option<(OpenPiece, usize)> {
        let (first, bytes) = self.class(from)?;
        let second = from + bytes;
        let (next, _) = self.class(second)?;
        let is_before = first & BEFORE_WORD != 0;
        match encoding {
            Encoding::O200k if first & LETTER != 0 => return Some((OpenPiece::Word, from)),
            Encoding::O200k if is_before && next & (LETTER | MARK) != 0 => {
                return Some((OpenPiece::Word, second));
            }
            Encoding::O200k if first == MARK => return None,
            Encoding::Cl100k if first & LETTER != 0 => return Some((OpenPiece::Letters, from)),
            Encoding::Cl100k if is_before && self.contraction(from) > from => return None,
            Encoding::Cl100k if is_before && next & LETTER != 0 => {
                return Some((OpenPiece::Letters, second));
            }
            _ => {}
        }
        if first == NUMBER {
            return None;
        }
        let begin = from + usize::from(self.text.get(from) == Some(&b' '));
        match self.class(begin) {
            Some((class, _)) if class & (OTHER | MARK) != 0 => Some((OpenPiece::Others, begin)),
            _ => Some((OpenPiece::WhiteSpace, from)),
        }
    }

    /// The first letter of lower case behind those that a word of o200k begins with, or the end of these.
    fn lower(&mut self, from: usize) -> (Option<usize>, usize) {
        let end = self.run(from, BEGINS_WORD);
        let is_lower = matches!(self.class(end), Some((LOWER, _)));
        (is_lower.then_some(end), end)
    }

    /// White space, which ends at its last newline unless another one follows. Without any, its last character may
    /// belong to what follows.
    fn open_white_space(&mut self, from: usize) -> Option<OpenPart> {
        let end = self.run(from, SPACE | NEWLINE);
        if end < self.text.len() {
            return None;
        }
        let newline = self.text[from..]
            .iter()
            .rposition(|it| b"\r\n".contains(it));
        let last = self.text[from..].iter().rposition(|it| it & 0xC0 != 0x80);
        let open = OpenPiece::WhiteSpace;
        let after_newline = newline.map(|at| from + at + 1);
        Some(OpenPart {
            end: match newline {
                Some(_) => end,
                None => from + last?,
            },
            early_end: after_newline.filter(|at| *at < end),
            open,
            turn: end,
            then: open,
        })
    }

    /// Returns whether a piece with an early end goes on behind it, as far as the text says so. The characters from
    /// `from` on are the further ones, without those that were looked at before.
    pub(super) fn goes_on(&mut self, open: OpenPiece, from: usize) -> Option<bool> {
        let (further, sign) = match open {
            OpenPiece::WhiteSpace => (SPACE, NEWLINE),
            _ => (UPPER, ENDS_WORD),
        };
        let end = self.run(from, further);
        self.class(end).map(|(class, _)| class & sign != 0)
    }

    /// Returns the end of the piece that begins at `from`. There is at least one character.
    #[inline(always)]
    pub(super) fn end(&mut self, encoding: Encoding, from: usize) -> usize {
        let Some((first, bytes)) = self.class(from) else {
            return from;
        };
        match encoding {
            Encoding::O200k => self.end_in_o200k(from, first, bytes),
            Encoding::Cl100k => self.end_in_cl100k(from, first, bytes),
        }
    }

    #[inline(always)]
    fn end_in_o200k(&mut self, from: usize, first: u8, bytes: usize) -> usize {
        let second = from + bytes;
        if first & BEFORE_WORD != 0 {
            let (word, capitals) = self.word(second);
            if let Some(end) = word {
                return self.contraction(end);
            }
            if first == MARK {
                // A word by itself, with nothing before it.
                return self.contraction(second);
            }
            if capitals > second {
                return self.contraction(capitals);
            }
        } else if first & LETTER != 0 {
            let (word, capitals) = self.word(from);
            return self.contraction(word.unwrap_or(capitals));
        }
        self.end_of_others(from, first, bytes, true)
    }

    #[inline(always)]
    fn end_in_cl100k(&mut self, from: usize, first: u8, bytes: usize) -> usize {
        let second = from + bytes;
        if first & LETTER != 0 {
            return self.run(second, LETTER);
        }
        if first & BEFORE_WORD != 0 {
            let end = self.contraction(from);
            if end > from {
                return end;
            }
            let end = self.run(second, LETTER);
            if end > second {
                return end;
            }
        }
        self.end_of_others(from, first, bytes, false)
    }

    /// Returns the end of a word that ends with some of [`ENDS_WORD`], and the end of what it may begin with.
    #[inline(always)]
    fn word(&mut self, from: usize) -> (Option<usize>, usize) {
        let (mut at, mut end) = (from, None);
        while let Some((class, bytes)) = self.class(at) {
            if class & BEGINS_WORD == 0 {
                if class == LOWER {
                    return (Some(self.run(at + bytes, ENDS_WORD)), at);
                }
                break;
            }
            at += bytes;
            if class & ENDS_WORD != 0 {
                // The place to which the pattern goes back where nothing of lower case follows.
                end = Some(at);
            }
        }
        (end, at)
    }

    /// Returns the end of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d`, in any case, or `at`. A long s is an s.
    #[inline(always)]
    fn contraction(&mut self, at: usize) -> usize {
        match self.text.get(at..).unwrap_or_default() {
            [b'\'', rest @ ..] => match rest {
                [b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => at + 2,
                [b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..]
                | [b'l' | b'L', b'l' | b'L', ..]
                | [0xC5, 0xBF, ..] => at + 3,
                rest => {
                    self.looked_beyond |= rest.len() < 2;
                    at
                }
            },
            rest => {
                self.looked_beyond |= rest.is_empty();
                at
            }
        }
    }

    /// Numbers, punctuation and white space.
    #[inline(always)]
    fn end_of_others(&mut self, from: usize, first: u8, bytes: usize, is_o200k: bool) -> usize {
        if first == NUMBER {
            let mut end = from + bytes;
            for _ in 0..2 {
                match self.class(end) {
                    Some((NUMBER, bytes)) => end += bytes,
                    _ => break,
                }
            }
            return end;
        }
        let begin = from + usize::from(self.text.get(from) == Some(&b' '));
        let end = self.run(begin, OTHER | MARK);
        if end > begin {
            return self.newlines(end, is_o200k);
        }
        self.white_space(from, is_o200k)
    }

    /// Returns the end of newlines after punctuation, or of slashes.
    #[inline(always)]
    fn newlines(&mut self, mut at: usize, and_slashes: bool) -> usize {
        loop {
            match self.text.get(at) {
                Some(b'\r' | b'\n') => at += 1,
                Some(b'/') if and_slashes => at += 1,
                Some(_) => return at,
                None => {
                    self.looked_beyond = true;
                    return at;
                }
            }
        }
    }

    #[inline(always)]
    fn white_space(&mut self, from: usize, is_o200k: bool) -> usize {
        let (mut at, mut last, mut after_newline) = (from, from, None);
        while let Some((class, bytes)) = self.class(at) {
            if class & (SPACE | NEWLINE) == 0 {
                break;
            }
            last = at;
            at += bytes;
            if class == NEWLINE {
                after_newline = Some(at);
            }
        }
        let is_at_end = at == self.text.len();
        match after_newline {
            _ if is_at_end && !is_o200k => at,
            Some(end) => end,
            // The last one stands before what follows.
            None if !is_at_end && last > from => last,
            None => at,
        }
    }

    /// Returns the end of characters of these classes.
    #[inline(always)]
    fn run(&mut self, mut at: usize, classes: u8) -> usize {
        while let Some((class, bytes)) = self.class(at) {
            if class & classes == 0 {
                break;
            }
            at += bytes;
        }
        at
    }

    #[inline(always)]
    fn class(&mut self, at: usize) -> Option<(u8, usize)> {
        step(1);
        let found = self.classes.at(self.text, at);
        self.looked_beyond |= found.is_none();
        found
    }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
