//! The time at which notifications were configured: a first call sends what was reached since then.

use crate::effect::{Io, Kind, Scanned};
use crate::integrations::FILE;
use crate::root::Root;

/// The folder of the settings holds a few files that people write.
const MAX_NAMES: u32 = 1_000;

/// Returns the time at which the project's settings were last changed, in milliseconds since 1970 and never later than
/// `now`; `now` where the host cannot say.
pub(super) async fn configured_at(io: &Io, root: &Root, now: f64) -> f64 {
    let (folder, name) = FILE.rsplit_once('/').unwrap_or((".", FILE));
    let is_settings = |it: &Scanned| it.name == name && it.entry.kind == Kind::File;
    let changed = match io.scan(root.join(folder), MAX_NAMES).await {
        Ok(scan) => scan.entries.into_iter().find(is_settings),
        Err(_) => None,
    };
    let changed_ms = changed.map_or(f64::NAN, |it| it.modified_ms);
    match changed_ms <= now {
        true => changed_ms,
        // A clock was wrong, or the file cannot be looked at.
        false => now,
    }
}
