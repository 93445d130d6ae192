//! The differences between two revisions: for people, and as an RFC 6902 patch.

mod patch;

pub use patch::{PatchStep, json_patch};

use std::borrow::Cow;
use std::fmt;

use crate::json::{Json, NodePath, Object, Pointer};
use crate::str_map::StrSet;
use crate::text::visible;

/// One difference, with what stands on either side.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentDifference<'a> {
    /// The thing that differs, such as `phase design` or `state.current_phase`.
    pub subject: String,
    /// Its place.
    pub at: Pointer,
    /// The part of the document that it belongs to.
    pub part: DifferencePart,
    /// The value in the first one.
    pub before: Option<&'a Json>,
    /// The value in the second one.
    pub after: Option<&'a Json>,
}

/// The kinds of differences, by how they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferencePart {
    /// A phase that only one of both has, shown by its status.
    Phase,
    /// The status of a phase.
    Status,
    /// Any other value.
    Value,
}

/// The differences, in the order of `before`; what only `after` has comes last.
///
/// A phase that was added or removed is one change. `revision`, `seal` and every `updated_at` of
/// the schema are left out, because each save changes them; so are `renamed_from`, a seal that says
/// no more than `feature` does, `restores`, and the order of keys.
pub fn differences<'a>(before: &'a Object, after: &'a Object) -> Vec<DocumentDifference<'a>> {
    let mut found = Vec::new();
    for (key, before, after) in before.differing(after) {
        let path = NodePath::Key(&NodePath::Root, key);
        match (key, before, after) {
            _ if of_every_save(&path) => {}
            ("phases", Some(Json::Object(before)), Some(Json::Object(after))) => {
                compare_phases(&path, before, after, &mut found);
            }
            _ => compare(&path, before, after, &mut found),
        }
    }
    found
}

/// Every difference of any two documents, but for these members of them.
pub fn differences_but<'a>(
    left_out: &[&str],
    before: &'a Object,
    after: &'a Object,
) -> Vec<DocumentDifference<'a>> {
    let mut found = Vec::new();
    for (key, before, after) in before.differing(after) {
        if !left_out.contains(&key) {
            compare(
                &NodePath::Key(&NodePath::Root, key),
                before,
                after,
                &mut found,
            );
        }
    }
    found
}

/// Returns whether a member of a document is one that every save changes, or that says nothing by
/// itself.
pub fn of_every_save(path: &NodePath<'_>) -> bool {
    match path {
        NodePath::Key(NodePath::Root, key) => matches!(
            *key,
            "revision" | "seal" | "updated_at" | "renamed_from" | "brought_from" | "restores"
        ),
        NodePath::Key(NodePath::Key(NodePath::Key(NodePath::Root, "phases"), _), key) => {
            *key == "updated_at"
        }
        _ => false,
    }
}

/// Returns the name of a place of a document, such as `phase design context_summary`.
pub fn subject(path: &NodePath<'_>) -> String {
    match path {
        NodePath::Root => String::new(),
        NodePath::Key(NodePath::Key(NodePath::Root, "phases"), name) => {
            format!("phase {}", label(name))
        }
        NodePath::Key(parent @ NodePath::Key(NodePath::Key(NodePath::Root, "phases"), _), key) => {
            format!("{} {}", subject(parent), label(key))
        }
        NodePath::Key(NodePath::Root, key) => label(key),
        NodePath::Key(parent, key) => format!("{}.{}", subject(parent), label(key)),
        NodePath::Item(parent, at) => format!("{}[{at}]", subject(parent)),
    }
}

/// A difference as a line. Its `Display` is that, in which stored text is short and harmless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeLine {
    subject: String,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Added(String),
    Removed(String),
    Replaced { from: String, to: String },
    Items(String),
}

impl fmt::Display for ChangeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = &self.subject;
        match &self.what {
            What::Added(value) => write!(f, "{subject}: added {value}"),
            What::Removed(value) => write!(f, "{subject}: removed {value}"),
            What::Replaced { from, to } => write!(f, "{subject}: {from} → {to}"),
            What::Items(items) => write!(f, "{subject}: {items}"),
        }
    }
}

/// [`differences`], a line each.
pub fn changes(before: &Object, after: &Object) -> Vec<ChangeLine> {
    let differences = differences(before, after);
    differences.into_iter().map(ChangeLine::from).collect()
}

impl From<DocumentDifference<'_>> for ChangeLine {
    fn from(difference: DocumentDifference<'_>) -> Self {
        let text = |value| value_text(difference.part, value);
        let what = match (difference.before, difference.after) {
            (before, after) if difference.part == DifferencePart::Status => What::Replaced {
                from: text(before),
                to: text(after),
            },
            (None, after) => What::Added(text(after)),
            (before, None) => What::Removed(text(before)),
            (Some(before), Some(after)) => match (strings(before), strings(after)) {
                (Some(before), Some(after)) => What::Items(items(&before, &after)),
                _ => What::Replaced {
                    from: text(Some(before)),
                    to: text(Some(after)),
                },
            },
        };
        ChangeLine {
            subject: difference.subject,
            what,
        }
    }
}

/// Returns the value of one side, in a few harmless words.
pub fn value_text(part: DifferencePart, value: Option<&Json>) -> String {
    match (part, value) {
        (DifferencePart::Phase, Some(Json::Object(phase))) => {
            format!("({})", status(phase.get("status")))
        }
        (DifferencePart::Status, value) => status(value),
        (_, Some(value)) => short(value),
        (_, None) => String::new(),
    }
}

fn compare_phases<'a>(
    phases: &NodePath<'_>,
    before: &'a Object,
    after: &'a Object,
    found: &mut Vec<DocumentDifference<'a>>,
) {
    for (name, before, after) in before.differing(after) {
        let at = NodePath::Key(phases, name);
        match (before, after) {
            (Some(Json::Object(before)), Some(Json::Object(after))) => {
                compare_phase(&at, before, after, found);
            }
            (None, Some(Json::Object(_))) | (Some(Json::Object(_)), None) => {
                found.push(DocumentDifference {
                    subject: subject(&at),
                    at: at.pointer(),
                    part: DifferencePart::Phase,
                    before,
                    after,
                });
            }
            _ => compare(&at, before, after, found),
        }
    }
}

fn compare_phase<'a>(
    phase: &NodePath<'_>,
    before: &'a Object,
    after: &'a Object,
    found: &mut Vec<DocumentDifference<'a>>,
) {
    for (key, before, after) in before.differing(after) {
        let at = NodePath::Key(phase, key);
        match key {
            _ if of_every_save(&at) => {}
            "status" => found.push(DocumentDifference {
                subject: subject(phase),
                at: at.pointer(),
                part: DifferencePart::Status,
                before,
                after,
            }),
            _ => compare(&at, before, after, found),
        }
    }
}

fn compare<'a>(
    at: &NodePath<'_>,
    before: Option<&'a Json>,
    after: Option<&'a Json>,
    found: &mut Vec<DocumentDifference<'a>>,
) {
    if let (Some(Json::Object(before)), Some(Json::Object(after))) = (before, after) {
        for (key, before, after) in before.differing(after) {
            compare(&NodePath::Key(at, key), before, after, found);
        }
        return;
    }
    found.push(DocumentDifference {
        subject: subject(at),
        at: at.pointer(),
        part: DifferencePart::Value,
        before,
        after,
    });
}

fn strings(value: &Json) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Json::as_str).collect()
}

fn items(before: &[&str], after: &[&str]) -> String {
    /// The most that are named; of more, their number.
    const NAMED: usize = 8;
    let signed = |sign: char, items: Vec<&str>| -> Vec<String> {
        let items = items.into_iter();
        let signed = items.map(|item| format!("{sign}{}", short_text(item)));
        signed.collect()
    };
    let mut items = signed('+', missing_in(before, after));
    items.append(&mut signed('-', missing_in(after, before)));
    if items.is_empty() {
        return "reordered".to_owned();
    }
    let rest = items.len().saturating_sub(NAMED);
    items.truncate(NAMED);
    let named = items
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" ");
    match rest {
        0 => named,
        _ => format!("{named} and {rest} more"),
    }
}

/// The items of a list that another one has not, as often as they stand there.
pub fn missing_in<'a>(other: &[&str], list: &[&'a str]) -> Vec<&'a str> {
    let other: StrSet<'_> = other.iter().copied().collect();
    let missing = list.iter().copied().filter(|item| !other.contains(item));
    missing.collect()
}

fn status(status: Option<&Json>) -> String {
    match status {
        Some(Json::String(status)) => label(status),
        Some(other) => short(other),
        None => "no status".to_owned(),
    }
}

/// A key or name: bare where it cannot be taken for anything else, else in quotes.
fn label(name: &str) -> String {
    let plain =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    if !name.is_empty() && name.chars().all(plain) {
        cut(name).into_owned()
    } else {
        short_text(name)
    }
}

fn short(value: &Json) -> String {
    match value {
        Json::String(text) => short_text(text),
        other => visible(&cut(&other.to_line())).into_owned(),
    }
}

fn short_text(text: &str) -> String {
    visible(&Json::from(&*cut(text)).to_line()).into_owned()
}

fn cut(text: &str) -> Cow<'_, str> {
    /// Characters of a value that are shown.
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests;
