//! The differences between two documents, as a page shows them and as a screen reader says them.

use crate::checkpoint::command::diff::{
    DifferencePart, DocumentDifference, missing_in, value_text,
};
use crate::diff::hunks;
use crate::json::{Json, Object};
use crate::schema::{Kind, Shaped};
use crate::str_map;
use crate::text::{short, visible, visible_lines};

use super::super::session;
use super::super::shown_line::{LineSign, ShownLine};
use super::super::version_ref::{CheckpointKey, VersionRef};
use super::lines::{ComparisonLine, lines, shown_lines};

/// A longer text is compared by lines and words.
const LONG: usize = 120;
/// Where lines or items show a value, so much of its beginning stands beside them.
const BEGINNING: usize = 200;
/// So many items of a list are said; of more, their number.
const SAID: usize = 8;

/// A difference as a page shows it.
#[derive(Shaped)]
#[shape(name = "Change")]
pub(super) struct ShownChange {
    /// Its place, a JSON pointer.
    path: String,
    /// The place in words.
    label: String,
    /// The kind of the change.
    #[shape(kind = Kind::Enum(&["added", "removed", "changed", "reordered"]))]
    kind: &'static str,
    /// The change as a sentence.
    sentence: String,
    /// The value before, or its beginning.
    before: Option<String>,
    /// The value after.
    after: Option<String>,
    /// The difference of a long text.
    lines: Option<Vec<ShownLine>>,
    /// The items that only one of two lists has.
    items: Option<Vec<ShownItem>>,
}

/// An item of a list.
#[derive(Shaped)]
struct ShownItem {
    /// The side that has it.
    #[shape(kind = LineSign::KIND)]
    op: String,
    /// The item.
    text: String,
}

/// A file that differs.
#[derive(Shaped)]
#[shape(name = "FileChange")]
pub(super) struct ChangedFile {
    /// Its path.
    path: String,
    /// The side that has it: only the second one, only the first one, or both otherwise.
    #[shape(kind = Kind::Enum(&["added", "removed", "changed"]))]
    change: &'static str,
    /// The place where its content is kept, and can be asked for.
    #[shape(left_out, kind = Kind::String)]
    key: Option<String>,
}

/// A difference as a page shows it.
pub(super) fn change(difference: &DocumentDifference<'_>) -> ShownChange {
    let shown = DifferenceTexts::new(difference);
    let is_specific = shown.lines.is_some() || shown.items.is_some();
    let value = |value: Option<&Json>| {
        let text = value.map(text)?;
        Some(match is_specific {
            true => beginning(&text),
            false => visible_lines(&text).into_owned(),
        })
    };
    let label = match difference.part {
        DifferencePart::Status => format!("{} status", difference.subject),
        DifferencePart::Phase | DifferencePart::Value => difference.subject.clone(),
    };
    let sentence = sentence(difference, &label, &shown);
    ShownChange {
        path: visible(difference.at.as_str()).into_owned(),
        label,
        kind: shown.kind,
        sentence,
        before: value(difference.before),
        after: value(difference.after),
        lines: shown.lines.map(shown_lines),
        items: shown.items.map(shown_items),
    }
}

/// A sign and an item.
type Item = (char, String);

/// The texts by which a difference is shown.
struct DifferenceTexts {
    kind: &'static str,
    lines: Option<Vec<ComparisonLine>>,
    items: Option<Vec<Item>>,
    /// True if the items are texts, and not other JSON.
    are_texts: bool,
}

impl DifferenceTexts {
    fn new(difference: &DocumentDifference<'_>) -> Self {
        let of_kind = |kind| DifferenceTexts {
            kind,
            lines: None,
            items: None,
            are_texts: true,
        };
        match (difference.before, difference.after) {
            (Some(Json::Array(before)), Some(Json::Array(after))) => {
                let mut all = before.iter().chain(after);
                let are_texts = all.all(|item| item.as_str().is_some());
                let (before, after) = (texts(before), texts(after));
                let items = items(&before, &after);
                let is_reordered = before.len() == after.len() && is_same_set(&before, &after);
                DifferenceTexts {
                    items: Some(items),
                    are_texts,
                    ..of_kind(if is_reordered { "reordered" } else { "changed" })
                }
            }
            (Some(Json::String(before)), Some(Json::String(after)))
                if is_long(before) || is_long(after) =>
            {
                DifferenceTexts {
                    lines: Some(lines(before, after)),
                    ..of_kind("changed")
                }
            }
            (Some(_), Some(_)) => of_kind("changed"),
            (None, Some(_)) => of_kind("added"),
            (_, None) => of_kind("removed"),
        }
    }
}

fn is_long(text: &str) -> bool {
    text.len() > LONG || text.contains('\n')
}

fn texts(items: &[Json]) -> Vec<String> {
    let text = |item: &Json| match item {
        Json::String(text) => text.clone(),
        other => other.to_line(),
    };
    items.iter().map(text).collect()
}

fn is_same_set(before: &[String], after: &[String]) -> bool {
    str_map::sort(before.to_vec()) == str_map::sort(after.to_vec())
}

/// The items that only one of two lists has, as the command line prints them; where they have the same ones,
/// those that make one order of the other.
fn items(before: &[String], after: &[String]) -> Vec<Item> {
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    let after: Vec<&str> = after.iter().map(String::as_str).collect();
    let signed = |sign: char, items: &[&str]| -> Vec<Item> {
        items
            .iter()
            .map(|item| (sign, (*item).to_owned()))
            .collect()
    };
    let mut found = signed('+', &missing_in(&before, &after));
    found.append(&mut signed('-', &missing_in(&after, &before)));
    if found.is_empty() {
        for hunk in hunks(&before, &after) {
            found.append(&mut signed('-', &before[hunk.before]));
            found.append(&mut signed('+', &after[hunk.after]));
        }
    }
    found
}

fn shown_items(items: Vec<Item>) -> Vec<ShownItem> {
    let item = |(sign, text): Item| ShownItem {
        op: sign.to_string(),
        text: visible_lines(&text).into_owned(),
    };
    items.into_iter().map(item).collect()
}

/// A value as text: a string as it is, anything with parts indented.
fn text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(_) | Json::Object(_) => value.to_document().trim_end().to_owned(),
        other => other.to_line(),
    }
}

fn beginning(text: &str) -> String {
    match text.char_indices().nth(BEGINNING) {
        Some((end, _)) => format!("{}…", visible_lines(&text[..end])),
        None => visible_lines(text).into_owned(),
    }
}

/// The sentence that a screen reader says of it.
fn sentence(difference: &DocumentDifference<'_>, label: &str, shown: &DifferenceTexts) -> String {
    let text_of = |value: Option<&Json>| value_text(difference.part, value);
    let (before, after) = (difference.before, difference.after);
    if let Some(items) = &shown.items {
        return match shown.kind {
            "reordered" => format!("{label} reordered"),
            _ => format!("{label} changed: {}", said_items(items, shown.are_texts)),
        };
    }
    if let Some(lines) = &shown.lines
        && let Some(counts) = counts(lines)
    {
        return format!("{label} changed: {counts}");
    }
    match (shown.kind, difference.part) {
        ("added", DifferencePart::Phase) => format!("{label} added {}", text_of(after)),
        ("removed", DifferencePart::Phase) => format!("{label} removed {}", text_of(before)),
        (_, DifferencePart::Status) | ("changed", _) => {
            format!(
                "{label} changed from {} to {}",
                text_of(before),
                text_of(after)
            )
        }
        ("added", _) => format!("{label} added: {}", text_of(after)),
        _ => format!("{label} removed: {}", text_of(before)),
    }
}

fn said_items(items: &[Item], are_texts: bool) -> String {
    let of = |sign: char| -> Vec<&str> {
        let of_sign = items.iter().filter(|(it, _)| *it == sign);
        of_sign.map(|(_, text)| text.as_str()).collect()
    };
    let said = |word: &str, items: Vec<&str>| {
        let named = items.iter().take(SAID);
        let named = named.map(|item| match are_texts {
            true => value_text(DifferencePart::Value, Some(&Json::from(*item))),
            false => visible(&short(item)).into_owned(),
        });
        let named = named.collect::<Vec<_>>().join(", ");
        match items.len() {
            0 => None,
            many if many > SAID => Some(format!("{word} {named} and {} more", many - SAID)),
            _ => Some(format!("{word} {named}")),
        }
    };
    let parts = [said("added", of('+')), said("removed", of('-'))];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Returns the numbers of lines added and removed, in words; `None` for texts of one line, whose beginnings say more.
fn counts(lines: &[ComparisonLine]) -> Option<String> {
    if let [ComparisonLine::Old(..), ComparisonLine::New(..)] = lines {
        return None;
    }
    let count =
        |is_one: fn(&ComparisonLine) -> bool| lines.iter().filter(|line| is_one(line)).count();
    let come = count(|line| matches!(line, ComparisonLine::New(..)));
    let gone = count(|line| matches!(line, ComparisonLine::Old(..)));
    let noun = |count: usize| if count == 1 { "line" } else { "lines" };
    Some(match (come, gone) {
        (come, 0) => format!("{come} {} added", noun(come)),
        (0, gone) => format!("{gone} {} removed", noun(gone)),
        (come, gone) => format!("{come} {} added, {gone} removed", noun(come)),
    })
}

/// The files that differ: of sessions what they keep, of runs what their phases say of files.
pub(super) fn files(versions: &[VersionRef; 2], a: &Object, b: &Object) -> Vec<ChangedFile> {
    let [of_a, of_b] = versions;
    if let (CheckpointKey::Session(one), CheckpointKey::Session(other)) = (&of_a.key, &of_b.key) {
        let files = session::files([*one, *other], a, b).into_iter();
        let key = Some(of_b.key.to_string());
        let files = files.map(|(path, change)| file(&path, change, key.clone()));
        return files.collect();
    }
    let (before, after) = (of_phases(a), of_phases(b));
    let differing = before.differing(&after).into_iter();
    let files = differing.map(|(path, before, after)| {
        let change = match (before, after) {
            (None, _) => "added",
            (_, None) => "removed",
            _ => "changed",
        };
        file(path, change, None)
    });
    files.collect()
}

fn file(path: &str, change: &'static str, key: Option<String>) -> ChangedFile {
    ChangedFile {
        path: visible(path).into_owned(),
        change,
        key,
    }
}

/// The files that the phases of a document name, each under its path with the list that it is first named in.
fn of_phases(document: &Object) -> Object {
    let phases = document.get("phases").and_then(Json::as_object);
    let mut files = Vec::new();
    for (_, phase) in phases.into_iter().flat_map(Object::iter) {
        for key in ["files_created", "files_modified"] {
            let list = phase
                .as_object()
                .and_then(|phase| phase.get(key)?.as_array());
            for path in list.unwrap_or_default() {
                files.extend(path.as_str().map(|path| (path, key)));
            }
        }
    }
    files.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::change;
    use crate::checkpoint::command::diff::{changes, differences};
    use crate::json::{self, Json, Object};

    fn object(text: &str) -> Object {
        let value = json::read(text.as_bytes()).unwrap().value;
        value.as_object().unwrap().clone()
    }

    fn changed(before: &str, after: &str) -> Vec<Json> {
        let (before, after) = (object(before), object(after));
        let differences = differences(&before, &after);
        let changed: Vec<Json> = differences.iter().map(|it| change(it).into()).collect();
        let lines = changes(&before, &after);
        assert_eq!(changed.len(), lines.len());
        changed
    }

    #[test]
    fn each_kind_of_change_is_said_in_a_sentence() {
        for (before, after, kind, sentence) in [
            (
                r#"{"a": 1}"#,
                r#"{"a": 2}"#,
                "changed",
                "a changed from 1 to 2",
            ),
            (
                r#"{"a": 1}"#,
                r#"{"a": 1.0}"#,
                "changed",
                "a changed from 1 to 1.0",
            ),
            (r#"{}"#, r#"{"a b": "x"}"#, "added", r#""a b" added: "x""#),
            (r#"{"a": [1]}"#, r#"{}"#, "removed", "a removed: [1]"),
            (
                r#"{"a": ["x", "y"]}"#,
                r#"{"a": ["y", "x"]}"#,
                "reordered",
                "a reordered",
            ),
            (
                r#"{"a": ["x", "y"]}"#,
                r#"{"a": ["y", "z", "w"]}"#,
                "changed",
                r#"a changed: added "z", "w"; removed "x""#,
            ),
            (
                r#"{"a": [{"n": 1}, {"n": 2}]}"#,
                r#"{"a": [{"n": 2}]}"#,
                "changed",
                r#"a changed: removed {"n":1}"#,
            ),
            (
                r#"{"a": ["x"]}"#,
                r#"{"a": ["x", "x"]}"#,
                "changed",
                r#"a changed: added "x""#,
            ),
            (
                r#"{"a": "one\ntwo"}"#,
                r#"{"a": "one\nthree\nfour"}"#,
                "changed",
                "a changed: 2 lines added, 1 removed",
            ),
            (
                r#"{"a": "one\ntwo"}"#,
                r#"{"a": "two"}"#,
                "changed",
                "a changed: 1 line removed",
            ),
            (
                r#"{"a": {"b": null}}"#,
                r#"{"a": {"b": "c"}}"#,
                "changed",
                r#"a.b changed from null to "c""#,
            ),
            (
                r#"{"phases": {"d": {"status": "pending"}}}"#,
                r#"{"phases": {"d": {"status": "complete"}}}"#,
                "changed",
                "phase d status changed from pending to complete",
            ),
            (
                r#"{"phases": {"d": {}}}"#,
                r#"{"phases": {"d": {"status": "complete"}}}"#,
                "added",
                "phase d status changed from no status to complete",
            ),
            (
                r#"{"phases": {"d": {"status": "failed"}}}"#,
                r#"{"phases": {}}"#,
                "removed",
                "phase d removed (failed)",
            ),
        ] {
            let changed = changed(before, after);
            assert_eq!(changed.len(), 1, "{before} {after}");
            let text = |at: &str| changed[0].at(at).and_then(Json::as_str);
            assert_eq!(text("/kind"), Some(kind), "{before} {after}");
            assert_eq!(text("/sentence"), Some(sentence));
        }
    }

    #[test]
    fn a_value_shown_by_lines_or_items_is_shown_once() {
        let long = "a word ".repeat(200);
        let of = |text: &str| Json::Object(Object::new().with("a", text)).to_line();
        let changed = changed(&of(&long), &of(&format!("{long}more")));
        let before = changed[0].at("/before").and_then(Json::as_str).unwrap();
        assert_eq!(before.chars().count(), 201);
        assert!(changed[0].at("/lines/0/parts/0/text").is_some());
    }

    #[test]
    fn changes_of_every_save_are_not_shown() {
        let before = r#"{"revision": 1, "seal": "a", "updated_at": "1", "phases": {"a": {"updated_at": "1"}}}"#;
        let after = r#"{"revision": 2, "seal": "b", "updated_at": "2", "restores": 1, "phases": {"a": {"updated_at": "2"}}}"#;
        assert!(changed(before, after).is_empty());
    }
}
