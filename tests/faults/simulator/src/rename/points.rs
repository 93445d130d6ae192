//! One rename, killed at every effect, and every state that a loss of power may leave there.

use std::collections::{BTreeSet, HashSet};

use milepost::effect::{Effect, Machine, Step, Sync};
use milepost::error::Error;
use milepost_disk::{Disk, Kept, Node};

use super::{Answer, Peace, Task, document};
use crate::Violation;
use crate::calm::Calm;
use crate::job::{ROOT, phase};
use crate::points::Looked;

/// Revisions that the checkpoint has before.
const REVISIONS: u32 = 3;
const UNDER_FORMER: u32 = 100;
const UNDER_NEW: u32 = 200;

/// Runs a rename up to every point, and what finishes one that died up to every point as well.
///
/// # Errors
///
/// The first violation.
pub fn look() -> Result<Looked, Violation> {
    let violation = |what| Violation {
        origin: "Rename".to_owned(),
        what,
    };
    let mut disk = Disk::new();
    disk.put_node(ROOT, Node::Folder);
    let mut peace = Peace::new(&mut disk, 1);
    for number in 0..REVISIONS {
        let task = Task::Phase("a", number);
        peace.perform(task).map_err(violation)?;
    }
    disk.settle();
    let mut points = Points {
        before: disk.bytes(&document("a")).map(<[u8]>::to_vec),
        is_acknowledged: false,
        moment: None,
        known: HashSet::new(),
        looked: Looked::default(),
    };
    points.all(&disk).map_err(violation)?;
    Ok(points.looked)
}

struct Points {
    before: Option<Vec<u8>>,
    is_acknowledged: bool,
    /// When the power was last lost.
    moment: Option<((usize, usize), bool)>,
    /// States that were looked at, by what was to be expected of them.
    known: HashSet<(u64, bool, bool)>,
    looked: Looked,
}

impl Points {
    fn all(&mut self, start: &Disk) -> Result<(), String> {
        let mut disk = start.clone();
        let mut dead = Vec::new();
        self.run(Task::Rename("a", "b"), &mut disk, Some(&mut dead))?;
        self.looked.effects = dead.len();
        // Whoever finishes it may die as well.
        self.is_acknowledged = false;
        for (effect, mut disk) in dead.into_iter().enumerate() {
            let finished = self.run(Task::Load("a"), &mut disk, None);
            finished.map_err(|what| format!("died at effect {effect}; then {what}"))?;
        }
        Ok(())
    }

    /// Looks at every point of a task. The disk before each effect goes to `dead`, and only then the
    /// power is lost there, too.
    fn run(
        &mut self,
        task: Task,
        disk: &mut Disk,
        mut dead: Option<&mut Vec<Disk>>,
    ) -> Result<(), String> {
        let mut calm = Calm::new(u64::from(dead.is_none()) + 2);
        let mut machine: Machine<Result<Answer, Error>> = task.start(Sync::Durable);
        for at in 0.. {
            let at = |what| format!("effect {at}: {what}");
            if dead.is_some() {
                self.losses(disk).map_err(at)?;
            }
            let effect = match machine.step().map_err(|misuse| format!("{misuse:?}"))? {
                Step::Effect(effect) => effect,
                Step::Done(result) => {
                    result.map_err(|error| format!("{task:?} failed: {error}"))?;
                    self.is_acknowledged = dead.is_some();
                    self.check(disk.clone(), None).map_err(at)?;
                    return match dead.is_some() {
                        true => self.losses(disk),
                        false => Ok(()),
                    };
                }
            };
            self.deaths(disk, &effect, dead.is_some()).map_err(at)?;
            if let Some(dead) = &mut dead {
                dead.push(disk.clone());
            }
            let outcome = calm.perform(disk, &effect);
            machine
                .resume(outcome)
                .map_err(|misuse| format!("{misuse:?}"))?;
        }
        Ok(())
    }

    /// The process dies before an effect, or in the middle of writing a file.
    fn deaths(&mut self, disk: &Disk, effect: &Effect, at_every_byte: bool) -> Result<(), String> {
        self.check(disk.clone(), None)?;
        if let Effect::Create { path, bytes, .. } = effect {
            let step = match at_every_byte {
                true => 1,
                false => bytes.len().max(2) / 2,
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
    fn losses(&mut self, disk: &Disk) -> Result<(), String> {
        let Some(journal) = disk.journal() else {
            return Ok(());
        };
        let moment = (journal.moment(), self.is_acknowledged);
        if self.moment.replace(moment) == Some(moment) {
            return Ok(());
        }
        for kept in [Kept::Any, Kept::InOrder] {
            let mut result = Ok(());
            journal.every_loss(kept, &mut |nodes| {
                if result.is_ok() {
                    result = self.check(Disk::after(nodes, disk), Some(kept));
                }
            });
            result.map_err(|what| format!("names came back {kept:?}: {what}"))?;
        }
        Ok(())
    }

    fn check(&mut self, mut disk: Disk, lost_power: Option<Kept>) -> Result<(), String> {
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
