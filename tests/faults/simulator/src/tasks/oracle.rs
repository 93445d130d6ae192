//! The oracle of what must hold of tasks, watched from outside: every change in the moment that it happens, and every
//! answer. The oracle knows nothing of generations, tokens or locks.

use std::fmt;

use milepost::json::{self, Json};
use milepost::store::Storage;
use milepost_disk::Disk;

use super::job::{Job, Save, TASKS, number};
use super::seen::{Seer, State};

type States = [State; TASKS.len()];

/// Watches one run.
#[derive(Clone, Debug)]
pub(super) struct Oracle {
    pub(super) seer: Seer,
    /// The states at each moment, since the power was lost.
    line: Vec<States>,
    /// The first of them that a task can be at: no earlier one than what was acknowledged.
    acknowledged: [usize; TASKS.len()],
}

/// A job in progress.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub(super) by: u64,
    pub(super) job: Job,
    /// The moment of the line at which it began.
    begun: usize,
    /// That at which it changed something.
    applied: Option<usize>,
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {:?}", self.by, self.job)
    }
}

impl Oracle {
    pub(super) fn new(storage: Storage) -> Self {
        Oracle {
            seer: Seer::new(storage),
            line: vec![States::default()],
            acknowledged: [0; TASKS.len()],
        }
    }

    pub(super) fn begins(&self, by: u64, job: Job) -> Watched {
        Watched {
            by,
            job,
            begun: self.line.len() - 1,
            applied: None,
        }
    }

    pub(super) fn now(&self) -> &States {
        &self.line[self.line.len() - 1]
    }

    /// An effect of a job has happened.
    ///
    /// # Errors
    ///
    /// The change that the job may not make.
    pub(super) fn did(&mut self, disk: &Disk, watched: &mut Watched) -> Result<(), String> {
        let before = self.now().clone();
        let after = self.seer.look(disk)?;
        if after == before {
            return Ok(());
        }
        let changed = (0..TASKS.len()).filter(|at| after[*at] != before[*at]);
        let changed: Vec<usize> = changed.collect();
        let [at] = changed[..] else {
            return Err(format!("{watched} changed several tasks in one step"));
        };
        let (task, from, to) = (TASKS[at], &before[at], &after[at]);
        if watched.applied.is_some() {
            return Err(format!("{watched} is applied twice"));
        }
        let expected = match &watched.job {
            Job::Save(save) if save.task == task => {
                if save.expected.is_some_and(|it| it != from.revision) {
                    return Err(format!("{watched} changed revision {}", from.revision));
                }
                saved(&from.entries, save)
            }
            Job::Delete(id) => {
                let others = from.entries.iter().filter(|(known, _)| known != id);
                others.cloned().collect()
            }
            Job::DeleteTask(name) if *name == task => Vec::new(),
            _ => return Err(format!("{watched} changed task {task}")),
        };
        if to.entries != expected {
            return Err(format!(
                "{watched} made {:?} of {:?} in task {task}, expected {expected:?}",
                to.entries, from.entries
            ));
        }
        if !from.entries.is_empty() && !to.entries.is_empty() && to.revision != from.revision + 1 {
            return Err(format!(
                "revision {} of task {task} was followed by {}",
                from.revision, to.revision
            ));
        }
        watched.applied = Some(self.line.len());
        self.line.push(after);
        Ok(())
    }

    /// A job was answered; `had_trouble` where an effect of it failed. Whether a change was acknowledged.
    ///
    /// # Errors
    ///
    /// The statement that is not so, and never was while the job was in progress.
    pub(super) fn ended(
        &mut self,
        watched: &Watched,
        reply: &str,
        had_trouble: bool,
    ) -> Result<bool, String> {
        let wrong = |why: &str| format!("{watched} was answered {reply}: {why}");
        let read = json::read(reply.as_bytes())
            .map_err(|_| wrong("no reply"))?
            .value;
        let during = &self.line[watched.begun..];
        if let Some(error) = read.at("/error") {
            let text = |at| error.at(at).and_then(Json::as_str).unwrap_or_default();
            return match failed(
                watched,
                text("/code"),
                text("/written"),
                during,
                had_trouble,
            ) {
                Some(why) => Err(wrong(why)),
                None => Ok(false),
            };
        }
        let warnings = read.at("/warnings").and_then(Json::as_array);
        if !had_trouble && warnings.is_some_and(|all| !all.is_empty()) {
            return Err(wrong("nothing is wrong"));
        }
        let value = read.at("/value").ok_or_else(|| wrong("no value"))?;
        if let Some(why) = answered(watched, value, during, had_trouble) {
            return Err(wrong(why));
        }
        if let Some(moment) = watched.applied {
            let changed = |at: &usize| self.line[moment][*at] != self.line[moment - 1][*at];
            for at in (0..TASKS.len()).filter(changed) {
                self.acknowledged[at] = self.acknowledged[at].max(moment);
            }
        }
        Ok(watched.applied.is_some())
    }

    /// The power came back.
    ///
    /// # Errors
    ///
    /// The loss.
    pub(super) fn power_lost(&mut self, disk: &Disk) -> Result<(), String> {
        let left = self.seer.look(disk)?;
        for (at, task) in TASKS.iter().enumerate() {
            let known = self.line.iter().rposition(|it| it[at] == left[at]);
            let Some(known) = known else {
                return Err(format!("the power loss left {:?} of task {task}", left[at]));
            };
            if known < self.acknowledged[at] {
                return Err(format!(
                    "{:?} of task {task} is acknowledged, and the power loss left {:?}",
                    self.line[self.acknowledged[at]][at], left[at]
                ));
            }
        }
        self.line = vec![left];
        self.acknowledged = [0; TASKS.len()];
        Ok(())
    }
}

/// The task that a save makes, by the words of the interface: in its place, or last; then the oldest others
/// go that are too many.
fn saved(entries: &[(String, u64)], save: &Save) -> Vec<(String, u64)> {
    let mut next = entries.to_vec();
    match next.iter_mut().find(|(id, _)| id == save.id) {
        Some((_, number)) => *number = save.number,
        None => next.push((save.id.to_owned(), save.number)),
    }
    let kept = if save.is_last { 1 } else { save.keeps as usize };
    while next.len() > kept {
        let Some(oldest) = next.iter().position(|(id, _)| id != save.id) else {
            break;
        };
        next.remove(oldest);
    }
    next
}

/// The reason that a failure is not allowed, if it is not.
fn failed(
    watched: &Watched,
    code: &str,
    written: &str,
    during: &[States],
    had_trouble: bool,
) -> Option<&'static str> {
    let may_be = match (code, &watched.job) {
        ("conflict", Job::Save(save)) => {
            let is_other = |it: &States| {
                let others = it.iter().zip(TASKS).filter(|(_, task)| *task != save.task);
                let mut others = others.map(|(state, _)| state.content(save.id));
                others.any(|content| content.is_some())
            };
            let was_changed = |it: &States| {
                let revision = of(it, save.task).revision;
                save.expected.is_some_and(|expected| expected != revision)
            };
            during.iter().any(|it| is_other(it) || was_changed(it))
        }
        ("not_found", Job::Latest(task)) => during.iter().any(|it| of(it, task).entries.is_empty()),
        ("not_found", Job::ById(id)) => during.iter().any(|it| content(it, id).is_none()),
        // A job that is kept waiting, or that waits for a dead one's lock all the time.
        ("busy", _) => true,
        ("io", _) => had_trouble,
        _ => false,
    };
    match (may_be, written, watched.applied) {
        (false, ..) => Some("that was never so"),
        (_, "no", Some(_)) => Some("it was written"),
        // The removal of a task without checkpoints is not visible.
        (_, "yes", None) if !matches!(watched.job, Job::DeleteTask(_)) => {
            Some("it was not written")
        }
        _ => None,
    }
}

/// Why an answer is wrong, if it is.
fn answered(
    watched: &Watched,
    value: &Json,
    during: &[States],
    had_trouble: bool,
) -> Option<&'static str> {
    let is_right = match &watched.job {
        Job::Save(_) => watched.applied.is_some(),
        Job::Delete(id) => match value.at("/deleted").and_then(Json::as_bool) {
            Some(true) => watched.applied.is_some(),
            _ => during.iter().any(|it| content(it, id).is_none()),
        },
        // The number of them was counted before.
        Job::DeleteTask(task) => match value.at("/deleted").and_then(Json::as_u64) {
            Some(0) | None => during.iter().any(|it| of(it, task).entries.is_empty()),
            Some(count) => {
                let is_so = |it: &States| of(it, task).entries.len() as u64 == count;
                during.iter().any(is_so) && during.iter().any(|it| of(it, task).entries.is_empty())
            }
        },
        Job::Latest(task) => {
            let found = found(value);
            let latest = |it: &States| of(it, task).entries.last().cloned();
            during.iter().any(|it| latest(it) == found)
        }
        Job::ById(id) => {
            let number = found(value).map(|(_, number)| number);
            during.iter().any(|it| content(it, id) == number)
        }
        Job::List(task) => {
            let all = value.at("/checkpoints").and_then(Json::as_array);
            let all = all.unwrap_or_default().iter().map(found);
            let all: Option<Vec<(String, u64)>> = all.collect();
            // With an error, one may be passed over.
            had_trouble
                || during
                    .iter()
                    .any(|it| Some(&of(it, task).entries) == all.as_ref())
        }
        Job::ListTasks => {
            let all = value.at("/tasks").and_then(Json::as_array);
            let all = all.unwrap_or_default().iter();
            let all: Vec<&str> = all.filter_map(|it| it.at("/task_id")?.as_str()).collect();
            let is_right = |task: &&str| {
                let is_empty = |it: &States| of(it, task).entries.is_empty();
                match all.contains(task) {
                    true => !during.iter().all(is_empty),
                    false => had_trouble || during.iter().any(is_empty),
                }
            };
            TASKS.iter().all(is_right) && all.iter().all(|task| TASKS.contains(task))
        }
        Job::CleanUp => true,
    };
    (!is_right).then_some("that was never so")
}

/// The checkpoint in an answer.
fn found(value: &Json) -> Option<(String, u64)> {
    let id = value.at("/id").and_then(Json::as_str)?;
    Some((id.to_owned(), number(value.at("/state")?)?))
}

fn of<'s>(states: &'s States, task: &str) -> &'s State {
    let at = TASKS.iter().position(|it| *it == task).unwrap_or_default();
    &states[at]
}

fn content(states: &States, id: &str) -> Option<u64> {
    states.iter().find_map(|state| state.content(id))
}
