//! Random saves and removals, compared with the plainest thing that could be right.

use fastrand::Rng;

use super::limits::{Cleanup, TaskLimits};
use super::name::TaskId;
use super::sample::{HOSTILE, Tasks, state};
use crate::error::{Code, Error};
use crate::json::{Json, Object};

/// The model.
struct Model {
    limits: TaskLimits,
    tasks: Vec<ModelTask>,
}

struct ModelTask {
    name: String,
    /// The number of changes since it was last empty.
    changes: u64,
    checkpoints: Vec<(String, Object)>,
}

impl ModelTask {
    fn has(&self, id: &str) -> bool {
        self.checkpoints.iter().any(|(it, _)| it == id)
    }
}

impl Model {
    fn of(&mut self, name: &str) -> &mut ModelTask {
        let known = self.tasks.iter().position(|it| it.name == name);
        let at = known.unwrap_or_else(|| {
            self.tasks.push(ModelTask {
                name: name.to_owned(),
                changes: 0,
                checkpoints: Vec::new(),
            });
            self.tasks.len() - 1
        });
        &mut self.tasks[at]
    }

    fn save(
        &mut self,
        task: &str,
        id: &str,
        snapshot: &Object,
        expected: Option<u64>,
    ) -> Result<(), Code> {
        let mut others = self.tasks.iter().filter(|it| it.name != task);
        if others.any(|it| it.has(id)) {
            return Err(Code::Conflict);
        }
        let limits = self.limits;
        let task = self.of(task);
        if expected.is_some_and(|expected| expected != task.changes) {
            return Err(Code::Conflict);
        }
        if size(snapshot) > limits.max_bytes {
            return Err(Code::TooLarge);
        }
        let mut next = task.checkpoints.clone();
        match next.iter().position(|(it, _)| it == id) {
            Some(at) => next[at].1 = snapshot.clone(),
            None => next.push((id.to_owned(), snapshot.clone())),
        }
        let is_done = snapshot.get("pendingSteps") == Some(&Json::Array(Vec::new()));
        if is_done && limits.cleanup == Cleanup::OnceDone {
            next.retain(|(it, _)| it == id);
        }
        while next.len() as u64 > limits.per_task {
            let oldest = next.iter().position(|(it, _)| it != id).unwrap();
            next.remove(oldest);
        }
        if next.iter().map(|(_, it)| size(it)).sum::<u64>() > limits.max_task_bytes {
            return Err(Code::TooLarge);
        }
        task.checkpoints = next;
        task.changes += 1;
        Ok(())
    }

    fn delete(&mut self, id: &str) -> bool {
        let Some(task) = self.tasks.iter_mut().find(|it| it.has(id)) else {
            return false;
        };
        task.checkpoints.retain(|(it, _)| it != id);
        task.changes = match task.checkpoints.is_empty() {
            true => 0,
            false => task.changes + 1,
        };
        true
    }

    fn delete_all(&mut self, task: &str) -> usize {
        let task = self.of(task);
        task.changes = 0;
        std::mem::take(&mut task.checkpoints).len()
    }
}

/// The number of times that each kind of thing happened, so that no rule stays untried.
#[derive(Debug, Default)]
struct EventCounts {
    saved: u32,
    conflicts: u32,
    too_large: u32,
    deleted: u32,
    cleared: u32,
}

impl EventCounts {
    fn save(&mut self, result: Result<(), Code>) {
        match result {
            Ok(()) => self.saved += 1,
            Err(Code::Conflict) => self.conflicts += 1,
            Err(_) => self.too_large += 1,
        }
    }
}

fn limits(chance: &mut Rng) -> TaskLimits {
    TaskLimits {
        per_task: chance.u64(1..6),
        cleanup: chance.choice([Cleanup::Never, Cleanup::OnceDone]).unwrap(),
        max_bytes: chance.choice([430, 700, u64::MAX]).unwrap(),
        max_task_bytes: chance.choice([1_200, 2_000, u64::MAX]).unwrap(),
        ..TaskLimits::default()
    }
}

fn snapshot(chance: &mut Rng, task: &str, id: &str) -> Object {
    let steps = ["x", "y", "z"][..chance.usize(..=3)].to_vec();
    let filling = "x".repeat(chance.usize(..300));
    state(task, id)
        .with("stepIndex", chance.u64(..4))
        .with("pendingSteps", steps)
        .with("context", Object::new().with("filling", filling))
}

/// One save or removal, done to both.
fn step(chance: &mut Rng, tasks: &mut Tasks, model: &mut Model, seen: &mut EventCounts) {
    // Few, so that they meet.
    let task = chance.choice(&HOSTILE[..3]).unwrap();
    let id = chance.choice(&HOSTILE[..9]).unwrap();
    match chance.u8(..12) {
        0 => {
            let deleted = tasks.delete(id);
            assert_eq!(deleted, model.delete(id));
            seen.deleted += u32::from(deleted);
        }
        1 if chance.u8(..4) == 0 => {
            let count = tasks.delete_all(task);
            assert_eq!(count, model.delete_all(task));
            seen.cleared += u32::from(count > 0);
        }
        _ => {
            let snapshot = snapshot(chance, task, id);
            let changes = model.of(task).changes;
            let expected =
                (chance.u8(..3) == 0).then(|| chance.u64(changes.saturating_sub(1)..=changes));
            let saved = tasks.save_expecting(&snapshot, expected);
            let saved = saved.map_err(|error: Error| error.code());
            assert_eq!(saved, model.save(task, id, &snapshot, expected));
            seen.save(saved);
        }
    }
}

/// Compares the indexes, and checks that nothing is left behind.
fn compare(tasks: &Tasks, model: &Model) {
    let [mut documents, mut parts] = [0; 2];
    for task in &model.tasks {
        let index = tasks.index(&TaskId::new(&task.name).unwrap());
        let entries = index.entries().iter();
        let entries = entries.map(|it| (it.id().as_str(), it.part().bytes));
        let expected = task
            .checkpoints
            .iter()
            .map(|(id, it)| (id.as_str(), size(it)));
        assert!(entries.eq(expected), "{index:?}");
        assert_eq!(index.changes(), task.changes);
        documents += usize::from(!task.checkpoints.is_empty());
        parts += task.checkpoints.len();
    }
    assert_eq!(tasks.counts(), [documents, parts, parts]);
}

/// Everything that can be read.
fn compare_contents(tasks: &Tasks, model: &Model) {
    for ModelTask {
        name, checkpoints, ..
    } in &model.tasks
    {
        let snapshots: Vec<Object> = checkpoints.iter().map(|(_, it)| it.clone()).collect();
        assert_eq!(tasks.list(name), snapshots);
        assert_eq!(tasks.restore(name).ok(), snapshots.last().cloned());
        for (id, snapshot) in checkpoints {
            assert_eq!(tasks.restore_by_id(id).as_ref(), Ok(snapshot));
        }
    }
}

fn size(snapshot: &Object) -> u64 {
    snapshot.to_line().len() as u64
}

#[test]
fn a_sequence_of_changes_ends_as_in_a_plain_list() {
    let mut seen = EventCounts::default();
    for seed in 0..2_000 {
        let _run = milepost_property::seed("a sequence of changes ends as in a plain list", seed);
        let mut chance = Rng::with_seed(seed);
        let limits = limits(&mut chance);
        let (mut tasks, mut model) = (
            Tasks::new(limits),
            Model {
                limits,
                tasks: Vec::new(),
            },
        );
        for _ in 0..chance.usize(..25) {
            step(&mut chance, &mut tasks, &mut model, &mut seen);
            compare(&tasks, &model);
        }
        compare_contents(&tasks, &model);
    }
    let least = [
        seen.saved,
        seen.conflicts,
        seen.too_large,
        seen.deleted,
        seen.cleared,
    ];
    assert!(least.iter().all(|count| *count > 200), "{seen:?}");
}
