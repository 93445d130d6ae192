//! One worker: task after task, stopped and killed as the plan says.

use std::time::Instant;

use anyhow::{Context, Result};
use fastrand::Rng;
use serde_json::Value;

use super::book::Book;
use super::task::Task;
use crate::actor::{Actor, Refusal, Said};
use crate::cast::{Cast, Host, Script};
use crate::child;
use crate::plan::{Deed, Step};
use crate::signal::Interrupt;

/// An operation that goes through the files takes so many times as long as an update, at which the delays of
/// a plan aim.
const SLOWER: u32 = 6;

/// The things that all workers of a run need.
#[derive(Clone, Copy)]
pub(super) struct Crew<'a> {
    pub(super) cast: &'a Cast,
    pub(super) book: &'a Book<'a>,
    pub(super) root: &'a std::path::Path,
    pub(super) interrupt: &'a Interrupt,
}

impl<'a> Crew<'a> {
    /// A process on a host.
    pub(super) fn start(&self, host: Host) -> Result<Actor<'a>> {
        Actor::start(self.cast, host, Script::Sessions, self.root, self.interrupt)
    }

    /// Asks for a task and waits for what comes of it, or why it was refused.
    pub(super) fn perform(
        &self,
        actor: &mut Actor<'_>,
        task: &Task,
    ) -> Result<std::result::Result<Value, Refusal>> {
        actor.say(&task.words(), &task.line())?;
        let said = actor.hear_all()?;
        self.book.answered(task, &read(&said)?)
    }
}

fn read(said: &Said) -> Result<Value> {
    serde_json::from_str(&said.text).with_context(|| format!("not an answer: {}", said.text))
}

/// One of a run.
pub(super) struct Worker<'a> {
    pub(super) crew: Crew<'a>,
    pub(super) number: usize,
    pub(super) host: Host,
    pub(super) chance: Rng,
    pub(super) tasks: u32,
}

impl Worker<'_> {
    /// Follows its steps to the end.
    pub(super) fn work(&mut self, steps: &[Step]) -> Result<()> {
        let crew = self.crew;
        let mut actor = crew.start(self.host)?;
        for step in steps {
            for _ in 0..step.operations {
                let task = self.next();
                let _ = crew.perform(&mut actor, &task)?;
            }
            let mut task = self.ask(&mut actor)?;
            let until = Instant::now() + step.delay * SLOWER;
            while let Some(said) = actor.hear(until)? {
                let _ = crew.book.answered(&task, &read(&said)?)?;
                task = self.ask(&mut actor)?;
            }
            if let Deed::Pause(length) | Deed::PauseAndKill(length) = step.deed {
                actor.stop()?;
                child::wait(length, crew.interrupt)?;
            }
            if let Deed::Pause(_) = step.deed {
                actor.go_on()?;
                let _ = crew.book.answered(&task, &read(&actor.hear_all()?)?)?;
                continue;
            }
            let said = actor.silence()?;
            // Half an answer does not count.
            match serde_json::from_str(&said) {
                Ok(answer) => drop(crew.book.answered(&task, &answer)?),
                Err(_) => crew.book.silenced(&task),
            }
            actor = crew.start(self.host)?;
        }
        actor.end()
    }

    fn next(&mut self) -> Task {
        self.tasks += 1;
        let name = format!("w{}-{}", self.number, self.tasks);
        Task::any(&mut self.chance, &name, &self.crew.book.known())
    }

    fn ask(&mut self, actor: &mut Actor<'_>) -> Result<Task> {
        let task = self.next();
        actor.say(&task.words(), &task.line())?;
        Ok(task)
    }
}
