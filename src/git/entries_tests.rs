use super::{GitIndex, cached};
use crate::git::bytes::ByteCursor;
use crate::git::id::Hash;
use crate::git::unreadable::Unreadable;

/// An index of version 2 with entries of these paths, modes and stages.
fn index(entries: &[(&str, u32, u16)], extension: &[u8]) -> Vec<u8> {
    let count = u32::try_from(entries.len()).unwrap();
    let mut bytes = [&b"DIRC"[..], &2u32.to_be_bytes(), &count.to_be_bytes()].concat();
    for (path, mode, stage) in entries {
        let start = bytes.len();
        bytes.resize(start + 24, 0);
        bytes.extend(mode.to_be_bytes());
        bytes.resize(start + 60, 7);
        let length = u16::try_from(path.len()).unwrap();
        bytes.extend((stage << 12 | length.min(0xfff)).to_be_bytes());
        bytes.extend(path.bytes());
        let length = (bytes.len() - start + 1).next_multiple_of(8);
        bytes.resize(start + length, 0);
    }
    bytes.extend_from_slice(extension);
    bytes.resize(bytes.len() + 20, 0);
    bytes
}

const FILE: u32 = 0o100_644;
const FOLDER: u32 = 0o040_000;

fn open(entries: &[(&str, u32, u16)]) -> Result<u32, Unreadable> {
    let bytes = index(entries, b"");
    GitIndex::open(&bytes, Some(Hash::Sha1)).map(|index| index.count())
}

#[test]
fn entries_out_of_order_or_twice_are_refused() {
    assert_eq!(
        open(&[("a", FILE, 0), ("a/b", FILE, 0), ("b", FILE, 0)]),
        Ok(3)
    );
    assert_eq!(
        open(&[("a", FILE, 1), ("a", FILE, 2), ("a", FILE, 3)]),
        Ok(3)
    );
    for entries in [
        &[("b", FILE, 0), ("a", FILE, 0)][..],
        &[("a", FILE, 0), ("a", FILE, 0)],
        &[("a", FILE, 2), ("a", FILE, 1)],
    ] {
        assert_eq!(open(entries), Err(Unreadable::Malformed), "{entries:?}");
    }
}

#[test]
fn an_entry_without_a_path_is_refused_outside_a_split_index() {
    assert_eq!(open(&[("", FILE, 0)]), Err(Unreadable::Malformed));
    let link = [&b"link"[..], &20u32.to_be_bytes(), &[0xab; 20]].concat();
    let bytes = index(&[("", FILE, 0), ("", FILE, 0), ("a", FILE, 0)], &link);
    assert_eq!(GitIndex::open(&bytes, None).unwrap().count(), 3);
}

#[test]
fn a_mode_that_git_does_not_stage_is_refused() {
    for (path, mode) in [("a", 0), ("a", 0o100_600), ("a", FOLDER), ("a/", FILE)] {
        assert_eq!(
            open(&[(path, mode, 0)]),
            Err(Unreadable::Malformed),
            "{mode:o}"
        );
    }
    assert_eq!(open(&[("a/", FOLDER, 0)]), Ok(1));
}

#[test]
fn a_path_that_no_system_opens_is_too_large() {
    let long = "d/".repeat(4_096);
    assert_eq!(open(&[(&long[1..], FILE, 0)]), Err(Unreadable::Malformed));
    assert_eq!(
        open(&[(&format!("{long}e"), FILE, 0)]),
        Err(Unreadable::TooLarge)
    );
    assert_eq!(open(&[(&long[..8_191], FILE, 0)]), Ok(1));
}

#[test]
fn folders_that_do_not_add_up_are_malformed() {
    let id = "i".repeat(20);
    let read = |text: &str| {
        let read = cached(ByteCursor(text.as_bytes()), Hash::Sha1);
        read.map(|trees| {
            let paths = trees.into_iter().map(|it| String::from_utf8(it.path));
            paths.collect::<Result<Vec<_>, _>>().unwrap().join(" ")
        })
    };
    let whole = format!("\0-1 2\na\x003 1\n{id}b\x001 0\n{id}c\x00-1 0\n");
    assert_eq!(read(&whole).as_deref(), Ok(" a/ a/b/ c/"));
    assert_eq!(read(""), Ok(String::new()));
    for text in [
        "\0-1 1\n",
        "a\0-1 0\n",
        "\0-1 0\n\0-1 0\n",
        "\0-1 0\na\0-1 0\n",
        "\x001 0\nshort",
        "\0-1 -1\n",
        "\0x 0\n",
        "\0-1 0",
        "\0-1",
        "a",
    ] {
        assert_eq!(read(text), Err(Unreadable::Malformed), "{text:?}");
    }
}
