//! Files that another process has open: on Windows they can be neither renamed, removed nor read
//! for a moment.

use crate::effect::{Failed, Fault, Io};

/// Tried again for 2 s; a reader has a document open for less.
const TRIES: u32 = 200;
const WAIT_MS: u32 = 10;

/// Requests an effect until no other process is in its way.
pub(crate) async fn while_shared<T>(
    io: &Io,
    request: impl AsyncFn() -> Result<T, Failed>,
) -> Result<T, Failed> {
    for _ in 0..TRIES {
        match request().await {
            Err(Failed {
                fault: Fault::Sharing,
                ..
            }) => io.wait(WAIT_MS).await?,
            done => return done,
        }
    }
    request().await
}
