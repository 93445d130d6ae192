//! A hint that keeps writers out of each other's way. Nothing depends on it: a writer that cannot
//! have it goes on without it, and a wrong takeover costs time only.

use crate::effect::{Failed, Fault, Links, Sync};
use crate::error::Error;

use super::document::Reader;
use super::patience::Patience;

/// A hint seen unchanged for this long, by one's own monotonic clock, belongs to nobody.
const TIME_TO_LIVE_MS: f64 = 2_000.0;

/// No hint that this store writes is larger.
const MAX_LOCK_BYTES: u32 = 256;

/// What came of asking for the hint.
pub(super) enum Hint {
    /// It is this writer's, since this moment of its patience; whether a dead owner's was removed.
    Held {
        since_ms: f64,
        after_dead_owner: bool,
    },
    /// It cannot be had here.
    Without,
}

/// Waits for the hint.
///
/// A process that updates in a loop would have the hint again before anybody else looks for it. So
/// whoever waits leaves a sign, and whoever comes and sees it (`is_awaited`) gives way once.
///
/// # Errors
///
/// [`Error::busy`] at the deadline; [`Error::unsafe_path`] when something else than a file is there,
/// which no writer made.
pub(super) async fn acquire(
    reader: &Reader<'_>,
    owner: &str,
    is_awaited: bool,
    patience: &mut Patience<'_>,
) -> Result<Hint, Error> {
    if is_awaited {
        patience.give_way().await?;
    }
    let sign = reader.folder.host(&reader.paths.waiting());
    let mut leaves_sign = is_awaited;
    let path = reader.folder.host(&reader.paths.lock());
    let mut seen: Option<(Vec<u8>, f64)> = None;
    let mut after_dead_owner = false;
    loop {
        let since_ms = patience.elapsed_ms().await?;
        match reader
            .io
            .create(path.clone(), content(owner), Sync::Lazy)
            .await
        {
            Ok(()) => {
                if leaves_sign {
                    // Others that wait set it again.
                    let _ = reader.io.remove(sign).await;
                }
                return Ok(Hint::Held {
                    since_ms,
                    after_dead_owner,
                });
            }
            Err(Failed {
                fault: Fault::Exists,
                ..
            }) => {}
            Err(_) => return Ok(Hint::Without),
        }
        match reader
            .io
            .read(path.clone(), MAX_LOCK_BYTES, Links::Refuse)
            .await
        {
            Ok(bytes) => match &seen {
                Some((same, since)) if *same == bytes => {
                    if since_ms - since >= TIME_TO_LIVE_MS {
                        if reader.io.remove(path.clone()).await.is_err() {
                            return Ok(Hint::Without);
                        }
                        after_dead_owner = true;
                        seen = None;
                        continue;
                    }
                }
                _ => seen = Some((bytes, since_ms)),
            },
            Err(Failed {
                fault: Fault::NotFound | Fault::Sharing,
                ..
            }) => seen = None,
            Err(failed) if matches!(failed.fault, Fault::Symlink | Fault::WrongKind) => {
                let lock = reader.paths.lock();
                return Err(reader.folder.error("read", &lock, &failed));
            }
            Err(_) => return Ok(Hint::Without),
        }
        leaves_sign = true;
        let _ = reader.io.create(sign.clone(), Vec::new(), Sync::Lazy).await;
        patience
            .wait(&reader.folder.shown(&reader.paths.document))
            .await?;
    }
}

/// Gives the hint back, unless somebody took it over meanwhile.
pub(super) async fn release(
    reader: &Reader<'_>,
    hint: &Hint,
    owner: &str,
    patience: &Patience<'_>,
) {
    let Hint::Held { since_ms, .. } = hint else {
        return;
    };
    let path = reader.folder.host(&reader.paths.lock());
    // Before its time to live has passed nobody can have taken it over.
    let fresh = match patience.elapsed_ms().await {
        Ok(now_ms) => now_ms - since_ms < TIME_TO_LIVE_MS,
        Err(_) => false,
    };
    let still_own = || async {
        let bytes = reader
            .io
            .read(path.clone(), MAX_LOCK_BYTES, Links::Refuse)
            .await;
        bytes.is_ok_and(|bytes| bytes == content(owner))
    };
    if fresh || still_own().await {
        // Left over, it delays the next writer by its time to live.
        let _ = reader.io.remove(path.clone()).await;
    }
}

fn content(owner: &str) -> Vec<u8> {
    format!("{owner} {}\n", TIME_TO_LIVE_MS as u32).into_bytes()
}
