//! The node at a path, and the entries of a folder.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
#[cfg(not(unix))]
use std::time::UNIX_EPOCH;

use milepost::effect::{Fault, Outcome, PathEntry, PathKind, Scanned};

use super::Failure;

pub(super) fn ascend(from: &str, name: &str) -> Result<Outcome, Failure> {
    let from = std::path::absolute(from)?;
    for folder in from.ancestors() {
        let Some(kind) = kind(&folder.join(name)) else {
            continue;
        };
        let below = from.strip_prefix(folder).unwrap_or(Path::new(""));
        let below: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        return Ok(Outcome::Found {
            folder: folder.to_string_lossy().into_owned(),
            below: below.join("/"),
            kind,
        });
    }
    Err(Failure::new(Fault::NotFound, "no folder above holds it"))
}

/// `None` when nothing is there.
pub(super) fn kind(path: &Path) -> Option<PathKind> {
    match entry_and_metadata(path).0.kind {
        PathKind::Absent => None,
        kind => Some(kind),
    }
}

pub(super) fn inspect(path: &str) -> PathEntry {
    entry_and_metadata(Path::new(path)).0
}

/// The node there, without following a link, and the other facts that the system has of it.
pub(super) fn entry_and_metadata(path: &Path) -> (PathEntry, Option<fs::Metadata>) {
    let found = fs::symlink_metadata(path);
    let kind = match &found {
        Ok(found) if found.is_file() => PathKind::File,
        Ok(found) if found.is_dir() => PathKind::Folder,
        Ok(found) if found.is_symlink() => PathKind::Symlink,
        Err(error) if is_absent(error) => PathKind::Absent,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => PathKind::Denied,
        Ok(_) | Err(_) => PathKind::Other,
    };
    let found = found.ok();
    let entry = PathEntry {
        kind,
        size: match (kind, &found) {
            (PathKind::File, Some(found)) => found.len(),
            _ => 0,
        },
        mode: match (kind, &found) {
            (PathKind::File | PathKind::Folder, Some(found)) => mode(found),
            _ => None,
        },
    };
    (entry, found)
}

pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(unix)]
pub(super) fn mode(metadata: &fs::Metadata) -> Option<u32> {
    Some(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o7777)
}

#[cfg(not(unix))]
pub(super) fn mode(_: &fs::Metadata) -> Option<u32> {
    None
}

pub(super) fn list(path: &str, limit: u32) -> Result<Outcome, Failure> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path)? {
        let Ok(entry) = entry else {
            return Ok(Outcome::Names {
                names,
                complete: false,
            });
        };
        if names.len() == limit as usize {
            return Ok(Outcome::Names {
                names,
                complete: false,
            });
        }
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    Ok(Outcome::Names {
        names,
        complete: true,
    })
}

pub(super) fn scan(folder: &str, limit: u32) -> Result<Outcome, Failure> {
    if inspect(folder).kind == PathKind::Symlink {
        return Err(Failure::new(Fault::Symlink, "a symbolic link"));
    }
    let mut entries = Vec::new();
    let mut complete = true;
    for found in fs::read_dir(folder)? {
        let found = found?;
        let name = match found.file_name().into_string() {
            Ok(name) => name,
            Err(strange) => digits(&strange),
        };
        if entries.len() == limit as usize {
            complete = false;
            break;
        }
        let (entry, metadata) = entry_and_metadata(&found.path());
        if entry.kind == PathKind::Absent {
            continue;
        }
        entries.push(scanned(name, entry, metadata.as_ref()));
    }
    Ok(Outcome::Scanned { entries, complete })
}

/// A name that is not Unicode, as a scan has it.
fn digits(name: &OsStr) -> String {
    let digits = name.as_encoded_bytes().iter();
    let digits = digits.map(|byte| format!("{byte:02x}"));
    format!("/{}", digits.collect::<String>())
}

#[cfg(unix)]
pub(super) fn scanned(name: String, entry: PathEntry, found: Option<&fs::Metadata>) -> Scanned {
    use std::os::unix::fs::MetadataExt;

    let ms = |seconds: i64, nanoseconds: i64| seconds as f64 * 1e3 + nanoseconds as f64 / 1e6;
    Scanned {
        name,
        entry,
        modified_ms: found.map_or(f64::NAN, |it| ms(it.mtime(), it.mtime_nsec())),
        changed_ms: found.map_or(f64::NAN, |it| ms(it.ctime(), it.ctime_nsec())),
        number: found.map_or(0, MetadataExt::ino),
    }
}

#[cfg(not(unix))]
pub(super) fn scanned(name: String, entry: PathEntry, found: Option<&fs::Metadata>) -> Scanned {
    let modified = found.and_then(|it| it.modified().ok());
    let since = modified.and_then(|it| it.duration_since(UNIX_EPOCH).ok());
    Scanned {
        name,
        entry,
        modified_ms: since.map_or(f64::NAN, |it| it.as_secs_f64() * 1e3),
        changed_ms: f64::NAN,
        number: 0,
    }
}

#[cfg(unix)]
pub(super) fn survey(folder: &str, names: &[String]) -> Outcome {
    use std::os::unix::fs::MetadataExt;
    let trace = |name: &String| match fs::symlink_metadata(Path::new(folder).join(name)) {
        Ok(found) if found.is_file() => {
            let ms = |seconds: i64, nanoseconds: i64| seconds * 1000 + nanoseconds / 1_000_000;
            let changed = ms(found.ctime(), found.ctime_nsec());
            let modified = ms(found.mtime(), found.mtime_nsec());
            let (size, number) = (found.size(), found.ino());
            format!("{} {modified} {size} {number}", changed.max(modified))
        }
        _ => String::new(),
    };
    Outcome::Names {
        names: names.iter().map(trace).collect(),
        complete: true,
    }
}

#[cfg(not(unix))]
pub(super) fn survey(_: &str, _: &[String]) -> Outcome {
    Outcome::Failed {
        fault: Fault::Unsupported,
        detail: "nothing tells one state of a file from another".into(),
    }
}
