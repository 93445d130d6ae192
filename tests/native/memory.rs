//! A host in memory: a file system, clocks that the test moves, and faults at chosen effects.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use milepost::effect::{Effect, Entry, Fault, Kind, Links, Machine, Outcome, Step};

type Inode = Rc<RefCell<Vec<u8>>>;

#[derive(Clone, Debug)]
pub(crate) enum Node {
    File(Inode),
    Folder,
    Symlink,
    Pipe,
}

/// A fault that is put in place of an effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Injected {
    /// The effect's number, from 0.
    pub(crate) at: usize,
    /// Whether every later effect fails as well.
    pub(crate) for_good: bool,
    pub(crate) fault: Fault,
}

/// The world that operations work in. Paths are absolute.
pub(crate) struct Memory {
    pub(crate) nodes: RefCell<BTreeMap<String, Node>>,
    pub(crate) now_ms: Cell<f64>,
    chance: Cell<u64>,
    pub(crate) performed: Cell<usize>,
    pub(crate) injected: Cell<Option<Injected>>,
    /// Every effect, for tests that look at their order.
    pub(crate) log: RefCell<Vec<String>>,
    pub(crate) has_links: Cell<bool>,
    /// Whether the lock's file can be made.
    pub(crate) has_locks: Cell<bool>,
    /// Whether folders above lie beyond what the host may see.
    pub(crate) has_edge: Cell<bool>,
}

impl Memory {
    /// A world with the folder `/repo`.
    pub(crate) fn new() -> Self {
        let nodes = [("/", Node::Folder), ("/repo", Node::Folder)];
        Memory {
            nodes: RefCell::new(nodes.map(|(path, node)| (path.to_owned(), node)).into()),
            now_ms: Cell::new(1_800_000_000_000.0),
            chance: Cell::new(0x9E37_79B9_7F4A_7C15),
            performed: Cell::new(0),
            injected: Cell::new(None),
            log: RefCell::new(Vec::new()),
            has_links: Cell::new(true),
            has_locks: Cell::new(true),
            has_edge: Cell::new(false),
        }
    }

    pub(crate) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        self.make_parents(path);
        let inode = Rc::new(RefCell::new(bytes.as_ref().to_owned()));
        self.nodes
            .borrow_mut()
            .insert(path.to_owned(), Node::File(inode));
    }

    pub(crate) fn put_node(&self, path: &str, node: Node) {
        self.make_parents(path);
        self.nodes.borrow_mut().insert(path.to_owned(), node);
    }

    fn make_parents(&self, path: &str) {
        for (at, _) in path.match_indices('/').skip(1) {
            self.nodes
                .borrow_mut()
                .entry(path[..at].to_owned())
                .or_insert(Node::Folder);
        }
    }

    pub(crate) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        match self.nodes.borrow().get(path) {
            Some(Node::File(inode)) => Some(inode.borrow().clone()),
            _ => None,
        }
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path).unwrap_or_else(|| panic!("no file {path}"))).unwrap()
    }

    pub(crate) fn delete(&self, path: &str) {
        self.nodes.borrow_mut().remove(path);
    }

    /// The files below a folder, without it in their names.
    pub(crate) fn files_below(&self, folder: &str) -> Vec<String> {
        let prefix = format!("{folder}/");
        let nodes = self.nodes.borrow();
        let files = nodes
            .iter()
            .filter(|(_, node)| matches!(node, Node::File(_)));
        files
            .filter_map(|(path, _)| path.strip_prefix(&prefix))
            .map(str::to_owned)
            .collect()
    }

    /// Runs one operation to its end.
    pub(crate) fn run<T>(&self, machine: Machine<T>) -> T {
        machine.run(|effect| self.perform(&effect))
    }

    /// Runs several operations, one effect at a time in an order that the seed decides.
    pub(crate) fn interleave<T>(&self, machines: Vec<Machine<T>>, seed: u64) -> Vec<T> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut running: Vec<(usize, Machine<T>)> = machines.into_iter().enumerate().collect();
        let mut done: Vec<(usize, T)> = Vec::new();
        while !running.is_empty() {
            let turn = random.usize(..running.len());
            let (number, machine) = &mut running[turn];
            match machine.step().unwrap() {
                Step::Effect(effect) => {
                    let outcome = self.perform(&effect);
                    machine.resume(outcome).unwrap();
                }
                Step::Done(value) => {
                    done.push((*number, value));
                    running.swap_remove(turn);
                }
            }
        }
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, value)| value).collect()
    }

    pub(crate) fn perform(&self, effect: &Effect) -> Outcome {
        let number = self.performed.replace(self.performed.get() + 1);
        self.log.borrow_mut().push(format!("{effect:?}"));
        self.now_ms.set(self.now_ms.get() + 0.01);
        if let Some(Injected {
            at,
            for_good,
            fault,
        }) = self.injected.get()
            && (number == at || for_good && number > at)
            && !matches!(
                effect,
                Effect::Clock | Effect::Random { .. } | Effect::Wait { .. }
            )
        {
            return failed(fault);
        }
        self.answer(effect)
    }

    fn answer(&self, effect: &Effect) -> Outcome {
        match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: self.now_ms.get(),
                monotonic_ms: self.now_ms.get(),
            },
            Effect::Random { length } => {
                let mut random = fastrand::Rng::with_seed(self.chance.get());
                let bytes = (0..*length).map(|_| random.u8(..)).collect();
                self.chance.set(random.u64(..));
                Outcome::Bytes(bytes)
            }
            Effect::Wait { ms } => {
                self.now_ms.set(self.now_ms.get() + f64::from(*ms));
                Outcome::Done
            }
            Effect::Ascend { from, name } => self.ascend(from, name),
            Effect::Inspect { paths } => {
                Outcome::Entries(paths.iter().map(|path| self.entry(path)).collect())
            }
            Effect::Read { path, limit, links } => self.read(path, *limit, *links),
            Effect::MakeFolder { path } => self.add(path, Node::Folder),
            Effect::Create { path, .. } if path.ends_with("/lock") && !self.has_locks.get() => {
                failed(Fault::Other)
            }
            Effect::Create { path, bytes, .. } => {
                self.add(path, Node::File(Rc::new(RefCell::new(bytes.clone()))))
            }
            Effect::Rename { from, to } => self.rename(from, to),
            Effect::Link { from, to } => self.link(from, to),
            Effect::Remove { path } => self.remove(path),
            Effect::RemoveFolder { path } => self.remove_folder(path),
            Effect::List { path, limit } => self.list(path, *limit),
            Effect::SyncFolder { .. } => Outcome::Done,
            Effect::Restrict { .. }
            | Effect::Git { .. }
            | Effect::Input { .. }
            | Effect::Print { .. } => failed(Fault::Unsupported),
        }
    }

    fn ascend(&self, from: &str, name: &str) -> Outcome {
        let mut folder = from.to_owned();
        loop {
            let kind = self
                .entry(&format!("{}/{name}", folder.trim_end_matches('/')))
                .kind;
            if kind != Kind::Absent {
                let below = from[folder.len()..].trim_start_matches('/').to_owned();
                return Outcome::Found {
                    folder,
                    below,
                    kind,
                };
            }
            match folder.rfind('/') {
                Some(0) if folder.len() > 1 => folder.truncate(1),
                Some(at) if at > 0 => folder.truncate(at),
                _ if self.has_edge.get() => return failed(Fault::Unsupported),
                _ => return failed(Fault::NotFound),
            }
        }
    }

    fn entry(&self, path: &str) -> Entry {
        let nodes = self.nodes.borrow();
        let (kind, size) = match nodes.get(path) {
            None => (Kind::Absent, 0),
            Some(Node::File(inode)) => (Kind::File, inode.borrow().len() as u64),
            Some(Node::Folder) => (Kind::Folder, 0),
            Some(Node::Symlink) => (Kind::Symlink, 0),
            Some(Node::Pipe) => (Kind::Other, 0),
        };
        Entry {
            kind,
            size,
            mode: None,
        }
    }

    fn read(&self, path: &str, limit: u32, links: Links) -> Outcome {
        match self.nodes.borrow().get(path) {
            Some(Node::File(inode)) if inode.borrow().len() > limit as usize => {
                failed(Fault::TooLarge)
            }
            Some(Node::File(inode)) => Outcome::Bytes(inode.borrow().clone()),
            Some(Node::Symlink) if links == Links::Refuse => failed(Fault::Symlink),
            None | Some(Node::Symlink) => failed(Fault::NotFound),
            Some(Node::Folder | Node::Pipe) => failed(Fault::WrongKind),
        }
    }

    fn has_parent(&self, path: &str) -> bool {
        let parent = match path.rsplit_once('/') {
            Some(("", _)) | None => "/",
            Some((parent, _)) => parent,
        };
        self.entry(parent).kind == Kind::Folder
    }

    fn add(&self, path: &str, node: Node) -> Outcome {
        if !self.has_parent(path) {
            return failed(Fault::NotFound);
        }
        if self.nodes.borrow().contains_key(path) {
            return failed(Fault::Exists);
        }
        self.nodes.borrow_mut().insert(path.to_owned(), node);
        Outcome::Done
    }

    fn rename(&self, from: &str, to: &str) -> Outcome {
        let mut nodes = self.nodes.borrow_mut();
        let Some(Node::File(inode)) = nodes.get(from).cloned() else {
            return failed(Fault::NotFound);
        };
        // As POSIX has it: two names of one file stay both.
        if let Some(Node::File(there)) = nodes.get(to)
            && Rc::ptr_eq(there, &inode)
        {
            return Outcome::Done;
        }
        nodes.remove(from);
        nodes.insert(to.to_owned(), Node::File(inode));
        Outcome::Done
    }

    fn link(&self, from: &str, to: &str) -> Outcome {
        if !self.has_links.get() {
            return failed(Fault::Unsupported);
        }
        let node = self.nodes.borrow().get(from).cloned();
        match node {
            Some(file @ Node::File(_)) => self.add(to, file),
            _ => failed(Fault::NotFound),
        }
    }

    fn remove(&self, path: &str) -> Outcome {
        match self.entry(path).kind {
            Kind::Absent => failed(Fault::NotFound),
            Kind::Folder => failed(Fault::WrongKind),
            _ => {
                self.nodes.borrow_mut().remove(path);
                Outcome::Done
            }
        }
    }

    fn remove_folder(&self, path: &str) -> Outcome {
        let prefix = format!("{path}/");
        let mut nodes = self.nodes.borrow_mut();
        match nodes.get(path) {
            Some(Node::Folder) => {}
            Some(_) => return failed(Fault::WrongKind),
            None => return failed(Fault::NotFound),
        }
        if nodes.keys().any(|other| other.starts_with(&prefix)) {
            return failed(Fault::Other);
        }
        nodes.remove(path);
        Outcome::Done
    }

    fn list(&self, path: &str, limit: u32) -> Outcome {
        if self.entry(path).kind != Kind::Folder {
            return failed(Fault::NotFound);
        }
        let prefix = format!("{}/", path.trim_end_matches('/'));
        let nodes = self.nodes.borrow();
        let below = nodes.keys().filter_map(|path| path.strip_prefix(&prefix));
        let mut names: Vec<String> = below
            .filter(|name| !name.is_empty() && !name.contains('/'))
            .map(str::to_owned)
            .collect();
        let complete = names.len() < limit as usize;
        names.truncate(limit as usize);
        Outcome::Names { names, complete }
    }
}

fn failed(fault: Fault) -> Outcome {
    Outcome::Failed {
        fault,
        detail: format!("injected or simulated: {fault:?}"),
    }
}
