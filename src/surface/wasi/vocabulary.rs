//! Counts exact tokens by a vocabulary in a file, which `--vocabulary` names.

use crate::effect::{Fault, Outcome};
use crate::encoding::Encoding;

use super::view::View;

/// The tokens of a text, or what is missing to count them.
pub(super) fn count(_: &View, encoding: Encoding, _: &str, _: u32) -> Outcome {
    Outcome::Failed {
        fault: Fault::Unsupported,
        detail: format!(
            "no vocabulary of {} is loaded: name its file with `--vocabulary PATH`, which lies in the npm package \
             `milepost`",
            encoding.name()
        ),
    }
}
