//! Looks at paths and folders.

use std::ffi::OsStr;

use crate::effect::{Outcome, PathEntry, PathKind, Scanned};

use super::facts::FileStatus;
use super::fault::Result;
use super::system::{self, SystemError, each_name, kind_of_failure, look};

/// Entries below a link of the same list are not looked at: the way there may lead anywhere, to a mount that never
/// answers too.
pub(super) fn inspect(paths: &[String]) -> Outcome {
    let mut links: Vec<&str> = Vec::new();
    let mut entries = Vec::with_capacity(paths.len());
    for path in paths {
        let is_below = |link: &&str| {
            let below = path.strip_prefix(*link);
            below.is_some_and(|below| below.starts_with('/'))
        };
        if links.iter().any(is_below) {
            entries.push(nothing_known(PathKind::Other));
            continue;
        }
        let entry = entry(path);
        if entry.kind == PathKind::Symlink {
            links.push(path);
        }
        entries.push(entry);
    }
    Outcome::Entries(entries)
}

/// The entry at a path: `Denied` where the user may not look, `Other` where no one can.
fn entry(path: &str) -> PathEntry {
    match look(path) {
        Ok(found) => found.entry(),
        Err(error) => nothing_known(kind_of_failure(&error)),
    }
}

fn nothing_known(kind: PathKind) -> PathEntry {
    PathEntry {
        kind,
        size: 0,
        mode: None,
    }
}

/// A whole millisecond is enough, as what was changed of late is not relied on.
pub(super) fn survey(folder: &str, names: &[String]) -> Result<Outcome> {
    let trace = |name: &String| match look(&format!("{folder}/{name}")) {
        Ok(found) if found.kind == PathKind::File => {
            let modified = found.modified_ms.floor();
            let changed = found.changed_ms.floor().max(modified);
            let number = found.rounded_number();
            Ok(format!("{changed} {modified} {} {number}", found.size))
        }
        Ok(_) => Ok(String::new()),
        Err(error) if kind_of_failure(&error) == PathKind::Absent => Ok(String::new()),
        Err(error) => Err(system::failed(error)),
    };
    Ok(Outcome::Names {
        names: names.iter().map(trace).collect::<Result<_>>()?,
        complete: true,
    })
}

pub(super) fn list(path: &str, limit: u32) -> Result<Outcome> {
    let mut names = Vec::new();
    let mut complete = limit > 0;
    each_name(path, |name, _| {
        names.push(name.to_string_lossy().into_owned());
        complete = names.len() < limit as usize;
        complete
    })?;
    Ok(Outcome::Names { names, complete })
}

/// One listing, and one look at each name.
pub(super) fn scan(path: &str, limit: u32) -> Result<Outcome> {
    let mut entries = Vec::new();
    let mut complete = true;
    each_name(path, |name, look| {
        let found = look();
        if let Err(error) = &found
            && kind_of_failure(error) == PathKind::Absent
        {
            return true;
        }
        if entries.len() == limit as usize {
            complete = false;
            return false;
        }
        entries.push(scanned(name, found));
        true
    })?;
    Ok(Outcome::Scanned { entries, complete })
}

fn scanned(name: &OsStr, found: std::result::Result<FileStatus, SystemError>) -> Scanned {
    let name = match name.to_str() {
        Some(name) => name.to_owned(),
        None => {
            let bytes = name.as_encoded_bytes().iter();
            let digits = bytes.map(|byte| format!("{byte:02x}"));
            format!("/{}", digits.collect::<String>())
        }
    };
    match found {
        Ok(found) => Scanned {
            name,
            entry: found.entry(),
            modified_ms: found.modified_ms,
            changed_ms: found.changed_ms,
            number: found.rounded_number() as u64,
        },
        Err(error) => Scanned {
            name,
            entry: nothing_known(kind_of_failure(&error)),
            modified_ms: f64::NAN,
            changed_ms: f64::NAN,
            number: 0,
        },
    }
}
