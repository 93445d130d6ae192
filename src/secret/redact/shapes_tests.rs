//! Every shape of a token, in any place and with any hidden character in it.

use super::super::suspect::suspect;
use super::token_sample::{Sample, tokens};
use super::{find_secrets, redact, secret_in};
use crate::text;

/// Returns whether a piece of the secret is left that is long enough to be recognised.
fn is_left(text: &str, secret: &str) -> bool {
    const LONG: usize = 12;
    let pieces = secret.as_bytes().windows(LONG);
    let mut pieces = pieces.filter_map(|it| str::from_utf8(it).ok());
    // The beginning of a token may stand.
    pieces.next_back().is_some_and(|last| text.contains(last))
        || pieces.skip(secret.len() / 2).any(|it| text.contains(it))
}

#[track_caller]
fn assert_hidden(text: &str, secret: &str, name: &str) {
    let redacted = redact(text);
    assert!(
        !redacted.findings.is_empty() && !is_left(&redacted.text, secret),
        "{name}: {text:?} gave {:?}",
        redacted.text
    );
    assert!(suspect(text), "{name}: {text:?} is not suspected");
    assert_eq!(secret_in(text), Some(redacted.findings[0].rule));
}

#[test]
fn a_token_of_every_issuer_is_found_behind_any_text() {
    let mut shapes = 0;
    for Sample {
        name,
        text: secret,
        is_alone,
    } in tokens(1)
    {
        shapes += 1;
        for before in [
            "",
            " ",
            "a = \"",
            "{\"out\":\"done\\n",
            "{\\\"out\\\":\\\"done\\\\n",
            "\u{1b}[32m",
            "\\u001b[1;32m",
            "token%3D",
            "TOKEN\\u003d",
            "(",
            "@",
        ] {
            assert_hidden(&format!("{before}{secret}"), &secret, &name);
            assert_hidden(&format!("{before}{secret}\u{1b}[0m\nnext"), &secret, &name);
        }
        if is_alone {
            continue;
        }
        for before in [
            "x",
            "Z",
            "7",
            "my_",
            "my-",
            "my.",
            "done\u{fc}",
            "https://example.org/",
        ] {
            assert_hidden(&format!("{before}{secret} and"), &secret, &name);
        }
    }
    assert!(shapes >= 240, "{shapes}");
}

#[test]
fn a_token_with_invisible_characters_in_it_is_found() {
    let ranges = [text::hidden(), text::selectors()].concat();
    let ends = ranges.iter().flat_map(|(first, last)| [*first, *last]);
    let mut hidden: Vec<String> = ends.map(String::from).collect();
    hidden.extend(["\u{1b}[0m", "\\u200b", "\\u{200b}"].map(str::to_owned));
    for Sample {
        name, text: secret, ..
    } in tokens(2)
    {
        for hidden in &hidden {
            assert_hidden_with(hidden, &secret, &name);
        }
    }
}

/// Asserts that a token is hidden that has this in its middle.
#[track_caller]
fn assert_hidden_with(hidden: &str, secret: &str, name: &str) {
    let (first, last) = secret.split_at(secret.len() / 2);
    let text = format!("a {first}{hidden}{last} b");
    let redacted = redact(&text);
    let left = redacted.text.replace(hidden, "");
    assert!(!is_left(&left, secret), "{name}: {text:?} gave {left:?}");
    assert!(redacted.text.starts_with("a ") && redacted.text.ends_with(" b"));
    assert!(suspect(&text), "{name}: {text:?} is not suspected");
}

#[test]
fn a_token_with_any_hidden_character_or_escape_of_one_is_found() {
    let secret = ["gh", "p_", "0123456789abcdefghijABCDEFGHIJ012345"].concat();
    let ranges = [text::hidden(), text::selectors()].concat();
    let all = ranges.iter().flat_map(|(first, last)| *first..=*last);
    for character in all {
        let code = u32::from(character);
        // White space parts words, for its reader too; and of a long range the rest is as its beginning.
        if matches!(character, '\t'..='\r') || code > 0xe0200 && code % 64 != 63 {
            continue;
        }
        let bytes = character.to_string().into_bytes();
        let percent: String = bytes.iter().map(|it| format!("%{it:02X}")).collect();
        let units = character.encode_utf16(&mut [0; 2]).to_vec();
        let json: String = units.iter().map(|it| format!("\\u{it:04x}")).collect();
        for hidden in [
            character.to_string(),
            text::visible(&character.to_string()).into_owned(),
            character.escape_unicode().to_string(),
            json.replace('\\', "\\\\"),
            json,
            percent,
            format!("&#{code};"),
            format!("&#x{code:X};"),
        ] {
            assert_hidden_with(&hidden, &secret, &hidden);
        }
    }
}

#[test]
fn a_secret_behind_a_hidden_character_is_found() {
    for hidden in [
        '\u{200b}',
        '\u{feff}',
        '\u{202e}',
        '\u{ad}',
        '\u{8}',
        '\u{e0041}',
    ] {
        for (before, secret, behind) in [
            ("Authorization: Bearer ", "abc123def45", ""),
            ("password:", "a1B2c3D4e5", "\""),
            ("password=\"", "a1B2c3D4e5", "\""),
            ("'token': '", "a1B2c3D4e5F6g7H8i9J0", "'"),
            ("docker login -p ", "a1B2c3D4e5", " r"),
            ("curl -u me:", "a1B2c3D4e5", ""),
        ] {
            let opens = match before.ends_with("word:") {
                true => " \"",
                false => "",
            };
            let text = format!("{before}{hidden}{opens}{secret}{behind}");
            let redacted = redact(&text).text;
            assert!(!redacted.contains(secret), "{text:?} gave {redacted:?}");
            assert!(redacted.starts_with(before), "{text:?} gave {redacted:?}");
            assert!(suspect(&text), "{text:?} is not suspected");
        }
    }
}

#[test]
fn a_token_is_found_in_utf_16() {
    for Sample {
        name, text: secret, ..
    } in tokens(3)
    {
        let text = format!("x = {secret}\r\n");
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for (mark, bytes) in [
            (&[][..], &little),
            (&[0xff, 0xfe], &little),
            (&[0xfe, 0xff], &big),
        ] {
            let bytes = [mark, bytes].concat();
            assert!(!find_secrets(&bytes).is_empty(), "{name}: {bytes:?}");
        }
    }
}
