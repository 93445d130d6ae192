//! Snapshots of many writers, cleaners, archivers and restores side by side.
//!
//! Regardless of what dies or fails: no id is given twice; what was acknowledged is there in the end, or
//! its removal is in the register; what was pinned is there; and all that is listed can be read, with
//! every content that it refers to.

mod quiet;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use fastrand::Rng;
use milepost::effect::{Effect, Machine, Sync};
use milepost::operation::request;
use milepost_disk::{Disk, Node};

use self::quiet::Quiet;
use crate::drive::{
    Begun, Chances, Kind, Pace, Run, Seeded, World, any_durability, one_in, settled,
};
use crate::job::ROOT;
use crate::reply::{answer, id};
use crate::sabotage::Sabotaged;
use crate::trace::Trace;

const FOLDER: &str = "/r/.claude/checkpoints";
const FILES: [&str; 3] = ["/r/a.txt", "/r/b.txt", "/r/deep/c.txt"];

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Task {
    /// With the files that differ from HEAD, or without.
    Create(bool),
    CleanUp,
    Archive(Option<String>),
    Pin(String),
    /// With its files, or the text alone.
    Restore(bool),
    List,
    /// Of the run that the others are made of.
    Phase(u32),
}

impl Task {
    fn request(&self, durability: &str) -> String {
        let (operation, rest) = match self {
            Task::Create(files) => {
                let rest = format!(r#","reason":"handoff","files":{files}"#);
                ("create_session", rest)
            }
            Task::CleanUp => ("clean_up_sessions", String::new()),
            Task::Archive(None) => ("archive_sessions", String::new()),
            Task::Archive(Some(id)) => ("archive_sessions", format!(r#","id":"{id}""#)),
            Task::Pin(id) => ("pin_session", format!(r#","id":"{id}""#)),
            Task::Restore(files) => {
                let rest = format!(r#","latest":true,"files":{files},"force":{files}"#);
                ("restore_session", rest)
            }
            Task::List => ("list_sessions", r#","archived":true"#.to_owned()),
            Task::Phase(number) => (
                "update_phase",
                format!(
                    r#","command":"design","phase":"p{number}","patch":{{"status":"complete"}}"#
                ),
            ),
        };
        format!(
            r#"{{"operation":"{operation}","place":{{"root":"{ROOT}","working":"{ROOT}","durability":"{durability}"}}{rest}}}"#
        )
    }

    fn start(&self, durability: &str) -> Machine<String> {
        request::start(self.request(durability).as_bytes())
    }
}

/// Tasks on snapshots.
pub(crate) struct Sessions {
    durability: &'static str,
    numbers: u32,
    /// Every id under which a document ever stood.
    stood: BTreeSet<String>,
    /// The bytes that were published under each id that was acknowledged.
    acknowledged: BTreeMap<String, Vec<u8>>,
    pinned: BTreeSet<String>,
}

/// A task in progress.
pub(crate) struct Watched {
    by: u32,
    task: Task,
    /// The bytes that it published last.
    published: Vec<u8>,
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {:?}", self.by, self.task)
    }
}

impl Seeded for Sessions {
    const SEED: &'static str = "sessions seed";

    fn begun(mut random: Rng, trace: Trace) -> Run<Self> {
        let mut disk = Disk::new();
        for folder in [ROOT, "/r/deep", "/r/.claude", "/r/.claude/config"] {
            disk.put_node(folder, Node::Folder);
        }
        let keep = random.u32(1..=4);
        let settings = format!(r#"{{"sessions":{{"keep":{keep}}}}}"#);
        disk.put("/r/.claude/config/integrations.json", settings);
        for path in FILES {
            disk.put(path, path);
        }
        let disk = settled(&mut random, disk);
        let chances = Chances {
            kill: one_in(&mut random, 2, 0.004),
            pause: one_in(&mut random, 2, 0.004),
            interruption: one_in(&mut random, 2, 0.3),
            jump: None,
        };
        let durability = any_durability(&mut random);
        let mut world = World::new(random, disk, trace);
        world.durability = durability;
        world.chances = chances;
        let sessions = Sessions {
            durability: match durability {
                Sync::Lazy => "lazy",
                Sync::Durable => "durable",
            },
            numbers: 0,
            stood: BTreeSet::new(),
            acknowledged: BTreeMap::new(),
            pinned: BTreeSet::new(),
        };
        Run::new(world, sessions)
    }

    fn quiet(run: &mut Run<Self>) -> Result<(), String> {
        let Run { world, kind, .. } = run;
        Quiet {
            disk: &mut world.disk,
            durability: kind.durability,
            sessions: kind,
            asked: 0,
        }
        .check()
    }
}

impl Kind for Sessions {
    type Watched = Watched;
    type End = String;

    const PACE: Pace = Pace {
        processes: 2..=4,
        trouble_within: 600,
        power_within: 1_000,
        most_effects: 50_000,
    };

    /// A user may have worked on a file in between.
    fn begin(&mut self, world: &mut World) -> Begun<Self> {
        self.numbers += 1;
        let World { random, disk, .. } = world;
        if random.bool() {
            let path = FILES[random.usize(..FILES.len())];
            // Some contents come again, so that an object is needed again.
            let content = random.u8(..4);
            if !matches!(disk.node("/r/deep"), Some(Node::Folder)) {
                disk.put_node("/r/deep", Node::Folder);
            }
            disk.put(path, format!("content {content}\n"));
        }
        let known: Vec<&String> = self.stood.iter().collect();
        let one = match known.len() {
            0 => None,
            count => Some(known[random.usize(..count)].clone()),
        };
        let task = match (random.u8(..12), one) {
            (0, _) => Task::CleanUp,
            (1, _) => Task::Archive(None),
            (2, one) => Task::Archive(one),
            (3, Some(one)) if random.bool() => Task::Pin(one),
            (4, _) => Task::Restore(false),
            (5, _) => Task::Restore(true),
            (6, _) => Task::List,
            (7, _) => Task::Phase(self.numbers),
            (8, _) => Task::Create(false),
            _ => Task::Create(true),
        };
        let watched = Watched {
            by: self.numbers,
            task,
            published: Vec::new(),
        };
        (Sabotaged::new(watched.task.start(self.durability)), watched)
    }

    /// Looks at what an effect may have put under an id.
    fn did(&mut self, world: &World, watched: &mut Watched, effect: &Effect) -> Result<(), String> {
        let (Effect::Link { to: path, .. } | Effect::Rename { to: path, .. }) = effect else {
            return Ok(());
        };
        let name = path.rsplit('/').next().unwrap_or_default();
        let id = name
            .strip_suffix(".yaml")
            .filter(|it| it.starts_with("chk-"));
        if let (Some(id), Some(bytes)) = (id, world.disk.bytes(path)) {
            self.stood.insert(id.to_owned());
            watched.published = bytes.to_vec();
        }
        Ok(())
    }

    fn ended(
        &mut self,
        _: &World,
        watched: Watched,
        end: &String,
        _: bool,
    ) -> Result<bool, String> {
        let Some(value) = answer(end) else {
            return Ok(false);
        };
        match watched.task {
            Task::Create(_) => {
                let id = id(&value).ok_or("a checkpoint was made without an id")?;
                self.acknowledge(&id, watched.published)?;
            }
            Task::Pin(id) => drop(self.pinned.insert(id)),
            _ => {}
        }
        Ok(true)
    }
}

impl Sessions {
    fn acknowledge(&mut self, id: &str, published: Vec<u8>) -> Result<(), String> {
        match self.acknowledged.insert(id.to_owned(), published) {
            None => Ok(()),
            Some(_) => Err(format!("{id} was given to two makers")),
        }
    }
}
