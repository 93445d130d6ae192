//! Private keys in blocks of several lines.
//!
//! A block is hidden line by line, without what a diff or a page puts before its lines, so that a diff
//! keeps its form. Where its end is out of sight, as in a diff, it goes on for as long as its lines are
//! those of a key. No line is looked at for two blocks, because the first line of the next one ends a block.

use super::super::steps::step;
use super::{DASHES, find, is_word, word_end};

/// A part of the text, within one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) start: usize,
    pub(super) end: usize,
}

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
/// A line of a key has 64 characters; a word that stands alone in a line has less than this.
const LEAST: usize = 24;
/// The longest label is that of OpenSSH.
const LONGEST_LABEL: usize = 40;

/// The lines of all blocks, in order.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(begin) = next_begin(text.as_bytes(), at) {
        at = match begin {
            Begin::Pem { start, body } => pem(text, start, body, &mut parts),
            Begin::Putty { start } => putty(text, start, &mut parts),
        };
    }
    parts
}

enum Begin {
    Pem { start: usize, body: usize },
    Putty { start: usize },
}

fn next_begin(text: &[u8], from: usize) -> Option<Begin> {
    let found = first_begin(text, from);
    let looked_at = match found {
        Some(Begin::Pem { start, .. } | Begin::Putty { start }) => start - from,
        None => text.len() - from,
    };
    step(looked_at);
    found
}

fn first_begin(text: &[u8], from: usize) -> Option<Begin> {
    const PUTTY: &[u8] = b"PuTTY-User-Key-File-";
    (from..text.len()).find_map(|start| match text[start] {
        b'-' if text[start..].starts_with(BEGIN) => {
            let body = behind_label(text, start + BEGIN.len())?;
            Some(Begin::Pem { start, body })
        }
        b'P' if text[start..].starts_with(PUTTY) && (start == 0 || !is_word(text[start - 1])) => {
            let version = text.get(start + PUTTY.len())?;
            version.is_ascii_digit().then_some(Begin::Putty { start })
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

fn pem(text: &str, start: usize, body: usize, parts: &mut Vec<Part>) -> usize {
    // In a string of one line, with `\n` where the lines end.
    let (end, is_whole) = to_end_marker(text, body);
    parts.push(Part { start, end });
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
    let mut held: Vec<Part> = Vec::new();
    let mut sure = 0;
    for (at, line) in lines {
        let begin = at + lead(line);
        let line = line[lead(line)..].trim_end();
        if line.as_bytes().starts_with(END) {
            let (end, _) = to_end_marker(text, begin);
            parts.append(&mut held);
            parts.push(Part { start: begin, end });
            return end;
        }
        if !is_blank(line) && !is_of_key(line) && !is_header(line) {
            break;
        }
        if !is_blank(line) {
            held.push(Part {
                start: begin,
                end: begin + line.len(),
            });
        }
        if line.len() >= LEAST && !is_header(line) {
            sure = held.len();
        }
    }
    parts.extend(held.into_iter().take(sure));
    parts.last().map_or(end, |part| part.end)
}

/// Where the end marker ends that follows in the same line, or the text that may belong to a key.
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

fn putty(text: &str, start: usize, parts: &mut Vec<Part>) -> usize {
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
        parts.push(Part { start: begin, end });
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
            [b'#' | b'*' | b';', b' ' | b'\t', ..] => 1,
            [b'/', b'/', b' ' | b'\t', ..] => 2,
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
    let is_one = matches!(text.get(length), Some(b':' | b'|' | b')' | b'\t' | b' '));
    match is_one && length <= LONGEST {
        true => length + 1,
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
