//! Stored text, made safe to show to people.

use std::borrow::Cow;
use std::fmt::Write;

/// Characters of a stored name that a message quotes.
const MAX_QUOTED: usize = 80;

/// Writes every character that a terminal acts on, that reorders the text for its reader, or that
/// is invisible, as its escape, such as `\u{1b}`; everything else stays unchanged.
///
/// Those are the control characters (C0, DEL and C1, line breaks included, so that one text stays
/// one line), the line and paragraph separators, the characters of Unicode's bidirectional
/// formatting (UAX #9, section 2), and those that show nothing (the property
/// `Default_Ignorable_Code_Point`): text can hide in them, and two names differ in nothing else. A
/// variation selector stays where it selects: as the only one after a character, as in ❤\u{fe0f}.
pub fn visible(text: &str) -> Cow<'_, str> {
    visible_except(text, &[])
}

/// Writes them so for a place that shows a text as lines: line feeds and tabs stay.
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

/// JSON text with every hidden character as an escape of JSON: the same value, and nothing in it acts or hides. So is
/// the text of YAML's double quotes.
///
/// Line feeds and tabs stay: they are the layout, and a string has none of them as they are.
pub fn escaped_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len() + 16);
    for (character, is_harmless) in harmless(json) {
        if is_harmless || matches!(character, '\n' | '\t') {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(escaped, "\\u{unit:04x}").expect("writing into memory cannot fail");
        }
    }
    escaped
}

/// The characters of a text, and whether each may be shown to people as it is.
pub(crate) fn harmless(text: &str) -> impl Iterator<Item = (char, bool)> + '_ {
    let mut is_base = false;
    text.chars().map(move |character| {
        let is_selector = is_selector(character);
        let is_harmless = match is_selector {
            true => is_base,
            false => !acts(character),
        };
        // Of the punctuation of ASCII, keycaps alone have forms.
        let has_forms = matches!(character, '#' | '*')
            || !character.is_whitespace() && !character.is_ascii_punctuation();
        is_base = is_harmless && !is_selector && has_forms;
        (character, is_harmless)
    })
}

/// The bytes of a name that is not Unicode, as a text: `\xff` for a byte outside of UTF-8, and `\\`
/// for `\`.
pub fn escaped(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len() + 8);
    for chunk in name.utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', r"\\"));
        for byte in chunk.invalid() {
            text.push_str(r"\x");
            let digits = [byte >> 4, byte & 15].map(|it| char::from_digit(it.into(), 16));
            text.extend(digits.into_iter().flatten());
        }
    }
    text
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

/// Every character that is hidden wherever it stands: the first and the last one of each range. Hosts that show texts
/// of their own have this list from a file that is printed of it.
pub fn hidden() -> Vec<(char, char)> {
    ranges(acts)
}

/// Every character that is hidden unless it selects a form of the character before it.
pub fn selectors() -> Vec<(char, char)> {
    ranges(is_selector)
}

fn ranges(is_one: fn(char) -> bool) -> Vec<(char, char)> {
    let mut ranges: Vec<(char, char)> = Vec::new();
    let mut was_one = false;
    for character in '\0'..=char::MAX {
        let is = is_one(character);
        if is && !was_one {
            ranges.push((character, character));
        } else if is && let Some((_, last)) = ranges.last_mut() {
            *last = character;
        }
        was_one = is;
    }
    ranges
}

/// Returns whether a character shows nothing, or acts on what shows it.
pub(crate) fn is_hidden(character: char) -> bool {
    acts(character) || is_selector(character)
}

fn is_selector(character: char) -> bool {
    matches!(character, '\u{FE00}'..='\u{FE0F}')
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

    use super::{escaped, escaped_json, hidden, selectors, shell_word, visible, visible_lines};

    #[test]
    fn bytes_that_are_not_unicode_have_a_text_of_their_own() {
        for (name, expected) in [
            (&b"bad\xffname"[..], r"bad\xffname"),
            (br"bad\xffname", r"bad\\xffname"),
            (b"\xc3\xa4\xc3", r"ä\xc3"),
            (b"", ""),
        ] {
            assert_eq!(escaped(name), expected);
        }
    }

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
    fn invisible_characters_hide_no_text_and_distinguish_no_names() {
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
    fn hidden_characters_are_escapes_that_mean_the_same_in_json() {
        let stored = "{\n\t\"a\": \"x\u{202e}y\u{e0041}z\u{7f} ü❤\u{fe0f}\"\n}";
        assert_eq!(
            escaped_json(stored),
            "{\n\t\"a\": \"x\\u202ey\\udb40\\udc41z\\u007f ü❤\u{fe0f}\"\n}"
        );
        let read: serde_json::Value = serde_json::from_str(&escaped_json(stored)).unwrap();
        let same: serde_json::Value = serde_json::from_str(stored).unwrap();
        assert_eq!(read, same);
    }

    #[test]
    fn the_ranges_have_each_hidden_character_and_no_other() {
        let is_in = |ranges: &[(char, char)], it: char| {
            ranges
                .iter()
                .any(|(first, last)| (*first..=*last).contains(&it))
        };
        let (hidden, selectors) = (hidden(), selectors());
        assert_eq!(selectors, [('\u{fe00}', '\u{fe0f}')]);
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            let is_shown = visible(&text) == text;
            let is_listed = is_in(&hidden, character) || is_in(&selectors, character);
            assert_eq!(is_shown, !is_listed, "U+{:04X}", u32::from(character));
        }
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
