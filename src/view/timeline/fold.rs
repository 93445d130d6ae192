//! The position of each moment on an axis: idle time is folded, so that work has the room.
//!
//! The time between two events is **idle** when it is longer than [`LONGER`] times the usual time between two
//! (the median of those that are not zero), and longer than [`SHORTEST_MS`] in any case. Each idle stretch is
//! drawn as long as the longest stretch could be that is not idle, but takes no more than [`EACH_SHARE`] of the
//! axis, and all of them together no more than [`IDLE_SHARE`].

use crate::json::Json;
use crate::schema::{Kind, Shaped};

/// So many times the usual time between two events is idle.
const LONGER: f64 = 8.0;
/// No shorter time is idle.
const SHORTEST_MS: f64 = 5.0 * 60_000.0;
/// Of the axis, as much as this is for idle time at most.
const IDLE_SHARE: f64 = 1.0 / 3.0;
/// The limit for one stretch of it.
const EACH_SHARE: f64 = 1.0 / 12.0;

/// A stretch of time, drawn evenly.
#[derive(Clone, Copy, Debug, PartialEq, Shaped)]
#[shape(name = "Segment")]
pub(super) struct TimelineSegment {
    /// Its beginning, in milliseconds since 1970.
    #[shape(kind = Kind::Integer, with = milliseconds)]
    pub(super) from_ms: f64,
    /// Its end.
    #[shape(kind = Kind::Integer, with = milliseconds)]
    pub(super) to_ms: f64,
    /// True if nothing happened in it.
    #[shape(name = "idle")]
    pub(super) is_idle: bool,
    /// Its beginning and end on an axis from 0 to 1.
    #[shape(kind = Kind::Pair(&Kind::Number), with = fractions)]
    pub(super) x: [f64; 2],
}

/// The axis for events at these times, which are in order: stretches without a gap between them.
pub(super) fn segments(times: &[f64]) -> Vec<TimelineSegment> {
    let gaps = times.windows(2).map(|pair| (pair[0], pair[1]));
    let gaps: Vec<(f64, f64)> = gaps.filter(|(from, to)| to > from).collect();
    let Some(first) = times.first() else {
        return Vec::new();
    };
    if gaps.is_empty() {
        return vec![TimelineSegment {
            from_ms: *first,
            // One moment has no length, and the drawing divides by it.
            to_ms: first + 1.0,
            is_idle: false,
            x: [0.0, 1.0],
        }];
    }
    let limit = limit(&gaps);
    let mut stretches: Vec<(f64, f64, bool)> = Vec::new();
    for (from, to) in gaps {
        let is_idle = to - from > limit;
        match stretches.last_mut() {
            Some((_, end, false)) if !is_idle => *end = to,
            _ => stretches.push((from, to, is_idle)),
        }
    }
    placed(&stretches, limit)
}

/// From which length on the time between two events is idle.
fn limit(gaps: &[(f64, f64)]) -> f64 {
    let mut lengths: Vec<f64> = gaps.iter().map(|(from, to)| to - from).collect();
    lengths.sort_unstable_by(f64::total_cmp);
    (lengths[lengths.len() / 2] * LONGER).max(SHORTEST_MS)
}

fn placed(stretches: &[(f64, f64, bool)], limit: f64) -> Vec<TimelineSegment> {
    let count = stretches.iter().filter(|(_, _, is_idle)| *is_idle).count() as f64;
    let busy = stretches.iter().filter(|(_, _, is_idle)| !is_idle);
    let busy: f64 = busy.map(|(from, to, _)| to - from).sum();
    // The share of the whole, computed from the part that is not idle.
    let share = IDLE_SHARE.min(count * EACH_SHARE);
    let most = busy * share / (1.0 - share) / count.max(1.0);
    let idle = if busy > 0.0 { limit.min(most) } else { limit };
    let whole = busy + idle * count;
    let mut drawn = 0.0;
    let segment = |&(from_ms, to_ms, is_idle): &(f64, f64, bool)| {
        let start = drawn;
        drawn += if is_idle { idle } else { to_ms - from_ms };
        TimelineSegment {
            from_ms,
            to_ms,
            is_idle,
            x: [start / whole, (drawn / whole).min(1.0)],
        }
    };
    stretches.iter().map(segment).collect()
}

/// A time as a whole number. (What writes any number that is not whole is 4 KB of compressed wasm.)
pub(super) fn milliseconds(ms: f64) -> Json {
    Json::Number((ms as i64).to_string().into())
}

fn fractions(places: [f64; 2]) -> Vec<Json> {
    Vec::from(places.map(fraction))
}

/// A place on the axis, to the millionth.
fn fraction(x: f64) -> Json {
    let millionths = (x * 1e6) as u32;
    let (whole, rest) = (millionths / 1_000_000, millionths % 1_000_000);
    Json::Number(format!("{whole}.{rest:06}").into())
}

#[cfg(test)]
mod tests {
    use super::{EACH_SHARE, IDLE_SHARE, segments};

    const MINUTE: f64 = 60_000.0;
    const DAY: f64 = 24.0 * 60.0 * MINUTE;

    fn shown(times: &[f64]) -> Vec<(f64, f64, bool)> {
        let segments = segments(times).into_iter();
        segments
            .map(|it| (it.from_ms, it.to_ms, it.is_idle))
            .collect()
    }

    #[test]
    fn a_night_between_two_days_of_work_is_folded() {
        let times: Vec<f64> = (0..10).map(|it| f64::from(it) * MINUTE).collect();
        let next: Vec<f64> = times.iter().map(|it| it + DAY).collect();
        let all = [times, next].concat();
        assert_eq!(
            shown(&all),
            [
                (0.0, 9.0 * MINUTE, false),
                (9.0 * MINUTE, DAY, true),
                (DAY, DAY + 9.0 * MINUTE, false)
            ]
        );
        let drawn = segments(&all);
        let idle = drawn[1].x[1] - drawn[1].x[0];
        assert!(idle > 0.05 && idle < EACH_SHARE + 1e-9, "{idle}");
    }

    #[test]
    fn a_slow_but_regular_run_is_not_idle() {
        let times: Vec<f64> = (0..20).map(|it| f64::from(it) * DAY).collect();
        assert_eq!(shown(&times), [(0.0, 19.0 * DAY, false)]);
    }

    #[test]
    fn a_few_minutes_are_not_idle_however_fast_the_work_is() {
        let times = [0.0, 1.0, 2.0, 3.0, 4.0 * MINUTE];
        assert_eq!(shown(&times), [(0.0, 4.0 * MINUTE, false)]);
    }

    #[test]
    fn one_moment_has_an_axis_that_can_be_divided_by() {
        assert_eq!(shown(&[7.0, 7.0]), [(7.0, 8.0, false)]);
        assert_eq!(shown(&[]), []);
    }

    #[test]
    fn the_axis_goes_from_end_to_end_without_a_break_and_never_back() {
        for seed in 0..2_000 {
            let _run = milepost_property::seed(
                "the axis goes from end to end without a break and never back",
                seed,
            );
            let mut random = fastrand::Rng::with_seed(seed);
            let mut now = 0.0;
            let times: Vec<f64> = (0..random.usize(2..30))
                .map(|_| {
                    let step = random.f64() * f64::powi(10.0, random.i32(0..11));
                    now += if random.u8(..4) == 0 { 0.0 } else { step };
                    now
                })
                .collect();
            let segments = segments(&times);
            assert_eq!(segments[0].from_ms, times[0], "seed {seed}");
            assert_eq!(segments[0].x[0], 0.0);
            assert!((segments.last().unwrap().x[1] - 1.0).abs() < 1e-9);
            let mut idle = 0.0;
            for pair in segments.windows(2) {
                assert_eq!(pair[0].to_ms, pair[1].from_ms, "seed {seed}");
                assert_eq!(pair[0].x[1], pair[1].x[0], "seed {seed}");
            }
            for segment in &segments {
                assert!(segment.to_ms > segment.from_ms && segment.x[1] > segment.x[0]);
                if segment.is_idle {
                    idle += segment.x[1] - segment.x[0];
                }
            }
            let is_busy = segments.iter().any(|it| !it.is_idle);
            assert!(!is_busy || idle < IDLE_SHARE + 1e-9, "seed {seed}: {idle}");
        }
    }
}
