//! A file system in memory, and what power loss may leave of it; beside it records, which lose nothing.
//!
//! A file is a value, so that a disk is cheap to copy and to compare: adding to one puts another
//! one in its place, under each of its names.

mod journal;
mod modes;
mod records;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use milepost::effect::{Effect, Entry, Fault, Kind, Links, Outcome, Scanned, Sync};

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
    /// When it was written, as coarsely as the disk dates.
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
            Some(Node::File(file)) => (Kind::File, file.bytes.len() as u64),
            Some(Node::Folder) => (Kind::Folder, 0),
            Some(Node::Symlink(_)) => (Kind::Symlink, 0),
            Some(Node::Pipe) => (Kind::Other, 0),
        };
        Entry {
            kind,
            size,
            mode: self.mode(path),
        }
    }

    fn read(&self, path: &str, limit: u32, links: Links) -> Outcome {
        match self.nodes.get(path) {
            Some(Node::File(file)) if file.bytes.len() > limit as usize => failed(Fault::TooLarge),
            Some(Node::File(file)) => Outcome::Bytes(file.bytes.clone()),
            Some(Node::Symlink(_)) if links == Links::Refuse => failed(Fault::Symlink),
            None | Some(Node::Symlink(_)) => failed(Fault::NotFound),
            Some(Node::Folder | Node::Pipe) => failed(Fault::WrongKind),
        }
    }

    fn part(&self, path: &str, offset: u64, length: u32, links: Links) -> Outcome {
        match self.read(path, u32::MAX, links) {
            Outcome::Bytes(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..));
                let part = rest.unwrap_or_default();
                Outcome::Bytes(part[..part.len().min(length as usize)].to_vec())
            }
            failed => failed,
        }
    }

    /// All names of the file have the bytes from then on, in what a loss of power leaves too.
    fn append(&mut self, path: &str, bytes: &[u8], sync: Sync) -> Outcome {
        let file = match self.nodes.get(path) {
            Some(Node::File(file)) => Rc::clone(file),
            Some(Node::Symlink(_)) => return failed(Fault::Symlink),
            Some(Node::Folder | Node::Pipe) => return failed(Fault::WrongKind),
            None => return failed(Fault::NotFound),
        };
        let whole = [&file.bytes, bytes].concat();
        let longer = Rc::new(File {
            id: file.id,
            durable: match sync {
                Sync::Durable => whole.len(),
                Sync::Lazy => file.durable,
            },
            bytes: whole,
            changed_ms: self.date(),
        });
        let journal = self.journal.iter_mut().flat_map(Journal::nodes_mut);
        for node in self.nodes.values_mut().chain(journal) {
            if matches!(node, Node::File(it) if it.id == file.id && it.bytes == file.bytes) {
                *node = Node::File(Rc::clone(&longer));
            }
        }
        Outcome::Done
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

    fn survey(&self, folder: &str, names: &[String]) -> Outcome {
        if self.clock_ms.is_none() {
            return failed(Fault::Unsupported);
        }
        let trace = |name: &String| match self.nodes.get(&*join(folder, name)) {
            Some(Node::File(file)) => {
                format!("{} {} {}", file.changed_ms, file.bytes.len(), file.id)
            }
            _ => String::new(),
        };
        Outcome::Names {
            names: names.iter().map(trace).collect(),
            complete: true,
        }
    }

    fn scan(&self, folder: &str, limit: usize) -> Outcome {
        let folder = folder.strip_suffix("/.").unwrap_or(folder);
        match self.nodes.get(folder) {
            Some(Node::Folder) => {}
            Some(Node::Symlink(_)) => return failed(Fault::Symlink),
            Some(_) => return failed(Fault::WrongKind),
            None => return failed(Fault::NotFound),
        }
        let names = self.names(folder);
        let scanned = |name: &Rc<str>| {
            let path = join(folder, name);
            let file = match self.nodes.get(&*path) {
                Some(Node::File(file)) => Some(file),
                _ => None,
            };
            let changed_ms = file.map_or(0.0, |file| file.changed_ms as f64);
            Scanned {
                name: name.to_string(),
                entry: self.entry(&path),
                modified_ms: changed_ms,
                changed_ms: match self.clock_ms {
                    Some(_) => changed_ms,
                    None => f64::NAN,
                },
                number: file.map_or(0, |file| file.id),
            }
        };
        Outcome::Scanned {
            entries: names.iter().take(limit).map(scanned).collect(),
            complete: names.len() <= limit,
        }
    }

    fn has_parent(&self, path: &str) -> bool {
        parent(path).is_some_and(|parent| self.nodes.get(parent) == Some(&Node::Folder))
    }

    fn add(&mut self, path: &str, node: Node) -> Outcome {
        if !self.has_parent(path) {
            return failed(Fault::NotFound);
        }
        if self.nodes.contains_key(path) {
            return failed(Fault::Exists);
        }
        self.set(path, Some(node));
        Outcome::Done
    }

    fn rename(&mut self, from: &str, to: &str) -> Outcome {
        let node = match self.nodes.get(from) {
            Some(Node::File(file)) => {
                let mut file = Rc::clone(file);
                if self.clock_ms.is_some() {
                    // A rename is a change of the file's status.
                    Rc::make_mut(&mut file).changed_ms = self.date();
                }
                Node::File(file)
            }
            Some(link @ Node::Symlink(_)) => link.clone(),
            Some(Node::Folder) => return self.rename_folder(from, to),
            _ => return failed(Fault::NotFound),
        };
        match (&node, self.nodes.get(to)) {
            // As POSIX has it: two names of one file stay both.
            (Node::File(file), Some(Node::File(there))) if there.id == file.id => {
                return Outcome::Done;
            }
            (_, Some(Node::Folder)) => return failed(Fault::WrongKind),
            _ if !self.has_parent(to) => return failed(Fault::NotFound),
            _ => {}
        }
        if let Some(journal) = &mut self.journal {
            journal.record(vec![(from.into(), None), (to.into(), Some(node.clone()))]);
        }
        self.set_unrecorded(from, None);
        self.set_unrecorded(to, Some(node));
        Outcome::Done
    }

    /// A folder goes with all that is in it, where nothing stands.
    fn rename_folder(&mut self, from: &str, to: &str) -> Outcome {
        if self.nodes.contains_key(to) {
            return failed(Fault::Exists);
        }
        let prefix = join(from, "");
        if !self.has_parent(to) || to.starts_with(&prefix) {
            return failed(Fault::NotFound);
        }
        let below = self.nodes.range(Rc::from(prefix.as_str())..);
        let below = below.take_while(|(path, _)| path.starts_with(&prefix));
        let paths = below.map(|(path, _)| Rc::clone(path));
        let mut changes = Vec::new();
        let modes = self.modes.clone();
        for path in paths.chain([from.into()]).collect::<Vec<Rc<str>>>() {
            let node = self.nodes.get(&path).cloned();
            let moved = format!("{to}{}", &path[from.len()..]);
            changes.extend([(Rc::clone(&path), None), (moved.into(), node)]);
        }
        for (path, node) in &changes {
            self.set_unrecorded(path, node.clone());
        }
        self.modes = modes;
        if let Some(modes) = &mut self.modes {
            modes.move_folder(from, to);
        }
        if let Some(journal) = &mut self.journal {
            journal.record(changes);
        }
        Outcome::Done
    }

    fn link(&mut self, from: &str, to: &str) -> Outcome {
        if self.has_no_links {
            return failed(Fault::Unsupported);
        }
        match self.nodes.get(from).cloned() {
            Some(file @ Node::File(_)) => self.add(to, file),
            _ => failed(Fault::NotFound),
        }
    }

    fn remove_folder(&mut self, path: &str) -> Outcome {
        match self.nodes.get(path) {
            Some(Node::Folder) => {}
            Some(_) => return failed(Fault::WrongKind),
            None => return failed(Fault::NotFound),
        }
        if !self.names(path).is_empty() {
            return failed(Fault::Other);
        }
        self.set(path, None);
        Outcome::Done
    }

    fn list(&self, path: &str, limit: u32) -> Outcome {
        match self.nodes.get(path) {
            Some(Node::Folder) => {}
            Some(Node::Symlink(_)) => return failed(Fault::Symlink),
            Some(_) => return failed(Fault::WrongKind),
            None => return failed(Fault::NotFound),
        }
        let names = self.names(path);
        let complete = names.len() < limit as usize;
        let names = names.iter().take(limit as usize);
        Outcome::Names {
            names: names.map(ToString::to_string).collect(),
            complete,
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

/// The host's answer that an effect failed.
pub fn failed(fault: Fault) -> Outcome {
    Outcome::Failed {
        fault,
        detail: format!("simulated: {fault:?}"),
    }
}
