//! The time at which notifications were configured: a first call sends what was reached since then.

use crate::effect::{Io, PathKind, Scanned};
use crate::integrations::FILE;
use crate::root::Root;

/// The folder of the settings holds a few files that people write.
const MAX_NAMES: u32 = 1_000;

/// Returns the time at which the project's settings were last changed, in milliseconds since 1970 and never later than
/// `now`; `now` where the host cannot say. Where the state is that of the main worktree, the earlier time of its settings
/// and of those here: a checkout writes the file again.
pub(super) async fn configured_at(io: &Io, root: &Root, now: f64) -> f64 {
    let (folder, name) = FILE.rsplit_once('/').unwrap_or((".", FILE));
    let here = changed_ms(io, root.join(folder), name).await;
    let changed_ms = match root.of_state() == root.path() {
        true => here,
        // One that is not known is no number: the other one is the earlier.
        false => here.min(changed_ms(io, root.join_of_state(folder), name).await),
    };
    match changed_ms <= now {
        true => changed_ms,
        // A clock was wrong, or the file cannot be looked at.
        false => now,
    }
}

/// Returns the time at which a file was last changed; no number where the host cannot say.
async fn changed_ms(io: &Io, folder: String, name: &str) -> f64 {
    let is_settings = |it: &Scanned| it.name == name && it.entry.kind == PathKind::File;
    let changed = match io.scan(folder, MAX_NAMES).await {
        Ok(scan) => scan.entries.into_iter().find(is_settings),
        Err(_) => None,
    };
    changed.map_or(f64::NAN, |it| it.modified_ms)
}
