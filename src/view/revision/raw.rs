//! A document as it is stored, for eyes.

use std::fmt::Write as _;

use crate::text::harmless;

/// The text of a document with every character that hides, or turns the order of what is read, as the escape that
/// means the same in JSON and between YAML's double quotes: what is copied says what was stored.
pub(super) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (character, is_harmless) in harmless(text) {
        if is_harmless || matches!(character, '\n' | '\t') {
            shown.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing into memory cannot fail.
            let _ = write!(shown, "\\u{unit:04x}");
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn what_turns_the_order_of_a_text_is_an_escape_that_means_the_same() {
        let stored = "{\n\t\"a\": \"x\u{202e}y\u{e0041}z ü\"\n}";
        let shown = escaped(stored);
        assert_eq!(shown, "{\n\t\"a\": \"x\\u202ey\\udb40\\udc41z ü\"\n}");
    }
}
