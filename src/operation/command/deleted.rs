//! The sentence about a run that was deleted. Every operation and surface reads it here.

use crate::checkpoint::command::tombstone::ending;
use crate::error::{Advice, Error, Target};
use crate::extent::IS_WHOLE;
use crate::json::Object;
use crate::text::visible;

/// The failure for a run that is gone though its history is kept. Its tombstone, where there is one, says when it was
/// removed or renamed; a file that another program deleted says nothing.
#[cold]
pub(super) fn deleted(target: &Target, tombstone: Option<&Object>) -> Error {
    let what = match tombstone.filter(|_| IS_WHOLE).and_then(ending) {
        Some((at, None)) => format!("deleted at {}", visible(at)),
        Some((at, Some(feature))) => {
            format!("renamed to feature {} at {}", visible(feature), visible(at))
        }
        None => "deleted".to_owned(),
    };
    let title = target.title();
    Error::not_found(format!(
        "The run of {title} was {what}, but its history is kept"
    ))
    .with_advice(Advice::Recover(target.clone()))
}
