//! Secrets in a stored document, before it is handed on.
//!
//! Here every text that users or agents wrote is shown to the caller, which knows what a secret is. Nothing can be
//! refused any more, so that names and paths are changed as texts are. A new document goes by
//! [`search_texts`](super::texts::search_texts).

use crate::json::{Json, Object, Pointer};

/// Fields that the program fills in.
const MADE: [&str; 4] = ["id", "created_at", "reason", "checkpoint"];

/// A text of a document.
#[derive(Clone, Copy, Debug)]
pub struct SnapshotText<'a> {
    /// Its place.
    pub at: &'a Pointer,
    /// The names of the fields that it stands in, the innermost last.
    pub names: &'a [&'a str],
    /// The text itself. A number as it is written, and the name of a field, are shown too.
    pub text: &'a str,
}

/// The function that hides the secrets of a text: it returns the text without them, `None` where it
/// has none.
pub type Hide<'a> = &'a mut dyn FnMut(SnapshotText<'_>) -> Option<String>;

/// Hides the secrets in every text of a document, and in the names of its fields, unknown ones too.
pub fn redact(document: &mut Object, hide: Hide<'_>) {
    let root = Pointer::root();
    hide_names(document, &[], &root, hide);
    let written = document.iter_mut().filter(|(key, _)| !MADE.contains(key));
    for (key, value) in written {
        hide_below(value, &[key], &root.key(key), hide);
    }
}

fn hide_below(value: &mut Json, names: &[&str], at: &Pointer, hide: Hide<'_>) {
    match value {
        Json::String(text) => {
            let shown = SnapshotText { at, names, text };
            if let Some(hidden) = hide(shown) {
                *text = hidden;
            }
        }
        Json::Number(text) => {
            let shown = SnapshotText { at, names, text };
            if let Some(hidden) = hide(shown) {
                *value = Json::String(hidden);
            }
        }
        Json::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                hide_below(item, names, &at.item(index), hide);
            }
        }
        Json::Object(object) => {
            hide_names(object, names, at, hide);
            for (key, value) in object.iter_mut() {
                let names = [names, &[key]].concat();
                hide_below(value, &names, &at.key(key), hide);
            }
        }
        Json::Null | Json::Bool(_) => {}
    }
}

/// Renames fields whose names have a secret in them. The place that is shown is the object's: a
/// place that names such a field would reveal the secret.
fn hide_names(object: &mut Object, names: &[&str], at: &Pointer, hide: Hide<'_>) {
    let mut hidden = Vec::new();
    for (key, _) in object.iter() {
        let shown = SnapshotText {
            at,
            names,
            text: key,
        };
        hidden.extend(hide(shown).map(|name| (key.to_owned(), name)));
    }
    for (key, name) in hidden {
        // Two of them may be hidden alike, and both stay.
        let mut next = name.clone();
        let mut count = 1;
        while !object.rename(&key, &next) {
            count += 1;
            next = format!("{name}-{count}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::redact;
    use crate::json::{self, Json, Object};

    fn document(text: &str) -> Object {
        match json::read(text.as_bytes()).unwrap().value {
            Json::Object(object) => object,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn no_text_of_a_document_keeps_its_secret() {
        let mut document = document(
            r#"{"id": "chk-s3cret", "reason": "s3cret", "message": "a s3cret",
                "decisions": [{"question": "s3cret?", "decision": "b"}],
                "context_summary": "fine", "tokens_used": 7, "checkpoint": {"command": "s3cret"},
                "unknown": {"deep": ["s3cret", null, true, 42]},
                "s3cret": {"s3cret": 1}, "a s3cret": 2, "b": {"a s3cret": 1, "the s3cret": 2}}"#,
        );
        let mut seen = Vec::new();
        redact(&mut document, &mut |shown| {
            let is_one = shown.text.contains("s3cret") || shown.text == "42";
            if !is_one {
                return None;
            }
            seen.push(format!("{} {}", shown.at.as_str(), shown.names.join(".")));
            Some("X".to_owned())
        });
        let expected = self::document(
            r#"{"id": "chk-s3cret", "reason": "s3cret", "message": "X",
                "decisions": [{"question": "X", "decision": "b"}],
                "context_summary": "fine", "tokens_used": 7, "checkpoint": {"command": "s3cret"},
                "unknown": {"deep": ["X", null, true, "X"]},
                "X": {"X": 1}, "X-2": 2, "b": {"X": 1, "X-2": 2}}"#,
        );
        assert_eq!(document, expected);
        assert_eq!(
            seen,
            [
                " ",
                " ",
                "/message message",
                "/decisions/0/question decisions.question",
                "/unknown/deep/0 unknown.deep",
                "/unknown/deep/3 unknown.deep",
                "/X X",
                "/b b",
                "/b b",
            ]
        );
    }

    #[test]
    fn a_document_without_secrets_stays_unchanged() {
        let text = r#"{"message": "a", "n": 1e400, "list": [{"a": "b"}]}"#;
        let mut document = document(text);
        redact(&mut document, &mut |_| None);
        assert_eq!(document, self::document(text));
    }
}
