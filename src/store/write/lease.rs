//! The lease, a hint that keeps writers out of each other's way. Nothing depends on it: a writer that
//! cannot have it goes on without it, and a wrong takeover costs time only.

use crate::effect::{Access, Failed, Fault, Links, Sync};
use crate::error::Error;

use crate::store::read::DocumentReader;

use super::deadline::Deadline;

/// A hint seen unchanged for this long, by the reader's monotonic clock, has no living owner.
pub const TIME_TO_LIVE_MS: u32 = 2_000;

/// A waiting writer reads the hint no more often, so that waiting takes little of a busy machine.
const LOOK_MS: f64 = 200.0;

/// A sign that is seen unchanged for this long is not heeded any more: its owner is dead or
/// stopped, or the hint is held for long.
const PATIENCE_MS: u32 = 250;

/// No hint that this store writes is larger.
pub const MAX_LOCK_BYTES: u32 = 256;

/// The result of asking for the hint.
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
/// A process that updates in a loop would have the hint again before any other looks for it, and of
/// many that look now and then, chance would pass one over for seconds. So every writer that waits
/// stands in a [`Queue`], and so does one that comes and sees that others wait (`is_awaited`).
///
/// # Errors
///
/// [`Error::busy`] at the deadline; [`Error::unsafe_path`] when something else than a file is there,
/// which no writer made.
pub(in crate::store) async fn acquire(
    reader: &DocumentReader<'_>,
    owner: &str,
    is_awaited: bool,
    deadline: &Deadline<'_>,
) -> Result<Lease, Error> {
    let mut queue = Queue {
        reader,
        own: None,
        ahead: None,
        position: QueuePosition::Behind,
    };
    let acquired = try_acquire(reader, owner, is_awaited, deadline, &mut queue).await;
    // A sign that was passed over has no owner, or is set again.
    if queue.position == QueuePosition::First
        || queue.position == QueuePosition::Passing && acquired.is_ok()
    {
        let sign = reader.folder.host(&reader.paths.waiting());
        let _ = reader.io.remove(sign).await;
    }
    acquired
}

async fn try_acquire(
    reader: &DocumentReader<'_>,
    owner: &str,
    is_awaited: bool,
    deadline: &Deadline<'_>,
    queue: &mut Queue<'_>,
) -> Result<Lease, Error> {
    let path = reader.folder.host(&reader.paths.lock());
    let mut waits = is_awaited;
    let mut seen: Option<ObservedFile> = None;
    let mut after_dead_owner = false;
    loop {
        let since_ms = deadline.elapsed_ms().await?;
        if waits {
            queue.stand(owner, since_ms, deadline.start_ms()).await;
        }
        if !waits || queue.position != QueuePosition::Behind {
            match reader
                .io
                .create(path.clone(), content(owner), Sync::Lazy, Access::Owner)
                .await
            {
                Ok(()) => {
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
                    // The file may be there without its content, and would delay all writers.
                    let _ = reader.io.remove(path).await;
                    return Ok(Lease::Without);
                }
            }
        }
        if seen.as_ref().is_none_or(|seen| seen.is_due(since_ms)) {
            seen = match inspect_holder(reader, owner, &path, seen, since_ms).await? {
                Holder::Seen(seen) => Some(seen),
                Holder::Free => None,
                Holder::Dead { was_taken_away } => {
                    after_dead_owner |= was_taken_away;
                    seen = None;
                    continue;
                }
                Holder::OutOfReach => return Ok(Lease::Without),
            };
        }
        waits = true;
        let shown = reader.folder.shown(&reader.paths.document);
        let is_next = queue.position == QueuePosition::First;
        deadline.wait(&shown, is_next).await?;
    }
}

/// The owner of the hint, for a writer that could not have it.
enum Holder {
    Seen(ObservedFile),
    Free,
    /// It was seen unchanged for too long; whether it is gone.
    Dead {
        was_taken_away: bool,
    },
    /// It cannot be read here.
    OutOfReach,
}

#[cold]
#[inline(never)]
async fn inspect_holder(
    reader: &DocumentReader<'_>,
    owner: &str,
    path: &str,
    seen: Option<ObservedFile>,
    now_ms: f64,
) -> Result<Holder, Error> {
    let DocumentReader { io, folder, paths } = reader;
    let read = io.read(path.to_owned(), MAX_LOCK_BYTES, Links::Refuse);
    Ok(match (read.await, seen) {
        (Ok(bytes), Some(seen)) if seen.bytes == bytes => {
            if seen.is_expired(now_ms, TIME_TO_LIVE_MS) {
                return Ok(match take_away(reader, owner, &bytes).await {
                    Ok(was_taken_away) => Holder::Dead { was_taken_away },
                    Err(_) => Holder::OutOfReach,
                });
            }
            Holder::Seen(ObservedFile {
                last_ms: now_ms,
                ..seen
            })
        }
        (Ok(bytes), _) => Holder::Seen(ObservedFile::first(bytes, now_ms)),
        (Err(failed), _) => match failed.fault {
            Fault::NotFound | Fault::Sharing => Holder::Free,
            Fault::Symlink | Fault::WrongKind => {
                return Err(folder.error("read", &paths.lock(), &failed));
            }
            _ => Holder::OutOfReach,
        },
    })
}

/// The writers that wait. The one that began first has the sign, which says when that was, and
/// looks for the hint all the time; the others look at the sign only. It is a hint about a hint:
/// one that belongs to the dead, or to a wrong clock, delays the others by [`PATIENCE_MS`], and
/// then they ask as well.
struct Queue<'a> {
    reader: &'a DocumentReader<'a>,
    /// The content of the own sign.
    own: Option<Vec<u8>>,
    /// The sign of a writer that began before.
    ahead: Option<ObservedFile>,
    position: QueuePosition,
}

/// The position among the writers that wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QueuePosition {
    /// The sign is the own one.
    First,
    /// It is that of a writer that does not get on, or cannot be had.
    Passing,
    /// It is that of another writer, which may ask first.
    Behind,
}

impl Queue<'_> {
    /// Finds the place of this writer, which waits since `start_ms`.
    #[cold]
    #[inline(never)]
    async fn stand(&mut self, owner: &str, now_ms: f64, start_ms: f64) {
        let DocumentReader { io, folder, paths } = self.reader;
        let sign = folder.host(&paths.waiting());
        let own = self
            .own
            .get_or_insert_with(|| format!("{:016} {owner}\n", start_ms as u64).into_bytes());
        let read = io.read(sign.clone(), MAX_LOCK_BYTES, Links::Refuse).await;
        self.position = match read {
            Ok(bytes) if bytes == *own => QueuePosition::First,
            // Numbers of one length are in the order of their digits.
            Ok(bytes) if bytes < *own => {
                let ahead = self.ahead.take().filter(|ahead| ahead.bytes == bytes);
                let ahead = ahead.unwrap_or_else(|| ObservedFile::first(bytes, now_ms));
                let is_late = ahead.is_expired(now_ms, PATIENCE_MS);
                self.ahead = Some(ahead);
                match is_late {
                    true => QueuePosition::Passing,
                    false => QueuePosition::Behind,
                }
            }
            Err(failed) if failed.fault != Fault::NotFound => QueuePosition::Passing,
            younger => {
                if younger.is_ok() {
                    let _ = io.remove(sign.clone()).await;
                }
                let own = own.clone();
                match io.create(sign, own, Sync::Lazy, Access::Owner).await {
                    Ok(()) => QueuePosition::First,
                    Err(failed) if failed.fault == Fault::Exists => QueuePosition::Behind,
                    Err(_) => QueuePosition::Passing,
                }
            }
        };
    }
}

/// A file of another writer, and the moments between which it was seen.
struct ObservedFile {
    bytes: Vec<u8>,
    first_ms: f64,
    last_ms: f64,
}

impl ObservedFile {
    fn first(bytes: Vec<u8>, now_ms: f64) -> Self {
        ObservedFile {
            bytes,
            first_ms: now_ms,
            last_ms: now_ms,
        }
    }

    fn is_due(&self, now_ms: f64) -> bool {
        now_ms - self.last_ms >= LOOK_MS || self.is_expired(now_ms, TIME_TO_LIVE_MS)
    }

    fn is_expired(&self, now_ms: f64, life_ms: u32) -> bool {
        now_ms - self.first_ms >= f64::from(life_ms)
    }
}

/// Takes a dead owner's hint away. Another writer may have done so and hold it by now, so the file
/// that came along is looked at, and put back where it is not the dead one; `false` then.
async fn take_away(reader: &DocumentReader<'_>, owner: &str, dead: &[u8]) -> Result<bool, Failed> {
    let DocumentReader { io, folder, paths } = reader;
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

/// Gives the hint back, unless another writer took it over in between.
pub(in crate::store) async fn release(
    reader: &DocumentReader<'_>,
    lease: &Lease,
    owner: &str,
    deadline: &Deadline<'_>,
) {
    let Lease::Held { since_ms, .. } = lease else {
        return;
    };
    let path = reader.folder.host(&reader.paths.lock());
    // Long before its time to live has passed no writer has taken it over.
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
