//! Options of a commit: that it is a heartbeat, and the revision that it is above.

use milepost::effect::Machine;
use milepost::json::Object;
use milepost::store::{self, Change, CommitMark, Committed, DocumentWrite, Keep, RecordedContent};

use super::{DOCUMENT, SIDE, add, left_over, revisions, versioned_document};
use crate::memory::Memory;

/// Commits what is to be written.
fn write(world: &Memory, write: DocumentWrite) -> Box<Committed> {
    let committed = world.run(Machine::start(|io| async move {
        let mut decide = |_: &store::Current<'_>| Ok(Change::Write(write.clone()));
        versioned_document(&io).update(None, &mut decide).await
    }));
    committed.unwrap()
}

#[test]
fn a_commit_is_above_the_revision_that_it_is_to_follow() {
    let world = Memory::new();
    let above = |above| DocumentWrite {
        above: Some(above),
        ..DocumentWrite::new(Object::new())
    };
    for (floor, expected) in [(7, 8), (3, 9), (9, 10), (10, 11)] {
        assert_eq!(write(&world, above(floor)).stamp.revision, expected);
    }
}

#[test]
fn a_heartbeat_is_known_by_the_name_of_its_entry() {
    let world = Memory::new();
    write(&world, DocumentWrite::new(Object::new()));
    write(
        &world,
        DocumentWrite {
            mark: CommitMark::Heartbeat,
            ..DocumentWrite::new(Object::new())
        },
    );
    add(&world, "a").unwrap();
    let files = world.files_below(&format!("{SIDE}/history"));
    let beats: Vec<&String> = files
        .iter()
        .filter(|it| it.contains(".heartbeat."))
        .collect();
    assert_eq!(beats.len(), 1);
    assert!(beats[0].starts_with("2-"));
    let entries = revisions(&world);
    let marks: Vec<CommitMark> = entries.iter().map(|(revision, _)| revision.mark).collect();
    assert_eq!(
        marks,
        [
            CommitMark::Change,
            CommitMark::Heartbeat,
            CommitMark::Change
        ]
    );
    assert!(
        entries
            .iter()
            .all(|(_, it)| matches!(it, RecordedContent::Whole(_)))
    );
}

#[test]
fn an_addition_to_history_is_there_once_and_leaves_the_document_alone() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let before = world.bytes(DOCUMENT);
    for _ in 0..2 {
        let added = world.run(Machine::start(|io| async move {
            let object = Object::from_iter([("old", "x")]);
            versioned_document(&io)
                .add_to_history(7, CommitMark::Heartbeat, object)
                .await
        }));
        added.unwrap();
    }
    assert_eq!(world.bytes(DOCUMENT), before);
    assert_eq!(left_over(&world), Vec::<String>::new());
    let entries = revisions(&world);
    let (revision, recorded) = &entries[1];
    assert_eq!(entries.len(), 2);
    assert_eq!((revision.number, revision.mark), (7, CommitMark::Heartbeat));
    assert!(matches!(recorded, RecordedContent::Whole(object) if object.get("old").is_some()));
}

#[test]
fn durable_history_is_synced_before_the_commit() {
    let world = Memory::new();
    let first = add(&world, "a").unwrap();
    world.log.borrow_mut().clear();
    write(
        &world,
        DocumentWrite {
            keeps: Keep::Durably,
            ..DocumentWrite::new(Object::new())
        },
    );
    let log = world.log.take();
    let at = |what: &str| log.iter().position(|effect| effect.contains(what)).unwrap();
    let synced = at(&format!("SyncFolder {{ path: \"{SIDE}/history\""));
    let committed = at(&format!("to: \"{DOCUMENT}\""));
    assert!(synced < committed);
    let copied = log[..synced].iter().rposition(|effect| {
        effect.contains("Create") && effect.contains(".tmp") && effect.contains("Durable")
    });
    assert!(copied.is_some());
    assert_eq!(revisions(&world)[0].1, RecordedContent::Whole(first.object));
}
