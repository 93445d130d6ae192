//! Differences: the JSON Patch of two documents, applied to the first by another author's RFC 6902,
//! gives the second; and the lines for people say something exactly where something differs.

use milepost::checkpoint::command::diff;
use milepost::json::{Json, Object};
use serde_json::Value;

use crate::input::{Result, Unstructured, check, document, one_in};

/// Two documents that have something in common.
pub fn run(data: &[u8]) {
    check(data, |u| {
        let before = any(u)?;
        let after = match one_in(u, 8)? {
            true => any(u)?,
            false => document::edited(u, &before)?,
        };
        let patch = diff::json_patch(&before, &after);
        let turned = applied(&before, &patch);
        assert_eq!(turned, whole(&after), "{}", patch.to_line());
        let says_nothing = diff::changes(&before, &after).is_empty();
        let is_same = whole(&without_hidden(&before)) == whole(&without_hidden(&after));
        assert_eq!(says_nothing, is_same);
        Ok(())
    });
}

fn any(u: &mut Unstructured<'_>) -> Result<Object> {
    match u.arbitrary()? {
        true => document::checkpoint(u),
        false => document::object(u, 4),
    }
}

fn whole(object: &Object) -> Value {
    foreign(&Json::Object(object.clone()))
}

fn applied(before: &Object, patch: &Json) -> Value {
    let operations = patch.as_array().unwrap().iter().map(|operation| {
        let operation = operation.as_object().unwrap();
        let member = |(key, value): (&str, &Json)| match key {
            "value" => (key.to_owned(), foreign(value)),
            _ => (key.to_owned(), value.as_str().unwrap().into()),
        };
        Value::Object(operation.iter().map(member).collect())
    });
    let patch: json_patch::Patch = serde_json::from_value(Value::Array(operations.collect()))
        .expect("the patch has the form of RFC 6902");
    let mut document = whole(before);
    json_patch::patch(&mut document, &patch).expect("the patch fits the document");
    document
}

/// An equal value for serde_json, which would change a number that no float holds: numbers and
/// strings become strings that differ in their first letter.
fn foreign(value: &Json) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(text) => Value::String(format!("n{text}")),
        Json::String(text) => Value::String(format!("s{text}")),
        Json::Array(items) => items.iter().map(foreign).collect(),
        Json::Object(object) => {
            let members = object
                .iter()
                .map(|(key, value)| (key.to_owned(), foreign(value)));
            Value::Object(members.collect())
        }
    }
}

/// The document without what every save changes: `revision`, `seal`, and each `updated_at` of the
/// schema.
fn without_hidden(document: &Object) -> Object {
    let mut shown = document.clone();
    for key in ["revision", "seal", "updated_at"] {
        shown.remove(key);
    }
    if let Some(Json::Object(phases)) = shown.get_mut("phases") {
        for (_, phase) in phases.iter_mut() {
            if let Json::Object(phase) = phase {
                phase.remove("updated_at");
            }
        }
    }
    shown
}
