//! The schedule of further attempts that Standard Webhooks 1.0 recommends.

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// The wait of each attempt after the one before it, the first included.
const WAITS_MS: [u64; 10] = [
    0,
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
];

/// The number of attempts of a delivery.
pub const ATTEMPTS: u64 = WAITS_MS.len() as u64;

/// A receiver that asks for more is asked again all the same.
const MAX_RETRY_AFTER_MS: u64 = 24 * HOUR;

/// No attempt waits longer than this after the one before it: what is due later was written by a clock that
/// was wrong.
pub const MAX_WAIT_MS: u64 = 27 * HOUR;

/// The wait before the next attempt, in milliseconds, after so many have failed; `None` where there is no other one. Up
/// to a tenth is added or taken, by `spread`, which is different for each delivery, so that they do not all come back
/// in one moment. A receiver may ask for a later time.
pub fn wait(failed: u64, spread: u32, retry_after_ms: Option<u64>) -> Option<u64> {
    let wait = *WAITS_MS.get(usize::try_from(failed).ok()?)?;
    let share = f64::from(spread) / f64::from(u32::MAX);
    let spread = (wait as f64 * (0.9 + 0.2 * share)) as u64;
    let requested = retry_after_ms.unwrap_or_default().min(MAX_RETRY_AFTER_MS);
    Some(spread.max(requested))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attempts_are_those_of_the_standard() {
        let waits: Vec<u64> = (0..ATTEMPTS)
            .map(|failed| wait(failed, u32::MAX / 2, None).unwrap() / SECOND)
            .collect();
        let expected = [
            0, 4, 299, 1_799, 7_199, 17_999, 35_999, 50_399, 71_999, 86_399,
        ];
        assert_eq!(waits, expected, "rounded down");
        assert_eq!(wait(ATTEMPTS, 0, None), None);
        assert_eq!(wait(ATTEMPTS, 0, Some(5)), None);
        assert_eq!(wait(u64::MAX, 0, None), None);
    }

    #[test]
    fn a_wait_is_spread_by_a_tenth_and_no_more() {
        for failed in 1..ATTEMPTS {
            let plain = WAITS_MS[failed as usize] as f64;
            let at = |spread| wait(failed, spread, None).unwrap() as f64 / plain;
            assert!((at(0) - 0.9).abs() < 0.001 && (at(u32::MAX) - 1.1).abs() < 0.001);
            assert!(at(1 << 30) < at(3 << 30));
            assert!(wait(failed, u32::MAX, Some(u64::MAX)).unwrap() <= MAX_WAIT_MS);
        }
    }

    #[test]
    fn a_receiver_may_ask_for_later_and_never_for_earlier_nor_for_next_year() {
        assert_eq!(wait(1, 0, Some(60 * SECOND)), Some(60 * SECOND));
        assert_eq!(wait(2, 0, Some(1)), Some(270 * SECOND));
        assert_eq!(wait(1, 0, Some(365 * 24 * HOUR)), Some(24 * HOUR));
    }
}
