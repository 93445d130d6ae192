//! The facts that the system's calls give, of the same types on every system.

use std::path::{self, Path, PathBuf};

use crate::effect::{PathEntry, PathKind};

use super::fault::{Result, not_text};

/// The facts of one look at a path.
pub(super) struct FileStatus {
    pub(super) kind: PathKind,
    pub(super) size: u64,
    /// The permission bits, where the system has them.
    pub(super) mode: Option<u32>,
    pub(super) modified_ms: f64,
    pub(super) changed_ms: f64,
    pub(super) number: u64,
}

impl FileStatus {
    pub(super) fn entry(&self) -> PathEntry {
        let is_file = self.kind == PathKind::File;
        let has_mode = is_file || self.kind == PathKind::Folder;
        PathEntry {
            kind: self.kind,
            size: if is_file { self.size } else { 0 },
            mode: self.mode.filter(|_| has_mode),
        }
    }

    /// The number of the file as JavaScript has it, in 53 bits: other hosts read what is kept of it.
    pub(super) fn rounded_number(&self) -> f64 {
        self.number as f64
    }
}

/// The end of a wait for more of an output.
pub(super) enum NextPiece {
    Came,
    Ended,
    Silent,
}

/// An absolute path without `..`, by its words alone.
pub(super) fn folded(path: &Path) -> PathBuf {
    let mut folded = PathBuf::new();
    for part in path.components() {
        match part {
            path::Component::ParentDir => drop(folded.pop()),
            part => folded.push(part),
        }
    }
    folded
}

/// A path as text.
pub(super) fn text(path: PathBuf) -> Result<String> {
    path.into_os_string().into_string().map_err(|_| not_text())
}
