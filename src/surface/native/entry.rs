//! Looks at paths and folders. Nothing is opened but the folder that is listed.

use std::ffi::CStr;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{self, Path, PathBuf};

use rustix::fs::{self, AtFlags, CWD, Dir, FileType, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use crate::effect::{Failed, Fault, Links, Outcome, PathEntry, PathKind, Scanned};

use super::fault::{Result, failed, io_failed};

const PERMISSION_BITS: u32 = 0o7777;
const MS_PER_S: f64 = 1e3;
const NS_PER_MS: f64 = 1e6;

/// The facts that one look at a path gives: of the same types on every system.
pub(super) struct FileStatus {
    pub(super) kind: PathKind,
    pub(super) size: u64,
    /// The permission bits.
    pub(super) mode: u32,
    modified_ms: f64,
    changed_ms: f64,
    number: u64,
}

impl FileStatus {
    // Systems differ in the types of these members.
    #[allow(clippy::unnecessary_cast)]
    pub(super) fn new(found: &fs::Stat) -> Self {
        let ms = |seconds: i64, nanoseconds: i64| {
            seconds as f64 * MS_PER_S + nanoseconds as f64 / NS_PER_MS
        };
        let kind = match FileType::from_raw_mode(found.st_mode) {
            FileType::RegularFile => PathKind::File,
            FileType::Directory => PathKind::Folder,
            FileType::Symlink => PathKind::Symlink,
            _ => PathKind::Other,
        };
        FileStatus {
            kind,
            size: found.st_size as u64,
            mode: found.st_mode as u32 & PERMISSION_BITS,
            modified_ms: ms(found.st_mtime as i64, found.st_mtime_nsec as i64),
            changed_ms: ms(found.st_ctime as i64, found.st_ctime_nsec as i64),
            number: found.st_ino as u64,
        }
    }

    fn entry(&self) -> PathEntry {
        let is_file = self.kind == PathKind::File;
        let has_mode = is_file || self.kind == PathKind::Folder;
        PathEntry {
            kind: self.kind,
            size: if is_file { self.size } else { 0 },
            mode: has_mode.then_some(self.mode),
        }
    }

    /// The number of the file as JavaScript has it, in 53 bits: other hosts read what is kept of it.
    fn rounded_number(&self) -> f64 {
        self.number as f64
    }
}

/// The look at a path that follows no link in its last part.
fn look(path: &str) -> std::result::Result<FileStatus, Errno> {
    fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW).map(|found| FileStatus::new(&found))
}

/// The search ends at the top: nothing is out of sight here.
pub(super) fn ascend(from: &str, name: &str) -> Result<Outcome> {
    let start = path::absolute(from).map_err(io_failed)?;
    let start = text(folded(&start))?;
    let mut folder = start.as_str();
    loop {
        let at_top = folder == "/";
        let entry = entry(&match at_top {
            true => format!("/{name}"),
            false => format!("{folder}/{name}"),
        });
        if entry.kind != PathKind::Absent {
            let below = start[folder.len()..].trim_start_matches('/');
            return Ok(Outcome::Found {
                folder: folder.to_owned(),
                below: below.to_owned(),
                kind: entry.kind,
            });
        }
        if at_top {
            return Err(Failed {
                effect: "",
                fault: Fault::NotFound,
                detail: format!("no {name} in any folder above"),
            });
        }
        folder = match folder.rfind('/') {
            Some(at) if at > 0 => &folder[..at],
            _ => "/",
        };
    }
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

fn text(path: PathBuf) -> Result<String> {
    let text = path.into_os_string().into_string();
    text.map_err(|_| failed(Errno::ILSEQ))
}

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
        Err(errno) => nothing_known(kind_of_failure(errno)),
    }
}

fn kind_of_failure(errno: Errno) -> PathKind {
    match errno {
        Errno::NOENT | Errno::NOTDIR => PathKind::Absent,
        Errno::ACCESS | Errno::PERM => PathKind::Denied,
        _ => PathKind::Other,
    }
}

fn nothing_known(kind: PathKind) -> PathEntry {
    PathEntry {
        kind,
        size: 0,
        mode: None,
    }
}

fn is_link(path: &str) -> bool {
    look(path).is_ok_and(|found| found.kind == PathKind::Symlink)
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
        Err(errno) if kind_of_failure(errno) == PathKind::Absent => Ok(String::new()),
        Err(errno) => Err(failed(errno)),
    };
    Ok(Outcome::Names {
        names: names.iter().map(trace).collect::<Result<_>>()?,
        complete: true,
    })
}

pub(super) fn list(path: &str, limit: u32) -> Result<Outcome> {
    let mut names = Vec::new();
    let mut complete = limit > 0;
    each_name(path, |_, name| {
        names.push(name.to_string_lossy().into_owned());
        complete = names.len() < limit as usize;
        complete
    })?;
    Ok(Outcome::Names { names, complete })
}

/// One listing, and one look at each name, from the folder that is open.
pub(super) fn scan(path: &str, limit: u32) -> Result<Outcome> {
    let mut entries = Vec::new();
    let mut complete = true;
    each_name(path, |folder, name| {
        let found = fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
        let found = found.map(|found| FileStatus::new(&found));
        if let Err(errno) = found
            && kind_of_failure(errno) == PathKind::Absent
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

fn scanned(name: &CStr, found: std::result::Result<FileStatus, Errno>) -> Scanned {
    let name = match name.to_str() {
        Ok(name) => name.to_owned(),
        Err(_) => {
            let digits = name.to_bytes().iter().map(|byte| format!("{byte:02x}"));
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
        Err(errno) => Scanned {
            name,
            entry: nothing_known(kind_of_failure(errno)),
            modified_ms: f64::NAN,
            changed_ms: f64::NAN,
            number: 0,
        },
    }
}

/// Hands over the folder and each name in it, as long as `take` wants more. A symbolic link in the last part of the path
/// is refused by the opening; `folder/.` is what a link leads to.
fn each_name(path: &str, mut take: impl FnMut(BorrowedFd<'_>, &CStr) -> bool) -> Result<()> {
    let folder = open_folder(path, Links::Refuse)?;
    let mut names = Dir::new(folder).map_err(failed)?;
    while let Some(entry) = names.read() {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let folder = names.fd().map_err(failed)?;
        if !matches!(name.to_bytes(), b"." | b"..") && !take(folder, name) {
            break;
        }
    }
    Ok(())
}

pub(super) fn open_folder(path: &str, links: Links) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | no_follow(links);
    let opened = retry_on_intr(|| fs::open(path, flags, Mode::empty()));
    opened.map_err(|errno| match errno {
        // open(2): of the two refusals of a link, the one of a folder comes first.
        Errno::NOTDIR if links == Links::Refuse && is_link(path) => failed(Errno::LOOP),
        errno => failed(errno),
    })
}

/// The flag of an opening that follows no link.
pub(super) fn no_follow(links: Links) -> OFlags {
    match links {
        Links::Follow => OFlags::empty(),
        Links::Refuse => OFlags::NOFOLLOW,
    }
}
