//! The world of a scenario: files in memory, clocks, chance, and faults at chosen effects.
//!
//! README.md describes it to the letter, since each language has one.

use milepost::effect::{Effect, Fault, Outcome};
use milepost_disk::{Disk, Node};

use crate::scenario::Setting;

/// Files, clocks and chance. Paths are absolute.
#[derive(Debug)]
pub struct World {
    disk: Disk,
    now_ms: f64,
    chance: u32,
    /// Effects on files so far.
    performed: u64,
    setting: Setting,
}

impl World {
    /// The world as a scenario finds it.
    pub fn new(setting: Setting) -> Self {
        let mut world = World {
            disk: Disk::new(),
            now_ms: setting.now_ms as f64,
            chance: setting.seed,
            performed: 0,
            setting,
        };
        let setting = world.setting.clone();
        for (path, bytes) in setting.files {
            world.put(&path, Some(bytes));
        }
        for path in setting.folders {
            world.disk.put_node(&path, Node::Folder);
        }
        for path in setting.symlinks {
            world.disk.put_node(&path, Node::dangling());
        }
        world
    }

    /// Writes a file as another program would, or removes it.
    pub fn put(&mut self, path: &str, bytes: Option<Vec<u8>>) {
        match bytes {
            Some(bytes) => self.disk.put(path, bytes),
            None => drop(self.disk.remove(path)),
        }
    }

    /// Moves the clocks.
    pub fn pass(&mut self, ms: i64) {
        self.now_ms += ms as f64;
    }

    /// The times of the clocks.
    pub fn now_ms(&self) -> f64 {
        self.now_ms
    }

    /// Every file, by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, Vec<u8>)> {
        let files = self.disk.files();
        files.map(|(path, bytes)| (path, bytes.to_vec()))
    }

    /// The bytes of a file.
    pub fn file(&self, path: &str) -> Option<Vec<u8>> {
        self.disk.bytes(path).map(<[u8]>::to_vec)
    }

    /// The bytes of a document, which is in this file, or in the record of that name.
    pub fn document(&self, file: &str) -> Option<Vec<u8>> {
        let record = file.trim_end_matches(".json");
        match self.storage() {
            Some("records") => self.disk.records.get(record).map(<[u8]>::to_vec),
            _ => self.file(file),
        }
    }

    /// The storage that requests name.
    pub fn storage(&self) -> Option<&str> {
        self.setting.storage.as_deref()
    }

    /// Performs one effect, or has it go wrong.
    pub fn perform(&mut self, effect: &Effect) -> Outcome {
        self.now_ms += self.setting.step_ms as f64;
        let is_on_files = !matches!(
            effect,
            Effect::Clock
                | Effect::Random { .. }
                | Effect::Wait { .. }
                | Effect::Print { .. }
                | Effect::Input { .. }
        );
        if !is_on_files {
            return self.answer(effect);
        }
        let number = self.performed;
        self.performed += 1;
        let faults = self.setting.faults.iter();
        let fault = faults
            .copied()
            .find(|it| it.at == number || it.for_good && it.at < number);
        match fault {
            None => self.answer(effect),
            Some(injected) => {
                if injected.done {
                    self.answer(effect);
                }
                failed(injected.fault)
            }
        }
    }

    fn answer(&mut self, effect: &Effect) -> Outcome {
        match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: self.now_ms,
                monotonic_ms: self.now_ms,
            },
            Effect::Random { length } => {
                Outcome::Bytes((0..*length).map(|_| self.random_byte()).collect())
            }
            Effect::Wait { ms } => {
                self.now_ms += f64::from(*ms);
                Outcome::Done
            }
            Effect::Print { .. } => Outcome::Done,
            Effect::Git { .. } => match &self.setting.git {
                Some(text) => Outcome::Bytes(text.clone().into_bytes()),
                None => failed(Fault::Unsupported),
            },
            Effect::Input { .. } => failed(Fault::Unsupported),
            effect => match self.disk.perform(effect) {
                Some(Outcome::Failed { fault, .. }) => failed(fault),
                Some(outcome) => outcome,
                None => failed(Fault::Unsupported),
            },
        }
    }

    /// The lowest byte of the next state of xorshift32.
    fn random_byte(&mut self) -> u8 {
        let mut state = self.chance;
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        self.chance = state;
        state.to_le_bytes()[0]
    }
}

fn failed(fault: Fault) -> Outcome {
    Outcome::Failed {
        fault,
        detail: "as the scenario has it".to_owned(),
    }
}
