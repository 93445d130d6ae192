//! Parts, links, additions and scans, on files in memory.

use std::collections::BTreeSet;

use milepost::effect::{Effect, Fault, Links, Outcome, PathKind, Scanned, Sync};
use milepost_disk::{Cuts, Disk, Node, PowerLoss, failed};

fn filled() -> Disk {
    let mut disk = Disk::new();
    disk.put("/a/file", "0123456789");
    disk.put_node("/a/link", Node::dangling());
    disk.put_node("/a/pipe", Node::Pipe);
    disk
}

fn ask(disk: &mut Disk, effect: &Effect) -> Outcome {
    disk.perform(effect).unwrap_or(Outcome::Done)
}

fn append(path: &str, sync: Sync) -> Effect {
    Effect::Append {
        path: path.into(),
        bytes: b"ab".into(),
        sync,
    }
}

#[test]
fn a_part_of_a_file_begins_and_ends_where_asked() {
    let mut disk = filled();
    let mut part = |path: &str, offset, length| {
        ask(
            &mut disk,
            &Effect::Part {
                path: path.into(),
                offset,
                length,
                links: Links::Refuse,
            },
        )
    };
    let bytes = |text: &[u8]| Outcome::Bytes(text.into());
    assert_eq!(part("/a/file", 3, 4), bytes(b"3456"));
    assert_eq!(part("/a/file", 8, 4), bytes(b"89"));
    assert_eq!(part("/a/file", 11, 4), bytes(b""));
    assert_eq!(part("/a/link", 0, 4), failed(Fault::Symlink));
    assert_eq!(part("/a/pipe", 0, 4), failed(Fault::WrongKind));
    assert_eq!(part("/a", 0, 4), failed(Fault::WrongKind));
    assert_eq!(part("/a/none", 0, 4), failed(Fault::NotFound));
}

#[test]
fn a_link_keeps_its_content_and_replaces_nothing() {
    let mut disk = filled();
    let symlink = Effect::Symlink {
        path: "/a/new".into(),
        target: b"../x".into(),
    };
    assert_eq!(ask(&mut disk, &symlink), Outcome::Done);
    assert_eq!(ask(&mut disk, &symlink), failed(Fault::Exists));
    let (from, to) = ("/a/new".into(), "/a/file".into());
    assert_eq!(ask(&mut disk, &Effect::Rename { from, to }), Outcome::Done);
    let mut read = |path: &str| ask(&mut disk, &Effect::ReadLink { path: path.into() });
    assert_eq!(read("/a/file"), Outcome::Bytes(b"../x".into()));
    assert_eq!(read("/a/new"), failed(Fault::NotFound));
    assert_eq!(read("/a/pipe"), failed(Fault::WrongKind));
}

#[test]
fn a_scan_lists_exactly_what_is_there() {
    let mut disk = filled();
    let mut scan = |folder: &str, limit| {
        let folder = folder.into();
        ask(&mut disk, &Effect::Scan { folder, limit })
    };
    let kinds = |entries: Vec<Scanned>| -> Vec<_> {
        let kinds = entries.into_iter();
        kinds
            .map(|it| (it.name, it.entry.kind, it.entry.size))
            .collect()
    };
    for (folder, limit, whole) in [("/a", 3, true), ("/a/.", 9, true), ("/a", 2, false)] {
        let Outcome::Scanned { entries, complete } = scan(folder, limit) else {
            panic!("expected a scan");
        };
        let mut expected = vec![
            ("file".to_owned(), PathKind::File, 10),
            ("link".to_owned(), PathKind::Symlink, 0),
            ("pipe".to_owned(), PathKind::Other, 0),
        ];
        expected.truncate(limit as usize);
        assert_eq!((kinds(entries), complete), (expected, whole));
    }
    assert_eq!(scan("/a/link", 9), failed(Fault::Symlink));
    assert_eq!(scan("/a/file", 9), failed(Fault::WrongKind));
    assert_eq!(scan("/none", 9), failed(Fault::NotFound));
}

#[test]
fn bytes_are_added_to_every_name_of_a_file() {
    let mut disk = filled();
    let (from, to) = ("/a/file".into(), "/a/other".into());
    assert_eq!(ask(&mut disk, &Effect::Link { from, to }), Outcome::Done);
    let added = ask(&mut disk, &append("/a/file", Sync::Lazy));
    assert_eq!(added, Outcome::Done);
    assert_eq!(disk.bytes("/a/other"), Some(&b"0123456789ab"[..]));
    for (path, fault) in [
        ("/a/link", Fault::Symlink),
        ("/a/pipe", Fault::WrongKind),
        ("/a", Fault::WrongKind),
        ("/a/none", Fault::NotFound),
    ] {
        assert_eq!(ask(&mut disk, &append(path, Sync::Lazy)), failed(fault));
    }
}

/// Every state that may be left of `/a/file`.
fn left(disk: &Disk, kept: PowerLoss) -> BTreeSet<String> {
    let mut left = BTreeSet::new();
    if let Some(journal) = disk.journal() {
        journal.every_loss(kept, Cuts::Every, &mut |nodes| {
            let disk = Disk::after(nodes, disk);
            let bytes = disk.bytes("/a/file").unwrap_or(b"none");
            left.insert(String::from_utf8_lossy(bytes).into_owned());
        });
    }
    left
}

#[test]
fn a_synced_addition_keeps_its_bytes_and_the_older_ones() {
    for kept in [PowerLoss::Any, PowerLoss::InOrder] {
        let mut disk = filled();
        disk.settle();
        let moment = disk.journal().map(milepost_disk::Journal::moment);
        ask(&mut disk, &append("/a/file", Sync::Lazy));
        assert_ne!(disk.journal().map(milepost_disk::Journal::moment), moment);
        let expected = ["0123456789", "0123456789a", "0123456789ab"];
        assert_eq!(left(&disk, kept), expected.map(str::to_owned).into());
        ask(&mut disk, &append("/a/file", Sync::Durable));
        assert_eq!(left(&disk, kept), ["0123456789abab".to_owned()].into());
    }
}

#[test]
fn a_folder_is_renamed_with_its_content_and_over_no_other() {
    let mut disk = filled();
    disk.put("/a/deep/x", "1");
    disk.put("/ab", "2");
    let rename = |from: &str, to: &str| Effect::Rename {
        from: from.into(),
        to: to.into(),
    };
    for (to, fault) in [
        ("/ab", Fault::Exists),
        ("/none/x", Fault::NotFound),
        ("/a/in", Fault::NotFound),
    ] {
        assert_eq!(ask(&mut disk, &rename("/a", to)), failed(fault), "{to}");
    }
    assert_eq!(ask(&mut disk, &rename("/a", "/b")), Outcome::Done);
    assert_eq!((disk.node("/a"), disk.node("/a/file")), (None, None));
    assert_eq!(disk.bytes("/b/deep/x"), Some(&b"1"[..]));
    assert_eq!(disk.bytes("/ab"), Some(&b"2"[..]));
}
