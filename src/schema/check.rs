//! Interprets a definition: every problem of a document, in one walk.
//!
//! A document is usually fine and checked on every call, so nothing is allocated for a value that
//! is: the walk carries its place as a chain on the stack, and only a problem makes a pointer of
//! it.

use std::borrow::Cow;

use super::{Field, Kind, MAX_INTEGER, Presence, Problem, ProblemCode, Shape};
use crate::json::{Json, NodePath, Object};
use crate::{time, tokens};

/// Reporting stops here, so that a hostile document cannot fill the memory with its problems.
pub const MAX_PROBLEMS: usize = 10_000;

/// The most characters of a name.
pub(super) const MAX_NAME: usize = 100;

impl Shape {
    /// Every problem of a document, in the order of the definition and, within lists and maps, of
    /// the document; the first [`MAX_PROBLEMS`] of them. Unknown fields are fine.
    pub fn problems(&self, value: &Json) -> Vec<Problem> {
        let mut walk = SchemaWalk::default();
        walk.shape(self, value, NodePath::Root);
        walk.problems
    }
}

/// Returns whether a text can name a phase: 1 to 100 characters, none of them a control character.
///
/// # Errors
///
/// The rule as a sentence.
pub fn check_name(text: &str) -> Result<(), &'static str> {
    let length = text.chars().take(MAX_NAME + 1).count();
    if length == 0 || length > MAX_NAME || text.chars().any(char::is_control) {
        Err("expected a name of 1 to 100 characters without control characters")
    } else {
        Ok(())
    }
}

#[derive(Default)]
struct SchemaWalk {
    problems: Vec<Problem>,
}

impl SchemaWalk {
    fn value(&mut self, kind: &Kind, value: &Json, path: NodePath<'_>) {
        let bare = match kind {
            Kind::Nullable(_) if *value == Json::Null => return,
            Kind::Nullable(inner) => inner,
            other => other,
        };
        match (bare, value) {
            (Kind::Object(shape), _) => self.shape(shape, value, path),
            (Kind::Map(shape), Json::Object(object)) => self.map(shape, object, path),
            (Kind::Any, _) | (Kind::Record, Json::Object(_)) => {}
            (Kind::List(inner), Json::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(inner, item, NodePath::Item(&path, index));
                }
            }
            _ => {
                if let Err((code, message)) = check_plain(kind, bare, value) {
                    self.report(path, code, message);
                }
            }
        }
    }

    fn shape(&mut self, shape: &Shape, value: &Json, path: NodePath<'_>) {
        let Json::Object(object) = value else {
            let message = sentence!("expected an object, found {}", value.kind());
            self.report(path, ProblemCode::Type, message);
            return;
        };
        for field in shape.fields {
            let path = NodePath::Key(&path, field.name);
            match object.get(field.name) {
                Some(value) => self.value(&field.kind, value, path),
                None if field.presence == Presence::Required => self.missing(field, path),
                None => {}
            }
        }
    }

    fn map(&mut self, shape: &Shape, object: &Object, path: NodePath<'_>) {
        for (key, value) in object.iter() {
            let path = NodePath::Key(&path, key);
            if let Err(message) = check_name(key) {
                self.report(path, ProblemCode::Name, message.to_owned());
            }
            self.shape(shape, value, path);
        }
    }

    fn missing(&mut self, field: &Field, path: NodePath<'_>) {
        let message = sentence!("expected {}, but the field is missing", noun(&field.kind));
        self.report(path, ProblemCode::Required, message);
    }

    fn report(&mut self, path: NodePath<'_>, code: ProblemCode, message: String) {
        if self.problems.len() < MAX_PROBLEMS {
            let at = path.pointer();
            self.problems.push(Problem { at, code, message });
        }
    }
}

/// Checks a value that has no parts. `bare` is `kind` without its `Nullable`.
pub(super) fn check_plain(
    kind: &Kind,
    bare: &Kind,
    value: &Json,
) -> Result<(), (ProblemCode, String)> {
    let wrong = |code| {
        Err((
            code,
            sentence!(
                "expected {}, found {}",
                noun(kind),
                shown_value(code, value)
            ),
        ))
    };
    match (bare, value) {
        (Kind::String, Json::String(_)) | (Kind::Boolean, Json::Bool(_)) => Ok(()),
        (Kind::Time, Json::String(text)) => match time::parse(text) {
            Some(_) => Ok(()),
            None => wrong(ProblemCode::Time),
        },
        (Kind::Summary, Json::String(text)) => {
            tokens::check_stored(text).map_err(|message| (ProblemCode::SummaryTooLong, message))
        }
        (Kind::Name, Json::String(text)) => {
            check_name(text).map_err(|message| (ProblemCode::Name, message.to_owned()))
        }
        (Kind::Part(part), Json::String(text)) => {
            let checked = part.check(text);
            checked.map_err(|message| (ProblemCode::Name, message))
        }
        (Kind::Enum(allowed), Json::String(text)) => match allowed.contains(&text.as_str()) {
            true => Ok(()),
            false => wrong(ProblemCode::Enum),
        },
        (Kind::Integer, Json::Number(_)) => match value.as_u64() {
            Some(0..=MAX_INTEGER) => Ok(()),
            _ => wrong(ProblemCode::Range),
        },
        (Kind::Number, Json::Number(_)) => Ok(()),
        (Kind::Constant(expected), Json::Number(_)) => match value.as_u64() == Some(*expected) {
            true => Ok(()),
            false => wrong(ProblemCode::Enum),
        },
        _ => wrong(ProblemCode::Type),
    }
}

/// Returns the noun of a kind in a sentence.
fn noun(kind: &Kind) -> Cow<'static, str> {
    match kind {
        Kind::String | Kind::Summary | Kind::Name | Kind::Part(_) => "a string".into(),
        Kind::Time => "an RFC 3339 time such as 2026-01-29T10:30:00.000Z".into(),
        Kind::Boolean => "true or false".into(),
        Kind::Integer => sentence!("a whole number from 0 to {MAX_INTEGER}").into(),
        Kind::Number => "a number".into(),
        Kind::Constant(number) => number.to_string().into(),
        Kind::Enum(allowed) => sentence!("one of {}", allowed.join(", ")).into(),
        Kind::Nullable(inner) => sentence!("{} or null", noun(inner)).into(),
        Kind::List(_) | Kind::Pair(_) => "a list".into(),
        Kind::Object(_) | Kind::Map(_) | Kind::Either(_) | Kind::Record => "an object".into(),
        Kind::Any => "a value".into(),
    }
}

/// A value of the expected kind in a sentence, as JSON where it is short.
///
/// One of another kind is named by its kind alone: where it should not be at all, it might be a
/// secret.
fn shown_value(code: ProblemCode, value: &Json) -> Cow<'static, str> {
    const SHORT: usize = 40;
    match value {
        Json::String(text) if code != ProblemCode::Type && text.len() <= SHORT => {
            value.to_line().into()
        }
        Json::Number(text) if code != ProblemCode::Type && text.len() <= SHORT => {
            text.to_string().into()
        }
        _ => value.kind().into(),
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
