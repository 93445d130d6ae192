//! The lease, a hint that keeps writers out of each other's way. Nothing depends on it: a writer that
//! cannot have it goes on without it, and a wrong takeover costs time only.

use crate::effect::{Access, Failed, Fault, Links, Sync};
use crate::error::Error;

use crate::store::read::Reader;

use super::deadline::Deadline;

/// A hint seen unchanged for this long, by one's own monotonic clock, belongs to nobody.
pub const TIME_TO_LIVE_MS: u32 = 2_000;

/// No hint that this store writes is larger.
pub const MAX_LOCK_BYTES: u32 = 256;

/// What came of asking for the hint.
pub(in crate::store) enum Lease {
    /// It is this writer's, since this moment of its deadline; whether a dead owner's was removed.
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
pub(in crate::store) async fn acquire(
    reader: &Reader<'_>,
    owner: &str,
    is_awaited: bool,
    deadline: &Deadline<'_>,
) -> Result<Lease, Error> {
    if is_awaited {
        deadline.give_way().await?;
    }
    let sign = reader.folder.host(&reader.paths.waiting());
    let mut leaves_sign = is_awaited;
    let path = reader.folder.host(&reader.paths.lock());
    let mut seen: Option<(Vec<u8>, f64)> = None;
    let mut after_dead_owner = false;
    loop {
        let since_ms = deadline.elapsed_ms().await?;
        match reader
            .io
            .create(path.clone(), content(owner), Sync::Lazy, Access::Owner)
            .await
        {
            Ok(()) => {
                if leaves_sign {
                    // Others that wait set it again.
                    let _ = reader.io.remove(sign).await;
                }
                return Ok(Lease::Held {
                    since_ms,
                    after_dead_owner,
                });
            }
            Err(Failed {
                fault: Fault::Exists | Fault::Sharing,
                ..
            }) => {}
            Err(_) => {
                // The file may be there without its content, and would delay everybody.
                let _ = reader.io.remove(path).await;
                return Ok(Lease::Without);
            }
        }
        match reader
            .io
            .read(path.clone(), MAX_LOCK_BYTES, Links::Refuse)
            .await
        {
            Ok(bytes) => match &seen {
                Some((same, since)) if *same == bytes => {
                    if since_ms - since >= f64::from(TIME_TO_LIVE_MS) {
                        match take_away(reader, owner, &bytes).await {
                            Ok(taken) => after_dead_owner |= taken,
                            Err(_) => return Ok(Lease::Without),
                        }
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
            Err(_) => return Ok(Lease::Without),
        }
        leaves_sign = true;
        let _ = reader
            .io
            .create(sign.clone(), Vec::new(), Sync::Lazy, Access::Owner)
            .await;
        deadline
            .wait(&reader.folder.shown(&reader.paths.document))
            .await?;
    }
}

/// Takes a dead owner's hint away. Somebody else may have done so and hold it by now, so what came
/// along is looked at, and put back where it is not the dead one; `false` then.
async fn take_away(reader: &Reader<'_>, owner: &str, dead: &[u8]) -> Result<bool, Failed> {
    let Reader { io, folder, paths } = reader;
    let lock = folder.host(&paths.lock());
    let aside = folder.host(&paths.aside(owner));
    match io.rename(lock.clone(), aside.clone()).await {
        Ok(()) => {}
        Err(Failed {
            fault: Fault::NotFound | Fault::Sharing,
            ..
        }) => return Ok(false),
        Err(failed) => return Err(failed),
    }
    let taken = io.read(aside.clone(), MAX_LOCK_BYTES, Links::Refuse).await;
    let is_dead = taken.is_ok_and(|bytes| bytes == dead);
    if !is_dead {
        // Never over the hint of yet another one.
        let _ = io.link(aside.clone(), lock).await;
    }
    io.remove(aside).await.map(|()| is_dead)
}

/// Gives the hint back, unless somebody took it over meanwhile.
pub(in crate::store) async fn release(
    reader: &Reader<'_>,
    lease: &Lease,
    owner: &str,
    deadline: &Deadline<'_>,
) {
    let Lease::Held { since_ms, .. } = lease else {
        return;
    };
    let path = reader.folder.host(&reader.paths.lock());
    // Long before its time to live has passed nobody has taken it over.
    let fresh = match deadline.elapsed_ms().await {
        Ok(now_ms) => now_ms - since_ms < f64::from(TIME_TO_LIVE_MS) / 2.0,
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
    format!("{owner} {TIME_TO_LIVE_MS}\n").into_bytes()
}
