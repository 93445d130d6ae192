//! The bytes of a journal, piece by piece: its lines, and the rest.

use crate::digest::{digest, is_id};

/// The digits of a digest, with which every line begins.
const DIGITS: usize = 32;

/// A line of a journal.
pub(super) struct JournalLine<'a> {
    /// The digest of the one that it comes after.
    pub(super) after: &'a str,
    pub(super) writer: &'a str,
    pub(super) digest: &'a str,
    pub(super) text: &'a [u8],
}

/// The bytes between two line breaks.
pub(super) struct JournalPiece<'a> {
    /// `None` where it is no line, or its digest does not hold.
    pub(super) line: Option<JournalLine<'a>>,
    /// The bytes before the first zero.
    text: &'a [u8],
    /// True if there are zeros in it, which no writer writes: a loss of power leaves them where
    /// bytes were added and not yet written.
    pub(super) has_zeros: bool,
}

/// Every piece, in the order of the file.
pub(super) fn pieces(bytes: &[u8]) -> impl Iterator<Item = JournalPiece<'_>> {
    bytes.split(|it| *it == b'\n').map(|piece| {
        let zero = piece.iter().position(|it| *it == 0);
        let text = &piece[..zero.unwrap_or(piece.len())];
        JournalPiece {
            line: JournalLine::read(text),
            text,
            has_zeros: zero.is_some(),
        }
    })
}

impl JournalPiece<'_> {
    /// Returns whether it begins as a line after one of these does: a writer that died leaves such
    /// a part of its line. Another one's rest may be behind it.
    pub(super) fn is_begun_after(&self, heads: &[String]) -> bool {
        let begin = &self.text[..self.text.len().min(DIGITS)];
        begin.is_empty() || heads.iter().any(|it| it.as_bytes().starts_with(begin))
    }

    /// Returns whether it begins as any line does.
    pub(super) fn is_begun(&self) -> bool {
        let mut begin = self.text.iter().take(DIGITS);
        begin.all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
    }

    /// Returns whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && !self.has_zeros
    }
}

impl<'a> JournalLine<'a> {
    fn read(line: &'a [u8]) -> Option<Self> {
        let mut fields = line.splitn(4, |it| *it == b' ');
        let mut id = || {
            let field = std::str::from_utf8(fields.next()?).ok()?;
            is_id(field).then_some(field)
        };
        let (after, writer, claimed) = (id()?, id()?, id()?);
        let text = fields.next()?;
        let holds = claimed == digest(&[after.as_bytes(), writer.as_bytes(), text]);
        holds.then_some(JournalLine {
            after,
            writer,
            digest: claimed,
            text,
        })
    }
}
