//! Takes secrets out of text before it is written: summaries, messages, diffs, contents of files.
//!
//! The rules that say what is a secret are those that examine settings (`secret::form`, `secret::issuer`, the names of
//! fields); here they are looked for within any text, so that more has to speak for one: a hash, an id or a picture
//! in a diff stays, and so does what only names a secret (`$NAME`, `env:NAME`, `<token>`).
//!
//! A text is looked at as it stands, and once more in its [normal form](normal), where that is another one.
//!
//! Each secret becomes `[REDACTED:rule]`, within its line, so that a diff keeps its lines. Redacting again
//! changes nothing. Time grows with the length of any text: no rule looks at a byte more
//! than a fixed number of times, and each module says why.

mod block;
mod line_features;
mod login;
mod mask;
mod named;
mod normal;
mod rule;
mod shape;

use std::borrow::Cow;

use super::{FieldNameKind, is_secret_by_name, name_of, within};
use line_features::{LEAST_TEXT, LineFeatures};
use login::Netrc;
pub(super) use login::{begins_flag, is_strong, names_program, password_of_fields};
use mask::Mask;
use normal::Normal;
pub(super) use normal::part_at;
pub use rule::{Allowed, Rule};

/// The beginning of what replaces a secret, up to the rule.
const MARK: &str = "[REDACTED:";

/// The dashes around the label of a key, which stand in no token.
const DASHES: &[u8] = b"-----";

/// A mark may make what stands beside it look like a secret, which is looked for as often as this.
const ROUNDS: usize = 4;

/// A secret, by its rule and place; what it is, is in no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretFinding {
    /// The rule that found it.
    pub rule: Rule,
    /// Its line in the original text, from 1.
    pub line: usize,
    /// Its position in that line, in bytes from 1.
    pub column: usize,
}

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text, unchanged where nothing was found.
    pub text: Cow<'a, str>,
    /// The secrets that were taken out, in order.
    pub findings: Vec<SecretFinding>,
}

/// Takes the secrets out of a text: each becomes `[REDACTED:rule]`, within its line.
///
/// Nothing is an error: a text without secrets is borrowed and unchanged. Lines and columns of the findings count from
/// 1, columns in bytes. Redacting again changes nothing.
///
/// ```
/// use milepost::secret::{Rule, redact};
///
/// let redacted = redact("the server and password=hunter27");
/// assert_eq!(redacted.text, "the server and password=[REDACTED:named_secret]");
/// assert_eq!(redacted.findings.len(), 1);
/// assert_eq!((redacted.findings[0].rule, redacted.findings[0].line), (Rule::Named, 1));
///
/// assert_eq!(redact("password=$PASSWORD").findings, []);
/// ```
pub fn redact(text: &str) -> Redacted<'_> {
    redact_except(text, &Allowed::default())
}

/// [`redact`], without what a project allows.
pub fn redact_except<'a>(text: &'a str, allowed: &Allowed) -> Redacted<'a> {
    let mut redacted = Redacted {
        text: Cow::Borrowed(text),
        findings: Vec::new(),
    };
    for _ in 0..ROUNDS {
        let (next, findings) = hidden_once(&redacted.text, allowed);
        let Some(next) = next else { break };
        redacted.text = Cow::Owned(next);
        redacted.findings.extend(findings);
    }
    redacted
}

/// The text without what is found in it; `None` where that is nothing.
fn hidden_once(text: &str, allowed: &Allowed) -> (Option<String>, Vec<SecretFinding>) {
    let mut hidden = String::new();
    let mut kept = 0;
    let mut findings = Vec::new();
    each(text, allowed, &mut |finding, start, end| {
        hidden.push_str(&text[kept..start]);
        hidden.push_str(&mark_of(finding.rule));
        kept = end;
        findings.push(finding);
    });
    if findings.is_empty() {
        return (None, findings);
    }
    hidden.push_str(&text[kept..]);
    (Some(hidden), findings)
}

/// Redacts the text of a field in a document, which is a secret as a whole where a name above it says
/// so. `names` are those of the fields that it stands in, the innermost last.
pub fn redact_field<'a>(names: &[&str], text: &'a str) -> Redacted<'a> {
    redact_field_except(names, text, &Allowed::default())
}

/// [`redact_field`], without what a project allows.
pub fn redact_field_except<'a>(names: &[&str], text: &'a str, allowed: &Allowed) -> Redacted<'a> {
    let name = names
        .iter()
        .fold(FieldNameKind::Plain, |above, name| match within(above) {
            FieldNameKind::Secret => FieldNameKind::Secret,
            _ => name_of(name),
        });
    // Below `tokens`, a number is a number of them.
    let is_count = name == FieldNameKind::Secrets && text.bytes().all(|it| it.is_ascii_digit());
    let is_whole = !is_mark(text) && !is_count && is_secret_by_name(name, text);
    if !is_whole || allowed.has(Rule::Named) {
        return redact_except(text, allowed);
    }
    let finding = SecretFinding {
        rule: Rule::Named,
        line: 1,
        column: 1,
    };
    Redacted {
        text: Cow::Owned(mark_of(finding.rule)),
        findings: vec![finding],
    }
}

/// The first secret in a text, as that of a name or a path.
pub fn secret_in(text: &str) -> Option<Rule> {
    let mut first = None;
    if text.len() >= LEAST_TEXT {
        each(text, &Allowed::default(), &mut |finding, _, _| {
            first.get_or_insert(finding.rule);
        });
    }
    first
}

/// Finds the secrets in the bytes of a file. Of bytes that are no text, the parts that are text are looked at.
pub fn find_secrets(bytes: &[u8]) -> Vec<SecretFinding> {
    let mut findings = Vec::new();
    let mut line = 0;
    for chunk in bytes.utf8_chunks() {
        let text = chunk.valid();
        // Bytes that are no text have thousands of small parts.
        if text.len() >= LEAST_TEXT {
            each(text, &Allowed::default(), &mut |finding, _, _| {
                findings.push(SecretFinding {
                    line: finding.line + line,
                    ..finding
                });
            });
        }
        line += text.bytes().filter(|it| *it == b'\n').count();
    }
    findings
}

/// A secret by its rule, where it begins and where it ends.
type Part = (Rule, usize, usize);

/// Shows each secret with the bytes where it begins and ends. None goes over the end of a line.
fn each(text: &str, allowed: &Allowed, found: &mut dyn FnMut(SecretFinding, usize, usize)) {
    let mut hidden: Vec<Part> = Vec::new();
    if let Some(normal) = Normal::of(text) {
        each_as_it_stands(&normal.text, &[], allowed, &mut |finding, start, end| {
            hidden.push((finding.rule, normal.start(start), normal.end(end)));
        });
    }
    each_as_it_stands(text, &hidden, allowed, found);
}

/// Looks at each part one time only; `hidden` are parts that are known, in order.
fn each_as_it_stands(
    text: &str,
    hidden: &[Part],
    allowed: &Allowed,
    found: &mut dyn FnMut(SecretFinding, usize, usize),
) {
    let blocks = block::parts(text);
    let mut blocks = blocks.iter().peekable();
    let mut hidden = hidden.iter().peekable();
    let mut netrc = Netrc::may_be_in(text).then(Netrc::default);
    let mut mask = Mask::new(allowed);
    let mut from = 0;
    for at in 0.. {
        if from > text.len() {
            return;
        }
        let features = LineFeatures::at(text.as_bytes(), from);
        let (start, end) = (from, features.end);
        from = end + 1;
        let is_in_block = blocks.peek().is_some_and(|block| block.start < from);
        let is_known = is_in_block || hidden.peek().is_some_and(|part| part.1 < from);
        if !is_known && netrc.is_none() && !features.may_hold_secret() {
            continue;
        }
        let line = &text[start..end];
        mask.begin(line.len());
        while let Some(block) = blocks.next_if(|block| block.start < from) {
            mask.mark(Rule::PrivateKey, block.start - start, block.end - start);
        }
        while let Some((rule, begin, until)) = hidden.next_if(|part| part.1 < from) {
            mask.mark(*rule, begin - start, (*until).min(end) - start);
        }
        features.mark(line, &mut mask);
        if let Some(netrc) = &mut netrc {
            netrc.mark(line, &mut mask);
        }
        mask.show(&mut |rule, begin, end| {
            let finding = SecretFinding {
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

/// Returns whether this is what a whole secret was replaced by.
fn is_mark(text: &str) -> bool {
    let rule = text.strip_prefix(MARK).and_then(|it| it.strip_suffix(']'));
    rule.is_some_and(|rule| Rule::ALL.iter().any(|it| it.as_str() == rule))
}

/// Returns whether something was taken out of this already.
///
/// A rule that judges a text by more than the secret itself leaves one alone that has a mark in it: where two
/// rules meet, both judged the text without the mark, and what they see then is theirs alone.
fn has_mark(text: &str) -> bool {
    find(text.as_bytes(), 0, MARK.as_bytes()).is_some()
}

/// Returns whether this stands where a secret belongs, in an example or a template.
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
    /// A longer text is no example.
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

/// Returns the next position of some bytes.
fn find(text: &[u8], from: usize, part: &[u8]) -> Option<usize> {
    let first = part.first()?;
    let mut windows = text.get(from..)?.windows(part.len());
    let at = windows.position(|it| it[0] == *first && it == part);
    at.map(|at| from + at)
}

/// Returns whether tokens have such characters within.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Returns the end of a word: what no token has, or the dashes around the label of a key.
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
mod cost_tests;
#[cfg(test)]
mod key_tests;
#[cfg(test)]
mod ordinary_sample;
#[cfg(test)]
mod shapes_tests;
#[cfg(test)]
mod structure_tests;
#[cfg(test)]
mod suspect_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod token_sample;
