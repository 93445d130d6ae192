//! The fields of a document, one by one.

use crate::checkpoint::command::diff::subject;
use crate::json::{Json, NodePath, Object};
use crate::schema::{Kind, Shaped};
use crate::text::{visible, visible_lines};
use crate::time;

/// A longer text is shown as one, not as a value in a row.
const LONG: usize = 120;

/// A field of a document.
#[derive(Shaped)]
pub(super) enum ShownField {
    Text(TextField),
    List(ListField),
}

/// A field that has one text.
#[derive(Shaped)]
pub(super) struct TextField {
    /// Its place, a JSON pointer.
    path: String,
    /// The place in words.
    label: String,
    /// The value.
    value: String,
    /// The kind of the text.
    #[shape(kind = Kind::Enum(&["text", "value", "time"]))]
    kind: &'static str,
}

/// A field that is a list.
#[derive(Shaped)]
pub(super) struct ListField {
    /// Its place, a JSON pointer.
    path: String,
    /// The place in words.
    label: String,
    /// The items.
    value: Vec<String>,
    /// Tells it from a text.
    #[shape(kind = Kind::Enum(&["list"]))]
    kind: &'static str,
}

/// Every field of a document that `is_shown`, in its order: an object has those in it, a list is one field.
pub(super) fn fields(document: &Object, is_shown: fn(&NodePath<'_>) -> bool) -> Vec<ShownField> {
    let mut found = Vec::new();
    walk(&NodePath::Root, document, is_shown, &mut found);
    found
}

/// Returns whether a field of a run is shown as such: what its phases say of themselves has a place of
/// its own, and what the store writes is no part of what the work is.
pub(super) fn is_of_command(place: &NodePath<'_>) -> bool {
    match place {
        NodePath::Key(NodePath::Root, key) => !matches!(*key, "revision" | "seal"),
        NodePath::Key(NodePath::Key(NodePath::Key(NodePath::Root, "phases"), _), key) => {
            !super::phases::SHOWN.contains(key)
        }
        _ => true,
    }
}

/// Returns whether a field of a snapshot is shown as such: its files have a place of their own.
pub(super) fn is_of_session(place: &NodePath<'_>) -> bool {
    let NodePath::Key(NodePath::Key(NodePath::Root, "snapshot"), key) = place else {
        return true;
    };
    !matches!(*key, "files" | "left_out")
}

fn walk(
    at: &NodePath<'_>,
    object: &Object,
    is_shown: fn(&NodePath<'_>) -> bool,
    found: &mut Vec<ShownField>,
) {
    for (key, value) in object.iter() {
        let at = NodePath::Key(at, key);
        if !is_shown(&at) {
            continue;
        }
        match value {
            Json::Object(inner) if !inner.is_empty() => walk(&at, inner, is_shown, found),
            _ => found.push(field(&at, key, value)),
        }
    }
}

fn field(at: &NodePath<'_>, key: &str, value: &Json) -> ShownField {
    let path = visible(at.pointer().as_str()).into_owned();
    let label = subject(at);
    let (kind, value) = match value {
        Json::Array(items) => {
            return ShownField::List(ListField {
                path,
                label,
                value: items.iter().map(item).collect(),
                kind: "list",
            });
        }
        Json::String(text) if key.ends_with("_at") && time::parse(text).is_some() => {
            ("time", text.clone())
        }
        Json::String(text) if text.len() > LONG || text.contains('\n') => ("text", item(value)),
        Json::Object(_) => ("value", "{}".to_owned()),
        _ => ("value", item(value)),
    };
    ShownField::Text(TextField {
        path,
        label,
        value,
        kind,
    })
}

fn item(value: &Json) -> String {
    match value {
        Json::String(text) => visible_lines(text).into_owned(),
        other => visible(&other.to_line()).into_owned(),
    }
}
