//! The store among foreign hands and broken disks: nothing is lost, and nothing is touched outside.

use milepost::effect::{Effect, Fault, Machine, MachineStep, Outcome};
use milepost::error::{Code, Error, ErrorKind};
use milepost::json::Object;
use milepost::store::{
    self, Change, Committed, Origin, RecordedContent, Revision, Stem, StoreFolder,
    VersionedDocument,
};

use crate::disk::Disk;
use crate::memory::{Memory, Node};
use crate::store::{
    DOCUMENT, SIDE, add, adding, folder, folder_in, lazy, read, stem, versioned_document,
};

#[cfg(unix)]
#[test]
fn a_quarantine_that_is_a_symlink_is_not_followed_out_of_the_root() {
    let base = tempfile::tempdir().unwrap();
    let (root, outside) = (base.path().join("repo"), base.path().join("outside"));
    let side = root.join(".claude/state/.milepost/design-checkpoint");
    for folder in [side.join("tokens"), side.join("history"), outside.clone()] {
        std::fs::create_dir_all(folder).unwrap();
    }
    for n in 0..5 {
        std::fs::write(outside.join(format!("{n:032x}.json")), "mine").unwrap();
    }
    std::os::unix::fs::symlink(&outside, side.join("quarantine")).unwrap();
    let document = root.join(".claude/state/design-checkpoint.json");
    std::fs::write(&document, "{ planted").unwrap();
    let at = root.to_str().unwrap().to_owned();
    let error = Disk::new().run(|io| async move {
        let mut decide = |_: &store::Current<'_>| Ok(Change::write(Object::new()));
        let document = VersionedDocument::new(&io, &folder_in(&at, None), &stem(), lazy());
        document.update(None, &mut decide).await
    });
    assert_eq!(error.unwrap_err().code(), Code::UnsafePath);
    let left = std::fs::read_dir(&outside).unwrap();
    let left: Vec<_> = left
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .collect();
    assert_eq!(left, vec![b"mine"; 5]);
}

#[test]
fn a_corrupt_document_is_reported_as_such_on_a_full_disk() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    world.put(DOCUMENT, "{ torn");
    let full = |effect: Effect| match &effect {
        Effect::Create { path, bytes, .. } if path.contains("/quarantine/") => {
            world.put(path, &bytes[..1]);
            Outcome::Failed {
                fault: Fault::Other,
                detail: "ENOSPC".into(),
            }
        }
        _ => world.perform(&effect),
    };
    let error = adding("b".into()).run(full).unwrap_err();
    assert_eq!(error.code(), Code::Corrupt);
    assert!(error.to_string().contains("ENOSPC"), "{error}");
    // With space again, the copy that was cut short does not count as one.
    add(&world, "b").unwrap_err();
    let kept = world.files_below(&format!("{SIDE}/quarantine"));
    assert_eq!(kept.len(), 1);
    let kept = format!("{SIDE}/quarantine/{}", kept[0]);
    assert_eq!(world.text(&kept), "{ torn");
}

#[test]
fn an_older_sealed_copy_that_was_put_back_does_not_turn_revisions_back() {
    let world = Memory::new();
    let old = ["a", "b", "c"].map(|key| add(&world, key).unwrap());
    let copy = world.bytes(DOCUMENT).unwrap();
    for key in ["d", "e", "f"] {
        add(&world, key).unwrap();
    }
    world.put(DOCUMENT, &copy);
    let found = read(&world).unwrap().document.unwrap();
    assert_eq!((found.stamp.revision, found.origin), (7, Origin::Edited));
    assert_ne!(found.stamp.seal, old[2].stamp.seal);
    assert_eq!(add(&world, "x").unwrap().stamp.revision, 8);
    let seventh = revision(&world, 7);
    let kept = world.run(Machine::start(|io| async move {
        versioned_document(&io).recorded(&seventh).await
    }));
    assert!(matches!(kept, Ok(Some(RecordedContent::Whole(object))) if object.get("c").is_some()));
}

fn revision(world: &Memory, number: u64) -> Revision {
    let all = world.run(Machine::start(|io| async move {
        versioned_document(&io).revisions().await
    }));
    let mut all = all.unwrap().into_iter();
    all.find(|revision| revision.number == number).unwrap()
}

/// Steps until the effect that the test looks for is asked; it is not yet performed.
pub(crate) fn until<T>(
    world: &Memory,
    machine: &mut Machine<T>,
    is: impl Fn(&Effect) -> bool,
) -> Effect {
    loop {
        match machine.step().unwrap() {
            MachineStep::Effect(effect) if is(&effect) => return effect,
            MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).unwrap(),
            MachineStep::Done(_) => panic!("it ended before"),
        }
    }
}

/// Goes on to the end.
pub(crate) fn finish<T>(world: &Memory, mut machine: Machine<T>) -> T {
    loop {
        match machine.step().unwrap() {
            MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).unwrap(),
            MachineStep::Done(value) => return value,
        }
    }
}

pub(crate) fn commits(effect: &Effect) -> bool {
    matches!(effect, Effect::Rename { to, .. } if to == DOCUMENT)
}

#[test]
fn an_edit_of_a_revision_that_history_lacks_is_a_revision_of_its_own() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let mut killed_before_the_copy = adding("b".into());
    let rename = until(&world, &mut killed_before_the_copy, commits);
    world.perform(&rename);
    let seen = read(&world).unwrap().document.unwrap().stamp.revision;
    world.put(DOCUMENT, world.text(DOCUMENT).replace("true", "false"));
    let edited = read(&world).unwrap().document.unwrap().stamp.revision;
    assert_eq!((seen, edited), (2, 3));
}

#[test]
fn an_adopted_document_keeps_its_number_and_origin_when_the_commit_over_it_died() {
    for (before, origin, number) in [(0, Origin::Elsewhere, 1), (3, Origin::Edited, 4)] {
        let world = Memory::new();
        for n in 0..before {
            add(&world, &n.to_string()).unwrap();
        }
        world.put(DOCUMENT, "{\"x\":1}");
        until(&world, &mut adding("dies".into()), commits);
        let adopted = add(&world, "b").unwrap().before.unwrap();
        assert_eq!((adopted.origin, adopted.stamp.revision), (origin, number));
    }
}

#[test]
fn a_reader_beside_writers_never_takes_a_commit_for_an_edit() {
    for seed in 0..500 {
        let _run = milepost_property::seed(
            "a reader beside writers never takes a commit for an edit",
            seed,
        );
        let world = Memory::new();
        add(&world, "a").unwrap();
        let write_and_read = |both: bool| {
            Machine::start(move |io| async move {
                for key in ["b", "c"].iter().filter(|_| both) {
                    let mut decide = |current: &store::Current<'_>| {
                        let mut object = current.document.unwrap().object.clone();
                        object.set(key, true);
                        Ok(Change::write(object))
                    };
                    let document = VersionedDocument::new(&io, &folder(), &stem(), lazy());
                    let committed = document.update(None, &mut decide).await;
                    assert_eq!(committed.unwrap().before.unwrap().origin, Origin::Store);
                }
                let stored = versioned_document(&io).read().await.unwrap();
                assert_eq!(
                    stored.document.unwrap().origin,
                    Origin::Store,
                    "seed {seed}"
                );
            })
        };
        world.interleave(
            vec![
                write_and_read(true),
                write_and_read(false),
                write_and_read(false),
            ],
            seed,
        );
    }
}

/// Adds one member to the document of a feature.
fn add_to(world: &Memory, feature: &'static str, key: &str) -> Result<Box<Committed>, Error> {
    let key = key.to_owned();
    world.run(Machine::start(|io| async move {
        let mut decide = |current: &store::Current<'_>| {
            let document = current.document;
            let mut object = document.map_or_else(Object::new, |it| it.object.clone());
            object.set(&key, true);
            Ok(Change::write(object))
        };
        let stem = Stem::new(format!("design-{feature}")).unwrap();
        let document = VersionedDocument::new(&io, &folder(), &stem, lazy());
        document.update(None, &mut decide).await
    }))
}

#[test]
fn features_that_differ_in_case_have_histories_of_their_own_and_share_the_tokens() {
    let world = Memory::new();
    for n in 0..10 {
        add_to(&world, "foo", &n.to_string()).unwrap();
    }
    for n in 0..70 {
        add_to(&world, "Foo", &n.to_string()).unwrap();
    }
    let side = "/repo/.claude/state/.milepost/design-foo";
    assert_eq!(world.files_below(&format!("{side}/history")).len(), 10);
    let of_the_other = world.files_below(&format!("{side}/design-Foo/history"));
    assert!(of_the_other.len() >= 50, "{of_the_other:?}");
    assert!(world.bytes(&format!("{side}/lock")).is_none());
    world.put_node(&format!("{side}/tokens"), Node::Pipe);
    add_to(&world, "Foo", "x").unwrap_err();
}

#[test]
fn the_last_good_revision_is_never_that_of_a_feature_in_another_case() {
    let world = Memory::new();
    for n in 0..9 {
        add_to(&world, "Foo", &n.to_string()).unwrap();
    }
    world.put("/repo/.claude/state/design-foo.json", "{ torn");
    let error = add_to(&world, "foo", "x").unwrap_err();
    let last_good = match error.kind() {
        ErrorKind::Corrupt { last_good, .. } => *last_good,
        other => panic!("{other:?}"),
    };
    assert_eq!(last_good, None);
}

/// As a host answers when a name vanishes while it lists.
fn interrupted(world: &Memory, effect: &Effect, folder: &str) -> Outcome {
    match (effect, world.perform(effect)) {
        (Effect::List { path, .. }, Outcome::Names { .. }) if path.ends_with(folder) => {
            Outcome::Names {
                names: Vec::new(),
                complete: false,
            }
        }
        (_, outcome) => outcome,
    }
}

#[test]
fn a_listing_of_history_that_ended_early_is_not_taken_for_all_of_it() {
    let world = Memory::new();
    for n in 0..5 {
        add(&world, &n.to_string()).unwrap();
    }
    world.delete(DOCUMENT);
    let mut left = 4;
    let once_more = adding("x".into()).run(|effect| match &effect {
        Effect::List { path, .. } if path.ends_with("/history") && left > 0 => {
            left -= 1;
            interrupted(&world, &effect, "/history")
        }
        _ => world.perform(&effect),
    });
    assert_eq!(once_more.unwrap().stamp.revision, 7);
    world.delete(DOCUMENT);
    let never = adding("y".into()).run(|effect| interrupted(&world, &effect, "/history"));
    assert_eq!(never.unwrap_err().code(), Code::Io);
}

#[test]
fn a_folder_of_tokens_that_cannot_be_listed_whole_is_io_and_not_busy() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let listed = world.log.borrow().len();
    let error = adding("b".into()).run(|effect| interrupted(&world, &effect, "/tokens"));
    assert_eq!(error.unwrap_err().code(), Code::Io);
    // It waited between listings instead of keeping the processor busy.
    assert!(world.log.borrow().len() - listed < 20_000);
}

#[test]
fn a_state_folder_behind_a_link_is_not_listed() {
    let world = Memory::new();
    world.put_node("/repo/.claude", Node::dangling());
    let listed = world.run(Machine::start(|io| async move {
        store::stems(&io, &folder()).await
    }));
    assert_eq!(listed.unwrap_err().code(), Code::UnsafePath);
    let log = world.log.borrow();
    assert!(!log.iter().any(|effect| effect.starts_with("List")));
}

#[test]
fn no_crash_leaves_state_that_git_would_commit() {
    let ignore = "/repo/.claude/state/.gitignore";
    for at in 0.. {
        let world = Memory::new();
        let mut machine = adding("a".into());
        let mut step = || match machine.step().unwrap() {
            MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).is_ok(),
            MachineStep::Done(_) => false,
        };
        let ended = (0..at).any(|_| !step());
        let files = world.files_below("/repo/.claude");
        let ignored = world.bytes(ignore).is_some();
        assert!(ignored || files.is_empty(), "effect {at}: {files:?}");
        add(&world, "b").unwrap();
        assert_eq!(world.text(ignore), "*\n", "effect {at}");
        if ended {
            break;
        }
    }
}

#[test]
fn a_folder_is_below_the_root_or_absolute_and_never_a_whole_file_system() {
    let cases = [
        (".claude//state/", ".claude/state", "/repo/.claude/state/x"),
        ("./a/./b", "a/b", "/repo/a/b/x"),
        ("a\\b", "a/b", "/repo/a/b/x"),
        ("a:b", "a:b", "/repo/a:b/x"),
        ("ab:/c", "ab:/c", "/repo/ab:/c/x"),
        ("/elsewhere//a/", "/elsewhere/a", "/elsewhere/a/x"),
        ("/repository/a", "/repository/a", "/repository/a/x"),
        ("/repo/a/b", "a/b", "/repo/a/b/x"),
        ("/repo/C:/a", "/repo/C:/a", "/repo/C:/a/x"),
        ("C:\\a\\b", "C:/a/b", "C:/a/b/x"),
        ("\\\\machine\\share", "//machine/share", "//machine/share/x"),
    ];
    for (dir, shown, file) in cases {
        let folder = folder_in("/repo", Some(dir));
        assert_eq!((folder.path(), &*folder.host("x")), (shown, file), "{dir}");
    }
    for dir in [
        "/",
        "//",
        "C:/",
        "c:\\",
        "..",
        "../x",
        "a/../../x",
        "/a/../b",
        "./C:/a",
    ] {
        let error = StoreFolder::new("/repo", Some(dir), ".claude/state").unwrap_err();
        assert_eq!(error.code(), Code::Usage, "{dir}");
        assert!(error.to_string().contains("without `..`"), "{error}");
    }
}

#[test]
fn pruning_keeps_fifty_revisions_that_were_replaced() {
    let world = Memory::new();
    // Pruned at every sixteenth.
    for n in 0..64 {
        add(&world, &n.to_string()).unwrap();
    }
    let kept = world.files_below(&format!("{SIDE}/history"));
    assert_eq!(kept.len(), 50 + 1);
}

#[test]
fn the_first_commit_makes_the_folders_durable_that_another_writer_made() {
    let world = Memory::new();
    let mut dies = adding("dies".into());
    until(&world, &mut dies, |effect| {
        matches!(effect, Effect::SyncFolder { .. })
    });
    world.log.borrow_mut().clear();
    add(&world, "a").unwrap();
    for folder in ["/repo", "/repo/.claude", "/repo/.claude/state"] {
        let synced = format!("SyncFolder {{ path: {folder:?} }}");
        assert!(world.log.borrow().contains(&synced), "{folder}");
    }
}
