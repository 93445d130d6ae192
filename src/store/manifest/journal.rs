//! The journal of an index: changes that were made since it was committed, one after the other.
//!
//! A change that adds little is a line at the end of a file, which is one wait for the disk and costs the same
//! however large the index is. Each line says after which one it comes, by that one's digest, so that adding is a
//! compare-and-swap: of two lines after the same one the first in the file counts, and the other is void. An
//! empty line closes the journal; then an index takes its place that has all of it.
//!
//! A process that dies leaves the beginning of a line, and a loss of power zeros as well. Anything else that is no
//! line, a line that is missed by the next one, and an end that is short of what the [tally](super::tally) says, is
//! damage.

use super::name::PartName;
use super::scan::{JournalLine, pieces};
use super::tally::{Tally, TallyClaim};
use crate::digest::digest;
use crate::effect::Sync;

/// A journal that is larger takes no more lines: void ones count for nothing, and are read all the same.
const MAX_BYTES: usize = 256 << 10;

/// The changes since an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    pub(super) part: PartName,
    /// All bytes of the file, with those of no effect.
    pub(super) size: usize,
    /// The token of the file, and the digests of its lines.
    heads: Vec<String>,
    /// The writer of a line.
    writers: Vec<String>,
    pub(super) is_closed: bool,
    pub(super) has_tally: bool,
    /// As many of its lines as its tally says were durable, and as many as it says were acknowledged.
    claimed: [usize; 2],
    /// The texts of the lines, the oldest first.
    pub lines: Vec<Vec<u8>>,
    /// The part that a loss of power took, where that was permitted.
    pub loss: Option<Box<Loss>>,
}

/// The part that a loss of power took of a journal whose lines did not wait for the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// At least so many changes that were acknowledged.
    pub lines: usize,
    /// All bytes of the file, which are kept before another one takes its place.
    pub bytes: Vec<u8>,
}

/// A line that is to be added.
pub(super) struct NextLine {
    pub(super) bytes: Vec<u8>,
    pub(super) digest: String,
}

impl Journal {
    /// Returns whether it takes another line.
    pub fn is_open(&self) -> bool {
        !self.is_closed && self.loss.is_none() && self.size < MAX_BYTES
    }

    /// Returns whether a line of this writer counts.
    pub(super) fn has(&self, writer: &str) -> bool {
        self.writers.iter().any(|it| it == writer)
    }

    /// Reads the bytes of a file, which was read after its tally, if it has one.
    ///
    /// # Errors
    ///
    /// A sentence, where they are damaged.
    pub(super) fn read(
        part: &PartName,
        bytes: &[u8],
        tally: Option<&Tally>,
    ) -> Result<Self, String> {
        let mut journal = Journal {
            part: part.clone(),
            size: bytes.len(),
            heads: vec![part.token.clone()],
            writers: Vec::new(),
            is_closed: false,
            has_tally: tally.is_some(),
            claimed: [0, 0],
            lines: Vec::new(),
            loss: None,
        };
        let mut has_zeros = false;
        // Lines that come after one which is not there.
        let mut astray = 0;
        for piece in pieces(bytes) {
            has_zeros |= piece.has_zeros;
            match &piece.line {
                Some(line) if astray == 0 && line.after == journal.head() => journal.take(line),
                // Void: another one was faster.
                Some(line) if astray == 0 && journal.heads.iter().any(|it| it == line.after) => {}
                Some(_) => astray += 1,
                None if piece.is_begun_after(&journal.heads) => {}
                // The line before it may be lost.
                None if has_zeros && piece.is_begun() => {}
                None => return Err("it holds what is no line of it".to_owned()),
            }
        }
        let none = Tally::default();
        let lost = journal.lost(tally.unwrap_or(&none), has_zeros, astray)?;
        if lost > 0 || has_zeros {
            journal.loss = Some(Box::new(Loss {
                lines: lost,
                bytes: bytes.to_vec(),
            }));
        }
        Ok(journal)
    }

    /// Holds the lines to what was acknowledged, and returns how many are lost that did not wait for the disk.
    fn lost(&mut self, tally: &Tally, has_zeros: bool, astray: usize) -> Result<usize, String> {
        if tally.is_damaged {
            let tally = self.part.tally().file();
            return Err(format!("its tally, {tally}, is damaged"));
        }
        let found = self.lines.len();
        let lacks = |claim: &&TallyClaim| self.heads.get(claim.lines) != Some(&claim.head);
        let missing = |claim: &TallyClaim| claim.lines.saturating_sub(found).max(1);
        if let Some(claim) = tally.most(Sync::Durable).filter(lacks) {
            return Err(format!(
                "{} of {} changes that were acknowledged as durable are missing or damaged",
                missing(claim),
                claim.lines
            ));
        }
        if astray > 0 && !has_zeros {
            return Err("a line of it is damaged, and others come after it".to_owned());
        }
        let lost = tally.most(Sync::Lazy).filter(lacks).map_or(0, missing);
        let most = |sync| tally.most(sync).map_or(0, |it| it.lines);
        self.claimed = [most(Sync::Durable), most(Sync::Lazy)];
        Ok(lost.max(astray))
    }

    fn head(&self) -> &str {
        self.heads.last().map_or("", String::as_str)
    }

    fn take(&mut self, line: &JournalLine<'_>) {
        self.heads.push(line.digest.to_owned());
        self.writers.push(line.writer.to_owned());
        match line.text {
            [] => self.is_closed = true,
            text => self.lines.push(text.to_owned()),
        }
    }

    /// A line that comes next. It begins on its own, after what a writer that died may have left.
    pub(super) fn line(&self, writer: &str, text: &[u8]) -> NextLine {
        let head = self.head();
        let digest = digest(&[head.as_bytes(), writer.as_bytes(), text]);
        let mut bytes = format!("\n{head} {writer} {digest} ").into_bytes();
        bytes.extend_from_slice(text);
        NextLine { bytes, digest }
    }

    /// The claim on the line that comes next, once it counts.
    pub(super) fn claim_next(&self, digest: String, sync: Sync) -> TallyClaim {
        TallyClaim {
            lines: self.lines.len() + 1,
            head: digest,
            sync,
        }
    }

    /// The claim on the line of this writer; `None` where none counts.
    pub(super) fn claim_of(&self, writer: &str, sync: Sync) -> Option<TallyClaim> {
        let lines = self.writers.iter().position(|it| it == writer)? + 1;
        Some(TallyClaim {
            lines,
            head: self.heads.get(lines)?.clone(),
            sync,
        })
    }

    /// The claim on all of its lines, where its tally does not say as much.
    pub(super) fn unclaimed(&self, sync: Sync) -> Option<TallyClaim> {
        let [durable, acknowledged] = self.claimed;
        let said = match sync {
            Sync::Durable => durable,
            Sync::Lazy => acknowledged,
        };
        let lines = self.lines.len();
        let is_behind = self.has_tally && self.loss.is_none() && lines > said;
        let head = self.heads.get(lines).filter(|_| is_behind)?.clone();
        Some(TallyClaim { lines, head, sync })
    }
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
