//! One reader: every read is whole, and no revision goes back.
//!
//! Milepost's own reads wait a little and look again where a text is no document, and the usual strategies'
//! do not. So that the numbers compare, the driver reads the same files itself, for all strategies alike.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde_json::Value;

use crate::actor::{Answer, Refusal, Request};
use crate::aftermath;
use crate::board::feature;
use crate::cast::Host;
use crate::child;
use crate::faults::Faults;
use crate::stage::Stage;

/// Readers leave the machine to the writers for so long.
const BETWEEN_READS: Duration = Duration::from_millis(10);

/// The observations of a reader.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads {
    pub(crate) count: u64,
    /// Reads of something that is no document.
    pub(crate) torn: u64,
    /// Reads that showed an older revision than one that was read or acknowledged before.
    pub(crate) back: u64,
    /// The number of reads of each host that showed a document while others wrote.
    pub(crate) shown: BTreeMap<Host, u64>,
    /// The number of the driver's reads that did.
    pub(crate) shown_to_driver: u64,
    /// The first of both, and what else went wrong.
    pub(crate) wrong: Faults,
}

impl Reads {
    pub(crate) fn add(&mut self, other: Reads) {
        self.count += other.count;
        self.torn += other.torn;
        self.back += other.back;
        self.shown_to_driver += other.shown_to_driver;
        for (host, count) in other.shown {
            *self.shown.entry(host).or_default() += count;
        }
        self.wrong.add(other.wrong);
    }

    /// Judges one answer; `expected` is the revision that it has to show at least, and `read` the
    /// one that it showed.
    pub(crate) fn judge(&mut self, answer: &Answer, expected: u64) -> u64 {
        self.count += 1;
        match answer {
            Answer::Revision(revision) if *revision >= expected => *revision,
            Answer::Revision(revision) => {
                self.back += 1;
                if self.reports() {
                    self.wrong
                        .push(format!("read revision {revision} after {expected}"));
                }
                *revision
            }
            Answer::Refused(refusal) if refusal.code == "not_found" && expected == 0 => 0,
            Answer::Refused(refusal) => {
                self.torn += 1;
                if self.reports() {
                    let Refusal { code, message, .. } = refusal;
                    self.wrong.refused(refusal, format!("{code}: {message}"));
                }
                0
            }
        }
    }

    /// The first few say enough.
    fn reports(&self) -> bool {
        const SHOWN: usize = 5;
        self.wrong.len() < SHOWN
    }
}

/// Reads the documents in turn, until the run is over.
pub(crate) fn read(stage: &Stage<'_>, host: Host) -> Result<Reads> {
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
        // The revision that is acknowledged by now, before the read begins.
        let expected = stage.board.acknowledged_revision(document).max(*seen);
        *seen = reads.judge(&look(&aftermath::file(stage.root, document)), expected);
        reads.shown_to_driver += u64::from(*seen > 0);
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

/// The state that a document's file shows in one read, for any writer.
pub(crate) fn look(file: &Path) -> Answer {
    let refused = |code: &str, message: String| {
        let message = format!("{}: {message}", file.display());
        Answer::Refused(Refusal::new(code, message))
    };
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return refused("not_found", "no document".to_owned());
        }
        Err(error) => return refused("io", error.to_string()),
    };
    match serde_json::from_slice::<Value>(&bytes) {
        Err(error) => refused("corrupt", error.to_string()),
        Ok(document) => match document["revision"].as_u64() {
            None => refused("corrupt", "no revision".to_owned()),
            Some(revision) => Answer::Revision(revision),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Reads, look};
    use crate::actor::{Answer, Refusal};

    fn refused(code: &str) -> Answer {
        Answer::Refused(Refusal::new(code, ""))
    }

    #[test]
    fn a_revision_that_goes_back_is_noticed() {
        let mut reads = Reads::default();
        assert_eq!(reads.judge(&Answer::Revision(7), 7), 7);
        assert_eq!(reads.back, 0);
        assert_eq!(reads.judge(&Answer::Revision(6), 7), 6);
        assert_eq!((reads.count, reads.torn, reads.back), (2, 0, 1));
    }

    #[test]
    fn half_of_a_file_is_torn() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("implement-r0.json");
        let code = || match look(&file) {
            Answer::Revision(revision) => revision.to_string(),
            Answer::Refused(refusal) => refusal.code,
        };
        assert_eq!(code(), "not_found");
        for (text, expected) in [
            ("", "corrupt"),
            (r#"{"state":{"completed_phases":["#, "corrupt"),
            (r#"{"revision":3}{"#, "corrupt"),
            (r#"{"state":{}}"#, "corrupt"),
            (r#"{"revision":3}"#, "3"),
        ] {
            fs::write(&file, text).expect("written");
            assert_eq!(code(), expected, "{text}");
        }
    }

    #[test]
    fn a_document_that_vanishes_is_noticed() {
        let mut reads = Reads::default();
        reads.judge(&refused("not_found"), 0);
        assert_eq!(reads.torn, 0, "nothing was written yet");
        reads.judge(&refused("not_found"), 1);
        reads.judge(&refused("corrupt"), 0);
        assert_eq!((reads.count, reads.torn, reads.back), (3, 2, 0));
        assert_eq!(reads.wrong.len(), 2);
    }
}
