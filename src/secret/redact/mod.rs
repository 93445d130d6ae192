//! Takes secrets out of text before it is written: summaries, messages, diffs, contents of files.
//!
//! What is a secret is said by the same rules that examine settings (`secret::form`, the names of fields);
//! here they are looked for within any text, so that more has to speak for one: a hash, an id or a picture
//! in a diff stays, and so does what only names a secret (`$NAME`, `env:NAME`, `<token>`).
//!
//! Each secret becomes `[REDACTED:rule]`, within its line, so that a diff keeps its lines. Redacting again
//! changes nothing. Time grows with the length of the text, whatever it is: no rule looks at a byte more
//! than a fixed number of times, and each module says why.

mod block;
mod cover;
mod glance;
mod named;
mod rule;
mod shape;

use std::borrow::Cow;

use super::{Name, is_secret_by_name, name_of, within};
use cover::Cover;
use glance::{Glance, LEAST_TEXT};
pub use rule::Rule;

/// What a secret is replaced by, up to the rule.
const MARK: &str = "[REDACTED:";

/// What stands around the label of a key, and in no token.
const DASHES: &[u8] = b"-----";

/// A secret, by its rule and place; what it is, nobody is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub rule: Rule,
    /// Its line in the original text, from 1.
    pub line: usize,
    /// Where it begins in that line, in bytes from 1.
    pub column: usize,
}

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text, as it was where nothing was found.
    pub text: Cow<'a, str>,
    /// What was taken out, in order.
    pub findings: Vec<Finding>,
}

/// Takes the secrets out of a text.
pub fn redact(text: &str) -> Redacted<'_> {
    let mut redacted = String::new();
    let mut kept = 0;
    let mut findings = Vec::new();
    each(text, &mut |finding, start, end| {
        redacted.push_str(&text[kept..start]);
        redacted.push_str(&mark_of(finding.rule));
        kept = end;
        findings.push(finding);
    });
    if findings.is_empty() {
        return Redacted {
            text: Cow::Borrowed(text),
            findings,
        };
    }
    redacted.push_str(&text[kept..]);
    Redacted {
        text: Cow::Owned(redacted),
        findings,
    }
}

/// The same for the text of a field in a document, which is a secret as a whole where a name above it says
/// so. `names` are those of the fields that it stands in, the innermost last.
pub fn redact_field<'a>(names: &[&str], text: &'a str) -> Redacted<'a> {
    let name = names
        .iter()
        .fold(Name::Plain, |above, name| match within(above) {
            Name::Secret => Name::Secret,
            _ => name_of(name),
        });
    // Below `tokens`, a number is a number of them.
    let is_count = name == Name::Secrets && text.bytes().all(|it| it.is_ascii_digit());
    if is_mark(text) || is_count || !is_secret_by_name(name, text) {
        return redact(text);
    }
    let finding = Finding {
        rule: Rule::Named,
        line: 1,
        column: 1,
    };
    Redacted {
        text: Cow::Owned(mark_of(finding.rule)),
        findings: vec![finding],
    }
}

/// What is secret in the bytes of a file. Of bytes that are no text, the parts that are text are looked at.
pub fn find_secrets(bytes: &[u8]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut line = 0;
    for chunk in bytes.utf8_chunks() {
        let text = chunk.valid();
        // What is no text has thousands of small parts.
        if text.len() >= LEAST_TEXT {
            each(text, &mut |finding, _, _| {
                findings.push(Finding {
                    line: finding.line + line,
                    ..finding
                });
            });
        }
        line += text.bytes().filter(|it| *it == b'\n').count();
    }
    findings
}

/// Shows each secret with the bytes where it begins and ends. None goes over the end of a line.
fn each(text: &str, found: &mut dyn FnMut(Finding, usize, usize)) {
    let blocks = block::parts(text);
    let mut blocks = blocks.iter().peekable();
    let mut cover = Cover::default();
    let mut from = 0;
    for at in 0.. {
        if from > text.len() {
            return;
        }
        let glance = Glance::at(text.as_bytes(), from);
        let (start, end) = (from, glance.end);
        from = end + 1;
        let is_in_block = blocks.peek().is_some_and(|block| block.start < from);
        if !is_in_block && !glance.may_hold_secret() {
            continue;
        }
        let line = &text[start..end];
        cover.begin(line.len());
        while let Some(block) = blocks.next_if(|block| block.start < from) {
            cover.mark(Rule::PrivateKey, block.start - start, block.end - start);
        }
        glance.mark(line, &mut cover);
        cover.show(&mut |rule, begin, end| {
            let finding = Finding {
                rule,
                line: at + 1,
                column: begin + 1,
            };
            found(finding, start + begin, start + end);
        });
    }
}

fn mark_of(rule: Rule) -> String {
    [MARK, rule.as_str(), "]"].concat()
}

/// Whether this is what a whole secret was replaced by.
fn is_mark(text: &str) -> bool {
    let rule = text.strip_prefix(MARK).and_then(|it| it.strip_suffix(']'));
    rule.is_some_and(|rule| Rule::ALL.iter().any(|it| it.as_str() == rule))
}

/// Whether something was taken out of this already.
///
/// Whoever judges a text by more than the secret itself leaves one alone that has a mark in it: where two
/// rules meet, both judged the text without the mark, and what they see then is theirs alone.
fn has_mark(text: &str) -> bool {
    find(text.as_bytes(), 0, MARK.as_bytes()).is_some()
}

/// Whether this stands where a secret belongs, in an example or a template.
fn is_placeholder(value: &str) -> bool {
    const SAID: [&str; 10] = [
        "example",
        "changeme",
        "change-me",
        "change_me",
        "your",
        "placeholder",
        "redacted",
        "xxxx",
        "****",
        "....",
    ];
    const WORDS: [&str; 8] = [
        "password",
        "passwd",
        "pass",
        "secret",
        "token",
        "undefined",
        "null",
        "none",
    ];
    /// What is longer is no example.
    const LONGEST: usize = 64;
    if value.starts_with(['<', '{', '$']) {
        return true;
    }
    if value.len() > LONGEST {
        return false;
    }
    let is_constant = |it: u8| it.is_ascii_uppercase() || it == b'_';
    let lower = value.to_ascii_lowercase();
    WORDS.contains(&lower.as_str())
        || value.contains('_') && value.bytes().all(is_constant)
        || value.len() == 2 && value.starts_with('%')
        || SAID
            .iter()
            .any(|word| find(lower.as_bytes(), 0, word.as_bytes()).is_some())
}

/// Where some bytes stand next.
fn find(text: &[u8], from: usize, part: &[u8]) -> Option<usize> {
    let first = part.first()?;
    let mut windows = text.get(from..)?.windows(part.len());
    let at = windows.position(|it| it[0] == *first && it == part);
    at.map(|at| from + at)
}

/// Whether tokens have such characters within.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Where a word ends: at what no token has, or at the dashes around the label of a key.
fn word_end(text: &[u8], from: usize) -> usize {
    let mut end = from;
    while let Some(&byte) = text.get(end)
        && is_word(byte)
        && !(byte == b'-' && text[end..].starts_with(DASHES))
    {
        end += 1;
    }
    end
}

#[cfg(test)]
mod any_text;
#[cfg(test)]
mod tests;
