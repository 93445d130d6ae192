//! A file system in memory, and what power loss may leave of it; beside it records, which lose nothing.
//!
//! A file is a value, so that a disk is cheap to copy and to compare: adding to one puts another
//! one in its place, under each of its names.

mod change;
mod journal;
mod modes;
mod read;
mod records;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use milepost::effect::{Effect, Fault, Links, Outcome, Sync};

pub use journal::{Cuts, Journal, PowerLoss};
pub use records::Records;

/// The node that a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A regular file; two names may have the same.
    File(Rc<File>),
    /// A folder.
    Folder,
    /// A symbolic link, with what is in it. Nothing here follows one.
    Symlink(Rc<[u8]>),
    /// A pipe, or anything else that is no file.
    Pipe,
}

impl Node {
    /// A symbolic link that leads nowhere.
    pub fn dangling() -> Self {
        Node::Symlink(b"nowhere".as_slice().into())
    }
}

/// A file, as made, or added to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct File {
    /// The identity of the file, under all its names.
    id: u64,
    /// The content.
    pub bytes: Vec<u8>,
    /// The number of these bytes, from the first on, that are on stable storage.
    durable: usize,
    /// The time of its last write, as coarsely as the disk dates.
    changed_ms: u64,
}

/// Names and what they stand for. Paths are absolute.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    nodes: BTreeMap<Rc<str>, Node>,
    /// The changes since everything was durable; absent where no power is ever lost.
    journal: Option<Journal>,
    /// True if a file can have a second name.
    has_no_links: bool,
    /// The time, where the disk dates its files.
    clock_ms: Option<u64>,
    /// Permission bits, where the disk has any.
    modes: Option<modes::Modes>,
    /// The records, each of which is swapped in one step.
    pub records: Records,
}

/// A disk dates to this.
const GRAIN_MS: u64 = 2_000;

impl Disk {
    /// A disk with the folder `/` alone.
    pub fn new() -> Self {
        let mut disk = Disk::default();
        disk.nodes.insert("/".into(), Node::Folder);
        disk
    }

    /// Returns the disk without second names for files.
    #[must_use]
    pub fn without_links(mut self) -> Self {
        self.has_no_links = true;
        self
    }

    /// Everything is durable as it is now; from here on it is recorded what is not.
    pub fn settle(&mut self) {
        self.nodes = journal::durable(&self.nodes);
        self.journal = Some(Journal::new(self.nodes.clone()));
    }

    /// The changes that are not durable, after [`Disk::settle`].
    pub fn journal(&self) -> Option<&Journal> {
        self.journal.as_ref()
    }

    /// The disk that a power loss leaves, all of it durable.
    pub fn after(kept: BTreeMap<Rc<str>, Node>, like: &Disk) -> Self {
        let mut disk = Disk {
            nodes: kept,
            journal: None,
            has_no_links: like.has_no_links,
            clock_ms: like.clock_ms,
            modes: like.modes.clone(),
            records: like.records.clone(),
        };
        disk.settle();
        disk
    }

    /// Names and kinds and bytes, in one number.
    pub fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.nodes.hash(&mut hasher);
        self.records.hash(&mut hasher);
        hasher.finish()
    }

    /// Puts a file there, as another program would, with the folders above it.
    pub fn put(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        let file = self.new_file(path, bytes.into(), Sync::Durable);
        self.put_node(path, file);
        self.set_mode(path, 0o644);
    }

    /// Puts anything there, with the folders above it.
    pub fn put_node(&mut self, path: &str, node: Node) {
        let mut above = path;
        while let Some(parent) = parent(above) {
            if !self.nodes.contains_key(parent) {
                self.set(parent, Some(Node::Folder));
            }
            above = parent;
        }
        self.set(path, Some(node));
    }

    /// Sets the time. From then on files have dates, and can be surveyed.
    pub fn set_clock(&mut self, ms: f64) {
        self.clock_ms = Some(ms as u64);
    }

    /// Other bytes in a file that is there, as an editor writes them in place.
    pub fn write_in_place(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        let Some(Node::File(file)) = self.nodes.get(path) else {
            return;
        };
        let file = File {
            id: file.id,
            bytes: bytes.into(),
            durable: 0,
            changed_ms: self.date(),
        };
        self.set(path, Some(Node::File(Rc::new(file))));
    }

    /// Takes a name away.
    pub fn remove(&mut self, path: &str) -> Option<Node> {
        let node = self.nodes.get(path).cloned();
        if node.is_some() {
            self.set(path, None);
        }
        node
    }

    /// The node at a path.
    pub fn node(&self, path: &str) -> Option<&Node> {
        self.nodes.get(path)
    }

    /// The bytes of a file.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        match self.nodes.get(path)? {
            Node::File(file) => Some(&file.bytes),
            _ => None,
        }
    }

    /// Every file, by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.nodes.iter().filter_map(|(path, node)| match node {
            Node::File(file) => Some((&**path, &*file.bytes)),
            _ => None,
        })
    }

    /// The names in a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<Rc<str>> {
        let prefix = join(folder, "");
        let below = self.nodes.range(Rc::from(prefix.as_str())..);
        below
            .map_while(|(path, _)| path.strip_prefix(&*prefix))
            .filter(|name| !name.is_empty() && !name.contains('/'))
            .map(Rc::from)
            .collect()
    }

    /// A file of which only the beginning was written, by a process that died or had no space.
    pub fn create_in_part(&mut self, path: &str, bytes: &[u8], length: usize) {
        if self.has_parent(path) && !self.nodes.contains_key(path) {
            let part = bytes[..length.min(bytes.len())].to_vec();
            let file = self.new_file(path, part, Sync::Lazy);
            self.set(path, Some(file));
        }
    }

    /// Performs an effect on files or records; `None` for any other effect.
    pub fn perform(&mut self, effect: &Effect) -> Option<Outcome> {
        Some(match effect {
            Effect::Ascend { from, name } => self.ascend(from, name),
            Effect::Inspect { paths } => {
                Outcome::Entries(paths.iter().map(|path| self.entry(path)).collect())
            }
            Effect::Read { path, limit, links } => self.read(path, *limit, *links),
            Effect::ReadStart { path, limit } => self.part(path, 0, *limit, Links::Follow),
            Effect::Part {
                path,
                offset,
                length,
                links,
            } => self.part(path, *offset, *length, *links),
            Effect::ReadLink { path } => match self.nodes.get(&**path) {
                Some(Node::Symlink(target)) => Outcome::Bytes(target.to_vec()),
                Some(_) => failed(Fault::WrongKind),
                None => failed(Fault::NotFound),
            },
            Effect::MakeFolder { path, access } => {
                let made = self.add(path, Node::Folder);
                self.made(path, *access, made)
            }
            Effect::Create {
                path,
                bytes,
                sync,
                access,
            } => {
                let file = self.new_file(path, bytes.clone(), *sync);
                let made = self.add(path, file);
                self.made(path, *access, made)
            }
            Effect::Append { path, bytes, sync } => self.append(path, bytes, *sync),
            Effect::Symlink { path, target } => {
                self.add(path, Node::Symlink(target.as_slice().into()))
            }
            Effect::Rename { from, to } => self.rename(from, to),
            Effect::Link { from, to } => self.link(from, to),
            Effect::Remove { path } => match self.nodes.get(&**path) {
                Some(Node::Folder) => failed(Fault::WrongKind),
                Some(_) => {
                    self.set(path, None);
                    Outcome::Done
                }
                None => failed(Fault::NotFound),
            },
            Effect::RemoveFolder { path } => self.remove_folder(path),
            Effect::Restrict { path } => self.change_mode(path, true, |bits| bits & 0o700),
            Effect::SetMode {
                path,
                is_executable,
                permissions,
            } => self.change_mode(path, permissions.is_some(), |bits| {
                match (permissions, is_executable) {
                    (Some(permissions), _) => *permissions,
                    (None, true) => bits | (bits & 0o444) >> 2,
                    (None, false) => bits & !0o111,
                }
            }),
            Effect::List { path, limit } => self.list(path, *limit),
            Effect::SyncFolder { path } => {
                if let Some(journal) = &mut self.journal {
                    journal.sync(path);
                }
                Outcome::Done
            }
            Effect::Survey { folder, names } => self.survey(folder, names),
            Effect::Scan { folder, limit } => self.scan(folder, *limit as usize),
            effect => return self.records.perform(effect),
        })
    }

    fn set(&mut self, path: &str, node: Option<Node>) {
        if let Some(journal) = &mut self.journal {
            journal.record(vec![(path.into(), node.clone())]);
        }
        self.set_unrecorded(path, node);
    }

    fn set_unrecorded(&mut self, path: &str, node: Option<Node>) {
        match node {
            Some(node) => self.nodes.insert(path.into(), node),
            None => {
                if let Some(modes) = &mut self.modes {
                    modes.forget_folder(path);
                }
                self.nodes.remove(path)
            }
        };
    }

    /// A file's number comes from where and how it was made, so that equal runs have equal disks.
    fn new_file(&self, path: &str, bytes: Vec<u8>, sync: Sync) -> Node {
        let mut hasher = DefaultHasher::new();
        (path, &bytes).hash(&mut hasher);
        let mut id = hasher.finish();
        // One that was made alike is still there, under another name.
        while self
            .nodes
            .values()
            .any(|node| matches!(node, Node::File(file) if file.id == id))
        {
            id = id.wrapping_add(1);
        }
        Node::File(Rc::new(File {
            id,
            durable: match sync {
                Sync::Durable => bytes.len(),
                Sync::Lazy => 0,
            },
            bytes,
            changed_ms: self.date(),
        }))
    }

    fn date(&self) -> u64 {
        let clock = self.clock_ms.unwrap_or_default();
        clock - clock % GRAIN_MS
    }

    fn has_parent(&self, path: &str) -> bool {
        parent(path).is_some_and(|parent| self.nodes.get(parent) == Some(&Node::Folder))
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

/// The host's answer that an effect failed.
pub fn failed(fault: Fault) -> Outcome {
    Outcome::Failed {
        fault,
        detail: format!("simulated: {fault:?}"),
    }
}
