//! Faults in how the parts of a task are kept: generations, marks, and what has to be durable.

use std::collections::{BTreeMap, VecDeque};

use milepost::digest::digest;
use milepost::effect::{Effect, Outcome, Sync};
use milepost::json::{self, Json};

use super::applies;

const FOLDER: &str = "/r/.claude/state/tasks";
const MARKS: &str = "/r/.claude/state/tasks/.milepost/keys";

/// One thing that goes wrong in each operation on tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartsFault {
    /// Every commit keeps the generation that it found: no check of it fails.
    NoGenerationCheck,
    /// A task that wants an id begins no new generation of the task that has marked it too.
    NoForeignFence,
    /// A clean-up begins no new generation before it removes.
    NoSweepFence,
    /// A writer that removes what others left begins no new generation.
    NoCollectorFence,
    /// The bytes of a part are not synced.
    NoPartSync,
    /// Marks are not synced.
    NoMarkSync,
    /// The removal of a task is not synced.
    NoRemovalSync,
    /// The mark of a new id is made after the look for others.
    MarkAfterLook,
    /// No mark is made.
    NoMark,
}

impl PartsFault {
    /// All of them.
    pub const ALL: [PartsFault; 9] = [
        PartsFault::NoGenerationCheck,
        PartsFault::NoForeignFence,
        PartsFault::NoSweepFence,
        PartsFault::NoCollectorFence,
        PartsFault::NoPartSync,
        PartsFault::NoMarkSync,
        PartsFault::NoRemovalSync,
        PartsFault::MarkAfterLook,
        PartsFault::NoMark,
    ];
}

impl PartsFault {
    /// Returns whether it shows without a loss of power.
    pub(crate) fn is_of_order(self) -> bool {
        use PartsFault::{NoMarkSync, NoPartSync, NoRemovalSync};
        ![NoPartSync, NoMarkSync, NoRemovalSync].contains(&self)
    }
}

/// The use of an effect's outcome.
enum Role {
    /// The machine asked for it.
    Asked,
    /// The machine asked for another one, which was answered so.
    Late(Outcome),
    /// No machine asked.
    Silent,
}

pub(super) struct Saboteur {
    fault: PartsFault,
    /// The effects that the host is to perform next.
    queue: VecDeque<(Effect, Role)>,
    in_flight: Option<(Effect, Role)>,
    /// The generation of each task at its last read.
    generations: BTreeMap<String, String>,
    /// The task that this operation has made a part of.
    own: Option<String>,
    /// Marks that are made later.
    held: Vec<Effect>,
}

impl Saboteur {
    pub(super) fn new(fault: PartsFault) -> Self {
        Saboteur {
            fault,
            queue: VecDeque::new(),
            in_flight: None,
            generations: BTreeMap::new(),
            own: None,
            held: Vec::new(),
        }
    }

    pub(super) fn next(&mut self) -> Option<Effect> {
        let (effect, role) = self.queue.pop_front()?;
        self.in_flight = Some((effect.clone(), role));
        Some(effect)
    }

    pub(super) fn is_asked(&mut self, effect: Effect) -> Option<Outcome> {
        use PartsFault::{NoMarkSync, NoPartSync, NoRemovalSync};
        let changed = match (self.fault, effect) {
            (
                fault,
                Effect::Create {
                    path,
                    bytes,
                    sync,
                    access,
                },
            ) => {
                let mut sync = sync;
                if let Some(task) = part_of(&path) {
                    self.own = Some(task.to_owned());
                    if fault == NoPartSync && sync == Sync::Durable {
                        applies();
                        sync = Sync::Lazy;
                    }
                }
                if path.contains("/tokens/") {
                    // A writer that updates a checkpoint looks for no others.
                    let held = self.held.drain(..).map(|held| (held, Role::Silent));
                    self.queue.extend(held);
                }
                let bytes = self.under_former_generation(&path, bytes);
                Effect::Create {
                    path,
                    bytes,
                    sync,
                    access,
                }
            }
            (NoMarkSync, Effect::SyncFolder { path }) if path.starts_with(MARKS) => {
                applies();
                return Some(Outcome::Done);
            }
            (NoRemovalSync, Effect::SyncFolder { path }) if path == FOLDER => {
                applies();
                return Some(Outcome::Done);
            }
            (_, effect) => effect,
        };
        self.queue.push_back((changed, Role::Asked));
        None
    }

    pub(super) fn is_answered(&mut self, outcome: Outcome) -> Option<Outcome> {
        let (effect, role) = self.in_flight.take()?;
        match role {
            Role::Asked => {}
            Role::Late(answer) => return Some(answer),
            Role::Silent => return None,
        }
        match (&effect, &outcome) {
            (Effect::Read { path, .. }, Outcome::Bytes(bytes)) => {
                if let Some((task, generation)) = task_of(path).zip(generation(bytes)) {
                    self.generations.insert(task.to_owned(), generation);
                }
            }
            (Effect::Create { path, .. }, Outcome::Done) if path.starts_with(MARKS) => {
                let hides = [PartsFault::NoMark, PartsFault::MarkAfterLook];
                if hides.contains(&self.fault) {
                    applies();
                    let hidden = Effect::Remove { path: path.clone() };
                    if self.fault == PartsFault::MarkAfterLook {
                        self.held.push(effect);
                    }
                    self.queue.push_back((hidden, Role::Late(outcome)));
                    return None;
                }
            }
            (Effect::List { path, .. }, _) if path.starts_with(MARKS) => {
                if let Some(held) = self.held.pop() {
                    self.queue.push_back((held, Role::Late(outcome)));
                    return None;
                }
            }
            _ => {}
        }
        Some(outcome)
    }

    /// The bytes that a writer prepares in place of an index, under the generation that it found.
    fn under_former_generation(&self, path: &str, bytes: Vec<u8>) -> Vec<u8> {
        use PartsFault::{NoCollectorFence, NoForeignFence, NoGenerationCheck, NoSweepFence};
        let Some(task) = task_of(path).filter(|_| path.contains("/tokens/")) else {
            return bytes;
        };
        let is_own = self.own.as_deref() == Some(task);
        let is_meant = match self.fault {
            NoGenerationCheck => true,
            NoForeignFence => self.own.is_some() && !is_own,
            NoSweepFence => self.own.is_none(),
            NoCollectorFence => is_own,
            _ => false,
        };
        let former = self.generations.get(task).filter(|_| is_meant);
        let Some((former, new)) = former.zip(generation(&bytes)) else {
            return bytes;
        };
        match *former == new {
            true => bytes,
            false => {
                applies();
                sealed_again(&bytes, &new, former).unwrap_or(bytes)
            }
        }
    }
}

/// The task that a path below the folder of tasks belongs to.
fn task_of(path: &str) -> Option<&str> {
    let below = path.strip_prefix(FOLDER)?.strip_prefix('/')?;
    let (task, _) = below.split_once('/')?;
    (task != ".milepost").then_some(task)
}

fn is_task(path: &str) -> bool {
    let below = path
        .strip_prefix(FOLDER)
        .and_then(|it| it.strip_prefix('/'));
    below.is_some_and(|below| !below.contains('/') && below != ".milepost")
}

/// The task that a file is a part of.
fn part_of(path: &str) -> Option<&str> {
    let (folder, file) = path.rsplit_once('/')?;
    let is_part = file.ends_with(".json") && file.contains('-') && is_task(folder);
    task_of(path).filter(|_| is_part)
}

fn generation(index: &[u8]) -> Option<String> {
    let index = json::read(index).ok()?.value;
    index
        .at("/generation")
        .and_then(Json::as_str)
        .map(str::to_owned)
}

/// The index with another generation, under a seal that holds.
fn sealed_again(index: &[u8], from: &str, to: &str) -> Option<Vec<u8>> {
    const SEAL: &str = ",\n  \"seal\": \"";
    const CLOSING: &str = "\n}\n";
    let text = std::str::from_utf8(index).ok()?.replace(from, to);
    let (body, seal) = text.rsplit_once(SEAL)?;
    let (id, _) = seal.split_once('.')?;
    let digest = digest(&[body.as_bytes(), CLOSING.as_bytes()]);
    Some(format!("{body}{SEAL}{id}.{digest}\"{CLOSING}").into_bytes())
}
