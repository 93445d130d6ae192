//! What a change costs, in effects: how many documents and parts there are makes no difference.

use milepost::effect::Sync;
use milepost::store::Storage;

use super::{FOLDER, Job, STORAGES, act, key};
use crate::memory::{Memory, Node};

fn effects(world: &Memory, storage: Storage, job: Job) -> Vec<String> {
    world.log.borrow_mut().clear();
    act(world, storage, job).unwrap();
    let log = world.log.borrow();
    let kind = |effect: &String| effect.split([' ', '{']).next().unwrap().to_owned();
    log.iter().map(kind).collect()
}

/// A place with the folders that marks lie in.
fn world() -> Memory {
    let world = Memory::new();
    for shard in 0..=u8::MAX {
        world.put_node(
            &format!("{FOLDER}/.milepost/keys/{shard:02x}"),
            Node::Folder,
        );
    }
    world
}

/// Many other documents, which all hold what one does.
fn crowd(world: &Memory, storage: Storage, count: usize) {
    act(world, storage, Job::Save("model", "model", "x")).unwrap();
    let mut disk = world.disk.borrow_mut();
    let files: Vec<(String, Node)> = disk
        .files()
        .filter(|(path, _)| path.contains("model"))
        .map(|(path, _)| (path.to_owned(), disk.node(path).unwrap().clone()))
        .collect();
    let records: Vec<(String, Vec<u8>)> = disk
        .records
        .all()
        .map(|(name, bytes)| (name.to_owned(), bytes.to_owned()))
        .collect();
    let model = key("model");
    for number in 0..count {
        let name = format!("task{number}");
        let key = key(&name);
        let renamed = |path: &str| {
            let path = path.replace(
                &format!("keys/{}/", &model[..2]),
                &format!("keys/{}/", &key[..2]),
            );
            path.replace("model", &name).replace(&model, &key)
        };
        for (path, node) in &files {
            disk.put_node(&renamed(path), node.clone());
        }
        for (record, bytes) in &records {
            disk.records.put(&renamed(record), Some(bytes));
        }
    }
}

#[test]
fn a_change_costs_more_where_there_are_more_documents() {
    for storage in STORAGES {
        let [alone, crowded] = [0, 10_000].map(|count| {
            let world = world();
            crowd(&world, storage, count);
            let jobs = [
                Job::Save("t", "a", "1"),
                Job::Save("t", "b", "2"),
                Job::Save("t", "a", "3"),
                Job::Latest("t"),
                Job::ById("a"),
                Job::Drop("t", "b"),
                Job::Remove("t"),
            ];
            jobs.map(|job| effects(&world, storage, job))
        });
        for (alone, crowded) in alone.iter().zip(&crowded) {
            assert_eq!(alone, crowded, "{storage:?}");
        }
        let save = alone[1].len();
        assert!(
            save <= 36,
            "{storage:?}: a save takes {save} effects: {:?}",
            alone[1]
        );
    }
}

#[test]
fn a_change_writes_more_where_there_are_more_parts() {
    let world = world();
    let save = |id| effects(&world, Storage::Files, Job::Save("t", id, "1"));
    save("a");
    let one = save("b");
    let two = save("c");
    assert_eq!(one, two);
    let full = save("d");
    // The mark and the part of the one that was evicted.
    assert_eq!(full.len(), two.len() + 2);
    let log = world.log.borrow();
    let is_write = |it: &&String| it.starts_with("Create") && !it.contains("/lock\"");
    let writes: Vec<&String> = log.iter().filter(is_write).collect();
    assert_eq!(writes.len(), 3, "the part, its mark, the index: {writes:?}");
    let synced = format!("{:?}", Sync::Durable);
    assert!(writes.iter().filter(|it| it.contains(&synced)).count() == 2);
    assert!(writes.iter().all(|it| it.contains(FOLDER)));
}
