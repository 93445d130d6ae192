//! Documents that are published once, among files and among records.

use milepost::effect::{Fault, Io, Machine, Sync};
use milepost::error::{Code, Error};
use milepost::store::{ImmutableDocuments, Stem, Storage, StoreFolder};

use super::folder_in;
use crate::memory::{Injected, Memory};

fn folder(storage: Storage) -> StoreFolder {
    folder_in("/repo", Some("shelf")).kept_in(storage)
}

fn stem(name: &str) -> Stem {
    Stem::new(name.to_owned()).unwrap()
}

/// Runs what is to be done with immutable documents.
fn with<T: 'static>(
    world: &Memory,
    storage: Storage,
    act: impl AsyncFnOnce(ImmutableDocuments<'_>) -> T + 'static,
) -> T {
    world.run(Machine::start(move |io: Io| async move {
        let folder = folder(storage);
        act(ImmutableDocuments::new(
            &io,
            &folder,
            ".yaml",
            Sync::Durable,
        ))
        .await
    }))
}

fn publish(world: &Memory, storage: Storage, name: &str, text: &'static str) -> Result<(), Error> {
    let stem = stem(name);
    with(world, storage, async move |documents| {
        documents.publish(&stem, text.as_bytes()).await
    })
}

fn read(world: &Memory, storage: Storage, name: &str) -> Option<Vec<u8>> {
    let stem = stem(name);
    with(world, storage, async move |documents| {
        documents.read(&stem).await
    })
    .unwrap()
}

fn list(world: &Memory, storage: Storage) -> Vec<String> {
    let listed = with(world, storage, async move |documents| {
        documents.list().await
    });
    let listed = listed.unwrap();
    let names = listed.iter().map(|stem| stem.as_str().to_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Files with links, files without, records.
fn worlds() -> [(Memory, Storage); 3] {
    let without_links = Memory::new();
    without_links.has_links.set(false);
    [
        (Memory::new(), Storage::Files),
        (without_links, Storage::Files),
        (Memory::new(), Storage::Records),
    ]
}

#[test]
fn a_name_is_published_once_and_what_it_stands_for_never_changes() {
    for (world, storage) in worlds() {
        assert_eq!(read(&world, storage, "b"), None);
        assert_eq!(list(&world, storage), Vec::<String>::new());
        publish(&world, storage, "b", "first").unwrap();
        publish(&world, storage, "a", "other").unwrap();
        let taken = publish(&world, storage, "b", "second").unwrap_err();
        assert_eq!(taken.code(), Code::Conflict);
        assert_eq!(read(&world, storage, "b"), Some(b"first".to_vec()));
        assert_eq!(list(&world, storage), ["a", "b"]);
        let left = world.files_below("/repo/shelf/.milepost/shelf");
        assert!(left.iter().all(|it| !it.ends_with(".new")), "{left:?}");
    }
}

#[test]
fn a_removed_document_is_gone_and_removing_it_again_finds_nothing() {
    for (world, storage) in worlds() {
        publish(&world, storage, "a", "x").unwrap();
        for expected in [true, false] {
            let name = stem("a");
            let removed = with(&world, storage, async move |documents| {
                documents.remove(&name).await
            });
            assert_eq!(removed.unwrap(), expected);
        }
        assert_eq!(read(&world, storage, "a"), None);
        assert_eq!(list(&world, storage), Vec::<String>::new());
    }
}

#[test]
fn of_many_publishers_of_one_name_one_succeeds_in_every_order() {
    for seed in 0..200 {
        let _run = milepost_property::seed(
            "of many publishers of one name one succeeds in every order",
            seed,
        );
        for (world, storage) in worlds() {
            let publisher = |number: u8| {
                Machine::start(move |io: Io| async move {
                    let folder = folder(storage);
                    let documents = ImmutableDocuments::new(&io, &folder, ".yaml", Sync::Durable);
                    documents
                        .publish(&stem("a"), &[number])
                        .await
                        .map(|()| number)
                })
            };
            let done = world.interleave((0..4).map(publisher).collect(), seed);
            let published: Vec<u8> = done.iter().flatten().copied().collect();
            assert_eq!(published.len(), 1, "seed {seed} {storage:?}: {done:?}");
            assert_eq!(read(&world, storage, "a"), Some(published));
        }
    }
}

#[test]
fn a_link_that_fails_once_gives_one_name_to_one_publisher() {
    for at in 0..30 {
        for seed in 0..30 {
            let _run = milepost_property::seed(
                "a link that fails once gives one name to one publisher",
                seed,
            );
            let world = Memory::new();
            world.injected.set(Some(Injected {
                at,
                for_good: false,
                fault: Fault::NoSpace,
            }));
            let publisher = |number: u8| {
                Machine::start(move |io: Io| async move {
                    let folder = folder(Storage::Files);
                    let documents = ImmutableDocuments::new(&io, &folder, ".yaml", Sync::Durable);
                    documents
                        .publish(&stem("a"), &[number])
                        .await
                        .map(|()| number)
                })
            };
            let done = world.interleave((0..2).map(publisher).collect(), seed);
            let published: Vec<u8> = done.iter().flatten().copied().collect();
            assert!(published.len() <= 1, "effect {at}, seed {seed}: {done:?}");
            world.injected.set(None);
            if !published.is_empty() {
                assert_eq!(read(&world, Storage::Files, "a"), Some(published));
            }
        }
    }
}

#[test]
fn a_death_leaves_the_whole_document_or_none() {
    for at in 0..60 {
        for (world, storage) in worlds() {
            publish(&world, storage, "z", "before").unwrap();
            world.injected.set(Some(Injected {
                at: world.performed.get() + at,
                for_good: true,
                fault: Fault::Other,
            }));
            let published = publish(&world, storage, "a", "whole");
            world.injected.set(None);
            let found = read(&world, storage, "a");
            assert!(
                found.as_deref().is_none_or(|it| it == b"whole"),
                "effect {at}"
            );
            assert!(published.is_err() || found.is_some(), "effect {at}");
            assert_eq!(read(&world, storage, "z"), Some(b"before".to_vec()));
        }
    }
}

#[test]
fn a_half_finished_move_is_finished_and_the_original_stays_readable() {
    for (world, storage) in worlds() {
        let put = |text: &'static str| {
            with(&world, storage, async move |documents| {
                documents.put_same(&stem("one"), text.as_bytes()).await
            })
        };
        put("same").unwrap();
        put("same").unwrap();
        assert_eq!(read(&world, storage, "one").as_deref(), Some(&b"same"[..]));
        assert_eq!(put("other").unwrap_err().code(), Code::Conflict);
        assert_eq!(read(&world, storage, "one").as_deref(), Some(&b"same"[..]));
    }
    // A process that dies at any effect leaves a name that the next one can have.
    for at in 0..60 {
        for (world, storage) in worlds() {
            let put = || {
                with(&world, storage, async move |documents| {
                    documents.put_same(&stem("one"), b"same").await
                })
            };
            world.injected.set(Some(Injected {
                at: world.performed.get() + at,
                for_good: true,
                fault: Fault::Other,
            }));
            let _ = put();
            world.injected.set(None);
            put().unwrap();
            assert_eq!(
                read(&world, storage, "one"),
                Some(b"same".to_vec()),
                "effect {at}"
            );
        }
    }
}

#[test]
fn no_document_is_read_or_written_behind_a_link() {
    let world = Memory::new();
    world.put_node("/repo/shelf", crate::memory::Node::dangling());
    let error = publish(&world, Storage::Files, "a", "x").unwrap_err();
    assert_eq!(error.code(), Code::UnsafePath);
    let name = stem("a");
    let read = with(&world, Storage::Files, async move |documents| {
        documents.read(&name).await
    });
    assert_eq!(read.unwrap_err().code(), Code::UnsafePath);
}
