//! Numbers that YAML 1.1, YAML 1.2 and JSON have in common.

/// Returns whether a plain scalar is a number of JSON that YAML 1.1 and 1.2 read as the same
/// number.
///
/// `012`, `0x10`, `1_000`, `12:30` and `.5` are no numbers of JSON; `1e3` is one, and a text in YAML
/// 1.1, which asks for a point and a signed exponent.
pub(super) fn is_common(text: &str) -> bool {
    let Some((mantissa, exponent)) = parts(text) else {
        return false;
    };
    exponent.is_none_or(|exponent| mantissa.contains('.') && exponent.starts_with(['+', '-']))
}

/// A number of JSON as all of YAML reads it: as it is, or `1e3` as `1.0e+3`.
pub(super) fn common(text: &str) -> String {
    let Some((mantissa, Some(exponent))) = parts(text).filter(|_| !is_common(text)) else {
        return text.to_owned();
    };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let is_signed = exponent.starts_with(['+', '-']);
    let sign = if is_signed { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}

/// Returns the parts before and after the `e` of a number of JSON (RFC 8259, section 6).
fn parts(text: &str) -> Option<(&str, Option<&str>)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let has_leading_zero = whole.len() > 1 && whole.starts_with('0');
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let exponent_digits = exponent.map(|it| it.strip_prefix(['+', '-']).unwrap_or(it));
    let is_number = digits(whole)
        && !has_leading_zero
        && fraction.is_none_or(digits)
        && exponent_digits.is_none_or(digits);
    is_number.then_some((mantissa, exponent))
}

#[cfg(test)]
mod tests {
    use super::{common, is_common};

    #[test]
    fn a_text_that_one_yaml_reads_as_a_number_stays_a_text() {
        for text in [
            "",
            "-",
            "+1",
            "012",
            "00",
            "-01",
            "0x10",
            "0o17",
            "0b1",
            "1_000",
            "12:30",
            "1e3",
            "1E3",
            "1.5e3",
            "1e+3",
            ".5",
            "5.",
            "1.e+3",
            ".inf",
            "-.inf",
            ".nan",
            "1,000",
            "1 2",
            "١",
            "e3",
            "1e",
            "1.0e+",
            "--1",
            "2025-01-26",
        ] {
            assert!(!is_common(text), "{text}");
        }
    }

    #[test]
    fn a_number_that_all_read_alike_stays_a_number() {
        for text in [
            "0",
            "-0",
            "7",
            "-12",
            "0.5",
            "-1.50",
            "1.0e+3",
            "1.5E-3",
            "12345678901234567890",
        ] {
            assert!(is_common(text), "{text}");
            assert_eq!(common(text), text);
        }
    }

    #[test]
    fn an_exponent_without_a_sign_is_written_and_read_as_a_number() {
        for (text, expected) in [
            ("1e3", "1.0e+3"),
            ("1E-3", "1.0e-3"),
            ("-1.5e400", "-1.5e+400"),
            ("1e+3", "1.0e+3"),
        ] {
            assert_eq!(common(text), expected);
            assert!(is_common(expected));
        }
    }
}
