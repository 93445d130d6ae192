//! One value that the words of a call may spell in several ways.

use std::fmt::Display;

use crate::error::Error;

/// Returns the value that the spellings have in common; `None` where none is given. `noun` names it.
///
/// # Errors
///
/// [`Error::usage`] where two of them differ.
pub(super) fn one_value<T: Display + PartialEq, const N: usize>(
    noun: &str,
    spellings: [Option<T>; N],
) -> Result<Option<T>, Error> {
    let mut given = spellings.into_iter().flatten();
    let Some(first) = given.next() else {
        return Ok(None);
    };
    match given.find(|other| *other != first) {
        None => Ok(Some(first)),
        Some(other) => Err(Error::usage(format!(
            "Expected one {noun}, got {first} and {other}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::one_value;

    #[test]
    fn spellings_of_one_value_agree_or_are_refused() {
        for (spellings, expected) in [
            ([None, None], Ok(None)),
            ([Some(3), None], Ok(Some(3))),
            ([None, Some(3)], Ok(Some(3))),
            ([Some(3), Some(3)], Ok(Some(3))),
            (
                [Some(3), Some(4)],
                Err("Expected one revision, got 3 and 4".to_owned()),
            ),
        ] {
            let value = one_value("revision", spellings);
            assert_eq!(value.map_err(|error| error.to_string()), expected);
        }
    }
}
