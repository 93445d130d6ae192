//! Stored text, made safe to show to people.

use std::borrow::Cow;
use std::fmt::Write;

/// Characters of a stored name that a message quotes.
const MAX_QUOTED: usize = 80;

/// Writes every character that a terminal acts on, or that reorders what is read, as its escape,
/// such as `\u{1b}`; everything else stays as it is.
///
/// Those are the control characters (C0, DEL and C1, line breaks included, so that one text stays
/// one line), the line and paragraph separators, and the characters of Unicode's bidirectional
/// formatting (UAX #9, section 2).
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if acts(character) {
            write!(shown, "{}", character.escape_unicode())
                .expect("writing into memory cannot fail");
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// The beginning of a text in quotes, [`visible`] in all of it. (`{:?}` does the same with 3 KB of
/// tables.)
pub fn quoted(text: &str) -> String {
    let escaped = short(text).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", visible(&escaped))
}

/// The beginning of a text, for messages that name something stored: 80 characters, with `…` where
/// more follows.
pub fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

fn acts(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{061C}'
                | '\u{200E}'
                | '\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::visible;

    #[test]
    fn ordinary_text_is_not_copied() {
        let text = "Grüße, 世界 → 🏁 \\u{1b} a\u{300}";
        assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
    }

    #[test]
    fn a_terminal_escape_is_shown_instead_of_acted_on() {
        assert_eq!(
            visible("a\u{1b}]52;c;ZXZpbA==\u{7}b"),
            "a\\u{1b}]52;c;ZXZpbA==\\u{7}b"
        );
    }

    #[test]
    fn every_control_and_bidi_character_is_shown() {
        let controls = (0..=0x1F).chain(0x7F..=0x9F);
        let bidi = [0x061C, 0x200E, 0x200F]
            .into_iter()
            .chain(0x2028..=0x202E)
            .chain(0x2066..=0x2069);
        for code in controls.chain(bidi) {
            let character = char::from_u32(code).unwrap();
            assert_eq!(
                visible(&format!("<{character}>")),
                format!("<\\u{{{code:x}}}>"),
                "U+{code:04X}"
            );
        }
    }

    #[test]
    fn the_neighbours_of_hidden_characters_stay() {
        for character in [
            ' ', '~', '\u{A0}', '\u{2027}', '\u{202F}', '\u{2065}', '\u{206A}',
        ] {
            let text = character.to_string();
            assert_eq!(visible(&text), text, "U+{:04X}", u32::from(character));
        }
    }
}
