//! The permission bits of files and folders, on a disk that has them. No loss of power takes one back.

use std::collections::BTreeMap;
use std::rc::Rc;

use milepost::effect::{Access, Fault, Outcome};

use crate::{Disk, Node, failed, join};

/// The bits of each file and folder that are not the usual ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Modes {
    /// By the number of the file: all its names have one mode.
    files: BTreeMap<u64, u32>,
    folders: BTreeMap<Rc<str>, u32>,
}

impl Modes {
    fn of(&self, path: &str, node: &Node) -> Option<u32> {
        match node {
            Node::File(file) => Some(self.files.get(&file.id).copied().unwrap_or(0o644)),
            Node::Folder => Some(self.folders.get(path).copied().unwrap_or(0o755)),
            Node::Symlink(_) | Node::Pipe => None,
        }
    }

    fn set(&mut self, path: &str, node: &Node, bits: u32) {
        match node {
            Node::File(file) => {
                self.files.insert(file.id, bits);
            }
            Node::Folder => {
                self.folders.insert(path.into(), bits);
            }
            Node::Symlink(_) | Node::Pipe => {}
        }
    }

    /// A folder that comes to this path has the usual bits.
    pub(super) fn forget_folder(&mut self, path: &str) {
        self.folders.remove(path);
    }

    /// A folder and those in it have another name.
    pub(super) fn move_folder(&mut self, from: &str, to: &str) {
        let below = join(from, "");
        let moved = |path: &Rc<str>| {
            let is_it = **path == *from || path.starts_with(&below);
            is_it.then(|| Rc::from(format!("{to}{}", &path[from.len()..])))
        };
        let folders = std::mem::take(&mut self.folders).into_iter();
        let folders = folders.map(|(path, bits)| (moved(&path).unwrap_or(path), bits));
        self.folders = folders.collect();
    }
}

impl Disk {
    /// Returns the disk with modes.
    #[must_use]
    pub fn with_modes(mut self) -> Self {
        self.modes = Some(Modes::default());
        self
    }

    /// The permission bits of a file or folder; `None` for anything else, and on a disk without modes.
    pub fn mode(&self, path: &str) -> Option<u32> {
        self.modes.as_ref()?.of(path, self.node(path)?)
    }

    /// Sets the permission bits, as another program would.
    pub fn set_mode(&mut self, path: &str, bits: u32) {
        if let (Some(modes), Some(node)) = (&mut self.modes, self.nodes.get(path)) {
            modes.set(path, node, bits);
        }
    }

    /// Gives what was made, if it was, the bits of those whom it is for.
    pub(super) fn made(&mut self, path: &str, access: Access, outcome: Outcome) -> Outcome {
        if outcome == Outcome::Done {
            let bits = match (self.node(path), access) {
                (Some(Node::Folder), Access::Owner) => 0o700,
                (Some(Node::Folder), Access::Shared) => 0o755,
                (_, Access::Owner) => 0o600,
                (_, Access::Shared) => 0o644,
            };
            self.set_mode(path, bits);
        }
        outcome
    }

    /// Changes the bits of a file, or of a folder where `is_of_folders`.
    pub(super) fn change_mode(
        &mut self,
        path: &str,
        is_of_folders: bool,
        change: impl Fn(u32) -> u32,
    ) -> Outcome {
        if self.modes.is_none() {
            return failed(Fault::Unsupported);
        }
        match self.node(path) {
            None => failed(Fault::NotFound),
            Some(Node::Symlink(_)) => failed(Fault::Symlink),
            Some(Node::Pipe) => failed(Fault::WrongKind),
            Some(Node::Folder) if !is_of_folders => failed(Fault::WrongKind),
            Some(_) => {
                let bits = self.mode(path).unwrap_or_default();
                self.set_mode(path, change(bits));
                Outcome::Done
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use milepost::effect::{Access, Effect, Fault, Outcome, Sync};

    use super::super::{Disk, failed};

    fn set(disk: &mut Disk, path: &str, permissions: Option<u32>) -> Option<Outcome> {
        disk.perform(&Effect::SetMode {
            path: path.to_owned(),
            is_executable: true,
            permissions,
        })
    }

    #[test]
    fn a_file_keeps_its_mode_under_every_name_and_a_new_one_has_its_own() {
        let mut disk = Disk::new().with_modes();
        let create = Effect::Create {
            path: "/a".to_owned(),
            bytes: b"x".to_vec(),
            sync: Sync::Lazy,
            access: Access::Owner,
        };
        assert_eq!(disk.perform(&create), Some(Outcome::Done));
        assert_eq!(disk.mode("/a"), Some(0o600));
        assert_eq!(set(&mut disk, "/a", None), Some(Outcome::Done));
        assert_eq!(disk.mode("/a"), Some(0o700));
        assert_eq!(set(&mut disk, "/a", Some(0o640)), Some(Outcome::Done));
        let (from, to) = ("/a".to_owned(), "/b".to_owned());
        disk.perform(&Effect::Rename { from, to });
        assert_eq!((disk.mode("/a"), disk.mode("/b")), (None, Some(0o640)));
        disk.put("/b", "x");
        assert_eq!(disk.mode("/b"), Some(0o644));
    }

    #[test]
    fn a_folder_has_a_mode_and_a_disk_without_modes_has_none() {
        let mut disk = Disk::new().with_modes();
        let path = "/f".to_owned();
        let access = Access::Shared;
        disk.perform(&Effect::MakeFolder { path, access });
        assert_eq!(set(&mut disk, "/f", None), Some(failed(Fault::WrongKind)));
        assert_eq!(set(&mut disk, "/f", Some(0o700)), Some(Outcome::Done));
        let (from, to) = ("/f".to_owned(), "/g".to_owned());
        disk.perform(&Effect::Rename { from, to });
        assert_eq!((disk.mode("/f"), disk.mode("/g")), (None, Some(0o700)));
        let mut plain = Disk::new();
        plain.put("/a", "x");
        assert_eq!(
            set(&mut plain, "/a", Some(0o600)),
            Some(failed(Fault::Unsupported))
        );
        assert_eq!(plain.mode("/a"), None);
    }
}
