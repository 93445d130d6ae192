//! The time that an operation waits for others.

use std::cell::Cell;

use crate::effect::Io;
use crate::error::Error;

/// A writer gives up after this long.
const LONGEST_MS: f64 = 5_000.0;

/// The longest single wait of one who has just begun: most others are about to end.
const FIRST_WAIT_MS: u32 = 4;

/// The length of the first part.
const FIRST_MS: f64 = 10.0;

/// The longest single wait after that.
const LONGEST_WAIT_MS: u32 = 30;

/// From then on it is this, squared, over the time that the operation has waited already: a writer
/// that waits twice as long looks twice as often, no matter how long a turn takes on this machine.
const OFTEN_MS: f64 = 55.0;

/// The next in line looks all the time.
const NEXT_WAIT_MS: u32 = 1;

/// Counts down to the deadline, and spreads the waiting of many writers.
pub(in crate::store) struct Deadline<'a> {
    io: &'a Io,
    /// The time of the clock when it was last looked at; `None` before the first look.
    seen_ms: Cell<Option<f64>>,
    /// The time of the other clock when this one was first looked at.
    start_ms: Cell<f64>,
    /// The time that has passed. A clock that goes back, or shows no number, costs no more than
    /// that one look: with the time of the start alone, a writer might then wait for ever.
    passed_ms: Cell<f64>,
    /// State of a xorshift generator; the waiting needs spread, not secrecy.
    chance: Cell<u32>,
}

impl<'a> Deadline<'a> {
    /// Starts when it is asked for the first time: a writer that does not wait needs no clock.
    /// `chance` sets the jitter apart from that of other writers.
    pub(in crate::store) fn new(io: &'a Io, chance: u32) -> Self {
        Deadline {
            io,
            seen_ms: Cell::new(None),
            start_ms: Cell::new(0.0),
            passed_ms: Cell::new(0.0),
            chance: Cell::new(chance | 1),
        }
    }

    /// Returns the time of the clock on the wall at the start, for writers that have no other clock
    /// in common.
    pub(in crate::store) fn start_ms(&self) -> f64 {
        self.start_ms.get()
    }

    /// Milliseconds since the start.
    pub(in crate::store) async fn elapsed_ms(&self) -> Result<f64, Error> {
        let clock = self.io.now().await?;
        let now_ms = clock.monotonic_ms;
        let before_ms = self.seen_ms.replace(Some(now_ms)).unwrap_or_else(|| {
            self.start_ms.set(clock.wall_ms);
            now_ms
        });
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

    /// Waits with jitter for another writer; for a moment only where this one is next.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`]
    #[cold]
    #[inline(never)]
    pub(in crate::store) async fn wait(&self, shown: &str, is_next: bool) -> Result<(), Error> {
        let waited = self.waited_ms(shown).await?;
        let longest = match waited < FIRST_MS {
            _ if is_next => NEXT_WAIT_MS,
            true => FIRST_WAIT_MS,
            false => ((OFTEN_MS * OFTEN_MS / waited) as u32).clamp(1, LONGEST_WAIT_MS),
        };
        self.pause(longest).await
    }

    /// Returns the time that this writer has waited, while it may wait.
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
                deadline.wait("x", false).await?;
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
