//! The words of a text: those of prose, and the parts of names.

use super::line::{Kind, Line};

/// A word in lower case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) line: usize,
    /// True if nothing that ends a phrase stands between it and the word before.
    pub(super) follows: bool,
}

/// Names of the standard library that read as a phrase.
const LIBRARY: [&str; 2] = ["is_none", "is_none_or"];

/// Stored names and sentences, which stay: the members of the answer of doctor, and the names of the published schema.
const STORED: [&str; 5] = [
    "\"mend\"",
    "\"mended\"",
    "\"MendStep\"",
    "\"SessionCheckpoint\"",
    "\"SessionCommandCheckpoint\"",
];

/// The words of some lines, in order.
pub(super) fn words(lines: &[Line<'_>]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut before: Option<(Kind, usize)> = None;
    let mut follows = false;
    for line in lines {
        let goes_on = before == Some((line.kind, line.number - 1));
        follows &= goes_on;
        before = Some((line.kind, line.number));
        let text = readable(line);
        let mut rest = text.as_str();
        while let Some(c) = rest.chars().next() {
            let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            if length == 0 {
                follows &= c.is_whitespace() || matches!(c, '\'' | '’' | '\\');
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let name = &rest[..length];
            for part in parts(name) {
                words.push(Word {
                    text: part.to_lowercase(),
                    line: line.number,
                    follows,
                });
                follows = true;
            }
            rest = &rest[length..];
        }
    }
    words
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A line without addresses, stored sentences and, in prose, code. A `;` stands in the place of each.
fn readable(line: &Line<'_>) -> String {
    let mut text = line.text.to_owned();
    for stored in STORED {
        text = text.replace(stored, ";");
    }
    for scheme in ["https://", "http://"] {
        while let Some(start) = text.find(scheme) {
            let ends = |c: char| c.is_whitespace() || "<>()\"'`".contains(c);
            let end = text[start..].find(ends).map_or(text.len(), |it| start + it);
            text.replace_range(start..end, ";");
        }
    }
    if line.kind == Kind::Code {
        return text;
    }
    let pieces: Vec<&str> = text.split('`').collect();
    let is_code = |at: usize| at % 2 == 1 && at + 1 < pieces.len();
    let pieces = pieces.iter().enumerate();
    let pieces = pieces.map(|(at, piece)| if is_code(at) { ";" } else { *piece });
    pieces.collect()
}

/// The parts of a name, at each `_` and each capital that begins a word.
fn parts(name: &str) -> Vec<&str> {
    if LIBRARY.contains(&name) {
        return vec![name];
    }
    let names = name.split('_').filter(|part| !part.is_empty());
    names.flat_map(at_capitals).collect()
}

fn at_capitals(name: &str) -> Vec<&str> {
    let places: Vec<(usize, char)> = name.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..places.len() {
        let (place, c) = places[at];
        let is_after_small = !places[at - 1].1.is_uppercase();
        let is_before_small = places.get(at + 1).is_some_and(|(_, it)| it.is_lowercase());
        if c.is_uppercase() && (is_after_small || is_before_small) {
            parts.push(&name[start..place]);
            start = place;
        }
    }
    parts.push(&name[start..]);
    parts
}

#[test]
fn a_name_is_split_at_underscores_and_capitals() {
    for (name, expected) in [
        ("is_told_apart", &["is", "told", "apart"][..]),
        ("wasTold", &["was", "Told"]),
        ("HTMLTold", &["HTML", "Told"]),
        ("AT_ONCE", &["AT", "ONCE"]),
        ("v2Told", &["v2", "Told"]),
        ("Untold", &["Untold"]),
        ("is_none", &["is_none"]),
    ] {
        assert_eq!(parts(name), expected, "{name}");
    }
}
