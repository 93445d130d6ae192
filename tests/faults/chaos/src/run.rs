//! One run: the writers of a plan on one folder, the readers beside them, and the reckoning.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::board::Board;
use crate::cast::{Cast, Host};
use crate::ledger::{self, Entry, Findings};
use crate::plan::Plan;
use crate::quiet::{self, Quiet};
use crate::reader::{self, Reads};
use crate::signal::{Interrupt, Interrupted};
use crate::stage::Stage;
use crate::write_strategy::WriteStrategy;
use crate::{aftermath, child, writer};

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) strategy: WriteStrategy,
    /// The runtimes of the readers, one on each, and the writers in turns.
    pub(crate) hosts: Vec<Host>,
    pub(crate) writers: usize,
    pub(crate) findings: Findings,
    pub(crate) reads: Reads,
    /// Of Milepost only.
    pub(crate) quiet: Quiet,
    /// Files beside the documents and their history.
    pub(crate) left_over: Vec<String>,
    pub(crate) documents: usize,
    pub(crate) took: Duration,
}

impl Ran {
    /// Counts another run of the same strategy with it.
    pub(crate) fn add(&mut self, other: Ran) {
        self.findings.add(other.findings);
        self.reads.add(other.reads);
        self.quiet.add(other.quiet);
        self.left_over.extend(other.left_over);
        self.documents += other.documents;
        self.took += other.took;
    }

    /// One line that says what was seen.
    pub(crate) fn summary(&self) -> String {
        format!(
            "{} acknowledged in {} documents, {} lost, {} twice, {} reads, {} torn, {}",
            self.findings.acknowledged,
            self.documents,
            self.findings.lost.len(),
            self.findings.twice.len(),
            self.reads.count,
            self.reads.torn,
            self.quiet,
        )
    }
}

/// Runs a plan in `folder`, which keeps the repository, the plan and the journal.
///
/// # Errors
///
/// The run could not be carried through. What it found is no error.
pub(crate) fn run(
    cast: &Cast,
    strategy: WriteStrategy,
    plan: &Plan,
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<Ran> {
    let root = folder.join("repository");
    fs::create_dir_all(&root)?;
    let mut git = Command::new("git");
    child::run(git.args(["init", "--quiet"]).arg(&root))?;
    if strategy != WriteStrategy::Milepost {
        fs::create_dir_all(root.join(aftermath::STATE))?;
    }
    fs::write(folder.join("plan.txt"), plan.to_string())?;
    let stage = Stage {
        cast,
        strategy,
        root: &root,
        interrupt,
        board: Board::new(plan.writers.len(), &folder.join("journal.txt"))?,
    };
    let started = Instant::now();
    let (mut entries, mut reads) = act(&stage, plan)?;
    let documents = stage.board.documents();
    let quiet = match strategy {
        WriteStrategy::Milepost => quiet::settle(&stage, documents, &mut entries, &mut reads)?,
        _ => Quiet::default(),
    };
    Ok(Ran {
        strategy,
        hosts: cast.able(strategy).collect(),
        writers: plan.writers.len(),
        findings: ledger::look_up(&entries, &aftermath::stored(&root, documents)),
        left_over: aftermath::left_over(&root)?,
        reads,
        quiet,
        documents,
        took: started.elapsed(),
    })
}

/// All writers and readers, to the end of the plan.
fn act(stage: &Stage<'_>, plan: &Plan) -> Result<(Vec<Entry>, Reads)> {
    // A failed one ends the run for the others.
    fn ending<T>(stage: &Stage<'_>, result: Result<T>) -> Result<T> {
        if result.is_err() {
            stage.interrupt.raise();
        }
        result
    }
    thread::scope(|scope| {
        let writers: Vec<_> = (0..)
            .zip(&plan.writers)
            .map(|(number, steps)| {
                scope.spawn(move || {
                    let written = writer::write(stage, number, steps);
                    ending(stage, written.with_context(|| format!("writer {number}")))
                })
            })
            .collect();
        let readers: Vec<_> = stage
            .cast
            .able(stage.strategy)
            .map(|host| {
                scope.spawn(move || {
                    let read = reader::read(stage, host);
                    ending(
                        stage,
                        read.with_context(|| format!("reader on {}", host.name())),
                    )
                })
            })
            .collect();
        let written = all(writers);
        stage.board.end();
        let read = all(readers);
        let (written, read) = first_failure(written, read)?;
        let mut reads = Reads::default();
        for one in read {
            reads.add(one);
        }
        Ok((written.into_iter().flatten().collect(), reads))
    })
}

/// Waits for all threads; of several failures the one that made the others fail.
pub(crate) fn all<T>(threads: Vec<thread::ScopedJoinHandle<'_, Result<T>>>) -> Result<Vec<T>> {
    let mut done = Vec::new();
    let mut failure: Option<anyhow::Error> = None;
    for thread in threads {
        match thread.join() {
            Ok(Ok(result)) => done.push(result),
            Ok(Err(error)) if failure.as_ref().is_none_or(is_interrupted) => failure = Some(error),
            Ok(Err(_)) => {}
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
    failure.map_or(Ok(done), Err)
}

fn first_failure<A, B>(one: Result<A>, other: Result<B>) -> Result<(A, B)> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
        (Err(one), Err(other)) => Err(if is_interrupted(&one) { other } else { one }),
    }
}

fn is_interrupted(error: &anyhow::Error) -> bool {
    error.is::<Interrupted>()
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, Result, anyhow};

    use super::{Interrupted, first_failure};

    #[test]
    fn the_failure_that_ended_a_run_comes_before_those_that_it_caused() {
        let caused = || -> Result<()> { Err(Interrupted).context("writer 3") };
        let cause = || -> Result<()> { Err(anyhow!("no answer")) };
        for failure in [
            first_failure(caused(), cause()),
            first_failure(cause(), caused()),
            first_failure(cause(), Ok(())),
        ] {
            assert_eq!(failure.expect_err("it failed").to_string(), "no answer");
        }
    }
}
