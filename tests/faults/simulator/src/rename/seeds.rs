//! Runs of writers, readers and renames side by side.

use std::collections::BTreeSet;
use std::fmt;

use fastrand::Rng;
use milepost::error::{Error, Written};
use milepost_disk::Disk;

use super::{Answer, FEATURES, Peace, Task};
use crate::drive::{
    Begun, Chances, Kind, Pace, Run, Seeded, World, any_durability, empty_disk, one_in,
};
use crate::job::phase;
use crate::sabotage::Sabotaged;
use crate::trace::Trace;

/// Tasks on checkpoints that change their names.
pub(crate) struct Tasks {
    numbers: u32,
    acknowledged: BTreeSet<u32>,
    /// Numbers of writers who were answered that nothing was written.
    refused: BTreeSet<u32>,
}

/// A task in progress.
pub(crate) struct Watched {
    by: u32,
    task: Task,
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {:?}", self.by, self.task)
    }
}

impl Seeded for Tasks {
    const SEED: &'static str = "renaming seed";

    fn begun(mut random: Rng, trace: Trace) -> Run<Self> {
        let disk = empty_disk(&mut random);
        let chances = Chances {
            kill: one_in(&mut random, 2, 0.01),
            pause: one_in(&mut random, 2, 0.01),
            interruption: one_in(&mut random, 2, 0.3),
            jump: None,
        };
        let durability = any_durability(&mut random);
        let has_locks = random.bool();
        let mut world = World::new(random, disk, trace);
        world.durability = durability;
        world.has_locks = has_locks;
        world.chances = chances;
        let tasks = Tasks {
            numbers: 0,
            acknowledged: BTreeSet::new(),
            refused: BTreeSet::new(),
        };
        Run::new(world, tasks)
    }

    fn quiet(run: &mut Run<Self>) -> Result<(), String> {
        let Run { world, kind, .. } = run;
        kind.reads_and_writes(&mut world.disk)
    }
}

impl Kind for Tasks {
    type Watched = Watched;
    type End = Result<Answer, Error>;

    const PACE: Pace = Pace {
        processes: 2..=5,
        trouble_within: 400,
        power_within: 600,
        most_effects: 20_000,
    };

    /// Most often on the first two names.
    fn begin(&mut self, world: &mut World) -> Begun<Self> {
        let random = &mut world.random;
        let mut name = || FEATURES[[0, 0, 0, 1, 1, 2][random.usize(..6)]];
        let (name, other) = (name(), name());
        let task = match random.u8(..8) {
            0 | 1 if name != other => Task::Rename(name, other),
            2 => Task::Load(name),
            _ => {
                self.numbers += 1;
                Task::Phase(name, self.numbers)
            }
        };
        let by = random.u32(100..1000);
        let machine = Sabotaged::new(task.start(world.durability));
        (machine, Watched { by, task })
    }

    fn ended(
        &mut self,
        _: &World,
        watched: Watched,
        end: &Self::End,
        _: bool,
    ) -> Result<bool, String> {
        if let Task::Phase(_, number) = watched.task {
            match end {
                Ok(_) => drop(self.acknowledged.insert(number)),
                Err(error) if error.written() == Written::No => {
                    self.refused.insert(number);
                }
                Err(_) => {}
            }
        }
        Ok(matches!(end, Ok(Answer::Written)))
    }
}

impl Tasks {
    /// Every reader finds each number once, and every writer comes through.
    fn reads_and_writes(&mut self, disk: &mut Disk) -> Result<(), String> {
        let mut peace = Peace::new(disk, u64::MAX);
        let found = [peace.load(&FEATURES)?, peace.load(&FEATURES)?];
        for feature in FEATURES {
            self.numbers += 1;
            peace.perform(Task::Phase(feature, self.numbers))?;
            self.acknowledged.insert(self.numbers);
        }
        peace.left_over()?;
        let last = peace.load(&FEATURES)?;
        // Reading one name may finish a rename from or to another that was read before.
        self.check(&found[1], self.numbers - FEATURES.len() as u32)?;
        self.check(&last, self.numbers)
    }

    fn check(&self, found: &[Option<BTreeSet<String>>], until: u32) -> Result<(), String> {
        for number in 1..=until {
            let each = found.iter().flatten();
            let times = each.filter(|it| it.contains(&phase(number))).count();
            let is_wrong = match times {
                0 => self.acknowledged.contains(&number),
                1 => self.refused.contains(&number),
                _ => true,
            };
            if is_wrong {
                let answer = match () {
                    () if self.acknowledged.contains(&number) => "acknowledged",
                    () if self.refused.contains(&number) => "refused",
                    () => "never answered",
                };
                let number = phase(number);
                return Err(format!(
                    "{number}, {answer}, is there {times} times: {found:?}"
                ));
            }
        }
        Ok(())
    }
}
