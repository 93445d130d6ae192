//! Nodes on the disk, as `lstat` and `read` show them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A file, a link or something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) kind: char,
    pub(super) mode: u32,
    pub(super) bytes: Vec<u8>,
    /// Its number and when it was changed: another one though the bytes are the same.
    pub(super) stamp: (u64, i64, i64),
}

impl Node {
    /// The part of it that a checkpoint keeps.
    pub(super) fn recorded(&self) -> (char, bool, &[u8]) {
        let is_executable = self.kind == 'f' && self.mode & 0o100 != 0;
        (self.kind, is_executable, &self.bytes)
    }
}

/// Everything below a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tree {
    pub(super) nodes: BTreeMap<String, Node>,
    pub(super) folders: BTreeSet<String>,
}

impl Tree {
    /// Reads a work tree, without the folders of git and of the product.
    pub(super) fn of_files(root: &Path) -> Tree {
        let skipped = |path: &str| {
            let name = path.rsplit('/').next();
            name == Some(".git") || [".claude/checkpoints", ".claude/state"].contains(&path)
        };
        Tree::read(root, &skipped)
    }

    /// Reads all there is.
    pub(super) fn of_all(folder: &Path) -> Tree {
        Tree::read(folder, &|_| false)
    }

    fn read(folder: &Path, skipped: &dyn Fn(&str) -> bool) -> Tree {
        let mut tree = Tree::default();
        tree.walk(folder, "", skipped);
        tree
    }

    fn walk(&mut self, folder: &Path, below: &str, skipped: &dyn Fn(&str) -> bool) {
        let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = format!("{below}{}", entry.file_name().to_string_lossy());
            if skipped(&path) {
                continue;
            }
            let metadata = entry.metadata().unwrap();
            if metadata.is_dir() {
                self.walk(&entry.path(), &format!("{path}/"), skipped);
                self.folders.insert(path);
                continue;
            }
            let (kind, bytes) = if metadata.is_symlink() {
                let target = fs::read_link(entry.path()).unwrap();
                ('l', target.as_os_str().as_bytes().to_vec())
            } else if metadata.is_file() {
                ('f', fs::read(entry.path()).unwrap())
            } else {
                ('?', Vec::new())
            };
            let node = Node {
                kind,
                mode: metadata.mode() & 0o7777,
                bytes,
                stamp: (metadata.ino(), metadata.mtime(), metadata.mtime_nsec()),
            };
            self.nodes.insert(path, node);
        }
    }

    /// Every path at which something else stands than in another tree.
    pub(super) fn touched(&self, other: &Tree) -> BTreeSet<String> {
        let paths = self.nodes.keys().chain(other.nodes.keys());
        let differs = |it: &&String| self.nodes.get(*it) != other.nodes.get(*it);
        paths.filter(differs).cloned().collect()
    }

    /// Every path at which something else stands that a checkpoint keeps.
    pub(super) fn differing(&self, other: &Tree) -> BTreeSet<String> {
        let recorded = |tree: &Tree, path: &str| {
            let node = tree.nodes.get(path);
            node.map(|it| (it.recorded().0, it.recorded().1, it.recorded().2.to_vec()))
        };
        let touched = self.touched(other).into_iter();
        touched
            .filter(|it| recorded(self, it) != recorded(other, it))
            .collect()
    }

    /// Folders with nothing in them.
    pub(super) fn empty(&self) -> BTreeSet<String> {
        let all = self.nodes.keys().chain(&self.folders);
        let used: BTreeSet<&str> = all
            .filter_map(|it| it.rsplit_once('/').map(|(above, _)| above))
            .collect();
        let folders = self.folders.iter();
        folders
            .filter(|it| !used.contains(it.as_str()))
            .cloned()
            .collect()
    }
}

/// Returns whether a path is another one, or is below it.
pub(super) fn is_within(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
