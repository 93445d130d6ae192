//! The fields of a document, one by one.

use crate::checkpoint::command::diff::subject;
use crate::json::{Json, NodePath, Object};
use crate::text::{visible, visible_lines};
use crate::time;

/// A longer text is shown as one, not as a value in a row.
const LONG: usize = 120;

/// Every field of a document that `is_shown`, in its order: an object has those in it, a list is one field.
pub(super) fn fields(document: &Object, is_shown: fn(&NodePath<'_>) -> bool) -> Vec<Object> {
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
    found: &mut Vec<Object>,
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

fn field(at: &NodePath<'_>, key: &str, value: &Json) -> Object {
    let (kind, value) = match value {
        Json::Array(items) => ("list", items.iter().map(item).collect::<Vec<_>>().into()),
        Json::String(text) if key.ends_with("_at") && time::parse(text).is_some() => {
            ("time", Json::from(text.as_str()))
        }
        Json::String(text) if text.len() > LONG || text.contains('\n') => ("text", item(value)),
        Json::Object(_) => ("value", Json::from("{}")),
        _ => ("value", item(value)),
    };
    Object::new()
        .with("path", visible(at.pointer().as_str()).into_owned())
        .with("label", subject(at))
        .with("value", value)
        .with("kind", kind)
}

fn item(value: &Json) -> Json {
    let text = match value {
        Json::String(text) => visible_lines(text).into_owned(),
        other => visible(&other.to_line()).into_owned(),
    };
    text.into()
}
