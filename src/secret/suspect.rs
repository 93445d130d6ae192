//! A test of whether a text may hold a secret, small enough for the wasm of hooks, which leaves each text that it says
//! yes to to the library.
//!
//! Of every text in which [`redact`](super::redact()) finds something, this says yes; the tests hold both to it. Of
//! nearly every other text it says no: a commit, a path, a sentence.

use super::form::{is_bearer, is_login};
use super::issuer::may_begin_at;
use super::redact::{begins_flag, is_strong, names_program, part_at, password_of_fields};

/// A shorter text has no secret.
const LEAST: usize = 8;

/// So far before a separator the beginning of a name stands, with its type.
const NAME: usize = 180;

/// So much of a value shows its kind.
const VALUE: usize = 256;

/// Returns whether a text may hold a secret.
pub fn suspect(text: &str) -> bool {
    text.len() >= LEAST && (of_lines(text) || has_suspicious_byte(text.as_bytes()))
}

/// Returns whether the text of a field may hold a secret; `names` are those of the fields that it stands in.
pub fn suspect_field(names: &[&str], text: &str) -> bool {
    let mut names = names.iter();
    names.any(|name| may_be_named(name.as_bytes())) || suspect(text)
}

/// Returns whether whole lines may hold a secret: the fields of a login, and a bearer alone.
fn of_lines(text: &str) -> bool {
    text.split('\n').any(|line| {
        password_of_fields(line.trim_end_matches('\r')).is_some() || is_bearer_alone(line.trim())
    })
}

fn is_bearer_alone(line: &str) -> bool {
    let is_between = |it: &u8| matches!(it, b' ' | b'\t' | b'\r' | b'"' | b'\'' | b'`' | b',');
    let words = line.bytes().filter(|it| is_between(it)).count();
    let bytes = line.as_bytes();
    words == 1 && (0..bytes.len()).any(|at| begins(&bytes[at..], b"bearer"))
}

fn has_suspicious_byte(text: &[u8]) -> bool {
    let mut before = b' ';
    // Since the last white space: nothing, `://`, and a colon behind that.
    let mut of_address = 0;
    let mut has_program = None;
    for (at, &byte) in text.iter().enumerate() {
        let rest = &text[at..];
        let is_one = match byte {
            0..=8 | 0xe..=0x1f | 0x7f.. | b'%' | b'&' | b'\\' => {
                part_at(text, at, before).is_some()
            }
            b' ' | b'\t' | b'\n' | b'\r' => {
                of_address = 0;
                is_named_by_flag(text, at)
            }
            b':' if rest.starts_with(b"://") => {
                of_address = 1;
                is_named(text, at)
            }
            b':' => {
                of_address += i32::from(of_address == 1);
                is_named(text, at) || rest.starts_with(b":AA") && is_long(&rest[3..], 30)
            }
            b'@' => of_address == 2,
            b'=' => is_named(text, at) || is_parameter(text, at),
            b'.' => is_webhook(rest) || is_long(&rest[1..], 6) && is_token_with_points(rest),
            b'-' => {
                rest.starts_with(b"-----BEGIN ")
                    || is_of_data_centre(rest)
                    || begins_flag(text, at)
                        && *has_program.get_or_insert_with(|| names_program(text))
            }

            b'_' => rest.starts_with(b"_mmk"),
            b'~' => is_long(&rest[1..], 30),
            b'b' | b'B' => is_scheme(rest),
            b'c' | b'C' => is_cookie(rest),
            b'e' => rest.starts_with(b"eyJ") && is_long(rest, 30),
            b'P' => rest.starts_with(b"PuTTY-User"),
            b'p' => is_password_of_login(rest),
            _ => false,
        };
        if is_one || may_begin_at(text, at) {
            return true;
        }
        before = byte;
    }
    false
}

/// Returns whether so many bytes of a token follow.
fn is_long(rest: &[u8], least: usize) -> bool {
    let is_part =
        |it: &&u8| it.is_ascii_alphanumeric() || matches!(**it, b'_' | b'-' | b'.' | b'~');
    rest.iter().take(least).take_while(is_part).count() == least
}

/// Parts that a point divides, of which one is long.
fn is_token_with_points(rest: &[u8]) -> bool {
    let is_middle = rest.get(7) == Some(&b'.') && is_long(&rest[8..], 27);
    let hex = rest[1..]
        .iter()
        .take(64)
        .take_while(|it| it.is_ascii_hexdigit());
    is_middle || hex.count() == 64
}

/// Returns whether a text begins so, in any letter case.
fn begins(rest: &[u8], with: &[u8]) -> bool {
    let first = rest.get(..with.len());
    first.is_some_and(|it| it.eq_ignore_ascii_case(with))
}

/// An address that takes messages from anyone who knows it.
fn is_webhook(rest: &[u8]) -> bool {
    const PATHS: [&[u8]; 11] = [
        b"services",
        b"workflows",
        b"trigger",
        b"api/webhooks",
        b"webhook",
        b"bot",
        b"hooks",
        b"v1/integrations",
        b"build_hooks",
        b"open-apis",
        b"integration",
    ];
    let ends: [&[u8]; 3] = [b".com/", b".org/", b".cn/"];
    ends.iter()
        .any(|end| begins(rest, end) && PATHS.iter().any(|path| begins(&rest[end.len()..], path)))
}

/// `Bearer` or `Basic`, and what such a word stands before.
fn is_scheme(rest: &[u8]) -> bool {
    let (is_bearer_before, length) = match () {
        () if begins(rest, b"bearer") => (true, 6),
        () if begins(rest, b"basic") => (false, 5),
        () => return false,
    };
    let is_between = |it: &u8| matches!(it, b' ' | b'\t' | b'\r' | b'"' | b'\'' | b'`' | b',');
    let behind = &rest[length..];
    let Some(start) = behind.iter().position(|it| !is_between(it)) else {
        return false;
    };
    let word = &behind[start..];
    let end = word
        .iter()
        .position(|it| is_between(it) || *it == b'\n')
        .unwrap_or(word.len());
    let Ok(word) = str::from_utf8(&word[..end]) else {
        return true;
    };
    start > 0
        && match is_bearer_before {
            true => is_bearer(word) || word.bytes().any(|it| it.is_ascii_digit()),
            false => is_login(word),
        }
}

/// The header of cookies.
fn is_cookie(rest: &[u8]) -> bool {
    let behind = match begins(rest, b"cookie") {
        true => &rest[6..],
        false => return false,
    };
    matches!(behind, [b':', ..] | [b'"' | b'\'', b':', ..])
}

/// `password hunter2`, as a file of logins has it.
fn is_password_of_login(rest: &[u8]) -> bool {
    let word = match rest.strip_prefix(b"password") {
        Some([b' ' | b'\t', word @ ..]) => word,
        _ => return false,
    };
    let start = word
        .iter()
        .position(|it| !matches!(it, b' ' | b'\t'))
        .unwrap_or(0);
    let word = &word[start..];
    let end = word
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(word.len());
    str::from_utf8(&word[..end]).is_ok_and(is_strong)
}

/// `-us1`, behind a key.
fn is_of_data_centre(rest: &[u8]) -> bool {
    matches!(rest, [b'-', b'u', b's', b'0'..=b'9', ..])
}

/// Returns whether what stands before a place may be the name of a secret.
fn may_be_named(before: &[u8]) -> bool {
    const STEMS: [&[u8]; 10] = [
        b"token",
        b"secret",
        b"pass",
        b"pat",
        b"key",
        b"bearer",
        b"credential",
        b"auth",
        b"pw",
        b"sig",
    ];
    let from = before.len().saturating_sub(NAME);
    let near = &before[from..];
    let line = near
        .iter()
        .rposition(|it| *it == b'\n')
        .map_or(0, |it| it + 1);
    let near = &near[line..];
    (0..near.len()).any(|at| STEMS.iter().any(|stem| begins(&near[at..], stem)))
}

/// Returns whether a value that is strong enough follows, and a name that may be one of a secret stands before.
fn is_named(text: &[u8], at: usize) -> bool {
    is_strong_value(&text[at + 1..]) && may_be_named(&text[..at])
}

/// Returns whether such a value follows `--name`.
fn is_named_by_flag(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(NAME)..at];
    before.windows(2).any(|it| it == b"--")
        && is_strong_value(&text[at + 1..])
        && may_be_named(before)
}

/// A value behind `=`, as addresses and connection strings have parameters.
fn is_parameter(text: &[u8], at: usize) -> bool {
    const LEAST: usize = 6;
    let value = text[at + 1..].iter().take(LEAST);
    let is_part = |it: &&u8| !matches!(**it, b' ' | b'\t' | b'\n' | b'&' | b';' | b'#' | b'?');
    let word = text[..at].iter().rev().take(32);
    let is_named = |it: &&u8| !matches!(**it, b' ' | b'\t' | b'\n' | b'&' | b';' | b'#' | b'?');
    let name = word.take_while(is_named).count();
    value.take_while(is_part).count() == LEAST && may_be_named(&text[at - name..at])
}

/// Letters and digits, or many changes of case, behind blanks and quotes.
fn is_strong_value(rest: &[u8]) -> bool {
    /// Blanks, and what opens a text of a program.
    const MOST_BEFORE: usize = 24;
    let is_before = |it: &&u8| {
        matches!(
            **it,
            b' ' | b'\t' | b'"' | b'\'' | b'`' | b'\\' | b'>' | b'=' | b'@'
        )
    };
    let before = rest.iter().take(MOST_BEFORE).take_while(is_before).count();
    // The scheme of a header.
    [before, before + word_length(&rest[before..])]
        .iter()
        .any(|start| {
            let value = rest[*start..].iter().take(VALUE);
            let (mut length, mut digits, mut letters, mut turns) = (0_u32, 0_u32, 0_u32, 0_u32);
            let mut last = b' ';
            for &byte in value {
                if matches!(byte, b' ' | b'\t' | b'\n' | b'"') {
                    break;
                }
                length += 1;
                digits += u32::from(byte.is_ascii_digit());
                letters += u32::from(byte.is_ascii_alphabetic());
                let is_turn = last.is_ascii_lowercase() && byte.is_ascii_uppercase()
                    || last.is_ascii_digit() != byte.is_ascii_digit();
                turns += u32::from(is_turn);
                last = byte;
            }
            length >= 8 && (digits > 0 && letters > 0 || length >= 20 && turns * 4 > length)
        })
}

/// The length of the word before a blank, with the blank; 0 where no blank follows.
fn word_length(rest: &[u8]) -> usize {
    const LONGEST: usize = 20;
    let length = rest
        .iter()
        .take(LONGEST)
        .take_while(|it| it.is_ascii_alphabetic())
        .count();
    match rest.get(length) {
        Some(b' ') => length + 1,
        _ => 0,
    }
}
