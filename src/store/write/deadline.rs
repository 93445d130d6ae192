//! How long an operation waits for others.

use std::cell::Cell;

use crate::effect::Io;
use crate::error::Error;

/// A writer gives up after this long.
const LONGEST_MS: f64 = 5_000.0;

/// The longest single wait, by how long the operation has waited already. Who waits long looks
/// more often, and so comes before those who have just begun.
const LONGEST_WAIT_MS: [(f64, u32); 4] = [(10.0, 4), (1_000.0, 30), (2_500.0, 10), (LONGEST_MS, 3)];

/// A writer that finds others waiting lets them look at least once.
const COURTESY_MS: u32 = 30;

/// Counts down to the deadline, and spreads the waiting of many writers.
pub(in crate::store) struct Deadline<'a> {
    io: &'a Io,
    /// What the clock showed when it was last looked at; `None` as long as nobody asked.
    seen_ms: Cell<Option<f64>>,
    /// How far it has gone on. A clock that goes back, or shows no number, costs no more than that
    /// one look: with the time of the start alone, a writer might then wait for ever.
    passed_ms: Cell<f64>,
    /// State of a xorshift generator; the waiting needs spread, not secrecy.
    chance: Cell<u32>,
}

impl<'a> Deadline<'a> {
    /// Starts when it is asked for the first time: who waits for nobody needs no clock. `chance` sets
    /// the jitter apart from that of other writers.
    pub(in crate::store) fn new(io: &'a Io, chance: u32) -> Self {
        Deadline {
            io,
            seen_ms: Cell::new(None),
            passed_ms: Cell::new(0.0),
            chance: Cell::new(chance | 1),
        }
    }

    /// Milliseconds since the start.
    pub(in crate::store) async fn elapsed_ms(&self) -> Result<f64, Error> {
        let now_ms = now(self.io).await?;
        let before_ms = self.seen_ms.replace(Some(now_ms)).unwrap_or(now_ms);
        // `max` takes a NaN for the other number.
        let since_ms = (now_ms - before_ms).max(0.0);
        self.passed_ms.set(self.passed_ms.get() + since_ms);
        Ok(self.passed_ms.get())
    }

    /// Fails once the deadline has passed.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`]
    pub(in crate::store) async fn check(&self, shown: &str) -> Result<(), Error> {
        self.waited_ms(shown).await.map(|_| ())
    }

    /// Waits with jitter for another writer.
    pub(in crate::store) async fn wait(&self, shown: &str) -> Result<(), Error> {
        let waited = self.waited_ms(shown).await?;
        let longest = LONGEST_WAIT_MS.iter().find(|(until, _)| waited < *until);
        self.pause(longest.map_or(1, |(_, longest)| *longest)).await
    }

    /// Lets those go first who were here before.
    pub(in crate::store) async fn give_way(&self) -> Result<(), Error> {
        self.pause(COURTESY_MS).await
    }

    /// How long this writer has waited, while it may wait.
    async fn waited_ms(&self, shown: &str) -> Result<f64, Error> {
        let waited = self.elapsed_ms().await?;
        if waited > LONGEST_MS {
            return Err(Error::busy(shown.to_owned()));
        }
        Ok(waited)
    }

    async fn pause(&self, longest_ms: u32) -> Result<(), Error> {
        let mut chance = self.chance.get();
        chance ^= chance << 13;
        chance ^= chance >> 17;
        chance ^= chance << 5;
        self.chance.set(chance);
        let waited = self.io.wait(1 + chance % longest_ms).await;
        waited.map_err(|failed| failed.cannot_do("wait"))
    }
}

async fn now(io: &Io) -> Result<f64, Error> {
    match io.clock().await {
        Ok(clock) => Ok(clock.monotonic_ms),
        Err(failed) => Err(failed.cannot_do("read the clock")),
    }
}

#[cfg(test)]
mod tests {
    use super::Deadline;
    use crate::effect::{Effect, Machine, Outcome};
    use crate::error::{Code, Error};

    /// Waits to the end, over a clock that begins as given and then goes on.
    fn ends_after_a_clock(first: &[f64]) -> Result<(), Error> {
        let mut shown = first
            .iter()
            .copied()
            .chain((0..100).map(|at| f64::from(at) * 100.0));
        let machine = Machine::start(|io| async move {
            let deadline = Deadline::new(&io, 1);
            loop {
                deadline.wait("x").await?;
            }
        });
        machine.run(|effect| match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: 0.0,
                monotonic_ms: shown.next().unwrap(),
            },
            _ => Outcome::Done,
        })
    }

    #[test]
    fn a_clock_that_was_wrong_once_does_not_make_a_writer_wait_for_ever() {
        for first in [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1e300,
            -1e300,
            0.0,
        ] {
            for clock in [&[first][..], &[0.0, first]] {
                let error = ends_after_a_clock(clock).unwrap_err();
                assert_eq!(error.code(), Code::Busy, "{clock:?}");
            }
        }
    }
}
