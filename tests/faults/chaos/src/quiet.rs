//! The checks once all is quiet: one more writer is killed while it owns a lock, then each document is updated
//! and read once more.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::actor::{Answer, COMMAND, Refusal, Request, patiently};
use crate::aftermath::{STATE, file};
use crate::board::feature;
use crate::cast::Host;
use crate::child;
use crate::faults::Faults;
use crate::ledger::{Entry, Outcome};
use crate::reader::{Reads, look};
use crate::stage::Stage;

/// A lock is held for about a millisecond: so often at most a writer is stopped to have it hold one.
const TRIES: usize = 100;

/// A process that was signalled to stop does so within this time, and mostly much earlier.
const STOPPING: Duration = Duration::from_millis(5);

/// The findings of the quiet updates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quiet {
    /// The number of them that found the lock of a dead writer.
    pub(crate) after_dead_owner: usize,
    /// The time that the slowest one took.
    pub(crate) slowest: Duration,
    pub(crate) wrong: Faults,
}

impl Quiet {
    pub(crate) fn add(&mut self, other: Quiet) {
        self.after_dead_owner += other.after_dead_owner;
        self.slowest = self.slowest.max(other.slowest);
        self.wrong.add(other.wrong);
    }
}

impl fmt::Display for Quiet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "quiet updates within {:.1} s, {} after a dead writer's lock",
            self.slowest.as_secs_f64(),
            self.after_dead_owner
        )
    }
}

/// Kills a writer that owns a lock, updates each document once, and reads it on every host.
pub(crate) fn settle(
    stage: &Stage<'_>,
    documents: usize,
    entries: &mut Vec<Entry>,
    reads: &mut Reads,
) -> Result<Quiet> {
    let hosts: Vec<_> = stage.cast.able(stage.strategy).collect();
    let mut book = Book {
        stage,
        host: hosts[0],
        entries,
    };
    book.kill_an_owner(0)?;
    let mut quiet = Quiet::default();
    let mut actor = stage.start(hosts[0])?;
    for document in 0..documents {
        let replaced = bytes_of(&file(stage.root, document))?;
        quiet.after_dead_owner += usize::from(lock(stage.root, document).exists());
        let operation = format!("quiet-{document}");
        let began = Instant::now();
        let update = || {
            actor.ask(&Request::Phase(&operation), &feature(document))?;
            actor.whole_answer()
        };
        let answer = patiently(update, Answer::refusal)?;
        quiet.slowest = quiet.slowest.max(began.elapsed());
        if let Answer::Refused(refusal) = &answer {
            let Refusal { code, message, .. } = refusal;
            let what =
                format!("the quiet update of document {document} was refused: {code}: {message}");
            quiet.wrong.refused(refusal, what);
        } else if let Some(replaced) = replaced
            && !is_kept(&side(stage.root, document).join("history"), &replaced)?
        {
            quiet.wrong.push(format!(
                "what the quiet update of document {document} replaced is not in its history"
            ));
        }
        book.record(operation, document, Some(answer))?;
    }
    actor.end()?;
    for host in hosts {
        let mut actor = stage.start(host)?;
        for document in 0..documents {
            let expected = stage.board.acknowledged_revision(document);
            reads.judge(&look(&file(stage.root, document)), expected);
            actor.ask(&Request::Read, &feature(document))?;
            reads.judge(&actor.whole_answer()?, expected);
        }
        actor.end()?;
    }
    Ok(quiet)
}

/// The record of the last operations.
struct Book<'a> {
    stage: &'a Stage<'a>,
    host: Host,
    entries: &'a mut Vec<Entry>,
}

impl Book<'_> {
    /// Stops a writer until it has a lock in its hands, then kills it. Where that never happens, it
    /// just ends.
    fn kill_an_owner(&mut self, document: usize) -> Result<()> {
        let lock = lock(self.stage.root, document);
        let mut actor = self.stage.start(self.host)?;
        for number in 0..TRIES {
            let operation = format!("owner-{number}");
            actor.ask(&Request::Phase(&operation), &feature(document))?;
            let answer = loop {
                // Immediately: nothing, or the answer.
                if let Some(answer) = actor.answer(Instant::now())? {
                    break answer;
                }
                if !lock.exists() {
                    continue;
                }
                actor.stop()?;
                child::wait(STOPPING, self.stage.interrupt)?;
                if lock.exists() {
                    let answer = actor.kill()?;
                    return self.record(operation, document, answer);
                }
                actor.go_on()?;
                break actor.whole_answer()?;
            };
            self.record(operation, document, Some(answer))?;
        }
        actor.end()
    }

    /// Without an answer it was killed before.
    fn record(&mut self, operation: String, document: usize, answer: Option<Answer>) -> Result<()> {
        let board = &self.stage.board;
        board.note(format_args!(
            "{operation} of document {document}: {answer:?}"
        ))?;
        let outcome = match answer {
            Some(Answer::Revision(revision)) => {
                board.acknowledge(document, revision);
                Outcome::Acknowledged
            }
            Some(Answer::Refused(refusal)) => Outcome::Refused(refusal),
            None => Outcome::Unknown,
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

/// The folder of everything of a document that is not the document.
fn side(root: &Path, document: usize) -> PathBuf {
    root.join(format!("{STATE}/.milepost/{COMMAND}-{}", feature(document)))
}

fn lock(root: &Path, document: usize) -> PathBuf {
    side(root, document).join("lock")
}

/// `None` where there is no such file.
fn bytes_of(file: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(file) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns whether an entry of a history holds these very bytes.
fn is_kept(history: &Path, bytes: &[u8]) -> Result<bool> {
    for entry in crate::folder::files(history)? {
        let is_entry = entry.extension().is_some_and(|ending| ending == "json");
        if is_entry && fs::read(&entry)? == bytes {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::is_kept;

    #[test]
    fn a_replaced_revision_that_is_half_there_or_still_a_preparation_is_not_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("written");
        };
        let is_kept = || is_kept(folder.path(), b"{\"revision\":7}").expect("it can be read");
        put("6-00ff.json", "{\"revision\":6}");
        put("7-00ff.json", "{\"revision\":");
        put("00ff.tmp", "{\"revision\":7}");
        assert!(!is_kept());
        put("7-00ff.json", "{\"revision\":7}");
        assert!(is_kept());
    }
}
