//! The changes that are not durable yet, and every state that a power loss may leave.
//!
//! Two file systems are simulated. The loosest keeps of each name that changed since its folder was
//! synced any state that it had since. The orderly one, as journaling file systems are, keeps all
//! changes up to some moment. Of what was not synced in a file, either keeps any beginning.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::{File, Node, parent};

type Nodes = BTreeMap<Rc<str>, Node>;
/// A name, and what it stands for from then on.
type Change = (Rc<str>, Option<Node>);

/// Everything that changed since all was durable.
#[derive(Clone, Debug)]
pub struct Journal {
    start: Nodes,
    /// Those of one effect belong together.
    changes: Vec<Vec<Change>>,
    /// For each folder, how many changes there were when it was synced last.
    synced: BTreeMap<Rc<str>, usize>,
    /// The number of times that bytes were added to a file.
    added: usize,
}

/// The ends that a file may have that was not written, or not made durable, to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cuts {
    /// At every byte.
    Every,
    /// At its beginning, after one byte, in the middle, and one byte before its end.
    Few,
}

impl Cuts {
    /// Those of these lengths, from the shortest on.
    pub fn lengths(self, all: Range<usize>) -> Vec<usize> {
        match self {
            Cuts::Every => all.collect(),
            Cuts::Few => {
                let last = all.end.saturating_sub(1);
                let middle = all.start + all.len() / 2;
                let mut few = vec![all.start, all.start + 1, middle, last];
                few.retain(|length| all.contains(length));
                few.sort_unstable();
                few.dedup();
                few
            }
        }
    }
}

/// The names that a power loss leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PowerLoss {
    /// Of each name any state since its folder was synced, on its own.
    Any,
    /// All changes up to some moment, at the earliest that of the last sync.
    InOrder,
}

impl Journal {
    pub(super) fn new(start: Nodes) -> Self {
        Journal {
            start,
            changes: Vec::new(),
            synced: BTreeMap::new(),
            added: 0,
        }
    }

    pub(super) fn record(&mut self, changes: Vec<Change>) {
        self.changes.push(changes);
    }

    /// Every state of a name that may come back, for a process that adds to a file.
    pub(super) fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.added += 1;
        let changed = self.changes.iter_mut().flatten();
        let changed = changed.filter_map(|(_, node)| node.as_mut());
        self.start.values_mut().chain(changed)
    }

    /// Changes whenever what may be lost changes.
    pub fn moment(&self) -> (usize, usize) {
        (
            self.changes.len(),
            self.synced.values().sum::<usize>() + self.added,
        )
    }

    pub(super) fn sync(&mut self, folder: &str) {
        self.synced.insert(folder.into(), self.changes.len());
    }

    /// Calls `visit` with every state that a power loss at this moment may leave, each once per way
    /// to it. Of files that are not synced the beginnings that `cuts` says are tried, with the others
    /// whole, and with the others empty.
    pub fn every_loss(&self, kept: PowerLoss, cuts: Cuts, visit: &mut dyn FnMut(Nodes)) {
        match kept {
            PowerLoss::InOrder => {
                for until in self.last_sync()..=self.changes.len() {
                    every_beginning(&whole(self.replayed(until)), cuts, visit);
                }
            }
            PowerLoss::Any => {
                let names: Vec<(Rc<str>, Vec<Option<Node>>)> = self.loose().into_iter().collect();
                let mut chosen = self.start.clone();
                every_choice(&names, &mut chosen, &mut |nodes| {
                    every_beginning(&whole(nodes.clone()), cuts, visit);
                });
            }
        }
    }

    /// One state that a power loss at this moment may leave.
    pub fn loss(&self, kept: PowerLoss, random: &mut fastrand::Rng) -> Nodes {
        let nodes = match kept {
            PowerLoss::InOrder => {
                self.replayed(random.usize(self.last_sync()..=self.changes.len()))
            }
            PowerLoss::Any => {
                let mut nodes = self.start.clone();
                for (name, states) in self.loose() {
                    let state = states[random.usize(..states.len())].clone();
                    set(&mut nodes, &name, state);
                }
                self.keep_folders_together(&mut nodes, random);
                nodes
            }
        };
        let nodes = whole(nodes);
        let lengths: BTreeMap<u64, usize> = unsynced(&nodes)
            .map(|file| (file.id, random.usize(file.durable..=file.bytes.len())))
            .collect();
        cut(&nodes, |file| lengths[&file.id])
    }

    /// The rename of a folder is one name that changes, so that what is in it is moved as a whole or not at
    /// all. Only what was changed since is left to chance.
    fn keep_folders_together(&self, nodes: &mut Nodes, random: &mut fastrand::Rng) {
        for (at, changes) in self.changes.iter().enumerate() {
            // The folder itself comes last, after all that is in it.
            let [.., (from, None), (to, Some(Node::Folder))] = &changes[..] else {
                continue;
            };
            let is_synced = |name: &Rc<str>| {
                let until = parent(name).and_then(|folder| self.synced.get(folder));
                until.is_some_and(|until| at < *until)
            };
            let until = match is_synced(from) || is_synced(to) || random.bool() {
                true => at + 1,
                false => at,
            };
            let states = self.replayed(until);
            let later = &self.changes[at + 1..];
            for (name, _) in changes {
                if !later.iter().flatten().any(|(other, _)| other == name) {
                    set(nodes, name, states.get(name).cloned());
                }
            }
        }
    }

    fn last_sync(&self) -> usize {
        self.synced.values().copied().max().unwrap_or(0)
    }

    fn replayed(&self, until: usize) -> Nodes {
        let mut nodes = self.start.clone();
        for (name, node) in self.changes[..until].iter().flatten() {
            set(&mut nodes, name, node.clone());
        }
        nodes
    }

    /// For each name that ever changed, the states that it may be in.
    fn loose(&self) -> BTreeMap<Rc<str>, Vec<Option<Node>>> {
        let mut states: BTreeMap<Rc<str>, Vec<Option<Node>>> = BTreeMap::new();
        for (at, (name, node)) in self
            .changes
            .iter()
            .enumerate()
            .flat_map(|(at, changes)| changes.iter().map(move |change| (at, change)))
        {
            let synced = parent(name).and_then(|folder| self.synced.get(folder));
            let is_durable = synced.is_some_and(|until| at < *until);
            let states = states
                .entry(Rc::clone(name))
                .or_insert_with(|| vec![self.start.get(name).cloned()]);
            if is_durable {
                states.clear();
            }
            if !states.contains(node) {
                states.push(node.clone());
            }
        }
        states
    }
}

fn set(nodes: &mut Nodes, name: &Rc<str>, node: Option<Node>) {
    match node {
        Some(node) => nodes.insert(Rc::clone(name), node),
        None => nodes.remove(name),
    };
}

/// Without names below a folder that is gone.
fn whole(mut nodes: Nodes) -> Nodes {
    // A folder comes before what is in it.
    let names: Vec<Rc<str>> = nodes.keys().cloned().collect();
    for name in names {
        let is_lost = parent(&name).is_some_and(|above| nodes.get(above) != Some(&Node::Folder));
        if is_lost {
            nodes.remove(&name);
        }
    }
    nodes
}

fn every_choice(
    names: &[(Rc<str>, Vec<Option<Node>>)],
    chosen: &mut Nodes,
    visit: &mut dyn FnMut(&Nodes),
) {
    let Some(((name, states), rest)) = names.split_first() else {
        return visit(chosen);
    };
    for state in states {
        set(chosen, name, state.clone());
        every_choice(rest, chosen, visit);
    }
}

fn every_beginning(nodes: &Nodes, cuts: Cuts, visit: &mut dyn FnMut(Nodes)) {
    visit(durable(nodes));
    let others: &[bool] = match unsynced(nodes).count() {
        1 => &[true],
        _ => &[true, false],
    };
    for cut_file in unsynced(nodes) {
        for length in cuts.lengths(cut_file.durable..cut_file.bytes.len()) {
            for &others_whole in others {
                visit(cut(nodes, |file| match () {
                    () if file.id == cut_file.id => length,
                    () if others_whole => file.bytes.len(),
                    () => file.durable,
                }));
            }
        }
    }
}

fn unsynced(nodes: &Nodes) -> impl Iterator<Item = &Rc<File>> {
    nodes.values().filter_map(|node| match node {
        Node::File(file) if file.durable < file.bytes.len() => Some(file),
        _ => None,
    })
}

/// The names unchanged, with every file on stable storage.
pub(super) fn durable(nodes: &Nodes) -> Nodes {
    cut(nodes, |file| file.bytes.len())
}

/// Shortens the files that are not synced; what is left is durable.
fn cut(nodes: &Nodes, length: impl Fn(&File) -> usize) -> Nodes {
    let cut = |node: &Node| match node {
        Node::File(file) if file.durable < file.bytes.len() => Node::File(Rc::new(File {
            id: file.id,
            bytes: file.bytes[..length(file)].to_vec(),
            durable: length(file),
            changed_ms: file.changed_ms,
        })),
        node => node.clone(),
    };
    nodes
        .iter()
        .map(|(name, node)| (Rc::clone(name), cut(node)))
        .collect()
}
