//! Whole numbers out of a number's text, exactly.

/// The value of a JSON number that is whole and fits, however it is written: `12`, `12.0`,
/// `1.2e1` and `1200E-2` are the same number.
pub(super) fn whole(text: &str) -> Option<u64> {
    if let Ok(value) = text.parse() {
        return Some(value);
    }
    whole_of_another_form(text)
}

#[cold]
#[inline(never)]
fn whole_of_another_form(text: &str) -> Option<u64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    if mantissa.bytes().all(|byte| !matches!(byte, b'1'..=b'9')) {
        return Some(0);
    }
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{integer}{fraction}");
    let significant = digits.trim_end_matches('0');
    let dropped = digits.len() - significant.len();
    let places = exponent
        .parse::<i64>()
        .ok()?
        .checked_add(i64::try_from(dropped).ok()?)?
        .checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let scale = 10_u64.checked_pow(u32::try_from(places).ok()?)?;
    significant.parse::<u64>().ok()?.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn a_whole_number_is_known_however_it_is_written() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("0.000", 0),
            ("0e99999999999999999999", 0),
            ("1", 1),
            ("1.0", 1),
            ("1e0", 1),
            ("0.1e1", 1),
            ("10E-1", 1),
            ("1.20e+2", 120),
            ("18446744073709551615", u64::MAX),
            ("1844674407370955161.50e1", u64::MAX),
        ] {
            assert_eq!(whole(text), Some(value), "{text}");
        }
    }

    #[test]
    fn a_number_that_is_not_whole_or_does_not_fit_has_no_integer() {
        for text in [
            "-1",
            "1.5",
            "1e-1",
            "0.01e1",
            "1e400",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "18446744073709551616",
            "2e19",
        ] {
            assert_eq!(whole(text), None, "{text}");
        }
    }
}
