//! The work of processes on tasks.

use milepost::checkpoint::task::name::TaskId;
use milepost::effect::Sync;
use milepost::json::{Json, Object};
use milepost::operation::request;
use milepost::store::Storage;

use crate::job::ROOT;
use crate::sabotage::Sabotaged;

/// The tasks. What they are called says nothing of what their files are called.
pub(crate) const TASKS: [&str; 3] = ["one", "Two/..", "drei ☂"];
/// The checkpoints that all tasks want to have.
pub(crate) const IDS: [&str; 6] = ["a", "b", "c", "../d", "E", "é"];
/// Bytes of a large one.
const LARGE: usize = 20_000;

/// One operation on tasks. Numbers are never used twice in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Save(Save),
    /// The latest of a task.
    Latest(&'static str),
    ById(&'static str),
    List(&'static str),
    ListTasks,
    Delete(&'static str),
    DeleteTask(&'static str),
    CleanUp,
}

/// A checkpoint that is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Save {
    pub(crate) task: &'static str,
    pub(crate) id: &'static str,
    /// The number that identifies its content.
    pub(crate) number: u64,
    pub(crate) is_large: bool,
    /// So many are kept.
    pub(crate) keeps: u64,
    /// True if no steps remain, after which all others go.
    pub(crate) is_last: bool,
    pub(crate) expected: Option<u64>,
}

impl Save {
    pub(crate) fn new(task: &'static str, id: &'static str, number: u64) -> Self {
        Save {
            task,
            id,
            number,
            is_large: false,
            keeps: 3,
            is_last: false,
            expected: None,
        }
    }

    fn state(&self) -> Object {
        let filling = match self.is_large {
            true => "x".repeat(LARGE),
            false => String::new(),
        };
        let pending = match self.is_last {
            true => Vec::new(),
            false => vec!["step-1"],
        };
        Object::new()
            .with("id", self.id)
            .with("taskId", self.task)
            .with("agentId", "agent")
            .with("stepIndex", 0)
            .with("totalSteps", 1)
            .with(
                "context",
                Object::new()
                    .with("filling", filling)
                    .with("number", self.number),
            )
            .with("completedSteps", Vec::<Json>::new())
            .with("pendingSteps", pending)
            .with("createdAt", "2026-01-29T10:30:00.000Z")
    }
}

/// The number that identifies the content of a checkpoint; `None` for one that is not whole.
pub(crate) fn number(state: &Json) -> Option<u64> {
    let filling = state.at("/context/filling")?.as_str()?;
    let is_whole = filling.is_empty() || filling.len() == LARGE;
    state.at("/context/number")?.as_u64().filter(|_| is_whole)
}

/// The location of tasks, and their durability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskStorage {
    pub(crate) storage: Storage,
    pub(crate) durability: Sync,
}

impl TaskStorage {
    pub(crate) fn request(self, job: &Job) -> String {
        let (operation, arguments) = match job {
            Job::Save(save) => {
                let mut arguments = Object::new()
                    .with("state", save.state())
                    .with("max_per_task", save.keeps)
                    .with("auto_cleanup", true);
                if let Some(expected) = save.expected {
                    arguments.set("expected_revision", expected);
                }
                ("save_task", arguments)
            }
            Job::Latest(task) => ("load_task", Object::new().with("task_id", *task)),
            Job::ById(id) => ("load_task", Object::new().with("id", *id)),
            Job::List(task) => ("list_task", Object::new().with("task_id", *task)),
            Job::ListTasks => ("list_tasks", Object::new()),
            Job::Delete(id) => ("delete_task_checkpoint", Object::new().with("id", *id)),
            Job::DeleteTask(task) => ("delete_task", Object::new().with("task_id", *task)),
            Job::CleanUp => ("clean_up_tasks", Object::new()),
        };
        let storage = match self.storage {
            Storage::Files => "files",
            Storage::Records => "records",
        };
        let durability = match self.durability {
            Sync::Durable => "durable",
            Sync::Lazy => "lazy",
        };
        let place = Object::new()
            .with("root", ROOT)
            .with("working", ROOT)
            .with("storage", storage)
            .with("durability", durability);
        let mut request = Object::new()
            .with("operation", operation)
            .with("place", place);
        for (key, value) in arguments.iter() {
            request.set(key, value.clone());
        }
        Json::Object(request).to_line()
    }

    /// Starts a job, in the async and the blocking variant.
    pub(crate) fn start(self, job: &Job) -> Sabotaged<String> {
        let line = self.request(job);
        let machine = request::start(line.as_bytes());
        Sabotaged::new(machine).with_twin(move |io| {
            let asked =
                milepost::blocking::operation::request::ParsedRequest::read(line.as_bytes());
            asked.answer(&io).text
        })
    }
}

/// The stem that a task is stored under.
pub(crate) fn stem(task: &str) -> String {
    TaskId::new(task).map(|id| id.stem()).unwrap_or_default()
}
