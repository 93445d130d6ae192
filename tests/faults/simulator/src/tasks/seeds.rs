//! Runs that a seed decides.

use fastrand::Rng;
use milepost::effect::Effect;
use milepost::store::Storage;
use milepost_disk::PowerLoss;

use super::job::{IDS, Job, Save, TASKS, TaskStorage};
use super::oracle::{Oracle, Watched};
use crate::drive::{
    Begun, Chances, Kind, Pace, Run, Seeded, World, any_durability, empty_disk, one_in,
};
use crate::trace::Trace;

/// A wait longer than the minute after which leftovers count as those of the dead.
const UNTIL_DEAD_MS: f64 = 120_000.0;

/// Jobs on tasks.
pub(crate) struct Tasks {
    place: TaskStorage,
    oracle: Oracle,
    numbers: u64,
}

impl Seeded for Tasks {
    const SEED: &'static str = "tasks seed";

    fn begun(mut random: Rng, trace: Trace) -> Run<Self> {
        let disk = empty_disk(&mut random);
        let chances = Chances {
            kill: one_in(&mut random, 2, 0.01),
            pause: one_in(&mut random, 2, 0.01),
            interruption: one_in(&mut random, 2, 0.3),
            jump: Some(one_in(&mut random, 4, 0.005)),
        };
        let storage = match random.u8(..6) {
            0 => Storage::Records,
            _ => Storage::Files,
        };
        let durability = any_durability(&mut random);
        let has_locks = random.bool();
        // Otherwise everybody is taken for dead by everybody.
        let has_dates = random.bool();
        let mut world = World::new(random, disk, trace);
        world.durability = durability;
        world.has_locks = has_locks;
        world.has_dates = has_dates;
        world.chances = chances;
        let place = TaskStorage {
            storage,
            durability,
        };
        let tasks = Tasks {
            place,
            oracle: Oracle::new(storage),
            numbers: 0,
        };
        Run::new(world, tasks)
    }

    /// Later, in peace: all that is there can be read, a clean-up leaves nothing that is not needed, and a process that
    /// writes comes through and leaves nothing behind.
    fn quiet(run: &mut Run<Self>) -> Result<(), String> {
        run.world.chances = Chances::default();
        run.world.has_locks = true;
        run.world.has_dates = true;
        run.world.now_ms += UNTIL_DEAD_MS;
        answers(run, Job::CleanUp)?;
        if let Some(path) = run.kind.oracle.seer.left_over(&run.world.disk) {
            return Err(format!("{path} is left over after a clean-up"));
        }
        for id in IDS {
            answers(run, Job::ById(id))?;
        }
        for task in TASKS {
            answers(run, Job::List(task))?;
            answers(run, Job::Latest(task))?;
        }
        answers(run, Job::ListTasks)?;
        for task in TASKS {
            let id = "in peace";
            let number = run.kind.number();
            let begun = run.kind.start(Job::Save(Save::new(task, id, number)));
            if !run.alone(begun)? {
                return Err(format!("a writer of {task} in peace does not come through"));
            }
            answers(run, Job::Delete(id))?;
        }
        match run.kind.oracle.seer.unfinished(&run.world.disk) {
            Some(path) => Err(format!("{path} is left over after a save in peace")),
            None => Ok(()),
        }
    }
}

impl Tasks {
    /// Most often on the first task, and on few ids, so that they meet.
    fn job(&mut self, random: &mut Rng) -> Job {
        let task = TASKS[[0, 0, 0, 1, 1, 2][random.usize(..6)]];
        let id = IDS[random.usize(..IDS.len())];
        match random.u8(..16) {
            0 => Job::Latest(task),
            1 => Job::ById(id),
            2 => Job::List(task),
            3 => Job::ListTasks,
            4 | 5 => Job::Delete(id),
            6 => Job::DeleteTask(task),
            7 => Job::CleanUp,
            _ => Job::Save(self.save(random, task, id)),
        }
    }

    fn save(&mut self, random: &mut Rng, task: &'static str, id: &'static str) -> Save {
        let at = TASKS.iter().position(|it| *it == task).unwrap_or_default();
        let revision = self.oracle.now()[at].revision;
        let expected = match random.u8(..6) {
            0 => Some(revision),
            1 => Some(revision.saturating_sub(1)),
            _ => None,
        };
        Save {
            is_large: random.u8(..16) == 0,
            keeps: random.u64(1..=4),
            is_last: random.u8(..12) == 0,
            expected,
            ..Save::new(task, id, self.number())
        }
    }

    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    fn start(&mut self, job: Job) -> Begun<Self> {
        let by = self.number();
        (self.place.start(&job), self.oracle.begins(by, job))
    }
}

impl Kind for Tasks {
    type Watched = Watched;
    type End = String;

    const PACE: Pace = Pace {
        processes: 2..=4,
        trouble_within: 400,
        power_within: 600,
        most_effects: 50_000,
    };

    fn begin(&mut self, world: &mut World) -> Begun<Self> {
        let job = self.job(&mut world.random);
        self.start(job)
    }

    fn did(&mut self, world: &World, watched: &mut Watched, _: &Effect) -> Result<(), String> {
        self.oracle.did(&world.disk, watched)
    }

    fn ended(
        &mut self,
        _: &World,
        watched: Watched,
        end: &String,
        had_trouble: bool,
    ) -> Result<bool, String> {
        self.oracle.ended(&watched, end, had_trouble)
    }

    fn power_lost(&mut self, world: &World, _: PowerLoss) -> Result<(), String> {
        self.oracle.power_lost(&world.disk)
    }
}

/// Asks in peace: the oracle judges the answer.
fn answers(run: &mut Run<Tasks>, job: Job) -> Result<(), String> {
    let begun = run.kind.start(job);
    run.alone(begun).map(drop)
}
