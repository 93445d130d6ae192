//! One rename, killed at every effect, and every state that a loss of power may leave there.

use std::collections::{BTreeSet, HashSet};

use milepost::effect::{Effect, Machine, MachineStep, Sync};
use milepost::error::Error;
use milepost_disk::{Cuts, Disk, Node, PowerLoss};

use super::{Answer, Peace, Task, document};
use crate::Violation;
use crate::calm::Calm;
use crate::job::{ROOT, phase};
use crate::points::Looked;

/// Revisions that the checkpoint has before.
const REVISIONS: u32 = 3;
/// At each moment, for each way in which names come back. All of them are too many to walk: a rename
/// leaves several files unsynced beside each other, each of which may be cut at any byte.
const LOSSES: usize = 100;
/// The number of losses where another process finishes a rename: there are as many renames to finish as effects.
const LOSSES_WHERE_FINISHED: usize = 10;
/// Where files are cut at a few places, one in so many.
const OF_FEW: usize = 10;
const UNDER_FORMER: u32 = 100;
const UNDER_NEW: u32 = 200;

/// Runs a rename up to every point, with files cut where `cuts` says.
///
/// # Errors
///
/// The first violation.
pub fn look(cuts: Cuts) -> Result<Looked, Violation> {
    Points::new(cuts)
        .and_then(|mut points| {
            let mut disk = points.start.clone();
            points.looked.effects = points.run(TASK, &mut disk, Looking::Closely)?.len();
            Ok(points.looked)
        })
        .map_err(violation)
}

/// Kills a rename at every effect, and the process that finishes it there as well, which may lose the power too.
///
/// # Errors
///
/// The first violation.
pub fn look_at_who_finishes(cuts: Cuts) -> Result<Looked, Violation> {
    Points::new(cuts)
        .and_then(|mut points| {
            let mut disk = points.start.clone();
            let dead = points.run(TASK, &mut disk, Looking::Away)?;
            points.is_acknowledged = false;
            for (effect, mut disk) in dead.into_iter().enumerate() {
                let finished = points.run(Task::Load("a"), &mut disk, Looking::AtDeaths);
                let disks =
                    finished.map_err(|what| format!("died at effect {effect}; then {what}"))?;
                points.looked.effects += disks.len();
            }
            Ok(points.looked)
        })
        .map_err(violation)
}

const TASK: Task = Task::Rename("a", "b");

fn violation(what: String) -> Violation {
    Violation {
        origin: "Rename".to_owned(),
        what,
    }
}

/// At which points of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looking {
    Away,
    /// Deaths, with each file cut in the middle, and a few losses of power.
    AtDeaths,
    /// Deaths, with each file cut at every byte, and losses of power.
    Closely,
}

struct Points {
    start: Disk,
    cuts: Cuts,
    before: Option<Vec<u8>>,
    is_acknowledged: bool,
    random: fastrand::Rng,
    /// The last loss of power.
    moment: Option<((usize, usize), bool)>,
    /// States that were looked at, by what was to be expected of them.
    known: HashSet<(u64, bool, bool)>,
    looked: Looked,
}

impl Points {
    fn new(cuts: Cuts) -> Result<Self, String> {
        let mut disk = Disk::new();
        disk.put_node(ROOT, Node::Folder);
        let mut peace = Peace::new(&mut disk, 1);
        for number in 0..REVISIONS {
            peace.perform(Task::Phase("a", number))?;
        }
        disk.settle();
        Ok(Points {
            before: disk.bytes(&document("a")).map(<[u8]>::to_vec),
            start: disk,
            cuts,
            is_acknowledged: false,
            random: fastrand::Rng::with_seed(0),
            moment: None,
            known: HashSet::new(),
            looked: Looked::default(),
        })
    }

    /// Looks at the points of a task; the disk before each of its effects.
    fn run(&mut self, task: Task, disk: &mut Disk, looking: Looking) -> Result<Vec<Disk>, String> {
        let seed = if task == TASK { 2 } else { 3 };
        let mut calm = Calm::new(seed);
        let mut machine: Machine<Result<Answer, Error>> = task.start(Sync::Durable);
        let mut disks = Vec::new();
        self.moment = None;
        loop {
            let at = format!("effect {}", disks.len());
            let step = machine.step().map_err(|misuse| format!("{misuse:?}"))?;
            if let MachineStep::Done(Err(error)) = step {
                return Err(format!("{task:?} failed: {error}"));
            }
            self.is_acknowledged = matches!(step, MachineStep::Done(_)) && task == TASK;
            self.look(disk, &step, looking)
                .map_err(|what| format!("{at}: {what}"))?;
            let MachineStep::Effect(effect) = step else {
                return Ok(disks);
            };
            disks.push(disk.clone());
            let outcome = calm.perform(disk, &effect);
            machine
                .resume(outcome)
                .map_err(|misuse| format!("{misuse:?}"))?;
        }
    }

    fn look<T>(
        &mut self,
        disk: &Disk,
        step: &MachineStep<T>,
        looking: Looking,
    ) -> Result<(), String> {
        let losses = match looking {
            Looking::Away => 0,
            Looking::AtDeaths => LOSSES_WHERE_FINISHED,
            Looking::Closely => LOSSES,
        };
        let losses = match self.cuts {
            Cuts::Every => losses,
            Cuts::Few => losses / OF_FEW,
        };
        self.losses(disk, losses)?;
        match step {
            _ if looking == Looking::Away => Ok(()),
            MachineStep::Effect(effect) => self.deaths(disk, effect, looking),
            MachineStep::Done(_) => self.check(disk.clone(), None),
        }
    }

    /// The process dies before an effect, or in the middle of writing a file.
    fn deaths(&mut self, disk: &Disk, effect: &Effect, looking: Looking) -> Result<(), String> {
        self.check(disk.clone(), None)?;
        if let Effect::Create { path, bytes, .. } = effect {
            let step = match (looking, self.cuts) {
                (Looking::Closely, Cuts::Every) => 1,
                _ => bytes.len().max(2) / 2,
            };
            for length in (0..=bytes.len()).step_by(step) {
                let mut torn = disk.clone();
                torn.create_in_part(path, bytes, length);
                self.check(torn, None)?;
            }
        }
        Ok(())
    }

    /// The power goes.
    fn losses(&mut self, disk: &Disk, count: usize) -> Result<(), String> {
        let Some(journal) = disk.journal() else {
            return Ok(());
        };
        let moment = (journal.moment(), self.is_acknowledged);
        if self.moment.replace(moment) == Some(moment) {
            return Ok(());
        }
        for kept in [PowerLoss::Any, PowerLoss::InOrder] {
            for _ in 0..count {
                let nodes = journal.loss(kept, &mut self.random);
                let checked = self.check(Disk::after(nodes, disk), Some(kept));
                checked.map_err(|what| format!("names came back {kept:?}: {what}"))?;
            }
        }
        Ok(())
    }

    fn check(&mut self, mut disk: Disk, lost_power: Option<PowerLoss>) -> Result<(), String> {
        let state = (disk.digest(), self.is_acknowledged, lost_power.is_some());
        if !self.known.insert(state) {
            return Ok(());
        }
        match lost_power {
            None => self.looked.deaths += 1,
            Some(_) => self.looked.losses += 1,
        }
        self.a_save_under_the_new_name_comes_first(disk.clone())?;
        let is_begun = disk.bytes(&document("a")) != self.before.as_deref();
        let is_moved = is_begun || disk.bytes(&document("b")).is_some() || self.is_acknowledged;
        let mut peace = Peace::new(&mut disk, 5);
        let loaded = peace.load(&["a", "b"])?;
        let whole = Some((0..REVISIONS).map(phase).collect::<BTreeSet<_>>());
        let expected = match is_moved {
            true => [None, whole],
            false => [whole, None],
        };
        if loaded != expected {
            return Err(format!("under a and b is {loaded:?}, not {expected:?}"));
        }
        if is_moved && lost_power.is_none() {
            let revisions = peace.perform(Task::Log("b"))?;
            let all: BTreeSet<u64> = (1..=u64::from(REVISIONS) + 1).collect();
            if revisions != Answer::Revisions(all) {
                return Err(format!("the history of b has {revisions:?}"));
            }
        }
        saved(&mut peace)
    }

    /// Where it takes the name, what moves there goes back.
    fn a_save_under_the_new_name_comes_first(&self, mut disk: Disk) -> Result<(), String> {
        let mut peace = Peace::new(&mut disk, 6);
        peace.perform(Task::Phase("b", UNDER_NEW + 1))?;
        saved(&mut peace).map_err(|what| format!("after a save under b: {what}"))?;
        let there = peace.load(&["a", "b"])?;
        let mut there = there.iter().flatten().flatten();
        match there.any(|it| *it == phase(UNDER_NEW + 1)) {
            true => Ok(()),
            false => Err("a save under the new name is lost".to_owned()),
        }
    }
}

/// The next save under either name loses nothing, and nothing is there twice or left over.
fn saved(peace: &mut Peace<'_>) -> Result<(), String> {
    peace.perform(Task::Phase("a", UNDER_FORMER))?;
    peace.perform(Task::Phase("b", UNDER_NEW))?;
    let there = peace.load(&["a", "b"])?;
    for number in (0..REVISIONS).chain([UNDER_FORMER, UNDER_NEW]) {
        let each = there.iter().flatten();
        let times = each.filter(|it| it.contains(&phase(number))).count();
        if times != 1 {
            return Err(format!(
                "{} is there {times} times: {there:?}",
                phase(number)
            ));
        }
    }
    peace.left_over()
}
