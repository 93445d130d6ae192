//! Stored text, made safe to show to people.

use std::borrow::Cow;
use std::fmt::Write;

/// Characters of a stored name that a message quotes.
const MAX_QUOTED: usize = 80;

/// Writes every character that a terminal acts on, that reorders what is read, or that nobody sees,
/// as its escape, such as `\u{1b}`; everything else stays as it is.
///
/// Those are the control characters (C0, DEL and C1, line breaks included, so that one text stays
/// one line), the line and paragraph separators, the characters of Unicode's bidirectional
/// formatting (UAX #9, section 2), and those that show nothing (the property
/// `Default_Ignorable_Code_Point`): text can hide in them, and two names differ in nothing else. A
/// variation selector stays where it selects: as the only one after a character, as in ❤\u{fe0f}.
pub fn visible(text: &str) -> Cow<'_, str> {
    visible_except(text, &[])
}

/// The same for a place that shows a text as lines: line feeds and tabs stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    visible_except(text, &['\n', '\t'])
}

fn visible_except<'a>(text: &'a str, stay: &[char]) -> Cow<'a, str> {
    let shown = |(character, is_harmless)| is_harmless || stay.contains(&character);
    if harmless(text).all(shown) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for (character, is_harmless) in harmless(text) {
        if is_harmless || stay.contains(&character) {
            shown.push(character);
        } else {
            write!(shown, "{}", character.escape_unicode())
                .expect("writing into memory cannot fail");
        }
    }
    Cow::Owned(shown)
}

/// The characters of a text, and whether each may be shown to people as it is.
pub(crate) fn harmless(text: &str) -> impl Iterator<Item = (char, bool)> + '_ {
    let mut is_base = false;
    text.chars().map(move |character| {
        let is_selector = matches!(character, '\u{FE00}'..='\u{FE0F}');
        let is_harmless = match is_selector {
            true => is_base,
            false => !acts(character),
        };
        is_base = is_harmless && !is_selector && !character.is_whitespace();
        (character, is_harmless)
    })
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

/// A word of a command, as a POSIX shell takes it.
pub fn shell_word(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/@%+=:,".contains(&byte);
    match text.bytes().all(is_plain) && !text.starts_with('-') && !text.is_empty() {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

fn acts(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{AD}'
                | '\u{34F}'
                | '\u{61C}'
                | '\u{115F}'..='\u{1160}'
                | '\u{17B4}'..='\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{3164}'
                | '\u{FEFF}'
                | '\u{FFA0}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{shell_word, visible, visible_lines};

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
    fn invisible_characters_hid_a_text_or_told_two_names_apart() {
        for (text, expected) in [
            ("pla\u{200b}n", "pla\\u{200b}n"),
            ("plan\u{200d}", "plan\\u{200d}"),
            ("\u{feff}plan", "\\u{feff}plan"),
            ("pl\u{ad}an", "pl\\u{ad}an"),
            ("a\u{2060}\u{2064}", "a\\u{2060}\\u{2064}"),
            ("a\u{e0041}\u{e01ef}", "a\\u{e0041}\\u{e01ef}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn a_variation_selector_stays_where_it_selects_and_hides_nothing() {
        for text in ["❤\u{fe0f}", "1\u{fe0f}\u{20e3}", "⚠\u{fe0e} a"] {
            assert_eq!(visible(text), text);
        }
        for (text, expected) in [
            ("\u{fe00}", "\\u{fe00}"),
            ("a \u{fe01}", "a \\u{fe01}"),
            ("a\u{fe01}\u{fe02}\u{fe03}", "a\u{fe01}\\u{fe02}\\u{fe03}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn lines_stay_lines_where_they_are_shown_as_such() {
        assert_eq!(
            visible_lines("a\r\n\tb\u{1b}[2J\u{202e}"),
            "a\\u{d}\n\tb\\u{1b}[2J\\u{202e}"
        );
    }

    #[test]
    fn the_neighbours_of_hidden_characters_stay() {
        for character in [
            ' ', '~', '\u{A0}', '\u{AE}', '\u{200A}', '\u{2010}', '\u{2027}', '\u{202F}',
            '\u{205F}', '\u{2070}', '\u{FFFC}', '\u{FFFD}',
        ] {
            let text = character.to_string();
            assert_eq!(visible(&text), text, "U+{:04X}", u32::from(character));
        }
    }

    #[test]
    fn a_path_in_a_command_is_one_word_of_the_shell() {
        for (path, expected) in [
            (".claude/state/design-a.json", ".claude/state/design-a.json"),
            ("my state/a", "'my state/a'"),
            ("it's", r"'it'\''s'"),
            ("$(reboot)", "'$(reboot)'"),
            ("-rf", "'-rf'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(path), expected);
        }
    }
}
