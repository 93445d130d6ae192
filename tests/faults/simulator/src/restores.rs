//! A restore of files, and its undo, while a program saves one of them, with a death soon after.
//!
//! The save comes before each effect in turn. Then what was saved, and all that stood there before, is in a file, kept
//! by a checkpoint, or aside where the failure names it; the same request again finishes what was begun.

use std::collections::BTreeMap;
use std::fmt;

use milepost::digest::sha256;
use milepost::effect::{Effect, MachineStep};
use milepost::json::{self, Json};
use milepost::operation::request;
use milepost_disk::{Disk, Node};

use crate::Violation;
use crate::calm::Calm;
use crate::job::ROOT;
use crate::reply::{answer, id, in_peace};
use crate::sabotage::Sabotaged;

const FOLDER: &str = "/r/.claude/checkpoints";
const ASIDE: &str = "/r/.claude/checkpoints/.milepost/aside/";

/// So many effects after a save a process dies at the latest.
const SOON: usize = 12;

/// A file, and what it holds: where the checkpoint is made, before the restore, and once a program has saved it. All of
/// it is of one length, so that no size distinguishes one from another.
#[derive(Clone, Copy, Debug)]
struct File {
    path: &'static str,
    then: Option<&'static str>,
    now: Option<&'static str>,
    saved: &'static str,
}

/// Files that are replaced, deleted and made.
const FILES: [File; 4] = [
    File {
        path: "/r/a",
        then: Some("old a\n"),
        now: Some("new a\n"),
        saved: "own a\n",
    },
    File {
        path: "/r/deep/b",
        then: None,
        now: Some("new b\n"),
        saved: "own b\n",
    },
    File {
        path: "/r/deep/c",
        then: Some("old c\n"),
        now: None,
        saved: "own c\n",
    },
    File {
        path: "/r/e",
        then: Some("old e\n"),
        now: Some("new e\n"),
        saved: "own e\n",
    },
];

/// Paths with other permission bits by now, on a disk with modes: those where the checkpoint is made, and those before
/// the restore.
const MODES: [(&str, u32, u32); 4] = [
    ("/r/a", 0o600, 0o644),
    ("/r/deep", 0o700, 0o755),
    ("/r/deep/c", 0o640, 0o640),
    ("/r/e", 0o644, 0o600),
];

/// The request, and where it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// A restore.
    Restore,
    /// Its undo.
    Undo,
    /// A restore where a file has one name only.
    RestoreWithoutLinks,
    /// A restore on a disk with modes.
    RestoreWithModes,
}

impl Case {
    /// All of them.
    pub const ALL: [Case; 4] = [
        Case::Restore,
        Case::Undo,
        Case::RestoreWithoutLinks,
        Case::RestoreWithModes,
    ];
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a save during a restore: {self:?}")
    }
}

/// The amount that was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Effects of the request.
    pub effects: usize,
    /// Saves, each at an effect of its own run.
    pub saves: usize,
    /// Deaths, with a save before them or without.
    pub deaths: usize,
}

/// Runs a case with a save at every effect, and with deaths: of every `stride` one, and each file in turn or, with 1,
/// each file at each effect.
///
/// # Errors
///
/// The first violation.
pub fn look(case: Case, stride: usize) -> Result<Looked, Violation> {
    let violation = |at: &str, what| Violation {
        origin: format!("{case}{at}"),
        what,
    };
    let start = Start::new(case).map_err(|what| violation("", what))?;
    let all = start
        .run(Plan::default())
        .map_err(|what| violation("", what))?;
    let mut looked = Looked {
        effects: all.effects,
        ..Looked::default()
    };
    for at in 0..=all.effects {
        let dies = Plan {
            dies: Some(at),
            ..Plan::default()
        };
        let checked = start.check(dies, &mut looked);
        checked.map_err(|what| violation(&format!(", death at {at}"), what))?;
        for (number, file) in FILES.into_iter().enumerate() {
            if stride > 1 && at % FILES.len() != number {
                continue;
            }
            let deaths = (1..=SOON).step_by(stride).map(|it| Some(at + it));
            for dies in [None].into_iter().chain(deaths) {
                let plan = Plan {
                    save: Some((at, file)),
                    dies,
                };
                let checked = start.check(plan, &mut looked);
                let place = match dies {
                    None => format!(", save of {} at {at}", file.path),
                    Some(dies) => format!(", save of {} at {at}, death at {dies}", file.path),
                };
                checked.map_err(|what| violation(&place, what))?;
            }
        }
    }
    Ok(looked)
}

/// The events of a run besides the request.
#[derive(Clone, Copy, Debug, Default)]
struct Plan {
    save: Option<(usize, File)>,
    dies: Option<usize>,
}

/// The state that a request left.
struct Ran {
    disk: Disk,
    /// Nothing where the process died.
    reply: Option<String>,
    effects: usize,
    /// True if the file was saved, and not in the moment that a disk without second names leaves open.
    is_saved: bool,
}

type Tree = BTreeMap<String, Vec<u8>>;

type Modes = BTreeMap<String, u32>;

/// A work tree that has become another one since it was kept.
struct Start {
    disk: Disk,
    request: String,
    before: Tree,
    after: Tree,
    /// The permission bits of both.
    modes: [Modes; 2],
}

impl Start {
    fn new(case: Case) -> Result<Self, String> {
        let mut disk = match case {
            Case::RestoreWithoutLinks => Disk::new().without_links(),
            Case::RestoreWithModes => Disk::new().with_modes(),
            Case::Restore | Case::Undo => Disk::new(),
        };
        disk.put_node("/r/deep", Node::Folder);
        for file in FILES {
            set(&mut disk, file.path, file.then);
        }
        for (path, then, _) in MODES {
            disk.set_mode(path, then);
        }
        let modes_then = modes(&disk);
        let made = in_peace(
            &mut disk,
            &line("create_session", r#","reason":"handoff""#),
            11,
        )?;
        let mut restored = id(&made).ok_or("a checkpoint was made without an id")?;
        let then = tree(&disk);
        for file in FILES {
            set(&mut disk, file.path, file.now);
        }
        for (path, _, now) in MODES {
            disk.set_mode(path, now);
        }
        let mut modes = [modes(&disk), modes_then];
        let mut trees = [tree(&disk), then];
        if case == Case::Undo {
            let done = in_peace(&mut disk, &restoring(&restored), 12)?;
            restored = undo_in(&done).ok_or("a restore was done without an undo")?;
            trees.reverse();
            modes.reverse();
        }
        let [before, after] = trees;
        Ok(Start {
            disk,
            request: restoring(&restored),
            before,
            after,
            modes,
        })
    }

    fn run(&self, plan: Plan) -> Result<Ran, String> {
        run(&self.disk, &self.request, plan, 21)
    }

    fn check(&self, plan: Plan, looked: &mut Looked) -> Result<(), String> {
        let ran = self.run(plan)?;
        let saved = match plan.save {
            None => None,
            Some((_, file)) if ran.is_saved => Some(file),
            // There was no place for it, or it is not promised.
            Some(_) => return Ok(()),
        };
        looked.saves += usize::from(saved.is_some());
        match &ran.reply {
            Some(reply) => self.check_reply(&ran.disk, reply, saved),
            None => {
                looked.deaths += 1;
                self.check_death(&ran.disk, saved)
            }
        }
    }

    /// Everything that was in a file is kept, but for what the program itself has replaced.
    fn check_kept(&self, disk: &Disk, saved: Option<File>, said: &str) -> Result<(), String> {
        let others = self.before.iter();
        let others = others.filter(|(path, _)| saved.is_none_or(|it| it.path != path.as_str()));
        let contents = others.map(|(_, bytes)| bytes.as_slice());
        let saved = saved.map(|it| it.saved.as_bytes());
        for bytes in contents.chain(saved) {
            if !is_kept(disk, bytes, said) {
                let text = String::from_utf8_lossy(bytes);
                return Err(format!("{text:?} is nowhere; {said}"));
            }
        }
        Ok(())
    }

    /// It came to its end.
    fn check_reply(&self, disk: &Disk, reply: &str, saved: Option<File>) -> Result<(), String> {
        if answer(reply).is_some() {
            return self.check_kept(disk, saved, "");
        }
        let said = message(reply);
        if saved.is_none() || !said.contains(" was changed after ") {
            return Err(format!("it failed: {reply}"));
        }
        self.check_kept(disk, saved, &said)?;
        self.finish(disk, saved)
    }

    /// It died.
    fn check_death(&self, disk: &Disk, saved: Option<File>) -> Result<(), String> {
        self.check_kept(disk, saved, &paths(disk))?;
        self.finish(disk, saved)?;
        let mut examined = disk.clone();
        in_peace(&mut examined, &line("doctor", r#","fix":true"#), 31)?;
        self.check_kept(&examined, saved, &paths(&examined))?;
        for file in FILES {
            let contents = [file.then, file.now, Some(file.saved)];
            let mut contents = contents.into_iter().flatten().map(str::as_bytes);
            let is_aside = contents.any(|it| is_aside(&examined, it));
            if is_aside && examined.node(file.path).is_none() {
                return Err(format!("{} was not put back by an examination", file.path));
            }
        }
        Ok(())
    }

    /// Checks that the request made again does all of it; where nothing else has happened, its undo takes all of it
    /// back.
    fn finish(&self, disk: &Disk, saved: Option<File>) -> Result<(), String> {
        let again = run(disk, &self.request, Plan::default(), 41)?;
        let reply = again.reply.unwrap_or_default();
        let done = answer(&reply).ok_or_else(|| format!("it is not finished: {reply}"))?;
        if tree(&again.disk) != self.after {
            return Err(format!("it was finished as {:?}", tree(&again.disk)));
        }
        let [before, after] = &self.modes;
        if modes(&again.disk) != *after {
            return Err(format!("its modes are {:?}", modes(&again.disk)));
        }
        self.check_kept(&again.disk, saved, &paths(&again.disk))?;
        let undo = undo_in(&done).filter(|_| saved.is_none());
        if let Some(undo) = undo {
            let mut undone = again.disk;
            in_peace(&mut undone, &restoring(&undo), 42)?;
            if tree(&undone) != self.before {
                return Err(format!("it was undone as {:?}", tree(&undone)));
            }
            if modes(&undone) != *before {
                return Err(format!("undone, its modes are {:?}", modes(&undone)));
            }
        }
        Ok(())
    }
}

/// Asks on a copy of a disk.
fn run(disk: &Disk, line: &str, plan: Plan, seed: u64) -> Result<Ran, String> {
    let mut ran = Ran {
        disk: disk.clone(),
        reply: None,
        effects: 0,
        is_saved: false,
    };
    let mut calm = Calm::new(seed);
    let mut machine = Sabotaged::new(request::start(line.as_bytes()));
    loop {
        let effect = match machine.step().map_err(|misuse| format!("{misuse:?}"))? {
            MachineStep::Effect(effect) => effect,
            MachineStep::Done(reply) => {
                ran.reply = Some(reply);
                return Ok(ran);
            }
        };
        if let Some((at, file)) = plan.save
            && at == ran.effects
        {
            ran.is_saved = save(&mut ran.disk, file) && !replaces(&effect, file.path);
        }
        if plan.dies == Some(ran.effects) {
            if let Effect::Create { path, bytes, .. } = &effect {
                ran.disk.create_in_part(path, bytes, bytes.len() / 2);
            }
            return Ok(ran);
        }
        ran.effects += 1;
        let outcome = calm.perform(&mut ran.disk, &effect);
        machine
            .resume(outcome)
            .map_err(|misuse| format!("{misuse:?}"))?;
    }
}

/// Returns whether an effect replaces what stands at a path: none does where a file can have a second name.
fn replaces(effect: &Effect, path: &str) -> bool {
    matches!(effect, Effect::Rename { to, .. } if to == path)
}

/// Saves a file in place, as most programs do, or makes it; `false` where its folder is gone.
fn save(disk: &mut Disk, file: File) -> bool {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    if disk.node(folder) != Some(&Node::Folder) {
        return false;
    }
    match disk.bytes(file.path).is_some() {
        true => disk.write_in_place(file.path, file.saved),
        false => disk.put(file.path, file.saved),
    }
    true
}

fn set(disk: &mut Disk, path: &str, text: Option<&str>) {
    match text {
        Some(text) => disk.put(path, text),
        None => drop(disk.remove(path)),
    }
}

/// The files in the work tree.
fn tree(disk: &Disk) -> Tree {
    let files = disk.files().filter(|(path, _)| is_of_project(path));
    files
        .map(|(path, bytes)| (path.to_owned(), bytes.to_vec()))
        .collect()
}

/// The permission bits in the work tree; nothing on a disk without modes.
fn modes(disk: &Disk) -> Modes {
    let files = disk.files().map(|(path, _)| path);
    let paths = files.filter(|path| is_of_project(path)).chain(["/r/deep"]);
    paths
        .filter_map(|path| Some((path.to_owned(), disk.mode(path)?)))
        .collect()
}

fn is_of_project(path: &str) -> bool {
    !path.starts_with("/r/.claude/")
}

/// Returns whether some bytes are in a file, or kept by a checkpoint, or aside where a text names them.
fn is_kept(disk: &Disk, bytes: &[u8], said: &str) -> bool {
    let name = sha256(bytes);
    let object = format!("{FOLDER}/objects/{}/{name}", &name[..2]);
    let has_object = disk.bytes(&object).is_some();
    disk.files().any(|(path, found)| {
        if is_of_project(path) {
            return found == bytes;
        }
        let text = std::str::from_utf8(found).unwrap_or_default();
        let is_referred = has_object && path.ends_with(".yaml") && text.contains(&name);
        let below = path.strip_prefix("/r/").unwrap_or(path);
        is_referred || path.starts_with(ASIDE) && found == bytes && said.contains(below)
    })
}

fn is_aside(disk: &Disk, bytes: &[u8]) -> bool {
    let mut files = disk.files();
    files.any(|(path, found)| path.starts_with(ASIDE) && found == bytes)
}

/// Every path, where no failure has to name what is aside.
fn paths(disk: &Disk) -> String {
    let paths: Vec<&str> = disk.files().map(|(path, _)| path).collect();
    paths.join("\n")
}

/// The message of a failure.
fn message(reply: &str) -> String {
    let reply = json::read(reply.as_bytes()).map(|it| it.value);
    let message = reply.ok().and_then(|it| it.at("/error/message").cloned());
    let message = message.as_ref().and_then(Json::as_str);
    message.unwrap_or_default().to_owned()
}

fn undo_in(value: &Json) -> Option<String> {
    value.at("/undo").and_then(Json::as_str).map(str::to_owned)
}

fn restoring(id: &str) -> String {
    line("restore_session", &format!(r#","id":"{id}","files":true"#))
}

fn line(operation: &str, rest: &str) -> String {
    format!(
        r#"{{"operation":"{operation}","place":{{"root":"{ROOT}","working":"{ROOT}","durability":"durable"}}{rest}}}"#
    )
}
