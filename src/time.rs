//! Times: any RFC 3339 time in, one form out.
//!
//! Written out here because a date library would be a large part of the 60 KB (gzip) that the
//! wasm may have, and two calendar formulas are all that is needed of it.

/// A moment, to the nanosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Since 1970-01-01T00:00:00Z, without leap seconds.
    seconds: i64,
    nanoseconds: u32,
}

impl Time {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub fn wall_ms(self) -> f64 {
        self.seconds as f64 * 1e3 + f64::from(self.nanoseconds) / 1e6
    }
}

const DAY: i64 = 86_400;

/// 0000-01-01T00:00:00.000Z in milliseconds since 1970.
const FIRST_MS: i64 = -62_167_219_200_000;
/// 9999-12-31T23:59:59.999Z in milliseconds since 1970.
const LAST_MS: i64 = 253_402_300_799_999;

/// Reads an RFC 3339 time with any offset; `t` and `z` may be lower case.
///
/// Days are checked against their month, and a second 60 is accepted only where a leap second can
/// be: at the end of a month in UTC. Digits below the nanosecond are dropped.
pub fn parse(text: &str) -> Option<Time> {
    let (date_time, rest) = text.as_bytes().split_first_chunk::<19>()?;
    #[rustfmt::skip]
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T' | b't', h1, h2, b':', n1, n2, b':', s1, s2] =
        *date_time
    else {
        return None;
    };
    let year = number(&[y1, y2, y3, y4])?;
    let month = number(&[m1, m2]).filter(|month| (1..=12).contains(month))?;
    let day = number(&[d1, d2]).filter(|&day| day >= 1 && day <= days_in(year, month))?;
    let hour = number(&[h1, h2]).filter(|&hour| hour <= 23)?;
    let minute = number(&[n1, n2]).filter(|&minute| minute <= 59)?;
    let second = number(&[s1, s2]).filter(|&second| second <= 60)?;
    let (nanoseconds, rest) = fraction(rest)?;

    let local = days_from_civil(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
    let seconds = local - offset(rest)?;
    if second == 60 {
        let first_of_a_month = civil_from_days(seconds.div_euclid(DAY)).2 == 1;
        if seconds.rem_euclid(DAY) != 0 || !first_of_a_month {
            return None;
        }
    }
    Some(Time {
        seconds,
        nanoseconds,
    })
}

/// Writes the host's clock, milliseconds since 1970, as `YYYY-MM-DDTHH:mm:ss.sssZ`.
///
/// A clock outside the years 0 to 9999 gives the nearest time within them, and one that is no
/// number gives 1970.
pub fn format(wall_ms: f64) -> String {
    // The cast saturates, and takes NaN to 0.
    let ms = (wall_ms.floor() as i64).clamp(FIRST_MS, LAST_MS);
    let (year, month, day) = civil_from_days(ms.div_euclid(DAY * 1000));
    let ms_of_day = ms.rem_euclid(DAY * 1000);
    let (hour, minute) = (ms_of_day / 3_600_000, ms_of_day / 60_000 % 60);
    let (second, ms) = (ms_of_day / 1000 % 60, ms_of_day % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0, |number, digit| {
        digit
            .is_ascii_digit()
            .then(|| number * 10 + i64::from(digit - b'0'))
    })
}

/// The nanoseconds of an optional fraction, and what follows it.
fn fraction(rest: &[u8]) -> Option<(u32, &[u8])> {
    let Some(rest) = rest.strip_prefix(b".") else {
        return Some((0, rest));
    };
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if length == 0 {
        return None;
    }
    let digits = rest[..length].iter().map(|digit| u32::from(digit - b'0'));
    let nanoseconds = digits
        .chain(std::iter::repeat(0))
        .take(9)
        .fold(0, |number, digit| number * 10 + digit);
    Some((nanoseconds, &rest[length..]))
}

/// Seconds that local time is ahead of UTC.
fn offset(text: &[u8]) -> Option<i64> {
    match *text {
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let hours = number(&[h1, h2]).filter(|&hours| hours <= 23)?;
            let minutes = number(&[m1, m2]).filter(|&minutes| minutes <= 59)?;
            let seconds = hours * 3600 + minutes * 60;
            Some(if sign == b'-' { -seconds } else { seconds })
        }
        _ => None,
    }
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01, with years counted from 1 March, so that the leap day is the last day.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day; the inverse of [`days_from_civil`].
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = (shifted_month + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_3339_times_are_accepted() {
        for text in [
            "2026-01-29T10:30:00.000Z",
            "2026-01-29T10:30:00Z",
            "2026-01-29t10:30:00z",
            "2026-01-29T10:30:00.1+05:30",
            "2026-01-29T10:30:00.123456789123456789-23:59",
            "2026-01-29T10:30:00-00:00",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999Z",
            "2024-02-29T00:00:00Z",
            "2000-02-29T00:00:00Z",
            "1998-12-31T23:59:60Z",
            "1998-12-31T15:59:60.123-08:00",
            "2016-12-31T23:59:60.5Z",
        ] {
            assert!(parse(text).is_some(), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_not_an_rfc_3339_time_is_refused() {
        for text in [
            "",
            "2026-01-29",
            "10:30:00Z",
            "2026-01-29T10:30:00",
            "2026-01-29 10:30:00Z",
            "2026-01-29T10:30Z",
            "2026-1-29T10:30:00Z",
            "26-01-29T10:30:00Z",
            "2026-00-29T10:30:00Z",
            "2026-13-29T10:30:00Z",
            "2026-01-00T10:30:00Z",
            "2026-01-32T10:30:00Z",
            "2026-04-31T10:30:00Z",
            "2026-02-29T10:30:00Z",
            "1900-02-29T10:30:00Z",
            "2026-01-29T24:00:00Z",
            "2026-01-29T10:60:00Z",
            "2026-01-29T10:30:61Z",
            "2026-01-29T23:59:60Z",
            "1998-12-31T23:58:60Z",
            "1998-12-31T22:59:60Z",
            "2026-01-29T10:30:00.Z",
            "2026-01-29T10:30:00,5Z",
            "2026-01-29T10:30:00+24:00",
            "2026-01-29T10:30:00+05:60",
            "2026-01-29T10:30:00+0530",
            "2026-01-29T10:30:00+05",
            "2026-01-29T10:30:00 Z",
            " 2026-01-29T10:30:00Z",
            "2026-01-29T10:30:00Z ",
            "2026-01-29T10:30:00ZZ",
            "+026-01-29T10:30:00Z",
            "+12026-01-29T10:30:00Z",
            "२०२६-01-29T10:30:00Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn times_compare_as_moments_and_not_as_text() {
        let parse = |text| parse(text).unwrap();
        assert_eq!(
            parse("2026-01-29T12:00:00+02:00"),
            parse("2026-01-29T10:00:00.000Z")
        );
        assert!(parse("2026-01-29T23:00:00-05:00") > parse("2026-01-30T00:00:00Z"));
        assert!(parse("2026-01-29T10:00:00.09Z") < parse("2026-01-29T10:00:00.1Z"));
        assert_eq!(parse("1969-12-31T23:59:59Z").seconds, -1);
    }

    #[test]
    fn every_day_of_ten_thousand_years_converts_both_ways() {
        let mut days = FIRST_MS / (DAY * 1000);
        for year in 0..=9999 {
            for month in 1..=12 {
                for day in 1..=days_in(year, month) {
                    assert_eq!(days_from_civil(year, month, day), days);
                    assert_eq!(civil_from_days(days), (year, month, day));
                    days += 1;
                }
            }
        }
        assert_eq!(days * DAY * 1000 - 1, LAST_MS);
    }

    #[test]
    fn the_clock_is_written_in_the_one_form() {
        for (wall_ms, text) in [
            (0.0, "1970-01-01T00:00:00.000Z"),
            (1_769_682_600_000.0, "2026-01-29T10:30:00.000Z"),
            (1_769_682_600_007.9, "2026-01-29T10:30:00.007Z"),
            (951_782_400_000.0, "2000-02-29T00:00:00.000Z"),
            (-1.0, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(format(wall_ms), text);
        }
    }

    #[test]
    fn a_clock_out_of_range_still_gives_a_time() {
        for (wall_ms, text) in [
            (f64::NAN, "1970-01-01T00:00:00.000Z"),
            (f64::INFINITY, "9999-12-31T23:59:59.999Z"),
            (1e300, "9999-12-31T23:59:59.999Z"),
            (f64::NEG_INFINITY, "0000-01-01T00:00:00.000Z"),
            (-1e300, "0000-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(format(wall_ms), text);
            assert!(parse(text).is_some());
        }
    }
}
