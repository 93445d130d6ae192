//! Effects on files. Nothing is opened through a symbolic link that the core did not allow.

use crate::effect::{Failed, Fault, Links, Outcome, PathEntry, PathKind, Sync};
use crate::surface::vocabulary::VocabularyFiles;

use super::bindings::wasi::clocks::wall_clock::Datetime;
use super::bindings::wasi::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, OpenFlags, PathFlags,
};
use super::fault::{failed, too_large};
use super::view::{OpenedFolders, Path};

const NS_PER_MS: u64 = 1_000_000;

pub(super) type Result<T> = std::result::Result<T, Failed>;

impl VocabularyFiles for OpenedFolders {
    fn working(&self) -> String {
        OpenedFolders::working(self)
    }

    fn read(&self, path: &str, limit: u32) -> Result<Outcome> {
        read(self, path, limit, Links::Follow)
    }
}

/// Answers [`Fault::Unsupported`] where the name is not found: a path above the opened folders
/// is out of sight, and the first of them may be called `/`.
pub(super) fn ascend(view: &OpenedFolders, from: &str, name: &str) -> Result<Outcome> {
    let mut folder = Path::parse(from).folded();
    let mut below = Vec::new();
    while let Ok(entry) = entry(view, &folder.join(name)) {
        if entry.kind != PathKind::Absent {
            below.reverse();
            return Ok(Outcome::Found {
                folder: folder.to_string(),
                below: below.join("/"),
                kind: entry.kind,
            });
        }
        match folder.leave() {
            Some(left) => below.push(left),
            None => break,
        }
    }
    Err(Failed {
        effect: "",
        fault: Fault::Unsupported,
        detail: format!("no {name} in the folders that --dir opens"),
    })
}

pub(super) fn inspect(view: &OpenedFolders, paths: &[String]) -> Result<Outcome> {
    let entries = paths.iter().map(|path| entry(view, path));
    Ok(Outcome::Entries(entries.collect::<Result<_>>()?))
}

/// Returns true where a file, or a link, has this name in the working folder, if that is open.
pub(super) fn has(view: &OpenedFolders, name: &str) -> bool {
    let found = entry(view, name);
    found.is_ok_and(|entry| matches!(entry.kind, PathKind::File | PathKind::Symlink))
}

/// The entry at a path; [`PathKind::Other`] where it leads out of what the runtime opened.
fn entry(view: &OpenedFolders, path: &str) -> Result<PathEntry> {
    let at = view.locate(path)?;
    Ok(entry_of(&at.folder.stat_at(PathFlags::empty(), &at.below)))
}

/// The entry in the result of a look at a path.
pub(super) fn entry_of(found: &std::result::Result<DescriptorStat, ErrorCode>) -> PathEntry {
    let (kind, size) = match found {
        Ok(found) => match kind(found) {
            PathKind::File => (PathKind::File, found.size),
            kind => (kind, 0),
        },
        Err(ErrorCode::NoEntry | ErrorCode::NotDirectory) => (PathKind::Absent, 0),
        Err(ErrorCode::Access) => (PathKind::Denied, 0),
        Err(_) => (PathKind::Other, 0),
    };
    // WASI 0.2 has no modes.
    PathEntry {
        kind,
        size,
        mode: None,
    }
}

pub(super) fn kind(found: &DescriptorStat) -> PathKind {
    match found.type_ {
        DescriptorType::RegularFile => PathKind::File,
        DescriptorType::Directory => PathKind::Folder,
        DescriptorType::SymbolicLink => PathKind::Symlink,
        _ => PathKind::Other,
    }
}

pub(super) fn read(view: &OpenedFolders, path: &str, limit: u32, links: Links) -> Result<Outcome> {
    let (file, size) = open(view, path, links, DescriptorFlags::READ)?;
    if size > limit.into() {
        return Err(too_large(limit));
    }
    read_up_to(&file, size, limit).map(Outcome::Bytes)
}

/// Opens a regular file, and says how many bytes it has. It looks before it opens: opening a FIFO would
/// wait for its other end.
pub(super) fn open(
    view: &OpenedFolders,
    path: &str,
    links: Links,
    access: DescriptorFlags,
) -> Result<(Descriptor, u64)> {
    let at = view.locate(path)?;
    let flags = match links {
        Links::Follow => PathFlags::SYMLINK_FOLLOW,
        Links::Refuse => PathFlags::empty(),
    };
    let found = at.folder.stat_at(flags, &at.below).map_err(failed)?;
    match kind(&found) {
        PathKind::File => {}
        PathKind::Symlink => return Err(linked()),
        _ => {
            return Err(Failed {
                effect: "",
                fault: Fault::WrongKind,
                detail: "not a regular file".into(),
            });
        }
    }
    let opened = at
        .folder
        .open_at(flags, &at.below, OpenFlags::empty(), access);
    Ok((opened.map_err(failed)?, found.size))
}

/// A link where none is followed.
pub(super) fn linked() -> Failed {
    Failed {
        effect: "",
        fault: Fault::Symlink,
        detail: "a symbolic link".into(),
    }
}

pub(super) fn read_start(view: &OpenedFolders, path: &str, limit: u32) -> Result<Outcome> {
    part(view, path, 0, limit, Links::Follow)
}

pub(super) fn part(
    view: &OpenedFolders,
    path: &str,
    offset: u64,
    length: u32,
    links: Links,
) -> Result<Outcome> {
    let (file, size) = open(view, path, links, DescriptorFlags::READ)?;
    let length = u64::from(length).min(size.saturating_sub(offset));
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < length {
        let got = bytes.len() as u64;
        let (more, at_end) = file.read(length - got, offset + got).map_err(failed)?;
        let is_stuck = more.is_empty() && !at_end;
        bytes.extend(more);
        if at_end {
            break;
        }
        if is_stuck {
            return Err(stopped("read"));
        }
    }
    Ok(Outcome::Bytes(bytes))
}

/// The whole file, of which there seem to be `expected` bytes.
fn read_up_to(file: &Descriptor, expected: u64, limit: u32) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        // One byte more than expected shows that the file has grown.
        let remaining = expected.saturating_sub(bytes.len() as u64) + 1;
        let (more, at_end) = file.read(remaining, bytes.len() as u64).map_err(failed)?;
        let is_stuck = more.is_empty() && !at_end;
        // The usual file comes whole, and is not copied.
        match bytes.is_empty() {
            true => bytes = more,
            false => bytes.extend(more),
        }
        if bytes.len() > limit as usize {
            return Err(too_large(limit));
        }
        if at_end {
            return Ok(bytes);
        }
        if is_stuck {
            return Err(stopped("read"));
        }
    }
}

/// A runtime that neither goes on nor says why.
fn stopped(doing: &str) -> Failed {
    Failed {
        effect: "",
        fault: Fault::Other,
        detail: format!("the {doing} stopped before its end"),
    }
}

pub(super) fn make_folder(view: &OpenedFolders, path: &str) -> Result<Outcome> {
    let at = view.locate(path)?;
    let made = at.folder.create_directory_at(&at.below);
    made.map(|()| Outcome::Done).map_err(failed)
}

pub(super) fn create(
    view: &OpenedFolders,
    path: &str,
    bytes: &[u8],
    sync: Sync,
) -> Result<Outcome> {
    let at = view.locate(path)?;
    let new = OpenFlags::CREATE | OpenFlags::EXCLUSIVE;
    let file = at
        .folder
        .open_at(PathFlags::empty(), &at.below, new, DescriptorFlags::WRITE)
        .map_err(failed)?;
    write(&file, bytes, 0, sync)
}

/// Writes all of these bytes from an offset on.
pub(super) fn write(file: &Descriptor, bytes: &[u8], offset: u64, sync: Sync) -> Result<Outcome> {
    let mut written = 0;
    while written < bytes.len() {
        let more = file.write(&bytes[written..], offset + written as u64);
        match more.map_err(failed)? {
            0 => return Err(stopped("write")),
            // No more than was given.
            more => written += more as usize,
        }
    }
    if sync == Sync::Durable {
        file.sync().map_err(failed)?;
    }
    Ok(Outcome::Done)
}

pub(super) fn rename(view: &OpenedFolders, from: &str, to: &str) -> Result<Outcome> {
    let (from, to) = (view.locate(from)?, view.locate(to)?);
    let renamed = from.folder.rename_at(&from.below, to.folder, &to.below);
    renamed.map(|()| Outcome::Done).map_err(failed)
}

pub(super) fn link(view: &OpenedFolders, from: &str, to: &str) -> Result<Outcome> {
    let (from, to) = (view.locate(from)?, view.locate(to)?);
    let linked = from
        .folder
        .link_at(PathFlags::empty(), &from.below, to.folder, &to.below);
    linked.map(|()| Outcome::Done).map_err(|code| match code {
        // link(2): EPERM where the file system has no hard links, EMLINK where it has no more.
        ErrorCode::NotPermitted | ErrorCode::TooManyLinks => unsupported(code),
        code => failed(code),
    })
}

pub(super) fn remove(view: &OpenedFolders, path: &str) -> Result<Outcome> {
    let at = view.locate(path)?;
    let removed = at.folder.unlink_file_at(&at.below);
    removed.map(|()| Outcome::Done).map_err(failed)
}

pub(super) fn remove_folder(view: &OpenedFolders, path: &str) -> Result<Outcome> {
    let at = view.locate(path)?;
    let removed = at.folder.remove_directory_at(&at.below);
    removed.map(|()| Outcome::Done).map_err(failed)
}

pub(super) fn list(view: &OpenedFolders, path: &str, limit: u32) -> Result<Outcome> {
    let folder = open_folder(view, path, PathFlags::empty())?;
    let entries = folder.read_directory().map_err(failed)?;
    let mut names = Vec::new();
    let complete = loop {
        if names.len() == limit as usize {
            break false;
        }
        match entries.read_directory_entry() {
            Ok(Some(entry)) => names.push(entry.name),
            Ok(None) => break true,
            // The core cannot have chosen a name that is not Unicode, but it is there.
            Err(ErrorCode::IllegalByteSequence) => names.push("\u{FFFD}".into()),
            // As when a name vanished before the runtime had looked at it.
            Err(_) => break false,
        }
    };
    Ok(Outcome::Names { names, complete })
}

/// WASI 0.2 has no number of a file. The hash of its metadata differs where another file is put in its
/// place; what wasmtime reports as its time of change is the time that it was made.
pub(super) fn survey(view: &OpenedFolders, folder: &str, names: &[String]) -> Result<Outcome> {
    let folder = open_folder(view, folder, PathFlags::empty())?;
    let trace = |name: &String| {
        let found = folder.stat_at(PathFlags::empty(), name).ok()?;
        if kind(&found) != PathKind::File {
            return None;
        }
        let hash = folder.metadata_hash_at(PathFlags::empty(), name).ok()?;
        let modified = ms(found.data_modification_timestamp?);
        let changed = found.status_change_timestamp.map_or(modified, ms);
        let changed = modified.max(changed);
        Some(format!(
            "{changed} {modified} {} {:x}{:016x}",
            found.size, hash.upper, hash.lower
        ))
    };
    let names = names.iter().map(|name| trace(name).unwrap_or_default());
    Ok(Outcome::Names {
        names: names.collect(),
        complete: true,
    })
}

fn ms(time: Datetime) -> u64 {
    time.seconds * 1000 + u64::from(time.nanoseconds) / NS_PER_MS
}

pub(super) fn sync_folder(view: &OpenedFolders, path: &str) -> Result<Outcome> {
    // The root may be a link that the user named.
    let folder = open_folder(view, path, PathFlags::SYMLINK_FOLLOW)?;
    folder
        .sync()
        .map(|()| Outcome::Done)
        .map_err(|code| match code {
            // fsync(2): EINVAL where the file system cannot sync a folder.
            ErrorCode::Invalid => unsupported(code),
            code => failed(code),
        })
}

pub(super) fn open_folder(
    view: &OpenedFolders,
    path: &str,
    flags: PathFlags,
) -> Result<Descriptor> {
    let at = view.locate(path)?;
    at.folder
        .open_at(
            flags,
            &at.below,
            OpenFlags::DIRECTORY,
            DescriptorFlags::READ,
        )
        .map_err(failed)
}

pub(super) fn unsupported(code: ErrorCode) -> Failed {
    Failed {
        effect: "",
        fault: Fault::Unsupported,
        ..failed(code)
    }
}
