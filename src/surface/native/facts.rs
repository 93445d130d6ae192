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

/// A time in ms since 1970, in the digits that JavaScript has: hosts compare times that others have stored.
pub(super) fn ms_of(seconds: i64, nanoseconds: i64) -> f64 {
    const MS_PER_S: f64 = 1e3;
    const NS_PER_MS: f64 = 1e6;
    seconds as f64 * MS_PER_S + nanoseconds as f64 / NS_PER_MS
}

/// A time of Windows, in units of 100 ns since 1601, likewise. They are more than a float holds, so that the seconds are
/// taken out before.
#[cfg(any(windows, test))]
pub(super) fn ms_of_units(units: u64) -> f64 {
    const UNITS_TO_1970: i64 = 116_444_736_000_000_000;
    const UNITS_PER_S: i64 = 10_000_000;
    const NS_PER_UNIT: i64 = 100;
    let units = units.cast_signed() - UNITS_TO_1970;
    let rest = units.rem_euclid(UNITS_PER_S);
    ms_of(units.div_euclid(UNITS_PER_S), rest * NS_PER_UNIT)
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
