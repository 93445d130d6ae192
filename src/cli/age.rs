//! The age of what was made, as a list shows it.

use super::screen::DAY_MS;
use crate::time;

pub(super) const MINUTE_MS: f64 = 60_000.0;
pub(super) const HOUR_MS: f64 = 60.0 * MINUTE_MS;

/// From here on a date says more.
const MOST_DAYS: f64 = 30.0;

/// The age of what was made then: `just now`, `45min ago`, `2h ago`, `3d ago`, and its date from 30 days on.
pub(super) fn age(created: f64, now: f64) -> String {
    let ms = now - created;
    let whole = |unit: f64| (ms / unit).floor();
    match ms {
        ms if !(-MINUTE_MS..MOST_DAYS * DAY_MS).contains(&ms) => {
            time::format(created)[.."2026-01-01".len()].to_owned()
        }
        ms if ms < MINUTE_MS => "just now".to_owned(),
        ms if ms < HOUR_MS => format!("{}min ago", whole(MINUTE_MS)),
        ms if ms < DAY_MS => format!("{}h ago", whole(HOUR_MS)),
        _ => format!("{}d ago", whole(DAY_MS)),
    }
}
