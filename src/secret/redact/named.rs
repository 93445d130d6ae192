//! Secrets by the name beside them: `name = value`, `name: value`, `"name": "value"`, `NAME=value` and
//! `--name value`.
//!
//! Before a separator at most [`LONGEST_NAME`] bytes are looked at, and behind it [`MAX_CLASSIFIED`]; only what is
//! hidden is read on to its end, and nothing in it is looked at again. So the whole is linear. Names come
//! first: hardly any is one of a secret, and then no value is looked at.

use super::mask::Mask;
use super::rule::Rule;
use super::{DASHES, MARK, find, has_mark, is_placeholder};
use crate::secret::form::{
    is_login, is_reference, looks_like_password, looks_random, repeats_name, turns,
};
use crate::secret::{FieldNameKind, name_of};
use crate::step_count::step;

const LONGEST_NAME: usize = 64;
/// Of a longer value the beginning shows its kind.
const MAX_CLASSIFIED: usize = 256;
/// Blanks between a name, its separator and its value, as in a table.
const MOST_BLANKS: usize = 16;
/// No password is shorter that is one.
const LEAST: usize = 8;

/// Letters alone are looked at from this length on: shorter ones may be `nameOfAThing`.
const LEAST_LETTERS: usize = 20;

/// Marks values that look like secrets and are called so.
pub(super) fn mark(line: &str, mask: &mut Mask<'_>) {
    let bytes = line.as_bytes();
    let has_flags = find(bytes, 0, b"--").is_some();
    let mut at = 0;
    while at < bytes.len() {
        let found = match bytes[at] {
            b'=' | b':' => value_at(line, at),
            b' ' if has_flags && at > 0 && bytes[at - 1].is_ascii_alphanumeric() => {
                value_of_flag(line, at)
            }
            _ => None,
        };
        match found {
            Some((start, end)) => {
                mask.mark(Rule::Named, start, end);
                at = end;
            }
            None => at += 1,
        }
    }
}

/// The form in which a value stands there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueForm {
    /// In quotes.
    Quoted(u8),
    /// In quotes that are escaped themselves.
    Escaped(u8),
    /// As in an environment, behind `NAME=`, or behind `--name `.
    Assigned,
    /// As in a file of settings, behind `name: `.
    Setting,
    /// As an expression of a program may stand.
    Bare,
}

/// The secret behind a separator.
fn value_at(line: &str, separator: usize) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
    // `::` is part of a name in programs.
    if is(separator, b':') && (is(separator + 1, b':') || separator > 0 && is(separator - 1, b':'))
    {
        return None;
    }
    let own = name_before(line, separator)?;
    step(own.len());
    if !may_be_secret(own) && !name_before_type(line, separator, own).is_some_and(may_be_secret) {
        return None;
    }
    let is_arrow = is(separator, b'=') && (is(separator + 1, b'>') || is(separator + 1, b'='));
    let mut start = separator + 1 + usize::from(is_arrow);
    let blanks = bytes[start.min(bytes.len())..].iter().take(MOST_BLANKS);
    let blanks = blanks.take_while(|it| matches!(it, b' ' | b'\t')).count();
    start += blanks;
    // `b"…"`, `r"…"`, `f"…"`, `@"…"`
    let is_prefixed = bytes.get(start).is_some_and(|it| b"brfu@".contains(it))
        && bytes.get(start + 1).is_some_and(|it| b"\"'".contains(it));
    start += usize::from(is_prefixed);
    let form = match (*bytes.get(start)?, bytes.get(start + 1)) {
        (quote @ (b'"' | b'\'' | b'`'), _) => ValueForm::Quoted(quote),
        (b'\\', Some(quote @ (b'"' | b'\''))) => ValueForm::Escaped(*quote),
        _ if is(separator, b'=') && blanks == 0 => ValueForm::Assigned,
        _ if is(separator, b':') && blanks > 0 => ValueForm::Setting,
        _ => ValueForm::Bare,
    };
    start += match form {
        ValueForm::Quoted(_) => 1,
        ValueForm::Escaped(_) => 2,
        ValueForm::Assigned | ValueForm::Setting | ValueForm::Bare => 0,
    };
    if own.eq_ignore_ascii_case("authorization") {
        start += scheme(&bytes[start..]);
    }
    secret_value(line, separator, start, form)
}

/// The length of the scheme before a header's token: `Token abc…`.
fn scheme(rest: &[u8]) -> usize {
    const LONGEST: usize = 20;
    let word = rest.iter().take(LONGEST);
    let length = word.take_while(|it| it.is_ascii_alphabetic()).count();
    match length > 0 && rest.get(length) == Some(&b' ') {
        true => length + 1,
        false => 0,
    }
}

/// The secret behind `--name`.
fn value_of_flag(line: &str, blank: usize) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let name = name_before(line, blank)?;
    let before = &bytes[..name.as_ptr() as usize - line.as_ptr() as usize];
    let begins = before.last().is_none_or(|it| b" \t\"'`(".contains(it));
    let is_flag = name.starts_with("--") && begins;
    let (start, form) = match *bytes.get(blank + 1)? {
        quote @ (b'"' | b'\'') => (blank + 2, ValueForm::Quoted(quote)),
        b'-' => return None,
        _ => (blank + 1, ValueForm::Assigned),
    };
    is_flag
        .then(|| secret_value(line, blank, start, form))
        .flatten()
}

fn secret_value(
    line: &str,
    separator: usize,
    start: usize,
    form: ValueForm,
) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let rest = bytes.get(start..)?;
    let first = &rest[..rest.len().min(MAX_CLASSIFIED)];
    let length = length(first, form);
    step(length);
    if length < LEAST {
        return None;
    }
    // The beginning of a long one may end within a character.
    let value = &line[start..line.floor_char_boundary(start + length)];
    // First what turns most values away: where names stand in a row, each is the value of the one before.
    let strength = strength(value);
    if strength == Strength::None
        || strength < least_for(value, form) && !is_of_environment(line, separator, form)
        || !is_called_secret(line, separator, value, strength, form)
    {
        return None;
    }
    let is_expression = !matches!(form, ValueForm::Quoted(_) | ValueForm::Escaped(_))
        && (matches!(rest.get(length), Some(b'(' | b'[' | b'{' | b'<')) || is_expression(value));
    if is_expression || value.contains(char::is_whitespace) {
        return None;
    }
    // A mark may begin in what is classified and end behind it.
    let window =
        line.floor_char_boundary((start + length.min(MAX_CLASSIFIED) + MARK.len()).min(line.len()));
    if has_mark(&line[start..window]) {
        return None;
    }
    if is_reference(value) || is_placeholder(value) || is_location(value) {
        return None;
    }
    let whole = self::length(rest, form);
    step(whole);
    Some((start, start + whole))
}

/// The degree to which a value looks like one that is written for no other reason.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    None,
    /// Letters and digits, as passwords have.
    Password,
    /// Long, and letters and digits change often.
    Random,
}

fn least_for(value: &str, form: ValueForm) -> Strength {
    // `password: string32` in a program.
    let is_name = value
        .bytes()
        .all(|it| it.is_ascii_alphanumeric() || it == b'_');
    match form {
        ValueForm::Quoted(_) | ValueForm::Escaped(_) | ValueForm::Assigned => Strength::Password,
        ValueForm::Setting if !is_name => Strength::Password,
        ValueForm::Setting | ValueForm::Bare => Strength::Random,
    }
}

/// Returns whether a value stands in settings behind the name of a variable of the environment: `SMTP_PASS: …`, as Docker
/// Compose has them. No type of a program stands there.
fn is_of_environment(line: &str, separator: usize, form: ValueForm) -> bool {
    let is_part = |it: u8| it.is_ascii_uppercase() || it.is_ascii_digit() || it == b'_';
    form == ValueForm::Setting
        && name_before(line, separator)
            .is_some_and(|name| name.contains('_') && name.bytes().all(is_part))
}

fn strength(value: &str) -> Strength {
    let bytes = value.as_bytes();
    let turns = turns(bytes);
    // A random text has four to five of them in ten characters, and names of several words have one in five.
    let is_mixed = turns >= (bytes.len() / 8).max(3);
    if looks_random(value) && is_mixed || bytes.len() >= LEAST_LETTERS && turns * 4 > bytes.len() {
        return Strength::Random;
    }
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    match has_digit && bytes.iter().any(u8::is_ascii_alphabetic) {
        true => Strength::Password,
        false => Strength::None,
    }
}

fn is_called_secret(
    line: &str,
    separator: usize,
    value: &str,
    strength: Strength,
    form: ValueForm,
) -> bool {
    let Some(own) = name_before(line, separator) else {
        return false;
    };
    let is_so = |name: &str| match name_of(name) {
        // npm's settings have a login in base64, and so have Docker's.
        FieldNameKind::Plain if name == "_auth" => true,
        FieldNameKind::Plain if name == "auth" => is_login(value),
        FieldNameKind::Plain => false,
        // Keys of caches and of lists are hashes and ids.
        FieldNameKind::Key => strength == Strength::Random && !is_hash_or_id(value),
        // `PASS: TestBase64Encoding` is a result.
        FieldNameKind::Pass => {
            !matches!(form, ValueForm::Setting | ValueForm::Bare) && looks_like_password(value)
        }
        FieldNameKind::Secret | FieldNameKind::Secrets | FieldNameKind::Login => {
            strength == Strength::Random || is_called_password(name) && !repeats_name(value)
        }
    };
    is_so(own) || name_before_type(line, separator, own).is_some_and(is_so)
}

/// Returns whether it is worth the while to ask what a name says: most names have none of these in them.
fn may_be_secret(name: &str) -> bool {
    let bytes = name.as_bytes();
    (0..bytes.len()).any(|at| {
        let stems: &[&str] = match bytes[at].to_ascii_lowercase() {
            b't' => &["token"],
            b's' => &["secret"],
            b'p' => &["pass", "pat", "pw"],
            b'k' => &["key"],
            b'b' => &["bearer"],
            b'c' => &["credential"],
            b'a' => &["auth"],
            _ => &[],
        };
        let begins = |stem: &&str| {
            let word = bytes.get(at..at + stem.len());
            word.is_some_and(|word| word.eq_ignore_ascii_case(stem.as_bytes()))
        };
        stems.iter().any(begins)
    })
}

fn is_called_password(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["pass", "pw"].iter().any(|stem| name.contains(stem))
}

/// A hash, an id, or a text with a hash in it, as keys of caches are.
fn is_hash_or_id(value: &str) -> bool {
    /// An MD5 is the shortest that is used.
    const LEAST_OF_HASH: usize = 32;
    let is_digit = |it: u8| it.is_ascii_hexdigit() || it == b'-';
    let mut parts = value.split(|it: char| !it.is_ascii_hexdigit());
    value.bytes().all(is_digit) || parts.any(|part| part.len() >= LEAST_OF_HASH)
}

/// A path, an address or a pattern, which says where or how something is.
fn is_location(value: &str) -> bool {
    let begins = ["./", "../", "~/", "^", "*"];
    // Base64 has `/` too, and capitals, and no point.
    let is_path =
        |value: &str| value.contains('.') || !value.bytes().any(|it| it.is_ascii_uppercase());
    begins.iter().any(|it| value.starts_with(it))
        || value.contains("://")
        || value.starts_with('/') && is_path(value)
}

/// `config.auth2.token3`: names with points between them, and no words of another alphabet.
fn is_expression(value: &str) -> bool {
    let first = value.as_bytes()[0];
    if b"$<{[(*&!@#|%\\".contains(&first) {
        return true;
    }
    let mut parts = value.split('.');
    value.contains('.')
        && parts.all(|part| {
            part.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
                && part
                    .bytes()
                    .all(|it| it.is_ascii_alphanumeric() || it == b'_')
        })
}

/// The length of a value, to its closing quote or to where an expression would go on.
fn length(rest: &[u8], form: ValueForm) -> usize {
    let end = match form {
        ValueForm::Quoted(quote) => {
            let mut is_escaped = false;
            rest.iter().position(|&it| {
                let is_end = it == quote && !is_escaped;
                is_escaped = it == b'\\' && !is_escaped;
                is_end
            })
        }
        ValueForm::Escaped(quote) => rest.iter().position(|&it| it == b'\\' || it == quote),
        ValueForm::Assigned | ValueForm::Setting | ValueForm::Bare => rest.iter().position(|it| {
            matches!(
                it,
                b' ' | b'\t'
                    | b'\n'
                    | b'\x0c'
                    | b'\r'
                    | b','
                    | b';'
                    | b')'
                    | b'}'
                    | b']'
                    | b'"'
                    | b'\''
                    | b'`'
                    | b'<'
                    | b'>'
                    | b'('
                    | b'['
                    | b'{'
                    | b'|'
                    | b'&'
                    | b'\\'
            )
        }),
    };
    let end = end.unwrap_or(rest.len());
    // Without its closing quote it is cut off, and at most the end of the line is not its own.
    match rest[..end].last() {
        Some(b'\r') => end - 1,
        _ => end,
    }
}

/// The name that ends before a place, without the quotes around it.
fn name_before(line: &str, end: usize) -> Option<&str> {
    let bytes = line.as_bytes();
    let back = |from: usize, most: usize, is: fn(u8) -> bool| {
        let rest = bytes[..from].iter().rev().take(most);
        from - rest.take_while(|it| is(**it)).count()
    };
    // `:=`, `==`, `!=`, `?=`, `+=`
    let end = back(end, 2, |it| b":=!?+".contains(&it));
    let end = back(end, MOST_BLANKS, |it| matches!(it, b' ' | b'\t'));
    let end = back(end, 4, |it| b"\"'`]\\".contains(&it));
    let start = back(end, LONGEST_NAME, |it| {
        it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b'.')
    });
    // As words are cut, so that what a word before it became makes no difference.
    let dashes = bytes[start..end]
        .windows(DASHES.len())
        .rposition(|it| it == DASHES);
    let start = dashes.map_or(start, |at| start + at + DASHES.len());
    let is_of_mark = line.get(..start).is_some_and(|it| it.ends_with(MARK));
    (start < end && !is_of_mark).then(|| &line[start..end])
}

/// In `name: Type = value` the name before the type.
fn name_before_type<'a>(line: &'a str, separator: usize, own: &str) -> Option<&'a str> {
    let bytes = line.as_bytes();
    if bytes[separator] != b'=' {
        return None;
    }
    // The name that stands before the separator is the type's.
    let end = own.as_ptr() as usize - line.as_ptr() as usize;
    let of_type = bytes[..end]
        .iter()
        .rev()
        .take(LONGEST_NAME)
        .take_while(|it| it.is_ascii_alphanumeric() || b"_<>&'| []?.".contains(it));
    let start = end - of_type.count();
    let colon = start.checked_sub(1)?;
    (bytes[colon] == b':')
        .then(|| name_before(line, colon))
        .flatten()
}
