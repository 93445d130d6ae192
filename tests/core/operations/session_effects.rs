//! Operations on snapshots that die at each of their effects, or at which the power is lost.

mod writers;

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use milepost::effect::{Effect, Fault, MachineStep, Outcome};
use milepost::json::{self, Json, Object};
use milepost::operation::request;
use milepost_disk::{Disk, Journal, Node, PowerLoss, failed};

const FOLDER: &str = "/r/.claude/checkpoints";

/// A disk, and the time and chance of a host.
#[derive(Clone)]
struct World {
    disk: Disk,
    now_ms: f64,
    chance: Rng,
}

/// A work tree, without the files of the product.
type Tree = BTreeMap<String, Node>;

impl World {
    fn new() -> Self {
        let mut world = World {
            disk: Disk::new(),
            now_ms: 0.0,
            chance: Rng::with_seed(7),
        };
        world.disk.put_node("/r", Node::Folder);
        world
    }

    fn perform(&mut self, effect: &Effect) -> Outcome {
        match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: 1_800_000_000_000.0 + self.now_ms,
                monotonic_ms: self.now_ms,
            },
            Effect::Random { length } => {
                Outcome::Bytes((0..*length).map(|_| self.chance.u8(..)).collect())
            }
            Effect::Wait { ms } => {
                // As on a busy machine, so that a dead writer's lock is outlasted in a few reads.
                self.now_ms += f64::from(*ms) + 300.0;
                Outcome::Done
            }
            effect => {
                let outcome = self.disk.perform(effect);
                outcome.unwrap_or(failed(Fault::Unsupported))
            }
        }
    }

    /// Asks, and dies before the effect of this number is done, or in the middle of it; the reply, where that
    /// comes first, and how many effects there were.
    fn ask_until(&mut self, at: usize, line: &str) -> (Option<Object>, usize) {
        let mut machine = request::start(line.as_bytes());
        let mut asked = 0;
        loop {
            let effect = match machine.step().unwrap() {
                MachineStep::Effect(effect) => effect,
                MachineStep::Done(reply) => match json::read(reply.as_bytes()).unwrap().value {
                    Json::Object(reply) => return (Some(reply), asked),
                    other => panic!("{other:?}"),
                },
            };
            if asked == at {
                if let Effect::Create { path, bytes, .. } = &effect {
                    let length = self.chance.usize(..=bytes.len());
                    self.disk.create_in_part(path, bytes, length);
                }
                return (None, asked);
            }
            asked += 1;
            let outcome = self.perform(&effect);
            machine.resume(outcome).unwrap();
        }
    }

    /// The value where nothing disturbs it.
    #[track_caller]
    fn ask(&mut self, operation: &str, rest: &str) -> Json {
        let line = line(operation, rest);
        let (reply, _) = self.ask_until(usize::MAX, &line);
        let reply = reply.unwrap();
        assert_eq!(
            reply.get("ok"),
            Some(&Json::Bool(true)),
            "{line}: {reply:?}"
        );
        reply.get("value").unwrap().clone()
    }

    #[track_caller]
    fn create(&mut self) -> String {
        id(&self.ask("create_session", r#","reason":"handoff""#))
    }

    /// Brings the files back; what undoes that.
    #[track_caller]
    fn restore(&mut self, id: &str) -> Option<String> {
        let restored = self.ask("restore_session", &restoring(id));
        assert_eq!(restored.at("/restored"), Some(&Json::Bool(true)));
        let undo = restored.at("/undo").and_then(Json::as_str);
        undo.map(str::to_owned)
    }

    fn phase(&mut self, status: &str) {
        let rest = format!(r#","command":"design","phase":"a","patch":{{"status":"{status}"}}"#);
        self.ask("update_phase", &rest);
    }

    fn status(&mut self) -> String {
        let loaded = self.ask("load", r#","command":"design""#);
        let text = loaded.at("/text").and_then(Json::as_str).unwrap();
        let document = json::read(text.as_bytes()).unwrap().value;
        let status = document.at("/phases/a/status").and_then(Json::as_str);
        status.unwrap().to_owned()
    }

    /// Folders count as well: an empty one that is left over would be seen.
    fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        let mut folders = vec!["/r".to_owned()];
        while let Some(folder) = folders.pop() {
            for name in self.disk.names(&folder) {
                let path = format!("{folder}/{name}");
                if path == "/r/.claude" {
                    continue;
                }
                let node = self.disk.node(&path).unwrap().clone();
                if node == Node::Folder {
                    folders.push(path.clone());
                }
                tree.insert(path, node);
            }
        }
        tree
    }

    /// The content of files and links.
    fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let tree = self.tree().into_iter();
        tree.map(|(path, node)| {
            let bytes = match node {
                Node::File(file) => file.bytes.clone(),
                Node::Symlink(target) => [b"-> ", &*target].concat(),
                Node::Folder => b"/".to_vec(),
                Node::Pipe => b"|".to_vec(),
            };
            (path, bytes)
        })
        .collect()
    }

    fn names(&self, below: &str) -> Vec<String> {
        let names = self.disk.names(&format!("{FOLDER}/{below}")).into_iter();
        names.map(|it| it.to_string()).collect()
    }

    /// One of the disks that a loss of power leaves.
    fn lose_power(&mut self, loss: PowerLoss) {
        let journal = self.disk.journal().unwrap();
        let nodes = Journal::loss(journal, loss, &mut self.chance);
        self.disk = Disk::after(nodes, &self.disk);
    }

    /// Every checkpoint can be read, and has all that it refers to.
    #[track_caller]
    fn assert_whole(&mut self, at: &str) -> BTreeSet<String> {
        let list = self.ask("list_sessions", r#","archived":true"#);
        let listed: BTreeSet<String> = list.as_array().unwrap().iter().map(id).collect();
        for one in &listed {
            let loaded = self.ask("load_session", &format!(r#","id":"{one}""#));
            let document = loaded.at("/document").unwrap();
            let files = document.at("/snapshot/files").and_then(Json::as_array);
            let files = files.unwrap_or_default().iter();
            let contents = files.filter_map(|file| file.at("/sha256"));
            for sha256 in contents.chain(document.at("/checkpoint/sha256")) {
                let sha256 = sha256.as_str().unwrap();
                let path = format!("{FOLDER}/objects/{}/{sha256}", &sha256[..2]);
                assert!(self.disk.bytes(&path).is_some(), "{at}: {one}: {sha256}");
            }
        }
        listed
    }

    /// An hour later, nothing is left of the process that died.
    #[track_caller]
    fn assert_tidy(&mut self, at: &str) {
        self.now_ms += 7_200_000.0;
        self.ask("clean_up_sessions", "");
        for below in [
            "objects/making",
            "objects/trash",
            ".milepost/restore",
            ".milepost/aside",
        ] {
            assert_eq!(self.names(below), Vec::<String>::new(), "{at}: {below}");
        }
    }
}

fn line(operation: &str, rest: &str) -> String {
    let place = r#"{"root":"/r","working":"/r","durability":"durable"}"#;
    format!(r#"{{"operation":"{operation}","place":{place}{rest}}}"#)
}

fn restoring(id: &str) -> String {
    format!(r#","id":"{id}","files":true"#)
}

fn id(value: &Json) -> String {
    value.at("/id").and_then(Json::as_str).unwrap().to_owned()
}

/// The ways in which one ends early.
#[derive(Clone, Copy, Debug)]
enum End {
    Death,
    LossOfPower(PowerLoss),
}

/// A loss of power at every second effect, names coming back in one way or the other.
fn ends(at: usize) -> Vec<End> {
    let loss = match at % 4 {
        0 => Some(End::LossOfPower(PowerLoss::InOrder)),
        2 => Some(End::LossOfPower(PowerLoss::Any)),
        _ => None,
    };
    [End::Death].into_iter().chain(loss).collect()
}

/// Asks for one thing, which ends at each of its effects; `look` is given each world that this leaves,
/// with the reply, where there was one.
fn at_each_effect(world: &World, line: &str, check: impl Fn(World, Option<Object>, &str)) -> usize {
    let mut settled = world.clone();
    settled.disk.settle();
    let (_, all) = settled.clone().ask_until(usize::MAX, line);
    for at in 0..=all {
        for end in ends(at) {
            let mut world = settled.clone();
            let (reply, _) = world.ask_until(at, line);
            if let End::LossOfPower(loss) = end {
                world.lose_power(loss);
            }
            check(world, reply, &format!("{end:?} at effect {at} of {all}"));
        }
    }
    all
}

/// A work tree that has become another one in every way since it was kept, with the id of what was kept.
fn changed() -> (World, String, BTreeMap<String, Vec<u8>>) {
    let mut world = World::new();
    world.phase("in_progress");
    world.disk.put("/r/both", "then");
    world.disk.put("/r/new/deep/one", "then");
    world.disk.put("/r/folder", "a file then");
    world
        .disk
        .put_node("/r/link", Node::Symlink(b"both".as_slice().into()));
    let id = world.create();
    let then = world.contents();
    world.phase("complete");
    world.disk.put("/r/both", "now");
    for gone in [
        "/r/new/deep/one",
        "/r/new/deep",
        "/r/new",
        "/r/folder",
        "/r/link",
    ] {
        world.disk.remove(gone);
    }
    world.disk.put("/r/folder/in", "now");
    world.disk.put("/r/link", "a file now");
    world.disk.put("/r/later/one", "now");
    (world, id, then)
}

#[test]
fn a_restore_that_ends_at_any_effect_is_finished_by_the_same_command_and_undone() {
    let _run = milepost_property::run(
        "a restore that ends at any effect is finished by the same command and undone",
    );
    let (mut world, restored, then) = changed();
    let now = world.contents();
    let was = world.status();
    let line = line("restore_session", &restoring(&restored));
    let all = at_each_effect(&world, &line, |mut ended, reply, at| {
        // Each path is in the state before or after.
        for (path, bytes) in ended.contents() {
            let known = [then.get(&path), now.get(&path)];
            let is_known = known.contains(&Some(&bytes)) || bytes == b"/";
            assert!(is_known, "{at}: {path} is torn");
        }
        let mut undone = ended.clone();
        let first = reply.map(|reply| reply.get("value").unwrap().at("/undo").cloned());
        let first = first.and_then(|it| it?.as_str().map(str::to_owned));
        let begun = begun_with(&undone, &restored)
            .or(first)
            .or_else(|| undo(&mut undone, &restored));
        // The record of its beginning brings back what was there, where it began.
        if let Some(undo) = &begun {
            undone.restore(undo);
        }
        assert_eq!(undone.contents(), now, "{at}: not undone by {begun:?}");
        assert_eq!(
            begun_with(&undone, &restored),
            None,
            "{at}: it has not ended"
        );
        assert_eq!(undone.status(), was, "{at}: not undone by {begun:?}");

        let again = ended.restore(&restored);
        assert_eq!(ended.contents(), then, "{at}: not finished");
        assert_eq!(ended.status(), "in_progress", "{at}");
        let undo = begun.or(again).unwrap();
        ended.restore(&undo);
        assert_eq!(
            ended.contents(),
            now,
            "{at}: not undone after it was finished"
        );
        assert_eq!(ended.status(), was, "{at}");
        ended.assert_whole(at);
        ended.assert_tidy(at);
    });
    assert!(all > 100, "{all}");
}

/// The restore of what was there before, where the restore had ended before its answer.
fn undo(world: &mut World, restored: &str) -> Option<String> {
    let list = world.ask("list_sessions", "");
    let ids = list.as_array().unwrap().iter().map(id);
    ids.filter(|it| it.as_str() > restored).max()
}

/// The register's record of the beginning of a restore.
fn begun_with(world: &World, id: &str) -> Option<String> {
    let register = world.disk.bytes(&format!("{FOLDER}/register.json"))?;
    let register = json::read(register).unwrap().value;
    let lines = register.at("/restoring").and_then(Json::as_array)?;
    let line = lines.iter().find(|line| self::id(line) == id)?;
    line.at("/undo").and_then(Json::as_str).map(str::to_owned)
}

#[test]
fn a_creation_that_ends_at_any_effect_leaves_no_half_snapshot_and_gives_no_id_twice() {
    let _run = milepost_property::run(
        "a creation that ends at any effect leaves no half snapshot and gives no id twice",
    );
    let (mut world, first, _) = changed();
    let second = world.create();
    let line = line("create_session", r#","reason":"error""#);
    let all = at_each_effect(&world, &line, |mut ended, reply, at| {
        let before = ended.assert_whole(at);
        let acknowledged = reply.map(|reply| id(reply.get("value").unwrap()));
        for one in [Some(&first), Some(&second), acknowledged.as_ref()] {
            let is_there = one.is_none_or(|one| before.contains(one));
            assert!(is_there, "{at}: {one:?} is lost of {before:?}");
        }
        let next = ended.create();
        assert!(!before.contains(&next), "{at}: {next} was given twice");
        let after = ended.assert_whole(at);
        assert_eq!(after.len(), before.len() + 1, "{at}");
        ended.assert_tidy(at);
    });
    assert!(all > 60, "{all}");
}

#[test]
fn a_cleanup_that_ends_at_any_effect_loses_no_content_and_gives_no_removed_id_again() {
    let _run = milepost_property::run(
        "a cleanup that ends at any effect loses no content and gives no removed id again",
    );
    let (mut world, ..) = changed();
    for number in 0..3 {
        world.disk.put("/r/both", format!("{number}"));
        world.create();
    }
    // An object that is not needed any more is there as well.
    let settings = r#"{"sessions":{"keep":2}}"#;
    world
        .disk
        .put("/r/.claude/config/integrations.json", settings);
    let line = line("clean_up_sessions", "");
    let all = at_each_effect(&world, &line, |mut ended, _, at| {
        let before = ended.assert_whole(at);
        assert!(before.len() >= 2, "{at}: {before:?}");
        let next = ended.create();
        assert!(before.iter().all(|one| *one < next), "{at}: {next}");
        ended.ask("clean_up_sessions", "");
        let after = ended.assert_whole(at);
        assert_eq!(after.len(), 2, "{at}: {after:?}");
        assert!(after.contains(&next), "{at}");
        ended.assert_tidy(at);
    });
    assert!(all > 50, "{all}");
}
