//! One operation, killed at every effect, and every state that a loss of power may leave there.

use std::collections::HashSet;

use milepost::effect::{Effect, MachineStep, Outcome, Sync};
use milepost::error::Error;
use milepost::json;
use milepost::store::NEVER_PRUNED;
use milepost_disk::{Cuts, Disk, Node, PowerLoss};

use crate::Violation;
use crate::calm::Calm;
use crate::content::Stored;
use crate::job::{DOCUMENT, Ended, Job, ROOT, SIDE};
use crate::oracle::{history, left_over, quarantined};
use crate::sabotage::Sabotaged;
use crate::writer;

/// An operation, and what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// A first update, where nothing is.
    First,
    /// An update of revision 3.
    Update,
    /// An update where files have one name only.
    UpdateWithoutLinks,
    /// Completion of revision 3.
    Complete,
    /// Going back from revision 3.
    Undo,
    /// Going forward again to revision 3.
    Redo,
    /// Recovery of a torn document.
    Recover,
    /// Trimming of a history that has two revisions too many.
    Trim,
}

impl Case {
    /// All of them.
    pub const ALL: [Case; 8] = [
        Case::First,
        Case::Update,
        Case::UpdateWithoutLinks,
        Case::Complete,
        Case::Undo,
        Case::Redo,
        Case::Recover,
        Case::Trim,
    ];

    fn job(self) -> Job {
        match self {
            Case::First | Case::Update | Case::UpdateWithoutLinks => Job::Phase(1000),
            Case::Complete => Job::Complete,
            Case::Undo => Job::Undo,
            Case::Redo => Job::Redo,
            Case::Recover => Job::Recover,
            Case::Trim => Job::Trim,
        }
    }

    /// The disk that the operation finds, all of it durable.
    fn disk(self) -> Result<Disk, String> {
        let mut disk = Disk::new();
        if self == Case::UpdateWithoutLinks {
            disk = disk.without_links();
        }
        disk.put_node(ROOT, Node::Folder);
        let updates = match self {
            Case::First => 0,
            Case::Trim => 13,
            _ => 3,
        };
        for number in 0..updates {
            in_peace(&mut disk, Job::Phase(number))?;
        }
        if matches!(self, Case::Update | Case::UpdateWithoutLinks) {
            // As a writer leaves it that dies after its commit and before its copy.
            let history = format!("{SIDE}/history");
            let names = disk.names(&history);
            let newest = names.iter().find(|name| name.starts_with("3-"));
            let newest = newest.ok_or("revision 3 has no copy")?;
            disk.remove(&format!("{history}/{newest}"));
        }
        if self == Case::Redo {
            in_peace(&mut disk, Job::Undo)?;
        }
        if self == Case::Recover {
            disk.put(DOCUMENT, "{\"torn\":");
        }
        disk.settle();
        Ok(disk)
    }
}

/// The amount that was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Effects of the operation.
    pub effects: usize,
    /// States that a death of the process left.
    pub deaths: usize,
    /// States that a loss of power left.
    pub losses: usize,
}

/// Runs a case up to every point, with files cut where `cuts` says.
///
/// # Errors
///
/// The first violation.
pub fn look(case: Case, cuts: Cuts) -> Result<Looked, Violation> {
    let violation = |what| Violation {
        origin: format!("{case:?}"),
        what,
    };
    let disk = case.disk().map_err(violation)?;
    let mut points = Points {
        case,
        cuts,
        before: disk.bytes(DOCUMENT).map(<[u8]>::to_vec),
        kept: newest_in_history(&disk),
        after: None,
        is_acknowledged: false,
        moment: None,
        known: HashSet::new(),
        looked: Looked::default(),
    };
    points.all(disk).map_err(violation)?;
    Ok(points.looked)
}

struct Points {
    case: Case,
    cuts: Cuts,
    before: Option<Vec<u8>>,
    /// The newest revisions in history, which nothing ever removes.
    kept: Vec<Vec<u8>>,
    /// The document that the operation committed, once it has.
    after: Option<Vec<u8>>,
    is_acknowledged: bool,
    /// The last loss of power.
    moment: Option<((usize, usize), bool)>,
    /// States that were looked at, by what was to be expected of them.
    known: HashSet<(u64, bool, bool, Option<PowerLoss>)>,
    looked: Looked,
}

impl Points {
    fn all(&mut self, mut disk: Disk) -> Result<(), String> {
        let mut calm = Calm::new(1);
        let mut machine = self.case.job().start(Sync::Durable);
        loop {
            self.losses(&disk)?;
            let effect = match machine.step().map_err(|misuse| format!("{misuse:?}"))? {
                MachineStep::Effect(effect) => effect,
                MachineStep::Done(result) => {
                    result.map_err(|error| format!("it failed: {error}"))?;
                    if self.after.is_none() && self.case != Case::Trim {
                        return Err("it is acknowledged, and wrote nothing".to_owned());
                    }
                    self.is_acknowledged = true;
                    return self.losses(&disk);
                }
            };
            self.at(self.looked.effects, |points| points.deaths(&disk, &effect))?;
            let outcome = calm.perform(&mut disk, &effect);
            let bytes = disk.bytes(DOCUMENT);
            if bytes != self.before.as_deref() {
                self.after = bytes.map(<[u8]>::to_vec);
            }
            self.looked.effects += 1;
            resume(&mut machine, outcome)?;
        }
    }

    fn at(
        &mut self,
        effect: usize,
        look: impl FnOnce(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        look(self).map_err(|what| format!("effect {effect}: {what}"))
    }

    /// The process dies before an effect, or in the middle of writing a file.
    fn deaths(&mut self, disk: &Disk, effect: &Effect) -> Result<(), String> {
        self.check(disk.clone(), None)?;
        if let Effect::Create { path, bytes, .. } = effect {
            for length in self.cuts.lengths(0..bytes.len() + 1) {
                let mut torn = disk.clone();
                torn.create_in_part(path, bytes, length);
                if length == bytes.len() {
                    // Any beginning of it may be left.
                    self.losses(&torn)?;
                }
                self.check(torn, None)?;
            }
        }
        Ok(())
    }

    /// The power goes.
    fn losses(&mut self, disk: &Disk) -> Result<(), String> {
        let Some(journal) = disk.journal() else {
            return Ok(());
        };
        let moment = (journal.moment(), self.is_acknowledged);
        if self.moment.replace(moment) == Some(moment) {
            return Ok(());
        }
        for kept in [PowerLoss::Any, PowerLoss::InOrder] {
            let mut result = Ok(());
            journal.every_loss(kept, self.cuts, &mut |nodes| {
                if result.is_ok() {
                    result = self.check(Disk::after(nodes, disk), Some(kept));
                }
            });
            result.map_err(|what| format!("names came back {kept:?}: {what}"))?;
        }
        Ok(())
    }

    /// Checks that the document left is that from before or from after, and that it takes a further update.
    fn check(&mut self, disk: Disk, lost_power: Option<PowerLoss>) -> Result<(), String> {
        let expectation = (self.after.is_some(), self.is_acknowledged);
        let state = (disk.digest(), expectation.0, expectation.1, lost_power);
        if !self.known.insert(state) {
            return Ok(());
        }
        match lost_power {
            None => self.looked.deaths += 1,
            Some(_) => self.looked.losses += 1,
        }
        let left = disk.bytes(DOCUMENT);
        let is_new = left.is_some() && left == self.after.as_deref();
        if !is_new && left != self.before.as_deref() {
            return Err("the document is neither the former one nor the new one".to_owned());
        }
        if self.is_acknowledged && self.after.is_some() && !is_new {
            return Err("what was acknowledged is lost".to_owned());
        }
        if is_new {
            self.check_replaced(&disk, lost_power)?;
        }
        if let Some(revision) = self
            .kept
            .iter()
            .find(|it| !history(&disk).any(|kept| kept == **it))
        {
            let revision = Stored::read(revision).map_or(0, |it| it.revision);
            return Err(format!("revision {revision} is not in history any more"));
        }
        self.take_up(disk)
    }

    /// Checks that the replaced document is in history, or in quarantine. Where names come back in any order, only
    /// quarantine is promised: its folder is synced.
    fn check_replaced(&self, disk: &Disk, lost_power: Option<PowerLoss>) -> Result<(), String> {
        let Some(before) = &self.before else {
            return Ok(());
        };
        if self.case == Case::Recover {
            return quarantined(disk, before);
        }
        let is_kept = history(disk).any(|bytes| bytes == before);
        match is_kept || lost_power == Some(PowerLoss::Any) {
            true => Ok(()),
            false => Err("the replaced revision is not in history".to_owned()),
        }
    }

    /// The next process goes on, and loses nothing of what it found.
    fn take_up(&self, mut disk: Disk) -> Result<(), String> {
        let is_torn = |bytes: &[u8]| json::read(bytes).is_err();
        if disk.bytes(DOCUMENT).is_some_and(is_torn) {
            in_peace(&mut disk, Job::Recover)?;
        }
        let found = disk.bytes(DOCUMENT).map(<[u8]>::to_vec);
        writer::add_in_peace(0, &mut disk)
            .map_err(|error| format!("the next update failed: {error}"))?;
        left_over(&disk)?;
        let (Some(found), Some(left)) = (found, disk.bytes(DOCUMENT)) else {
            return Ok(());
        };
        let (before, after) = (Stored::read(&found), Stored::read(left));
        let (Some(before), Some(after)) = (before, after) else {
            return Err("the next update left no document".to_owned());
        };
        if after.content != before.content || after.revision <= before.revision {
            return Err(format!(
                "the next update made revision {} with {} of {} with {}",
                after.revision, after.content, before.revision, before.content
            ));
        }
        match history(&disk).any(|kept| kept == found) {
            true => Ok(()),
            false => Err("what the next update replaced is not in history".to_owned()),
        }
    }
}

/// As many as are never trimmed, and the copy of the present one.
fn newest_in_history(disk: &Disk) -> Vec<Vec<u8>> {
    let mut kept: Vec<&[u8]> = history(disk).collect();
    kept.sort_by_key(|bytes| Stored::read(bytes).map(|it| it.revision));
    let surplus = kept.len().saturating_sub(NEVER_PRUNED + 1);
    kept.split_off(surplus)
        .into_iter()
        .map(<[u8]>::to_vec)
        .collect()
}

fn in_peace(disk: &mut Disk, job: Job) -> Result<(), String> {
    let mut calm = Calm::new(2);
    let mut machine = job.start(Sync::Durable);
    loop {
        match machine.step().map_err(|misuse| format!("{misuse:?}"))? {
            MachineStep::Effect(effect) => resume(&mut machine, calm.perform(disk, &effect))?,
            MachineStep::Done(Ok(_)) => return Ok(()),
            MachineStep::Done(Err(error)) => {
                return Err(format!("{job:?} in peace failed: {error}"));
            }
        }
    }
}

fn resume(machine: &mut Sabotaged<Result<Ended, Error>>, outcome: Outcome) -> Result<(), String> {
    machine
        .resume(outcome)
        .map_err(|misuse| format!("{misuse:?}"))
}
