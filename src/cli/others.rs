//! The number of threads and tasks beside the runs.

use crate::operation::task::list_tasks::list_tasks;
use crate::operation::thread::list_threads::list_threads;

use super::call::CliCall;
use super::page::counted;

/// The most tasks that are counted, as many as a page of threads has: each is read.
const MOST_TASKS: u64 = 100;

/// The number of threads or of tasks.
pub(super) struct Count {
    pub(super) noun: &'static str,
    pub(super) count: u64,
    /// True where there are more than were counted.
    pub(super) has_more: bool,
}

impl Count {
    /// In words; `None` where there are none.
    fn words(&self) -> Option<String> {
        let count = counted(self.count, self.noun);
        match self.has_more {
            true => Some(format!("more than {count}")),
            false => (self.count > 0).then_some(count),
        }
    }
}

/// Counts the threads and the tasks. What cannot be read of them is a warning.
pub(super) async fn others(call: &CliCall) -> [Count; 2] {
    let (io, settings) = (call.io(), &call.settings);
    let threads = list_threads(io, settings, None).await;
    let (threads, more_threads) = call.passed_over(threads).await.unwrap_or_default();
    let tasks = list_tasks(io, settings, None, MOST_TASKS).await;
    let tasks = call.passed_over(tasks).await;
    let more_tasks = tasks.as_ref().is_some_and(|it| it.next.is_some());
    [
        Count {
            noun: "thread",
            count: threads.len() as u64,
            has_more: more_threads.is_some(),
        },
        Count {
            noun: "task",
            count: tasks.map_or(0, |it| it.tasks.len() as u64),
            has_more: more_tasks,
        },
    ]
}

/// A line that says so; empty where there are none.
pub(super) fn words(others: &[Count]) -> String {
    let words: Vec<String> = others.iter().filter_map(Count::words).collect();
    match words.is_empty() {
        true => String::new(),
        false => words.join(", ") + "\n",
    }
}
