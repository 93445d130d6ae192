//! One change of a thread, killed at every effect and in the middle of each line, and the power lost there.
//!
//! In every state that is left the thread is the one from before or from after, and after an acknowledgement the one
//! from after; it says nothing of a loss, and takes the next change. Where a loss of power leaves zeros for bytes that
//! were not written yet, it may say so.

use std::collections::HashSet;

use milepost::effect::{Effect, MachineStep, Sync};
use milepost::json::{self, Json, Object};
use milepost::operation::request;
use milepost_disk::{Cuts, Disk, Node, PowerLoss};

use crate::Violation;
use crate::calm::Calm;
use crate::job::ROOT;
use crate::points::Looked;
use crate::reply::in_peace;

const THREADS: &str = "/r/.claude/state/threads";

/// At each moment, for each way in which names come back, where all of them are too many to walk.
const LOSSES: usize = 100;

/// A value that leaves the document for a part, and one that is a line of the journal.
const LARGE: usize = 60_000;
const SMALL: usize = 10;

/// A change, and what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// The first checkpoint, where nothing is.
    First,
    /// A line behind two others.
    Line,
    /// Another document in the place of one with two lines.
    Document,
    /// A tombstone in the place of a thread with two lines.
    Deletion,
    /// The newest of three checkpoints in the place of all.
    Prune,
    /// The recovery of a thread that lost the last of three lines.
    Recovery,
}

impl Case {
    /// All of them.
    pub const ALL: [Case; 6] = [
        Case::First,
        Case::Line,
        Case::Document,
        Case::Deletion,
        Case::Prune,
        Case::Recovery,
    ];

    /// Returns the number of checkpoints there are before.
    fn checkpoints(self) -> usize {
        match self {
            Case::First => 0,
            Case::Line | Case::Document | Case::Deletion | Case::Prune => 3,
            Case::Recovery => 4,
        }
    }

    fn line(self) -> String {
        match self {
            Case::First | Case::Line => put(self.checkpoints(), SMALL),
            Case::Document => put(self.checkpoints(), LARGE),
            Case::Deletion => line("delete_thread", &[]),
            Case::Prune => line("prune_thread", &[]),
            Case::Recovery => line("recover_thread", &[]),
        }
    }

    /// The disk that the change finds, all of it durable.
    fn disk(self) -> Result<Disk, String> {
        let mut disk = Disk::new();
        disk.put_node(ROOT, Node::Folder);
        for number in 0..self.checkpoints() {
            in_peace(&mut disk, &put(number, SMALL), number as u64)?;
        }
        if self == Case::Recovery {
            let (path, bytes) = journal(&disk).ok_or("there is no journal")?;
            let end = bytes.iter().rposition(|it| *it == b'\n');
            disk.put(&path, &bytes[..end.unwrap_or(0)]);
        }
        disk.settle();
        Ok(disk)
    }
}

fn line(operation: &str, more: &[(&str, Json)]) -> String {
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", Object::new().with("root", ROOT))
        .with("thread_id", "t");
    for (key, value) in more {
        request.set(key, value.clone());
    }
    Json::Object(request).to_line()
}

/// A checkpoint of this number, with a value of so many bytes.
fn put(number: usize, size: usize) -> String {
    let typed = |text: String| Json::from(vec![Json::from("json"), Json::from(text)]);
    let letter = char::from(b'a' + number as u8);
    let value = typed(format!("\"{}\"", letter.to_string().repeat(size)));
    let change = Object::new()
        .with("namespace", "")
        .with("id", letter.to_string())
        .with("checkpoint", typed("{}".to_owned()))
        .with("metadata", typed("{}".to_owned()))
        .with("channels", vec!["c"])
        .with("changed", vec!["c"])
        .with("values", vec![Json::from(vec![Json::from("c"), value])]);
    line(
        "put_thread",
        &[("changes", vec![Json::from(change)].into())],
    )
}

fn journal(disk: &Disk) -> Option<(String, Vec<u8>)> {
    let mut files = disk.files();
    let found = files.find(|(path, _)| path.starts_with(THREADS) && path.contains("/00-"));
    found.map(|(path, bytes)| (path.to_owned(), bytes.to_vec()))
}

/// Runs a case up to every point, with files cut where `cuts` says.
///
/// # Errors
///
/// The first violation.
pub fn look(case: Case, cuts: Cuts) -> Result<Looked, Violation> {
    look_under(case, cuts, |effect| effect)
}

/// Looks over a host that performs other effects than it is asked for.
///
/// # Errors
///
/// The first violation.
pub fn look_under(
    case: Case,
    cuts: Cuts,
    performed: fn(Effect) -> Effect,
) -> Result<Looked, Violation> {
    Points::new(case, cuts, performed)
        .and_then(Points::run)
        .map_err(|what| Violation {
            origin: format!("a thread: {case:?}"),
            what,
        })
}

/// The answers about a thread: its checkpoints, or why they cannot be read, and its warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    content: String,
    warnings: Vec<String>,
}

/// The content where bytes were not written yet: nothing, or zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Left {
    Beginnings,
    Zeros,
}

struct Points {
    case: Case,
    cuts: Cuts,
    performed: fn(Effect) -> Effect,
    start: Disk,
    before: Said,
    after: Said,
    is_acknowledged: bool,
    random: fastrand::Rng,
    /// States that were looked at, by what was to be expected of them.
    known: HashSet<(u64, bool, Left)>,
    looked: Looked,
}

impl Points {
    fn new(case: Case, cuts: Cuts, performed: fn(Effect) -> Effect) -> Result<Self, String> {
        let start = case.disk()?;
        let mut done = start.clone();
        in_peace(&mut done, &case.line(), 100)?;
        Ok(Points {
            case,
            cuts,
            performed,
            before: read(&start)?,
            after: read(&done)?,
            start,
            is_acknowledged: false,
            random: fastrand::Rng::with_seed(0),
            known: HashSet::new(),
            looked: Looked::default(),
        })
    }

    fn run(mut self) -> Result<Looked, String> {
        let mut disk = self.start.clone();
        let mut calm = Calm::new(100);
        let mut machine = request::start(self.case.line().as_bytes());
        loop {
            let step = machine.step().map_err(|misuse| format!("{misuse:?}"))?;
            self.is_acknowledged = matches!(step, MachineStep::Done(_));
            let at = format!("effect {}", self.looked.effects);
            let located = |what: String| format!("{at}: {what}");
            self.losses(&disk).map_err(located)?;
            self.deaths(&disk, &step).map_err(located)?;
            let MachineStep::Effect(effect) = step else {
                return Ok(self.looked);
            };
            self.looked.effects += 1;
            let effect = (self.performed)(effect);
            let resumed = machine.resume(calm.perform(&mut disk, &effect));
            resumed.map_err(|misuse| format!("{misuse:?}"))?;
        }
    }

    /// The process dies before an effect, or in the middle of writing a file.
    fn deaths<T>(&mut self, disk: &Disk, step: &MachineStep<T>) -> Result<(), String> {
        let mut states = vec![disk.clone()];
        let torn = match step {
            MachineStep::Effect(Effect::Create { path, bytes, .. }) => {
                let torn = |length: usize| {
                    let mut torn = disk.clone();
                    torn.create_in_part(path, bytes, length);
                    torn
                };
                self.cut(bytes).into_iter().map(torn).collect()
            }
            MachineStep::Effect(Effect::Append { path, bytes, .. }) => {
                let torn = |length: usize| {
                    let mut torn = disk.clone();
                    torn.perform(&Effect::Append {
                        path: path.clone(),
                        bytes: bytes[..length].to_vec(),
                        sync: Sync::Lazy,
                    });
                    torn
                };
                self.cut(bytes).into_iter().map(torn).collect()
            }
            _ => Vec::new(),
        };
        states.extend::<Vec<Disk>>(torn);
        for state in states {
            self.looked.deaths += usize::from(self.check(state, Left::Beginnings)?);
        }
        Ok(())
    }

    /// Returns the lengths to which a file is cut: few of a long one.
    fn cut(&self, bytes: &[u8]) -> Vec<usize> {
        let cuts = match bytes.len() > SMALL * 100 {
            true => Cuts::Few,
            false => self.cuts,
        };
        cuts.lengths(0..bytes.len())
    }

    /// The power goes.
    fn losses(&mut self, disk: &Disk) -> Result<(), String> {
        let Some(journal) = disk.journal() else {
            return Ok(());
        };
        let mut states = Vec::new();
        for kept in [PowerLoss::Any, PowerLoss::InOrder] {
            match self.case {
                Case::Line => {
                    journal.every_loss(kept, self.cuts, &mut |nodes| states.push(nodes));
                }
                _ => states.extend((0..LOSSES).map(|_| journal.loss(kept, &mut self.random))),
            }
        }
        for nodes in states {
            let lost = Disk::after(nodes, disk);
            let zeroed = with_zeros(&lost, disk);
            self.looked.losses += usize::from(self.check(lost, Left::Beginnings)?);
            self.looked.losses += usize::from(self.check(zeroed, Left::Zeros)?);
        }
        Ok(())
    }

    /// Checks a state; returns whether it was not looked at before.
    fn check(&mut self, mut disk: Disk, left: Left) -> Result<bool, String> {
        if !self
            .known
            .insert((disk.digest(), self.is_acknowledged, left))
        {
            return Ok(false);
        }
        let mut found = read(&disk)?;
        if left == Left::Zeros && found.warnings == ["lost_changes"] {
            found.warnings.clear();
        }
        let is_as_after = found == self.after;
        let is_as_before = found == self.before && !self.is_acknowledged;
        if !is_as_after && !is_as_before {
            let done = match self.is_acknowledged {
                true => "it was acknowledged, and ",
                false => "",
            };
            return Err(format!("{done}the thread is {found:?} ({left:?})"));
        }
        // The call when repeated finishes what was begun; what is corrupt stays so until then.
        if self.case == Case::Recovery && is_as_before {
            in_peace(&mut disk, &self.case.line(), 200)?;
        }
        let next = in_peace(&mut disk, &put(20, SMALL), 300)?;
        match next.at("/results/0/error") {
            Some(Json::Null) => Ok(true),
            _ => Err(format!("the next change is refused: {}", next.to_line())),
        }
    }
}

/// The disk with zeros in the place of what a journal or a tally lost.
fn with_zeros(lost: &Disk, whole: &Disk) -> Disk {
    let mut zeroed = lost.clone();
    for (path, bytes) in whole.files() {
        let is_of_journal = path.contains("/00-") || path.contains("/01-");
        if let Some(kept) = lost.bytes(path).filter(|_| is_of_journal) {
            let missing = bytes.len().saturating_sub(kept.len());
            zeroed.put(path, [kept, &vec![0; missing]].concat());
        }
    }
    zeroed.settle();
    zeroed
}

/// The thread on a disk, which reading does not change.
fn read(disk: &Disk) -> Result<Said, String> {
    let mut disk = disk.clone();
    let mut calm = Calm::new(400);
    let list = line("list_thread", &[("limit", 100.into())]);
    let mut machine = request::start(list.as_bytes());
    let reply = loop {
        match machine.step().map_err(|misuse| format!("{misuse:?}"))? {
            MachineStep::Effect(effect) => {
                let resumed = machine.resume(calm.perform(&mut disk, &effect));
                resumed.map_err(|misuse| format!("{misuse:?}"))?;
            }
            MachineStep::Done(reply) => break reply,
        }
    };
    let reading = json::read(reply.as_bytes()).map_err(|it| it.to_string())?;
    let text = |it: &Json, at: &str| {
        let text = it.at(at).and_then(Json::as_str);
        text.unwrap_or_default().to_owned()
    };
    let list = |at: &str| reading.value.at(at).and_then(Json::as_array);
    let warnings = list("/warnings").unwrap_or_default().iter();
    let content = match list("/value/checkpoints") {
        Some(found) => found.iter().map(|it| text(it, "/id")).collect(),
        None => text(&reading.value, "/error/code"),
    };
    Ok(Said {
        content,
        warnings: warnings.map(|it| text(it, "/code")).collect(),
    })
}
