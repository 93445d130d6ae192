//! The plan of stops and kills: all of it decided by a seed.

use std::fmt;
use std::time::Duration;

use fastrand::Rng;

/// Of so many kills, one hits a process that is stopped.
const KILLS_PER_KILL_OF_A_STOPPED_ONE: u32 = 5;

/// The time that another writer's lock is waited for before it is taken over.
pub(crate) const LOCK_TIME_TO_LIVE: Duration = Duration::from_secs(2);

/// Of so many pauses, one outlasts the time to live of a lock.
const PAUSES_PER_LONG_ONE: u32 = 25;

/// Of so many pauses, one outlasts the time that an operation waits, which is 5 s.
const PAUSES_PER_ENDLESS_ONE: u32 = 60;

/// At most so many operations run undisturbed between two deeds on one writer.
const MOST_OPERATIONS: u32 = 3;

/// The delay of a deed after the beginning of an operation, in microseconds: an operation
/// takes from 1 to some 100 ms, most of which it waits for others.
const DELAY_MICROS: std::ops::Range<u32> = 100..100_000;

const SHORT_PAUSE_MICROS: std::ops::Range<u32> = 500..100_000;
const LONG_PAUSE_MICROS: std::ops::Range<u32> = 2_050_000..3_000_000;
const ENDLESS_PAUSE_MICROS: std::ops::Range<u32> = 5_100_000..5_500_000;

/// The deed that is done to a writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Pause(Duration),
    Kill,
    /// Stopped for so long, then killed without having gone on.
    PauseAndKill(Duration),
}

impl Deed {
    /// Returns whether it is worth waiting for a moment in which the others wait for this writer: then they
    /// take over its lock, and it goes on as if nothing had happened.
    pub(crate) fn outlasts_a_lock(self) -> bool {
        match self {
            Deed::Pause(length) | Deed::PauseAndKill(length) => length > LOCK_TIME_TO_LIVE,
            Deed::Kill => false,
        }
    }
}

/// One deed on a writer, and how long it is left alone before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// So many operations are undisturbed.
    pub(crate) operations: u32,
    /// So long after the next one has begun, the deed is done, regardless of what runs by then; one that
    /// outlasts a lock is tried again after so long, until others wait for this writer.
    pub(crate) delay: Duration,
    pub(crate) deed: Deed,
}

/// The number of deeds of each kind, over all writers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amount {
    pub(crate) writers: u32,
    pub(crate) kills: u32,
    /// Those before a kill are among them.
    pub(crate) pauses: u32,
}

/// The steps of each writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) writers: Vec<Vec<Step>>,
}

impl Plan {
    pub(crate) fn new(seed: u64, amount: Amount) -> Self {
        let mut chance = Rng::with_seed(seed);
        let stopped_kills = (amount.kills / KILLS_PER_KILL_OF_A_STOPPED_ONE).min(amount.pauses);
        let mut deeds = Vec::new();
        for number in 0..amount.pauses {
            let length = pause(&mut chance);
            deeds.push(match number < stopped_kills {
                true => Deed::PauseAndKill(length),
                false => Deed::Pause(length),
            });
        }
        deeds.extend((stopped_kills..amount.kills).map(|_| Deed::Kill));
        chance.shuffle(&mut deeds);

        let mut writers = vec![Vec::new(); amount.writers as usize];
        for (number, deed) in deeds.into_iter().enumerate() {
            writers[number % amount.writers as usize].push(Step {
                operations: chance.u32(0..=MOST_OPERATIONS),
                delay: spread(&mut chance, DELAY_MICROS),
                deed,
            });
        }
        Plan { writers }
    }
}

fn pause(chance: &mut Rng) -> Duration {
    match chance.u32(0..PAUSES_PER_ENDLESS_ONE) {
        0 => spread(chance, ENDLESS_PAUSE_MICROS),
        _ if chance.u32(0..PAUSES_PER_LONG_ONE) == 0 => spread(chance, LONG_PAUSE_MICROS),
        _ => spread(chance, SHORT_PAUSE_MICROS),
    }
}

/// As many below the geometric mean as above it, so that what is short is hit as well.
fn spread(chance: &mut Rng, micros: std::ops::Range<u32>) -> Duration {
    let (shortest, longest) = (f64::from(micros.start), f64::from(micros.end));
    let length = shortest * (longest / shortest).powf(chance.f64());
    Duration::from_micros(length as u64)
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, steps) in self.writers.iter().enumerate() {
            writeln!(f, "writer {number}")?;
            for step in steps {
                writeln!(
                    f,
                    "  after {} operations and {:.1} ms: {}",
                    step.operations,
                    milliseconds(step.delay),
                    step.deed
                )?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::Pause(length) => write!(f, "stopped for {:.1} ms", milliseconds(*length)),
            Deed::Kill => write!(f, "killed"),
            Deed::PauseAndKill(length) => {
                let length = milliseconds(*length);
                write!(f, "stopped for {length:.1} ms, then killed")
            }
        }
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Amount, Deed, Plan};

    const USUAL: Amount = Amount {
        writers: 16,
        kills: 200,
        pauses: 500,
    };

    fn deeds(plan: &Plan) -> Vec<Deed> {
        plan.writers
            .iter()
            .flatten()
            .map(|step| step.deed)
            .collect()
    }

    #[test]
    fn a_seed_always_gives_one_plan() {
        let plan = Plan::new(7, USUAL);
        assert_eq!(plan, Plan::new(7, USUAL));
        assert_ne!(plan, Plan::new(8, USUAL));
    }

    #[test]
    fn all_kills_and_pauses_that_are_asked_for_are_done() {
        for amount in [
            USUAL,
            Amount {
                writers: 3,
                kills: 7,
                pauses: 0,
            },
            Amount {
                writers: 5,
                kills: 0,
                pauses: 11,
            },
            Amount {
                writers: 1,
                kills: 100,
                pauses: 1,
            },
        ] {
            let deeds = deeds(&Plan::new(1, amount));
            let count = |is: fn(&Deed) -> bool| deeds.iter().filter(|deed| is(deed)).count();
            let kills = count(|deed| !matches!(deed, Deed::Pause(_)));
            let pauses = count(|deed| !matches!(deed, Deed::Kill));
            assert_eq!(
                (kills, pauses),
                (amount.kills as usize, amount.pauses as usize),
                "{amount:?}"
            );
        }
    }

    #[test]
    fn some_pauses_outlast_the_lock_and_some_are_short() {
        let deeds = deeds(&Plan::new(1, USUAL));
        let length = |deed: &Deed| match deed {
            Deed::Pause(length) | Deed::PauseAndKill(length) => Some(*length),
            Deed::Kill => None,
        };
        let longest = deeds.iter().filter_map(length).max();
        assert!(longest > Some(Duration::from_secs(5)), "{longest:?}");
        let long = deeds.iter().filter(|deed| deed.outlasts_a_lock()).count();
        assert!((15..60).contains(&long), "{long}");
        let stopped = |deed: &&Deed| matches!(deed, Deed::PauseAndKill(_));
        assert_eq!(deeds.iter().filter(stopped).count(), 40);
    }

    #[test]
    fn no_writer_is_spared() {
        let plan = Plan::new(1, USUAL);
        assert!(plan.writers.iter().all(|steps| steps.len() >= 41));
    }
}
