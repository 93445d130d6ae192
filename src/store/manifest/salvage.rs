//! The readable part of a journal that is damaged.

use super::name::PartName;
use super::scan::{JournalLine, pieces};
use super::tally::Tally;
use crate::effect::Sync;

/// The part that was read of a damaged journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SalvagedJournal {
    /// Its lines that can be read, the oldest first.
    pub(super) lines: Vec<Vec<u8>>,
    /// At least so many more were acknowledged, or are damaged.
    pub(super) lost: usize,
}

/// Every line that can be read and counted, or would have, had those before it not been lost.
///
/// Where lines are missing, those behind them are of this journal only if the tally claims one of both ends of the
/// gap, or lines of this journal came before in the file: else it may be the file of another document.
pub(super) fn salvage(part: &PartName, bytes: &[u8], tally: Option<&Tally>) -> SalvagedJournal {
    let mut salvaged = SalvagedJournal::default();
    let mut head = part.token.clone();
    let mut passed: Vec<String> = Vec::new();
    let mut damaged = 0;
    for piece in pieces(bytes) {
        let Some(line) = &piece.line else {
            damaged += usize::from(!piece.is_empty());
            continue;
        };
        let is_next = line.after == head;
        if !is_next {
            let is_void = passed.iter().any(|it| it == line.after);
            let is_own = !passed.is_empty() || is_claimed(line, tally);
            if is_void || !is_own {
                continue;
            }
            passed.push(line.after.to_owned());
        }
        passed.push(std::mem::replace(&mut head, line.digest.to_owned()));
        if !line.text.is_empty() {
            salvaged.lines.push(line.text.to_owned());
        }
    }
    let acknowledged = tally.and_then(|it| it.most(Sync::Lazy));
    salvaged.lost = match acknowledged {
        Some(claim) => claim.lines.saturating_sub(salvaged.lines.len()),
        // A line that a writer that died has left counts too: the two cannot be distinguished.
        None => damaged,
    };
    salvaged
}

fn is_claimed(line: &JournalLine<'_>, tally: Option<&Tally>) -> bool {
    tally.is_some_and(|it| it.has(line.after) || it.has(line.digest))
}

#[cfg(test)]
mod tests {
    use super::{SalvagedJournal, salvage};
    use crate::effect::Sync;
    use crate::store::manifest::PartName;
    use crate::store::manifest::journal::Journal;
    use crate::store::manifest::tally::Tally;

    fn part(token: u64) -> PartName {
        PartName {
            key: "00".to_owned(),
            token: id(token),
        }
    }

    fn id(number: u64) -> String {
        format!("{number:032x}")
    }

    /// Returns a number of lines, each of which says its number, and where each begins.
    fn written(lines: u64) -> (Vec<u8>, Vec<usize>) {
        let (mut bytes, mut begins) = (Vec::new(), Vec::new());
        for number in 1..=lines {
            let journal = Journal::read(&part(0), &bytes, None).unwrap();
            let line = journal.line(&id(number), number.to_string().as_bytes());
            begins.push(bytes.len());
            bytes.extend(line.bytes);
        }
        (bytes, begins)
    }

    fn tally(lines: u64) -> Tally {
        let journal = Journal::read(&part(0), &written(lines).0, None).unwrap();
        let claims = (1..=lines).map(|it| journal.claim_of(&id(it), Sync::Durable).unwrap());
        let bytes: Vec<u8> = claims.flat_map(|it| it.line(&id(0))).collect();
        Tally::read(&id(0), &bytes)
    }

    fn numbers(salvaged: &SalvagedJournal) -> Vec<u64> {
        let texts = salvaged.lines.iter();
        let texts = texts.map(|it| std::str::from_utf8(it).unwrap().parse().unwrap());
        texts.collect()
    }

    #[test]
    fn of_forty_lines_those_around_a_damaged_one_are_kept() {
        let (whole, begins) = written(40);
        for damaged in [0, 4, 38, 39] {
            let mut bytes = whole.clone();
            bytes[begins[damaged] + 10] ^= 1;
            let salvaged = salvage(&part(0), &bytes, Some(&tally(40)));
            let expected: Vec<u64> = (1..=40).filter(|it| *it != damaged as u64 + 1).collect();
            assert_eq!(numbers(&salvaged), expected, "line {damaged}");
            assert_eq!(salvaged.lost, 1, "line {damaged}");
        }
    }

    #[test]
    fn of_a_journal_that_lost_its_end_the_beginning_is_kept_and_the_rest_is_counted() {
        let (whole, begins) = written(40);
        for (end, kept) in [(begins[1], 1), (begins[1] + 30, 1), (0, 0)] {
            let salvaged = salvage(&part(0), &whole[..end], Some(&tally(40)));
            assert_eq!(salvaged.lines.len(), kept, "{end} bytes");
            assert_eq!(salvaged.lost, 40 - kept, "{end} bytes");
        }
        for bytes in [&b"garbage"[..], &[0; 4_000]] {
            let salvaged = salvage(&part(0), bytes, Some(&tally(40)));
            assert_eq!((salvaged.lines.len(), salvaged.lost), (0, 40));
        }
    }

    #[test]
    fn without_a_tally_the_damaged_lines_are_counted() {
        let (whole, begins) = written(5);
        let mut bytes = whole.clone();
        bytes[begins[2] + 10] ^= 1;
        let salvaged = salvage(&part(0), &bytes, None);
        assert_eq!(numbers(&salvaged), [1, 2, 4, 5]);
        assert_eq!(salvaged.lost, 1);
    }

    #[test]
    fn lines_of_another_journal_are_not_kept() {
        let (whole, _) = written(5);
        for tally in [None, Some(Tally::default())] {
            let salvaged = salvage(&part(9), &whole, tally.as_ref());
            assert!(salvaged.lines.is_empty());
        }
    }

    #[test]
    fn a_void_line_is_not_kept() {
        let (mut bytes, begins) = written(3);
        let before = Journal::read(&part(0), &bytes[..begins[2]], None).unwrap();
        bytes.extend(before.line(&id(9), b"9").bytes);
        bytes[begins[0] + 10] ^= 1;
        let salvaged = salvage(&part(0), &bytes, Some(&tally(3)));
        assert_eq!(numbers(&salvaged), [2, 3]);
    }
}
