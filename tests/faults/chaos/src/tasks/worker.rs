//! One worker: job after job, stopped and killed as the plan says.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use fastrand::Rng;
use serde_json::Value;

use super::job::{Job, WorkerKnowledge, own};
use super::journal::{Journal, Outcome};
use crate::actor::{Actor, Said};
use crate::cast::{Cast, Host, Script};
use crate::child;
use crate::plan::{Deed, Step};
use crate::signal::Interrupt;

/// The things that all workers of a run need.
#[derive(Clone, Copy)]
pub(super) struct Crew<'a> {
    pub(super) cast: &'a Cast,
    pub(super) journal: &'a Journal,
    pub(super) root: &'a Path,
    pub(super) interrupt: &'a Interrupt,
    pub(super) clock: Clock,
}

/// The time as a process takes it to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    Right,
    /// Hours ahead: a process that prepares something seems to be dead.
    Ahead,
}

/// In milliseconds.
const AHEAD: u32 = 2 * 3_600_000;

impl<'a> Crew<'a> {
    /// A process on a host.
    pub(super) fn start(&self, host: Host) -> Result<Actor<'a>> {
        let mut actor = Actor::start(self.cast, host, Script::Tasks, self.root, self.interrupt)?;
        if self.clock == Clock::Ahead {
            actor.say(&[], &format!(r#"["clock",{{"ahead":{AHEAD}}}]"#))?;
            actor.hear_all()?;
        }
        Ok(actor)
    }

    /// Asks for a job and waits for what comes of it.
    pub(super) fn perform(&self, actor: &mut Actor<'_>, job: &Job) -> Result<Outcome> {
        let began = self.journal.now();
        actor.say(&[], &job.line())?;
        let said = actor.hear_all()?;
        Ok(self.journal.answered(job, began, &read(&said)?))
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
    pub(super) jobs: u64,
    /// Of its own task, as it has heard it last.
    pub(super) revision: Option<u64>,
}

/// The requests of a worker, and their times.
struct RequestedJob {
    job: Job,
    began: u64,
}

impl Worker<'_> {
    /// Follows its steps to the end.
    pub(super) fn work(&mut self, steps: &[Step]) -> Result<()> {
        let crew = self.crew;
        let mut actor = crew.start(self.host)?;
        for step in steps {
            for _ in 0..step.operations {
                let asked = self.ask(&mut actor)?;
                self.hear(&asked, &actor.hear_all()?)?;
            }
            let mut asked = self.ask(&mut actor)?;
            let until = Instant::now() + step.delay;
            while let Some(said) = actor.hear(until)? {
                self.hear(&asked, &said)?;
                asked = self.ask(&mut actor)?;
            }
            if let Deed::Pause(length) | Deed::PauseAndKill(length) = step.deed {
                actor.stop()?;
                child::wait(length, crew.interrupt)?;
            }
            if let Deed::Pause(_) = step.deed {
                actor.go_on()?;
                self.hear(&asked, &actor.hear_all()?)?;
                continue;
            }
            let said = actor.silence()?;
            // Half an answer does not count.
            match serde_json::from_str(&said) {
                Ok(answer) => self.learn(&asked, &answer),
                Err(_) => crew.journal.note(&asked.job, asked.began, Outcome::Silent),
            }
            actor = crew.start(self.host)?;
        }
        actor.end()
    }

    fn ask(&mut self, actor: &mut Actor<'_>) -> Result<RequestedJob> {
        self.jobs += 1;
        let known = WorkerKnowledge {
            worker: self.number,
            number: self.jobs,
            revision: self.revision,
            ids: &self.crew.journal.ids(),
        };
        let job = Job::any(&mut self.chance, &known);
        let began = self.crew.journal.now();
        actor.say(&[], &job.line())?;
        Ok(RequestedJob { job, began })
    }

    fn hear(&mut self, asked: &RequestedJob, said: &Said) -> Result<()> {
        self.learn(asked, &read(said)?);
        Ok(())
    }

    fn learn(&mut self, asked: &RequestedJob, answer: &Value) {
        let outcome = self.crew.journal.answered(&asked.job, asked.began, answer);
        if asked.job.task() == Some(&own(self.number))
            && let Outcome::Answered(answer) = outcome
        {
            self.revision = answer["revision"].as_u64().or(self.revision);
        }
    }
}
