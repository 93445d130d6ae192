//! One checkpoint in the index of its task.

use super::definition::ENTRY;
use super::name::{self, TaskId};
use crate::digest::is_id;
use crate::json::{Json, Object, Pointer};
use crate::schema::{MAX_PROBLEMS, Problem, ProblemCode};
use crate::str_map::StrMap;

/// One checkpoint of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskIndexEntry {
    id: TaskId,
    /// It follows from the id.
    key: String,
    part: CheckpointPart,
    /// The unknown members, which are kept.
    rest: Object,
}

/// The part that holds a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointPart {
    /// The token of its part among those with the checkpoint's key: an id that satisfies [`is_id`].
    pub token: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The time when it was saved, as [`crate::time::format`] writes it. Nothing is ordered by it.
    pub saved_at: String,
}

impl TaskIndexEntry {
    /// A checkpoint that this part holds.
    pub fn new(id: TaskId, part: CheckpointPart) -> Self {
        TaskIndexEntry {
            key: id.key(),
            id,
            part,
            rest: Object::new(),
        }
    }

    /// A checkpoint of so many bytes that no part of the store holds, and whose key is not needed.
    pub(super) fn without_part(id: TaskId, bytes: u64) -> Self {
        let part = CheckpointPart {
            token: String::new(),
            bytes,
            saved_at: String::new(),
        };
        TaskIndexEntry {
            id,
            key: String::new(),
            part,
            rest: Object::new(),
        }
    }

    /// Returns the checkpoint, held by another part.
    #[must_use]
    pub fn with_part(self, part: CheckpointPart) -> Self {
        TaskIndexEntry { part, ..self }
    }

    /// The name of the checkpoint.
    pub fn id(&self) -> &TaskId {
        &self.id
    }

    /// The [key](TaskId::key) of its name.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the part that holds it.
    pub fn part(&self) -> &CheckpointPart {
        &self.part
    }

    /// Returns the part that holds it, taken out of it.
    pub(super) fn into_part(self) -> CheckpointPart {
        self.part
    }

    /// Takes over an item of a stored index; `None` where it breaks the schema.
    pub(super) fn read(item: Json) -> Option<TaskIndexEntry> {
        let Json::Object(mut object) = item else {
            return None;
        };
        let mut text = |key| match object.remove(key) {
            Some(Json::String(text)) => Some(text),
            _ => None,
        };
        let (id, key) = (text("id")?, text("key")?);
        let (token, saved_at) = (text("token")?, text("saved_at")?);
        let bytes = object.remove("bytes")?.as_u64()?;
        Some(TaskIndexEntry {
            id: TaskId::new(&id).ok()?,
            key,
            part: CheckpointPart {
                token,
                bytes,
                saved_at,
            },
            rest: object,
        })
    }

    /// As it is stored.
    pub(super) fn into_object(self) -> Object {
        let mut object = self
            .rest
            .with("id", self.id.as_str())
            .with("key", self.key)
            .with("token", self.part.token)
            .with("bytes", self.part.bytes)
            .with("saved_at", self.part.saved_at);
        ENTRY.arrange(&mut object);
        object
    }
}

/// Returns the problems in the checkpoints of an index that the schema cannot express: invalid ids,
/// ids that stand twice, and those that would name a file of something else; about the first
/// [`MAX_PROBLEMS`].
pub(super) fn problems_of_all(items: &[Json], pointer: &Pointer) -> Vec<Problem> {
    let ids = items.iter().enumerate();
    let first: StrMap<'_, usize> = ids
        .filter_map(|(at, item)| Some((text(item, "id")?, at)))
        .collect();
    let mut problems = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
        let wrong = [
            problem_of_id(item, at, &first).map(|(code, why)| ("id", code, why)),
            problem_of_key(item).map(|(code, why)| ("key", code, why)),
            problem_of_token(item).map(|(code, why)| ("token", code, why)),
        ];
        problems.extend(wrong.into_iter().flatten().map(|(key, code, message)| {
            let at = pointer.item(at).key(key);
            Problem { at, code, message }
        }));
    }
    problems
}

type Wrong = (ProblemCode, String);

fn problem_of_id(item: &Json, at: usize, first: &StrMap<'_, usize>) -> Option<Wrong> {
    let id = text(item, "id")?;
    if let Err(message) = name::check(id) {
        return Some((ProblemCode::Name, message));
    }
    let other = first.get(id).filter(|other| **other != at)?;
    let message = format!("the checkpoint at {other} has this id as well");
    Some((ProblemCode::Contradiction, message))
}

fn problem_of_key(item: &Json) -> Option<Wrong> {
    let (id, found) = (TaskId::new(text(item, "id")?).ok()?, text(item, "key")?);
    let message = || format!("expected {}, which follows from the id", id.key());
    (found != id.key()).then(|| (ProblemCode::Contradiction, message()))
}

fn problem_of_token(item: &Json) -> Option<Wrong> {
    let message = || "expected 32 small hex digits".to_owned();
    (!is_id(text(item, "token")?)).then(|| (ProblemCode::Name, message()))
}

fn text<'a>(item: &'a Json, key: &str) -> Option<&'a str> {
    item.as_object()?.get(key)?.as_str()
}
