//! A host where nothing goes wrong, and time passes only where it is waited.
//!
//! A wait takes longer than was asked for, as on a busy machine, so that a dead writer's lock is
//! outlasted in a few looks.

use milepost::effect::{Effect, Fault, Outcome};

use milepost_disk::{Disk, failed};

const OVERSLEPT_MS: f64 = 300.0;

/// Time and chance of one peaceful operation.
#[derive(Debug)]
pub(crate) struct Calm {
    now_ms: f64,
    random: fastrand::Rng,
}

impl Calm {
    /// A host whose chance is not that of another seed.
    pub(crate) fn new(seed: u64) -> Self {
        Calm {
            now_ms: 1000.0,
            random: fastrand::Rng::with_seed(seed),
        }
    }

    /// Performs one effect.
    pub(crate) fn perform(&mut self, disk: &mut Disk, effect: &Effect) -> Outcome {
        match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: 1_800_000_000_000.0 + self.now_ms,
                monotonic_ms: self.now_ms,
            },
            Effect::Random { length } => {
                Outcome::Bytes((0..*length).map(|_| self.random.u8(..)).collect())
            }
            Effect::Wait { ms } => {
                self.now_ms += f64::from(*ms) + OVERSLEPT_MS;
                Outcome::Done
            }
            effect => {
                let outcome = disk.perform(effect);
                outcome.unwrap_or(failed(Fault::Unsupported))
            }
        }
    }
}
