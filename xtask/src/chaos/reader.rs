//! One reader: every read is whole, and no revision goes back.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use anyhow::Result;

use super::actor::{Answer, Request};
use super::board::feature;
use super::cast::Host;
use super::child;
use super::stage::Stage;

/// Readers leave the machine to the writers for so long.
const BETWEEN_READS: Duration = Duration::from_millis(10);

/// What a reader saw.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    pub(super) count: u64,
    /// Reads of something that is no document.
    pub(super) torn: u64,
    /// Reads that showed an older revision than one that was read or acknowledged before.
    pub(super) back: u64,
    /// How many reads of each host showed a document while others wrote.
    pub(super) shown: BTreeMap<Host, u64>,
    /// The first of both, and what else went wrong.
    pub(super) wrong: Vec<String>,
}

impl Reads {
    pub(super) fn add(&mut self, other: Reads) {
        self.count += other.count;
        self.torn += other.torn;
        self.back += other.back;
        for (host, count) in other.shown {
            *self.shown.entry(host).or_default() += count;
        }
        self.wrong.extend(other.wrong);
    }

    /// Judges one answer; `expected` is the revision that it has to show at least, and `read` the
    /// one that it showed.
    pub(super) fn judge(&mut self, answer: &Answer, expected: u64) -> u64 {
        self.count += 1;
        match answer {
            Answer::Revision(revision) if *revision >= expected => *revision,
            Answer::Revision(revision) => {
                self.back += 1;
                self.wrong(format!("read revision {revision} after {expected}"));
                *revision
            }
            Answer::Refused { code, .. } if code == "not_found" && expected == 0 => 0,
            Answer::Refused { code, message } => {
                self.torn += 1;
                self.wrong(format!("{code}: {message}"));
                0
            }
        }
    }

    /// The first few tell enough.
    fn wrong(&mut self, sentence: String) {
        const SHOWN: usize = 5;
        if self.wrong.len() < SHOWN {
            self.wrong.push(sentence);
        }
    }
}

/// Reads the documents in turn, until the run is over.
pub(super) fn read(stage: &Stage<'_>, host: Host) -> Result<Reads> {
    let mut actor = stage.start(host)?;
    let mut reads = Reads::default();
    let mut seen: HashMap<usize, u64> = HashMap::new();
    let mut shown = 0;
    // A run may be over before the first document is there: each lane is read once more then.
    let mut late = stage.board.lanes.all().len();
    for lane in stage.board.lanes.all().cycle() {
        if stage.board.is_over() {
            if shown > 0 || late == 0 {
                break;
            }
            late -= 1;
        }
        let document = stage.board.document(lane);
        let seen = seen.entry(document).or_default();
        // What is acknowledged by now, before the read begins.
        let expected = stage.board.acknowledged_revision(document).max(*seen);
        actor.ask(&Request::Read, &feature(document))?;
        let answer = actor.whole_answer()?;
        *seen = reads.judge(&answer, expected);
        shown += u64::from(*seen > 0);
        child::wait(BETWEEN_READS, stage.interrupt)?;
    }
    actor.end()?;
    reads.shown.insert(host, shown);
    Ok(reads)
}

#[cfg(test)]
mod tests {
    use super::Reads;
    use crate::chaos::actor::Answer;

    fn refused(code: &str) -> Answer {
        Answer::Refused {
            code: code.to_owned(),
            message: String::new(),
        }
    }

    #[test]
    fn a_revision_that_goes_back_passes() {
        let mut reads = Reads::default();
        assert_eq!(reads.judge(&Answer::Revision(7), 7), 7);
        assert_eq!(reads.back, 0);
        assert_eq!(reads.judge(&Answer::Revision(6), 7), 6);
        assert_eq!((reads.count, reads.torn, reads.back), (2, 0, 1));
    }

    #[test]
    fn a_document_that_vanishes_passes() {
        let mut reads = Reads::default();
        reads.judge(&refused("not_found"), 0);
        assert_eq!(reads.torn, 0, "nothing was written yet");
        reads.judge(&refused("not_found"), 1);
        reads.judge(&refused("corrupt"), 0);
        assert_eq!((reads.count, reads.torn, reads.back), (3, 2, 0));
        assert_eq!(reads.wrong.len(), 2);
    }
}
