//! The document of a snapshot: from a file's bytes, and to them.

use super::definition::SESSION;
use super::id::SnapshotId;
use super::yaml::{self, MAX_BYTES, MAX_VALUES, MalformedYaml};
use crate::error::Error;
use crate::json::{Json, MAX_DEPTH, Object, Pointer};
use crate::schema::{Problem, ProblemCode};
use crate::text::quoted;
use crate::time;

/// A file that could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedSnapshot {
    /// Its content, unknown fields included, in the order of the file.
    pub document: Object,
    /// Everything that is wrong with it.
    pub problems: Vec<Problem>,
}

/// Reads the bytes of a file. `expected` is the id in the file's name, where it has one.
///
/// # Errors
///
/// [`MalformedYaml`] when they are not an object in the part of YAML that is read; see [`yaml::read`].
/// Breaking the schema is not a failure: those problems are in [`ParsedSnapshot::problems`].
pub fn read(bytes: &[u8], expected: Option<SnapshotId>) -> Result<ParsedSnapshot, MalformedYaml> {
    let document = Json::from(yaml::read(bytes)?);
    let problems = problems(&document, expected);
    let document = match document {
        Json::Object(object) => object,
        _ => Object::new(),
    };
    Ok(ParsedSnapshot { document, problems })
}

/// Returns the part of a document that a list of checkpoints shows, from the beginning of a file's
/// bytes: its members up to `progress`, which [`write()`] puts before all that can be long.
///
/// They are not checked. `None` where the beginning is too short, or was not written by this
/// program; then [`read`] the whole file.
pub fn head(beginning: &[u8]) -> Option<Object> {
    yaml::read_until(beginning, "progress")
}

/// Everything that is wrong with a document, in the order of the schema, then what is wrong with its id.
pub fn problems(document: &Json, expected: Option<SnapshotId>) -> Vec<Problem> {
    let mut problems = SESSION.problems(document);
    let id = document.as_object().and_then(|object| object.get("id"));
    if let Some(text) = id.and_then(Json::as_str) {
        problems.extend(problem_of_id(text, expected));
    }
    problems
}

fn problem_of_id(text: &str, expected: Option<SnapshotId>) -> Option<Problem> {
    let (code, message) = match (text.parse::<SnapshotId>(), expected) {
        (Err(_), _) => (
            ProblemCode::Name,
            format!(
                "expected an id such as chk-20250126-103000, found {}",
                quoted(text)
            ),
        ),
        (Ok(found), Some(expected)) if found != expected => (
            ProblemCode::Contradiction,
            format!("expected {expected}, because the file has that name, found {found}"),
        ),
        _ => return None,
    };
    Some(Problem {
        at: Pointer::root().key("id"),
        code,
        message,
    })
}

/// The text of a new checkpoint, with this id and the time in milliseconds since 1970: known fields in
/// the order of the schema, unknown ones behind them in their own.
///
/// The whole is checked here, as it is written, so that nothing is published that [`read`] would refuse
/// or find a problem in. An `id` or `created_at` that the document has already is replaced.
///
/// # Errors
///
/// - [`Error::summary_too_long`] when the context summary is above its limit, before any other
///   problem.
/// - [`Error::invalid_document`] with every other problem.
/// - [`Error::too_large`] when it has more values, or its text more bytes, than are read.
pub fn write(mut document: Object, id: SnapshotId, wall_ms: f64) -> Result<String, Error> {
    document.set("id", id.to_string());
    document.set("created_at", in_seconds(wall_ms));
    SESSION.arrange(&mut document);
    let document = check(document, id)?;
    let text = yaml::write(&document);
    if text.len() > MAX_BYTES {
        return Err(too_large(&format!(
            "has {} bytes, and more than {MAX_BYTES} are not read",
            text.len()
        )));
    }
    Ok(text)
}

fn check(document: Object, id: SnapshotId) -> Result<Object, Error> {
    let document = Json::from(document);
    if !document.is_within(MAX_DEPTH) {
        return Err(Error::invalid_document(vec![Problem {
            at: Pointer::root(),
            code: ProblemCode::Range,
            message: format!("nested deeper than {MAX_DEPTH} levels"),
        }]));
    }
    let mut problems = problems(&document, Some(id));
    let too_long = |problem: &Problem| problem.code == ProblemCode::SummaryTooLong;
    if let Some(at) = problems.iter().position(too_long) {
        let Problem { at, message, .. } = problems.swap_remove(at);
        return Err(Error::summary_too_long(at.into_string(), message));
    }
    let count = values(&document);
    match document {
        _ if !problems.is_empty() => Err(Error::invalid_document(problems)),
        _ if count > MAX_VALUES => Err(too_large(&format!(
            "has {count} values and keys, and more than {MAX_VALUES} are not read"
        ))),
        Json::Object(object) => Ok(object),
        _ => Err(Error::invalid_document(problems)),
    }
}

fn too_large(what: &str) -> Error {
    Error::too_large(
        "checkpoint".to_owned(),
        format!("The snapshot {what}: leave out what is long, such as its git_diff"),
    )
}

/// Returns the number of values and keys in a document, as the reader counts them.
fn values(value: &Json) -> usize {
    match value {
        Json::Array(items) => 1 + items.iter().map(values).sum::<usize>(),
        Json::Object(object) => 1 + object.iter().map(|(_, it)| 1 + values(it)).sum::<usize>(),
        _ => 1,
    }
}

/// A time as it is written: `2025-01-26T10:30:00Z`.
fn in_seconds(wall_ms: f64) -> String {
    let time = time::format(wall_ms);
    let seconds = time.split('.').next().unwrap_or_default();
    format!("{seconds}Z")
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
