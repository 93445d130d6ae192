//! One execution snapshot of a task, from untrusted JSON to a value that satisfies its schema.

use super::definition::STATE;
use super::name::{self, TaskId};
use crate::error::Error;
use crate::json::{Json, MAX_DEPTH, Object, Pointer};
use crate::schema::{MAX_INTEGER, MAX_PROBLEMS, Problem, ProblemCode};
use crate::str_map::StrSet;
use crate::text::quoted;

/// The members of a snapshot that are names.
const NAMES: [&str; 3] = ["id", "taskId", "agentId"];

/// A snapshot that satisfies [`STATE`]: the only kind that is ever saved. It stays unchanged,
/// unknown fields included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskState {
    text: String,
    id: TaskId,
    task: TaskId,
    /// The names of the steps that are done.
    completed: Vec<String>,
    /// The steps that remain.
    pending: Vec<String>,
}

impl TaskState {
    /// Checks the whole snapshot.
    ///
    /// # Errors
    ///
    /// [`Error::invalid_document`] with every problem, also when it is nested so deep that it could not be
    /// read again.
    pub fn new(value: Json) -> Result<Self, Error> {
        let problems = problems(&value);
        let names = (name_in(&value, "id"), name_in(&value, "taskId"));
        match (&value, names) {
            (Json::Object(object), (Some(id), Some(task))) if problems.is_empty() => {
                let owned = |steps: Vec<&str>| steps.into_iter().map(str::to_owned).collect();
                let state = TaskState {
                    text: value.to_line(),
                    id,
                    task,
                    completed: owned(completed_steps(object)),
                    pending: owned(remaining_steps(object)),
                };
                Ok(state)
            }
            _ => Err(Error::invalid_document(problems)),
        }
    }

    /// The snapshot that a text holds, which is stored as it is: the usual case, without a tree of it.
    /// `None` where another text is to be stored, or something is wrong: [`new`](Self::new) says what.
    pub fn fitting(text: &str) -> Option<Self> {
        let mut parts = StateParts::default();
        STATE.fit(text, &mut |field, value| parts.take(field, value))?;
        parts.state(text)
    }

    /// Its name.
    pub fn id(&self) -> &TaskId {
        &self.id
    }

    /// The name of its task.
    pub fn task(&self) -> &TaskId {
        &self.task
    }

    /// The text that is stored, without white space: no larger than any that it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether nothing of its task remains to be done.
    pub fn is_last(&self) -> bool {
        self.pending.is_empty()
    }

    /// The steps that are both done and to be done, each at its place among those that remain. It is no
    /// error, since a step may have to be done again.
    pub fn repeated_steps(&self) -> Vec<Problem> {
        let done: StrSet<'_> = self.completed.iter().map(String::as_str).collect();
        let pending = self.pending.iter().enumerate();
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

/// The parts of a snapshot that rules look at, found while going over a text.
#[derive(Default)]
struct StateParts {
    names: [Option<String>; NAMES.len()],
    step: Option<u64>,
    total: Option<u64>,
    completed: Vec<String>,
    pending: Vec<String>,
}

impl StateParts {
    fn take(&mut self, field: &'static str, value: Json) {
        let at = NAMES.iter().position(|name| *name == field);
        let name = at.and_then(|at| self.names.get_mut(at));
        match (field, value) {
            ("stepId", Json::String(step)) => self.completed.push(step),
            ("pendingSteps", Json::String(step)) => self.pending.push(step),
            ("stepIndex", value) => self.step = value.as_u64(),
            ("totalSteps", value) => self.total = value.as_u64(),
            (_, Json::String(text)) => {
                if let Some(name) = name {
                    *name = Some(text);
                }
            }
            _ => {}
        }
    }

    /// The snapshot, if nothing is wrong with it beside its schema.
    fn state(self, text: &str) -> Option<TaskState> {
        let [id, task, agent] = self.names;
        let mut further = agent.iter().chain(&self.completed);
        let is_fine = further.all(|name| name::check(name).is_ok());
        let state = TaskState {
            text: text.to_owned(),
            id: TaskId::new(&id?).ok()?,
            task: TaskId::new(&task?).ok()?,
            completed: self.completed,
            pending: self.pending,
        };
        (is_fine && !is_behind(self.step?, self.total?)).then_some(state)
    }
}

/// The names of the steps that are done.
fn completed_steps(state: &Object) -> Vec<&str> {
    let steps = list(state, "completedSteps").iter();
    let steps = steps.filter_map(|step| step.as_object()?.get("stepId")?.as_str());
    steps.collect()
}

/// Returns the steps that remain according to a stored snapshot, even if the rest of it is wrong;
/// none where it has no list of them.
pub fn remaining_steps(state: &Object) -> Vec<&str> {
    let steps = list(state, "pendingSteps").iter();
    steps.filter_map(Json::as_str).collect()
}

/// The status of a task according to a stored snapshot, in the words for phases: complete once its list of pending
/// steps is empty.
pub fn status(state: &Object) -> &'static str {
    match state.get("pendingSteps").and_then(Json::as_array) {
        Some([]) => "complete",
        _ => "in_progress",
    }
}

/// Returns everything that is wrong with a snapshot: problems of the schema, in its order, then
/// invalid names and a step behind the last; the first [`MAX_PROBLEMS`] of them.
pub fn problems(state: &Json) -> Vec<Problem> {
    // Deeper values are not gone through.
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

/// Returns the contradictions between a stored snapshot and the names that it was found under.
pub fn contradictions(state: &Object, task: &TaskId, id: &TaskId) -> Vec<Problem> {
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
    let own = NAMES.into_iter().filter_map(|key| {
        let message = problem_of_name(state.get(key))?;
        Some((Pointer::root().key(key), message))
    });
    let steps = list(state, "completedSteps").iter().enumerate();
    let steps = steps.filter_map(|(at, step)| {
        let message = problem_of_name(step.as_object()?.get("stepId"))?;
        let step = Pointer::root().key("completedSteps").item(at);
        Some((step.key("stepId"), message))
    });
    let wrong = own.chain(steps);
    wrong.map(|(at, message)| Problem {
        at,
        code: ProblemCode::Name,
        message,
    })
}

fn problem_of_name(name: Option<&Json>) -> Option<String> {
    name::check(name?.as_str()?).err()
}

fn problem_of_progress(state: &Object) -> Option<Problem> {
    let number = |key| state.get(key)?.as_u64().filter(|it| *it <= MAX_INTEGER);
    let (step, total) = (number("stepIndex")?, number("totalSteps")?);
    is_behind(step, total).then(|| Problem {
        at: Pointer::root().key("stepIndex"),
        code: ProblemCode::Range,
        message: format!("expected at most {total}, which is totalSteps, found {step}"),
    })
}

/// Returns whether a step is behind the last one.
fn is_behind(step: u64, total: u64) -> bool {
    step > total
}

fn name_in(state: &Json, key: &str) -> Option<TaskId> {
    TaskId::new(text(state.as_object()?, key)?).ok()
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
