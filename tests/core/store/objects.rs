//! The contents of snapshots: kept once, found whole or named, collected only when nothing needs them.

mod collecting;

use std::rc::Rc;

use milepost::digest::sha256;
use milepost::effect::{Access, Effect, Io, Machine, MachineStep, Outcome, PathKind, Sync};
use milepost::error::{Code, Error};
use milepost::store::objects::{
    CollectAction, Collected, ContentReader, Depth, KeepDecision, KeepOutcome, KeptContent,
    ObjectFault, ObjectWriter, PIECE_BYTES, References, ShownFilePart, collect,
};
use milepost::store::{ImmutableDocuments, Stem, Storage, StoreFolder};

use super::folder_in;
use crate::disk::Disk;
use crate::memory::{Memory, Node};

const OBJECTS: &str = "/repo/snapshots/objects";

pub(super) fn folder(root: &str) -> StoreFolder {
    folder_in(root, Some("snapshots"))
}

fn documents<'a>(io: &'a Io, folder: &'a StoreFolder) -> ImmutableDocuments<'a> {
    ImmutableDocuments::new(io, folder, ".yaml", Sync::Durable)
}

fn stem(name: &str) -> Stem {
    Stem::new(name.to_owned()).unwrap()
}

/// Adds what the documents of the folder refer to: a line for each content.
pub(super) async fn referenced(
    io: &Io,
    folder: &StoreFolder,
    to: &mut References,
) -> Result<(), Error> {
    let documents = documents(io, folder);
    for stem in documents.list().await? {
        let text = documents.read(&stem).await?.unwrap_or_default();
        String::from_utf8(text)
            .unwrap()
            .lines()
            .for_each(|it| to.add(it));
    }
    Ok(())
}

pub(super) async fn collect_all(
    io: &Io,
    folder: &StoreFolder,
    act: CollectAction,
) -> Result<Collected, Error> {
    collect(io, folder, act, async |to: &mut References| {
        referenced(io, folder, to).await
    })
    .await
}

/// A snapshot of these contents, published under a name.
pub(super) async fn snapshot(
    io: &Io,
    folder: &StoreFolder,
    name: &str,
    contents: &[Vec<u8>],
) -> Result<Vec<KeptContent>, Error> {
    let mut writer = ObjectWriter::begin(io, folder, Sync::Durable).await?;
    let made = publish(io, folder, &mut writer, name, contents).await;
    writer.end().await;
    made
}

async fn publish(
    io: &Io,
    folder: &StoreFolder,
    writer: &mut ObjectWriter<'_>,
    name: &str,
    contents: &[Vec<u8>],
) -> Result<Vec<KeptContent>, Error> {
    let mut kept = Vec::new();
    for bytes in contents {
        kept.push(writer.keep_bytes(bytes).await?);
    }
    let text: String = kept.iter().map(|it| it.sha256.clone() + "\n").collect();
    let documents = documents(io, folder);
    writer
        .publish(&documents, &stem(name), text.as_bytes())
        .await?;
    assert_eq!(writer.ensure().await?, []);
    Ok(kept)
}

fn made(world: &Memory, name: &str, contents: &[&[u8]]) -> Result<Vec<KeptContent>, Error> {
    let name = name.to_owned();
    let contents: Vec<Vec<u8>> = contents.iter().map(|it| it.to_vec()).collect();
    world.run(Machine::start(move |io| async move {
        snapshot(&io, &folder("/repo"), &name, &contents).await
    }))
}

fn remove(world: &Memory, name: &str) {
    let stem = stem(name);
    let removed = world.run(Machine::start(move |io| async move {
        documents(&io, &folder("/repo")).remove(&stem).await
    }));
    assert!(removed.unwrap());
}

fn collected(world: &Memory, act: CollectAction) -> Result<Collected, Error> {
    world.run(Machine::start(move |io| async move {
        collect_all(&io, &folder("/repo"), act).await
    }))
}

fn read(world: &Memory, content: &str) -> Result<Vec<u8>, ObjectFault> {
    let content = content.to_owned();
    world.run(Machine::start(move |io| async move {
        let folder = folder("/repo");
        let reader = ContentReader::open(&io, &folder).await.unwrap();
        let read = reader.read(&content, u32::MAX).await.unwrap();
        read.map_err(|broken| {
            assert_eq!(broken.sha256, content);
            broken.lack
        })
    }))
}

fn broken(world: &Memory, contents: &[&str], depth: Depth) -> Vec<(String, ObjectFault)> {
    let contents: Vec<String> = contents.iter().map(|&it| it.to_owned()).collect();
    world.run(Machine::start(move |io| async move {
        let folder = folder("/repo");
        let reader = ContentReader::open(&io, &folder).await.unwrap();
        let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
        let broken = reader.check(&contents, depth).await.unwrap();
        broken.into_iter().map(|it| (it.sha256, it.lack)).collect()
    }))
}

fn objects(world: &Memory) -> Vec<String> {
    world.files_below(OBJECTS)
}

/// Bytes of several pieces, none like another.
fn large(pieces: usize) -> Vec<u8> {
    let numbers = 0..(pieces as u32 * PIECE_BYTES / 4 - 3);
    numbers.flat_map(|it| (it / 64).to_le_bytes()).collect()
}

#[test]
fn a_content_is_kept_once_and_given_back_unchanged() {
    let world = Memory::new();
    let (large, exact) = (large(3), vec![7; PIECE_BYTES as usize]);
    let contents: [&[u8]; 5] = [b"", b"text", &large, b"text", &exact];
    let kept = made(&world, "a", &contents).unwrap();
    for (content, bytes) in kept.iter().zip(contents) {
        assert_eq!(content.sha256, sha256(bytes));
        assert_eq!(content.size, bytes.len() as u64);
        assert_eq!(read(&world, &content.sha256).unwrap(), bytes);
    }
    // The empty one, the text, the exact piece, three pieces and their list.
    let before = objects(&world);
    assert_eq!(before.len(), 7, "{before:?}");
    assert_eq!(made(&world, "b", &contents).unwrap(), kept);
    assert_eq!(objects(&world), before);
    let names: Vec<&str> = kept.iter().map(|it| it.sha256.as_str()).collect();
    for depth in [Depth::Names, Depth::Bytes] {
        assert_eq!(broken(&world, &names, depth), []);
    }
}

#[test]
fn a_file_of_zeros_takes_one_piece() {
    let world = Memory::new();
    let zeros = vec![0; 5 * PIECE_BYTES as usize];
    let kept = made(&world, "a", &[&zeros]).unwrap();
    assert_eq!(objects(&world).len(), 2);
    assert_eq!(read(&world, &kept[0].sha256).unwrap(), zeros);
}

/// The record of `/repo/file`, and the number of calls that got its bytes.
fn keep_file(world: &Memory, limit: u64, stop_at: usize) -> (KeepOutcome, usize) {
    world.run(Machine::start(move |io| async move {
        let folder = folder("/repo");
        let mut writer = ObjectWriter::begin(&io, &folder, Sync::Durable)
            .await
            .unwrap();
        let mut calls = 0;
        let mut on_part = |shown: ShownFilePart<'_>| {
            calls += 1;
            assert!(!matches!(shown, ShownFilePart::Bytes([])));
            match calls == stop_at {
                true => KeepDecision::Stop,
                false => KeepDecision::Continue,
            }
        };
        let kept = writer.keep_file("/repo/file", limit, &mut on_part).await;
        writer.end().await;
        (kept.unwrap(), calls)
    }))
}

#[test]
fn a_file_that_is_not_kept_leaves_nothing_behind() {
    let world = Memory::new();
    assert_eq!(keep_file(&world, 9, 0), (KeepOutcome::Gone, 0));
    let bytes = large(3);
    let size = bytes.len() as u64;
    world.put("/repo/file", &bytes);
    assert_eq!(
        keep_file(&world, size - 1, 0),
        (KeepOutcome::TooLarge(size), 0)
    );
    for stop_at in 1..=4 {
        let (kept, calls) = keep_file(&world, size, stop_at);
        assert_eq!((kept, calls), (KeepOutcome::Stopped, stop_at));
        assert_eq!(
            objects(&world),
            Vec::<String>::new(),
            "stopped at {stop_at}"
        );
    }
    let (kept, _) = keep_file(&world, size, 0);
    let content = KeptContent {
        size,
        sha256: sha256(&bytes),
    };
    assert_eq!(kept, KeepOutcome::Content(content));

    for (node, kind) in [
        (Node::dangling(), PathKind::Symlink),
        (Node::Folder, PathKind::Folder),
        (Node::Pipe, PathKind::Other),
    ] {
        world.delete("/repo/file");
        world.put_node("/repo/file", node);
        assert_eq!(keep_file(&world, 9, 0), (KeepOutcome::NoFile(kind), 0));
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_recorded_in_a_state_that_it_had() {
    let world = Memory::new();
    let (first, second) = (large(3), vec![1; 2 * PIECE_BYTES as usize]);
    let mut changed = 0;
    for change_at in 0..12 {
        world.put("/repo/file", &first);
        let mut machine = Machine::start(|io| async move {
            let folder = folder("/repo");
            let mut writer = ObjectWriter::begin(&io, &folder, Sync::Durable)
                .await
                .unwrap();
            let mut seen = Vec::new();
            let mut on_part = |shown: ShownFilePart<'_>| {
                if let ShownFilePart::Bytes(bytes) = shown {
                    seen.extend_from_slice(bytes);
                }
                KeepDecision::Continue
            };
            let kept = writer.keep_file("/repo/file", u64::MAX, &mut on_part).await;
            writer.end().await;
            (kept.unwrap(), seen)
        });
        let mut parts = 0;
        let (kept, seen) = loop {
            match machine.step().unwrap() {
                MachineStep::Done(done) => break done,
                MachineStep::Effect(effect) => {
                    if matches!(effect, Effect::Part { .. }) {
                        parts += 1;
                        if parts == change_at {
                            world.put("/repo/file", &second);
                        }
                    }
                    machine.resume(world.perform(&effect)).unwrap();
                }
            }
        };
        let KeepOutcome::Content(content) = kept else {
            assert_eq!(kept, KeepOutcome::Changed);
            changed += 1;
            continue;
        };
        assert!([&first, &second].contains(&&seen), "it was never so");
        assert_eq!(content.sha256, sha256(&seen));
        assert_eq!(read(&world, &content.sha256).unwrap(), seen);
    }
    // Before the second, third and last part.
    assert_eq!(changed, 3);
}

#[test]
fn a_damaged_object_is_refused() {
    let bytes = large(2);
    let contents: [&[u8]; 2] = [b"text", &bytes];
    let undamaged = Memory::new();
    made(&undamaged, "a", &contents).unwrap();
    for file in objects(&undamaged) {
        let path = format!("{OBJECTS}/{file}");
        let whole = undamaged.bytes(&path).unwrap();
        let damages = [
            None,
            Some(Vec::new()),
            Some(whole[..whole.len() / 2].to_vec()),
            Some(whole.iter().map(|it| it ^ 0x20).collect()),
        ];
        for damage in damages {
            let world = Memory::new();
            let kept = made(&world, "a", &contents).unwrap();
            world.delete(&path);
            if let Some(bytes) = &damage {
                world.put(&path, bytes);
            }
            let expected = match damage {
                None => ObjectFault::Missing,
                Some(_) => ObjectFault::Damaged,
            };
            let names: Vec<&str> = kept.iter().map(|it| it.sha256.as_str()).collect();
            let found = broken(&world, &names, Depth::Bytes);
            assert_eq!(found.len(), 1, "{file}");
            assert_eq!(found[0].1, expected, "{file}");
            assert_eq!(read(&world, &found[0].0), Err(expected));
            if damage.is_none() {
                assert_eq!(broken(&world, &names, Depth::Names), found);
            }
            // Nothing is left of a copy that cannot be whole.
            let name = found[0].0.clone();
            let copied = world.run(Machine::start(move |io| async move {
                let folder = folder("/repo");
                let reader = ContentReader::open(&io, &folder).await.unwrap();
                let to = "/repo/copy".to_owned();
                let (access, sync) = (Access::Shared, Sync::Durable);
                let copied = reader.copy_out(&name, to, "copy", access, sync).await;
                copied.unwrap().unwrap_err().lack
            }));
            assert_eq!(copied, expected);
            assert_eq!(world.bytes("/repo/copy"), None);
            // The next writer of the same content heals it.
            made(&world, "b", &contents).unwrap();
            assert_eq!(world.bytes(&path).as_ref(), Some(&whole), "{file}");
            assert_eq!(broken(&world, &names, Depth::Bytes), []);
        }
    }
}

#[test]
fn a_content_larger_than_its_reader_allows_is_refused() {
    let world = Memory::new();
    let kept = made(&world, "a", &[b"text", &large(2)]).unwrap();
    for content in kept {
        let limit = content.size as u32 - 1;
        let code = world.run(Machine::start(move |io| async move {
            let folder = folder("/repo");
            let reader = ContentReader::open(&io, &folder).await.unwrap();
            let refused = reader.read(&content.sha256, limit).await;
            refused.unwrap_err().code()
        }));
        assert_eq!(code, Code::TooLarge);
    }
}

#[test]
fn contents_are_refused_where_there_are_no_files() {
    let world = Memory::new();
    let code = world.run(Machine::start(|io| async move {
        let folder = folder("/repo").kept_in(Storage::Records);
        let refused = ObjectWriter::begin(&io, &folder, Sync::Durable).await;
        refused.unwrap_err().code()
    }));
    assert_eq!(code, Code::Usage);
    assert_eq!(objects(&world), Vec::<String>::new());
}

/// The source that waits for its host, and the one that is answered immediately, ask for the same.
#[test]
fn the_async_and_blocking_variants_keep_and_collect_alike() {
    use milepost::blocking;

    let bytes = large(2);
    let waiting = Memory::new();
    made(&waiting, "a", &[b"text", &bytes]).unwrap();
    let world = Rc::new(Memory::new());
    let host = Rc::clone(&world);
    let io = blocking::effect::Io::new(move |effect| host.perform(&effect));
    let folder =
        blocking::store::StoreFolder::new("/repo", Some("snapshots"), ".claude/state").unwrap();
    let durable = Sync::Durable;
    let mut writer = blocking::store::objects::ObjectWriter::begin(&io, &folder, durable).unwrap();
    let kept = [&b"text"[..], &bytes].map(|it| writer.keep_bytes(it).unwrap().sha256 + "\n");
    let documents = blocking::store::ImmutableDocuments::new(&io, &folder, ".yaml", durable);
    let stem = blocking::store::Stem::new("a".to_owned()).unwrap();
    let text = kept.concat();
    writer.publish(&documents, &stem, text.as_bytes()).unwrap();
    assert!(writer.ensure().unwrap().is_empty());
    writer.end();
    assert_eq!(*world.log.borrow(), *waiting.log.borrow());

    let act = blocking::store::objects::CollectAction::Remove;
    let none = |_: &mut blocking::store::objects::References| Ok(());
    let removed = blocking::store::objects::collect(&io, &folder, act, none).unwrap();
    assert_eq!(removed.removed.len(), 4);
    assert_eq!(objects(&world), Vec::<String>::new());
}

#[test]
fn no_object_is_written_or_read_behind_a_link() {
    let mut parts = vec!["/repo/snapshots".to_owned(), OBJECTS.to_owned()];
    parts.extend(["making", "trash"].map(|it| format!("{OBJECTS}/{it}")));
    parts.push(format!("{OBJECTS}/{}", &sha256(b"x")[..2]));
    for part in parts {
        let world = Memory::new();
        world.put_node(&part, Node::dangling());
        let error = made(&world, "a", &[b"x"]).unwrap_err();
        assert_eq!(error.code(), Code::UnsafePath, "{part}");
        let error = collected(&world, CollectAction::Remove).unwrap_err();
        assert_eq!(error.code(), Code::UnsafePath, "{part}");
    }
}

#[test]
fn a_large_file_takes_no_more_memory_than_a_few_pieces() {
    let root = tempfile::tempdir().unwrap();
    let host = root.path().to_str().unwrap().to_owned();
    let size = 64 * u64::from(PIECE_BYTES) + 5;
    let mut chance = fastrand::Rng::with_seed(9);
    let noise: Vec<u8> = (0..PIECE_BYTES).map(|_| chance.u8(..)).collect();
    let mut bytes = noise[7..].repeat(65);
    bytes.truncate(size as usize);
    let expected = sha256(&bytes);
    std::fs::write(root.path().join("file"), &bytes).unwrap();
    let run = Rc::new(host);
    let at = Rc::clone(&run);
    let machine = Machine::start(move |io| async move {
        let folder = folder(&at);
        let mut writer = ObjectWriter::begin(&io, &folder, Sync::Lazy).await.unwrap();
        let mut on_part = |_: ShownFilePart<'_>| KeepDecision::Continue;
        let file = format!("{at}/file");
        let kept = writer
            .keep_file(&file, u64::MAX, &mut on_part)
            .await
            .unwrap();
        let KeepOutcome::Content(content) = kept else {
            panic!("{kept:?}");
        };
        let documents = documents(&io, &folder);
        let text = content.sha256.clone();
        let published = writer
            .publish(&documents, &stem("a"), text.as_bytes())
            .await;
        published.unwrap();
        writer.end().await;
        let reader = ContentReader::open(&io, &folder).await.unwrap();
        let names = [content.sha256.as_str()];
        assert_eq!(reader.check(&names, Depth::Bytes).await.unwrap(), []);
        let to = format!("{at}/copy");
        let (access, sync) = (Access::Shared, Sync::Lazy);
        let copied = reader.copy_out(names[0], to, "copy", access, sync).await;
        assert_eq!(copied.unwrap(), Ok(content.size));
        content
    });
    let mut disk = Disk::new();
    let mut largest = 0;
    let content = machine.run(|effect| {
        disk.asked.clear();
        let asked = match &effect {
            Effect::Create { bytes, .. } | Effect::Append { bytes, .. } => bytes.len(),
            _ => 0,
        };
        let outcome = disk.perform(effect);
        let answered = match &outcome {
            Outcome::Bytes(bytes) => bytes.len(),
            _ => 0,
        };
        largest = largest.max(asked).max(answered);
        outcome
    });
    assert_eq!((content.size, &content.sha256), (size, &expected));
    assert!(largest <= PIECE_BYTES as usize + 2_048, "{largest}");
    let copy = std::fs::read(root.path().join("copy")).unwrap();
    assert!(copy == bytes, "the copy differs");
}
