//! One writer: operation after operation, stopped and killed as the plan says, and started again
//! under a new identity.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::actor::{Actor, Answer, Refusal, Request};
use crate::board::feature;
use crate::cast::Host;
use crate::child;
use crate::ledger::{Entry, Outcome};
use crate::plan::{Deed, Step};
use crate::stage::Stage;

/// Of so many operations, one saves the whole document.
const OPERATIONS_PER_SAVE: u32 = 4;

/// The time for which no other has to get on for a stopped writer to count as the one that holds them up.
const PROBE: Duration = Duration::from_millis(150);

/// So often at most a writer is stopped to see whether it holds up the others.
const TRIES: u32 = 15;

/// Follows its steps to the end, and returns what came of each operation.
pub(crate) fn write(stage: &Stage<'_>, number: usize, steps: &[Step]) -> Result<Vec<Entry>> {
    let host = stage.cast.host(stage.strategy, number)?;
    let mut writer = Writer {
        stage,
        host,
        number,
        lane: stage.board.lanes.of(number),
        life: 0,
        operations: 0,
        entries: Vec::new(),
    };
    let mut actor = writer.start()?;
    for step in steps {
        for _ in 0..step.operations {
            writer.perform(&mut actor)?;
        }
        let mut asked = writer.ask(&mut actor)?;
        asked = writer.go_on_for(step.delay, &mut actor, asked)?;
        if step.deed.outlasts_a_lock() {
            asked = writer.until_others_wait(step.delay, &mut actor, asked)?;
        }
        let board = &stage.board;
        board.note(format_args!("{} is {}", writer.name(), step.deed))?;
        if let Deed::Pause(length) | Deed::PauseAndKill(length) = step.deed {
            actor.stop()?;
            child::wait(length, stage.interrupt)?;
        }
        if let Deed::Pause(_) = step.deed {
            actor.go_on()?;
            let answer = actor.whole_answer()?;
            writer.record(asked, Some(answer))?;
        } else {
            let answer = actor.kill()?;
            writer.record(asked, answer)?;
            writer.life += 1;
            actor = writer.start()?;
        }
    }
    writer.perform(&mut actor)?;
    actor.end()?;
    Ok(writer.entries)
}

/// An operation that was asked for.
struct RequestedOperation {
    operation: String,
    document: usize,
}

struct Writer<'a> {
    stage: &'a Stage<'a>,
    host: Host,
    number: usize,
    lane: usize,
    /// The number of times that it was killed.
    life: u32,
    operations: u32,
    entries: Vec<Entry>,
}

impl<'a> Writer<'a> {
    fn start(&self) -> Result<Actor<'a>> {
        let actor = self.stage.start(self.host);
        actor.with_context(|| format!("cannot start {}", self.name()))
    }

    /// Its identity: a killed writer does not come back.
    fn name(&self) -> String {
        format!("w{}.{}", self.number, self.life)
    }

    fn perform(&mut self, actor: &mut Actor<'_>) -> Result<()> {
        let asked = self.ask(actor)?;
        let answer = actor.whole_answer()?;
        self.record(asked, Some(answer))
    }

    fn ask(&mut self, actor: &mut Actor<'_>) -> Result<RequestedOperation> {
        self.operations += 1;
        let asked = RequestedOperation {
            operation: format!("{}-{}", self.name(), self.operations),
            document: self.stage.board.document(self.lane),
        };
        let request = match self.operations.is_multiple_of(OPERATIONS_PER_SAVE) {
            true => Request::Save(&asked.operation),
            false => Request::Phase(&asked.operation),
        };
        actor.ask(&request, &feature(asked.document))?;
        Ok(asked)
    }

    /// Operation after operation; returns the one in progress then.
    fn go_on_for(
        &mut self,
        length: Duration,
        actor: &mut Actor<'_>,
        mut asked: RequestedOperation,
    ) -> Result<RequestedOperation> {
        let until = Instant::now() + length;
        while let Some(answer) = actor.answer(until)? {
            self.record(asked, Some(answer))?;
            asked = self.ask(actor)?;
        }
        Ok(asked)
    }

    /// Stops the writer at a moment at which no other gets on without it, after a number of tries
    /// at any.
    fn until_others_wait(
        &mut self,
        between: Duration,
        actor: &mut Actor<'_>,
        mut asked: RequestedOperation,
    ) -> Result<RequestedOperation> {
        let (stage, lane) = (self.stage, self.lane);
        let acknowledged = || stage.board.acknowledged(lane);
        for _ in 0..TRIES {
            actor.stop()?;
            let before = acknowledged();
            child::wait(PROBE, stage.interrupt)?;
            if acknowledged() == before {
                break;
            }
            actor.go_on()?;
            asked = self.go_on_for(between, actor, asked)?;
        }
        Ok(asked)
    }

    /// Without an answer it was killed before.
    fn record(&mut self, asked: RequestedOperation, answer: Option<Answer>) -> Result<()> {
        let RequestedOperation {
            operation,
            document,
        } = asked;
        let board = &self.stage.board;
        let outcome = match answer {
            Some(Answer::Revision(revision)) => {
                board.acknowledge(document, revision);
                board.note(format_args!(
                    "{operation} is acknowledged as revision {revision} of document {document}"
                ))?;
                Outcome::Acknowledged
            }
            Some(Answer::Refused(refusal)) => {
                let Refusal { code, message, .. } = &refusal;
                board.note(format_args!("{operation} is refused: {code}: {message}"))?;
                Outcome::Refused(refusal)
            }
            None => {
                board.note(format_args!(
                    "{operation} of document {document} is unknown"
                ))?;
                Outcome::Unknown
            }
        };
        self.entries.push(Entry {
            operation,
            document,
            host: self.host,
            outcome,
        });
        Ok(())
    }
}
