//! Programs that are at work while files are restored, and while that is undone.
//!
//! A file is saved, or a hook of an agent records what it did, before each effect in turn.

use std::collections::BTreeMap;
use std::fmt;

use milepost::digest::sha256;
use milepost::effect::{Effect, MachineStep};
use milepost::json::{self, Json, Object};
use milepost::operation::request;
use milepost_disk::Node;

use super::{FOLDER, World, begun_with, changed, line, restoring};

/// The files that a restore replaces, deletes or makes, and what becomes a folder or was one.
const PATHS: [&str; 5] = [
    "/r/both",
    "/r/later/one",
    "/r/link",
    "/r/folder/in",
    "/r/new/deep/one",
];

/// A way in which a program saves a file, and its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Save {
    InPlace(&'static str),
    AsAnotherFile(&'static str),
}

/// As long as most of what stands there, so that the size does not tell, and longer.
const SAVES: [Save; 2] = [Save::InPlace("own"), Save::AsAnotherFile("longer")];

impl Save {
    fn bytes(self) -> &'static [u8] {
        let (Save::InPlace(text) | Save::AsAnotherFile(text)) = self;
        text.as_bytes()
    }

    /// Saves a file; `false` where a file or a link stands in the place of a folder, or a folder in its own.
    fn perform(self, world: &mut World, path: &str) -> bool {
        let disk = &mut world.disk;
        let mut above = path.match_indices('/').skip(1).map(|(at, _)| &path[..at]);
        let is_blocked = |it: &str| disk.node(it).is_some_and(|node| *node != Node::Folder);
        if above.any(is_blocked) || disk.node(path) == Some(&Node::Folder) {
            return false;
        }
        let is_file = disk.bytes(path).is_some();
        match self {
            Save::InPlace(text) if is_file => disk.write_in_place(path, text),
            Save::InPlace(text) | Save::AsAnotherFile(text) => disk.put(path, text),
        }
        true
    }
}

/// Asks, and does something before the effect of each number; the reply, and how many effects there were.
fn ask_while(
    world: &mut World,
    line: &str,
    does: &mut dyn FnMut(&mut World, usize, &Effect),
) -> (Object, usize) {
    let mut machine = request::start(line.as_bytes());
    let mut asked = 0;
    loop {
        let effect = match machine.step().unwrap() {
            MachineStep::Effect(effect) => effect,
            MachineStep::Done(reply) => match json::read(reply.as_bytes()).unwrap().value {
                Json::Object(reply) => return (reply, asked),
                other => panic!("{other:?}"),
            },
        };
        does(world, asked, &effect);
        asked += 1;
        let outcome = world.perform(&effect);
        machine.resume(outcome).unwrap();
    }
}

/// The number of effects where nothing else happens.
fn effects(world: &World, line: &str) -> usize {
    let (_, all) = ask_while(&mut world.clone(), line, &mut |_, _, _| {});
    all
}

/// The message of a failed reply; empty for any other.
fn message(reply: &Object) -> String {
    let error = reply.get("error").and_then(|it| it.at("/message"));
    error.and_then(Json::as_str).unwrap_or_default().to_owned()
}

fn is_ok(reply: &Object) -> bool {
    reply.get("ok") == Some(&Json::Bool(true))
}

/// Returns whether a restore stopped before a file that was changed.
fn has_stopped(reply: &Object) -> bool {
    let code = reply.get("error").and_then(|it| it.at("/code"));
    let is_conflict = code.and_then(Json::as_str) == Some("conflict");
    is_conflict && message(reply).contains(" was changed after ")
}

/// Returns whether some bytes are in a file, or kept by a checkpoint, or aside where a text names them.
fn is_kept(world: &World, bytes: &[u8], said: &str) -> bool {
    let name = sha256(bytes);
    let object = format!("{FOLDER}/objects/{}/{name}", &name[..2]);
    let has_object = world.disk.bytes(&object).is_some();
    world.disk.files().any(|(path, found)| {
        let below = path.trim_start_matches("/r/");
        if !below.starts_with(".claude/") {
            return found == bytes;
        }
        let text = std::str::from_utf8(found).unwrap_or_default();
        let is_referred = has_object && path.ends_with(".yaml") && text.contains(&name);
        let is_aside = below.contains("/.milepost/aside/") && found == bytes;
        is_referred || is_aside && said.contains(below)
    })
}

/// Every path on the disk, where no message has to name what is aside.
fn all_paths(world: &World) -> String {
    let paths = world.disk.files().map(|(path, _)| path);
    paths.collect::<Vec<&str>>().join("\n")
}

/// Everything that the files held is kept.
#[track_caller]
fn assert_kept(world: &World, contents: &BTreeMap<String, Vec<u8>>, said: &str, at: &str) {
    // Not folders and links.
    let is_file = |bytes: &&Vec<u8>| bytes.as_slice() != b"/" && !bytes.starts_with(b"-> ");
    for bytes in contents.values().filter(is_file) {
        let text = String::from_utf8_lossy(bytes);
        assert!(is_kept(world, bytes, said), "{at}: {text:?} is nowhere");
    }
}

/// The number of times that each outcome was reached.
#[derive(Debug, Default)]
struct Counts {
    saved: usize,
    stopped: usize,
}

/// One save at one effect of the restore of one checkpoint.
struct Case<'a> {
    /// Before the restore.
    world: &'a World,
    id: &'a str,
    line: &'a str,
    path: &'a str,
    save: Save,
    at: usize,
}

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { save, path, at, .. } = self;
        write!(f, "{save:?} of {path} at effect {at}")
    }
}

impl Case<'_> {
    fn check(&self, counts: &mut Counts) {
        let mut world = self.world.clone();
        let mut was_saved = false;
        let (reply, _) = ask_while(&mut world, self.line, &mut |world, asked, _| {
            if asked == self.at {
                was_saved = self.save.perform(world, self.path);
            }
        });
        if !was_saved {
            return;
        }
        counts.saved += 1;
        let said = message(&reply);
        let is_there = is_kept(&world, self.save.bytes(), &said);
        assert!(is_there, "{self}: it is nowhere; {said}");
        // The bytes that the save itself has replaced may be gone.
        let mut contents = self.world.contents();
        contents.remove(self.path);
        assert_kept(&world, &contents, &said, &self.to_string());
        if has_stopped(&reply) {
            counts.stopped += 1;
            self.check_stopped(&world, &said);
        }
    }

    /// The undo brings back all that was there with what was saved since, and the same restore again finishes.
    fn check_stopped(&self, world: &World, said: &str) {
        let undo = begun_with(world, self.id);
        let undo = undo.unwrap_or_else(|| panic!("{self}: there is no undo; {said}"));
        assert!(said.contains(&undo), "{self}: {undo} is not named; {said}");
        let mut expected = self.world.clone();
        self.save.perform(&mut expected, self.path);
        let expected = expected.contents();
        let mut undone = world.clone();
        undone.restore(&undo);
        assert_eq!(undone.contents(), expected, "{self}: not undone; {said}");

        let mut finished = world.clone();
        let last = finished.restore(self.id);
        assert_eq!(last.as_ref(), Some(&undo), "{self}: it has another undo");
        let is_there = is_kept(&finished, self.save.bytes(), said);
        assert!(is_there, "{self}: it is nowhere once it was finished");
        finished.restore(&undo);
        let after = finished.contents();
        assert_eq!(after, expected, "{self}: not undone once it was finished");
    }
}

/// Has each file saved at the effects of the restore of a checkpoint, in each way.
fn save_at_each_effect(world: &World, id: &str) -> Counts {
    let stride = milepost_property::rounds(3, 1);
    let line = line("restore_session", &restoring(id));
    let mut world = world.clone();
    world.disk.settle();
    let all = effects(&world, &line);
    let mut counts = Counts::default();
    for (number, path) in PATHS.into_iter().enumerate() {
        for save in SAVES {
            // Together they come to every effect.
            for at in (number % stride..all).step_by(stride) {
                let case = Case {
                    world: &world,
                    id,
                    line: &line,
                    path,
                    save,
                    at,
                };
                case.check(&mut counts);
            }
        }
    }
    counts
}

#[test]
fn saves_at_any_effect_of_a_restore_are_in_the_file_the_undo_or_aside() {
    let _run = milepost_property::run(
        "what is saved at any effect of a restore is in the file the undo or aside",
    );
    let (world, id, _) = changed();
    let counts = save_at_each_effect(&world, &id);
    assert!(counts.saved > 300 && counts.stopped > 30, "{counts:?}");
}

#[test]
fn saves_at_any_effect_of_an_undo_are_in_the_file_its_own_undo_or_aside() {
    let _run = milepost_property::run(
        "what is saved at any effect of an undo is in the file its own undo or aside",
    );
    let (mut world, id, _) = changed();
    let undo = world.restore(&id).unwrap();
    let counts = save_at_each_effect(&world, &undo);
    assert!(counts.saved > 300 && counts.stopped > 30, "{counts:?}");
}

#[test]
fn a_file_that_is_saved_twice_at_its_step_is_kept_aside_and_named() {
    let (world, id, _) = changed();
    let line = line("restore_session", &restoring(&id));
    let mut kept_aside = 0;
    for at in 0..effects(&world, &line) {
        let mut world = world.clone();
        let (reply, _) = ask_while(&mut world, &line, &mut |world, asked, effect| {
            // While it is aside, and compared there.
            let is_compared = world.disk.node("/r/both").is_none()
                && matches!(effect, Effect::Part { path, .. } if path.contains("/.milepost/aside/"));
            if asked == at {
                Save::InPlace("own").perform(world, "/r/both");
            } else if is_compared {
                Save::AsAnotherFile("again").perform(world, "/r/both");
            }
        });
        let said = message(&reply);
        assert!(
            is_kept(&world, b"own", &said),
            "{at}: it is nowhere; {said}"
        );
        kept_aside += usize::from(said.contains("/.milepost/aside/"));
    }
    assert!(kept_aside > 0, "nothing was kept aside");
}

#[test]
fn saves_before_a_death_are_in_the_file_the_undo_or_aside() {
    /// So many effects after the save.
    const SOON: usize = 5;
    let _run =
        milepost_property::run("what is saved before a death is in the file the undo or aside");
    let (world, id, _) = changed();
    let line = line("restore_session", &restoring(&id));
    let all = effects(&world, &line);
    for save in SAVES {
        for at in (0..all).step_by(milepost_property::rounds(3, 1)) {
            let mut ended = world.clone();
            let mut machine = request::start(line.as_bytes());
            let mut was_saved = false;
            for asked in 0..at + SOON {
                let MachineStep::Effect(effect) = machine.step().unwrap() else {
                    break;
                };
                if asked == at {
                    was_saved = save.perform(&mut ended, "/r/both");
                }
                let outcome = ended.perform(&effect);
                machine.resume(outcome).unwrap();
            }
            assert!(was_saved, "{at}: it can be saved at any time");
            ended.restore(&id);
            let is_there = is_kept(&ended, save.bytes(), &all_paths(&ended));
            assert!(is_there, "{save:?} at {at}: it is nowhere");
            assert_kept(
                &ended,
                &world.contents(),
                &all_paths(&ended),
                &format!("{at}"),
            );
        }
    }
}

#[test]
fn records_of_a_hook_at_any_effect_of_a_restore_are_kept() {
    let _run = milepost_property::run("what a hook records at any effect of a restore is not lost");
    let (world, id, then) = changed();
    let restore = line("restore_session", &restoring(&id));
    let recorded = r#","command":"design","phase":"hook","patch":{"status":"complete"}"#;
    for at in (0..effects(&world, &restore)).step_by(milepost_property::rounds(7, 2)) {
        let context = format!("effect {at}");
        let mut world = world.clone();
        let mut made = String::new();
        let (reply, _) = ask_while(&mut world, &restore, &mut |world, asked, _| {
            if asked == at {
                world.ask("update_phase", recorded);
                made = world.create();
            }
        });
        let listed = world.assert_whole(&context);
        assert!(listed.contains(&made), "{context}: {made} is lost");
        if !is_ok(&reply) {
            world.restore(&id);
        }
        // In the present revision, or in one before it.
        let log = world.ask("log", r#","command":"design""#).to_line();
        let loaded = world.ask("load", r#","command":"design""#).to_line();
        let is_there = log.contains("hook") || loaded.contains("hook");
        assert!(is_there, "{context}: the phase is lost");
        let said = message(&reply);
        assert_eq!(world.contents(), then, "{context}: not restored; {said}");
        world.assert_tidy(&context);
    }
}
