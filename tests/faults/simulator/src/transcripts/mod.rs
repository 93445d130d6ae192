//! Transcripts of sessions: additions, retries, deletions and forks of many writers side by side.
//!
//! Regardless of what dies or fails: an addition is there as a whole, in its place, or not at all; what was
//! acknowledged is there unless its transcript was deleted since; what was deleted stays deleted; and no entry is there
//! twice. A fork is as SDKs make it: what one call reads of a session, another one adds to a new session.

mod ledger;

use std::fmt;

use fastrand::Rng;
use milepost::effect::Machine;
use milepost::json::{self, Json, Object};
use milepost::operation::request;

use self::ledger::{Ledger, Place};
use crate::drive::{
    Begun, Chances, Kind, Pace, Run, Seeded, World, any_durability, empty_disk, one_in,
};
use crate::job::ROOT;
use crate::reply::{answer, in_peace};
use crate::sabotage::Sabotaged;
use crate::trace::Trace;

const SESSIONS: [&str; 2] = ["one", "two"];
const SUBPATHS: [&str; 2] = ["", "subagents/a"];

/// Bytes of an entry's text. Large ones leave the document for parts.
const SIZES: [usize; 6] = [4, 4, 40, 40, 3_000, 50_000];

/// A task on a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Task {
    /// The entries of the addition of this number.
    Append(usize),
    /// Another try of an addition that was not acknowledged.
    Retry(usize),
    /// A read; with a name it begins a fork to that session.
    Load(Place, Option<String>),
    /// Of one transcript, or of a session with all of its transcripts.
    Delete(Place),
}

/// A task in progress.
pub(crate) struct Watched {
    by: u64,
    task: Task,
    began: u64,
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {:?}", self.by, self.task)
    }
}

/// Tasks on transcripts.
pub(crate) struct Transcripts {
    /// The members of the place of each request.
    storage: &'static str,
    durability: &'static str,
    ledger: Ledger,
    numbers: u64,
    /// Sessions that were read to be forked: the name of the fork, and the texts of its entries.
    forks: Vec<(String, Vec<String>)>,
}

impl Transcripts {
    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// A transcript by chance: most often the same one, so that the writers meet.
    fn place(random: &mut Rng) -> Place {
        Place {
            session: SESSIONS[usize::from(random.u8(..4) == 0)].to_owned(),
            subpath: SUBPATHS[usize::from(random.u8(..4) == 0)],
        }
    }

    fn task(&mut self, random: &mut Rng) -> Task {
        if let Some((session, texts)) = self.forks.pop() {
            let place = Place {
                session,
                subpath: "",
            };
            return Task::Append(self.ledger.addition(place, texts, self.numbers));
        }
        let place = Self::place(random);
        match random.u8(..12) {
            0 | 1 => Task::Load(place, None),
            2 => {
                let fork = format!("fork {}", self.numbers);
                Task::Load(place, Some(fork))
            }
            3 => Task::Delete(place),
            4 | 5 => match self.ledger.unacknowledged(random) {
                Some(addition) => Task::Retry(addition),
                None => Task::Load(place, None),
            },
            _ => {
                let count = random.usize(1..4);
                let entries = (0..count).map(|at| {
                    let label = format!("{}.{at}", self.numbers);
                    let size = SIZES[random.usize(..SIZES.len())];
                    format!(
                        r#"{{"type":"user","uuid":"{label}","text":"{}"}}"#,
                        "x".repeat(size)
                    )
                });
                let texts = entries.collect();
                Task::Append(self.ledger.addition(place, texts, self.numbers))
            }
        }
    }

    fn request(&self, task: &Task) -> String {
        let storage = Object::new()
            .with("root", ROOT)
            .with("storage", self.storage)
            .with("durability", self.durability);
        let (operation, place) = match task {
            Task::Append(addition) | Task::Retry(addition) => {
                ("append_transcript", self.ledger.place(*addition))
            }
            Task::Load(place, _) => ("load_transcript", place),
            Task::Delete(place) => ("delete_transcript", place),
        };
        let mut request = Object::new()
            .with("operation", operation)
            .with("place", storage)
            .with("project", "p")
            .with("session", place.session.as_str());
        if !place.subpath.is_empty() {
            request.set("subpath", place.subpath);
        }
        if let Task::Append(addition) | Task::Retry(addition) = task {
            request.set("entries", Json::from(self.ledger.texts(*addition)));
        }
        Json::Object(request).to_line()
    }

    fn start(&self, task: &Task) -> Machine<String> {
        request::start(self.request(task).as_bytes())
    }

    /// Begins a task, which the ledger hears of.
    fn begins(&mut self, task: Task) -> Begun<Self> {
        let machine = self.start(&task);
        let began = match &task {
            Task::Append(addition) | Task::Retry(addition) => self.ledger.append_begins(*addition),
            Task::Load(..) => self.ledger.tick(),
            Task::Delete(place) => self.ledger.deletion_begins(place.clone()),
        };
        let watched = Watched {
            by: self.number(),
            task,
            began,
        };
        (Sabotaged::new(machine), watched)
    }
}

impl Seeded for Transcripts {
    const SEED: &'static str = "transcripts seed";

    fn begun(mut random: Rng, trace: Trace) -> Run<Self> {
        let disk = empty_disk(&mut random);
        let chances = Chances {
            kill: one_in(&mut random, 2, 0.01),
            pause: one_in(&mut random, 2, 0.01),
            interruption: one_in(&mut random, 2, 0.3),
            jump: None,
        };
        let storage = match random.u8(..6) {
            0 => "records",
            _ => "files",
        };
        let durability = any_durability(&mut random);
        let has_locks = random.bool();
        let mut world = World::new(random, disk, trace);
        world.durability = durability;
        world.has_locks = has_locks;
        world.chances = chances;
        let transcripts = Transcripts {
            storage,
            durability: match world.is_durable() {
                true => "durable",
                false => "lazy",
            },
            ledger: Ledger::default(),
            numbers: 0,
            forks: Vec::new(),
        };
        Run::new(world, transcripts)
    }

    /// All that is stored is what the ledger permits, and the next writer comes through.
    fn quiet(run: &mut Run<Self>) -> Result<(), String> {
        let Run { world, kind, .. } = run;
        kind.ledger.all_ended();
        let places = kind.ledger.places();
        for (seed, place) in (0..).zip(places) {
            let began = kind.ledger.tick();
            let load = kind.request(&Task::Load(place.clone(), None));
            let value = in_peace(&mut world.disk, &load, seed)?;
            kind.ledger.is_read(&place, &labels(&value)?, began)?;
            let number = kind.number();
            let texts = vec![format!(r#"{{"uuid":"{number}.0"}}"#)];
            let addition = kind.ledger.addition(place.clone(), texts, number);
            kind.ledger.append_begins(addition);
            let append = kind.request(&Task::Append(addition));
            in_peace(&mut world.disk, &append, seed)?;
            kind.ledger.append_ends(addition, true);
            let began = kind.ledger.tick();
            let value = in_peace(&mut world.disk, &load, seed)?;
            kind.ledger.is_read(&place, &labels(&value)?, began)?;
        }
        Ok(())
    }
}

impl Kind for Transcripts {
    type Watched = Watched;
    type End = String;

    const PACE: Pace = Pace {
        processes: 2..=4,
        trouble_within: 400,
        power_within: 400,
        most_effects: 50_000,
    };

    /// Nothing of the round before is at work any more.
    fn round(&mut self, _: &mut World) {
        self.ledger.all_ended();
        self.forks.clear();
    }

    fn begin(&mut self, world: &mut World) -> Begun<Self> {
        let number = self.number();
        let task = self.task(&mut world.random);
        world.happens(|| format!("task {number}"));
        self.begins(task)
    }

    fn ended(
        &mut self,
        _: &World,
        watched: Watched,
        end: &String,
        had_trouble: bool,
    ) -> Result<bool, String> {
        let value = answer(end);
        if value.is_none() && !had_trouble && code(end) != "busy" {
            return Err(format!("{watched} without trouble is answered with {end}"));
        }
        let is_well = value.is_some();
        match watched.task {
            Task::Append(addition) | Task::Retry(addition) => {
                self.ledger.append_ends(addition, is_well);
                Ok(is_well)
            }
            Task::Delete(_) => {
                self.ledger.deletion_ends(watched.began, is_well);
                Ok(is_well)
            }
            Task::Load(place, fork) => {
                let Some(value) = value else {
                    return Ok(false);
                };
                let labels = labels(&value)?;
                self.ledger.is_read(&place, &labels, watched.began)?;
                if let Some(fork) = fork.filter(|_| !labels.is_empty()) {
                    let text = |label| format!(r#"{{"uuid":"{fork} of {label}"}}"#);
                    let texts = labels.iter().map(text).collect();
                    self.forks.push((fork, texts));
                }
                Ok(false)
            }
        }
    }
}

fn code(reply: &str) -> String {
    let reply = json::read(reply.as_bytes()).map(|it| it.value);
    let code = reply.ok();
    let code = code.as_ref().and_then(|it| it.at("/error/code")?.as_str());
    code.unwrap_or_default().to_owned()
}

/// The ids of the entries of a transcript.
fn labels(value: &Json) -> Result<Vec<String>, String> {
    let entries = value.at("/entries").and_then(Json::as_array);
    let label = |text: &Json| {
        let entry = json::read(text.as_str()?.as_bytes()).ok()?.value;
        Some(entry.at("/uuid")?.as_str()?.to_owned())
    };
    let labels = entries.unwrap_or_default().iter().map(label);
    let labels: Option<Vec<String>> = labels.collect();
    labels.ok_or_else(|| format!("an entry is not what was added: {}", value.to_line()))
}
