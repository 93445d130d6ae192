//! What must hold: the promise of the store, watched from outside.
//!
//! The oracle sees every change of the document in the moment that it happens, and every answer. It
//! knows nothing of tokens or locks.

use std::collections::BTreeSet;

use milepost::error::{Code, Error};
use milepost::json::{self, Json, Object};
use milepost::store::NEVER_TRIMMED;

use crate::job::{DOCUMENT, Ended, Job, SIDE, phase};
use milepost_disk::{Disk, Kept};

/// One state of the document that a job committed.
#[derive(Clone, Debug)]
struct Commit {
    /// Which try of which job: no two are the same.
    by: u32,
    bytes: Vec<u8>,
    revision: u64,
    phases: BTreeSet<String>,
}

/// Watches one run.
#[derive(Debug, Default)]
pub struct Oracle {
    /// What led to the present document, one after the other.
    line: Vec<Commit>,
    /// How many of these were acknowledged as durable, or lie before one that was.
    acknowledged: usize,
    /// The highest revision that anybody read since the power was lost.
    seen: u64,
    /// What power losses did to the order of names, the worst of them.
    lost_power: Option<Kept>,
    /// Whether another program touched the document.
    is_tampered: bool,
    /// Whether an effect failed.
    had_trouble: bool,
}

/// A job that is under way, as the oracle sees it.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    /// Which try of which job.
    pub by: u32,
    /// What it does.
    pub job: Job,
    /// The highest revision that was acknowledged or read when it began.
    floor: u64,
}

impl Oracle {
    /// A job begins.
    pub fn begins(&self, by: u32, job: Job) -> Watched {
        Watched {
            by,
            job,
            floor: self.floor().max(self.seen),
        }
    }

    fn floor(&self) -> u64 {
        let acknowledged = self.line[..self.acknowledged].last();
        acknowledged.map_or(0, |commit| commit.revision)
    }

    /// Another program touches the document.
    pub fn tampered(&mut self) {
        self.is_tampered = true;
    }

    /// An effect fails.
    pub fn troubled(&mut self) {
        self.had_trouble = true;
    }

    /// The document changed from `before` to what the disk has, by an effect of a job.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn changed(
        &mut self,
        before: Option<&[u8]>,
        disk: &Disk,
        watched: Watched,
    ) -> Result<(), String> {
        let Watched { by, job, .. } = watched;
        let after = disk.bytes(DOCUMENT).ok_or("the document was removed")?;
        let (revision, phases) = read(after).ok_or("a commit is not a whole document")?;
        if self.line.iter().any(|commit| commit.by == by) {
            return Err(format!("{job:?} is applied twice"));
        }
        let there = before.map(read);
        if let Some(Some((former, _))) = &there
            && revision <= *former
        {
            return Err(format!("revision {former} was followed by {revision}"));
        }
        let expected = match (job, there) {
            (Job::Recover, Some(Some(_))) => return Err("a sound document was recovered".into()),
            (Job::Recover, there) => {
                if let (Some(None), Some(torn)) = (there, before) {
                    quarantined(disk, torn)?;
                }
                self.restorable(&phases)?
            }
            (_, Some(None)) => return Err(format!("{job:?} wrote over a corrupt document")),
            (Job::Undo, _) => self.restorable(&phases)?,
            (Job::Phase(number), Some(Some((_, there)))) => {
                there.into_iter().chain([phase(number)]).collect()
            }
            (Job::Complete, Some(Some((_, there)))) => there,
            (Job::Replace(number), _) | (Job::Phase(number), None) => {
                BTreeSet::from([phase(number)])
            }
            (Job::Complete, None) => return Err("nothing was completed".to_owned()),
            (Job::Read | Job::Trim, _) => return Err(format!("{job:?} changed the document")),
        };
        if phases != expected {
            return Err(format!(
                "{job:?} made {phases:?}, expected {expected:?}: another change is lost"
            ));
        }
        self.line.push(Commit {
            by,
            bytes: after.to_vec(),
            revision,
            phases,
        });
        Ok(())
    }

    /// What was brought back, where somebody committed it.
    fn restorable(&self, phases: &BTreeSet<String>) -> Result<BTreeSet<String>, String> {
        // A hand may have written what is brought back.
        match self.is_tampered || self.line.iter().any(|commit| commit.phases == *phases) {
            true => Ok(phases.clone()),
            false => Err(format!("{phases:?} was brought back, and never there")),
        }
    }

    /// A job ended.
    ///
    /// # Errors
    ///
    /// What is wrong with its answer.
    pub fn ended(
        &mut self,
        watched: Watched,
        result: &Result<Ended, Error>,
        had_trouble: bool,
    ) -> Result<(), String> {
        let Watched { by, job, floor } = watched;
        let own = self.line.iter().position(|commit| commit.by == by);
        match result {
            Ok(Ended::Acknowledged {
                revision,
                changed,
                restored,
            }) => {
                let stored =
                    |revision: u64| self.line.iter().position(|it| it.revision == revision);
                let position = match changed {
                    true => own.filter(|at| self.line[*at].revision == *revision),
                    false => stored(*revision),
                };
                let Some(position) = position else {
                    // What a hand wrote was found to be as it should be.
                    return match !changed && self.is_tampered {
                        true => Ok(()),
                        false => Err(format!("{job:?} is acknowledged and not there")),
                    };
                };
                if let Some(from) = restored.and_then(stored)
                    && self.lost_power.is_none()
                    && self.line[from].phases != self.line[position].phases
                {
                    return Err(format!("{job:?} did not bring back what it says"));
                }
                self.acknowledged = self.acknowledged.max(position + 1);
                Ok(())
            }
            Ok(Ended::Trimmed) => Ok(()),
            Ok(Ended::Read(None)) if floor == 0 || self.is_tampered => Ok(()),
            Ok(Ended::Read(None)) => Err(format!("a reader found nothing after revision {floor}")),
            Ok(Ended::Read(Some((revision, _)))) if *revision < floor => {
                Err(format!("a reader found revision {revision} after {floor}"))
            }
            Ok(Ended::Read(Some((revision, text)))) => {
                self.seen = self.seen.max(*revision);
                let is_known = self.line.iter().any(|it| it.bytes == text.as_bytes());
                match is_known || self.lost_power.is_some() || self.is_tampered {
                    true => Ok(()),
                    false => Err("a reader found a document that nobody wrote".to_owned()),
                }
            }
            Err(error) => self.failed(job, error, own.is_some(), had_trouble),
        }
    }

    fn failed(
        &self,
        job: Job,
        error: &Error,
        committed: bool,
        had_trouble: bool,
    ) -> Result<(), String> {
        let text = error.to_string();
        let expected = match error.code() {
            Code::Io => had_trouble,
            Code::Busy => !matches!(job, Job::Read | Job::Trim),
            Code::NotFound => {
                matches!(job, Job::Complete | Job::Undo | Job::Recover | Job::Trim)
            }
            Code::Conflict => job == Job::Undo,
            Code::Corrupt => self.is_tampered,
            _ => false,
        };
        if !expected {
            return Err(format!("{job:?} failed: {text}"));
        }
        let says_so = error.code() == Code::Io && text.contains("unknown");
        match committed && !says_so {
            true => Err(format!("{job:?} is there, and was refused: {text}")),
            false => Ok(()),
        }
    }

    /// The power came back.
    ///
    /// # Errors
    ///
    /// What is lost.
    pub fn power_lost(&mut self, disk: &Disk, kept: Kept) -> Result<(), String> {
        if self.lost_power != Some(Kept::Any) {
            self.lost_power = Some(kept);
        }
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
        Ok(())
    }

    /// The run is over, and one update came after it in peace.
    ///
    /// # Errors
    ///
    /// What is lost, or left over.
    pub fn over(&self, disk: &Disk) -> Result<(), String> {
        left_over(disk)?;
        let stored = disk.bytes(DOCUMENT).ok_or("there is no document")?;
        let (newest, replaced) = self.line.split_last().ok_or("nothing was committed")?;
        if newest.bytes != stored {
            return Err("the document is not what was committed last".to_owned());
        }
        // Where names come back in any order, history may lack what the document has replaced.
        // A hand may have taken what no copy was kept of.
        if self.lost_power == Some(Kept::Any) || self.is_tampered {
            return Ok(());
        }
        let history: Vec<&[u8]> = history(disk).collect();
        // No fewer are ever kept.
        let newest = replaced.len().saturating_sub(NEVER_TRIMMED);
        let acknowledged = replaced.iter().take(self.acknowledged).skip(newest);
        match acknowledged
            .rev()
            .take(50)
            .find(|it| !history.contains(&&*it.bytes))
        {
            Some(lost) => Err(format!(
                "revision {} was replaced, and is not in history",
                lost.revision
            )),
            None => Ok(()),
        }
    }
}

/// The revisions that the store kept. A link that a writer died with is none yet: its name is not
/// theirs.
pub fn history(disk: &Disk) -> impl Iterator<Item = &[u8]> {
    let folder = format!("{SIDE}/history/");
    disk.files()
        .filter(move |(path, _)| path.starts_with(&folder) && path.ends_with(".json"))
        .map(|(_, bytes)| bytes)
}

/// Whether a copy of corrupt bytes was kept.
///
/// # Errors
///
/// That there is none.
pub fn quarantined(disk: &Disk, torn: &[u8]) -> Result<(), String> {
    let folder = format!("{SIDE}/quarantine/");
    let mut files = disk.files();
    match files.any(|(path, bytes)| path.starts_with(&folder) && bytes == torn) {
        true => Ok(()),
        false => Err("a corrupt document was replaced, and no copy kept".to_owned()),
    }
}

/// Whether a token or lock is left.
///
/// # Errors
///
/// Which.
pub fn left_over(disk: &Disk) -> Result<(), String> {
    let tokens = format!("{SIDE}/tokens/");
    let lock = format!("{SIDE}/lock");
    let mut files = disk.files().map(|(path, _)| path);
    let is_token = |path: &&str| path.starts_with(&tokens) && !path.ends_with(".new");
    match files.find(|path| is_token(path) || *path == lock) {
        Some(path) => Err(format!("{path} is left over")),
        None => Ok(()),
    }
}

fn read(bytes: &[u8]) -> Option<(u64, BTreeSet<String>)> {
    let Json::Object(object) = json::read(bytes).ok()?.value else {
        return None;
    };
    let phases = object.get("phases").and_then(Json::as_object);
    let phases = phases.into_iter().flat_map(Object::iter);
    Some((
        object.get("revision")?.as_u64()?,
        phases.map(|(name, _)| name.to_owned()).collect(),
    ))
}
