use super::Disk;
use milepost::effect::{Access, Effect, Fault, Links, Outcome, PathKind, Sync};

fn fault(outcome: Outcome) -> Fault {
    match outcome {
        Outcome::Failed { fault, .. } => fault,
        other => panic!("expected a failure, got {other:?}"),
    }
}

#[test]
fn a_file_is_created_once_linked_renamed_listed_read_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| format!("{}/{name}", folder.path().display());
    let mut disk = Disk::new();
    let mut ask = |effect| disk.perform(effect);

    let folder = Effect::MakeFolder {
        path: at("d"),
        access: Access::Owner,
    };
    assert_eq!(ask(folder.clone()), Outcome::Done);
    assert_eq!(fault(ask(folder)), Fault::Exists);
    let create = Effect::Create {
        path: at("d/a"),
        bytes: b"text".into(),
        sync: Sync::Durable,
        access: Access::Owner,
    };
    assert_eq!(ask(create.clone()), Outcome::Done);
    assert_eq!(fault(ask(create)), Fault::Exists);
    assert_eq!(
        ask(Effect::Link {
            from: at("d/a"),
            to: at("d/b")
        }),
        Outcome::Done
    );
    assert_eq!(
        fault(ask(Effect::Link {
            from: at("d/a"),
            to: at("d/b")
        })),
        Fault::Exists
    );
    assert_eq!(
        ask(Effect::Rename {
            from: at("d/a"),
            to: at("d/c")
        }),
        Outcome::Done
    );
    assert_eq!(ask(Effect::SyncFolder { path: at("d") }), Outcome::Done);
    let Outcome::Names {
        mut names,
        complete,
    } = ask(Effect::List {
        path: at("d"),
        limit: 2,
    })
    else {
        panic!("expected names");
    };
    names.sort();
    assert_eq!(
        (names, complete),
        (vec!["b".to_owned(), "c".to_owned()], true)
    );
    let Outcome::Names { complete, .. } = ask(Effect::List {
        path: at("d"),
        limit: 1,
    }) else {
        panic!("expected names");
    };
    assert!(!complete);
    let read = |limit| Effect::Read {
        path: at("d/c"),
        limit,
        links: Links::Refuse,
    };
    assert_eq!(ask(read(4)), Outcome::Bytes(b"text".into()));
    assert_eq!(fault(ask(read(3))), Fault::TooLarge);
    let start = |limit| Effect::ReadStart {
        path: at("d/c"),
        limit,
    };
    assert_eq!(ask(start(3)), Outcome::Bytes(b"tex".into()));
    assert_eq!(ask(start(9)), Outcome::Bytes(b"text".into()));
    assert_eq!(ask(Effect::Remove { path: at("d/c") }), Outcome::Done);
    assert_eq!(fault(ask(read(4))), Fault::NotFound);
}

#[cfg(unix)]
#[test]
fn links_folders_and_pipes_are_distinguished_and_never_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| format!("{}/{name}", folder.path().display());
    std::fs::write(at("file"), "text").unwrap();
    std::os::unix::fs::symlink("file", at("link")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(at("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    let mut disk = Disk::new();

    let paths = ["file", "link", "pipe", ".", "none", "file/none"]
        .map(at)
        .to_vec();
    let Outcome::Entries(entries) = disk.perform(Effect::Inspect { paths }) else {
        panic!("expected entries");
    };
    let kinds: Vec<_> = entries.iter().map(|entry| entry.kind).collect();
    let expected = [
        PathKind::File,
        PathKind::Symlink,
        PathKind::Other,
        PathKind::Folder,
        PathKind::Absent,
        PathKind::Absent,
    ];
    assert_eq!(kinds, expected);
    let mut read = |name, links| {
        disk.perform(Effect::Read {
            path: at(name),
            limit: 9,
            links,
        })
    };
    assert_eq!(read("link", Links::Follow), Outcome::Bytes(b"text".into()));
    assert_eq!(fault(read("link", Links::Refuse)), Fault::Symlink);
    assert_eq!(fault(read("pipe", Links::Follow)), Fault::WrongKind);
    assert_eq!(fault(read(".", Links::Follow)), Fault::WrongKind);
}

#[cfg(unix)]
#[test]
fn modes_are_shown_and_taken_from_everybody_but_the_owner() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| format!("{}/{name}", folder.path().display());
    std::fs::write(at("file"), "text").unwrap();
    std::fs::create_dir(at("folder")).unwrap();
    symlink("file", at("link")).unwrap();
    for name in ["file", "folder"] {
        std::fs::set_permissions(at(name), PermissionsExt::from_mode(0o755)).unwrap();
    }
    let mut disk = Disk::new();
    let modes = |disk: &mut Disk| {
        let paths = ["file", "folder", "link"].map(at).to_vec();
        match disk.perform(Effect::Inspect { paths }) {
            Outcome::Entries(entries) => entries.iter().map(|it| it.mode).collect::<Vec<_>>(),
            other => panic!("expected entries, got {other:?}"),
        }
    };
    assert_eq!(modes(&mut disk), [Some(0o755), Some(0o755), None]);
    for name in ["file", "folder"] {
        assert_eq!(
            disk.perform(Effect::Restrict { path: at(name) }),
            Outcome::Done
        );
    }
    assert_eq!(
        fault(disk.perform(Effect::Restrict { path: at("link") })),
        Fault::Symlink
    );
    assert_eq!(modes(&mut disk), [Some(0o700), Some(0o700), None]);
}

#[test]
fn a_folder_is_removed_only_when_it_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| format!("{}/{name}", folder.path().display());
    std::fs::create_dir(at("empty")).unwrap();
    std::fs::create_dir(at("full")).unwrap();
    std::fs::write(at("full/file"), "text").unwrap();
    let mut disk = Disk::new();
    let mut remove = |name| disk.perform(Effect::RemoveFolder { path: at(name) });
    assert_eq!(remove("empty"), Outcome::Done);
    assert_eq!(fault(remove("empty")), Fault::NotFound);
    assert_eq!(fault(remove("full")), Fault::Other);
    assert_eq!(fault(remove("full/file")), Fault::WrongKind);
}
