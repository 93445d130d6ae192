use super::{PackIndex, SearchStep};
use crate::git::id::{Hash, Id};
use crate::git::objects::FileRange;
use crate::git::unreadable::Unreadable;

/// An index of version 2 of `count` ids, all of which begin with the same byte, at offsets that its
/// table for large ones has. Such an index of a real pack would need one of gigabytes.
fn crowded(count: u32) -> Vec<u8> {
    let mut bytes = b"\xfftOc\0\0\0\x02".to_vec();
    for first in 0..=255 {
        bytes.extend(if first < 7 { 0 } else { count }.to_be_bytes());
    }
    for number in 0..count {
        bytes.extend(id(number).as_bytes());
    }
    bytes.resize(bytes.len() + 4 * count as usize, 0);
    for number in 0..count {
        bytes.extend((1 << 31 | number).to_be_bytes());
    }
    for number in 0..count {
        bytes.extend((u64::from(number) << 32 | 5).to_be_bytes());
    }
    bytes
}

fn id(number: u32) -> Id {
    let mut bytes = [7; 20];
    bytes[1..5].copy_from_slice(&(number * 2).to_be_bytes());
    Id::new(Hash::Sha1, &bytes).unwrap()
}

fn cut(file: &[u8], part: FileRange) -> &[u8] {
    let start = usize::try_from(part.offset).unwrap().min(file.len());
    let end = (start + part.length as usize).min(file.len());
    &file[start..end]
}

/// The result of a search, and the number of bytes that it read.
fn search(file: &[u8], id: Id) -> Result<(Option<u64>, usize), Unreadable> {
    let index = PackIndex::open(cut(file, PackIndex::HEAD), Hash::Sha1)?;
    let Some(mut search) = index.search(id) else {
        return Ok((None, 0));
    };
    let mut part = search.part();
    let mut read = 0;
    loop {
        read += part.length as usize;
        match search.read(cut(file, part))? {
            SearchStep::Read(next) => part = next,
            SearchStep::At(offset) => return Ok((Some(offset), read)),
            SearchStep::Nowhere => return Ok((None, read)),
        }
    }
}

#[test]
fn one_object_of_a_large_pack_is_found_by_a_few_of_its_ids() {
    let count = 100_000;
    let file = crowded(count);
    for number in (0..count).step_by(997).chain([0, 1, count - 1]) {
        let (offset, read) = search(&file, id(number)).unwrap();
        assert_eq!(offset, Some(u64::from(number) << 32 | 5), "{number}");
        assert!(read < 80 << 10, "{read} bytes of {}", file.len());
        let mut absent = id(number).as_bytes().to_vec();
        absent[4] += 1;
        let absent = Id::new(Hash::Sha1, &absent).unwrap();
        assert_eq!(search(&file, absent).unwrap().0, None);
    }
    let other = Id::new(Hash::Sha1, &[8; 20]).unwrap();
    assert_eq!(search(&file, other), Ok((None, 0)));
    let longer = Id::new(Hash::Sha256, &[7; 32]).unwrap();
    assert_eq!(search(&file, longer), Ok((None, 0)));
}

#[test]
fn an_index_that_ends_early_or_counts_backwards_is_malformed() {
    let file = crowded(3);
    for length in 0..file.len() {
        // A cut between the entries can leave an answer, and then it is the right one.
        match search(&file[..length], id(1)) {
            Ok((offset, _)) => assert_eq!(offset, Some(1 << 32 | 5), "{length}"),
            Err(why) => assert_eq!(why, Unreadable::Malformed),
        }
    }
    let mut backwards = file.clone();
    backwards[8 + 4 * 9..][..4].copy_from_slice(&[0; 4]);
    let mut later = file.clone();
    later[7] = 3;
    for file in [backwards, later, Vec::new()] {
        assert_eq!(search(&file, id(1)), Err(Unreadable::Malformed));
    }
    // Version 1 is older than longer ids.
    let first = vec![0; 1032];
    assert!(PackIndex::open(&first, Hash::Sha1).is_ok());
    assert!(PackIndex::open(&first, Hash::Sha256).is_err());
}
