//! What the writers and readers of a run share: how far the documents are, and the journal.

use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};

/// Documents that are written at the same time, each by as many writers. With one alone nearly every
/// kill hits a writer that waits for the others; with more, fewer writers meet.
pub(super) const LANES: usize = 2;

/// Operations in one document, before its writers go on to the next one: a document of a real size,
/// and many first writes of a new one.
const OPERATIONS_PER_DOCUMENT: u64 = 250;

/// One for all threads of a run.
pub(super) struct Board {
    state: Mutex<State>,
    journal: File,
    started: Instant,
}

#[derive(Default)]
struct State {
    /// How many operations were acknowledged in each lane.
    acknowledged: [u64; LANES],
    /// The highest acknowledged revision of each document.
    revisions: Vec<u64>,
    is_over: bool,
}

impl Board {
    pub(super) fn new(journal: &Path) -> Result<Self> {
        let file = File::create(journal);
        Ok(Self {
            state: Mutex::default(),
            journal: file.with_context(|| format!("cannot make {}", journal.display()))?,
            started: Instant::now(),
        })
    }

    /// The document to write to at this moment.
    pub(super) fn document(&self, lane: usize) -> usize {
        let finished = self.state().acknowledged[lane] / OPERATIONS_PER_DOCUMENT;
        finished as usize * LANES + lane
    }

    /// How many documents may have been written to.
    pub(super) fn documents(&self) -> usize {
        let current = (0..LANES).map(|lane| self.document(lane));
        current.max().map_or(0, |last| last + 1)
    }

    /// The revision of a document that every later read has to show at least.
    pub(super) fn acknowledged_revision(&self, document: usize) -> u64 {
        self.state().revisions.get(document).copied().unwrap_or(0)
    }

    pub(super) fn acknowledge(&self, document: usize, revision: u64) {
        let mut state = self.state();
        state.acknowledged[document % LANES] += 1;
        if state.revisions.len() <= document {
            state.revisions.resize(document + 1, 0);
        }
        let highest = &mut state.revisions[document];
        *highest = revision.max(*highest);
    }

    /// Nothing more is written, or the run has failed.
    pub(super) fn end(&self) {
        self.state().is_over = true;
    }

    pub(super) fn is_over(&self) -> bool {
        self.state().is_over
    }

    /// Writes a line to the journal, which lies outside the store.
    pub(super) fn note(&self, line: impl Display) -> Result<()> {
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
pub(super) fn feature(document: usize) -> String {
    format!("r{document}")
}
