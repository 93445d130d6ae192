//! A time that a user names.

use crate::error::Error;
use crate::text::quoted;
use crate::time;

use super::screen::DAY_MS;

/// The units of `2d`, in milliseconds.
const UNITS: [(char, f64); 4] = [
    ('w', 7.0 * DAY_MS),
    ('d', DAY_MS),
    ('h', DAY_MS / 24.0),
    ('m', DAY_MS / 24.0 / 60.0),
];

/// The moment in milliseconds since 1970: an RFC 3339 time, a date, or what has gone by since then,
/// such as `2d`.
pub(super) fn parse(text: &str, now: f64) -> Result<f64, Error> {
    let moment = time::parse(text).or_else(|| time::parse(&format!("{text}T00:00:00Z")));
    if let Some(moment) = moment {
        return Ok(moment.wall_ms());
    }
    let gone_by = UNITS.iter().find_map(|(unit, ms)| {
        let count: u32 = text.strip_suffix(*unit)?.parse().ok()?;
        Some(f64::from(count) * ms)
    });
    gone_by.map(|ms| now - ms).ok_or_else(|| {
        Error::usage(format!(
            "Expected a time such as 2026-01-29T10:30:00Z, 2026-01-29, 2d, 3h or 30m, got {}",
            quoted(text)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_time_a_date_and_a_duration_name_a_moment() {
        let now = 1_767_225_600_000.0; // 2026-01-01T00:00:00Z
        for (text, expected) in [
            ("2026-01-01T00:00:00Z", 0.0),
            ("2026-01-01T01:00:00+01:00", 0.0),
            ("2026-01-01", 0.0),
            ("1w", -604_800_000.0),
            ("2d", -172_800_000.0),
            ("3h", -10_800_000.0),
            ("30m", -1_800_000.0),
            ("0m", 0.0),
        ] {
            assert_eq!(parse(text, now), Ok(now + expected), "{text}");
        }
        for text in [
            "",
            "d",
            "2",
            "-2d",
            "2 d",
            "2y",
            "yesterday",
            "2026-13-01",
            "٢d",
        ] {
            let refused = parse(text, now).unwrap_err();
            assert!(refused.to_string().contains("2d, 3h or 30m"), "{text}");
        }
    }
}
