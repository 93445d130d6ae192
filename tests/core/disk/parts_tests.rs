//! Parts, links, additions, modes and scans, on real files.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use milepost::effect::{Effect, Fault, Links, Outcome, PathKind, Scanned, Sync};
use tempfile::TempDir;

use super::Disk;

/// A folder with one of everything that may stand somewhere.
struct SampleFolder(TempDir);

impl SampleFolder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sample = SampleFolder(folder);
        fs::write(sample.at("file"), "0123456789").unwrap();
        fs::create_dir(sample.at("folder")).unwrap();
        symlink("file", sample.at("link")).unwrap();
        symlink("folder", sample.at("way")).unwrap();
        symlink("nowhere", sample.at("dangling")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(sample.at("pipe"))
            .status();
        assert!(made.unwrap().success());
        sample
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.0.path().display())
    }

    fn part(&self, name: &str, offset: u64, length: u32, links: Links) -> Outcome {
        Disk::new().perform(Effect::Part {
            path: self.at(name),
            offset,
            length,
            links,
        })
    }

    fn append(&self, name: &str, sync: Sync) -> Outcome {
        Disk::new().perform(Effect::Append {
            path: self.at(name),
            bytes: b"ab".into(),
            sync,
        })
    }

    fn read_link(&self, name: &str) -> Outcome {
        Disk::new().perform(Effect::ReadLink {
            path: self.at(name),
        })
    }

    fn symlink(&self, name: &str, target: &[u8]) -> Outcome {
        Disk::new().perform(Effect::Symlink {
            path: self.at(name),
            target: target.into(),
        })
    }

    fn set_mode(&self, name: &str, is_executable: bool) -> Outcome {
        self.set_permissions(name, is_executable, None)
    }

    fn set_permissions(
        &self,
        name: &str,
        is_executable: bool,
        permissions: Option<u32>,
    ) -> Outcome {
        Disk::new().perform(Effect::SetMode {
            permissions,
            path: self.at(name),
            is_executable,
        })
    }

    fn scan(&self, name: &str, limit: u32) -> Outcome {
        Disk::new().perform(Effect::Scan {
            folder: self.at(name),
            limit,
        })
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.at(name)).unwrap().mode() & 0o7777
    }
}

fn bytes(text: &[u8]) -> Outcome {
    Outcome::Bytes(text.into())
}

fn fault(outcome: Outcome) -> Fault {
    match outcome {
        Outcome::Failed { fault, .. } => fault,
        other => panic!("expected a failure, got {other:?}"),
    }
}

fn scanned(outcome: Outcome) -> (Vec<Scanned>, bool) {
    match outcome {
        Outcome::Scanned {
            mut entries,
            complete,
        } => {
            entries.sort_by(|one, other| one.name.cmp(&other.name));
            (entries, complete)
        }
        other => panic!("expected a scan, got {other:?}"),
    }
}

#[test]
fn a_part_of_a_file_begins_and_ends_where_asked() {
    let sample = SampleFolder::new();
    let part = |offset, length| sample.part("file", offset, length, Links::Refuse);
    assert_eq!(part(0, 4), bytes(b"0123"));
    assert_eq!(part(3, 4), bytes(b"3456"));
    assert_eq!(part(8, 4), bytes(b"89"));
    for (offset, length) in [(10, 4), (11, 4), (1 << 40, 4), (3, 0)] {
        assert_eq!(part(offset, length), bytes(b""), "{offset} {length}");
    }
}

#[test]
fn a_part_is_read_through_no_link_and_waits_for_no_pipe() {
    let sample = SampleFolder::new();
    assert_eq!(sample.part("link", 1, 2, Links::Follow), bytes(b"12"));
    for (name, links, expected) in [
        ("link", Links::Refuse, Fault::Symlink),
        ("dangling", Links::Refuse, Fault::Symlink),
        ("dangling", Links::Follow, Fault::NotFound),
        ("absent", Links::Refuse, Fault::NotFound),
        ("folder", Links::Refuse, Fault::WrongKind),
        ("way", Links::Follow, Fault::WrongKind),
        ("pipe", Links::Refuse, Fault::WrongKind),
        ("pipe", Links::Follow, Fault::WrongKind),
        ("file/below", Links::Refuse, Fault::WrongKind),
    ] {
        assert_eq!(fault(sample.part(name, 0, 9, links)), expected, "{name}");
    }
}

#[test]
fn an_addition_goes_to_the_end_of_a_regular_file_and_nowhere_else() {
    let sample = SampleFolder::new();
    assert_eq!(sample.append("file", Sync::Durable), Outcome::Done);
    assert_eq!(sample.append("file", Sync::Lazy), Outcome::Done);
    assert_eq!(fs::read(sample.at("file")).unwrap(), b"0123456789abab");
    for (name, expected) in [
        ("link", Fault::Symlink),
        ("dangling", Fault::Symlink),
        ("absent", Fault::NotFound),
        ("folder", Fault::WrongKind),
        ("pipe", Fault::WrongKind),
    ] {
        assert_eq!(fault(sample.append(name, Sync::Lazy)), expected, "{name}");
    }
    assert!(!fs::exists(sample.at("absent")).unwrap());
    assert!(!fs::exists(sample.at("nowhere")).unwrap());
}

#[test]
fn a_link_is_made_where_nothing_is_and_read_as_what_it_is() {
    let sample = SampleFolder::new();
    let target = b"any\xff bytes/.."; // No text.
    assert_eq!(sample.symlink("new", target), Outcome::Done);
    assert_eq!(sample.read_link("new"), bytes(target));
    assert_eq!(sample.read_link("link"), bytes(b"file"));
    assert_eq!(sample.read_link("dangling"), bytes(b"nowhere"));
    for name in ["file", "folder", "link", "dangling", "pipe", "new"] {
        assert_eq!(fault(sample.symlink(name, b"x")), Fault::Exists, "{name}");
    }
    assert_eq!(fault(sample.symlink("absent/x", b"x")), Fault::NotFound);
    for name in ["file", "folder", "pipe", "."] {
        assert_eq!(fault(sample.read_link(name)), Fault::WrongKind, "{name}");
    }
    assert_eq!(fault(sample.read_link("absent")), Fault::NotFound);
}

#[test]
fn a_mode_lets_run_only_those_who_may_read() {
    let sample = SampleFolder::new();
    for (before, with, without) in [
        (0o640, 0o750, 0o640),
        (0o644, 0o755, 0o644),
        (0o600, 0o700, 0o600),
        (0o711, 0o711, 0o600),
        (0o200, 0o200, 0o200),
    ] {
        let mode = fs::Permissions::from_mode(before);
        fs::set_permissions(sample.at("file"), mode).unwrap();
        assert_eq!(sample.set_mode("file", true), Outcome::Done);
        assert_eq!(sample.mode("file"), with, "{before:o}");
        assert_eq!(sample.set_mode("file", false), Outcome::Done);
        assert_eq!(sample.mode("file"), without, "{before:o}");
    }
    for (name, expected) in [
        ("link", Fault::Symlink),
        ("dangling", Fault::Symlink),
        ("absent", Fault::NotFound),
        ("folder", Fault::WrongKind),
        ("pipe", Fault::WrongKind),
    ] {
        assert_eq!(fault(sample.set_mode(name, true)), expected, "{name}");
    }
    assert_eq!(sample.mode("file"), 0o200);
    for (name, before, bits, expected) in [
        ("file", 0o200, 0o640, 0o640),
        ("folder", 0o755, 0o700, 0o700),
        ("folder", 0o1700, 0o750, 0o1750),
    ] {
        let mode = fs::Permissions::from_mode(before);
        fs::set_permissions(sample.at(name), mode).unwrap();
        let set = sample.set_permissions(name, false, Some(bits));
        assert_eq!(
            (set, sample.mode(name)),
            (Outcome::Done, expected),
            "{name}"
        );
    }
    for name in ["link", "dangling"] {
        let set = sample.set_permissions(name, false, Some(0o600));
        assert_eq!(fault(set), Fault::Symlink, "{name}");
    }
}

#[test]
fn a_scan_gives_the_entries_of_a_look_at_each_name() {
    let sample = SampleFolder::new();
    let (entries, complete) = scanned(sample.scan(".", 9));
    assert!(complete);
    let kinds: Vec<_> = entries
        .iter()
        .map(|it| (it.name.as_str(), it.entry.kind, it.entry.size))
        .collect();
    let expected = [
        ("dangling", PathKind::Symlink, 0),
        ("file", PathKind::File, 10),
        ("folder", PathKind::Folder, 0),
        ("link", PathKind::Symlink, 0),
        ("pipe", PathKind::Other, 0),
        ("way", PathKind::Symlink, 0),
    ];
    assert_eq!(kinds, expected);
    for scanned in entries {
        let found = fs::symlink_metadata(sample.at(&scanned.name)).unwrap();
        assert_eq!(scanned.number, found.ino());
        for (given, seconds, nanoseconds) in [
            (scanned.modified_ms, found.mtime(), found.mtime_nsec()),
            (scanned.changed_ms, found.ctime(), found.ctime_nsec()),
        ] {
            let expected = seconds as f64 * 1e3 + nanoseconds as f64 / 1e6;
            assert!((given - expected).abs() < 1e-3, "{given} {expected}");
        }
        let has_mode = matches!(scanned.entry.kind, PathKind::File | PathKind::Folder);
        let mode = has_mode.then_some(found.mode() & 0o7777);
        assert_eq!(scanned.entry.mode, mode);
    }
}

#[test]
fn a_scan_is_complete_where_it_has_every_name_be_it_unicode_or_not() {
    let sample = SampleFolder::new();
    assert!(scanned(sample.scan(".", 6)).1);
    let (entries, complete) = scanned(sample.scan(".", 5));
    assert_eq!((entries.len(), complete), (5, false));
    assert_eq!(scanned(sample.scan("folder", 0)), (Vec::new(), true));

    let inside = sample.at("folder");
    let strange = std::ffi::OsStr::from_bytes(b"no\xfftext");
    fs::write(std::path::Path::new(&inside).join(strange), "").unwrap();
    fs::write(format!("{inside}/\u{fffd}"), "").unwrap();
    let (entries, complete) = scanned(sample.scan("folder", 9));
    let mut names: Vec<_> = entries.iter().map(|it| it.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        (names, complete),
        (vec!["/6e6fff74657874", "\u{fffd}"], true)
    );
}

#[test]
fn a_scan_follows_no_link_and_refuses_what_is_no_folder() {
    let sample = SampleFolder::new();
    for (name, expected) in [
        ("way", Fault::Symlink),
        ("link", Fault::Symlink),
        ("dangling", Fault::Symlink),
        ("absent", Fault::NotFound),
        ("file", Fault::WrongKind),
        ("pipe", Fault::WrongKind),
    ] {
        assert_eq!(fault(sample.scan(name, 9)), expected, "{name}");
    }
    fs::write(sample.at("folder/below"), "").unwrap();
    let (entries, _) = scanned(sample.scan("way/.", 9));
    assert_eq!(entries.len(), 1);
}
