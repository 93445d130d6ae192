//! The effects that look at a disk.

use std::rc::Rc;

use milepost::effect::{Fault, Links, Outcome, PathEntry, PathKind, Scanned};

use crate::{Disk, Node, failed, join, parent};

impl Disk {
    pub(super) fn ascend(&self, from: &str, name: &str) -> Outcome {
        let mut folder = from;
        loop {
            let kind = self.entry(&join(folder, name)).kind;
            if kind != PathKind::Absent {
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

    pub(super) fn entry(&self, path: &str) -> PathEntry {
        let (kind, size) = match self.nodes.get(path) {
            None => (PathKind::Absent, 0),
            Some(Node::File(file)) => (PathKind::File, file.bytes.len() as u64),
            Some(Node::Folder) => (PathKind::Folder, 0),
            Some(Node::Symlink(_)) => (PathKind::Symlink, 0),
            Some(Node::Pipe) => (PathKind::Other, 0),
        };
        PathEntry {
            kind,
            size,
            mode: self.mode(path),
        }
    }

    pub(super) fn read(&self, path: &str, limit: u32, links: Links) -> Outcome {
        match self.nodes.get(path) {
            Some(Node::File(file)) if file.bytes.len() > limit as usize => failed(Fault::TooLarge),
            Some(Node::File(file)) => Outcome::Bytes(file.bytes.clone()),
            Some(Node::Symlink(_)) if links == Links::Refuse => failed(Fault::Symlink),
            None | Some(Node::Symlink(_)) => failed(Fault::NotFound),
            Some(Node::Folder | Node::Pipe) => failed(Fault::WrongKind),
        }
    }

    pub(super) fn part(&self, path: &str, offset: u64, length: u32, links: Links) -> Outcome {
        match self.read(path, u32::MAX, links) {
            Outcome::Bytes(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..));
                let part = rest.unwrap_or_default();
                Outcome::Bytes(part[..part.len().min(length as usize)].to_vec())
            }
            failed => failed,
        }
    }

    pub(super) fn survey(&self, folder: &str, names: &[String]) -> Outcome {
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

    pub(super) fn scan(&self, folder: &str, limit: usize) -> Outcome {
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

    pub(super) fn list(&self, path: &str, limit: u32) -> Outcome {
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
