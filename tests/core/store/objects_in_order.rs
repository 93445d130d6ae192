//! Writers, collectors and readers of contents in every order of their steps; of more than two, in many orders.
//!
//! The next act of an actor depends on nothing but the outcomes that it has had; so a state of the world is a
//! disk and the outcomes of each actor, and each state is visited once. An actor that dies takes no more
//! steps, so that every disk on the way is one that a death of any of them leaves: on each, a published
//! document has its objects, and one more collector leaves these and nothing else. A listing begins and
//! ends, and shows no name that went in between, nor one that came: the least that a host may show.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use milepost::digest::sha256;
use milepost::effect::{Effect, Fault, Io, Machine, MachineStep, Outcome, Sync};
use milepost::error::Code;
use milepost::store::objects::{CollectAction, ContentReader};
use milepost::store::{ImmutableDocuments, Stem};
use milepost_disk::{Disk, Node, failed};

use super::objects::{collect_all, folder, snapshot};

const FOLDER: &str = "/r/snapshots";
const CONTENT: &[u8] = b"content";
const NOW_S: f64 = 1_800_000_000.0;

/// An act of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// Publishes a snapshot of the one content, under this name.
    Make(&'static str),
    /// Collects, with a clock that is so many seconds ahead.
    Collect(u32),
    /// Removes the document of this name.
    Remove(&'static str),
    /// Reads the content, if a document of this name needs it.
    Read(&'static str),
}

/// A step that is left out of the protocol, to see that it is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fail {
    Nothing,
    /// Collectors see no writer.
    NoWriters,
    /// Collectors list the documents once.
    OldReferences,
    /// Collectors look at the writers before they look into the trash.
    EarlyWriters,
}

impl Job {
    pub(super) fn machine(self) -> Machine<()> {
        Machine::start(move |io: Io| async move {
            let folder = folder("/r");
            let documents = ImmutableDocuments::new(&io, &folder, ".yaml", Sync::Durable);
            let stem = |name: &str| Stem::new(name.to_owned()).unwrap();
            match self {
                Job::Make(name) => {
                    let made = snapshot(&io, &folder, name, &[CONTENT.to_vec()]).await;
                    if let Err(error) = made {
                        assert_eq!(error.code(), Code::Conflict, "{error}");
                    }
                }
                Job::Collect(_) => drop(
                    collect_all(&io, &folder, CollectAction::Remove)
                        .await
                        .unwrap(),
                ),
                Job::Remove(name) => drop(documents.remove(&stem(name)).await.unwrap()),
                Job::Read(name) => {
                    if documents.read(&stem(name)).await.unwrap().is_some() {
                        let reader = ContentReader::open(&io, &folder).await.unwrap();
                        let read = reader.read(&sha256(CONTENT), 100).await.unwrap();
                        assert_eq!(read.as_deref(), Ok(CONTENT));
                    }
                }
            }
        })
    }
}

/// The outcomes of an actor.
struct ActorPrefix {
    outcomes: Vec<Outcome>,
    /// The next request; `None` at its end.
    next: Option<Effect>,
    /// Its first listing of the documents.
    first_list: Option<Outcome>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    disk: usize,
    prefixes: Vec<usize>,
    /// The listing that each has begun.
    listings: Vec<Option<Rc<BTreeSet<String>>>>,
}

struct World {
    jobs: Vec<Job>,
    fail: Fail,
    disks: Vec<Rc<Disk>>,
    disk_numbers: HashMap<u64, usize>,
    prefixes: Vec<Rc<ActorPrefix>>,
    prefix_numbers: HashMap<u64, usize>,
}

impl World {
    fn disk_number(&mut self, disk: Disk) -> Result<usize, String> {
        let next = self.disks.len();
        match self.disk_numbers.entry(disk.digest()) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(free) => {
                free.insert(next);
                check(&disk)?;
                self.disks.push(Rc::new(disk));
                Ok(next)
            }
        }
    }

    /// Returns the number of an actor's position after these outcomes.
    fn prefix_number(
        &mut self,
        actor: usize,
        outcomes: Vec<Outcome>,
        first: Option<Outcome>,
    ) -> usize {
        let mut hasher = DefaultHasher::new();
        (actor, format!("{outcomes:?}")).hash(&mut hasher);
        let next = self.prefixes.len();
        match self.prefix_numbers.entry(hasher.finish()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                free.insert(next);
                let mut machine = self.jobs[actor].machine();
                for outcome in &outcomes {
                    assert!(matches!(machine.step().unwrap(), MachineStep::Effect(_)));
                    machine.resume(outcome.clone()).unwrap();
                }
                let effect = match machine.step().unwrap() {
                    MachineStep::Effect(effect) => Some(effect),
                    MachineStep::Done(()) => None,
                };
                self.prefixes.push(Rc::new(ActorPrefix {
                    outcomes,
                    next: effect,
                    first_list: first,
                }));
                next
            }
        }
    }

    /// The next step of an actor; `None` at its end.
    fn go_on(&mut self, state: &State, actor: usize) -> Result<Option<State>, String> {
        let prefix = Rc::clone(&self.prefixes[state.prefixes[actor]]);
        let Some(effect) = &prefix.next else {
            return Ok(None);
        };
        let mut next = state.clone();
        let disk = Rc::clone(&self.disks[state.disk]);
        let mut first = prefix.first_list.clone();
        let outcome = match effect {
            Effect::List { path, .. } if matches!(disk.node(path), Some(Node::Folder)) => {
                let names = disk.names(path).into_iter().map(|it| it.to_string());
                let names: BTreeSet<String> = names.collect();
                let Some(begun) = next.listings[actor].take() else {
                    next.listings[actor] = Some(Rc::new(names));
                    return Ok(Some(next));
                };
                let seen = names.into_iter().filter(|it| begun.contains(it)).collect();
                self.listed(actor, path, seen, &mut first)
            }
            Effect::Clock => {
                let ahead = match self.jobs[actor] {
                    Job::Collect(seconds) => seconds,
                    _ => 0,
                };
                Outcome::Clock {
                    wall_ms: (NOW_S + f64::from(ahead)) * 1000.0,
                    monotonic_ms: 0.0,
                }
            }
            Effect::Random { length } => {
                let count = prefix.outcomes.len() as u8;
                let mut bytes = vec![count; *length as usize];
                bytes[0] = actor as u8;
                Outcome::Bytes(bytes)
            }
            Effect::Wait { .. } => Outcome::Done,
            effect => {
                // A folder may go while it is listed.
                next.listings[actor] = None;
                let mut disk = (*disk).clone();
                let outcome = disk.perform(effect).unwrap_or(failed(Fault::Unsupported));
                next.disk = self.disk_number(disk)?;
                outcome
            }
        };
        let mut outcomes = prefix.outcomes.clone();
        outcomes.push(outcome);
        next.prefixes[actor] = self.prefix_number(actor, outcomes, first);
        // No other actor sees these.
        let is_unseen = |effect: &Effect| {
            matches!(
                effect,
                Effect::Clock
                    | Effect::Random { .. }
                    | Effect::Wait { .. }
                    | Effect::SyncFolder { .. }
            )
        };
        let after = Rc::clone(&self.prefixes[next.prefixes[actor]]);
        match &after.next {
            Some(effect) if is_unseen(effect) => self.go_on(&next, actor),
            _ => Ok(Some(next)),
        }
    }

    fn listed(
        &self,
        actor: usize,
        path: &str,
        names: Vec<String>,
        first: &mut Option<Outcome>,
    ) -> Outcome {
        let is_collector = matches!(self.jobs[actor], Job::Collect(_));
        let names = match self.fail {
            Fail::NoWriters if is_collector && path.ends_with("/making") => Vec::new(),
            _ => names,
        };
        let outcome = Outcome::Names {
            names,
            complete: true,
        };
        let is_once = match self.fail {
            Fail::OldReferences => path == FOLDER,
            Fail::EarlyWriters => path.ends_with("/making"),
            _ => false,
        };
        match is_once && is_collector {
            true => first.get_or_insert(outcome).clone(),
            false => outcome,
        }
    }
}

/// The place of the content.
pub(super) fn object() -> String {
    let sha256 = sha256(CONTENT);
    format!("{FOLDER}/objects/{}/{sha256}", &sha256[..2])
}

fn is_needed(disk: &Disk) -> bool {
    disk.names(FOLDER).iter().any(|it| it.ends_with(".yaml"))
}

/// A published document has its objects.
pub(super) fn check(disk: &Disk) -> Result<(), String> {
    let sha256 = sha256(CONTENT);
    let mut files = disk.files().filter(|(path, _)| !path.contains("/making/"));
    match is_needed(disk) && !files.any(|(path, _)| path.contains(&sha256)) {
        true => Err("a document lost its object".to_owned()),
        false => Ok(()),
    }
}

/// Everybody is dead, and a collector comes two hours later.
fn in_peace(disk: &Disk) {
    let mut disk = disk.clone();
    let mut drawn = 0xE0;
    let answer = |effect: Effect| match effect {
        Effect::Clock => Outcome::Clock {
            wall_ms: (NOW_S + 20_000.0) * 1000.0,
            monotonic_ms: 0.0,
        },
        Effect::Random { length } => {
            drawn += 1;
            Outcome::Bytes(vec![drawn; length as usize])
        }
        effect => disk.perform(&effect).unwrap_or(Outcome::Done),
    };
    Job::Collect(0).machine().run(answer);
    let objects = format!("{FOLDER}/objects/");
    let files = disk.files().map(|(path, _)| path.to_owned());
    let left: Vec<String> = files.filter(|it| it.starts_with(&objects)).collect();
    let expected = match is_needed(&disk) {
        true => vec![object()],
        false => Vec::new(),
    };
    assert_eq!(left, expected);
}

/// A disk with the content, and a document needs it or none does.
pub(super) fn start(document: Option<&'static str>, has_links: bool) -> Disk {
    let mut disk = Disk::new();
    if !has_links {
        disk = disk.without_links();
    }
    disk.put_node("/r", Node::Folder);
    let name = document.unwrap_or("before");
    for (actor, job) in [Job::Make(name), Job::Remove(name)].into_iter().enumerate() {
        if actor == 1 && document.is_some() {
            continue;
        }
        job.machine().run(|effect| match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: 0.0,
                monotonic_ms: 0.0,
            },
            Effect::Random { length } => Outcome::Bytes(vec![0xAA; length as usize]),
            effect => disk.perform(&effect).unwrap_or(Outcome::Done),
        });
    }
    assert!(disk.bytes(&object()).is_some());
    disk
}

impl World {
    fn new(jobs: &[Job], fail: Fail) -> Self {
        World {
            jobs: jobs.to_vec(),
            fail,
            disks: Vec::new(),
            disk_numbers: HashMap::new(),
            prefixes: Vec::new(),
            prefix_numbers: HashMap::new(),
        }
    }

    fn start(&mut self, disk: Disk) -> Result<State, String> {
        let actors = 0..self.jobs.len();
        Ok(State {
            disk: self.disk_number(disk)?,
            listings: actors.clone().map(|_| None).collect(),
            prefixes: actors
                .map(|actor| self.prefix_number(actor, Vec::new(), None))
                .collect(),
        })
    }
}

/// Visits every state; how many there are, or what went wrong.
fn explore(jobs: &[Job], disk: Disk, fail: Fail) -> Result<usize, String> {
    let mut world = World::new(jobs, fail);
    let first = world.start(disk)?;
    let mut visited = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        for actor in 0..jobs.len() {
            if let Some(next) = world.go_on(&state, actor)?
                && visited.insert(next.clone())
            {
                open.push(next);
            }
        }
    }
    world.disks.iter().for_each(|it| in_peace(it));
    Ok(visited.len())
}

/// Takes so many random walks, on which actors die at any point.
fn walk(jobs: &[Job], disk: &Disk, walks: u64) -> Result<(), String> {
    let mut world = World::new(jobs, Fail::Nothing);
    for seed in 0..walks {
        let mut chance = fastrand::Rng::with_seed(seed);
        let mut state = world.start(disk.clone())?;
        let mut alive: Vec<usize> = (0..jobs.len()).collect();
        let mut turn = 0;
        while !alive.is_empty() {
            // Others come in between at some points, not at each.
            if chance.u8(..4) == 0 || turn >= alive.len() {
                turn = chance.usize(..alive.len());
            }
            match world.go_on(&state, alive[turn])? {
                Some(next) if chance.u8(..100) > 0 => state = next,
                _ => drop(alive.swap_remove(turn)),
            }
        }
        in_peace(&world.disks[state.disk]);
    }
    Ok(())
}

const LATE: u32 = 7_200;

#[test]
fn no_order_of_a_writer_and_a_collector_loses_an_object() {
    let _run = milepost_property::run("no order of a writer and a collector loses an object");
    let mut states = 0;
    for has_links in [true, false] {
        for ahead in [0, LATE] {
            let jobs = [Job::Make("a"), Job::Collect(ahead)];
            let explored = explore(&jobs, start(None, has_links), Fail::Nothing);
            states += explored.unwrap();
        }
        let jobs = [Job::Collect(0), Job::Read("z")];
        let explored = explore(&jobs, start(Some("z"), has_links), Fail::Nothing);
        states += explored.unwrap();
    }
    assert!(states > 50_000, "{states}");
}

#[test]
fn no_order_of_several_writers_and_collectors_loses_an_object() {
    let _run = milepost_property::run("no order of several writers and collectors loses an object");
    for has_links in [true, false] {
        for (jobs, document) in [
            (
                vec![Job::Collect(0), Job::Collect(LATE), Job::Make("a")],
                None,
            ),
            (
                vec![
                    Job::Collect(0),
                    Job::Collect(0),
                    Job::Make("a"),
                    Job::Read("a"),
                ],
                None,
            ),
            (
                vec![
                    Job::Make("a"),
                    Job::Make("b"),
                    Job::Collect(LATE),
                    Job::Remove("a"),
                ],
                None,
            ),
            (
                vec![
                    Job::Remove("z"),
                    Job::Make("a"),
                    Job::Collect(LATE),
                    Job::Collect(0),
                ],
                Some("z"),
            ),
        ] {
            let walked = walk(&jobs, &start(document, has_links), 150);
            assert_eq!(walked, Ok(()), "{jobs:?}");
        }
    }
}

#[test]
fn the_orders_notice_a_step_that_is_left_out_of_collecting() {
    let _run = milepost_property::run("the orders notice a step that is left out of collecting");
    for fail in [Fail::NoWriters, Fail::OldReferences, Fail::EarlyWriters] {
        let jobs = [Job::Make("a"), Job::Collect(0)];
        let found = explore(&jobs, start(None, true), fail);
        assert_eq!(
            found,
            Err("a document lost its object".to_owned()),
            "{fail:?}"
        );
    }
}
