//! A host in memory: a file system, clocks that the test moves, and faults at chosen effects.

use std::cell::{Cell, RefCell};

use milepost::effect::{Effect, Fault, Machine, MachineStep, Outcome};

use crate::variants;
use milepost_disk::{Disk, failed};

pub(crate) use milepost_disk::Node;

/// A fault that is put in place of an effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Injected {
    /// The effect's number, from 0.
    pub(crate) at: usize,
    /// True if every later effect fails as well.
    pub(crate) for_good: bool,
    pub(crate) fault: Fault,
}

/// The world that operations work in. Paths are absolute.
pub(crate) struct Memory {
    pub(crate) disk: RefCell<Disk>,
    pub(crate) now_ms: Cell<f64>,
    chance: Cell<u64>,
    pub(crate) performed: Cell<usize>,
    pub(crate) injected: Cell<Option<Injected>>,
    /// Every effect, for tests that look at their order.
    pub(crate) log: RefCell<Vec<String>>,
    pub(crate) has_links: Cell<bool>,
    /// True if the lock's file can be made.
    pub(crate) has_locks: Cell<bool>,
    /// True if the host can wait.
    pub(crate) has_waits: Cell<bool>,
    /// True if the times of files are known.
    pub(crate) has_dates: Cell<bool>,
    /// True if folders above are beyond what the host may see.
    pub(crate) has_edge: Cell<bool>,
    /// True if tokens can be counted; each character is one.
    pub(crate) has_vocabulary: Cell<bool>,
}

impl Memory {
    /// A world with the folder `/repo`.
    pub(crate) fn new() -> Self {
        let mut disk = Disk::new();
        disk.put_node("/repo", Node::Folder);
        Memory {
            disk: RefCell::new(disk),
            now_ms: Cell::new(1_800_000_000_000.0),
            chance: Cell::new(0x9E37_79B9_7F4A_7C15),
            performed: Cell::new(0),
            injected: Cell::new(None),
            log: RefCell::new(Vec::new()),
            has_links: Cell::new(true),
            has_locks: Cell::new(true),
            has_waits: Cell::new(true),
            has_dates: Cell::new(true),
            has_edge: Cell::new(false),
            has_vocabulary: Cell::new(true),
        }
    }

    /// A world equal to this with another disk, such as one that a loss of power leaves. Random bytes are not
    /// drawn again.
    pub(crate) fn with_disk(&self, disk: Disk) -> Self {
        let world = Memory::new();
        world.now_ms.set(self.now_ms.get());
        world.chance.set(self.chance.get());
        world.disk.replace(disk);
        world
    }

    pub(crate) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        self.disk.borrow_mut().put(path, bytes.as_ref());
    }

    pub(crate) fn put_node(&self, path: &str, node: Node) {
        self.disk.borrow_mut().put_node(path, node);
    }

    /// Puts the folders into `folder` that are named by two hexadecimal digits.
    pub(crate) fn put_shards(&self, folder: &str) {
        for shard in 0..=u8::MAX {
            self.put_node(&format!("{folder}/{shard:02x}"), Node::Folder);
        }
    }

    /// Copies every file whose path has `model` in it, and every record, `count` times, under the names that `renamed`
    /// returns.
    pub(crate) fn crowd(&self, model: &str, count: usize, renamed: &dyn Fn(usize, &str) -> String) {
        let mut disk = self.disk.borrow_mut();
        let files: Vec<(String, Node)> = disk
            .files()
            .filter(|(path, _)| path.contains(model))
            .map(|(path, _)| (path.to_owned(), disk.node(path).unwrap().clone()))
            .collect();
        let records = disk.records.all();
        let records: Vec<(String, Vec<u8>)> = records
            .map(|(name, bytes)| (name.to_owned(), bytes.to_owned()))
            .collect();
        for number in 0..count {
            for (path, node) in &files {
                disk.put_node(&renamed(number, path), node.clone());
            }
            for (record, bytes) in &records {
                disk.records.put(&renamed(number, record), Some(bytes));
            }
        }
    }

    pub(crate) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.disk.borrow().bytes(path).map(<[u8]>::to_vec)
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path).unwrap_or_else(|| panic!("no file {path}"))).unwrap()
    }

    pub(crate) fn delete(&self, path: &str) {
        self.disk.borrow_mut().remove(path);
    }

    /// The files below a folder, without it in their names.
    pub(crate) fn files_below(&self, folder: &str) -> Vec<String> {
        let prefix = format!("{folder}/");
        let disk = self.disk.borrow();
        disk.files()
            .filter_map(|(path, _)| path.strip_prefix(&prefix))
            .map(str::to_owned)
            .collect()
    }

    /// Runs one operation to its end.
    pub(crate) fn run<T>(&self, machine: Machine<T>) -> T {
        machine.run(|effect| self.perform(&effect))
    }

    /// Runs the operation of a request to its reply, in the async and the blocking variant.
    pub(crate) fn ask(&self, request: &[u8]) -> String {
        variants::reply(request, |effect| self.perform(&effect))
    }

    /// Runs several operations, one effect at a time in an order that the seed decides.
    pub(crate) fn interleave<T>(&self, machines: Vec<Machine<T>>, seed: u64) -> Vec<T> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut running: Vec<(usize, Machine<T>)> = machines.into_iter().enumerate().collect();
        let mut done: Vec<(usize, T)> = Vec::new();
        while !running.is_empty() {
            let turn = random.usize(..running.len());
            let (number, machine) = &mut running[turn];
            match machine.step().unwrap() {
                MachineStep::Effect(effect) => {
                    let outcome = self.perform(&effect);
                    machine.resume(outcome).unwrap();
                }
                MachineStep::Done(value) => {
                    done.push((*number, value));
                    running.swap_remove(turn);
                }
            }
        }
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, value)| value).collect()
    }

    pub(crate) fn perform(&self, effect: &Effect) -> Outcome {
        let number = self.performed.replace(self.performed.get() + 1);
        self.log.borrow_mut().push(logged(effect));
        self.now_ms.set(self.now_ms.get() + 0.01);
        self.disk.borrow_mut().set_clock(self.now_ms.get());
        if let Some(Injected {
            at,
            for_good,
            fault,
        }) = self.injected.get()
            && (number == at || for_good && number > at)
            && !matches!(
                effect,
                Effect::Clock | Effect::Random { .. } | Effect::Wait { .. }
            )
        {
            return failed(fault);
        }
        self.answer(effect)
    }

    fn answer(&self, effect: &Effect) -> Outcome {
        match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: self.now_ms.get(),
                monotonic_ms: self.now_ms.get(),
            },
            Effect::Random { length } => {
                let mut random = fastrand::Rng::with_seed(self.chance.get());
                let bytes = (0..*length).map(|_| random.u8(..)).collect();
                self.chance.set(random.u64(..));
                Outcome::Bytes(bytes)
            }
            Effect::Wait { .. } if !self.has_waits.get() => failed(Fault::Unsupported),
            Effect::Wait { ms } => {
                self.now_ms.set(self.now_ms.get() + f64::from(*ms));
                Outcome::Done
            }
            Effect::Create { path, .. } if path.ends_with("/lock") && !self.has_locks.get() => {
                failed(Fault::Other)
            }
            Effect::Link { .. } if !self.has_links.get() => failed(Fault::Unsupported),
            Effect::Survey { .. } if !self.has_dates.get() => failed(Fault::Unsupported),
            Effect::CountTokens { text, limit, .. } if self.has_vocabulary.get() => {
                let kept = text.char_indices().nth(*limit as usize);
                Outcome::Counted {
                    tokens: text.chars().count() as u64,
                    kept: kept.map_or(text.len(), |(at, _)| at) as u64,
                }
            }
            Effect::CountTokens { .. } => Outcome::Failed {
                fault: Fault::Unsupported,
                detail: "no vocabulary is loaded: load one".to_owned(),
            },
            effect => match self.disk.borrow_mut().perform(effect) {
                Some(outcome) if self.has_edge.get() && is_at_the_top(effect, &outcome) => {
                    failed(Fault::Unsupported)
                }
                Some(outcome) => outcome,
                None => failed(Fault::Unsupported),
            },
        }
    }
}

/// An effect as text; of many bytes how many they are, because writing them out takes longer than the test.
fn logged(effect: &Effect) -> String {
    match effect {
        Effect::Create { path, bytes, .. } | Effect::Append { path, bytes, .. }
            if bytes.len() > 1 << 16 =>
        {
            format!("{} {path} {} bytes", effect.name(), bytes.len())
        }
        effect => format!("{effect:?}"),
    }
}

fn is_at_the_top(effect: &Effect, outcome: &Outcome) -> bool {
    matches!(
        (effect, outcome),
        (Effect::Ascend { .. }, Outcome::Failed { .. })
    )
}

/// A disk at one moment of time, on which a folder whose name ends like `unsynced` is never made durable.
pub(crate) struct Forgetful<'a> {
    pub(crate) disk: Disk,
    drawn: u8,
    unsynced: Option<&'a str>,
}

impl<'a> Forgetful<'a> {
    pub(crate) fn new(mut disk: Disk, unsynced: Option<&'a str>) -> Self {
        disk.settle();
        Forgetful {
            disk,
            drawn: 0,
            unsynced,
        }
    }

    pub(crate) fn perform(&mut self, effect: &Effect) -> Outcome {
        match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: 1e12,
                monotonic_ms: 0.0,
            },
            Effect::Random { length } => {
                self.drawn += 1;
                Outcome::Bytes(vec![self.drawn; *length as usize])
            }
            Effect::SyncFolder { path } if self.unsynced.is_some_and(|it| path.ends_with(it)) => {
                Outcome::Done
            }
            effect => self
                .disk
                .perform(effect)
                .unwrap_or(failed(Fault::Unsupported)),
        }
    }
}
