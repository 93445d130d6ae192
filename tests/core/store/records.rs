//! The store on a host that swaps records by itself: the same promise, by one effect.

use milepost::effect::{Effect, Fault, Io, Machine, Outcome};
use milepost::error::{Code, Error, ErrorKind};
use milepost::json::Object;
use milepost::store::{
    self, Change, CommitMark, Committed, Origin, RecordedContent, Retention, RetentionPolicy,
    Revision, RevisionChoice, Storage, StoreFolder, StoredDocument, VersionedDocument,
};
use milepost_disk::failed;

use super::{folder, stem};
use crate::memory::Memory;

const RECORD: &str = "/repo/.claude/state/design-checkpoint";

fn records() -> StoreFolder {
    folder().kept_in(Storage::Records)
}

fn versioned_document(io: &Io) -> VersionedDocument<'_> {
    VersionedDocument::new(io, &records(), &stem(), RetentionPolicy::default())
}

fn adding(key: String) -> Machine<Result<Box<Committed>, Error>> {
    Machine::start(|io| async move {
        let mut decide = |current: &store::Current<'_>| {
            let document = current.document;
            let mut object = document.map_or_else(Object::new, |it| it.object.clone());
            object.set(&key, true);
            Ok(Change::write(object))
        };
        versioned_document(&io).update(None, &mut decide).await
    })
}

fn add(world: &Memory, key: &str) -> Result<Box<Committed>, Error> {
    world.run(adding(key.to_owned()))
}

fn read(world: &Memory) -> Result<StoredDocument, Error> {
    world.run(Machine::start(|io| async move {
        versioned_document(&io).read().await
    }))
}

fn numbers(world: &Memory) -> Vec<u64> {
    let revisions = world.run(Machine::start(|io| async move {
        versioned_document(&io).revisions().await
    }));
    revisions.unwrap().iter().map(|it| it.number).collect()
}

fn put(world: &Memory, bytes: Option<&[u8]>) {
    world.disk.borrow_mut().records.put(RECORD, bytes);
}

#[test]
fn a_record_is_replaced_and_its_revisions_are_kept_without_any_file() {
    let world = Memory::new();
    assert_eq!(read(&world).unwrap().document, None);
    let first = add(&world, "a").unwrap();
    let second = add(&world, "b").unwrap();
    assert_eq!((first.stamp.revision, second.stamp.revision), (1, 2));
    let document = read(&world).unwrap().document.unwrap();
    assert_eq!(
        (document.origin, document.stamp),
        (Origin::Store, second.stamp)
    );
    assert_eq!(numbers(&world), [1]);
    let kept = world.run(Machine::start(|io| async move {
        let revision = versioned_document(&io).revisions().await.unwrap().remove(0);
        versioned_document(&io).recorded(&revision).await
    }));
    assert_eq!(kept.unwrap(), Some(RecordedContent::Whole(first.object)));
    assert_eq!(world.files_below("/repo"), Vec::<String>::new());
    let listed = world.run(Machine::start(|io| async move {
        store::stems(&io, &records()).await
    }));
    assert_eq!(listed.unwrap(), [stem()]);
}

#[test]
fn no_order_of_writers_loses_a_change() {
    for seed in 0..500 {
        let _run = milepost_property::seed("no order of writers loses a change", seed);
        let world = Memory::new();
        let writers = (0..5).map(|writer| adding(format!("w{writer}")));
        let done = world.interleave(writers.collect(), seed);
        let stored = read(&world).unwrap().document.unwrap();
        let mut acknowledged = 0;
        for (writer, result) in done.into_iter().enumerate() {
            match result {
                Ok(_) => {
                    acknowledged += 1;
                    assert!(stored.object.get(&format!("w{writer}")).is_some());
                }
                Err(error) => assert_eq!(error.code(), Code::Busy, "seed {seed}: {error}"),
            }
        }
        assert_eq!(stored.stamp.revision, acknowledged, "seed {seed}");
        assert_eq!(numbers(&world), (1..acknowledged).collect::<Vec<_>>());
    }
}

#[test]
fn a_swap_whose_answer_is_lost_is_acknowledged_by_what_is_stored() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    for follows in [false, true] {
        let before = numbers(&world).len();
        let committed = adding(format!("lost {follows}")).run(|effect| {
            let outcome = world.perform(&effect);
            match (&effect, outcome) {
                (Effect::SwapRecord(_), Outcome::Done) => {
                    if follows {
                        add(&world, "another").unwrap();
                    }
                    failed(Fault::Other)
                }
                (_, outcome) => outcome,
            }
        });
        assert_eq!(committed.unwrap().stamp.revision as usize, before + 2);
    }
}

#[test]
fn a_swap_that_fails_writes_nothing_and_a_host_without_records_says_so() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    for fault in [Fault::Other, Fault::Unsupported] {
        let error = adding("b".to_owned()).run(|effect| match &effect {
            Effect::SwapRecord(_) => failed(fault),
            effect => world.perform(effect),
        });
        let error = error.unwrap_err();
        assert_eq!(error.code(), Code::Io, "{error}");
        assert!(
            read(&world)
                .unwrap()
                .document
                .unwrap()
                .object
                .get("b")
                .is_none()
        );
    }
}

#[test]
fn a_record_that_changes_all_the_time_is_busy() {
    let world = Memory::new();
    let error = adding("a".to_owned()).run(|effect| match &effect {
        Effect::SwapRecord(_) => failed(Fault::Changed),
        effect => world.perform(effect),
    });
    assert_eq!(error.unwrap_err().code(), Code::Busy);
}

#[test]
fn a_corrupt_record_is_not_overwritten_and_recovering_keeps_it() {
    let world = Memory::new();
    for key in ["a", "b", "c"] {
        add(&world, key).unwrap();
    }
    put(&world, Some(b"{ torn"));
    let error = read(&world).unwrap_err();
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Corrupt {
                last_good: Some(2),
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(add(&world, "d").unwrap_err().code(), Code::Corrupt);
    let recovered = world.run(Machine::start(|io| async move {
        let mut accept = |_: &Revision, object: Object| Ok(object);
        let choice = RevisionChoice::Below(u64::MAX);
        versioned_document(&io).recover(choice, &mut accept).await
    }));
    let recovered = recovered.unwrap();
    assert_eq!((recovered.from, recovered.committed.stamp.revision), (2, 4));
    let copy = format!("/repo/{}", recovered.quarantined.unwrap());
    let disk = world.disk.borrow();
    let mut all = disk.records.all();
    assert!(all.any(|(name, bytes)| name == copy && bytes == b"{ torn"));
}

#[test]
fn history_is_pruned_with_the_commit_and_on_demand() {
    let world = Memory::new();
    for number in 0..100 {
        add(&world, &number.to_string()).unwrap();
    }
    let kept = numbers(&world);
    assert!((50..=67).contains(&kept.len()), "{kept:?}");
    let pruned = world.run(Machine::start(|io| async move {
        let ten = Retention::default().with(Some(10), None).unwrap();
        versioned_document(&io).prune(ten).await
    }));
    // As among files: ten that were replaced, and the present one.
    assert_eq!(pruned.unwrap().kept, 11);
    assert_eq!(numbers(&world), (90..100).collect::<Vec<_>>());
    assert_eq!(read(&world).unwrap().document.unwrap().stamp.revision, 100);
}

#[test]
fn an_addition_to_the_history_of_a_record_is_there_once() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    for _ in 0..2 {
        let added = world.run(Machine::start(|io| async move {
            let object = Object::from_iter([("old", "x")]);
            versioned_document(&io)
                .add_to_history(7, CommitMark::Heartbeat, object)
                .await
        }));
        added.unwrap();
    }
    assert_eq!(numbers(&world), [7]);
}
