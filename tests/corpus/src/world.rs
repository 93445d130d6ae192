//! The world of a scenario: files in memory, clocks, chance, and faults at chosen effects.
//!
//! README.md describes it to the letter, since each language has one.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use milepost::effect::{Effect, Entry, Fault, Kind, Links, Outcome};

use crate::scenario::Setting;

type Inode = Rc<RefCell<Vec<u8>>>;

#[derive(Clone, Debug)]
enum Node {
    File(Inode),
    Folder,
    Symlink,
}

/// Files, clocks and chance. Paths are absolute.
#[derive(Debug)]
pub struct World {
    nodes: BTreeMap<String, Node>,
    now_ms: f64,
    chance: u32,
    /// Effects on files so far.
    performed: u64,
    setting: Setting,
}

impl World {
    /// The world as a scenario finds it.
    pub fn new(setting: Setting) -> Self {
        let mut world = World {
            nodes: BTreeMap::from([("/".to_owned(), Node::Folder)]),
            now_ms: setting.now_ms as f64,
            chance: setting.seed,
            performed: 0,
            setting,
        };
        let setting = world.setting.clone();
        for (path, bytes) in setting.files {
            world.put(&path, Some(bytes));
        }
        for path in setting.folders {
            world.add_parents(&path);
            world.nodes.insert(path, Node::Folder);
        }
        for path in setting.symlinks {
            world.add_parents(&path);
            world.nodes.insert(path, Node::Symlink);
        }
        world
    }

    /// Writes a file as another program would, or removes it.
    pub fn put(&mut self, path: &str, bytes: Option<Vec<u8>>) {
        match bytes {
            Some(bytes) => {
                self.add_parents(path);
                let inode = Rc::new(RefCell::new(bytes));
                self.nodes.insert(path.to_owned(), Node::File(inode));
            }
            None => {
                self.nodes.remove(path);
            }
        }
    }

    /// Moves the clocks.
    pub fn pass(&mut self, ms: i64) {
        self.now_ms += ms as f64;
    }

    /// Every file, by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, Vec<u8>)> {
        self.nodes.iter().filter_map(|(path, node)| match node {
            Node::File(inode) => Some((path.as_str(), inode.borrow().clone())),
            _ => None,
        })
    }

    /// The bytes of a file.
    pub fn file(&self, path: &str) -> Option<Vec<u8>> {
        match self.nodes.get(path)? {
            Node::File(inode) => Some(inode.borrow().clone()),
            _ => None,
        }
    }

    /// Performs one effect, or has it go wrong.
    pub fn perform(&mut self, effect: &Effect) -> Outcome {
        self.now_ms += self.setting.step_ms as f64;
        let is_on_files = !matches!(
            effect,
            Effect::Clock
                | Effect::Random { .. }
                | Effect::Wait { .. }
                | Effect::Print { .. }
                | Effect::Input { .. }
        );
        if !is_on_files {
            return self.answer(effect);
        }
        let number = self.performed;
        self.performed += 1;
        let faults = self.setting.faults.iter();
        let fault = faults
            .copied()
            .find(|it| it.at == number || it.for_good && it.at < number);
        match fault {
            None => self.answer(effect),
            Some(injected) => {
                if injected.done {
                    self.answer(effect);
                }
                failed(injected.fault)
            }
        }
    }

    fn answer(&mut self, effect: &Effect) -> Outcome {
        match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: self.now_ms,
                monotonic_ms: self.now_ms,
            },
            Effect::Random { length } => {
                Outcome::Bytes((0..*length).map(|_| self.random_byte()).collect())
            }
            Effect::Wait { ms } => {
                self.now_ms += f64::from(*ms);
                Outcome::Done
            }
            Effect::Ascend { from, name } => self.ascend(from, name),
            Effect::Inspect { paths } => {
                Outcome::Entries(paths.iter().map(|path| self.entry(path)).collect())
            }
            Effect::Read { path, limit, links } => self.read(path, *limit, *links),
            Effect::MakeFolder { path } => self.add(path, Node::Folder),
            Effect::Create { path, bytes, .. } => {
                self.add(path, Node::File(Rc::new(RefCell::new(bytes.clone()))))
            }
            Effect::Rename { from, to } => self.rename(from, to),
            Effect::Link { from, to } => match self.nodes.get(from).cloned() {
                Some(file @ Node::File(_)) => self.add(to, file),
                _ => failed(Fault::NotFound),
            },
            Effect::Remove { path } => match self.nodes.get(path) {
                Some(Node::File(_) | Node::Symlink) => {
                    self.nodes.remove(path);
                    Outcome::Done
                }
                Some(Node::Folder) => failed(Fault::WrongKind),
                None => failed(Fault::NotFound),
            },
            Effect::RemoveFolder { path } => self.remove_folder(path),
            Effect::List { path, limit } => self.list(path, *limit),
            Effect::SyncFolder { .. } | Effect::Print { .. } => Outcome::Done,
            Effect::Git { .. } => match &self.setting.git {
                Some(text) => Outcome::Bytes(text.clone().into_bytes()),
                None => failed(Fault::Unsupported),
            },
            Effect::Restrict { .. } | Effect::Input { .. } => failed(Fault::Unsupported),
        }
    }

    /// The lowest byte of the next state of xorshift32.
    fn random_byte(&mut self) -> u8 {
        let mut state = self.chance;
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        self.chance = state;
        state.to_le_bytes()[0]
    }

    fn ascend(&self, from: &str, name: &str) -> Outcome {
        let mut folder = from;
        loop {
            let kind = self.entry(&join(folder, name)).kind;
            if kind != Kind::Absent {
                return Outcome::Found {
                    folder: folder.to_owned(),
                    below: from[folder.len()..].trim_start_matches('/').to_owned(),
                    kind,
                };
            }
            match parent(folder) {
                Some(above) => folder = above,
                None => return failed(Fault::NotFound),
            }
        }
    }

    fn entry(&self, path: &str) -> Entry {
        let (kind, size) = match self.nodes.get(path) {
            None => (Kind::Absent, 0),
            Some(Node::File(inode)) => (Kind::File, inode.borrow().len() as u64),
            Some(Node::Folder) => (Kind::Folder, 0),
            Some(Node::Symlink) => (Kind::Symlink, 0),
        };
        Entry {
            kind,
            size,
            mode: None,
        }
    }

    fn read(&self, path: &str, limit: u32, links: Links) -> Outcome {
        match self.nodes.get(path) {
            Some(Node::File(inode)) if inode.borrow().len() > limit as usize => {
                failed(Fault::TooLarge)
            }
            Some(Node::File(inode)) => Outcome::Bytes(inode.borrow().clone()),
            Some(Node::Symlink) if links == Links::Refuse => failed(Fault::Symlink),
            None | Some(Node::Symlink) => failed(Fault::NotFound),
            Some(Node::Folder) => failed(Fault::WrongKind),
        }
    }

    fn add(&mut self, path: &str, node: Node) -> Outcome {
        let is_below_folder = parent(path).is_some_and(|parent| self.is_folder(parent));
        if !is_below_folder {
            return failed(Fault::NotFound);
        }
        if self.nodes.contains_key(path) {
            return failed(Fault::Exists);
        }
        self.nodes.insert(path.to_owned(), node);
        Outcome::Done
    }

    fn rename(&mut self, from: &str, to: &str) -> Outcome {
        let Some(Node::File(inode)) = self.nodes.get(from).cloned() else {
            return failed(Fault::NotFound);
        };
        match self.nodes.get(to) {
            // As POSIX has it: two names of one file stay both.
            Some(Node::File(there)) if Rc::ptr_eq(there, &inode) => return Outcome::Done,
            Some(Node::Folder) => return failed(Fault::WrongKind),
            _ => {}
        }
        self.nodes.remove(from);
        self.nodes.insert(to.to_owned(), Node::File(inode));
        Outcome::Done
    }

    fn remove_folder(&mut self, path: &str) -> Outcome {
        match self.nodes.get(path) {
            Some(Node::Folder) => {}
            Some(_) => return failed(Fault::WrongKind),
            None => return failed(Fault::NotFound),
        }
        let prefix = join(path, "");
        if self.nodes.keys().any(|other| other.starts_with(&prefix)) {
            return failed(Fault::Other);
        }
        self.nodes.remove(path);
        Outcome::Done
    }

    fn list(&self, path: &str, limit: u32) -> Outcome {
        if !self.is_folder(path) {
            return failed(Fault::NotFound);
        }
        let prefix = join(path, "");
        let below = self.nodes.keys();
        let mut names: Vec<String> = below
            .filter_map(|path| path.strip_prefix(&prefix))
            .filter(|name| !name.is_empty() && !name.contains('/'))
            .map(str::to_owned)
            .collect();
        let complete = names.len() < limit as usize;
        names.truncate(limit as usize);
        Outcome::Names { names, complete }
    }

    fn is_folder(&self, path: &str) -> bool {
        matches!(self.nodes.get(path), Some(Node::Folder))
    }

    fn add_parents(&mut self, path: &str) {
        let mut path = path;
        while let Some(above) = parent(path) {
            let above_all = self.nodes.entry(above.to_owned());
            above_all.or_insert(Node::Folder);
            path = above;
        }
    }
}

fn parent(path: &str) -> Option<&str> {
    match path.rsplit_once('/') {
        Some(("", "")) | None => None,
        Some(("", _)) => Some("/"),
        Some((parent, _)) => Some(parent),
    }
}

fn join(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.trim_end_matches('/'))
}

fn failed(fault: Fault) -> Outcome {
    Outcome::Failed {
        fault,
        detail: "as the scenario has it".to_owned(),
    }
}
