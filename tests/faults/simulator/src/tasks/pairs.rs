//! Two jobs, and every order of them with two changes of turn: the first up to any effect, the second up to
//! any of its own, then the rest of the first, or its death, and the rest of the second.

use std::fmt;

use milepost::effect::{MachineStep, Outcome, Sync};
use milepost::store::Storage;
use milepost_disk::{Disk, Node};

use super::job::{Job, Save, TASKS, TaskStorage};
use super::oracle::{Oracle, Watched};
use crate::Violation;
use crate::calm::Calm;
use crate::job::ROOT;
use crate::sabotage::Sabotaged;

/// Two jobs on a task that has the checkpoints `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// A new id for two tasks.
    OneId,
    /// Two jobs of which one has the other's checkpoint already.
    Taken,
    /// Two new ids for one task, that keeps two.
    Evict,
    /// Two saves of one id.
    Update,
    /// Two saves that follow from the same revision.
    Expect,
    /// A save, and the removal of its task.
    Remove,
    /// A save, and a clean-up that takes everybody for dead.
    CleanUp,
    /// The removal of a checkpoint, and another task that wants its id.
    Move,
    /// A save, and a list of the task.
    List,
}

impl Case {
    /// All of them.
    pub const ALL: [Case; 9] = [
        Case::OneId,
        Case::Taken,
        Case::Evict,
        Case::Update,
        Case::Expect,
        Case::Remove,
        Case::CleanUp,
        Case::Move,
        Case::List,
    ];

    fn jobs(self, revision: u64) -> [Job; 2] {
        let [one, two, _] = TASKS;
        let save = |task, id, number| Save::new(task, id, number);
        let expecting = |id, number| Save {
            expected: Some(revision),
            ..save(one, id, number)
        };
        let evicting = |id, number| Save {
            keeps: 2,
            ..save(one, id, number)
        };
        let saves = |first, second| [Job::Save(first), Job::Save(second)];
        match self {
            Case::OneId => saves(save(one, "c", 10), save(two, "c", 11)),
            Case::Taken => saves(save(one, "a", 10), save(two, "a", 11)),
            Case::Evict => saves(evicting("c", 10), evicting("../d", 11)),
            Case::Update => saves(save(one, "a", 10), save(one, "a", 11)),
            Case::Expect => saves(expecting("a", 10), expecting("c", 11)),
            Case::Remove => [Job::Save(save(one, "c", 10)), Job::DeleteTask(one)],
            Case::CleanUp => [Job::Save(save(one, "c", 10)), Job::CleanUp],
            Case::Move => [Job::Delete("a"), Job::Save(save(two, "a", 11))],
            Case::List => [Job::List(one), Job::Save(evicting("c", 11))],
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tasks, two jobs: {self:?}")
    }
}

/// The amount that was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Orders.
    pub orders: usize,
    /// Effects in all of them.
    pub effects: usize,
}

/// Runs the orders of a case: of `stride` places in a row where the second job may be stopped one, which is another
/// one for each place where the first is stopped; every order with 1.
///
/// # Errors
///
/// The first violation.
pub fn look(case: Case, stride: usize) -> Result<Looked, Violation> {
    let violation = |at: String, what| Violation {
        origin: format!("{case}, {at}"),
        what,
    };
    let start = start().map_err(|what| violation("the start".to_owned(), what))?;
    let mut looked = Looked::default();
    for is_swapped in [false, true] {
        for first in 0.. {
            let mut is_over = false;
            for second in (first % stride..).step_by(stride) {
                let mut ends = [false; 2];
                for dies in [false, true] {
                    let order = Order {
                        is_swapped,
                        first,
                        second,
                        dies,
                    };
                    let run = start.clone().run(case, order, &mut looked);
                    ends = run.map_err(|what| violation(format!("{order:?}"), what))?;
                    looked.orders += 1;
                }
                is_over = ends[0];
                if ends[1] {
                    break;
                }
            }
            if is_over {
                break;
            }
        }
    }
    Ok(looked)
}

#[derive(Clone, Copy, Debug)]
struct Order {
    /// True if the second job of the case comes first.
    is_swapped: bool,
    /// Effects of the one that comes first before the other comes.
    first: usize,
    /// Effects of that one.
    second: usize,
    /// True if the one that came first does nothing more.
    dies: bool,
}

/// A disk, and what is known of it.
#[derive(Clone)]
struct Pair {
    disk: Disk,
    oracle: Oracle,
    place: TaskStorage,
}

/// Everything is durable, and the task has two checkpoints.
fn start() -> Result<Pair, String> {
    let mut disk = Disk::new();
    disk.put_node(ROOT, Node::Folder);
    let place = TaskStorage {
        storage: Storage::Files,
        durability: Sync::Durable,
    };
    let mut pair = Pair {
        disk,
        oracle: Oracle::new(Storage::Files),
        place,
    };
    for (id, number) in [("a", 1), ("b", 2)] {
        let mut save = pair.begin(number, Job::Save(Save::new(TASKS[0], id, number)));
        let mut calm = Calm::new(number);
        pair.go_on(&mut save, usize::MAX, &mut calm)?;
    }
    pair.disk.settle();
    Ok(pair)
}

/// A job in progress.
struct Turn {
    machine: Sabotaged<String>,
    watched: Watched,
    effects: usize,
    is_over: bool,
}

impl Pair {
    /// Runs the two; returns which of them had ended before it was stopped.
    fn run(mut self, case: Case, order: Order, looked: &mut Looked) -> Result<[bool; 2], String> {
        let mut calm = Calm::new(99);
        let mut jobs = case.jobs(self.oracle.now()[0].revision);
        if order.is_swapped {
            jobs.reverse();
        }
        let [first, second] = jobs;
        let mut first = self.begin(10, first);
        self.go_on(&mut first, order.first, &mut calm)?;
        let mut second = self.begin(11, second);
        self.go_on(&mut second, order.second, &mut calm)?;
        let ended = [first.is_over, second.is_over];
        if !order.dies {
            self.go_on(&mut first, usize::MAX, &mut calm)?;
        }
        self.go_on(&mut second, usize::MAX, &mut calm)?;
        looked.effects += first.effects + second.effects;
        self.settle(&mut calm)?;
        Ok(ended)
    }

    fn begin(&self, by: u64, job: Job) -> Turn {
        Turn {
            machine: self.place.start(&job),
            watched: self.oracle.begins(by, job),
            effects: 0,
            is_over: false,
        }
    }

    /// Up to so many effects more.
    fn go_on(&mut self, turn: &mut Turn, effects: usize, calm: &mut Calm) -> Result<(), String> {
        let misused = |misuse| format!("{misuse:?}");
        let until = turn.effects.saturating_add(effects);
        while !turn.is_over && turn.effects < until {
            match turn.machine.step().map_err(misused)? {
                MachineStep::Effect(effect) => {
                    let outcome: Outcome = calm.perform(&mut self.disk, &effect);
                    self.oracle.did(&self.disk, &mut turn.watched)?;
                    turn.machine.resume(outcome).map_err(misused)?;
                    turn.effects += 1;
                }
                MachineStep::Done(reply) => {
                    turn.is_over = true;
                    self.oracle.ended(&turn.watched, &reply, false)?;
                }
            }
        }
        Ok(())
    }

    /// The next process leaves nothing behind.
    fn settle(&mut self, calm: &mut Calm) -> Result<(), String> {
        let mut clean_up = self.begin(12, Job::CleanUp);
        self.go_on(&mut clean_up, usize::MAX, calm)?;
        match self.oracle.seer.left_over(&self.disk) {
            Some(path) => Err(format!("{path} is left over after a clean-up")),
            None => Ok(()),
        }
    }
}
