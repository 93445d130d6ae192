//! Every order in which a few writers can take their steps, with a crash of any of them anywhere.
//!
//! It is the code that ships that takes the steps. What a writer does next depends on nothing but
//! the outcomes that it has had, so a writer's state is its place in a tree of outcomes ([`tree`]),
//! and a state of the world is a disk and one such place for each writer. Each is visited once.
//!
//! The lock is a hint and left out: every order that it would forbid is tried as well. A listing of
//! tokens begins and ends, and shows no name that went in between: the least that a host may show.
//! Where listings are interrupted, one in which a name went shows nothing but the writer's own name,
//! and says that it is not whole.
//!
//! A crash is a writer who takes no more steps, so every disk on the way is one that a crash of any
//! writers leaves; each is looked at, and one more update has to come through on it.

mod tree;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::rc::Rc;

use milepost::effect::{Effect, Fault, Outcome};
use milepost::json::{self, Json};

use crate::Violation;
use crate::job::{DOCUMENT, ROOT, SIDE};
use crate::oracle::{history, left_over, unfinished};
use crate::writer;
use milepost_disk::{Disk, Node, failed};
use tree::{Settings, Tree};

/// The document that the writers find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// One of revision 1.
    Document,
    /// None, in folders that are there.
    Nothing,
}

/// The writers, and the state that they find.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The number of writers there are.
    pub writers: usize,
    /// The number of times that each begins before it gives up.
    pub tries: usize,
    /// The state that they find.
    pub start: Start,
    /// True if a file can have a second name.
    pub has_links: bool,
    /// True if a listing is interrupted by a name that goes during it.
    pub has_interruptions: bool,
    /// True if listings show what writers prepare, so that the one that commits removes it.
    pub shows_left: bool,
    /// True if ways are joined that a writer's memory cannot distinguish.
    pub joins: bool,
}

impl Setting {
    /// So many writers with so many tries, on a file system with links.
    pub fn new(writers: usize, tries: usize, start: Start) -> Self {
        Self {
            writers,
            tries,
            start,
            has_links: true,
            has_interruptions: false,
            shows_left: false,
            joins: true,
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tries = if self.tries == 1 { "try" } else { "tries" };
        let start = match self.start {
            Start::Document => "from a document",
            Start::Nothing => "from nothing",
        };
        write!(
            f,
            "{} writers × {} {tries} {start}",
            self.writers, self.tries
        )?;
        if !self.has_links {
            f.write_str(", no links")?;
        }
        if self.has_interruptions {
            f.write_str(", interrupted listings")?;
        }
        if self.shows_left {
            f.write_str(", what is prepared is seen")?;
        }
        Ok(())
    }
}

/// The number of places that were visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visited {
    /// States of the world.
    pub states: usize,
    /// Steps between them.
    pub steps: usize,
    /// Disks among them, each of which a crash may leave.
    pub disks: usize,
    /// One number for these disks, in any order.
    pub digest: u64,
}

const MOST_WRITERS: usize = 4;

/// A disk, where each writer is, and the listing that it has begun.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    disk: u32,
    places: [Settings; MOST_WRITERS],
    listings: [Option<u32>; MOST_WRITERS],
}

/// Visits every state that can be reached.
///
/// # Errors
///
/// The first violation.
pub fn explore(setting: Setting) -> Result<Visited, Violation> {
    let mut explorer = Explorer::new(setting);
    explorer.all().map_err(|what| Violation {
        origin: setting.to_string(),
        what,
    })
}

struct Explorer {
    setting: Setting,
    tree: Tree,
    disks: Vec<Rc<Disk>>,
    disk_numbers: HashMap<u64, u32>,
    listings: Vec<BTreeSet<Rc<str>>>,
    listing_numbers: HashMap<BTreeSet<Rc<str>>, u32>,
    visited: HashSet<State>,
    open: Vec<State>,
}

impl Explorer {
    fn new(setting: Setting) -> Self {
        Explorer {
            setting,
            tree: Tree::new(setting.tries, setting.joins, setting.shows_left),
            disks: Vec::new(),
            disk_numbers: HashMap::new(),
            listings: Vec::new(),
            listing_numbers: HashMap::new(),
            visited: HashSet::new(),
            open: Vec::new(),
        }
    }

    fn all(&mut self) -> Result<Visited, String> {
        let disk = start(self.setting);
        let mut places = [Settings::NONE; MOST_WRITERS];
        for (writer, place) in places.iter_mut().take(self.setting.writers).enumerate() {
            *place = self.tree.root(writer)?;
        }
        let first = State {
            disk: self.disk_number(disk),
            places,
            listings: [None; MOST_WRITERS],
        };
        self.visit(first);
        let mut steps = 0;
        while let Some(state) = self.open.pop() {
            for writer in 0..self.setting.writers {
                steps += usize::from(self.go_on(state, writer)?);
            }
        }
        for disk in &self.disks {
            self.in_peace(disk)?;
        }
        Ok(Visited {
            states: self.visited.len(),
            steps,
            disks: self.disks.len(),
            digest: self.disk_numbers.keys().fold(0, |sum, one| sum ^ one),
        })
    }

    fn visit(&mut self, state: State) {
        if self.visited.insert(state) {
            self.open.push(state);
        }
    }

    /// The next step of a writer, with all that no other can see; returns whether there is one.
    fn go_on(&mut self, state: State, writer: usize) -> Result<bool, String> {
        let place = state.places[writer];
        let Some(effect) = self.tree.effect(place) else {
            return Ok(false);
        };
        let mut next = state;
        let before = Rc::clone(&self.disks[state.disk as usize]);
        let outcome = match (&*effect, state.listings[writer]) {
            (Effect::List { path, .. }, None) if path.ends_with("/tokens") => {
                let names = before.names(path).into_iter().collect();
                next.listings[writer] = Some(self.listing_number(names));
                self.visit(next);
                return Ok(true);
            }
            (Effect::List { path, .. }, Some(begun)) => {
                next.listings[writer] = None;
                let begun = &self.listings[begun as usize];
                let names = before.names(path);
                let goes = begun.iter().any(|name| !names.contains(name));
                match goes && self.setting.has_interruptions {
                    true => interrupted(names.into_iter(), writer),
                    false => self.seen(names.into_iter().filter(|name| begun.contains(name))),
                }
            }
            (Effect::List { path, .. }, None) => self.seen(before.names(path).into_iter()),
            (effect, _) => {
                if let Effect::Create { path, bytes, .. } = effect {
                    let mut torn = (*before).clone();
                    torn.create_in_part(path, bytes, 0);
                    self.disk_number(torn);
                }
                let mut disk = (*before).clone();
                let outcome = disk.perform(effect);
                if disk.digest() != before.digest() {
                    check_document(&before, &disk, writer)?;
                    next.disk = self.disk_number(disk);
                }
                outcome.unwrap_or(failed(Fault::Unsupported))
            }
        };
        next.places[writer] = self.tree.after(writer, place, outcome)?;
        if self.tree.is_unseen(next.places[writer]) {
            return self.go_on(next, writer);
        }
        self.visit(next);
        Ok(true)
    }

    /// All writers have stopped: one more update has to come through, and to leave no token; and the one after
    /// that nothing.
    fn in_peace(&self, disk: &Disk) -> Result<(), String> {
        let mut after = disk.clone();
        let mut add = |writer| {
            writer::add_in_peace(writer, &mut after)
                .map_err(|error| format!("a writer in peace does not come through: {error}"))?;
            left_over(&after)?;
            Ok::<_, String>(after.clone())
        };
        check_document(disk, &add(self.setting.writers)?, self.setting.writers)?;
        unfinished(&add(MOST_WRITERS + 1)?)
    }

    /// A listing; what others prepare decides nothing before the commit, and is in it only where it
    /// is to be removed after that.
    fn seen(&self, names: impl Iterator<Item = Rc<str>>) -> Outcome {
        let names = names.filter(|name| self.setting.shows_left || !tree::is_left(name));
        Outcome::Names {
            names: names.map(|name| name.to_string()).collect(),
            complete: true,
        }
    }

    fn disk_number(&mut self, disk: Disk) -> u32 {
        let next = self.disks.len() as u32;
        let number = *self.disk_numbers.entry(disk.digest()).or_insert(next);
        if number == next {
            self.disks.push(Rc::new(disk));
        }
        number
    }

    fn listing_number(&mut self, names: BTreeSet<Rc<str>>) -> u32 {
        let next = self.listings.len() as u32;
        let number = *self.listing_numbers.entry(names.clone()).or_insert(next);
        if number == next {
            self.listings.push(names);
        }
        number
    }
}

/// A listing that ended before it came to any name but the writer's own.
fn interrupted(names: impl Iterator<Item = Rc<str>>, writer: usize) -> Outcome {
    let own = format!("{:02x}", tree::first_byte(writer));
    let names = names.filter(|name| name.starts_with(&own));
    Outcome::Names {
        names: names.map(|name| name.to_string()).collect(),
        complete: false,
    }
}

/// Checks what a step made of the document.
fn check_document(before: &Disk, after: &Disk, writer: usize) -> Result<(), String> {
    let (replaced, stored) = (before.bytes(DOCUMENT), after.bytes(DOCUMENT));
    if replaced == stored {
        return Ok(());
    }
    let (revision, found) = members(stored.ok_or("the document was removed")?)?;
    let (former, mut expected) = match replaced {
        None => (0, BTreeSet::new()),
        Some(replaced) if !history(after).any(|kept| kept == replaced) => {
            return Err(format!("writer {writer} replaced what is not in history"));
        }
        Some(replaced) => members(replaced)?,
    };
    expected.insert(writer::key(writer));
    if found != expected {
        return Err(format!(
            "writer {writer} made {found:?}, expected {expected:?}: another change is lost"
        ));
    }
    match revision > former {
        true => Ok(()),
        false => Err(format!("revision {former} was followed by {revision}")),
    }
}

/// The disk that the writers find.
fn start(setting: Setting) -> Disk {
    let mut disk = Disk::new();
    if !setting.has_links {
        disk = disk.without_links();
    }
    disk.put_node(ROOT, Node::Folder);
    match setting.start {
        Start::Document => {
            let first = writer::add_in_peace(MOST_WRITERS, &mut disk);
            assert!(first.is_ok(), "the first update failed: {first:?}");
        }
        Start::Nothing => {
            disk.put_node(&format!("{SIDE}/tokens"), Node::Folder);
            disk.put_node(&format!("{SIDE}/history"), Node::Folder);
        }
    }
    disk
}

/// The revision of a document, and the names of what the writers put into it.
fn members(bytes: &[u8]) -> Result<(u64, BTreeSet<String>), String> {
    let Ok(Json::Object(object)) = json::read(bytes).map(|reading| reading.value) else {
        return Err("the document is torn".to_owned());
    };
    let revision = object.get("revision").and_then(Json::as_u64);
    let names = object.iter().map(|(name, _)| name.to_owned());
    let names = names.filter(|name| name != "revision" && name != "seal");
    Ok((revision.ok_or("there is no revision")?, names.collect()))
}
