//! The limit of a checkpoint with all of its values, be they stored with it or with an earlier one.

use super::value::Ref;
use crate::error::Error;
use crate::text::quoted;

/// The most bytes of a checkpoint with the values of all of its channels. They come in one answer, which is a text of
/// the host: one of JavaScript has at most 512 MiB, and quotes and backslashes take two characters there.
pub(super) const MAX_CHECKPOINT_BYTES: u64 = 256 << 20;

/// Returns why a checkpoint could not be read again, if it is too large: one with these channels, and with so many
/// bytes of its own.
pub(super) fn refusal(id: &str, own: usize, channels: &[(String, Ref)]) -> Option<Error> {
    let values = channels.iter().map(|(_, it)| it.length as u64);
    let bytes = values.sum::<u64>() + own as u64;
    if bytes <= MAX_CHECKPOINT_BYTES {
        return None;
    }
    let largest = channels.iter().max_by_key(|(_, it)| it.length);
    let channel = largest.map(|(name, it)| (quoted(name), it.length));
    let most = channel.map_or_else(String::new, |(name, length)| {
        format!("; the channel {name} has {length} of them")
    });
    let message = format!(
        "The checkpoint {} has {bytes} bytes with all of its channels, which is more than \
         {MAX_CHECKPOINT_BYTES}{most}",
        quoted(id)
    );
    Some(Error::too_large("checkpoint".to_owned(), message))
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHECKPOINT_BYTES, refusal};
    use crate::checkpoint::thread::value::Ref;

    fn channel(name: &str, length: u64) -> (String, Ref) {
        let reference = Ref {
            at: 0,
            length: usize::try_from(length).unwrap(),
            beginning: None,
            added: 0,
        };
        (name.to_owned(), reference)
    }

    #[test]
    fn channels_that_are_too_large_together_are_refused_with_the_largest() {
        let room = MAX_CHECKPOINT_BYTES - 100;
        let at_most = [channel("small", 1), channel("large", room - 1)];
        assert!(refusal("a", 100, &at_most).is_none());

        let more = [channel("small", 2), channel("large", room - 1)];
        let error = refusal("a", 100, &more).unwrap();
        assert_eq!(error.code().as_str(), "too_large");
        let message = error.to_string();
        assert!(message.contains("more than 268435456"), "{message}");
        assert!(message.contains("the channel \"large\" has"), "{message}");
    }
}
