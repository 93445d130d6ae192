//! One execution snapshot of a task, from untrusted JSON to a value that satisfies its schema.

use super::definition::STATE;
use super::name::{self, Id};
use crate::error::Error;
use crate::json::{Json, Look, MAX_DEPTH, Object, Pointer};
use crate::keys::Keys;
use crate::schema::{MAX_INTEGER, MAX_PROBLEMS, Problem, ProblemCode};
use crate::text::quoted;

/// What a rule looks at in a snapshot; the rest is its maker's.
pub const LOOK: Look = Look::Members(&[
    ("id", Look::Whole),
    ("taskId", Look::Whole),
    ("agentId", Look::Whole),
    ("stepIndex", Look::Whole),
    ("totalSteps", Look::Whole),
    ("completedSteps", Look::Items(&LOOK_AT_STEP)),
    ("pendingSteps", Look::Whole),
    ("createdAt", Look::Whole),
]);

const LOOK_AT_STEP: Look = Look::Members(&[
    ("stepId", Look::Whole),
    ("name", Look::Whole),
    ("durationMs", Look::Whole),
    ("completedAt", Look::Whole),
]);

/// A snapshot that satisfies [`STATE`]: the only kind that is ever saved. It stays as it was given, unknown
/// fields included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// What rules look at, at least.
    object: Object,
    text: String,
    id: Id,
    task: Id,
}

impl State {
    /// Checks the whole snapshot.
    ///
    /// # Errors
    ///
    /// [`Error::invalid_document`] with every problem, also when it is nested so deep that it could not be
    /// read again.
    pub fn new(value: Json) -> Result<Self, Error> {
        let problems = problems(&value);
        let text = match problems.is_empty() {
            true => value.to_line(),
            false => String::new(),
        };
        State::checked(value, text, problems)
    }

    /// Checks a snapshot of which this much was read: as far as [`LOOK`] says, from this text, which is stored
    /// as it is.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn skimmed(value: Json, text: &str) -> Result<Self, Error> {
        let problems = problems(&value);
        State::checked(value, text.to_owned(), problems)
    }

    fn checked(value: Json, text: String, problems: Vec<Problem>) -> Result<Self, Error> {
        let names = (name_in(&value, "id"), name_in(&value, "taskId"));
        match (value, names) {
            (Json::Object(object), (Some(id), Some(task))) if problems.is_empty() => {
                let state = State {
                    object,
                    text,
                    id,
                    task,
                };
                Ok(state)
            }
            _ => Err(Error::invalid_document(problems)),
        }
    }

    /// Its name.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The name of its task.
    pub fn task(&self) -> &Id {
        &self.task
    }

    /// The text that is stored, without white space: no larger than any that it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether nothing of its task remains to be done.
    pub fn is_last(&self) -> bool {
        remaining_steps(&self.object).is_empty()
    }

    /// The steps that are both done and to be done, each at its place among those that remain. It is no
    /// error, since a step may have to be done again.
    pub fn repeated_steps(&self) -> Vec<Problem> {
        let done = list(&self.object, "completedSteps").iter();
        let done = done.filter_map(|step| step.as_object()?.get("stepId")?.as_str());
        let done: Keys<'_> = done.collect();
        let pending = list(&self.object, "pendingSteps").iter().enumerate();
        let pending = pending.filter_map(|(at, step)| Some((at, step.as_str()?)));
        let repeated = pending.filter(|(_, step)| done.contains(step));
        repeated
            .take(MAX_PROBLEMS)
            .map(|(at, step)| Problem {
                at: Pointer::root().key("pendingSteps").item(at),
                code: ProblemCode::Contradiction,
                message: format!("{} is among the completed steps as well", quoted(step)),
            })
            .collect()
    }
}

/// The steps that remain according to a stored snapshot, whatever else is in it; none where it has no list
/// of them.
pub fn remaining_steps(state: &Object) -> Vec<&str> {
    let steps = list(state, "pendingSteps").iter();
    steps.filter_map(Json::as_str).collect()
}

/// Everything that is wrong with a snapshot: what breaks the schema, in its order, then names that are none
/// and a step behind the last; the first [`MAX_PROBLEMS`] of them.
pub fn problems(state: &Json) -> Vec<Problem> {
    // What is deeper is not gone through.
    if !state.is_within(MAX_DEPTH) {
        return vec![Problem {
            at: Pointer::root(),
            code: ProblemCode::Range,
            message: format!("nested deeper than {MAX_DEPTH} levels"),
        }];
    }
    let mut problems = STATE.problems(state);
    if let Some(state) = state.as_object() {
        let room = MAX_PROBLEMS.saturating_sub(problems.len());
        let further = problems_of_names(state).chain(problem_of_progress(state));
        problems.extend(further.take(room));
    }
    problems
}

/// What contradicts the names that a stored snapshot was found under.
pub fn contradictions(state: &Object, task: &Id, id: &Id) -> Vec<Problem> {
    let members = [("id", id), ("taskId", task)].into_iter();
    let others = members.filter(|(key, expected)| text(state, key) != Some(expected.as_str()));
    others
        .map(|(key, expected)| Problem {
            at: Pointer::root().key(key),
            code: ProblemCode::Contradiction,
            message: format!(
                "expected {}, because it is stored under that name",
                quoted(expected.as_str())
            ),
        })
        .collect()
}

fn problems_of_names(state: &Object) -> impl Iterator<Item = Problem> {
    let own = ["id", "taskId", "agentId"].map(|key| (Pointer::root().key(key), state.get(key)));
    let steps = list(state, "completedSteps").iter().enumerate();
    let steps = steps.map(|(at, step)| {
        let at = Pointer::root().key("completedSteps").item(at).key("stepId");
        (at, step.as_object().and_then(|step| step.get("stepId")))
    });
    let names = own.into_iter().chain(steps);
    let names = names.filter_map(|(at, name)| Some((at, name?.as_str()?)));
    let wrong = names.filter_map(|(at, name)| Some((at, name::check(name).err()?)));
    wrong.map(|(at, message)| Problem {
        at,
        code: ProblemCode::Name,
        message,
    })
}

fn problem_of_progress(state: &Object) -> Option<Problem> {
    let number = |key| state.get(key)?.as_u64().filter(|it| *it <= MAX_INTEGER);
    let (step, total) = (number("stepIndex")?, number("totalSteps")?);
    (step > total).then(|| Problem {
        at: Pointer::root().key("stepIndex"),
        code: ProblemCode::Range,
        message: format!("expected at most {total}, which is totalSteps, found {step}"),
    })
}

fn name_in(state: &Json, key: &str) -> Option<Id> {
    Id::new(text(state.as_object()?, key)?).ok()
}

fn text<'a>(state: &'a Object, key: &str) -> Option<&'a str> {
    state.get(key)?.as_str()
}

fn list<'a>(state: &'a Object, key: &str) -> &'a [Json] {
    let list = state.get(key).and_then(Json::as_array);
    list.unwrap_or_default()
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
