//! The effects that change the names and files of a disk.

use std::rc::Rc;

use milepost::effect::{Fault, Outcome, Sync};

use crate::{Disk, File, Journal, Node, failed, join};

impl Disk {
    /// All names of the file have the bytes from then on, in what a loss of power leaves too.
    pub(super) fn append(&mut self, path: &str, bytes: &[u8], sync: Sync) -> Outcome {
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

    pub(super) fn add(&mut self, path: &str, node: Node) -> Outcome {
        if !self.has_parent(path) {
            return failed(Fault::NotFound);
        }
        if self.nodes.contains_key(path) {
            return failed(Fault::Exists);
        }
        self.set(path, Some(node));
        Outcome::Done
    }

    pub(super) fn rename(&mut self, from: &str, to: &str) -> Outcome {
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

    pub(super) fn link(&mut self, from: &str, to: &str) -> Outcome {
        if self.has_no_links {
            return failed(Fault::Unsupported);
        }
        match self.nodes.get(from).cloned() {
            Some(file @ Node::File(_)) => self.add(to, file),
            _ => failed(Fault::NotFound),
        }
    }

    pub(super) fn remove_folder(&mut self, path: &str) -> Outcome {
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
}
