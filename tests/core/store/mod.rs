//! The store in a world of memory: commits, takeovers, foreign hands.

mod fairness;
mod faults;
mod history;
mod immutable_documents;
mod manifest;
mod objects;
mod objects_in_order;
mod objects_power;
mod records;
mod recover;
mod retention;

use std::rc::Rc;

use milepost::effect::{Io, Machine, Sync};
use milepost::error::{Code, Error, ErrorKind};
use milepost::json::{Json, Object};
use milepost::store::{
    self, Change, Committed, KEPT_REVISIONS, Origin, RecordedContent, RetentionPolicy, Revision,
    Stem, StoreFolder, VersionedDocument,
};

use crate::memory::{Memory, Node};

pub(crate) const DOCUMENT: &str = "/repo/.claude/state/design-checkpoint.json";
pub(crate) const SIDE: &str = "/repo/.claude/state/.milepost/design-checkpoint";

pub(crate) fn stem() -> Stem {
    Stem::new("design-checkpoint".to_owned()).unwrap()
}

pub(crate) fn folder() -> StoreFolder {
    folder_in("/repo", None)
}

pub(crate) fn folder_in(root: &str, dir: Option<&str>) -> StoreFolder {
    StoreFolder::new(root, dir, ".claude/state").unwrap()
}

/// The place of the one document, kept durably.
pub(crate) fn versioned_document(io: &Io) -> VersionedDocument<'_> {
    VersionedDocument::new(io, &folder(), &stem(), RetentionPolicy::default())
}

/// Without waiting for the disk.
pub(crate) fn lazy() -> RetentionPolicy {
    RetentionPolicy {
        durability: Sync::Lazy,
        ..RetentionPolicy::default()
    }
}

/// Adds one member to the document.
pub(crate) fn adding(key: String) -> Machine<Result<Box<Committed>, Error>> {
    Machine::start(|io| async move { adding_to(&io, &key).await })
}

async fn adding_to(io: &Io, key: &str) -> Result<Box<Committed>, Error> {
    let mut decide = |current: &store::Current<'_>| {
        let mut object = match current.document {
            Some(document) => document.object.clone(),
            None => Object::new(),
        };
        object.set(key, true);
        Ok(Change::write(object))
    };
    versioned_document(io).update(None, &mut decide).await
}

pub(crate) fn add(world: &Memory, key: &str) -> Result<Box<Committed>, Error> {
    world.run(adding(key.to_owned()))
}

pub(crate) fn read(world: &Memory) -> Result<store::StoredDocument, Error> {
    world.run(Machine::start(|io| async move {
        versioned_document(&io).read().await
    }))
}

pub(crate) fn object(world: &Memory) -> Object {
    read(world).unwrap().document.unwrap().object
}

pub(crate) fn left_over(world: &Memory) -> Vec<String> {
    let files = world.files_below(SIDE).into_iter();
    files
        .filter(|file| !file.starts_with("history/") || file.ends_with(".tmp"))
        .collect()
}

/// Every revision in history, with what it holds.
fn revisions(world: &Memory) -> Vec<(Revision, RecordedContent)> {
    world.run(Machine::start(|io| async move {
        let mut found = Vec::new();
        for revision in versioned_document(&io).revisions().await.unwrap() {
            let entry = versioned_document(&io)
                .recorded(&revision)
                .await
                .unwrap()
                .unwrap();
            found.push((revision, entry));
        }
        found
    }))
}

#[test]
fn the_first_commit_makes_private_folders_and_revision_one() {
    let world = Memory::new();
    let committed = add(&world, "a").unwrap();
    assert_eq!(committed.stamp.revision, 1);
    assert_eq!(world.text("/repo/.claude/state/.gitignore"), "*\n");
    assert_eq!(left_over(&world), Vec::<String>::new());
    let stored = read(&world).unwrap();
    let document = stored.document.unwrap();
    assert_eq!(
        (document.origin, document.stamp),
        (Origin::Store, committed.stamp)
    );
}

#[test]
fn a_replaced_revision_is_kept_whole_in_history() {
    let world = Memory::new();
    let first = add(&world, "a").unwrap();
    add(&world, "b").unwrap();
    let entries = revisions(&world);
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0].0.number, 1);
    assert_eq!(entries[0].1, RecordedContent::Whole(first.object));
}

#[test]
fn history_keeps_the_newest_fifty_revisions_at_least() {
    let world = Memory::new();
    for round in 0..100 {
        add(&world, &round.to_string()).unwrap();
    }
    let revisions = world
        .run(Machine::start(|io| async move {
            versioned_document(&io).revisions().await
        }))
        .unwrap();
    let numbers: Vec<u64> = revisions.iter().map(|revision| revision.number).collect();
    assert!(
        (KEPT_REVISIONS + 1..KEPT_REVISIONS + 18).contains(&numbers.len()),
        "{numbers:?}"
    );
    assert_eq!(numbers.last(), Some(&100));
    assert!(numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]));
}

#[test]
fn an_altered_history_entry_is_shown_as_such() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    add(&world, "b").unwrap();
    let oldest = world
        .files_below(&format!("{SIDE}/history"))
        .into_iter()
        .min()
        .unwrap();
    let path = format!("{SIDE}/history/{oldest}");
    world.put(&path, world.text(&path).replace("true", "false"));
    let entry = world.run(Machine::start(|io| async move {
        let revision = versioned_document(&io).revisions().await.unwrap().remove(0);
        versioned_document(&io).recorded(&revision).await
    }));
    assert_eq!(entry.unwrap(), Some(RecordedContent::Altered));
}

#[test]
fn a_hand_edit_that_kept_its_revision_and_seal_is_adopted_as_the_next_revision() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let before = add(&world, "b").unwrap();
    world.put(
        DOCUMENT,
        world.text(DOCUMENT).replace("\"b\": true", "\"b\": 1.0"),
    );
    let edited = read(&world).unwrap().document.unwrap();
    assert_eq!(edited.origin, Origin::Edited);
    assert_eq!(edited.stamp.revision, 3);
    assert_ne!(edited.stamp.seal, before.stamp.seal);
    let after = add(&world, "c").unwrap();
    assert_eq!(after.stamp.revision, 4);
    assert_eq!(after.object.get("b"), Some(&Json::Number("1.0".into())));
    let kept = world.run(Machine::start(|io| async move {
        let revisions = versioned_document(&io).revisions().await.unwrap();
        let third = revisions
            .into_iter()
            .find(|revision| revision.number == 3)
            .unwrap();
        versioned_document(&io)
            .recorded(&third)
            .await
            .unwrap()
            .unwrap()
    }));
    assert!(
        matches!(kept, RecordedContent::Whole(object) if object.get("b") == after.object.get("b"))
    );
}

#[test]
fn a_document_of_another_program_is_adopted_and_kept() {
    let world = Memory::new();
    world.put(DOCUMENT, "{\"x\":12345678901234567890}");
    let found = read(&world).unwrap().document.unwrap();
    assert_eq!((found.origin, found.stamp.revision), (Origin::Elsewhere, 1));
    let after = add(&world, "a").unwrap();
    assert_eq!(after.stamp.revision, 2);
    assert_eq!(
        after.object.get("x"),
        Some(&Json::Number("12345678901234567890".into()))
    );
}

#[test]
fn an_implausible_revision_is_an_edit_by_hand() {
    for claimed in [
        "-1",
        "1.5",
        "\"7\"",
        "9007199254740992",
        "0",
        "1e400",
        "999999",
    ] {
        let world = Memory::new();
        add(&world, "a").unwrap();
        world.put(
            DOCUMENT,
            format!("{{\"a\": true, \"revision\": {claimed}, \"seal\": \"x\"}}"),
        );
        let after = add(&world, "b").unwrap();
        assert_eq!(after.stamp.revision, 3, "{claimed}");
        assert!(
            after
                .before
                .is_some_and(|before| before.origin == Origin::Edited),
            "{claimed}"
        );
    }
}

#[test]
fn after_the_document_vanished_revisions_do_not_go_back() {
    let world = Memory::new();
    for key in ["a", "b", "c"] {
        add(&world, key).unwrap();
    }
    world.delete(DOCUMENT);
    assert_eq!(add(&world, "d").unwrap().stamp.revision, 5);
}

#[test]
fn an_edit_of_the_first_revision_after_a_loss_does_not_turn_the_revisions_back() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    world.delete(DOCUMENT);
    assert_eq!(add(&world, "b").unwrap().stamp.revision, 3);
    // Its writer died before it kept a copy.
    let history = format!("{SIDE}/history");
    let names = world.files_below(&history);
    let copy = names.iter().find(|name| name.starts_with("3-")).unwrap();
    world.delete(&format!("{history}/{copy}"));
    world.put(DOCUMENT, world.text(DOCUMENT).replace("true", "1.0"));
    let edited = read(&world).unwrap().document.unwrap();
    assert_eq!((edited.origin, edited.stamp.revision), (Origin::Edited, 4));
    assert_eq!(add(&world, "c").unwrap().stamp.revision, 5);
}

#[test]
fn a_corrupt_document_is_never_overwritten_and_a_copy_is_kept() {
    let deep = [vec![b'['; 65], vec![b']'; 65]].concat();
    for bytes in [
        b"{\"a\": ".to_vec(),
        b"\xFF\xFE{}".to_vec(),
        b"[]".to_vec(),
        Vec::new(),
        deep,
    ] {
        let world = Memory::new();
        add(&world, "a").unwrap();
        world.put(DOCUMENT, &bytes);
        assert_eq!(read(&world).unwrap_err().code(), Code::Corrupt);
        let error = add(&world, "b").unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Corrupt { path, last_good: Some(1), .. }
                if path == ".claude/state/design-checkpoint.json"),
            "{error:?}"
        );
        assert_eq!(world.bytes(DOCUMENT), Some(bytes.clone()));
        let copies = world.files_below(&format!("{SIDE}/quarantine"));
        assert_eq!(copies.len(), 1);
        assert_eq!(
            world.bytes(&format!("{SIDE}/quarantine/{}", copies[0])),
            Some(bytes)
        );
        assert!(
            left_over(&world)
                .iter()
                .all(|file| file.starts_with("quarantine/"))
        );
    }
}

#[test]
fn three_corrupt_documents_are_kept() {
    let world = Memory::new();
    for round in 0..6 {
        world.put(DOCUMENT, format!("{{ {round}"));
        add(&world, "a").unwrap_err();
        assert!(world.files_below(&format!("{SIDE}/quarantine")).len() <= 3);
    }
}

#[test]
fn a_document_that_is_being_written_in_place_is_read_again() {
    let world = Rc::new(Memory::new());
    world.put(DOCUMENT, "{\"torn\":");
    let mut machine = Machine::start(|io| async move { versioned_document(&io).read().await });
    let stored = loop {
        match machine.step().unwrap() {
            milepost::effect::MachineStep::Done(stored) => break stored.unwrap(),
            milepost::effect::MachineStep::Effect(effect) => {
                if matches!(effect, milepost::effect::Effect::Wait { .. }) {
                    world.put(DOCUMENT, "{\"torn\": false}");
                }
                machine.resume(world.perform(&effect)).unwrap();
            }
        }
    };
    assert_eq!(
        stored.document.unwrap().object.get("torn"),
        Some(&Json::Bool(false))
    );
}

#[test]
fn nothing_is_followed_that_is_a_link_and_no_special_file_is_opened() {
    let parts = [
        "/repo/.claude",
        "/repo/.claude/state",
        DOCUMENT,
        "/repo/.claude/state/.milepost",
        SIDE,
        "/repo/.claude/state/.milepost/design-checkpoint/tokens",
        "/repo/.claude/state/.milepost/design-checkpoint/history",
    ];
    for part in parts {
        for node in [Node::dangling(), Node::Pipe] {
            let world = Memory::new();
            world.put_node(part, node.clone());
            let error = add(&world, "a").unwrap_err();
            assert_eq!(error.code(), Code::UnsafePath, "{part} {node:?}: {error}");
            assert!(!error.to_string().contains("/repo"), "{error}");
        }
    }
}

#[test]
fn a_lock_or_token_that_is_no_file_is_refused_and_stays() {
    for part in ["lock", "tokens/0123456789abcdef0123456789abcdef"] {
        for node in [Node::dangling(), Node::Pipe, Node::Folder] {
            let world = Memory::new();
            add(&world, "a").unwrap();
            let before = world.bytes(DOCUMENT);
            world.put_node(&format!("{SIDE}/{part}"), node);
            let error = add(&world, "b").unwrap_err();
            assert_eq!(error.code(), Code::UnsafePath, "{part}: {error}");
            assert_eq!(world.bytes(DOCUMENT), before);
            assert!(
                world
                    .disk
                    .borrow()
                    .node(&format!("{SIDE}/{part}"))
                    .is_some()
            );
        }
    }
}

#[test]
fn a_linked_quarantine_gets_no_copy_and_a_linked_state_folder_is_not_listed() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    world.put(DOCUMENT, "{");
    world.put_node(&format!("{SIDE}/quarantine"), Node::dangling());
    assert_eq!(add(&world, "b").unwrap_err().code(), Code::UnsafePath);
    for part in ["/repo/.claude", "/repo/.claude/state"] {
        let world = Memory::new();
        world.put_node(part, Node::dangling());
        let listed = world.run(Machine::start(|io| async move {
            store::stems(&io, &folder()).await
        }));
        assert_eq!(listed.unwrap_err().code(), Code::UnsafePath, "{part}");
    }
}

#[test]
fn a_stale_lock_is_taken_over_and_what_its_owner_left_is_removed() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let dead = "0123456789abcdef0123456789abcdef";
    world.put(&format!("{SIDE}/lock"), format!("{dead} 2000\n"));
    world.put(&format!("{SIDE}/tokens/{dead}"), "{}");
    world.put(&format!("{SIDE}/tokens/{dead}.new"), "{");
    world.put(&format!("{SIDE}/history/{dead}.tmp"), "{");
    world.put(&format!("{SIDE}/quarantine/{dead}.new"), "{");
    let start_ms = world.now_ms.get();
    add(&world, "b").unwrap();
    let waited = world.now_ms.get() - start_ms;
    assert!((2_000.0..2_500.0).contains(&waited), "{waited}");
    assert_eq!(left_over(&world), Vec::<String>::new());
}

#[test]
fn a_lock_that_keeps_changing_hands_ends_in_busy_and_nothing_is_written() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let before = world.bytes(DOCUMENT);
    let mut machine = adding("b".to_owned());
    let mut turn = 0;
    let result = loop {
        match machine.step().unwrap() {
            milepost::effect::MachineStep::Done(result) => break result,
            milepost::effect::MachineStep::Effect(effect) => {
                turn += 1;
                world.put(&format!("{SIDE}/lock"), format!("{turn} 2000\n"));
                machine.resume(world.perform(&effect)).unwrap();
            }
        }
    };
    assert_eq!(result.unwrap_err().code(), Code::Busy);
    assert_eq!(world.bytes(DOCUMENT), before);
}

#[test]
fn without_links_history_is_kept_by_copies() {
    let world = Memory::new();
    world.has_links.set(false);
    let first = add(&world, "a").unwrap();
    add(&world, "b").unwrap();
    assert_eq!(left_over(&world), Vec::<String>::new());
    let kept = world.run(Machine::start(|io| async move {
        let revision = versioned_document(&io).revisions().await.unwrap().remove(0);
        versioned_document(&io).recorded(&revision).await
    }));
    assert_eq!(kept.unwrap(), Some(RecordedContent::Whole(first.object)));
}
