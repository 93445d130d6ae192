//! The state of the documents of a folder when they were last read, for readers of all of them.
//!
//! A hint and never the truth: a line counts only for a document that has not been touched since,
//! and without the file everything is read. Every reader of all writes it, without a lock and not
//! durably; a torn one, or one of another version, says nothing and is replaced.
//!
//! A line is kept only of a document that never changes or whose seal held, and whose last change was
//! older than any clock is coarse when it was read: a later change then has another time. So what is
//! broken, edited by hand or just written is read each time.

use std::ops::Range;

use crate::effect::{Access, Io, Links, Sync};
use crate::extent::{IS_WHOLE, WRITES};

use super::location::{SIDE, Stem, Storage, StoreFolder};
use super::read::{Document, MAX_DOCUMENT_BYTES, Origin};

/// The file, in the side folder of all documents: no stem begins with a dot.
pub const OVERVIEW: &str = ".overview";

/// The file before it is whole.
pub const OVERVIEW_NEW: &str = ".overview.new";

/// The number of documents that are read as fast as a survey finds those that changed.
const FEW: usize = 16;

/// The file is written again where more than a few, and more than one document in so many, were
/// read that it could have had a line for.
const SHARE: usize = 100;

/// File systems date to 2 s at worst, and their clocks are a little behind the host's.
const GRAIN_MS: u64 = 3_000;

/// The lines mean something only to the version that wrote them.
const BEGINNING: &str = concat!("overview 1 ", env!("CARGO_PKG_VERSION"), "\n");
const END: &str = "end\n";

/// The lines on the documents of a folder, which are asked for in the order of their files' names,
/// and the lines to write.
#[derive(Debug, Default)]
pub struct Overview {
    /// The ending of the files' names.
    ending: &'static str,
    /// The traces that distinguished each document from any other state of it before any was read;
    /// none where there are few, or where the host has none.
    traces: Vec<String>,
    /// The time of the survey.
    surveyed_ms: u64,
    /// A line for each document, in their order: its stem, its trace, and what is said of it.
    lines: String,
    /// The beginning of the lines that no document was compared with yet.
    next: usize,
    /// The lines that hold, up to those of `run`, which follow each other.
    kept: String,
    run: Range<usize>,
    /// The beginning of the line of the latest document that was asked for, if it holds.
    latest: usize,
    /// The number of lines to write that are not in the file.
    news: usize,
}

impl Overview {
    /// Finds the traces that distinguish each of the documents from other states of it, which are
    /// in files that end so; they are sorted by the names of these, and the side folder of all was
    /// looked at before.
    pub async fn open(io: &Io, folder: &StoreFolder, ending: &'static str, stems: &[Stem]) -> Self {
        let mut overview = Overview {
            ending,
            ..Overview::default()
        };
        // A hint that cannot be kept is not looked for either.
        if !WRITES || stems.len() <= FEW || folder.storage() == Storage::Records {
            return overview;
        }
        // Before the survey: what changes from here on is dated later.
        let Ok(clock) = io.clock().await else {
            return overview;
        };
        let names = stems.iter().map(|stem| overview.file(stem.as_str()));
        let names = names.collect();
        match io.survey(folder.host(""), names).await {
            Ok(traces) if traces.len() == stems.len() => overview.traces = traces,
            _ => return overview,
        }
        overview.surveyed_ms = clock.wall_ms as u64;
        let path = folder.host(&format!("{SIDE}/{OVERVIEW}"));
        let bytes = io.read(path, MAX_DOCUMENT_BYTES, Links::Refuse).await;
        overview.lines = bytes.ok().and_then(lines).unwrap_or_default();
        overview
    }

    /// Returns the line on this document, if it is still in that state.
    pub fn said(&mut self, at: usize, stem: &Stem) -> Option<&str> {
        if !WRITES {
            return None;
        }
        self.latest = self.run.end;
        let trace = self.traces.get(at)?;
        loop {
            let rest = &self.lines[self.next..];
            // The usual line is looked at first.
            let own = after(after(Some(rest), stem.as_str()), trace);
            let end = own.unwrap_or(rest).bytes().position(|byte| byte == b'\n')?;
            if let Some(own) = own {
                let start = self.next;
                self.next += rest.len() - own.len() + end + 1;
                if self.run.end != start {
                    self.kept.push_str(&self.lines[self.run.clone()]);
                    self.run.start = start;
                }
                (self.latest, self.run.end) = (start, self.next);
                return Some(&own[..end]);
            }
            let (name, _) = rest[..end].split_once('\t')?;
            // In the order of the files' names.
            if self.file(name) > self.file(stem.as_str()) {
                return None;
            }
            // It is of a document that is gone, or of another state of this one.
            self.next += end + 1;
        }
    }

    /// Returns whether a line can be written for a document that was read: one that is broken, or
    /// was changed just now, or by a hand, is read each time.
    pub fn can_tell_of(&self, at: usize, document: &Document) -> bool {
        document.origin == Origin::Store && self.is_settled(at)
    }

    /// Returns whether a document was read after the moment that it was changed in: a later change
    /// would then have another time.
    pub fn is_settled(&self, at: usize) -> bool {
        if !WRITES {
            return false;
        }
        let changed = self.traces.get(at).and_then(|trace| trace.split_once(' '));
        let changed = changed.and_then(|(ms, _)| ms.parse::<u64>().ok());
        changed.is_some_and(|ms| ms.saturating_add(GRAIN_MS) <= self.surveyed_ms)
    }

    /// Sets the line of the document that was asked for last. In a build that does not write it has
    /// no effect.
    pub fn note(&mut self, at: usize, stem: &Stem, said: &str) {
        self.news += 1;
        if !IS_WHOLE {
            return;
        }
        // The line there makes no sense.
        self.run.end = self.latest;
        self.kept.push_str(&self.lines[self.run.clone()]);
        self.run = self.next..self.next;
        for part in [stem.as_str(), "\t", &self.traces[at], "\t", said, "\n"] {
            self.kept.push_str(part);
        }
    }

    /// Returns whether writing the known lines saves enough reading.
    pub fn is_due(&self) -> bool {
        WRITES && self.news > FEW + self.traces.len() / SHARE
    }

    fn file(&self, stem: &str) -> String {
        [stem, self.ending].concat()
    }

    /// Writes the known lines. Where they cannot be written, everything is unchanged.
    pub async fn keep(mut self, io: &Io, folder: &StoreFolder) {
        self.kept.push_str(&self.lines[self.run]);
        let bytes = [BEGINNING, &self.kept, END].concat().into_bytes();
        if bytes.len() > MAX_DOCUMENT_BYTES as usize {
            return;
        }
        let path = |name: &str| folder.host(&format!("{SIDE}/{name}"));
        let preparing = path(OVERVIEW_NEW);
        // It is a dead writer's, or else that one's rename fails, or gives this one its name.
        let _ = io.remove(preparing.clone()).await;
        let mut kept = io
            .create(preparing.clone(), bytes, Sync::Lazy, Access::Owner)
            .await;
        if kept.is_ok() {
            kept = io.rename(preparing.clone(), path(OVERVIEW)).await;
        }
        if kept.is_err() {
            let _ = io.remove(preparing).await;
        }
    }
}

/// Returns the rest after a column in a line, where it begins with this one.
fn after<'a>(line: Option<&'a str>, column: &str) -> Option<&'a str> {
    line?.strip_prefix(column)?.strip_prefix('\t')
}

/// The lines of a file that is whole and of this version. Where power was lost, a file may end early,
/// or have zeros in it.
fn lines(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let lines = text.strip_prefix(BEGINNING)?.strip_suffix(END)?;
    (!lines.as_bytes().contains(&0)).then(|| lines.to_owned())
}
