//! One line of `.gitattributes`: a pattern, or the name of several attributes, and their values.

use super::AttributeValue;
use crate::git::ignore::{Case, Pattern, lines};
use crate::git::quoted::unquoted;

/// A line that git does not pass over.
#[derive(Clone, Debug)]
pub(super) struct AttributesLine {
    head: AttributesLineHead,
    /// The attributes, in the order of the line.
    pub(super) values: Vec<(Vec<u8>, AttributeValue)>,
}

#[derive(Clone, Debug)]
enum AttributesLineHead {
    Pattern(Pattern),
    /// `[attr]NAME`
    Name(Vec<u8>),
}

/// Git passes over longer lines.
const LONGEST_LINE: usize = 2047;
const NAMED: &[u8] = b"[attr]";

/// The lines of a file, in its order.
pub(super) fn parse(text: &[u8], case: Case) -> Vec<AttributesLine> {
    lines(text)
        .filter_map(|line| AttributesLine::parse(line, case))
        .collect()
}

impl AttributesLine {
    /// Returns whether it matches a file, as [`Pattern::matches`] does.
    pub(super) fn matches(&self, path: &[u8], start: usize, name: usize) -> bool {
        match &self.head {
            AttributesLineHead::Pattern(pattern) => pattern.matches(path, start, name),
            AttributesLineHead::Name(_) => false,
        }
    }

    /// The attribute of which it says what it stands for.
    pub(super) fn name(&self) -> Option<&[u8]> {
        match &self.head {
            AttributesLineHead::Name(name) => Some(name),
            AttributesLineHead::Pattern(_) => None,
        }
    }

    fn parse(line: &[u8], case: Case) -> Option<AttributesLine> {
        let line = line.split(|&byte| byte == 0).next()?;
        let text = without_blanks(line);
        if line.len() > LONGEST_LINE || text.first().is_none_or(|&first| first == b'#') {
            return None;
        }
        let (pattern, mut rest) = unquoted(text).unwrap_or_else(|| {
            let (word, rest) = word(text);
            (word.to_vec(), rest)
        });
        let head = match pattern.strip_prefix(NAMED).filter(|name| !name.is_empty()) {
            Some(name) => {
                AttributesLineHead::Name(Some(name).filter(|name| is_name(name))?.to_vec())
            }
            None => AttributesLineHead::Pattern(of_files(&pattern, case)?),
        };
        let mut values = Vec::new();
        loop {
            rest = without_blanks(rest);
            if rest.is_empty() {
                return Some(AttributesLine { head, values });
            }
            let (word, after) = word(rest);
            values.push(value(word)?);
            rest = after;
        }
    }
}

/// The pattern, if it is not negated. One that ends in `/` is of folders, which have no attributes.
fn of_files(text: &[u8], case: Case) -> Option<Pattern> {
    let is_of_files = !text.starts_with(b"!") && !text.ends_with(b"/");
    is_of_files.then(|| Pattern::new(text, case))
}

/// One attribute with its value; git passes over the whole line where one is invalid.
fn value(word: &[u8]) -> Option<(Vec<u8>, AttributeValue)> {
    let equals = word.iter().position(|&byte| byte == b'=');
    let name = &word[..equals.unwrap_or(word.len())];
    let (name, value) = match (name, equals) {
        ([b'-', name @ ..], _) => (name, AttributeValue::Unset),
        ([b'!', name @ ..], _) => (name, AttributeValue::Unspecified),
        (name, None) => (name, AttributeValue::Set),
        (name, Some(at)) => (name, AttributeValue::Text(word[at + 1..].to_vec())),
    };
    let is_valid = is_name(name) && !name.starts_with(b"builtin_");
    is_valid.then(|| (name.to_vec(), value))
}

fn is_name(name: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    !name.is_empty() && name[0] != b'-' && name.iter().all(is_plain)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|&&byte| is_blank(byte)).count();
    &text[blanks..]
}

fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let length = text.iter().take_while(|&&byte| !is_blank(byte)).count();
    text.split_at(length)
}
