//! How long an operation waits for others.

use crate::effect::Io;
use crate::error::Error;

/// An operation gives up after this long.
const DEADLINE_MS: f64 = 5_000.0;

const FIRST_WAIT_MS: u32 = 1;
const LONGEST_WAIT_MS: u32 = 30;

/// Counts down to the deadline, and spreads the waiting of many writers.
pub(super) struct Patience<'a> {
    io: &'a Io,
    start_ms: f64,
    /// State of a xorshift generator; the waiting needs spread, not secrecy.
    chance: u32,
    longest_ms: u32,
}

impl<'a> Patience<'a> {
    /// Starts now. `chance` sets the jitter apart from that of other writers.
    pub(super) async fn start(io: &'a Io, chance: u32) -> Result<Self, Error> {
        let start_ms = now(io).await?;
        Ok(Patience {
            io,
            start_ms,
            chance: chance | 1,
            longest_ms: FIRST_WAIT_MS,
        })
    }

    /// Milliseconds since the start.
    pub(super) async fn elapsed_ms(&self) -> Result<f64, Error> {
        Ok(now(self.io).await? - self.start_ms)
    }

    /// Fails once the deadline has passed.
    ///
    /// # Errors
    ///
    /// [`Error::busy`]
    pub(super) async fn check(&self, shown: &str) -> Result<(), Error> {
        if self.elapsed_ms().await? > DEADLINE_MS {
            return Err(Error::busy(format!(
                "{shown} was held by other writers for 5 s; nothing was written, try again"
            )));
        }
        Ok(())
    }

    /// Waits with jitter, longer each time.
    pub(super) async fn wait(&mut self, shown: &str) -> Result<(), Error> {
        self.check(shown).await?;
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 17;
        self.chance ^= self.chance << 5;
        let ms = 1 + self.chance % self.longest_ms;
        self.longest_ms = (self.longest_ms * 2).min(LONGEST_WAIT_MS);
        self.io
            .wait(ms)
            .await
            .map_err(|failed| Error::io(format!("Cannot wait: {}", failed.detail)))
    }
}

async fn now(io: &Io) -> Result<f64, Error> {
    match io.clock().await {
        Ok(clock) => Ok(clock.monotonic_ms),
        Err(failed) => Err(Error::io(format!(
            "Cannot read the clock: {}",
            failed.detail
        ))),
    }
}
