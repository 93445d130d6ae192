//! From a document to YAML text that every reader reads alike.

use std::fmt::Write;

use super::number;
use crate::json::{Json, Object};
use crate::text::harmless;

/// The text of an object: two spaces a level, a key a line, in the object's order.
///
/// Text is quoted, or a literal block where it has several lines that need no escape; so no reader
/// takes `no`, `1e3` or a date for anything else. The result of [`super::read`] is equal to the
/// object, with numbers such as `1e3` written as `1.0e+3`, because YAML 1.1 takes the former for text.
pub fn write(object: &Object) -> String {
    let mut out = String::new();
    match object.is_empty() {
        true => out.push_str("{}\n"),
        false => write_members(object, 0, YamlLineState::Empty, &mut out),
    }
    out
}

/// The state of the line on which something is to stand: whether it has its indentation already, as
/// behind `- `.
#[derive(Clone, Copy, PartialEq, Eq)]
enum YamlLineState {
    Empty,
    Indented,
}

fn write_members(object: &Object, level: usize, begun: YamlLineState, out: &mut String) {
    for (at, (key, value)) in object.iter().enumerate() {
        if at > 0 || begun == YamlLineState::Empty {
            indent(level, out);
        }
        write_key(key, level, out);
        write_value(value, level, out);
    }
}

fn write_items(items: &[Json], level: usize, out: &mut String) {
    for item in items {
        indent(level, out);
        out.push('-');
        match item {
            Json::Object(object) if !object.is_empty() => {
                out.push(' ');
                write_members(object, level + 1, YamlLineState::Indented, out);
            }
            _ => write_value(item, level, out),
        }
    }
}

/// Writes the text after a key's colon or a list's dash, up to the end of its line or lines.
fn write_value(value: &Json, level: usize, out: &mut String) {
    let plain = match value {
        Json::Object(object) if !object.is_empty() => {
            out.push('\n');
            return write_members(object, level + 1, YamlLineState::Empty, out);
        }
        Json::Array(items) if !items.is_empty() => {
            out.push('\n');
            return write_items(items, level + 1, out);
        }
        Json::String(text) => {
            out.push(' ');
            return write_text(text, level + 1, out);
        }
        Json::Object(_) => "{}",
        Json::Array(_) => "[]",
        Json::Null => "null",
        Json::Bool(true) => "true",
        Json::Bool(false) => "false",
        Json::Number(text) => &number::common(text),
    };
    out.push(' ');
    out.push_str(plain);
    out.push('\n');
}

fn write_text(text: &str, level: usize, out: &mut String) {
    if !can_be_block(text) {
        write_quoted(text, out);
        out.push('\n');
        return;
    }
    let lines = text.trim_end_matches('\n');
    // The line breaks at the end that belong to the text: none, the one of the last line, or all.
    out.push_str(match text.len() - lines.len() {
        0 => "|-\n",
        1 => "|\n",
        _ => "|+\n",
    });
    for line in lines.split('\n') {
        if !line.is_empty() {
            indent(level, out);
            out.push_str(line);
        }
        out.push('\n');
    }
    for _ in 1..text.len() - lines.len() {
        out.push('\n');
    }
}

/// Returns whether a text can be a literal block: several lines, of characters that need no escape.
///
/// A block has the indentation of its first line, which therefore has to begin with something visible.
/// Blanks at the end of the last line are left to quotes: there readers differ.
fn can_be_block(text: &str) -> bool {
    let lines = text.trim_end_matches('\n');
    let begins_well = !lines.starts_with([' ', '\t', '\n']) && !lines.is_empty();
    let ends_well = !lines.ends_with([' ', '\t']);
    text.contains('\n')
        && begins_well
        && ends_well
        && harmless(text)
            .all(|(it, is_harmless)| matches!(it, '\n' | '\t') || is_harmless && stands_as_is(it))
}

/// Returns whether every reader lets a character stand unescaped (YAML 1.1, `c-printable`, without
/// the characters that break lines, and without the blank that is not visible).
fn stands_as_is(character: char) -> bool {
    match character {
        ' '..='~' | '\u{A1}'..='\u{D7FF}' => true,
        '\u{E000}'..='\u{FFFD}' => character != '\u{FEFF}',
        '\u{10000}'.. => u32::from(character) & 0xFFFE != 0xFFFE,
        _ => false,
    }
}

fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    for (character, is_harmless) in harmless(text) {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            it if is_harmless && stands_as_is(it) => out.push(it),
            it => {
                let code = u32::from(it);
                let written = match code {
                    0..=0xFF => write!(out, "\\x{code:02x}"),
                    0x100..=0xFFFF => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
                written.expect("writing into memory cannot fail");
            }
        }
    }
    out.push('"');
}

/// A key, and its colon.
///
/// Readers look for the colon within 1024 characters, unless the key is announced.
fn write_key(key: &str, level: usize, out: &mut String) {
    const LONG: usize = 1000;
    let start = out.len();
    match is_plain_key(key) {
        true => out.push_str(key),
        false => write_quoted(key, out),
    }
    if out.len() - start > LONG {
        out.insert_str(start, "? ");
        out.push('\n');
        indent(level, out);
    }
    out.push(':');
}

/// Returns whether every reader takes an unquoted key for text.
fn is_plain_key(key: &str) -> bool {
    /// The words that some reader takes for a boolean, for null or for a number, in any case.
    const WORDS: [&str; 16] = [
        "y",
        "n",
        "yes",
        "no",
        "on",
        "off",
        "true",
        "false",
        "null",
        "nan",
        "inf",
        "infinity",
        "undefined",
        "none",
        "nil",
        "void",
    ];
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let is_inner = |byte: &u8| is_letter(byte) || byte.is_ascii_digit() || *byte == b'-';
    let (first, rest) = match key.as_bytes() {
        [first, rest @ ..] => (first, rest),
        [] => return false,
    };
    // One reader takes `e3` for a number.
    let is_exponent = first.eq_ignore_ascii_case(&b'e')
        && rest.iter().all(|byte| !is_letter(byte) || *byte == b'_');
    is_letter(first)
        && rest.iter().all(is_inner)
        && key.len() <= 100
        && !is_exponent
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(key))
}

fn indent(level: usize, out: &mut String) {
    for _ in 0..level {
        out.push_str("  ");
    }
}
