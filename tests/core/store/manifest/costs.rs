//! Costs of a change, in effects: the number of documents and parts makes no difference.

use milepost::effect::Sync;
use milepost::store::Storage;

use super::{FOLDER, Job, STORAGES, act, key};
use crate::memory::Memory;

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
    world.put_shards(&format!("{FOLDER}/.milepost/keys"));
    world
}

/// Many other documents, which all hold what one does.
fn crowd(world: &Memory, storage: Storage, count: usize) {
    act(world, storage, Job::Save("model", "model", "x")).unwrap();
    let keys = |key: &str| format!("keys/{}/", &key[..2]);
    let model = key("model");
    world.crowd("model", count, &|number, path| {
        let name = format!("task{number}");
        let own = key(&name);
        let path = path.replace(&keys(&model), &keys(&own));
        path.replace("model", &name).replace(&model, &own)
    });
}

#[test]
fn a_change_costs_the_same_where_there_are_more_documents() {
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
fn a_change_writes_the_same_where_there_are_more_parts() {
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
