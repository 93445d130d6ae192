//! How long an operation waits for others.

use crate::effect::Io;
use crate::error::Error;

/// An operation gives up after this long.
const DEADLINE_MS: f64 = 5_000.0;

/// The longest single wait, by how long the operation has waited already. Who waits long looks
/// more often, and so comes before those who have just begun.
const LONGEST_WAIT_MS: [(f64, u32); 4] =
    [(10.0, 4), (1_000.0, 30), (2_500.0, 10), (DEADLINE_MS, 3)];

/// A writer that finds others waiting lets them look at least once.
const COURTESY_MS: u32 = 30;

/// Counts down to the deadline, and spreads the waiting of many writers.
pub(super) struct Patience<'a> {
    io: &'a Io,
    start_ms: f64,
    /// State of a xorshift generator; the waiting needs spread, not secrecy.
    chance: u32,
}

impl<'a> Patience<'a> {
    /// Starts now. `chance` sets the jitter apart from that of other writers.
    pub(super) async fn start(io: &'a Io, chance: u32) -> Result<Self, Error> {
        let start_ms = now(io).await?;
        Ok(Patience {
            io,
            start_ms,
            chance: chance | 1,
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
    /// [`Error::Busy`]
    pub(super) async fn check(&self, shown: &str) -> Result<(), Error> {
        self.waited_ms(shown).await.map(|_| ())
    }

    /// Waits with jitter for another writer.
    pub(super) async fn wait(&mut self, shown: &str) -> Result<(), Error> {
        let waited = self.waited_ms(shown).await?;
        let longest = LONGEST_WAIT_MS.iter().find(|(until, _)| waited < *until);
        self.pause(longest.map_or(1, |(_, longest)| *longest)).await
    }

    /// Lets those go first who were here before.
    pub(super) async fn give_way(&mut self) -> Result<(), Error> {
        self.pause(COURTESY_MS).await
    }

    /// How long this writer has waited, while it may wait.
    async fn waited_ms(&self, shown: &str) -> Result<f64, Error> {
        let waited = self.elapsed_ms().await?;
        if waited > DEADLINE_MS {
            return Err(Error::busy(format!(
                "{shown} was held by other writers for 5 s; nothing was written, try again"
            )));
        }
        Ok(waited)
    }

    async fn pause(&mut self, longest_ms: u32) -> Result<(), Error> {
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 17;
        self.chance ^= self.chance << 5;
        let waited = self.io.wait(1 + self.chance % longest_ms).await;
        waited.map_err(|failed| Error::io(format!("Cannot wait: {}", failed.detail)))
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
