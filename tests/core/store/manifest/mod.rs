//! Documents with parts, among files and among records: what they hold and what they leave.

mod costs;
mod deaths;
mod orders;
mod power;

use milepost::digest::digest;
use milepost::effect::{Io, Machine, Sync};
use milepost::error::{Code, Error, Written};
use milepost::json::{Json, Object};
use milepost::store::manifest::{
    Age, Changed, Keys, Manifest, ManifestIndex, ManifestLayout, ManifestPlan, NextIndex, PartName,
    SweepAction,
};
use milepost::store::{Stem, Storage, StoreFolder};

use super::folder_in;
use crate::memory::Memory;

pub(super) const FOLDER: &str = "/repo/.claude/state/tasks";

/// So many parts stay, the oldest go first.
pub(super) const KEPT: usize = 3;

pub(super) const LAYOUT: ManifestLayout = ManifestLayout {
    durability: Sync::Durable,
    max_part_bytes: 1 << 20,
    keys: Keys::OfAll,
    parts: named,
};

pub(super) fn folder(storage: Storage) -> StoreFolder {
    folder_in("/repo", None).kept_in(storage).below("tasks")
}

pub(super) fn stem(name: &str) -> Stem {
    Stem::new(name.to_owned()).unwrap()
}

pub(super) fn key(id: &str) -> String {
    digest(&[id.as_bytes()])
}

/// The entries of an index, in their order.
fn entries(object: &Object) -> Vec<(String, PartName)> {
    let entries = match object.get("entries") {
        Some(Json::Array(entries)) => entries.as_slice(),
        _ => &[],
    };
    let text = |entry: &Json, member: &str| match entry {
        Json::Object(entry) => entry.get(member).and_then(Json::as_str).unwrap().to_owned(),
        other => panic!("{other:?}"),
    };
    let entry = |entry: &Json| {
        let part = PartName {
            key: text(entry, "key"),
            token: text(entry, "token"),
        };
        (text(entry, "id"), part)
    };
    entries.iter().map(entry).collect()
}

fn named(object: &Object) -> Vec<PartName> {
    entries(object).into_iter().map(|(_, part)| part).collect()
}

fn object(entries: &[(String, PartName)]) -> Object {
    let entries = entries.iter().map(|(id, part)| {
        Json::from(
            Object::new()
                .with("id", id.as_str())
                .with("key", part.key.as_str())
                .with("token", part.token.as_str()),
        )
    });
    Object::new().with("entries", entries.collect::<Vec<_>>())
}

/// An action of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// Saves a part under an id, in the document of this name.
    Save(&'static str, &'static str, &'static str),
    /// Drops the part of an id.
    Drop(&'static str, &'static str),
    /// Removes a document.
    Remove(&'static str),
    /// Removes what is not needed, and a writer that may be at work begins again.
    Sweep,
    /// Reads the newest part of a document.
    Latest(&'static str),
    /// Finds the document of an id, and reads its part.
    ById(&'static str),
}

/// The result of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Done {
    Saved,
    /// The id is another document's.
    Taken,
    Dropped,
    Removed(bool),
    Swept,
    Read(Option<String>),
}

impl Job {
    pub(super) fn machine(self, storage: Storage) -> Machine<Result<Done, Error>> {
        Machine::start(move |io: Io| async move { self.run(&io, storage).await })
    }

    async fn run(self, io: &Io, storage: Storage) -> Result<Done, Error> {
        let folder = folder(storage);
        let manifest = Manifest::new(io, &folder, LAYOUT);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ok(match self {
            Job::Save(name, id, bytes) => {
                let mut decide =
                    |index: Option<&ManifestIndex>, token: &str| Ok(saved(index, token, id, bytes));
                match manifest.change(&stem(name), &mut decide).await? {
                    Changed::Written(_) => Done::Saved,
                    Changed::Unchanged(_) => panic!("a save always writes"),
                    Changed::Taken { key: taken, by } => {
                        assert_eq!(taken, key(id));
                        assert_ne!(by, stem(name));
                        Done::Taken
                    }
                }
            }
            Job::Drop(name, id) => {
                let mut decide = |index: Option<&ManifestIndex>, _: &str| {
                    let present = index.map_or(Vec::new(), |it| entries(&it.document.object));
                    let mut left = present.clone();
                    left.retain(|(it, _)| it != id);
                    let next = NextIndex {
                        object: object(&left),
                        add: Vec::new(),
                    };
                    Ok(match left.len() < present.len() {
                        true => ManifestPlan::Write(next),
                        false => ManifestPlan::Keep,
                    })
                };
                manifest.change(&stem(name), &mut decide).await?;
                Done::Dropped
            }
            Job::Remove(name) => Done::Removed(manifest.remove(&stem(name)).await?),
            Job::Sweep => {
                manifest.sweep(Age::Any, SweepAction::Remove).await?;
                Done::Swept
            }
            Job::Latest(name) => {
                let mut choose =
                    |index: &ManifestIndex| index.parts.last().map(|it| it.key.clone());
                let part = manifest.part(&stem(name), &mut choose).await?;
                Done::Read(part.map(|it| text(it.bytes)))
            }
            Job::ById(id) => {
                let Some(name) = manifest.find(&key(id), None).await? else {
                    return Ok(Done::Read(None));
                };
                let part = manifest.part(&name, &mut |_| Some(key(id))).await?;
                Done::Read(part.map(|it| text(it.bytes)))
            }
        })
    }
}

fn saved(index: Option<&ManifestIndex>, token: &str, id: &str, bytes: &str) -> ManifestPlan {
    let mut next = index.map_or(Vec::new(), |it| entries(&it.document.object));
    let part = PartName {
        key: key(id),
        token: token.to_owned(),
    };
    match next.iter_mut().find(|(it, _)| it == id) {
        Some(entry) => entry.1 = part,
        None => next.push((id.to_owned(), part)),
    }
    let surplus = next.len().saturating_sub(KEPT);
    next.drain(..surplus);
    ManifestPlan::Write(NextIndex {
        object: object(&next),
        add: vec![(key(id), bytes.into())],
    })
}

pub(super) fn act(world: &Memory, storage: Storage, job: Job) -> Result<Done, Error> {
    world.run(job.machine(storage))
}

/// The ids and bytes of a document, in their order; every part that is named can be read.
pub(super) fn contents(
    world: &Memory,
    storage: Storage,
    name: &'static str,
) -> Vec<(String, String)> {
    world.run(Machine::start(move |io: Io| async move {
        let folder = folder(storage);
        let manifest = Manifest::new(&io, &folder, LAYOUT);
        let Some(index) = manifest.read(&stem(name)).await.unwrap() else {
            return Vec::new();
        };
        if storage == Storage::Files {
            let missing = manifest.missing_marks(&stem(name), &index).await;
            assert_eq!(missing.unwrap(), [""; 0], "marks are missing");
        }
        let mut contents = Vec::new();
        for (id, part) in entries(&index.document.object) {
            let key = part.key.clone();
            let read = manifest.part(&stem(name), &mut |_| Some(key.clone())).await;
            let bytes = read.unwrap().unwrap().bytes;
            let found = manifest.find(&key, None).await.unwrap();
            assert_eq!(found, Some(stem(name)), "{id} is not found");
            contents.push((id, String::from_utf8(bytes).unwrap()));
        }
        contents
    }))
}

/// Everything that is there and that no index of these documents needs.
pub(super) fn garbage(world: &Memory, storage: Storage, names: &[&'static str]) -> Vec<String> {
    let mut needed = vec![".gitignore".to_owned()];
    for &name in names {
        let index = world.run(Machine::start(move |io: Io| async move {
            let folder = folder(storage);
            let manifest = Manifest::new(&io, &folder, LAYOUT);
            manifest.read(&stem(name)).await.unwrap()
        }));
        let ending = match storage {
            Storage::Files => "/index.json",
            Storage::Records => "",
        };
        needed.push(format!("{name}{ending}"));
        for PartName { key, token } in index.map_or(Vec::new(), |it| it.parts) {
            let shard = format!(".milepost/keys/{}", &key[..2]);
            needed.extend(match storage {
                Storage::Files => [
                    format!("{name}/{key}-{token}.json"),
                    format!("{shard}/{key}.{name}.{token}"),
                ],
                Storage::Records => [
                    format!("{name}/parts/{key}-{token}"),
                    format!("{shard}/{key}"),
                ],
            });
        }
    }
    let mut there = match storage {
        Storage::Files => world.files_below(FOLDER),
        Storage::Records => {
            let disk = world.disk.borrow();
            let all = disk.records.all();
            let below = all.map(|(name, _)| name.strip_prefix(FOLDER).unwrap()[1..].to_owned());
            below.collect()
        }
    };
    for it in &needed {
        let is_shared = it == ".gitignore" || names.iter().any(|name| it.starts_with(*name));
        assert!(
            is_shared || there.contains(it),
            "{it} is missing in {there:?}"
        );
    }
    there.retain(|it| !needed.contains(it));
    there
}

pub(super) const STORAGES: [Storage; 2] = [Storage::Files, Storage::Records];

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(id, bytes): &(&str, &str)| ((*id).to_owned(), (*bytes).to_owned());
    expected.iter().map(owned).collect()
}

#[test]
fn a_part_is_kept_as_long_as_it_should_be_and_found_under_its_own_id() {
    for storage in STORAGES {
        let world = Memory::new();
        let save = |name, id, bytes| act(&world, storage, Job::Save(name, id, bytes)).unwrap();
        assert_eq!(contents(&world, storage, "t"), pairs(&[]));
        for (id, bytes) in [("a", "1"), ("b", "2"), ("c", "3"), ("a", "4")] {
            assert_eq!(save("t", id, bytes), Done::Saved);
        }
        let three = pairs(&[("a", "4"), ("b", "2"), ("c", "3")]);
        assert_eq!(contents(&world, storage, "t"), three);
        assert_eq!(save("t", "d", "5"), Done::Saved);
        assert_eq!(save("u", "a", "6"), Done::Saved, "a was dropped from t");
        assert_eq!(save("u", "d", "7"), Done::Taken, "{storage:?}");
        let rest = pairs(&[("b", "2"), ("c", "3"), ("d", "5")]);
        assert_eq!(contents(&world, storage, "t"), rest);
        assert_eq!(contents(&world, storage, "u"), pairs(&[("a", "6")]));
        let read = |job| act(&world, storage, job).unwrap();
        assert_eq!(read(Job::Latest("t")), Done::Read(Some("5".into())));
        assert_eq!(read(Job::ById("a")), Done::Read(Some("6".into())));
        assert_eq!(read(Job::ById("none")), Done::Read(None));
        assert_eq!(garbage(&world, storage, &["t", "u"]), [""; 0]);
        read(Job::Drop("t", "c"));
        assert_eq!(
            contents(&world, storage, "t"),
            pairs(&[("b", "2"), ("d", "5")])
        );
        assert_eq!(read(Job::Remove("t")), Done::Removed(true));
        assert_eq!(read(Job::Remove("t")), Done::Removed(false));
        assert_eq!(read(Job::ById("d")), Done::Read(None));
        assert_eq!(save("u", "d", "7"), Done::Saved);
        assert_eq!(garbage(&world, storage, &["u"]), [""; 0], "{storage:?}");
        assert_eq!(names(&world, storage), ["u"]);
    }
}

fn names(world: &Memory, storage: Storage) -> Vec<String> {
    world.run(Machine::start(move |io: Io| async move {
        let folder = folder(storage);
        let names = Manifest::new(&io, &folder, LAYOUT).names().await.unwrap();
        names.iter().map(|it| it.as_str().to_owned()).collect()
    }))
}

/// A copy of the folder may leave out empty files, and that is what marks are.
#[test]
fn a_part_is_found_by_its_key_though_all_marks_are_lost() {
    let world = Memory::new();
    for (name, id) in [("t", "a"), ("t", "b"), ("u", "c")] {
        act(&world, Storage::Files, Job::Save(name, id, id)).unwrap();
    }
    for mark in world.files_below(&format!("{FOLDER}/.milepost/keys")) {
        world.delete(&format!("{FOLDER}/.milepost/keys/{mark}"));
    }
    for id in ["a", "b", "c"] {
        let found = act(&world, Storage::Files, Job::ById(id)).unwrap();
        assert_eq!(found, Done::Read(Some(id.to_owned())));
    }
    assert_eq!(
        act(&world, Storage::Files, Job::ById("none")).unwrap(),
        Done::Read(None)
    );
    let missing = world.run(Machine::start(move |io: Io| async move {
        let folder = folder(Storage::Files);
        let manifest = Manifest::new(&io, &folder, LAYOUT);
        let index = manifest.read(&stem("t")).await.unwrap().unwrap();
        manifest.missing_marks(&stem("t"), &index).await.unwrap()
    }));
    assert_eq!(missing.len(), 2);
}

#[test]
fn the_first_save_in_a_new_place_is_not_hidden_from_git() {
    let world = Memory::new();
    act(&world, Storage::Files, Job::Save("t", "a", "1")).unwrap();
    assert_eq!(world.text("/repo/.claude/state/.gitignore"), "*\n");
}

#[test]
fn a_part_that_was_taken_away_is_reported_as_such() {
    let world = Memory::new();
    act(&world, Storage::Files, Job::Save("t", "a", "1")).unwrap();
    let files = world.files_below(FOLDER);
    let part = files
        .iter()
        .find(|it| it.starts_with(&format!("t/{}", key("a"))));
    world.delete(&format!("{FOLDER}/{}", part.unwrap()));
    let error = act(&world, Storage::Files, Job::Latest("t")).unwrap_err();
    assert_eq!(error.code(), Code::Corrupt, "{error}");
}

#[test]
fn a_corrupt_index_is_not_overwritten_and_can_be_removed() {
    let world = Memory::new();
    let storage = Storage::Files;
    act(&world, storage, Job::Save("t", "a", "1")).unwrap();
    let index = format!("{FOLDER}/t/index.json");
    world.put(&index, "{ torn");
    for job in [Job::Save("t", "b", "2"), Job::Latest("t"), Job::ById("a")] {
        let error = act(&world, storage, job).unwrap_err();
        assert_eq!(error.code(), Code::Corrupt, "{job:?}: {error}");
    }
    assert_eq!(world.text(&index), "{ torn");
    assert_eq!(
        act(&world, storage, Job::Remove("t")).unwrap(),
        Done::Removed(true)
    );
    act(&world, storage, Job::Save("t", "a", "3")).unwrap();
    assert_eq!(contents(&world, storage, "t"), pairs(&[("a", "3")]));
}

#[test]
fn a_document_whose_index_is_gone_is_corrupt_and_keeps_its_parts_until_it_is_removed() {
    let world = Memory::new();
    let storage = Storage::Files;
    act(&world, storage, Job::Save("t", "a", "1")).unwrap();
    world.delete(&format!("{FOLDER}/t/index.json"));
    // A new part may be that of a writer that was overtaken.
    for job in [Job::Latest("t"), Job::ById("a")] {
        assert_eq!(act(&world, storage, job).unwrap(), Done::Read(None));
    }
    world.now_ms.set(world.now_ms.get() + 120_000.0);
    let files = world.files_below(FOLDER);
    let expect_corrupt = |job: Job| {
        let error = act(&world, storage, job).unwrap_err();
        assert_eq!(error.code(), Code::Corrupt, "{job:?}: {error}");
        assert_eq!(error.written(), Written::No, "{job:?}");
    };
    for job in [Job::Save("t", "b", "2"), Job::Latest("t"), Job::ById("a")] {
        expect_corrupt(job);
    }
    assert_eq!(act(&world, storage, Job::Sweep).unwrap(), Done::Swept);
    assert_eq!(world.files_below(FOLDER), files);
    // Another document does not get its key.
    expect_corrupt(Job::Save("u", "a", "3"));
    let now = world.files_below(FOLDER);
    assert!(files.iter().all(|it| now.contains(it)), "{now:?}");
    let removed = act(&world, storage, Job::Remove("t")).unwrap();
    assert_eq!(removed, Done::Removed(true));
    act(&world, storage, Job::Save("t", "a", "3")).unwrap();
    assert_eq!(contents(&world, storage, "t"), pairs(&[("a", "3")]));
}

#[test]
fn a_generation_that_was_removed_by_hand_comes_back_with_the_next_save() {
    let world = Memory::new();
    let storage = Storage::Files;
    act(&world, storage, Job::Save("t", "a", "1")).unwrap();
    let index = format!("{FOLDER}/t/index.json");
    let text = world.text(&index);
    let line = text.lines().find(|it| it.contains("generation")).unwrap();
    world.put(&index, text.replace(&format!("{line}\n"), ""));
    act(&world, storage, Job::Save("t", "b", "2")).unwrap();
    assert_eq!(
        contents(&world, storage, "t"),
        pairs(&[("a", "1"), ("b", "2")])
    );
    assert!(world.text(&index).contains("\"generation\""));
    assert_eq!(garbage(&world, storage, &["t"]), [""; 0]);
}

#[test]
fn a_name_or_key_that_is_no_safe_part_of_a_path_is_refused() {
    let world = Memory::new();
    let long = world.run(Machine::start(move |io: Io| async move {
        let folder = folder(Storage::Files);
        let manifest = Manifest::new(&io, &folder, LAYOUT);
        manifest.read(&stem(&"x".repeat(151))).await
    }));
    assert_eq!(long.unwrap_err().code(), Code::InvalidName);
    let key = world.run(Machine::start(move |io: Io| async move {
        let folder = folder(Storage::Files);
        let manifest = Manifest::new(&io, &folder, LAYOUT);
        let mut decide = |_: Option<&ManifestIndex>, token: &str| {
            let part = PartName {
                key: "../x".into(),
                token: token.into(),
            };
            Ok(ManifestPlan::Write(NextIndex {
                object: object(&[("x".into(), part)]),
                add: vec![("../x".into(), Vec::new())],
            }))
        };
        manifest.change(&stem("t"), &mut decide).await
    }));
    assert_eq!(key.unwrap_err().code(), Code::InvalidName);
}

#[test]
fn an_index_behind_a_link_is_neither_read_nor_written() {
    for at in [
        FOLDER,
        "/repo/.claude/state/tasks/t",
        "/repo/.claude/state/tasks/.milepost/keys",
    ] {
        let world = Memory::new();
        world.put_node(at, crate::memory::Node::dangling());
        let error = act(&world, Storage::Files, Job::Save("t", "a", "1")).unwrap_err();
        assert_eq!(error.code(), Code::UnsafePath, "{at}: {error}");
    }
}
