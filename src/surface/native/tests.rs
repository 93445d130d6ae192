//! Effects on real files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use tempfile::TempDir;

use super::NativeHost;
use super::facts::{ms_of, ms_of_units};
use crate::effect::{Access, Effect, Fault, Links, Outcome, PathKind, Sync};

/// A folder with one of everything that may stand somewhere.
struct RealFolder {
    folder: TempDir,
    host: NativeHost,
}

impl RealFolder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let working = folder.path().to_str().unwrap().to_owned();
        let real = RealFolder {
            folder,
            host: NativeHost::new(working, None),
        };
        fs::write(real.at("file"), "0123456789").unwrap();
        fs::create_dir(real.at("folder")).unwrap();
        fs::write(real.at("folder/inner"), "").unwrap();
        symlink("file", real.at("link")).unwrap();
        symlink("folder", real.at("way")).unwrap();
        symlink("nowhere", real.at("dangling")).unwrap();
        let made = Command::new("mkfifo").arg(real.at("pipe")).status();
        assert!(made.unwrap().success());
        real
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.folder.path().display())
    }

    fn read(&self, name: &str, limit: u32, links: Links) -> Outcome {
        let path = self.at(name);
        self.host.perform(Effect::Read { path, limit, links })
    }

    fn create(&self, name: &str, access: Access) -> Outcome {
        self.host.perform(Effect::Create {
            path: self.at(name),
            bytes: b"new".into(),
            sync: Sync::Durable,
            access,
        })
    }

    fn append(&self, name: &str) -> Outcome {
        self.host.perform(Effect::Append {
            path: self.at(name),
            bytes: b"ab".into(),
            sync: Sync::Durable,
        })
    }

    fn list(&self, name: &str, limit: u32) -> Outcome {
        let path = self.at(name);
        self.host.perform(Effect::List { path, limit })
    }

    fn scan(&self, name: &str, limit: u32) -> Outcome {
        let folder = self.at(name);
        self.host.perform(Effect::Scan { folder, limit })
    }

    fn kinds(&self, names: &[&str]) -> Vec<PathKind> {
        let paths = names.iter().map(|name| self.at(name)).collect();
        match self.host.perform(Effect::Inspect { paths }) {
            Outcome::Entries(entries) => entries.iter().map(|entry| entry.kind).collect(),
            other => panic!("expected entries, got {other:?}"),
        }
    }

    fn set_mode(&self, name: &str, is_executable: bool, permissions: Option<u32>) -> Outcome {
        self.host.perform(Effect::SetMode {
            path: self.at(name),
            is_executable,
            permissions,
        })
    }

    fn mode(&self, name: &str) -> u32 {
        fs::symlink_metadata(self.at(name)).unwrap().mode() & 0o7777
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

#[test]
fn a_file_is_read_through_no_link_and_a_pipe_is_refused_without_waiting() {
    let real = RealFolder::new();
    assert_eq!(real.read("file", 10, Links::Refuse), bytes(b"0123456789"));
    assert_eq!(real.read("link", 10, Links::Follow), bytes(b"0123456789"));
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
        assert_eq!(fault(real.read(name, 10, links)), expected, "{name}");
    }
}

#[test]
fn a_file_above_the_limit_is_too_large_and_its_beginning_and_parts_can_be_read() {
    let real = RealFolder::new();
    assert_eq!(fault(real.read("file", 9, Links::Refuse)), Fault::TooLarge);
    let path = real.at("link");
    let start = real.host.perform(Effect::ReadStart { path, limit: 4 });
    assert_eq!(start, bytes(b"0123"));
    let part = |offset, length| {
        real.host.perform(Effect::Part {
            path: real.at("file"),
            offset,
            length,
            links: Links::Refuse,
        })
    };
    assert_eq!(part(3, 4), bytes(b"3456"));
    assert_eq!(part(8, 4), bytes(b"89"));
    assert_eq!(part(1 << 40, 4), bytes(b""));
}

#[test]
fn a_new_file_takes_the_place_of_nothing_and_is_for_those_whom_it_is_meant_for() {
    let real = RealFolder::new();
    assert_eq!(real.create("new", Access::Owner), Outcome::Done);
    assert_eq!(fs::read(real.at("new")).unwrap(), b"new");
    assert_eq!(real.mode("new"), 0o600);
    assert_eq!(real.create("shared", Access::Shared), Outcome::Done);
    assert_eq!(real.mode("shared") & !0o666, 0);
    assert_eq!(real.mode("shared") & 0o600, 0o600);
    for name in ["file", "folder", "link", "dangling", "pipe"] {
        let refused = real.create(name, Access::Owner);
        assert_eq!(fault(refused), Fault::Exists, "{name}");
    }
    assert!(!fs::exists(real.at("nowhere")).unwrap());
    let path = real.at("made");
    let access = Access::Owner;
    let made = real.host.perform(Effect::MakeFolder { path, access });
    assert_eq!(made, Outcome::Done);
    assert_eq!(real.mode("made"), 0o700);
}

#[test]
fn an_addition_goes_to_the_end_of_a_regular_file_and_nowhere_else() {
    let real = RealFolder::new();
    assert_eq!(real.append("file"), Outcome::Done);
    assert_eq!(fs::read(real.at("file")).unwrap(), b"0123456789ab");
    for (name, expected) in [
        ("link", Fault::Symlink),
        ("dangling", Fault::Symlink),
        ("absent", Fault::NotFound),
        ("folder", Fault::WrongKind),
        ("pipe", Fault::WrongKind),
    ] {
        assert_eq!(fault(real.append(name)), expected, "{name}");
    }
}

#[test]
fn names_are_given_changed_and_taken_as_the_system_does_it() {
    let real = RealFolder::new();
    let rename = |from: &str, to: &str| {
        let (from, to) = (real.at(from), real.at(to));
        real.host.perform(Effect::Rename { from, to })
    };
    let link = |from: &str, to: &str| {
        let (from, to) = (real.at(from), real.at(to));
        real.host.perform(Effect::Link { from, to })
    };
    assert_eq!(link("file", "second"), Outcome::Done);
    assert_eq!(fs::metadata(real.at("file")).unwrap().nlink(), 2);
    assert_eq!(fault(link("file", "second")), Fault::Exists);
    // The link itself gets the name, and not its target.
    assert_eq!(link("dangling", "third"), Outcome::Done);
    assert_eq!(real.kinds(&["third"]), [PathKind::Symlink]);
    assert_eq!(rename("second", "third"), Outcome::Done);
    assert_eq!(
        real.kinds(&["second", "third"]),
        [PathKind::Absent, PathKind::File]
    );
    let remove = |name: &str| {
        real.host.perform(Effect::Remove {
            path: real.at(name),
        })
    };
    assert_eq!(remove("link"), Outcome::Done);
    assert_eq!(real.kinds(&["file"]), [PathKind::File]);
    assert_eq!(fault(remove("link")), Fault::NotFound);
    assert!(matches!(
        fault(remove("folder")),
        Fault::WrongKind | Fault::Denied
    ));
    let remove_folder = |name: &str| {
        let path = real.at(name);
        real.host.perform(Effect::RemoveFolder { path })
    };
    assert_eq!(fault(remove_folder("folder")), Fault::Other);
    assert_eq!(fault(remove_folder("way")), Fault::WrongKind);
    assert_eq!(remove("folder/inner"), Outcome::Done);
    assert_eq!(remove_folder("folder"), Outcome::Done);
}

#[test]
fn a_link_is_made_of_any_bytes_and_read_as_what_it_is() {
    let real = RealFolder::new();
    let target = b"any\xff bytes/..".to_vec();
    let path = real.at("new");
    let made = real.host.perform(Effect::Symlink {
        path: path.clone(),
        target: target.clone(),
    });
    assert_eq!(made, Outcome::Done);
    let read = |name: &str| {
        let path = real.at(name);
        real.host.perform(Effect::ReadLink { path })
    };
    assert_eq!(read("new"), Outcome::Bytes(target.clone()));
    let again = real.host.perform(Effect::Symlink { path, target });
    assert_eq!(fault(again), Fault::Exists);
    for name in ["file", "folder", "pipe"] {
        assert_eq!(fault(read(name)), Fault::WrongKind, "{name}");
    }
}

#[test]
fn a_look_names_what_stands_there_and_goes_through_no_link_of_the_same_list() {
    let real = RealFolder::new();
    let names = [
        "file",
        "folder",
        "link",
        "dangling",
        "pipe",
        "absent",
        "file/below",
        "way",
        "way/inner",
        "wayside",
    ];
    let kinds = [
        PathKind::File,
        PathKind::Folder,
        PathKind::Symlink,
        PathKind::Symlink,
        PathKind::Other,
        PathKind::Absent,
        PathKind::Absent,
        PathKind::Symlink,
        PathKind::Other,
        PathKind::Absent,
    ];
    assert_eq!(real.kinds(&names), kinds);
}

#[test]
fn the_nearest_folder_above_that_holds_a_name_is_found() {
    let real = RealFolder::new();
    fs::create_dir_all(real.at("folder/a/b")).unwrap();
    let ascend = |from: &str, name: &str| {
        real.host.perform(Effect::Ascend {
            from: real.at(from),
            name: name.to_owned(),
        })
    };
    let found = |folder: &str, below: &str, kind| Outcome::Found {
        folder: real.at(folder).trim_end_matches('/').to_owned(),
        below: below.to_owned(),
        kind,
    };
    assert_eq!(
        ascend("folder/a/b", "inner"),
        found("folder", "a/b", PathKind::File)
    );
    assert_eq!(
        ascend("folder/a", "pipe"),
        found("", "folder/a", PathKind::Other)
    );
    assert_eq!(
        ascend("folder/a/../a/b", "b"),
        found("folder/a", "b", PathKind::Folder)
    );
    assert_eq!(
        ascend("folder", "inner"),
        found("folder", "", PathKind::File)
    );
    let nowhere = ascend("folder", "no such name in any folder");
    assert_eq!(fault(nowhere), Fault::NotFound);
}

#[test]
fn a_folder_is_listed_up_to_the_limit_and_through_no_link() {
    let real = RealFolder::new();
    let names = |outcome| match outcome {
        Outcome::Names { names, complete } => (names.len(), complete),
        other => panic!("expected names, got {other:?}"),
    };
    assert_eq!(names(real.list("folder", 2)), (1, true));
    assert_eq!(names(real.list("folder", 1)), (1, false));
    assert_eq!(names(real.list("", 3)), (3, false));
    for (name, expected) in [
        ("way", Fault::Symlink),
        ("dangling", Fault::Symlink),
        ("file", Fault::WrongKind),
        ("pipe", Fault::WrongKind),
        ("absent", Fault::NotFound),
    ] {
        assert_eq!(fault(real.list(name, 9)), expected, "{name}");
        assert_eq!(fault(real.scan(name, 9)), expected, "{name}");
    }
}

#[test]
fn a_scan_has_each_entry_with_its_facts_and_names_that_are_not_unicode_by_their_bytes() {
    let real = RealFolder::new();
    let strange = real
        .folder
        .path()
        .join("folder")
        .join(OsStr::from_bytes(b"bad\xff"));
    // Some file systems take text alone.
    let is_made = fs::write(strange, "12").is_ok();
    let Outcome::Scanned {
        mut entries,
        complete,
    } = real.scan("way/.", 9)
    else {
        panic!("a link before `/.` is followed");
    };
    assert!(complete);
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    let inner = entries.pop().unwrap();
    assert_eq!(
        (inner.name.as_str(), inner.entry.kind),
        ("inner", PathKind::File)
    );
    let found = fs::metadata(real.at("folder/inner")).unwrap();
    assert_eq!(inner.entry.mode, Some(found.mode() & 0o7777));
    assert_eq!(inner.number, found.ino());
    let modified_ms = found.mtime() as f64 * 1e3 + found.mtime_nsec() as f64 / 1e6;
    assert_eq!(inner.modified_ms, modified_ms);
    if is_made {
        let strange = entries.pop().unwrap();
        assert_eq!(
            (strange.name.as_str(), strange.entry.size),
            ("/626164ff", 2)
        );
        assert_eq!(strange.bytes().unwrap(), b"bad\xff");
        let Outcome::Scanned { entries, complete } = real.scan("folder", 1) else {
            panic!("a folder is scanned up to the limit");
        };
        assert_eq!((entries.len(), complete), (1, false));
    }
    assert!(entries.is_empty());
}

#[test]
fn the_trace_of_a_file_is_its_times_its_size_and_its_number() {
    let real = RealFolder::new();
    let names = ["file", "folder", "link", "absent"]
        .map(str::to_owned)
        .to_vec();
    let folder = real.at("").trim_end_matches('/').to_owned();
    let Outcome::Names { names: traces, .. } = real.host.perform(Effect::Survey { folder, names })
    else {
        panic!("a folder is surveyed");
    };
    assert_eq!(traces[1..], ["", "", ""]);
    let found = fs::metadata(real.at("file")).unwrap();
    let ms = |seconds: i64, nanoseconds: i64| seconds * 1000 + nanoseconds / 1_000_000;
    let modified = ms(found.mtime(), found.mtime_nsec());
    let changed = ms(found.ctime(), found.ctime_nsec()).max(modified);
    assert_eq!(
        traces[0],
        format!("{changed} {modified} 10 {}", found.ino())
    );
}

#[test]
fn modes_are_changed_of_what_stands_there_and_of_no_link() {
    let real = RealFolder::new();
    let set = |name: &str, mode| {
        fs::set_permissions(real.at(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    for (before, with, without) in [
        (0o640, 0o750, 0o640),
        (0o644, 0o755, 0o644),
        (0o711, 0o711, 0o600),
        (0o4600, 0o4700, 0o4600),
    ] {
        set("file", before);
        assert_eq!(real.set_mode("file", true, None), Outcome::Done);
        assert_eq!(real.mode("file"), with, "{before:o}");
        assert_eq!(real.set_mode("file", false, None), Outcome::Done);
        assert_eq!(real.mode("file"), without, "{before:o}");
    }
    // Not even its owner may read it.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        set("file", 0o4000);
        assert_eq!(real.set_mode("file", false, Some(0o640)), Outcome::Done);
        assert_eq!(real.mode("file"), 0o4640);
    }
    assert_eq!(real.set_mode("folder", true, Some(0o750)), Outcome::Done);
    assert_eq!(real.mode("folder"), 0o750);
    for (name, expected) in [("link", Fault::Symlink), ("pipe", Fault::WrongKind)] {
        assert_eq!(fault(real.set_mode(name, true, None)), expected, "{name}");
        let path = real.at(name);
        let restricted = real.host.perform(Effect::Restrict { path });
        assert_eq!(fault(restricted), expected, "{name}");
    }
    assert_eq!(fault(real.set_mode("folder", true, None)), Fault::WrongKind);
    set("folder", 0o577);
    let path = real.at("folder");
    assert_eq!(real.host.perform(Effect::Restrict { path }), Outcome::Done);
    assert_eq!(real.mode("folder"), 0o500);
    set("folder", 0o700);
}

#[test]
fn a_folder_is_synced_through_a_link_and_a_file_is_refused() {
    let real = RealFolder::new();
    let sync = |name: &str| {
        let path = real.at(name);
        real.host.perform(Effect::SyncFolder { path })
    };
    assert_eq!(sync("folder"), Outcome::Done);
    assert_eq!(sync("way"), Outcome::Done);
    assert_eq!(fault(sync("file")), Fault::WrongKind);
    assert_eq!(fault(sync("pipe")), Fault::WrongKind);
    assert_eq!(fault(sync("absent")), Fault::NotFound);
}

#[test]
fn a_time_of_windows_has_the_digits_that_it_has_in_javascript() {
    let units_to_1970 = 116_444_736_000_000_000_u64;
    // In Node on Windows these are `mtimeMs` of a file with such a time.
    for (seconds, units, ms) in [
        (0, 0, 0.0),
        (1_795_856_400, 1, 1_795_856_400_000.000_1),
        (1_795_856_400, 1_234_567, 1_795_856_400_123.456_7),
        (1_795_856_400, 8_839_995, 1_795_856_400_883.999_5),
        (-1, 9_999_999, -0.000_1),
    ] {
        let count = seconds * 10_000_000 + units;
        let found = ms_of_units(units_to_1970.checked_add_signed(count).unwrap());
        assert_eq!(found, ms_of(seconds, units * 100));
        assert!((found - ms).abs() < 0.000_3, "{seconds} {units}: {found}");
        assert_eq!(found.floor(), ms.floor(), "{seconds} {units}: {found}");
    }
}
