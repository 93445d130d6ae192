//! A worktree that has more in it than can be looked at before a prompt: for some time no prompt tries again.

use crate::digest::digest;
use crate::effect::{Io, Links};
use crate::store::objects::ObjectWriter;

use super::limits::SnapshotLimits;
use super::snapshot_store::SnapshotStore;

/// The file, beside the moments.
const TOO_MUCH: &str = "too-much";

/// It is not larger.
const MAX_BYTES: u32 = 4 << 10;

/// A look that came to nothing is not repeated if it took longer, in milliseconds.
const LONG_MS: f64 = 1_000.0;

/// It is repeated after so long.
const AGAIN_MS: f64 = 3_600_000.0;

/// A look at the worktree.
pub(super) struct WorktreeLook {
    /// The digest of the patterns of what is not kept.
    patterns: String,
    wall_ms: f64,
    monotonic_ms: f64,
}

impl WorktreeLook {
    /// Begins now; `None` on a host without a clock.
    pub(super) async fn begin(io: &Io, limits: &SnapshotLimits) -> Option<Self> {
        let now = io.clock().await.ok()?;
        let patterns = limits.rewind_exclude.as_deref().unwrap_or_default();
        Some(WorktreeLook {
            patterns: digest(&[patterns.join("\n").as_bytes()]),
            wall_ms: now.wall_ms,
            monotonic_ms: now.monotonic_ms,
        })
    }

    /// The reason that an earlier look came to nothing, where this one would be as long.
    pub(super) async fn refused(&self, store: &SnapshotStore<'_>) -> Option<String> {
        let file = store.folder.host(TOO_MUCH);
        let read = store.io.read(file, MAX_BYTES, Links::Refuse).await.ok()?;
        let text = String::from_utf8(read).ok()?;
        let mut lines = text.splitn(3, '\n');
        let since: f64 = lines.next()?.parse().ok()?;
        let patterns = lines.next()?;
        let is_of_late = (0.0..AGAIN_MS).contains(&(self.wall_ms - since));
        let why = lines.next()?.trim_end().to_owned();
        (is_of_late && patterns == self.patterns).then_some(why)
    }

    /// Notes that it came to nothing, if it took long.
    pub(super) async fn note(&self, io: &Io, writer: &mut ObjectWriter<'_>, why: &str) {
        let now = io.clock().await;
        if now.is_ok_and(|it| it.monotonic_ms - self.monotonic_ms > LONG_MS) {
            let lines = format!("{}\n{}\n{why}\n", self.wall_ms, self.patterns);
            writer.put_cache(TOO_MUCH, lines.into_bytes()).await;
        }
    }
}
