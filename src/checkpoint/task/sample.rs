//! Snapshots of tasks, names that no file should have, and tasks that the rules make.

use std::collections::BTreeMap;

use super::entry::{CheckpointPart, TaskIndexEntry};
use super::index::{AppliedRemoval, Save, TaskIndex, of_another_task};
use super::limits::TaskLimits;
use super::name::TaskId;
use super::state::{TaskState, contradictions};
use crate::error::Error;
use crate::json::{self, Json, Object};

/// Names that are fine as names, and would do harm as parts of a path.
pub(super) const HOSTILE: [&str; 36] = [
    ".",
    "..",
    "../..",
    "../../etc/passwd",
    "/etc/passwd",
    "a/b",
    "a\\b",
    "\\\\server\\share",
    "C:",
    "c:\\windows",
    "x:y",
    "a\nb",
    "a\r",
    "\t",
    " ",
    "-rf",
    ".hidden",
    "trailing.",
    "trailing ",
    "CON",
    "con",
    "nul.txt",
    "COM1",
    "lpt9.x.y",
    "checkpoint",
    "Foo",
    "foo",
    "FOO",
    "__proto__",
    "constructor",
    "10",
    "*?<>|\"",
    "%2e%2e%2f",
    "\u{202e}gpj.exe",
    "\u{1b}]52;c;ZXZpbA==\u{7}",
    "世界",
];

/// A snapshot that satisfies the schema.
pub(super) fn state(task: &str, id: &str) -> Object {
    let step = Object::new()
        .with("stepId", "step-1")
        .with("name", "Read the plan")
        .with("result", Object::new().with("lines", 42))
        .with("durationMs", Json::Number("12.5".into()))
        .with("completedAt", "2026-01-29T10:29:59.000Z");
    Object::new()
        .with("id", id)
        .with("taskId", task)
        .with("agentId", "agent-1")
        .with("stepIndex", 1)
        .with("totalSteps", 3)
        .with("context", Object::new().with("file", "plan.md"))
        .with("completedSteps", vec![step])
        .with("pendingSteps", vec!["step-2", "step-3"])
        .with("createdAt", "2026-01-29T10:30:00.000Z")
}

/// A token, one for each number.
pub(super) fn token(number: usize) -> String {
    format!("{number:032x}")
}

/// A part, one for each number.
pub(super) fn part(number: usize) -> CheckpointPart {
    CheckpointPart {
        token: token(number),
        bytes: 100 + number as u64,
        saved_at: "2026-01-29T10:30:00.000Z".to_owned(),
    }
}

/// Tasks that the rules make, over documents, parts and marks that are kept in maps as text, as a
/// store keeps them.
pub(super) struct Tasks {
    limits: TaskLimits,
    /// By stem.
    documents: BTreeMap<String, String>,
    /// By stem, key and token.
    parts: BTreeMap<(String, String, String), String>,
    /// The task that has the checkpoint with a key.
    marks: BTreeMap<String, TaskId>,
    /// The number of tokens so far.
    tokens: usize,
}

impl Tasks {
    pub(super) fn new(limits: TaskLimits) -> Self {
        Tasks {
            limits,
            documents: BTreeMap::new(),
            parts: BTreeMap::new(),
            marks: BTreeMap::new(),
            tokens: 0,
        }
    }

    pub(super) fn index(&self, task: &TaskId) -> TaskIndex {
        let stem = task.stem();
        match self.documents.get(&stem) {
            Some(text) => TaskIndex::read(object(text), &stem).unwrap(),
            None => TaskIndex::new(task.clone()),
        }
    }

    pub(super) fn save(&mut self, snapshot: &Object) -> Result<(), Error> {
        self.save_expecting(snapshot, None)
    }

    pub(super) fn save_expecting(
        &mut self,
        snapshot: &Object,
        expected: Option<u64>,
    ) -> Result<(), Error> {
        let state = TaskState::new(snapshot.clone().into())?;
        let (id, task, text) = (state.id(), state.task(), state.text().to_owned());
        let other = self.marks.get(&id.key()).filter(|other| *other != task);
        if let Some(other) = other {
            return Err(of_another_task(id, other));
        }
        let part = CheckpointPart {
            bytes: text.len() as u64,
            ..part(self.tokens)
        };
        let name = (task.stem(), id.key(), part.token.clone());
        let save = Save::of(&state, part).expecting(expected);
        let saved = self.index(task).saved(save, &self.limits)?;
        self.tokens += 1;
        for entry in saved.dropped() {
            self.drop_part(task, entry);
        }
        self.parts.insert(name, text);
        self.marks.insert(id.key(), task.clone());
        self.commit(saved.next);
        Ok(())
    }

    pub(super) fn restore(&self, task: &str) -> Result<Object, Error> {
        let task = TaskId::new(task)?;
        let index = self.index(&task);
        let latest = index.latest();
        let unknown = || Error::no_checkpoint_of_task(task.as_str());
        Ok(self.part(&task, latest.ok_or_else(unknown)?))
    }

    pub(super) fn restore_by_id(&self, id: &str) -> Result<Object, Error> {
        let id = TaskId::new(id)?;
        let task = self.marks.get(&id.key());
        let index = task.map(|task| self.index(task));
        let entry = index.as_ref().and_then(|index| index.find(&id));
        let unknown = || Error::no_checkpoint_with_id(id.as_str());
        Ok(self.part(task.ok_or_else(unknown)?, entry.ok_or_else(unknown)?))
    }

    pub(super) fn list(&self, task: &str) -> Vec<Object> {
        let task = TaskId::new(task).unwrap();
        let index = self.index(&task);
        let entries = index.entries().iter();
        entries.map(|entry| self.part(&task, entry)).collect()
    }

    pub(super) fn delete(&mut self, id: &str) -> bool {
        let id = TaskId::new(id).unwrap();
        let index = self.marks.get(&id.key()).map(|task| self.index(task));
        self.remove(index.and_then(|index| index.removed(&id))) > 0
    }

    pub(super) fn delete_all(&mut self, task: &str) -> usize {
        let index = self.index(&TaskId::new(task).unwrap());
        for entry in index.entries() {
            self.drop_part(index.task(), entry);
        }
        self.documents.remove(&index.task().stem());
        index.entries().len()
    }

    /// Returns the number of documents, parts and marks.
    pub(super) fn counts(&self) -> [usize; 3] {
        [self.documents.len(), self.parts.len(), self.marks.len()]
    }

    fn remove(&mut self, removed: Option<AppliedRemoval>) -> usize {
        let Some(AppliedRemoval { next, dropped }) = removed else {
            return 0;
        };
        let task = next.task().clone();
        for entry in &dropped {
            self.drop_part(&task, entry);
        }
        self.commit(next);
        dropped.len()
    }

    fn commit(&mut self, next: TaskIndex) {
        let stem = next.task().stem();
        match next.is_empty() {
            true => self.documents.remove(&stem),
            false => {
                let text = next.into_object().to_document();
                self.documents.insert(stem, text)
            }
        };
    }

    fn part(&self, task: &TaskId, entry: &TaskIndexEntry) -> Object {
        let object = object(&self.parts[&name_of(task, entry)]);
        assert_eq!(contradictions(&object, task, entry.id()), []);
        object
    }

    fn drop_part(&mut self, task: &TaskId, entry: &TaskIndexEntry) {
        let part = self.parts.remove(&name_of(task, entry));
        assert!(part.is_some(), "it was there");
        self.marks.remove(entry.key());
    }
}

fn name_of(task: &TaskId, entry: &TaskIndexEntry) -> (String, String, String) {
    let token = entry.part().token.clone();
    (task.stem(), entry.key().to_owned(), token)
}

fn object(text: &str) -> Object {
    match json::read(text.as_bytes()).unwrap().value {
        Json::Object(object) => object,
        other => panic!("expected an object, found {}", other.kind()),
    }
}
