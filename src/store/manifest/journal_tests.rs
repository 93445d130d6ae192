use super::{Journal, MAX_BYTES};
use crate::effect::Sync;
use crate::store::manifest::PartName;
use crate::store::manifest::tally::{Tally, TallyClaim};

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
    Journal::read(&part(), bytes, None).ok()
}

/// With so many lines, each of which says its number.
fn written(lines: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in 1..=lines {
        let text = number.to_string();
        let line = read(&bytes).unwrap().line(&id(number), text.as_bytes());
        bytes.extend(line.bytes);
    }
    bytes
}

fn texts(journal: &Journal) -> Vec<&str> {
    let lines = journal.lines.iter();
    lines.map(|it| std::str::from_utf8(it).unwrap()).collect()
}

/// A tally that claims each of so many lines.
fn tally(lines: u64, sync: Sync) -> Tally {
    let whole = Journal::read(&part(), &written(lines), None).unwrap();
    let claims = (1..=lines).map(|number| whole.claim_of(&id(number), sync).unwrap());
    let bytes: Vec<u8> = claims.flat_map(|it| it.line(&part().token)).collect();
    Tally::read(&part().token, &bytes)
}

#[test]
fn of_two_lines_after_the_same_one_the_first_counts() {
    let mut bytes = written(1);
    let before = read(&bytes).unwrap();
    bytes.extend(before.line(&id(2), b"first").bytes);
    bytes.extend(before.line(&id(3), b"second").bytes);
    let journal = read(&bytes).unwrap();
    assert_eq!(texts(&journal), ["1", "first"]);
    assert!(journal.has(&id(2)) && !journal.has(&id(3)));
    bytes.extend(journal.line(&id(3), b"again").bytes);
    assert_eq!(texts(&read(&bytes).unwrap()), ["1", "first", "again"]);
}

#[test]
fn a_line_after_the_end_of_a_journal_does_not_count() {
    let mut bytes = written(2);
    let before = read(&bytes).unwrap();
    bytes.extend(before.line(&id(3), b"").bytes);
    bytes.extend(before.line(&id(4), b"too late").bytes);
    let journal = read(&bytes).unwrap();
    assert!(!journal.is_open() && journal.has(&id(3)) && !journal.has(&id(4)));
    assert_eq!(texts(&journal), ["1", "2"]);
}

#[test]
fn a_torn_line_does_not_count_and_takes_no_other_along() {
    let (whole, before) = (written(3), written(2));
    for end in before.len()..whole.len() {
        let mut bytes = whole[..end].to_vec();
        let torn = read(&bytes).unwrap();
        assert_eq!(texts(&torn), ["1", "2"], "{end} bytes");
        bytes.extend(torn.line(&id(4), b"next").bytes);
        let next = read(&bytes).unwrap();
        assert_eq!(texts(&next), ["1", "2", "next"], "{end} bytes");
        assert!(next.is_open(), "{end} bytes");
    }
}

#[test]
fn a_changed_byte_before_the_last_line_is_damage() {
    let whole = written(3);
    let last = written(2).len();
    for at in 0..last {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        // A line break that was changed, or a new one, makes two lines one, or one two.
        assert_eq!(read(&bytes), None, "byte {at}");
    }
}

#[test]
fn a_large_journal_takes_no_more_lines() {
    let mut bytes = written(1);
    let before = read(&bytes).unwrap();
    assert!(before.is_open());
    bytes.extend(before.line(&id(2), &vec![b'x'; MAX_BYTES]).bytes);
    assert!(!read(&bytes).unwrap().is_open());
}

#[test]
fn a_journal_that_is_behind_its_tally_has_lost_lines() {
    // The tally may be missing: an older program writes none.
    for (lines, claimed, sync, expected) in [
        (40, 40, Some(Sync::Durable), Ok(None)),
        (40, 39, Some(Sync::Durable), Ok(None)),
        (40, 0, Some(Sync::Durable), Ok(None)),
        (1, 40, Some(Sync::Durable), Err(())),
        (39, 40, Some(Sync::Durable), Err(())),
        (0, 1, Some(Sync::Durable), Err(())),
        (40, 40, Some(Sync::Lazy), Ok(None)),
        (1, 40, Some(Sync::Lazy), Ok(Some(39))),
        (0, 40, Some(Sync::Lazy), Ok(Some(40))),
        (1, 40, None, Ok(None)),
    ] {
        let tally = sync.map(|sync| tally(claimed, sync));
        let found = Journal::read(&part(), &written(lines), tally.as_ref());
        let found = found.map(|it| it.loss.map(|it| it.lines)).map_err(drop);
        assert_eq!(found, expected, "{lines} of {claimed} {sync:?}");
    }
}

#[test]
fn lines_that_were_durable_count_more_than_those_after_them() {
    let mut claims = tally(3, Sync::Lazy);
    for claim in &mut claims.claims[..2] {
        claim.sync = Sync::Durable;
    }
    let lost = |lines| {
        let read = Journal::read(&part(), &written(lines), Some(&claims));
        read.map(|it| it.loss.map(|it| it.lines)).map_err(drop)
    };
    assert_eq!(lost(3), Ok(None));
    assert_eq!(lost(2), Ok(Some(1)));
    assert_eq!(lost(1), Err(()));
}

#[test]
fn a_last_line_that_is_damaged_or_torn_is_missed_by_the_tally() {
    let tally = tally(3, Sync::Durable);
    let (whole, before) = (written(3), written(2).len());
    // The first byte of the line is a line break.
    for at in before + 1..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 1;
        for bytes in [&flipped[..], &whole[..at]] {
            let found = Journal::read(&part(), bytes, Some(&tally));
            assert!(found.is_err(), "byte {at}");
        }
    }
}

#[test]
fn garbage_is_damage_wherever_it_is_and_without_a_tally_too() {
    let whole = written(3);
    for garbage in [&b"garbage"[..], b"\ngarbage", b"\n{\"next\": 1}", b"\x01"] {
        for at in [0, written(1).len(), whole.len()] {
            let bytes = [&whole[..at], garbage, &whole[at..]].concat();
            let found = read(&bytes);
            // At the end of a line's text it makes another text, which the next line misses.
            let is_last_text = at == whole.len() && garbage[0] != b'\n';
            assert!(found.is_none() || is_last_text, "{garbage:?} at {at}");
        }
    }
    assert_eq!(read(b"garbage"), None);
    assert_eq!(read(&[0xff; 500]), None);
}

#[test]
fn zeros_are_reported_as_a_loss_and_the_lines_around_them_count() {
    for (kept, sync, expected) in [
        // Whole lines, then zeros instead of the others.
        (3, Sync::Durable, Ok(0)),
        (2, Sync::Durable, Err(())),
        (0, Sync::Durable, Err(())),
        (2, Sync::Lazy, Ok(1)),
        (0, Sync::Lazy, Ok(3)),
    ] {
        let claims = tally(3, sync);
        let bytes = [written(kept), vec![0; 200]].concat();
        let found = Journal::read(&part(), &bytes, Some(&claims));
        if let Ok(journal) = &found {
            assert_eq!(journal.lines.len() as u64, kept);
            assert!(!journal.is_open(), "it takes another line");
            assert_eq!(journal.loss.as_ref().unwrap().bytes, bytes);
        }
        let found = found.map(|it| it.loss.unwrap().lines).map_err(drop);
        assert_eq!(found, expected, "{kept} {sync:?}");
    }
    // Without a tally, that something is missing is said as well.
    assert!(read(&[0; 200]).unwrap().loss.is_some());
}

#[test]
fn zeros_in_the_middle_leave_the_lines_before_them() {
    let whole = written(4);
    let (first, second) = (written(1).len(), written(2).len());
    let mut bytes = whole.clone();
    bytes[first..second].fill(0);
    let journal = Journal::read(&part(), &bytes, Some(&tally(4, Sync::Lazy))).unwrap();
    assert_eq!(texts(&journal), ["1"]);
    assert_eq!(journal.loss.unwrap().lines, 3);
    // Up to the middle of a line, as blocks of a disk end.
    bytes[second..second + 40].fill(0);
    let journal = Journal::read(&part(), &bytes, Some(&tally(4, Sync::Lazy))).unwrap();
    assert_eq!(texts(&journal), ["1"]);
    let damaged = Journal::read(&part(), &bytes, Some(&tally(4, Sync::Durable)));
    assert!(damaged.is_err());
}

#[test]
fn a_line_that_is_there_twice_changes_nothing() {
    let whole = written(3);
    let last = &whole[written(2).len()..];
    let twice = [&whole[..], last].concat();
    let journal = Journal::read(&part(), &twice, Some(&tally(3, Sync::Durable))).unwrap();
    assert_eq!(texts(&journal), ["1", "2", "3"]);
    assert!(journal.is_open());
}

#[test]
fn the_journal_or_the_tally_of_another_document_is_damage() {
    let other = PartName {
        key: "00".to_owned(),
        token: id(99),
    };
    let claims = tally(3, Sync::Durable);
    assert!(Journal::read(&other, &written(3), Some(&claims)).is_err());
    assert!(Journal::read(&other, &written(3), None).is_err());
    let bytes: Vec<u8> = claims
        .claims
        .iter()
        .flat_map(|it| it.line(&part().token))
        .collect();
    let foreign = Tally::read(&other.token, &bytes);
    assert!(Journal::read(&other, b"", Some(&foreign)).is_err());
}

#[test]
fn lines_that_a_tally_does_not_claim_yet_are_claimed_once() {
    let claims = tally(2, Sync::Durable);
    let read = |lines: u64, tally: Option<&Tally>| {
        let journal = Journal::read(&part(), &written(lines), tally).unwrap();
        journal.unclaimed(Sync::Durable)
    };
    assert_eq!(read(2, Some(&claims)), None);
    assert_eq!(read(3, None), None);
    let claim = read(3, Some(&claims)).unwrap();
    let whole = Journal::read(&part(), &written(3), None).unwrap();
    let of_line: TallyClaim = whole.claim_of(&id(3), Sync::Durable).unwrap();
    assert_eq!(claim, of_line);
    let before = Journal::read(&part(), &written(2), None).unwrap();
    let next = before.line(&id(3), b"3");
    assert_eq!(before.claim_next(next.digest, Sync::Durable), claim);
}
