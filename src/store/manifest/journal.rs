//! The journal of an index: changes that were made since it was committed, one after the other.
//!
//! A change that adds little is a line at the end of a file, which is one wait for the disk and costs the same
//! however large the index is. Each line says after which one it comes, by that one's digest, so that adding is a
//! compare-and-swap: of two lines after the same one the first in the file counts, and the other is void. An
//! empty line closes the journal; then an index takes its place that has all of it.

use super::name::PartName;
use crate::digest::{digest, is_id};

/// A journal that is larger takes no more lines: void ones count for nothing, and are read all the same.
const MAX_BYTES: usize = 256 << 10;

/// The changes since an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    pub(super) part: PartName,
    /// All bytes of the file, with those of no effect.
    pub(super) size: usize,
    /// The digest of the last line, or of none the token of the file.
    head: String,
    /// Who wrote a line.
    writers: Vec<String>,
    pub(super) is_closed: bool,
    /// What they say, the oldest first.
    pub lines: Vec<Vec<u8>>,
}

impl Journal {
    /// Whether it takes another line.
    pub fn is_open(&self) -> bool {
        !self.is_closed && self.size < MAX_BYTES
    }

    /// Whether a line of this writer counts.
    pub(super) fn has(&self, writer: &str) -> bool {
        self.writers.iter().any(|it| it == writer)
    }

    /// What the bytes of a file hold. A line whose digest does not hold is what a dead writer has left of one;
    /// where another line comes after it all the same, something is lost: `None`.
    pub(super) fn read(part: &PartName, bytes: &[u8]) -> Option<Self> {
        let mut journal = Journal {
            part: part.clone(),
            size: bytes.len(),
            head: part.token.clone(),
            writers: Vec::new(),
            is_closed: false,
            lines: Vec::new(),
        };
        let mut passed: Vec<String> = Vec::new();
        for line in bytes.split(|it| *it == b'\n').filter_map(Line::read) {
            if line.after == journal.head {
                let head = std::mem::replace(&mut journal.head, line.digest.to_owned());
                passed.push(head);
                journal.writers.push(line.writer.to_owned());
                match line.text {
                    [] => journal.is_closed = true,
                    text => journal.lines.push(text.to_owned()),
                }
            } else if !passed.iter().any(|it| it == line.after) {
                return None;
            }
        }
        Some(journal)
    }

    /// The bytes of a line that comes next. It begins on its own, whatever a dead writer has left before it.
    pub(super) fn line(&self, writer: &str, text: &[u8]) -> Vec<u8> {
        let digest = digest(&[self.head.as_bytes(), writer.as_bytes(), text]);
        let mut line = format!("\n{} {writer} {digest} ", self.head).into_bytes();
        line.extend_from_slice(text);
        line
    }
}

struct Line<'a> {
    /// The digest of the one that it comes after.
    after: &'a str,
    writer: &'a str,
    digest: &'a str,
    text: &'a [u8],
}

impl<'a> Line<'a> {
    fn read(line: &'a [u8]) -> Option<Self> {
        let mut fields = line.splitn(4, |it| *it == b' ');
        let mut id = || {
            let field = std::str::from_utf8(fields.next()?).ok()?;
            is_id(field).then_some(field)
        };
        let (after, writer, claimed) = (id()?, id()?, id()?);
        let text = fields.next()?;
        let holds = claimed == digest(&[after.as_bytes(), writer.as_bytes(), text]);
        holds.then_some(Line {
            after,
            writer,
            digest: claimed,
            text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Journal, MAX_BYTES};
    use crate::store::manifest::PartName;

    fn part() -> PartName {
        PartName {
            key: "00".to_owned(),
            token: id(0),
        }
    }

    fn id(number: u64) -> String {
        format!("{number:032x}")
    }

    fn read(bytes: &[u8]) -> Option<Journal> {
        Journal::read(&part(), bytes)
    }

    /// With so many lines, each of which says its number.
    fn written(lines: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in 1..=lines {
            let text = number.to_string();
            let line = read(&bytes).unwrap().line(&id(number), text.as_bytes());
            bytes.extend_from_slice(&line);
        }
        bytes
    }

    fn texts(journal: &Journal) -> Vec<&str> {
        let lines = journal.lines.iter();
        lines.map(|it| std::str::from_utf8(it).unwrap()).collect()
    }

    #[test]
    fn of_two_lines_after_the_same_one_the_second_counted() {
        let mut bytes = written(1);
        let before = read(&bytes).unwrap();
        bytes.extend(before.line(&id(2), b"first"));
        bytes.extend(before.line(&id(3), b"second"));
        let journal = read(&bytes).unwrap();
        assert_eq!(texts(&journal), ["1", "first"]);
        assert!(journal.has(&id(2)) && !journal.has(&id(3)));
        bytes.extend(journal.line(&id(3), b"again"));
        assert_eq!(texts(&read(&bytes).unwrap()), ["1", "first", "again"]);
    }

    #[test]
    fn a_line_after_the_end_of_a_journal_counted() {
        let mut bytes = written(2);
        let before = read(&bytes).unwrap();
        bytes.extend(before.line(&id(3), b""));
        bytes.extend(before.line(&id(4), b"too late"));
        let journal = read(&bytes).unwrap();
        assert!(!journal.is_open() && journal.has(&id(3)) && !journal.has(&id(4)));
        assert_eq!(texts(&journal), ["1", "2"]);
    }

    #[test]
    fn a_line_that_was_torn_counted_or_took_another_one_along() {
        let (whole, before) = (written(3), written(2));
        for end in before.len()..whole.len() {
            let mut bytes = whole[..end].to_vec();
            let torn = read(&bytes).unwrap();
            assert_eq!(texts(&torn), ["1", "2"], "{end} bytes");
            bytes.extend(torn.line(&id(4), b"next"));
            assert_eq!(
                texts(&read(&bytes).unwrap()),
                ["1", "2", "next"],
                "{end} bytes"
            );
        }
    }

    #[test]
    fn a_changed_byte_took_later_lines_out_of_the_journal() {
        let whole = written(3);
        let last = written(2).len();
        for at in 0..last {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            // A line break that is none any more, or a new one, makes two lines one, or one two.
            assert_eq!(read(&bytes), None, "byte {at}");
        }
    }

    #[test]
    fn a_journal_grew_without_end() {
        let mut bytes = written(1);
        let before = read(&bytes).unwrap();
        assert!(before.is_open());
        bytes.extend(before.line(&id(2), &vec![b'x'; MAX_BYTES]));
        assert!(!read(&bytes).unwrap().is_open());
    }
}
