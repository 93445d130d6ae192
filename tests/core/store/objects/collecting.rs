//! Objects that nothing refers to are collected, and nothing else, regardless of deaths and of writers at work.

use milepost::digest::sha256;
use milepost::effect::{Fault, Machine, MachineStep, Sync};
use milepost::error::Code;
use milepost::store::objects::{
    CollectAction, Collected, Depth, ObjectFault, ObjectWriter, PIECE_BYTES,
};

use super::{
    broken, collected, documents, folder, large, made, objects, read, remove, snapshot, stem,
};
use crate::memory::{Injected, Memory};

#[test]
fn exactly_what_nothing_refers_to_is_removed() {
    let world = Memory::new();
    let bytes = large(3);
    // Its first piece is that of the large one.
    let piece = &bytes[..PIECE_BYTES as usize];
    made(&world, "a", &[b"one", b"two", &bytes]).unwrap();
    made(&world, "b", &[b"two", b"three", piece]).unwrap();
    assert_eq!(
        collected(&world, CollectAction::Remove).unwrap(),
        Collected::default()
    );
    let before = objects(&world);
    remove(&world, "a");

    let announced = collected(&world, CollectAction::List).unwrap();
    assert_eq!(objects(&world), before);
    let done = collected(&world, CollectAction::Remove).unwrap();
    let named = |it: &Collected| {
        let mut files: Vec<_> = it
            .removed
            .iter()
            .map(|it| (it.file.clone(), it.size))
            .collect();
        files.sort();
        files
    };
    assert_eq!(named(&announced), named(&done));
    assert!(done.removed.iter().all(|it| it.size > 0));
    // One piece of text, two of three pieces, and their list.
    assert_eq!(done.removed.len(), 4);
    assert_eq!(objects(&world).len(), before.len() - 4);
    for kept in [&b"two"[..], b"three", piece] {
        assert_eq!(read(&world, &sha256(kept)).unwrap(), kept);
    }
    assert_eq!(read(&world, &sha256(b"one")), Err(ObjectFault::Missing));
    remove(&world, "b");
    collected(&world, CollectAction::Remove).unwrap();
    assert_eq!(objects(&world), Vec::<String>::new());
}

#[test]
fn a_collector_that_died_leaves_nothing_unreadable_or_unremovable() {
    let bytes = large(2);
    for at in 0.. {
        let world = Memory::new();
        let kept = made(&world, "a", &[b"kept", &bytes]).unwrap();
        made(&world, "b", &[b"garbage", b"more"]).unwrap();
        remove(&world, "b");
        world.injected.set(Some(Injected {
            at: world.performed.get() + at,
            for_good: true,
            fault: Fault::Other,
        }));
        let done = collected(&world, CollectAction::Remove);
        world.injected.set(None);
        for content in &kept {
            assert!(read(&world, &content.sha256).is_ok(), "effect {at}");
        }
        collected(&world, CollectAction::Remove).unwrap();
        assert_eq!(objects(&world).len(), 4, "effect {at}");
        if done.is_ok() {
            assert!(at > 15, "{at}");
            break;
        }
    }
}

#[test]
fn a_writer_that_died_or_failed_leaves_removable_objects_and_no_document_without_its_own() {
    let bytes = large(2);
    for for_good in [true, false] {
        for fault in [Fault::NoSpace, Fault::Other] {
            for at in 0.. {
                let world = Memory::new();
                made(&world, "z", &[b"shared"]).unwrap();
                world.injected.set(Some(Injected {
                    at: world.performed.get() + at,
                    for_good,
                    fault,
                }));
                let done = made(&world, "a", &[b"shared", &bytes, b"own"]);
                world.injected.set(None);
                let is_published = world.bytes("/repo/snapshots/a.yaml").is_some();
                assert!(is_published || done.is_err(), "effect {at}");
                let names = ["shared", "own"].map(|it| sha256(it.as_bytes()));
                let [shared, own] = names.each_ref().map(String::as_str);
                if is_published {
                    let all = [shared, &sha256(&bytes), own];
                    assert_eq!(broken(&world, &all, Depth::Bytes), [], "effect {at}");
                }
                // Two hours later.
                world.now_ms.set(world.now_ms.get() + 7_200_000.0);
                let collected = collected(&world, CollectAction::Remove).unwrap();
                assert_eq!(collected.commits_in_progress, 0);
                let left = if is_published { 5 } else { 1 };
                assert_eq!(objects(&world).len(), left, "effect {at}: {collected:?}");
                assert_eq!(broken(&world, &[shared], Depth::Bytes), []);
                if done.is_ok() {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_writer_that_was_taken_for_dead_publishes_nothing() {
    let world = Memory::new();
    made(&world, "b", &[b"garbage"]).unwrap();
    remove(&world, "b");
    for has_links in [true, false] {
        world.has_links.set(has_links);
        for pause_at in 0.. {
            let mut machine = Machine::start(|io| async move {
                snapshot(&io, &folder("/repo"), "a", &[b"garbage".to_vec()]).await
            });
            let mut count = 0;
            let done = loop {
                match machine.step().unwrap() {
                    MachineStep::Done(done) => break done,
                    MachineStep::Effect(effect) => {
                        if count == pause_at {
                            world.now_ms.set(world.now_ms.get() + 7_200_000.0);
                            collected(&world, CollectAction::Remove).unwrap();
                        }
                        count += 1;
                        machine.resume(world.perform(&effect)).unwrap();
                    }
                }
            };
            let is_published = world.bytes("/repo/snapshots/a.yaml").is_some();
            assert!(is_published || done.is_err(), "pause {pause_at}");
            if is_published {
                let name = sha256(b"garbage");
                assert_eq!(
                    broken(&world, &[&name], Depth::Bytes),
                    [],
                    "pause {pause_at}"
                );
                remove(&world, "a");
            } else {
                let error = done.unwrap_err();
                assert_eq!(error.code(), Code::Conflict, "pause {pause_at}: {error}");
            }
            if pause_at > count {
                break;
            }
        }
    }
}

#[test]
fn no_object_is_collected_while_a_snapshot_is_being_made() {
    let world = Memory::new();
    made(&world, "b", &[b"garbage"]).unwrap();
    remove(&world, "b");
    let writer = Machine::start(|io| async move {
        let folder = folder("/repo");
        let mut writer = ObjectWriter::begin(&io, &folder, Sync::Durable)
            .await
            .unwrap();
        let name = sha256(b"garbage");
        assert_eq!(writer.refer(&[&name]).await.unwrap(), []);
        let missing = writer.refer(&[&sha256(b"never kept"), "no name"]).await;
        assert_eq!(missing.unwrap().len(), 2);
    });
    world.run(writer);
    // It never ends.
    let collection = collected(&world, CollectAction::Remove).unwrap();
    assert_eq!(
        (collection.commits_in_progress, collection.removed.len()),
        (1, 0)
    );
}

#[test]
fn a_taken_name_leaves_the_writer_what_it_has_kept() {
    let world = Memory::new();
    made(&world, "a", &[b"other"]).unwrap();
    let content = world.run(Machine::start(|io| async move {
        let folder = folder("/repo");
        let mut writer = ObjectWriter::begin(&io, &folder, Sync::Durable)
            .await
            .unwrap();
        let content = writer.keep_bytes(b"own").await.unwrap();
        let documents = documents(&io, &folder);
        let text = content.sha256.as_bytes();
        let taken = writer
            .publish(&documents, &stem("a"), text)
            .await
            .unwrap_err();
        assert_eq!(taken.code(), Code::Conflict);
        writer.publish(&documents, &stem("b"), text).await.unwrap();
        writer.end().await;
        content
    }));
    collected(&world, CollectAction::Remove).unwrap();
    assert_eq!(read(&world, &content.sha256).unwrap(), b"own");
    assert_eq!(objects(&world).len(), 2);
}
