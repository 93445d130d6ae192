//! The differences between two revisions: for people, and as an RFC 6902 patch.

mod patch;

pub use patch::json_patch;

use std::borrow::Cow;
use std::fmt;

use crate::json::{Json, NodePath, Object, Pointer};
use crate::str_map::StrSet;
use crate::text::visible;

/// One difference, with what stands on either side.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference<'a> {
    /// The thing that differs, such as `phase design` or `state.current_phase`.
    pub subject: String,
    /// Its place.
    pub at: Pointer,
    /// The part of the document that it belongs to.
    pub part: Part,
    /// The value in the first one.
    pub before: Option<&'a Json>,
    /// The value in the second one.
    pub after: Option<&'a Json>,
}

/// The kinds of differences, by how they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
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
pub fn differences<'a>(before: &'a Object, after: &'a Object) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    for (key, before, after) in before.differing(after) {
        let place = NodePath::Key(&NodePath::Root, key);
        match (key, before, after) {
            _ if of_every_save(&place) => {}
            ("phases", Some(Json::Object(before)), Some(Json::Object(after))) => {
                compare_phases(&place, before, after, &mut found);
            }
            _ => compare(&place, before, after, &mut found),
        }
    }
    found
}

/// Every difference of any two documents, but for these members of them.
pub fn differences_but<'a>(
    left_out: &[&str],
    before: &'a Object,
    after: &'a Object,
) -> Vec<Difference<'a>> {
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
pub fn of_every_save(place: &NodePath<'_>) -> bool {
    match place {
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
pub fn subject(place: &NodePath<'_>) -> String {
    match place {
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
pub struct Change {
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

impl fmt::Display for Change {
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
pub fn changes(before: &Object, after: &Object) -> Vec<Change> {
    let differences = differences(before, after);
    differences.into_iter().map(Change::from).collect()
}

impl From<Difference<'_>> for Change {
    fn from(difference: Difference<'_>) -> Self {
        let text = |value| value_text(difference.part, value);
        let what = match (difference.before, difference.after) {
            (before, after) if difference.part == Part::Status => What::Replaced {
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
        Change {
            subject: difference.subject,
            what,
        }
    }
}

/// Returns the value of one side, in a few harmless words.
pub fn value_text(part: Part, value: Option<&Json>) -> String {
    match (part, value) {
        (Part::Phase, Some(Json::Object(phase))) => format!("({})", status(phase.get("status"))),
        (Part::Status, value) => status(value),
        (_, Some(value)) => short(value),
        (_, None) => String::new(),
    }
}

fn compare_phases<'a>(
    phases: &NodePath<'_>,
    before: &'a Object,
    after: &'a Object,
    found: &mut Vec<Difference<'a>>,
) {
    for (name, before, after) in before.differing(after) {
        let at = NodePath::Key(phases, name);
        match (before, after) {
            (Some(Json::Object(before)), Some(Json::Object(after))) => {
                compare_phase(&at, before, after, found);
            }
            (None, Some(Json::Object(_))) | (Some(Json::Object(_)), None) => {
                found.push(Difference {
                    subject: subject(&at),
                    at: at.pointer(),
                    part: Part::Phase,
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
    found: &mut Vec<Difference<'a>>,
) {
    for (key, before, after) in before.differing(after) {
        let at = NodePath::Key(phase, key);
        match key {
            _ if of_every_save(&at) => {}
            "status" => found.push(Difference {
                subject: subject(phase),
                at: at.pointer(),
                part: Part::Status,
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
    found: &mut Vec<Difference<'a>>,
) {
    if let (Some(Json::Object(before)), Some(Json::Object(after))) = (before, after) {
        for (key, before, after) in before.differing(after) {
            compare(&NodePath::Key(at, key), before, after, found);
        }
        return;
    }
    found.push(Difference {
        subject: subject(at),
        at: at.pointer(),
        part: Part::Value,
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
mod tests {
    use super::{changes, json_patch};
    use crate::checkpoint::command::sample::Random;
    use crate::json::{self, Json, Object};
    use crate::str_map::steps;

    fn object(text: &str) -> Object {
        let value = json::read(text.as_bytes()).unwrap().value;
        value.as_object().unwrap().clone()
    }

    fn lines(before: &str, after: &str) -> Vec<String> {
        changes(&object(before), &object(after))
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn each_kind_of_change_has_its_line() {
        let before = r#"{"command": "design", "completed_at": "2026-01-01T00:00:00.000Z",
            "state": {"current_phase": "a", "completed_phases": [], "pending_phases": ["b", "c"]},
            "phases": {
                "a": {"status": "in_progress", "context_summary": "old", "extra": {"n": 1.0}},
                "gone": {"status": "failed"}
            },
            "numbers": [1, 2]}"#;
        let after = r#"{"command": "design",
            "state": {"current_phase": null, "completed_phases": ["a"], "pending_phases": ["c", "b"]},
            "phases": {
                "a": {"status": "complete", "context_summary": "new", "extra": {"n": 1}},
                "new one": {"status": "pending"}
            },
            "numbers": [1, 3],
            "gate": {"ship_allowed": true}}"#;
        assert_eq!(
            lines(before, after),
            [
                r#"completed_at: removed "2026-01-01T00:00:00.000Z""#,
                r#"state.current_phase: "a" → null"#,
                r#"state.completed_phases: +"a""#,
                r#"state.pending_phases: reordered"#,
                r#"phase a: in_progress → complete"#,
                r#"phase a context_summary: "old" → "new""#,
                r#"phase a extra.n: 1.0 → 1"#,
                r#"phase gone: removed (failed)"#,
                r#"phase "new one": added (pending)"#,
                r#"numbers: [1,2] → [1,3]"#,
                r#"gate: added {"ship_allowed":true}"#,
            ]
        );
    }

    #[test]
    fn members_that_every_save_changes_are_left_out() {
        let before = r#"{"updated_at": "1", "revision": 1, "seal": "a",
            "phases": {"a": {"status": "pending", "updated_at": "1"}}, "x": {"a": 1, "b": 2}}"#;
        let after = r#"{"updated_at": "2", "revision": 2, "seal": "b", "renamed_from": "a",
            "phases": {"a": {"status": "pending", "updated_at": "2"}}, "x": {"b": 2, "a": 1}}"#;
        assert_eq!(lines(before, after), [""; 0]);
    }

    #[test]
    fn an_updated_at_that_is_not_the_schemas_is_shown() {
        assert_eq!(
            lines(r#"{"x": {"updated_at": 1}}"#, r#"{"x": {"updated_at": 2}}"#),
            ["x.updated_at: 1 → 2"]
        );
    }

    #[test]
    fn long_texts_and_lists_are_cut() {
        let before = r#"{"list": [], "text": ""}"#;
        let items: Vec<String> = (0..20)
            .map(|at| format!("{at:?}").replace('\'', ""))
            .collect();
        let after = format!(
            r#"{{"list": ["{}"], "text": "{}"}}"#,
            items.join("\",\""),
            "é".repeat(70)
        );
        assert_eq!(
            lines(before, &after),
            [
                r#"list: +"0" +"1" +"2" +"3" +"4" +"5" +"6" +"7" and 12 more"#.to_owned(),
                format!(r#"text: "" → "{}…""#, "é".repeat(60)),
            ]
        );
    }

    #[test]
    fn stored_text_cannot_act_on_the_terminal_or_forge_a_line() {
        let after = r#"{"a: 1 → 2\nb": "\u001b]52;c;x\u0007 \u202e \u007f",
            "phases": {"\u202eevil": {"status": "\u009b2J"}}}"#;
        assert_eq!(
            lines(r#"{"phases": {}}"#, after),
            [
                r#"phase "\u{202e}evil": added ("\u{9b}2J")"#,
                r#""a: 1 → 2\nb": added "\u001b]52;c;x\u0007 \u{202e} \u{7f}""#,
            ]
        );
    }

    #[test]
    fn malformed_parts_are_compared_as_values() {
        assert_eq!(
            lines(
                r#"{"phases": {"a": 1, "b": {"status": 5}}, "state": []}"#,
                r#"{"phases": {"a": {"status": "x"}, "b": {}}, "state": {}}"#
            ),
            [
                r#"phase a: 1 → {"status":"x"}"#,
                "phase b: 5 → no status",
                "state: [] → {}",
            ]
        );
    }
    /// Returns the differences, found by searching each key from the start.
    fn searched<'a>(before: &'a Object, after: &'a Object) -> Vec<json::Difference<'a>> {
        let old = before
            .iter()
            .map(|(key, value)| (key, Some(value), after.get(key)));
        let new = after.iter().filter(|(key, _)| before.get(key).is_none());
        let new = new.map(|(key, value)| (key, None, Some(value)));
        old.chain(new)
            .filter(|(_, before, after)| before != after)
            .collect()
    }

    #[test]
    fn differences_are_found_in_any_order_of_keys() {
        for seed in 0..5_000 {
            let _run = milepost_property::seed("differences are found in any order of keys", seed);
            let mut random = Random::new(seed);
            let before = random.document();
            let after = match seed % 3 {
                0 => random.document(),
                _ => random.altered(&before),
            };
            let after: Object = match seed % 2 {
                0 => after,
                _ => after
                    .iter()
                    .rev()
                    .map(|(key, value)| (key, value.clone()))
                    .collect(),
            };
            assert_eq!(
                before.differing(&after),
                searched(&before, &after),
                "seed {seed}"
            );
        }
    }

    /// A document of many phases, of which one is complete and one is only here.
    fn large(phases: usize, complete: usize) -> Object {
        let phase = |at: usize| {
            let status = if at == complete {
                "complete"
            } else {
                "pending"
            };
            (
                format!("phase-{at}"),
                Json::from(Object::new().with("status", status)),
            )
        };
        let phases: Object = (0..phases)
            .filter(|at| at % 1_000 != complete)
            .map(phase)
            .collect();
        let phases = phases.with(&format!("only-{complete}"), Object::new());
        Object::new()
            .with("command", "design")
            .with("phases", phases)
    }

    #[test]
    fn a_diff_of_twice_the_phases_takes_twice_the_steps() {
        let of = |phases: usize| {
            let (before, after) = (large(phases, 7), large(phases, 9));
            steps::of(|| {
                assert!(!changes(&before, &after).is_empty());
                json_patch(&before, &after);
            })
        };
        let (once, twice) = (of(20_000), of(40_000));
        assert!(
            once <= 20 * 20_000 && twice <= 20 * 40_000,
            "{once}, {twice}"
        );
    }
}
