//! Runs of many operations on one checkpoint.

use fastrand::Rng;
use milepost::effect::Effect;
use milepost::error::Error;
use milepost_disk::PowerLoss;

use crate::drive::{
    Begun, Chances, Kind, Pace, Run, Seeded, World, any_durability, empty_disk, one_in,
};
use crate::job::{DOCUMENT, Ended, Job};
use crate::oracle::{Oracle, Watched};
use crate::trace::Trace;

/// After the last fault a writer has to succeed within the lock's time to live, and this.
const LONGEST_QUIET_MS: f64 = 2_500.0;

/// Jobs on one checkpoint, and hands that touch it.
pub(crate) struct Jobs {
    oracle: Oracle,
    has_hands: bool,
    heartbeat_chance: f64,
    numbers: u32,
    /// The phase that was added last.
    phase: u32,
    /// The document before the effect that is happening.
    document: Option<Vec<u8>>,
}

impl Seeded for Jobs {
    const SEED: &'static str = "seed";

    fn begun(mut random: Rng, trace: Trace) -> Run<Self> {
        let disk = empty_disk(&mut random);
        let durability = any_durability(&mut random);
        let has_locks = random.bool();
        let has_hands = random.u8(..4) == 0;
        let chances = Chances {
            kill: one_in(&mut random, 2, 0.01),
            pause: one_in(&mut random, 2, 0.01),
            jump: Some(one_in(&mut random, 4, 0.01)),
            interruption: one_in(&mut random, 2, 0.3),
        };
        let jobs = Jobs {
            oracle: Oracle::default(),
            has_hands,
            // In some runs they are more than history keeps.
            heartbeat_chance: one_in(&mut random, 4, 0.9),
            numbers: 0,
            phase: 0,
            document: None,
        };
        let mut world = World::new(random, disk, trace);
        world.durability = durability;
        world.has_locks = has_locks;
        world.chances = chances;
        Run::new(world, jobs)
    }

    /// One writer in peace, which has to come through soon and to leave nothing behind. Where a hand
    /// tore the document, it is recovered first, if there is a revision to recover.
    fn quiet(run: &mut Run<Self>) -> Result<(), String> {
        run.world.chances.kill = 0.0;
        run.world.chances.pause = 0.0;
        run.world.has_locks = true;
        let start_ms = run.world.now_ms;
        if is_torn(&run.world) && !in_peace(run, Job::Recover)? {
            return match run.kind.oracle.is_recoverable(&run.world.disk) {
                true => Err("a torn document is not recovered from its history".to_owned()),
                false => Ok(()),
            };
        }
        let number = run.kind.number();
        if !in_peace(run, Job::Phase(number))? {
            return Err("a writer in peace does not come through".to_owned());
        }
        let took_ms = run.world.now_ms - start_ms;
        if took_ms > LONGEST_QUIET_MS {
            return Err(format!("a writer in peace took {took_ms} ms"));
        }
        run.kind.oracle.over(&run.world.disk)
    }
}

impl Jobs {
    fn job(&mut self, world: &mut World) -> Job {
        match world.random.u8(..16) {
            0 | 1 => Job::Read,
            2 => Job::Complete,
            3 => Job::Replace(self.number()),
            4 => Job::Undo,
            5 => Job::Recover,
            10 => Job::Redo,
            8 => Job::Trim,
            6..8 if is_torn(world) => Job::Recover,
            9 => Job::Heartbeat(self.phase),
            _ if world.random.f64() < self.heartbeat_chance => Job::Heartbeat(self.phase),
            _ => {
                self.phase = self.number();
                Job::Phase(self.phase)
            }
        }
    }

    fn start(&mut self, job: Job, world: &World) -> Begun<Self> {
        let by = self.number();
        (job.start(world.durability), self.oracle.begins(by, job))
    }

    fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    /// Another program tears the document, removes it, or edits it well. No process is at work then: a
    /// hand in the very moment of a commit is outside the promise.
    fn tamper(&mut self, world: &mut World) {
        let World { disk, random, .. } = world;
        let Some(bytes) = disk.bytes(DOCUMENT).map(<[u8]>::to_vec) else {
            return;
        };
        match random.u8(..3) {
            0 => disk.put(DOCUMENT, &bytes[..random.usize(..bytes.len())]),
            1 => drop(disk.remove(DOCUMENT)),
            _ => {
                let text = String::from_utf8_lossy(&bytes).replacen('{', "{\"note\":\"\",", 1);
                disk.put(DOCUMENT, text.into_bytes());
            }
        }
        self.oracle.tampered(disk);
        world.happens(|| "a hand touches the document".to_owned());
    }
}

impl Kind for Jobs {
    type Watched = Watched;
    type End = Result<Ended, Error>;

    const PACE: Pace = Pace {
        processes: 1..=4,
        trouble_within: 150,
        power_within: 300,
        most_effects: 20_000,
    };

    fn round(&mut self, world: &mut World) {
        if self.has_hands && world.random.bool() {
            self.tamper(world);
        }
    }

    /// A document that a hand wrote is not durable.
    fn may_lose_power(&self, world: &World) -> bool {
        world.is_durable() && !self.has_hands
    }

    fn begin(&mut self, world: &mut World) -> Begun<Self> {
        let job = self.job(world);
        self.start(job, world)
    }

    fn about_to(&mut self, world: &World) {
        self.document = world.disk.bytes(DOCUMENT).map(<[u8]>::to_vec);
    }

    fn did(&mut self, world: &World, watched: &mut Watched, _: &Effect) -> Result<(), String> {
        let before = self.document.take();
        match world.disk.bytes(DOCUMENT) == before.as_deref() {
            true => Ok(()),
            false => self
                .oracle
                .changed(before.as_deref(), &world.disk, *watched),
        }
    }

    fn ended(
        &mut self,
        world: &World,
        watched: Watched,
        end: &Self::End,
        had_trouble: bool,
    ) -> Result<bool, String> {
        self.oracle.ended(watched, end, had_trouble, &world.disk)?;
        Ok(matches!(end, Ok(Ended::Acknowledged { .. })))
    }

    fn power_lost(&mut self, world: &World, kept: PowerLoss) -> Result<(), String> {
        self.oracle.power_lost(&world.disk, kept)
    }
}

/// Runs one job alone; whether it was acknowledged.
fn in_peace(run: &mut Run<Jobs>, job: Job) -> Result<bool, String> {
    let begun = run.kind.start(job, &run.world);
    run.alone(begun)
}

fn is_torn(world: &World) -> bool {
    let bytes = world.disk.bytes(DOCUMENT);
    bytes.is_some_and(|bytes| milepost::json::read(bytes).is_err())
}
