//! The oracle of what must hold: the promise of the store, watched from outside.
//!
//! The oracle sees every change of the document in the moment that it happens, and every answer. It
//! knows nothing of tokens or locks.

use std::fmt;

use milepost::error::{Code, Error, Written};
use milepost::store::{KEPT_REVISIONS, NEVER_PRUNED};

use crate::content::{Content, Stored, is_heartbeat};
use crate::job::{DOCUMENT, Ended, Job, SIDE};
use milepost_disk::{Disk, PowerLoss};

/// One state of the document.
#[derive(Clone, Debug)]
struct Commit {
    /// The number of a try of a job: no two are the same. `None` for a hand.
    by: Option<u32>,
    bytes: Vec<u8>,
    stored: Stored,
    /// True if history may lack it: a hand replaced it before its writer kept a copy, or a loss of
    /// power left names in any order.
    may_be_missing: bool,
    /// True if there was no document before it that could be read.
    is_first: bool,
    /// True if it only renewed the time.
    is_heartbeat: bool,
}

/// The state of the document's place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DocumentState {
    /// The last commit's document, or nothing where there was no commit.
    #[default]
    Committed,
    /// The document that a hand made of it, and that can be read.
    Edited,
    Torn,
    Removed,
}

/// Watches one run.
#[derive(Debug, Default)]
pub(crate) struct Oracle {
    /// The commits that led to the present document, one after the other.
    line: Vec<Commit>,
    /// The number of these that were acknowledged as durable, or are before one that was.
    acknowledged: usize,
    /// The highest revision that anybody read since the power was lost.
    seen: u64,
    state: DocumentState,
    /// True if names came back in any order from a loss of power.
    lost_names: bool,
    /// True if a job asked for fewer revisions than are kept by default.
    was_trimmed: bool,
}

/// A job in progress, as the oracle sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched {
    /// The number of a try of a job.
    pub(crate) by: u32,
    /// The job of it.
    pub(crate) job: Job,
    /// The highest revision that was acknowledged or read when it began.
    floor: u64,
    /// The number of states that were acknowledged, and how many there were.
    acknowledged: usize,
    states: usize,
    /// The state that it found. Hands are at work only where no job is.
    found: DocumentState,
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {:?}", self.by, self.job)
    }
}

impl Oracle {
    /// A job begins.
    pub(crate) fn begins(&mut self, by: u32, job: Job) -> Watched {
        self.was_trimmed |= job == Job::Trim;
        Watched {
            by,
            job,
            floor: self.floor().max(self.seen),
            acknowledged: self.acknowledged,
            states: self.line.len(),
            found: self.state,
        }
    }

    fn floor(&self) -> u64 {
        let acknowledged = self.line[..self.acknowledged].last();
        acknowledged.map_or(0, |commit| commit.stored.revision)
    }

    /// Another program made this of the document.
    pub(crate) fn tampered(&mut self, disk: &Disk) {
        if let Some(last) = self.line.last_mut() {
            last.may_be_missing = true;
        }
        self.state = match disk.bytes(DOCUMENT) {
            None => DocumentState::Removed,
            Some(bytes) => match Stored::read(bytes) {
                None => DocumentState::Torn,
                Some(stored) => {
                    self.line.push(Commit {
                        by: None,
                        bytes: bytes.to_vec(),
                        stored,
                        may_be_missing: false,
                        is_first: false,
                        is_heartbeat: false,
                    });
                    DocumentState::Edited
                }
            },
        };
    }

    /// The document changed from `before` to what the disk has, by an effect of a job.
    ///
    /// # Errors
    ///
    /// The fault of it.
    pub(crate) fn changed(
        &mut self,
        before: Option<&[u8]>,
        disk: &Disk,
        watched: Watched,
    ) -> Result<(), String> {
        let Watched { by, job, .. } = watched;
        let after = disk.bytes(DOCUMENT).ok_or("the document was removed")?;
        let stored = Stored::read(after).ok_or("a commit is not a whole document")?;
        if self.line.iter().any(|commit| commit.by == Some(by)) {
            return Err(format!("{job:?} is applied twice"));
        }
        let former = self.line.iter().map(|commit| commit.stored.revision).max();
        if let Some(former) = former
            && stored.revision <= former
            && !self.left_no_trace(disk)
        {
            return Err(format!(
                "revision {former} was followed by {}",
                stored.revision
            ));
        }
        let there = before.map(Stored::read);
        let is_first = matches!(there, None | Some(None));
        let expected = match (job, there) {
            (Job::Recover, Some(Some(_))) => return Err("a sound document was recovered".into()),
            (Job::Recover, there) => {
                if let (Some(None), Some(torn)) = (there, before) {
                    quarantined(disk, torn)?;
                }
                self.restorable(&stored.content)?
            }
            (_, Some(None)) => return Err(format!("{job:?} wrote over a corrupt document")),
            (Job::Undo | Job::Redo, _) => self.restorable(&stored.content)?,
            (Job::Phase(number) | Job::Heartbeat(number), Some(Some(there))) => {
                there.content.with(number)
            }
            (Job::Complete, Some(Some(there))) => there.content,
            (Job::Replace(number), _) | (Job::Phase(number) | Job::Heartbeat(number), None) => {
                Content::default().with(number)
            }
            (Job::Complete, None) => return Err("nothing was completed".to_owned()),
            (Job::Read | Job::Trim, _) => return Err(format!("{job:?} changed the document")),
        };
        if stored.content != expected {
            return Err(format!(
                "{job:?} made {}, expected {expected}: another change is lost",
                stored.content
            ));
        }
        self.state = DocumentState::Committed;
        self.line.push(Commit {
            by: Some(by),
            bytes: after.to_vec(),
            stored,
            may_be_missing: false,
            is_first,
            is_heartbeat: before.is_some_and(|before| is_heartbeat(before, after)),
        });
        Ok(())
    }

    /// Returns whether a hand took the newest state before a copy of it was kept, and the one before it as
    /// well: then its number is not to be known.
    fn left_no_trace(&self, disk: &Disk) -> bool {
        let is_lost = matches!(self.state, DocumentState::Torn | DocumentState::Removed);
        let newest = self.line.last();
        is_lost
            && newest.is_some_and(|it| it.is_first && !history(disk).any(|kept| kept == it.bytes))
    }

    /// The content that was brought back, where it was there before.
    fn restorable(&self, content: &Content) -> Result<Content, String> {
        let mut line = self.line.iter();
        match line.any(|commit| commit.stored.content == *content) {
            true => Ok(content.clone()),
            false => Err(format!("{content} was brought back, and never there")),
        }
    }

    /// A job ended.
    ///
    /// # Errors
    ///
    /// The fault of its answer.
    pub(crate) fn ended(
        &mut self,
        watched: Watched,
        result: &Result<Ended, Error>,
        had_trouble: bool,
        disk: &Disk,
    ) -> Result<(), String> {
        let Watched { by, job, floor, .. } = watched;
        let own = self.line.iter().position(|commit| commit.by == Some(by));
        match result {
            Ok(Ended::Acknowledged {
                revision,
                changed,
                restored,
            }) => {
                let position = match changed {
                    true => own.filter(|at| self.line[*at].stored.revision == *revision),
                    false => self.completed(job, *revision),
                };
                let position =
                    position.ok_or_else(|| format!("{job:?} is acknowledged and not there"))?;
                if let Some(restored) = restored {
                    self.brought_back(*restored, position)?;
                }
                self.acknowledged = self.acknowledged.max(position + 1);
                Ok(())
            }
            Ok(Ended::Trimmed) => Ok(()),
            Ok(Ended::Read(None)) if floor == 0 || watched.found == DocumentState::Removed => {
                Ok(())
            }
            Ok(Ended::Read(None)) => Err(format!("a reader found nothing after revision {floor}")),
            Ok(Ended::Read(Some((revision, _)))) if *revision < floor => {
                Err(format!("a reader found revision {revision} after {floor}"))
            }
            Ok(Ended::Read(Some((revision, text)))) => {
                self.seen = self.seen.max(*revision);
                let is_known = self.line.iter().any(|it| it.bytes == text.as_bytes());
                // A document that a hand made is shown under the revision that it is adopted as.
                match is_known || watched.found == DocumentState::Edited {
                    true => Ok(()),
                    false => Err("a reader found a document that no writer wrote".to_owned()),
                }
            }
            Err(error) => self.failed(watched, error, own.is_some(), had_trouble, disk),
        }
    }

    /// The state in which a completion found nothing to do. Nothing else ever finds that.
    fn completed(&self, job: Job, revision: u64) -> Option<usize> {
        let is_such = |commit: &Commit| {
            let is_it = commit.stored.revision == revision || commit.by.is_none();
            commit.stored.is_complete && is_it
        };
        match job {
            Job::Complete => self.line.iter().rposition(is_such),
            _ => None,
        }
    }

    /// Checks that the state at a position has the content of the revision that it says. What a hand
    /// made is adopted under a revision of its own.
    fn brought_back(&self, revision: u64, position: usize) -> Result<(), String> {
        let content = &self.line[position].stored.content;
        let mut same = self.line.iter().filter(|it| it.stored.revision == revision);
        let is_known = same.clone().next().is_some();
        match !is_known || same.any(|it| it.stored.content == *content) {
            true => Ok(()),
            false => Err(format!("what was brought back is not revision {revision}")),
        }
    }

    fn failed(
        &self,
        watched: Watched,
        error: &Error,
        committed: bool,
        had_trouble: bool,
        disk: &Disk,
    ) -> Result<(), String> {
        let job = watched.job;
        let text = error.to_string();
        let expected = match error.code() {
            Code::Io => had_trouble,
            Code::Busy => !matches!(job, Job::Read | Job::Trim),
            Code::NotFound => had_trouble || self.may_find_nothing(watched, disk),
            Code::Conflict => matches!(job, Job::Undo | Job::Redo),
            Code::Corrupt => watched.found == DocumentState::Torn,
            _ => false,
        };
        if !expected {
            return Err(format!("{job:?} failed: {text}"));
        }
        match (error.written(), committed) {
            (Written::No, true) => Err(format!("{job:?} is there, and was refused: {text}")),
            (Written::Yes, false) => Err(format!("{job:?} is not there, and said it is: {text}")),
            _ => Ok(()),
        }
    }

    fn may_find_nothing(&self, watched: Watched, disk: &Disk) -> bool {
        let is_absent = watched.floor == 0 || watched.found == DocumentState::Removed;
        match watched.job {
            Job::Complete | Job::Trim => is_absent,
            Job::Undo => {
                // Before the first change there is nothing to go back to, and the last undo may have
                // gone back to that.
                let acknowledged = self.line[..watched.acknowledged.min(self.line.len())].iter();
                let changes = acknowledged.filter(|it| !it.is_heartbeat);
                let is_undone = self.line.iter().any(|it| it.stored.is_restored);
                // A hand that writes in place writes into the copy as well, and one that removes the
                // document may have removed what no copy could be made of.
                let is_alone = !self.has_earlier(disk);
                is_absent || changes.count() < 2 || self.lost_names || is_undone || is_alone
            }
            // Nothing may have been undone, or all of it redone.
            Job::Redo => true,
            Job::Recover => {
                let was_lost =
                    matches!(watched.found, DocumentState::Torn | DocumentState::Removed);
                !was_lost || self.line.len() > watched.states || !self.is_recoverable(disk)
            }
            _ => false,
        }
    }

    /// Returns whether history has a state that was there before the newest change.
    fn has_earlier(&self, disk: &Disk) -> bool {
        let newest = self.line.iter().rposition(|commit| !commit.is_heartbeat);
        let before = &self.line[..newest.unwrap_or(0)];
        history(disk).any(|bytes| before.iter().any(|commit| commit.bytes == bytes))
    }

    /// Returns whether history has a state that was there.
    pub(crate) fn is_recoverable(&self, disk: &Disk) -> bool {
        let mut kept = history(disk);
        kept.any(|bytes| self.line.iter().any(|commit| commit.bytes == bytes))
    }

    /// The power came back.
    ///
    /// # Errors
    ///
    /// The loss.
    pub(crate) fn power_lost(&mut self, disk: &Disk, kept: PowerLoss) -> Result<(), String> {
        let position = match disk.bytes(DOCUMENT) {
            None => 0,
            Some(bytes) => {
                let known = self.line.iter().rposition(|commit| commit.bytes == bytes);
                known.ok_or("the power loss left a torn document")? + 1
            }
        };
        if position < self.acknowledged {
            return Err(format!(
                "revision {} is acknowledged, and the power loss took it",
                self.floor()
            ));
        }
        self.line.truncate(position);
        self.seen = 0;
        if kept == PowerLoss::Any {
            self.lost_names = true;
            for commit in &mut self.line {
                commit.may_be_missing = true;
            }
        }
        Ok(())
    }

    /// Checks that each entry of history says by its name what it is.
    fn check_marks(&self, disk: &Disk) -> Result<(), String> {
        for (path, bytes) in entries(disk) {
            let mut line = self.line.iter();
            let Some(commit) = line.find(|commit| commit.bytes == bytes) else {
                continue;
            };
            if path.ends_with(".heartbeat.json") != commit.is_heartbeat {
                let revision = commit.stored.revision;
                return Err(format!("revision {revision} is kept under the wrong mark"));
            }
        }
        Ok(())
    }

    /// The run is over, and one update came after it in peace.
    ///
    /// # Errors
    ///
    /// The loss, or the file that is left over.
    pub(crate) fn over(&self, disk: &Disk) -> Result<(), String> {
        left_over(disk)?;
        let stored = disk.bytes(DOCUMENT).ok_or("there is no document")?;
        let (newest, replaced) = self.line.split_last().ok_or("nothing was committed")?;
        if newest.bytes != stored {
            return Err("the document is not what was committed last".to_owned());
        }
        self.check_marks(disk)?;
        let history: Vec<&[u8]> = history(disk).collect();
        let kept = match self.was_trimmed {
            true => NEVER_PRUNED,
            false => KEPT_REVISIONS,
        };
        // The newest of any kind, and the newest changes.
        let newest = replaced.len().saturating_sub(kept);
        let changes = replaced.iter().rev().filter(|it| !it.is_heartbeat);
        let changes: Vec<u32> = changes.take(kept).filter_map(|it| it.by).collect();
        let acknowledged = replaced.iter().take(self.acknowledged).enumerate();
        let mut kept = acknowledged
            .filter(|(at, it)| *at >= newest || it.by.is_some_and(|by| changes.contains(&by)))
            .map(|(_, it)| it);
        match kept.find(|it| !it.may_be_missing && !history.contains(&&*it.bytes)) {
            Some(lost) => Err(format!(
                "revision {} was replaced, and is not in history",
                lost.stored.revision
            )),
            None => Ok(()),
        }
    }
}

/// The revisions that the store kept, without their names. A link that a writer died with does not count yet: its name
/// is not theirs.
pub(crate) fn history(disk: &Disk) -> impl Iterator<Item = &[u8]> {
    entries(disk).map(|(_, bytes)| bytes)
}

fn entries(disk: &Disk) -> impl Iterator<Item = (&str, &[u8])> {
    let folder = format!("{SIDE}/history/");
    disk.files()
        .filter(move |(path, _)| path.starts_with(&folder) && path.ends_with(".json"))
}

/// Checks that a copy of corrupt bytes was kept.
///
/// # Errors
///
/// The missing copy.
pub(crate) fn quarantined(disk: &Disk, torn: &[u8]) -> Result<(), String> {
    let folder = format!("{SIDE}/quarantine/");
    let mut files = disk.files();
    match files.any(|(path, bytes)| path.starts_with(&folder) && bytes == torn) {
        true => Ok(()),
        false => Err("a corrupt document was replaced, and no copy kept".to_owned()),
    }
}

/// Checks that nothing is left that a writer was preparing.
///
/// # Errors
///
/// The file that is left.
pub(crate) fn unfinished(disk: &Disk) -> Result<(), String> {
    let side = format!("{SIDE}/");
    let is_left =
        |path: &&str| path.starts_with(&side) && (path.ends_with(".new") || path.ends_with(".tmp"));
    match disk.files().map(|(path, _)| path).find(is_left) {
        Some(path) => Err(format!("{path} is left over")),
        None => left_over(disk),
    }
}

/// Checks that no token or lock is left.
///
/// # Errors
///
/// The file that is left.
pub(crate) fn left_over(disk: &Disk) -> Result<(), String> {
    let tokens = format!("{SIDE}/tokens/");
    let lock = format!("{SIDE}/lock");
    let mut files = disk.files().map(|(path, _)| path);
    let is_token = |path: &&str| path.starts_with(&tokens) && !path.ends_with(".new");
    match files.find(|path| is_token(path) || *path == lock) {
        Some(path) => Err(format!("{path} is left over")),
        None => Ok(()),
    }
}
