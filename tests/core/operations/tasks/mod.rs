//! Task checkpoints, from request to reply: among files and among records, in memory and on a real disk.

mod corners;
mod costs;
mod deaths;
mod interface;
mod leftovers;
mod orders;
mod plans;
mod retention;
mod wrong;

use std::cell::RefCell;

use milepost::effect::{Io, Machine, Sync};
use milepost::json::{self, Json, Object};
use milepost::operation::request;
use milepost::store::manifest::{Age, Keys, Manifest, ManifestLayout, PartName, SweepAction};
use milepost::store::{Storage, StoreFolder};
use tempfile::TempDir;

use super::{code, value, warnings};
use crate::disk::Disk;
use crate::memory::Memory;
use crate::variants;

/// The folder of tasks below a root.
const TASKS: &str = ".claude/state/tasks";

const STORAGES: [&str; 2] = ["files", "records"];

/// A request about tasks; `root` is where it works.
fn line(root: &str, storage: &str, operation: &str, more: &[(&str, Json)]) -> String {
    let place = Object::new().with("root", root).with("storage", storage);
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", place);
    for (key, value) in more {
        request.set(key, value.clone());
    }
    Json::Object(request).to_line()
}

fn parsed(reply: &str) -> Object {
    match json::read(reply.as_bytes()).unwrap().value {
        Json::Object(reply) => reply,
        other => panic!("{other:?}"),
    }
}

/// A host that stores tasks, and the storage that they have there.
struct TaskBackend {
    host: Host,
    storage: &'static str,
}

enum Host {
    Memory(Box<Memory>),
    Real(RefCell<Disk>, TempDir),
}

impl TaskBackend {
    fn in_memory(storage: &'static str) -> Self {
        let host = Host::Memory(Box::new(Memory::new()));
        TaskBackend { host, storage }
    }

    /// One of each kind.
    fn all() -> Vec<Self> {
        let mut backends: Vec<TaskBackend> =
            STORAGES.into_iter().map(TaskBackend::in_memory).collect();
        let real = Host::Real(RefCell::new(Disk::new()), tempfile::tempdir().unwrap());
        backends.push(TaskBackend {
            host: real,
            storage: "files",
        });
        backends
    }

    fn root(&self) -> String {
        match &self.host {
            Host::Memory(_) => "/repo".to_owned(),
            Host::Real(_, folder) => folder.path().to_str().unwrap().to_owned(),
        }
    }

    fn world(&self) -> &Memory {
        match &self.host {
            Host::Memory(world) => world,
            Host::Real(..) => panic!("a real disk"),
        }
    }

    fn line(&self, operation: &str, more: &[(&str, Json)]) -> String {
        line(&self.root(), self.storage, operation, more)
    }

    fn ask(&self, operation: &str, more: &[(&str, Json)]) -> Object {
        let line = self.line(operation, more);
        parsed(&match &self.host {
            Host::Memory(world) => world.ask(line.as_bytes()),
            Host::Real(disk, _) => {
                variants::reply(line.as_bytes(), |effect| disk.borrow_mut().perform(effect))
            }
        })
    }

    fn save(&self, state: Object, more: &[(&str, Json)]) -> Object {
        self.ask("save_task", &with_state(state, more))
    }

    /// Saves one that cannot be refused.
    #[track_caller]
    fn keep(&self, task: &str, id: &str) {
        value(&self.save(state(task, id), &[]));
    }

    fn latest(&self, task: &str) -> Object {
        self.ask("load_task", &[("task_id", task.into())])
    }

    fn by_id(&self, id: &str) -> Object {
        self.ask("load_task", &[("id", id.into())])
    }

    fn list(&self, task: &str) -> Vec<Object> {
        let reply = self.ask("list_task", &[("task_id", task.into())]);
        assert_eq!(warnings(&reply), [""; 0], "{reply:?}");
        let all = value(&reply).at("/checkpoints").unwrap();
        let all = all.as_array().unwrap().iter();
        all.map(|it| it.at("/state").unwrap().as_object().unwrap().clone())
            .collect()
    }

    fn ids(&self, task: &str) -> Vec<String> {
        let all = self.list(task).into_iter();
        all.map(|it| it.get("id").unwrap().as_str().unwrap().to_owned())
            .collect()
    }

    fn revision(&self, task: &str) -> u64 {
        let reply = self.ask("list_task", &[("task_id", task.into())]);
        number(value(&reply), "/revision")
    }

    fn tasks(&self) -> Vec<String> {
        let reply = self.ask("list_tasks", &[]);
        let all = value(&reply).at("/tasks").unwrap().as_array().unwrap();
        all.iter().map(|it| text(it, "/task_id")).collect()
    }

    fn delete(&self, id: &str) -> bool {
        let reply = self.ask("delete_task_checkpoint", &[("id", id.into())]);
        value(&reply).at("/deleted").unwrap().as_bool().unwrap()
    }

    fn delete_all(&self, task: &str) -> u64 {
        let reply = self.ask("delete_task", &[("task_id", task.into())]);
        number(value(&reply), "/deleted")
    }

    /// The names in memory, files or records, below the folder of tasks.
    fn names(&self) -> Vec<String> {
        let folder = format!("/repo/{TASKS}");
        let world = self.world();
        if self.storage == "files" {
            return world.files_below(&folder);
        }
        let disk = world.disk.borrow();
        let names = disk.records.all().map(|(name, _)| name);
        names
            .filter_map(|name| Some(name.strip_prefix(&folder)?[1..].to_owned()))
            .collect()
    }

    /// Removes what the dead have left, in memory.
    fn sweep(&self) {
        let storage = match self.storage {
            "files" => Storage::Files,
            _ => Storage::Records,
        };
        let swept = self.world().run(Machine::start(move |io: Io| async move {
            let state = StoreFolder::new("/repo", None, ".claude/state")?;
            let folder = state.kept_in(storage).below("tasks");
            let layout = ManifestLayout {
                durability: Sync::Durable,
                max_part_bytes: 1 << 20,
                keys: Keys::OfAll,
                parts: named,
            };
            Manifest::new(&io, &folder, layout)
                .sweep(Age::Any, SweepAction::Remove)
                .await
        }));
        swept.unwrap();
    }

    /// Refuses anything but what these tasks need: an index of each, and of each checkpoint a part and a mark.
    #[track_caller]
    fn expect_nothing_else(&self, tasks: &[&str], context: &str) {
        let mut names = self.names();
        names.retain(|name| !name.ends_with(".gitignore"));
        let marks = names.iter().filter(|it| it.starts_with(".milepost/keys/"));
        let marks = marks.count();
        let has_token = |name: &&String| {
            let rest = name
                .rsplit_once('/')
                .filter(|(folder, _)| !folder.contains('.'));
            rest.is_some_and(|(_, file)| file.trim_end_matches(".json").len() == 65)
        };
        let parts = names.iter().filter(has_token).count();
        let listed: usize = tasks.iter().map(|task| self.list(task).len()).sum();
        assert_eq!((parts, marks), (listed, listed), "{context}: {names:?}");
        let rest = names.len() - parts - marks;
        assert!(rest <= tasks.len(), "{context}: {names:?}");
    }
}

fn named(index: &Object) -> Vec<PartName> {
    let entries = index.get("checkpoints").and_then(Json::as_array);
    let part = |entry: &Json| PartName {
        key: text(entry, "/key"),
        token: text(entry, "/token"),
    };
    entries.unwrap_or_default().iter().map(part).collect()
}

/// The arguments of a save.
fn with_state<'a>(state: Object, more: &[(&'a str, Json)]) -> Vec<(&'a str, Json)> {
    let mut arguments = vec![("state", Json::from(state))];
    arguments.extend_from_slice(more);
    arguments
}

fn state(task: &str, id: &str) -> Object {
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

#[track_caller]
fn text(json: &Json, at: &str) -> String {
    let found = json.at(at).and_then(Json::as_str);
    found
        .unwrap_or_else(|| panic!("no {at} in {}", json.to_line()))
        .to_owned()
}

#[track_caller]
fn number(json: &Json, at: &str) -> u64 {
    let found = json.at(at).and_then(Json::as_u64);
    found.unwrap_or_else(|| panic!("no {at} in {}", json.to_line()))
}

#[track_caller]
fn message(reply: &Object) -> String {
    text(reply.get("error").unwrap(), "/message")
}

/// Asks, and dies before the effect of this number; the reply, where that comes first.
fn until(world: &Memory, at: usize, line: &str) -> Option<Object> {
    use milepost::effect::MachineStep;
    let mut machine = request::start(line.as_bytes());
    for _ in 0..=at {
        match machine.step().unwrap() {
            MachineStep::Effect(_) if at == 0 => return None,
            MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).unwrap(),
            MachineStep::Done(reply) => return Some(parsed(&reply)),
        }
    }
    None
}
