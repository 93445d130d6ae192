//! Private keys in blocks of several lines.
//!
//! A block is hidden line by line, without what a diff or a page puts before its lines, so that a diff
//! keeps its form. Where its end is out of sight, as in a diff, it goes on for as long as its lines are
//! those of a key. Behind what other programs put before a line, such as a time, its end is looked at. No line is
//! looked at for two blocks, because the first line of the next one ends a block.

use super::{DASHES, find, is_word, word_end};
use crate::step_count::step;

/// A part of the text, within one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LinePart {
    pub(super) start: usize,
    pub(super) end: usize,
}

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
/// The line between the columns of a table.
const TABLE: &[u8] = "\u{2502}".as_bytes();
/// The sign that agents show behind the number of a line.
const ARROW: &[u8] = "\u{2192}".as_bytes();
/// A line of a key has 64 characters; a word that stands alone in a line has less than this.
const LEAST: usize = 24;
/// Behind what no other line begins with, so many characters at the end of a line are part of a key.
const LONG: usize = 48;
/// The longest label is that of OpenSSH.
const LONGEST_LABEL: usize = 40;

/// The lines of all blocks, in order.
pub(super) fn parts(text: &str) -> Vec<LinePart> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(begin) = next_begin(text.as_bytes(), at) {
        at = match begin {
            BlockStart::Pem { start, body } => pem(text, start, body, &mut parts),
            BlockStart::Putty { start } => putty(text, start, &mut parts),
        };
    }
    parts
}

enum BlockStart {
    Pem { start: usize, body: usize },
    Putty { start: usize },
}

fn next_begin(text: &[u8], from: usize) -> Option<BlockStart> {
    let found = first_begin(text, from);
    let looked_at = match found {
        Some(BlockStart::Pem { start, .. } | BlockStart::Putty { start }) => start - from,
        None => text.len() - from,
    };
    step(looked_at);
    found
}

fn first_begin(text: &[u8], from: usize) -> Option<BlockStart> {
    const PUTTY: &[u8] = b"PuTTY-User-Key-File-";
    (from..text.len()).find_map(|start| match text[start] {
        b'-' if text[start..].starts_with(BEGIN) => {
            let body = behind_label(text, start + BEGIN.len())?;
            Some(BlockStart::Pem { start, body })
        }
        b'P' if text[start..].starts_with(PUTTY) && (start == 0 || !is_word(text[start - 1])) => {
            let version = text.get(start + PUTTY.len())?;
            version
                .is_ascii_digit()
                .then_some(BlockStart::Putty { start })
        }
        _ => None,
    })
}

/// The place behind `RSA PRIVATE KEY-----`, or behind the label of a marker that was cut off.
fn behind_label(text: &[u8], start: usize) -> Option<usize> {
    let is_label = |it: &&u8| it.is_ascii_uppercase() || it.is_ascii_digit() || **it == b' ';
    let rest = text[start..].iter().take(LONGEST_LABEL);
    let end = start + rest.take_while(is_label).count();
    let label = &text[start..end];
    let is_private = find(label, 0, b"PRIVATE KEY").is_some();
    is_private.then(|| match text[end..].starts_with(DASHES) {
        true => end + DASHES.len(),
        false => end,
    })
}

fn pem(text: &str, start: usize, body: usize, parts: &mut Vec<LinePart>) -> usize {
    // In a string of one line, with `\n` where the lines end.
    let (end, is_whole) = to_end_marker(text, body);
    parts.push(LinePart { start, end });
    if is_whole {
        return end;
    }
    // No further than to what is not blank: the next block may begin in the same line.
    let is_rest = |it: &u8| matches!(it, b' ' | b'\t' | b'\r' | b'"' | b'\'' | b'\\' | b'+');
    let rest = end
        + text.as_bytes()[end..]
            .iter()
            .take_while(|it| is_rest(it))
            .count();
    if text.as_bytes().get(rest) != Some(&b'\n') {
        return end;
    }
    let lines = Lines { text, at: rest + 1 };
    let before = before_in_line(text, start);
    let mut held: Vec<LinePart> = Vec::new();
    let mut sure = 0;
    // Lines of which the end alone is the key's, and the last of them, which is shorter.
    let mut has_ends = false;
    let mut is_last = false;
    for (at, line) in lines {
        let rest = line.strip_prefix(before).unwrap_or(line);
        let begin = at + (line.len() - rest.len()) + lead(rest);
        let line = rest[lead(rest)..].trim_end();
        if let Some(marker) = end_marker(line, has_ends) {
            let start = begin + marker;
            let (end, _) = to_end_marker(text, start);
            parts.append(&mut held);
            parts.push(LinePart { start, end });
            return end;
        }
        if is_last {
            break;
        }
        let is_header = is_header(line);
        let (from, until) = match is_blank(line) || is_header || is_of_key(line) {
            true => (0, line.len()),
            false => {
                let Some((from, until)) = end_of_key(line, has_ends) else {
                    break;
                };
                has_ends = true;
                is_last = until - from < LONG;
                (from, until)
            }
        };
        if !is_blank(line) {
            held.push(LinePart {
                start: begin + from,
                end: begin + until,
            });
        }
        if until - from >= LEAST && !is_header {
            sure = held.len();
        }
    }
    parts.extend(held.into_iter().take(sure));
    parts.last().map_or(end, |part| part.end)
}

/// The text before a place in its line, as before each line of a log: nothing where that is long.
fn before_in_line(text: &str, place: usize) -> &str {
    const LONGEST: usize = 64;
    let before = text.as_bytes()[..place].iter().rev().take(LONGEST);
    let length = before.take_while(|it| **it != b'\n').count();
    step(length);
    match length < LONGEST {
        true => &text[place - length..place],
        false => "",
    }
}

/// Returns the offset of the end marker: at the beginning of the line, or anywhere in it.
fn end_marker(line: &str, is_anywhere: bool) -> Option<usize> {
    match is_anywhere {
        true => {
            step(line.len());
            find(line.as_bytes(), 0, END)
        }
        false => line.as_bytes().starts_with(END).then_some(0),
    }
}

/// The end of a line that is part of a key, behind a time, the name of a container or the like. The first one has
/// letters of both cases and a digit, as no hash has, and behind it a shorter one may be the last.
fn end_of_key(line: &str, is_behind_another: bool) -> Option<(usize, usize)> {
    let closes = [' ', '\t', '"', '\'', '`', ',', ';', '|', '\u{2502}', '\\'];
    let line = line.trim_end_matches(closes);
    let line = line.strip_suffix("\\n").unwrap_or(line);
    let bytes = line.as_bytes();
    let length = bytes.iter().rev().take_while(|it| is_base64(**it)).count();
    step(length);
    let word = &bytes[bytes.len() - length..];
    let has = |is_one: fn(&u8) -> bool| word.iter().any(is_one);
    let is_mixed =
        has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
    let is_one = match is_behind_another {
        true => length > 0,
        false => length >= LONG && is_mixed,
    };
    // Another block may begin in it.
    let is_free = is_one && find(bytes, 0, DASHES).is_none();
    is_free.then_some((bytes.len() - length, bytes.len()))
}

/// Returns the end of the end marker that follows in the same line, or of the text that may belong to a key.
fn to_end_marker(text: &str, from: usize) -> (usize, bool) {
    let bytes = text.as_bytes();
    let mut end = from;
    while let Some(&byte) = bytes.get(end) {
        if byte == b'-' && bytes[end..].starts_with(DASHES) {
            if !bytes[end..].starts_with(END) {
                return (end, false);
            }
            return match behind_label(bytes, end + END.len()) {
                Some(end) => (word_end(bytes, end), true),
                None => (end, false),
            };
        }
        if !is_base64(byte) && !matches!(byte, b'\\' | b' ' | b'-' | b':' | b',') {
            break;
        }
        end += 1;
    }
    // Blanks at the end are not the key's.
    let line = text[from..end].trim_end();
    (word_end(bytes, from + line.len()), false)
}

fn putty(text: &str, start: usize, parts: &mut Vec<LinePart>) -> usize {
    let lines = Lines { text, at: start };
    let mut end = start;
    let mut is_first = true;
    for (at, line) in lines {
        let begin = at + lead(line);
        let line = line[lead(line)..].trim_end();
        if !is_first && !is_of_key(line) && !is_header(line) {
            break;
        }
        is_first = false;
        end = begin + line.len();
        parts.push(LinePart { start: begin, end });
        if line.starts_with("Private-MAC") {
            break;
        }
    }
    end.max(start + 1)
}

/// The length of what stands before a line's text: the sign of a diff, blanks, the mark of a quotation, a table or a
/// comment, and the number of a line.
fn lead(line: &str) -> usize {
    let bytes = line.as_bytes();
    // `-----END` begins with no sign, and `------END` does.
    let is_signed = matches!(bytes.first(), Some(b'+' | b'-')) && !bytes.starts_with(END);
    let mut at = usize::from(is_signed);
    loop {
        let rest = &bytes[at..];
        let length = match rest {
            [b' ' | b'\t' | b'"' | b'\'' | b'>' | b'|', ..] => 1,
            [b'#' | b'*' | b';' | b'%' | b'-', b' ' | b'\t', ..] => 1,
            [b'/', b'/', b' ' | b'\t', ..] | [b'-', b'-', b' ' | b'\t', ..] => 2,
            _ if rest.starts_with(TABLE) => TABLE.len(),
            [b'0'..=b'9', ..] => number(rest),
            _ => 0,
        };
        if length == 0 {
            return at;
        }
        at += length;
    }
}

/// The length of the number of a line, with what stands between it and the line.
fn number(text: &[u8]) -> usize {
    /// No file has more lines than such a number.
    const LONGEST: usize = 7;
    let digits = text.iter().take(LONGEST + 1);
    let length = digits.take_while(|it| it.is_ascii_digit()).count();
    let behind = &text[length..];
    let between = match behind {
        // `41-` is that of a search, before `-----END` too.
        [b':' | b'|' | b')' | b'-' | b'\t' | b' ', ..] => 1,
        _ if behind.starts_with(TABLE) => TABLE.len(),
        _ if behind.starts_with(ARROW) => ARROW.len(),
        _ => 0,
    };
    match between > 0 && length <= LONGEST {
        true => length + between,
        false => 0,
    }
}

fn is_blank(line: &str) -> bool {
    line.trim_matches(|it: char| it.is_whitespace() || matches!(it, '"' | '\'' | '\\' | '+'))
        .is_empty()
}

/// Returns whether a line is base64, perhaps in a string with `\n` at its end.
fn is_of_key(line: &str) -> bool {
    let line = line.trim_end_matches(['"', '\'', ',', ';', '+', ' ', '\\']);
    let line = line.strip_suffix("\\n").unwrap_or(line);
    !line.is_empty() && line.bytes().all(is_base64)
}

/// `Proc-Type: 4,ENCRYPTED`, and nothing in which another block could begin.
fn is_header(line: &str) -> bool {
    const LONGEST: usize = 24;
    let name = line.bytes().take(LONGEST).take_while(|it| *it != b':');
    let is_name = |it: u8| it.is_ascii_alphanumeric() || it == b'-';
    let length = name.clone().count();
    length > 0
        && length < LONGEST
        && line.as_bytes()[0].is_ascii_uppercase()
        && name.clone().all(is_name)
        && line[length..].starts_with(": ")
        && find(line.as_bytes(), length, DASHES).is_none()
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The lines of a text from a place on, and where each begins.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let start = self.at;
        let rest = self.text.get(start..)?;
        let length = rest.bytes().take_while(|it| *it != b'\n').count();
        step(length);
        self.at = start + length + 1;
        Some((start, &rest[..length]))
    }
}
