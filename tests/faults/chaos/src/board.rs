//! The things that the writers and readers of a run share: the progress of the documents, and the journal.

use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};

/// Operations in one document, before its writers go on to the next one: a document of a real size,
/// and many first writes of a new one.
const OPERATIONS_PER_DOCUMENT: u64 = 250;

/// The writers that share a document. In a crowd, many meet, and nearly every deed hits one that
/// waits for others; of a pair, nearly every second deed hits one in the middle of its commit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes {
    /// So many share the first lane; the others follow in pairs.
    crowd: usize,
    count: usize,
}

impl Lanes {
    pub(crate) fn new(writers: usize) -> Self {
        let crowd = writers.div_ceil(2);
        Lanes {
            crowd,
            count: 1 + (writers - crowd).div_ceil(2),
        }
    }

    pub(crate) fn of(&self, writer: usize) -> usize {
        match writer.checked_sub(self.crowd) {
            None => 0,
            Some(after) => 1 + after / 2,
        }
    }

    pub(crate) fn all(&self) -> std::ops::Range<usize> {
        0..self.count
    }
}

/// One for all threads of a run.
pub(crate) struct Board {
    pub(crate) lanes: Lanes,
    state: Mutex<State>,
    journal: File,
    started: Instant,
}

#[derive(Default)]
struct State {
    /// The number of operations that were acknowledged in each lane.
    acknowledged: Vec<u64>,
    /// The highest acknowledged revision of each document.
    revisions: Vec<u64>,
    is_over: bool,
}

impl Board {
    pub(crate) fn new(writers: usize, journal: &Path) -> Result<Self> {
        let file = File::create(journal);
        let lanes = Lanes::new(writers);
        let state = State {
            acknowledged: vec![0; lanes.count],
            ..State::default()
        };
        Ok(Self {
            lanes,
            state: Mutex::new(state),
            journal: file.with_context(|| format!("cannot make {}", journal.display()))?,
            started: Instant::now(),
        })
    }

    /// The document to write to at this moment.
    pub(crate) fn document(&self, lane: usize) -> usize {
        let finished = self.acknowledged(lane) / OPERATIONS_PER_DOCUMENT;
        finished as usize * self.lanes.count + lane
    }

    /// Returns the number of operations that were acknowledged in a lane.
    pub(crate) fn acknowledged(&self, lane: usize) -> u64 {
        self.state().acknowledged[lane]
    }

    /// Returns the number of documents that may have been written to.
    pub(crate) fn documents(&self) -> usize {
        let current = self.lanes.all().map(|lane| self.document(lane));
        current.max().map_or(0, |last| last + 1)
    }

    /// The revision of a document that every later read has to show at least.
    pub(crate) fn acknowledged_revision(&self, document: usize) -> u64 {
        self.state().revisions.get(document).copied().unwrap_or(0)
    }

    pub(crate) fn acknowledge(&self, document: usize, revision: u64) {
        let mut state = self.state();
        state.acknowledged[document % self.lanes.count] += 1;
        if state.revisions.len() <= document {
            state.revisions.resize(document + 1, 0);
        }
        let highest = &mut state.revisions[document];
        *highest = revision.max(*highest);
    }

    /// Nothing more is written, or the run has failed.
    pub(crate) fn end(&self) {
        self.state().is_over = true;
    }

    pub(crate) fn is_over(&self) -> bool {
        self.state().is_over
    }

    /// Writes a line to the journal, which is outside the store.
    pub(crate) fn note(&self, line: impl Display) -> Result<()> {
        let seconds = self.started.elapsed().as_secs_f64();
        // One call: lines of several threads do not mix.
        let line = format!("{seconds:9.4} {line}\n");
        (&self.journal)
            .write_all(line.as_bytes())
            .context("cannot write the journal")
    }

    /// Every change of the state is whole, so that a thread's panic leaves it sound.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The feature of a document, which is in its file's name.
pub(crate) fn feature(document: usize) -> String {
    format!("r{document}")
}

#[cfg(test)]
mod tests {
    use super::Lanes;

    #[test]
    fn every_lane_has_a_writer_and_the_first_has_half() {
        for writers in 1..40 {
            let lanes = Lanes::new(writers);
            let mut count = vec![0; lanes.all().len()];
            (0..writers).for_each(|writer| count[lanes.of(writer)] += 1);
            let (last, full) = count.split_last().expect("there is a lane");
            assert!(
                full.iter().all(|writers| *writers >= 1) && *last >= 1,
                "{count:?}"
            );
            assert_eq!(count[0], writers.div_ceil(2));
            assert!(count[1..].iter().all(|writers| *writers <= 2), "{count:?}");
        }
    }
}
