//! Session checkpoints of many makers, cleaners, archivers and restores side by side, with kills, pauses,
//! errors and losses of power, that a seed decides.
//!
//! Whatever dies or fails meanwhile: no id is given twice; what was acknowledged is there in the end, or
//! its removal is in the register; what was pinned is there; and all that is listed can be read, with
//! every content that it refers to.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use milepost::effect::{Effect, Fault, Machine, Outcome, Step};
use milepost::json::{self, Json};
use milepost::operation::request;
use milepost_disk::{Disk, Kept, Node, failed};

use crate::Violation;
use crate::calm::Calm;
use crate::job::ROOT;
use crate::listing::Listing;
use crate::random::Tally;
use crate::trace::Trace;
use crate::trouble::{self, Trouble};

/// No operation asks for more; one that does would never end.
const MOST_EFFECTS: usize = 50_000;
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
    /// Of the command checkpoint that the others are made of.
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

/// Runs what the seed says.
///
/// # Errors
///
/// What was violated.
pub fn run(seed: u64) -> Result<Tally, Violation> {
    run_told(seed, Trace::default())
}

/// The same, with each thing that happens told to `trace`.
///
/// # Errors
///
/// As [`run`].
pub fn run_told(seed: u64, trace: Trace) -> Result<Tally, Violation> {
    let mut run = Run::new(seed, trace);
    run.all().map_err(|what| Violation {
        origin: format!("sessions seed {seed}"),
        what,
    })?;
    Ok(run.tally)
}

/// One simulated process: one task after the other.
struct Process {
    by: u32,
    task: Task,
    machine: Machine<String>,
    tasks_left: u32,
    /// It goes on at this moment.
    ready_ms: f64,
    listing: Option<Listing>,
    effects: usize,
    /// What it published last.
    published: Vec<u8>,
}

struct Run {
    random: Rng,
    disk: Disk,
    now_ms: f64,
    processes: Vec<Process>,
    is_durable: bool,
    kill_chance: f64,
    pause_chance: f64,
    interruption_chance: f64,
    trouble: Option<(Trouble, usize, bool)>,
    numbers: u32,
    /// Every id under which a document ever stood.
    stood: BTreeSet<String>,
    /// What was published under each id that was acknowledged.
    acknowledged: BTreeMap<String, Vec<u8>>,
    pinned: BTreeSet<String>,
    tally: Tally,
    trace: Trace,
}

impl Run {
    fn new(seed: u64, trace: Trace) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut disk = Disk::new();
        disk.put_node(ROOT, Node::Folder);
        disk.put_node("/r/deep", Node::Folder);
        disk.put_node("/r/.claude", Node::Folder);
        disk.put_node("/r/.claude/config", Node::Folder);
        let keep = random.u32(1..=4);
        let settings = format!(r#"{{"sessions":{{"keep":{keep}}}}}"#);
        disk.put("/r/.claude/config/integrations.json", settings);
        for path in FILES {
            disk.put(path, path);
        }
        if random.u8(..8) == 0 {
            disk = disk.without_links();
        }
        disk.settle();
        let mut some = |one_in: u8, chance: f64| match random.u8(..one_in) {
            0 => chance,
            _ => 0.0,
        };
        Run {
            kill_chance: some(2, 0.004),
            pause_chance: some(2, 0.004),
            interruption_chance: some(2, 0.3),
            is_durable: random.u8(..5) > 0,
            random,
            disk,
            now_ms: 1000.0,
            processes: Vec::new(),
            trouble: None,
            numbers: 0,
            stood: BTreeSet::new(),
            acknowledged: BTreeMap::new(),
            pinned: BTreeSet::new(),
            tally: Tally::default(),
            trace,
        }
    }

    /// Some rounds of processes side by side; a round may end with a loss of power.
    fn all(&mut self) -> Result<(), String> {
        for _ in 0..self.random.u32(1..=3) {
            self.trouble = match self.random.u8(..3) {
                0 => {
                    let trouble = trouble::ALL[self.random.usize(..trouble::ALL.len())];
                    let from = self.tally.effects + self.random.usize(..600);
                    Some((trouble, from, self.random.bool()))
                }
                _ => None,
            };
            let loses_power = self.is_durable && self.random.u8(..3) == 0;
            let until = match loses_power {
                true => self.tally.effects + self.random.usize(..1_000),
                false => usize::MAX,
            };
            for _ in 0..self.random.u32(2..=4) {
                let tasks = self.random.u32(1..=4);
                self.begin(tasks);
            }
            while !self.processes.is_empty() && self.tally.effects < until {
                self.step()?;
            }
            if loses_power {
                self.lose_power();
            }
        }
        self.trouble = None;
        self.quiet()
    }

    fn durability(&self) -> &'static str {
        match self.is_durable {
            true => "durable",
            false => "lazy",
        }
    }

    /// Its next task is decided now. Somebody may have worked on a file meanwhile.
    fn begin(&mut self, tasks: u32) {
        self.numbers += 1;
        if self.random.bool() {
            let path = FILES[self.random.usize(..FILES.len())];
            // Some contents come again, so that an object is needed anew.
            let content = self.random.u8(..4);
            if !matches!(self.disk.node("/r/deep"), Some(Node::Folder)) {
                self.disk.put_node("/r/deep", Node::Folder);
            }
            self.disk.put(path, format!("content {content}\n"));
        }
        let known: Vec<&String> = self.stood.iter().collect();
        let one = match known.len() {
            0 => None,
            count => Some(known[self.random.usize(..count)].clone()),
        };
        let task = match (self.random.u8(..12), one) {
            (0, _) => Task::CleanUp,
            (1, _) => Task::Archive(None),
            (2, one) => Task::Archive(one),
            (3, Some(one)) if self.random.bool() => Task::Pin(one),
            (4, _) => Task::Restore(false),
            (5, _) => Task::Restore(true),
            (6, _) => Task::List,
            (7, _) => Task::Phase(self.numbers),
            (8, _) => Task::Create(false),
            _ => Task::Create(true),
        };
        self.processes.push(Process {
            by: self.numbers,
            machine: task.start(self.durability()),
            task,
            tasks_left: tasks - 1,
            ready_ms: self.now_ms,
            listing: None,
            effects: 0,
            published: Vec::new(),
        });
    }

    fn lose_power(&mut self) {
        self.processes.clear();
        let kept = match self.random.bool() {
            true => Kept::Any,
            false => Kept::InOrder,
        };
        if let Some(journal) = self.disk.journal() {
            let nodes = journal.loss(kept, &mut self.random);
            self.disk = Disk::after(nodes, &self.disk);
        }
        self.tally.power_losses += 1;
        let what = || format!("the power is lost, names come back {kept:?}");
        self.trace.tells(self.now_ms, what);
    }

    /// Whoever comes next makes one, and cleans up; then all that is there is whole.
    fn quiet(&mut self) -> Result<(), String> {
        for task in [Task::Create(true), Task::CleanUp] {
            let reply = self.in_peace(&task.request(self.durability()))?;
            if let Some(id) = id(&reply) {
                let bytes = self.document(&id).unwrap_or_default().to_vec();
                self.acknowledge(&id, bytes)?;
            }
        }
        let list = self.in_peace(&Task::List.request("durable"))?;
        let list = list.as_array().unwrap_or_default();
        let listed: BTreeSet<String> = list.iter().filter_map(id).collect();
        let register = self.register();
        for (one, bytes) in &self.acknowledged {
            if !listed.contains(one) {
                if !register.contains(one.as_str()) {
                    return Err(format!("{one} was acknowledged, and is lost"));
                }
            } else if self.document(one) != Some(bytes) {
                return Err(format!("{one} is not what was acknowledged"));
            }
        }
        for one in &self.pinned {
            if !listed.contains(one) {
                return Err(format!("{one} was pinned, and is gone"));
            }
        }
        for one in &listed {
            let place = Task::List.request("durable");
            let place = place.replace("list_sessions", "load_session");
            let place = place.replace(r#""archived":true"#, &format!(r#""id":"{one}""#));
            let reply = self.in_peace(&place)?;
            let document = reply.at("/document").ok_or("no document in the reply")?;
            let snapshot = document.at("/snapshot/files").and_then(Json::as_array);
            let contents = snapshot.unwrap_or_default().iter();
            let contents = contents.filter_map(|file| file.at("/sha256"));
            for sha256 in contents.chain(document.at("/checkpoint/sha256")) {
                let sha256 = sha256.as_str().unwrap_or_default();
                if !self.is_kept(sha256) {
                    return Err(format!("{one} refers to {sha256}, which is not there"));
                }
            }
        }
        Ok(())
    }

    /// What stands under an id, archived or not.
    fn document(&self, id: &str) -> Option<&[u8]> {
        let paths = ["", "archive/"].map(|below| format!("{FOLDER}/{below}{id}.yaml"));
        paths.iter().find_map(|path| self.disk.bytes(path))
    }

    /// Whether a content lies where it belongs, or where a collector puts it that waits for a maker, and where
    /// readers look as well.
    fn is_kept(&self, sha256: &str) -> bool {
        let path = format!("{FOLDER}/objects/{}/{sha256}", &sha256[..2]);
        let trashed = format!("{FOLDER}/objects/trash/{sha256}.");
        self.disk.bytes(&path).is_some()
            || self
                .disk
                .files()
                .any(|(path, _)| path.starts_with(&trashed))
    }

    /// What the register says, as text.
    fn register(&self) -> String {
        let is_of_register = |path: &str| {
            let name = path.strip_prefix(FOLDER).unwrap_or_default();
            name.ends_with(".json") && name.matches('/').count() == 1
        };
        let files = self.disk.files().filter(|(path, _)| is_of_register(path));
        files
            .filter_map(|(_, bytes)| std::str::from_utf8(bytes).ok())
            .collect()
    }

    /// The value of an operation on which nothing happens.
    fn in_peace(&mut self, line: &str) -> Result<Json, String> {
        self.numbers += 1;
        let mut calm = Calm::new(u64::MAX - u64::from(self.numbers));
        let mut machine = request::start(line.as_bytes());
        loop {
            match machine.step().map_err(|misuse| format!("{misuse:?}"))? {
                Step::Effect(effect) => {
                    let outcome = calm.perform(&mut self.disk, &effect);
                    let resumed = machine.resume(outcome);
                    resumed.map_err(|misuse| format!("{misuse:?}"))?;
                }
                Step::Done(reply) => {
                    return match answer(&reply) {
                        Some(value) => Ok(value),
                        None => Err(format!("in peace, {line} is answered with {reply}")),
                    };
                }
            }
        }
    }

    /// One effect of one process, or its death, or its pause.
    fn step(&mut self) -> Result<(), String> {
        let ready = self.processes.iter().map(|process| process.ready_ms);
        self.now_ms = self.now_ms.max(ready.fold(f64::INFINITY, f64::min));
        let ready: Vec<usize> = (0..self.processes.len())
            .filter(|at| self.processes[*at].ready_ms <= self.now_ms)
            .collect();
        let turn = ready[self.random.usize(..ready.len())];
        let mut process = self.processes.swap_remove(turn);
        if self.random.f64() < self.pause_chance {
            process.ready_ms = self.now_ms + f64::from(self.random.u32(1..4_000));
            self.tells(&process, || "stopped".to_owned());
            self.processes.push(process);
            return Ok(());
        }
        if let Some(listing) = process.listing.take() {
            let outcome = listing.ends(&self.disk, &mut self.random, self.interruption_chance);
            return self.resume(process, outcome);
        }
        let step = process.machine.step();
        let effect = match step.map_err(|misuse| format!("{misuse:?}"))? {
            Step::Effect(effect) => effect,
            Step::Done(reply) => return self.done(process, &reply),
        };
        self.tally.effects += 1;
        process.effects += 1;
        if process.effects > MOST_EFFECTS {
            return Err(format!("{:?} does not come to an end", process.task));
        }
        self.now_ms += 0.05 + self.random.f64() / 4.0;
        if self.random.f64() < self.kill_chance {
            self.tally.kills += 1;
            self.tells(&process, || "killed".to_owned());
            if let Effect::Create { path, bytes, .. } = &effect {
                let length = self.random.usize(..=bytes.len());
                self.disk.create_in_part(path, bytes, length);
            }
            return Ok(());
        }
        self.tells(&process, || match &effect {
            Effect::Create { path, bytes, .. } => format!("Create {path}, {} bytes", bytes.len()),
            effect => format!("{effect:?}"),
        });
        let outcome = self.perform(&mut process, &effect);
        self.watch(&mut process, &effect);
        match outcome {
            Some(outcome) => self.resume(process, outcome),
            None => {
                self.processes.push(process);
                Ok(())
            }
        }
    }

    fn resume(&mut self, mut process: Process, outcome: Outcome) -> Result<(), String> {
        self.tells(&process, || match &outcome {
            Outcome::Bytes(bytes) => format!("  {} bytes", bytes.len()),
            outcome => format!("  {outcome:?}"),
        });
        let resumed = process.machine.resume(outcome);
        self.processes.push(process);
        resumed.map_err(|misuse| format!("{misuse:?}"))
    }

    fn tells(&mut self, process: &Process, what: impl FnOnce() -> String) {
        let (by, task) = (process.by, &process.task);
        let what = || format!("#{by} {task:?}  {}", what());
        self.trace.tells(self.now_ms, what);
    }

    fn done(&mut self, process: Process, reply: &str) -> Result<(), String> {
        self.tells(&process, || reply.to_owned());
        if let Some(value) = answer(reply) {
            self.tally.acknowledged += 1;
            match &process.task {
                Task::Create(_) => {
                    let id = id(&value).ok_or("a checkpoint was made without an id")?;
                    self.acknowledge(&id, process.published)?;
                }
                Task::Pin(id) => drop(self.pinned.insert(id.clone())),
                _ => {}
            }
        }
        if process.tasks_left > 0 {
            self.begin(process.tasks_left);
        }
        Ok(())
    }

    fn acknowledge(&mut self, id: &str, published: Vec<u8>) -> Result<(), String> {
        match self.acknowledged.insert(id.to_owned(), published) {
            None => Ok(()),
            Some(_) => Err(format!("{id} was given to two makers")),
        }
    }

    /// Looks at what an effect may have put under an id.
    fn watch(&mut self, process: &mut Process, effect: &Effect) {
        let (Effect::Link { to: path, .. } | Effect::Rename { to: path, .. }) = effect else {
            return;
        };
        let name = path.rsplit('/').next().unwrap_or_default();
        let id = name
            .strip_suffix(".yaml")
            .filter(|it| it.starts_with("chk-"));
        if let (Some(id), Some(bytes)) = (id, self.disk.bytes(path)) {
            self.stood.insert(id.to_owned());
            process.published = bytes.to_vec();
        }
    }

    /// `None` while a listing is under way.
    fn perform(&mut self, process: &mut Process, effect: &Effect) -> Option<Outcome> {
        let outcome = match self.befall(effect) {
            Some(outcome) => {
                self.tally.faults += 1;
                Some(outcome)
            }
            None => self.answer(process, effect),
        };
        if let Effect::Remove { path } | Effect::Rename { from: path, .. } = effect {
            let listings = self.processes.iter_mut();
            for listing in listings.filter_map(|process| process.listing.as_mut()) {
                listing.goes(path);
            }
        }
        outcome
    }

    fn befall(&mut self, effect: &Effect) -> Option<Outcome> {
        let (trouble, from, for_good) = self.trouble?;
        if self.tally.effects < from {
            return None;
        }
        let outcome = trouble.befall(effect, &mut self.disk, &mut self.random);
        if outcome.is_some() && !for_good {
            self.trouble = None;
        }
        outcome
    }

    fn answer(&mut self, process: &mut Process, effect: &Effect) -> Option<Outcome> {
        Some(match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: 1_800_000_000_000.0 + self.now_ms,
                monotonic_ms: self.now_ms,
            },
            Effect::Random { length } => {
                Outcome::Bytes((0..*length).map(|_| self.random.u8(..)).collect())
            }
            Effect::Wait { ms } => {
                process.ready_ms = self.now_ms + f64::from(*ms);
                Outcome::Done
            }
            Effect::List { path, limit } => {
                process.listing = Some(Listing::begins(&self.disk, path, *limit));
                return None;
            }
            effect => self
                .disk
                .perform(effect)
                .unwrap_or(failed(Fault::Unsupported)),
        })
    }
}

/// The value of a reply that is no failure.
fn answer(reply: &str) -> Option<Json> {
    let reply = json::read(reply.as_bytes()).ok()?.value;
    match reply.at("/ok") {
        Some(Json::Bool(true)) => reply.at("/value").cloned(),
        _ => None,
    }
}

fn id(value: &Json) -> Option<String> {
    value.at("/id").and_then(Json::as_str).map(str::to_owned)
}
