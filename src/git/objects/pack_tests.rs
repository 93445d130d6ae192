use super::{MOST_DELTAS, PackStep, PackedObjectReader};
use crate::git::id::{Hash, Id};
use crate::git::objects::{FileRange, GitObject, ObjectKind};
use crate::git::unreadable::Unreadable;

/// zlib's format without compression.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap();
    let mut sums = (1u32, 0u32);
    for byte in bytes {
        sums.0 = (sums.0 + u32::from(*byte)) % 65_521;
        sums.1 = (sums.1 + sums.0) % 65_521;
    }
    let (length, inverse) = (length.to_le_bytes(), (!length).to_le_bytes());
    let sum = (sums.1 << 16 | sums.0).to_be_bytes();
    [&[0x78, 1, 1][..], &length, &inverse, bytes, &sum].concat()
}

/// An entry of a pack with a size that is said and may be a lie.
fn entry(kind: u8, size: u64, base: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut head = vec![kind << 4 | (size & 15) as u8];
    let mut rest = size >> 4;
    while rest > 0 {
        *head.last_mut().unwrap() |= 0x80;
        head.push((rest & 0x7f) as u8);
        rest >>= 7;
    }
    [&head[..], base, &deflated(bytes)].concat()
}

fn cut(pack: &[u8], part: FileRange) -> &[u8] {
    let start = usize::try_from(part.offset).unwrap().min(pack.len());
    let end = (start + part.length as usize).min(pack.len());
    &pack[start..end]
}

const LIMIT: usize = 1 << 20;

/// Reads on, with each base by its id at the offset where the reading began.
fn read(pack: &[u8], offset: u64) -> Result<GitObject, Unreadable> {
    let mut reading = PackedObjectReader::new(Hash::Sha1, offset, LIMIT);
    let mut part = reading.part();
    loop {
        part = match reading.read(cut(pack, part))? {
            PackStep::Read(next) => next,
            PackStep::Base(_) => reading.base_at(offset),
            PackStep::Done(object) => return Ok(object),
        }
    }
}

/// Adds one byte to a base of this size.
fn delta(base: u8) -> Vec<u8> {
    match base {
        0 => vec![0, 1, 1, b'+'],
        base => vec![base, base + 1, 0x90, base, 1, b'+'],
    }
}

#[test]
fn an_object_is_read_whole_or_as_a_change() {
    let mut pack = entry(3, 0, b"", b"");
    let mut begins = vec![0];
    for base in 0..3 {
        let distance = pack.len() - begins.last().unwrap();
        begins.push(pack.len());
        pack.extend(entry(
            6,
            delta(base).len() as u64,
            &[distance as u8],
            &delta(base),
        ));
    }
    for (offset, expected) in begins.iter().zip(["", "+", "++", "+++"]) {
        let object = read(&pack, *offset as u64).unwrap();
        assert_eq!(
            (object.kind, &object.bytes[..]),
            (ObjectKind::Blob, expected.as_bytes())
        );
    }
    for (kind, expected) in [
        (1, ObjectKind::Commit),
        (2, ObjectKind::Tree),
        (4, ObjectKind::Tag),
    ] {
        assert_eq!(read(&entry(kind, 1, b"", b"x"), 0).unwrap().kind, expected);
    }
}

#[test]
fn a_base_that_is_given_completes_the_object() {
    let pack = entry(7, 6, &[9; 20], &delta(2));
    let mut reading = PackedObjectReader::new(Hash::Sha1, 0, LIMIT);
    let step = reading.read(cut(&pack, reading.part())).unwrap();
    assert_eq!(step, PackStep::Base(Id::new(Hash::Sha1, &[9; 20]).unwrap()));
    let base = |bytes: &[u8]| GitObject {
        kind: ObjectKind::Blob,
        bytes: bytes.to_vec(),
    };
    assert_eq!(reading.base(base(b"ab")), Ok(base(b"ab+")));
}

#[test]
fn a_chain_that_bites_its_tail_or_never_ends_is_too_deep() {
    let pack = entry(7, 6, &[9; 20], &delta(2));
    assert_eq!(read(&pack, 0), Err(Unreadable::TooDeep));
    let mut pack = entry(3, 0, b"", b"");
    let mut last = 0;
    let same = [0, 0];
    for count in 1..=MOST_DELTAS + 1 {
        let distance = (pack.len() - last) as u8;
        last = pack.len();
        pack.extend(entry(6, 2, &[distance], &same));
        if count >= MOST_DELTAS {
            let expected = match count {
                MOST_DELTAS => Ok(Vec::new()),
                _ => Err(Unreadable::TooDeep),
            };
            let made = read(&pack, last as u64).map(|object| object.bytes);
            assert_eq!(made, expected, "{count}");
        }
    }
}

#[test]
fn a_false_size_takes_no_memory() {
    for (pack, expected) in [
        (entry(3, 1 << 40, b"", b"x"), Unreadable::TooLarge),
        (entry(3, LIMIT as u64 + 1, b"", b"x"), Unreadable::TooLarge),
        (entry(3, LIMIT as u64, b"", b"x"), Unreadable::Malformed),
        (entry(3, 2, b"", b"x"), Unreadable::Malformed),
        (entry(3, 0, b"", b"x"), Unreadable::Malformed),
        (entry(0, 1, b"", b"x"), Unreadable::Malformed),
        (entry(5, 1, b"", b"x"), Unreadable::Malformed),
        (vec![0xb0, 0xff, 0xff, 0xff], Unreadable::Malformed),
        ([&[0xbf][..], &[0xff; 20]].concat(), Unreadable::Malformed),
        // A base in front of the file, or at the very place.
        (entry(6, 4, &[1], &delta(0)), Unreadable::Malformed),
        (entry(6, 4, &[0], &delta(0)), Unreadable::Malformed),
    ] {
        assert_eq!(read(&pack, 0), Err(expected), "{}", pack.escape_ascii());
    }
}
