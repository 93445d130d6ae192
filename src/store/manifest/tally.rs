//! The tally of a journal: how many of its lines were acknowledged.
//!
//! A line of a journal names the one before it, so that damage in the middle shows at the next line. The end of
//! the file can be cut off without a trace in what is left. So each acknowledged change adds a claim to a small
//! file beside the journal: the number of lines, and the digest of the last one.
//!
//! A claim is added after the line, and without a wait for the disk. Its statement holds for as long as it can be
//! read, and a loss of power may take the claim itself: then the tally says less than the journal, never more. A
//! claim also says whether its lines were on stable storage. Those cannot be missing later; lines that were
//! written lazily can be, after a loss of power.

use crate::digest::{digest, is_id};
use crate::effect::Sync;

/// The beginnings of claims on lines that were on stable storage, and on those that were not.
const DURABLE: &str = "d";
const LAZY: &str = "l";

/// A number of lines has so many digits, so that all claims have one length.
const NUMBER_DIGITS: usize = 6;

/// The number of hex digits that distinguish a whole claim of this journal from a torn one, and
/// from one of another journal.
const CHECK_DIGITS: usize = 8;

/// The bytes of a claim: its kind, the number, the digest of a line, the check, and three spaces.
const CLAIM_BYTES: usize = 1 + NUMBER_DIGITS + 32 + CHECK_DIGITS + 3;

/// The claim that so many lines were acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TallyClaim {
    /// Their number.
    pub(super) lines: usize,
    /// The digest of the last of them.
    pub(super) head: String,
    /// States whether they were on stable storage.
    pub(super) sync: Sync,
}

/// All claims on the lines of a journal, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) claims: Vec<TallyClaim>,
    /// True if it holds bytes that are neither a claim of this journal nor the part of one that a
    /// writer that died or a loss of power leaves.
    pub(super) is_damaged: bool,
}

impl Tally {
    /// The claims in the bytes of a file, on the journal with this token.
    pub(super) fn read(token: &str, bytes: &[u8]) -> Self {
        let mut tally = Tally::default();
        for line in bytes.split(|it| *it == b'\n') {
            // Zeros are what a loss of power leaves of bytes that were not written yet.
            let text = line.split(|it| *it == 0).next().unwrap_or_default();
            match TallyClaim::read(token, text) {
                Some(claim) => tally.claims.push(claim),
                None => tally.is_damaged |= !is_torn(text),
            }
        }
        tally
    }

    /// The most lines that were acknowledged, or that were acknowledged on stable storage.
    pub(super) fn most(&self, sync: Sync) -> Option<&TallyClaim> {
        let claims = self.claims.iter();
        let such = claims.filter(|it| sync == Sync::Lazy || it.sync == Sync::Durable);
        such.max_by_key(|it| it.lines)
    }

    /// Returns whether a claim is about the line of this digest, which then is one of this journal.
    pub(super) fn has(&self, head: &str) -> bool {
        self.claims.iter().any(|it| it.head == head)
    }
}

impl TallyClaim {
    /// The bytes that add it to the tally of the journal with this token. It begins on its own line, after what a
    /// writer that died may have left.
    pub(super) fn line(&self, token: &str) -> Vec<u8> {
        let kind = match self.sync {
            Sync::Durable => DURABLE,
            Sync::Lazy => LAZY,
        };
        let text = format!("{kind} {:0NUMBER_DIGITS$} {}", self.lines, self.head);
        format!("\n{text} {}", check(token, &text)).into_bytes()
    }

    fn read(token: &str, line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        if line.len() != CLAIM_BYTES {
            return None;
        }
        let (text, claimed) = line.rsplit_once(' ')?;
        if claimed != check(token, text) {
            return None;
        }
        let mut fields = text.split(' ');
        let (kind, lines, head) = (fields.next()?, fields.next()?, fields.next()?);
        let sync = match kind {
            DURABLE => Sync::Durable,
            LAZY => Sync::Lazy,
            _ => return None,
        };
        Some(TallyClaim {
            lines: lines.parse().ok()?,
            head: is_id(head).then(|| head.to_owned())?,
            sync,
        })
    }
}

fn check(token: &str, text: &str) -> String {
    let mut check = digest(&[token.as_bytes(), text.as_bytes()]);
    check.truncate(CHECK_DIGITS);
    check
}

/// Returns whether this may be the beginning of a claim.
fn is_torn(text: &[u8]) -> bool {
    let is_of_claim = |it: &u8| matches!(it, b'd' | b'l' | b' ' | b'0'..=b'9' | b'a'..=b'f');
    text.len() < CLAIM_BYTES && text.iter().all(is_of_claim)
}

#[cfg(test)]
mod tests {
    use super::{Tally, TallyClaim};
    use crate::effect::Sync;

    const TOKEN: &str = "00112233445566778899aabbccddeeff";

    fn claim(lines: usize, sync: Sync) -> TallyClaim {
        TallyClaim {
            lines,
            head: format!("{lines:032x}"),
            sync,
        }
    }

    fn written() -> Vec<u8> {
        let claims = [
            claim(1, Sync::Durable),
            claim(2, Sync::Durable),
            claim(30, Sync::Lazy),
        ];
        claims.iter().flat_map(|it| it.line(TOKEN)).collect()
    }

    fn most(tally: &Tally, sync: Sync) -> Option<usize> {
        tally.most(sync).map(|it| it.lines)
    }

    #[test]
    fn a_tally_says_how_many_lines_were_acknowledged_and_how_many_were_durable() {
        let tally = Tally::read(TOKEN, &written());
        assert_eq!(most(&tally, Sync::Lazy), Some(30));
        assert_eq!(most(&tally, Sync::Durable), Some(2));
        assert!(!tally.is_damaged);
        assert!(tally.has(&format!("{:032x}", 2)) && !tally.has(&format!("{:032x}", 3)));
        assert_eq!(Tally::read(TOKEN, b""), Tally::default());
    }

    #[test]
    fn a_claim_that_was_cut_off_is_no_damage_and_takes_no_other_along() {
        let bytes = written();
        for end in 0..bytes.len() {
            let mut cut = bytes[..end].to_vec();
            let tally = Tally::read(TOKEN, &cut);
            assert!(!tally.is_damaged, "{end} bytes");
            assert_eq!(tally.claims.len(), end / (bytes.len() / 3), "{end} bytes");
            cut.extend(claim(40, Sync::Durable).line(TOKEN));
            let tally = Tally::read(TOKEN, &cut);
            assert_eq!(most(&tally, Sync::Durable), Some(40), "{end} bytes");
            assert!(!tally.is_damaged, "{end} bytes");
        }
    }

    #[test]
    fn zeros_after_claims_are_no_damage() {
        let bytes = [written(), vec![0; 100]].concat();
        let tally = Tally::read(TOKEN, &bytes);
        assert_eq!(most(&tally, Sync::Lazy), Some(30));
        assert!(!tally.is_damaged);
        assert_eq!(Tally::read(TOKEN, &[0; 100]), Tally::default());
    }

    #[test]
    fn a_flipped_byte_another_journal_and_garbage_are_damage() {
        let bytes = written();
        // The first byte is a line break.
        for at in 1..bytes.len() / 3 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            assert!(Tally::read(TOKEN, &flipped).is_damaged, "byte {at}");
        }
        let other = TOKEN.replace('0', "1");
        assert!(Tally::read(&other, &bytes).is_damaged);
        assert!(Tally::read(TOKEN, b"garbage").is_damaged);
    }
}
