//! The document of a run, from untrusted JSON to a value that satisfies its schema.

use super::definition::{CHECKPOINT, VERSION};
use crate::error::Error;
use crate::error::whole;
use crate::json::{Json, MAX_DEPTH, Object, Pointer};
use crate::schema::{Problem, ProblemCode, Shape};
use crate::str_map::StrSet;
use crate::text::quoted;

/// A document that rules are changing: nothing is known of it until it is [checked](Draft::check),
/// once, at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft(Object);

impl Draft {
    /// Returns the content so far.
    pub fn as_object(&self) -> &Object {
        &self.0
    }

    /// Returns the content so far, to change it.
    pub fn as_object_mut(&mut self) -> &mut Object {
        &mut self.0
    }

    /// Checks the whole document. A command is one of the seven, or of those that were `added`.
    ///
    /// # Errors
    ///
    /// - [`Error::unsupported_version`] when its version is higher than [`VERSION`].
    /// - [`Error::summary_too_long`] for the first context summary above a limit, before any other
    ///   problem.
    /// - [`Error::invalid_document`] with every problem otherwise, also when it is nested so deep that
    ///   it could not be read again.
    pub fn check(self, added: &[&str]) -> Result<RunDocument, Error> {
        let checked = self.check_since(added, &[]);
        checked.map(|(checkpoint, _)| checkpoint)
    }

    /// Checks what is new since these documents, so that one bad part does not stop the work: a
    /// problem that one of them has as well, with the same code at the same place or of the same item
    /// of a list, is left, and returned.
    ///
    /// # Errors
    ///
    /// The errors of [`Draft::check`], with the problems that are new. The version is always
    /// checked.
    pub fn check_since(
        self,
        added: &[&str],
        before: &[&Object],
    ) -> Result<(RunDocument, Vec<Problem>), Error> {
        check_version(&self.0)?;
        let document = Json::Object(self.0);
        check_depth(&document)?;
        let mut problems = problems(&document, added);
        let mut left = Vec::new();
        if !problems.is_empty() {
            whole::needed()?;
        }
        if !problems.is_empty() && !before.is_empty() {
            (left, problems) = since(problems, &document, before);
        }
        refuse(problems)?;
        match document {
            Json::Object(object) => Ok((RunDocument(object), left)),
            _ => Err(Error::invalid_document(left)),
        }
    }
}

/// The problems that one of these documents has as well, and those that are new.
#[cold]
#[inline(never)]
fn since(
    problems: Vec<Problem>,
    document: &Json,
    before: &[&Object],
) -> (Vec<Problem>, Vec<Problem>) {
    let mut known = Vec::new();
    for object in before {
        let document = Json::Object((*object).clone());
        let problems = CHECKPOINT.problems(&document);
        known.extend(problems.iter().map(|problem| identity(problem, &document)));
    }
    let known: StrSet<'_> = known.iter().map(String::as_str).collect();
    problems.into_iter().partition(|problem| {
        problem.at.as_str() != "/version" && known.contains(&identity(problem, document))
    })
}

/// Returns the identity of a problem: its code and its place, where that is an item of a list the
/// list and the item, because items move.
fn identity(problem: &Problem, document: &Json) -> String {
    let (code, at) = (problem.code.as_str(), problem.at.as_str());
    let item = at.rsplit_once('/').and_then(|(list, index)| {
        let items = document.at(list)?.as_array()?;
        Some((list, items.get(index.parse::<usize>().ok()?)?))
    });
    match item {
        Some((list, item)) => format!("{code} {list}/ {}", item.to_line()),
        None => format!("{code} {at}"),
    }
}

impl From<Object> for Draft {
    fn from(object: Object) -> Self {
        Draft(object)
    }
}

impl From<RunDocument> for Draft {
    fn from(checkpoint: RunDocument) -> Self {
        Draft(checkpoint.0)
    }
}

/// A document that satisfies [`CHECKPOINT`], apart from what was stored before it: the only kind that
/// is ever written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDocument(Object);

impl RunDocument {
    /// A checkpoint without phases. `now` is a time as [`crate::time::format`] writes it.
    pub fn new(command: &str, feature: Option<&str>, now: &str) -> Self {
        let mut object = Object::new();
        fill_in(&mut object, command, feature, now);
        RunDocument(object)
    }

    /// The document.
    pub fn as_object(&self) -> &Object {
        &self.0
    }

    /// Returns this checkpoint, saved at a time and at a commit: a text, null, or `None` where
    /// there is to be no such field.
    pub fn saved_at(mut self, updated_at: &str, head_commit: Option<Json>) -> Self {
        self.0.set("updated_at", updated_at);
        match head_commit {
            Some(commit) => self.0.set("head_commit", commit),
            None => drop(self.0.remove("head_commit")),
        }
        self
    }

    /// The document in its written order: known fields first, at every level.
    pub fn into_object(mut self) -> Object {
        CHECKPOINT.arrange(&mut self.0);
        self.0
    }
}

/// Refuses what breaks a shape, or is nested too deep.
///
/// # Errors
///
/// [`Error::summary_too_long`], [`Error::invalid_document`]: see [`Draft::check`].
pub(super) fn check_against(shape: &Shape, json: &Json) -> Result<(), Error> {
    check_depth(json)?;
    refuse(shape.problems(json))
}

fn refuse(mut problems: Vec<Problem>) -> Result<(), Error> {
    if problems.is_empty() {
        return Ok(());
    }
    whole::needed()?;
    if let Some(at) = problems
        .iter()
        .position(|problem| problem.code == ProblemCode::SummaryTooLong)
    {
        let Problem { at, message, .. } = problems.swap_remove(at);
        return Err(Error::summary_too_long(at.as_str().to_owned(), message));
    }
    Err(Error::invalid_document(problems))
}

/// Everything that is wrong with a document, in the order of the schema; empty for a valid run.
///
/// Each problem has its place, a JSON pointer, and a stable code; no more than
/// [`MAX_PROBLEMS`](crate::schema::MAX_PROBLEMS) are reported. A higher version is a problem here too: such a document
/// is readable, but not writable. A command is one of the seven, or of those that were `added`.
///
/// ```
/// use milepost::checkpoint::command::document::{RunDocument, problems};
/// use milepost::json::{Json, Object};
/// use milepost::schema::ProblemCode;
///
/// let run = RunDocument::new("design", Some("dark-mode"), "2025-01-26T10:30:00.000Z");
/// let mut document = run.into_object();
/// assert_eq!(problems(&Json::Object(document.clone()), &[]), []);
///
/// let phase = Object::new().with("status", "done");
/// document.set("phases", Object::new().with("plan", phase));
/// let found = problems(&Json::Object(document), &[]);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].at.as_str(), "/phases/plan/status");
/// assert_eq!(found[0].code, ProblemCode::Enum);
/// ```
pub fn problems(json: &Json, added: &[&str]) -> Vec<Problem> {
    let mut problems = CHECKPOINT.problems(json);
    if !problems.is_empty() && !added.is_empty() {
        let command = json.as_object().and_then(|object| object.get("command"));
        let command = command.and_then(Json::as_str);
        let is_added = command.is_some_and(|command| added.contains(&command));
        problems.retain(|problem| !is_added || problem.at.as_str() != "/command");
    }
    problems
}

/// Returns whether a stored document has what every change begins with: its state and phases are
/// objects, and the lists of its state are lists. An absent member is made by the next change.
pub fn is_changeable(object: &Object) -> bool {
    let is_object = |value: &Json| value.as_object().is_some();
    let state = object.get("state");
    let is_list = |name| {
        let list = state.and_then(|state| state.as_object()?.get(name));
        list.is_none_or(|list| list.as_array().is_some())
    };
    state.is_none_or(is_object)
        && object.get("phases").is_none_or(is_object)
        && is_list("completed_phases")
        && is_list("pending_phases")
}

/// The changes that a stored document with problems takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changeability {
    /// Any: a problem stays until a change writes something valid in its place.
    Any,
    /// None but another revision in its place: its version is no number.
    Undo,
    /// None but a good revision in its place: it lacks what every change begins with.
    Recover,
    /// None: a later version wrote it.
    Nothing,
}

/// Returns the changes that a stored document with these problems takes.
pub fn changeability(object: &Object, problems: &[Problem]) -> Changeability {
    if check_version(object).is_err() {
        Changeability::Nothing
    } else if !is_changeable(object) {
        Changeability::Recover
    } else if problems.iter().any(|it| it.at.as_str() == "/version") {
        Changeability::Undo
    } else {
        Changeability::Any
    }
}

/// Returns whether a stored document says that its run is complete.
pub fn is_completed(object: &Object) -> bool {
    object
        .get("completed_at")
        .is_some_and(|at| *at != Json::Null)
}

/// Refuses a document of a higher version, which is never written over.
///
/// # Errors
///
/// [`Error::unsupported_version`]
pub fn check_version(object: &Object) -> Result<(), Error> {
    match object.get("version").and_then(Json::as_u64) {
        Some(version) if version > VERSION => Err(Error::unsupported_version(version, VERSION)),
        _ => Ok(()),
    }
}

/// A change of a part can nest a document deeper than its parts were.
fn check_depth(json: &Json) -> Result<(), Error> {
    if json.is_within(MAX_DEPTH) {
        return Ok(());
    }
    Err(Error::invalid_document(vec![Problem {
        at: Pointer::root(),
        code: ProblemCode::Range,
        message: sentence!("nested deeper than {MAX_DEPTH} levels"),
    }]))
}

/// Fills in what a whole document that is to be saved may leave out: `command`, `feature`,
/// `version`, `started_at`, `state` with its lists, and `phases`. `updated_at` becomes `now`.
///
/// A `feature` of null counts as left out. Nothing is checked beyond the arguments: the caller
/// goes on with [`Draft::check`].
///
/// # Errors
///
/// [`Error::invalid_document`] when `command` or `feature` is another one than the argument; the
/// document is unchanged.
pub fn fill(
    object: &mut Object,
    command: &str,
    feature: Option<&str>,
    now: &str,
) -> Result<(), Error> {
    let contradictions: Vec<Problem> = [("command", Some(command)), ("feature", feature)]
        .into_iter()
        .filter_map(|(key, expected)| contradiction(object, key, expected))
        .collect();
    if !contradictions.is_empty() {
        whole::needed()?;
        return Err(Error::invalid_document(contradictions));
    }
    fill_in(object, command, feature, now);
    Ok(())
}

fn contradiction(object: &Object, key: &str, expected: Option<&str>) -> Option<Problem> {
    let found = object.get(key)?.as_str()?;
    if Some(found) == expected {
        return None;
    }
    let message = match expected {
        Some(name) => sentence!(
            "expected {}, because the document is saved under that {key}",
            quoted(name)
        ),
        None => sentence!("expected null, because the document is saved without a {key}"),
    };
    Some(Problem {
        at: Pointer::root().key(key),
        code: ProblemCode::Contradiction,
        message,
    })
}

fn fill_in(object: &mut Object, command: &str, feature: Option<&str>, now: &str) {
    set_if_absent(object, "command", command);
    match object.get("feature") {
        None | Some(Json::Null) => object.set("feature", feature),
        Some(_) => {}
    }
    set_if_absent(object, "version", VERSION);
    set_if_absent(object, "started_at", now);
    object.set("updated_at", now);
    set_if_absent(object, "state", Object::new());
    if let Some(Json::Object(state)) = object.get_mut("state") {
        set_if_absent(state, "current_phase", Json::Null);
        set_if_absent(state, "completed_phases", Json::Array(Vec::new()));
        set_if_absent(state, "pending_phases", Json::Array(Vec::new()));
    }
    set_if_absent(object, "phases", Object::new());
}

fn set_if_absent(object: &mut Object, key: &str, value: impl Into<Json>) {
    if object.get(key).is_none() {
        object.set(key, value);
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
