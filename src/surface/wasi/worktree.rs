//! Effects on what is in a work tree: links, additions, and all of a folder.

use crate::effect::{Failed, Fault, Links, Outcome, PathKind, Scanned, Sync};

use super::bindings::wasi::clocks::wall_clock::Datetime;
use super::bindings::wasi::filesystem::types::{DescriptorFlags, ErrorCode, PathFlags};
use super::fault::failed;
use super::files::{self, Result};
use super::view::OpenedFolders;

const NS_PER_MS: f64 = 1e6;

pub(super) fn read_link(view: &OpenedFolders, path: &str) -> Result<Outcome> {
    let at = view.locate(path)?;
    let target = at.folder.readlink_at(&at.below);
    let target = target.map_err(|code| match code {
        // readlink(2): EINVAL where no link stands.
        ErrorCode::Invalid => Failed {
            effect: "",
            fault: Fault::WrongKind,
            detail: "not a symbolic link".into(),
        },
        ErrorCode::NotPermitted => leads_out(),
        code => failed(code),
    })?;
    Ok(Outcome::Bytes(target.into_bytes()))
}

pub(super) fn symlink(view: &OpenedFolders, path: &str, target: &[u8]) -> Result<Outcome> {
    let target = std::str::from_utf8(target).map_err(|_| Failed {
        effect: "",
        fault: Fault::Unsupported,
        detail: "WASI makes links of text alone".into(),
    })?;
    let at = view.locate(path)?;
    let made = at.folder.symlink_at(target, &at.below);
    made.map(|()| Outcome::Done).map_err(|code| match code {
        ErrorCode::NotPermitted if target.starts_with('/') => leads_out(),
        // symlink(2): EPERM where the file system has no symbolic links.
        ErrorCode::NotPermitted => files::unsupported(code),
        code => failed(code),
    })
}

/// The failure of a path that a runtime keeps to itself, links from the root of the file system included.
fn leads_out() -> Failed {
    Failed {
        effect: "",
        fault: Fault::Unsupported,
        detail: "the link leads out of the folders that --dir opens".into(),
    }
}

pub(super) fn append(
    view: &OpenedFolders,
    path: &str,
    bytes: &[u8],
    sync: Sync,
) -> Result<Outcome> {
    let access = DescriptorFlags::WRITE;
    let (file, size) = files::open(view, path, Links::Refuse, access)?;
    files::write(&file, bytes, size, sync)
}

/// WASI 0.2 has no number of a file that lasts, and what wasmtime reports as its time of change is that of
/// its making.
pub(super) fn scan(view: &OpenedFolders, folder: &str, limit: u32) -> Result<Outcome> {
    let flags = match folder.ends_with("/.") {
        true => PathFlags::SYMLINK_FOLLOW,
        false => PathFlags::empty(),
    };
    let at = view.locate(folder)?;
    // Opening a FIFO would wait for its other end, as a folder too.
    let found = at.folder.stat_at(flags, &at.below).map_err(failed)?;
    match files::kind(&found) {
        PathKind::Folder => {}
        PathKind::Symlink => return Err(files::linked()),
        _ => return Err(failed(ErrorCode::NotDirectory)),
    }
    let folder = files::open_folder(view, folder, flags)?;
    let names = folder.read_directory().map_err(failed)?;
    let mut entries = Vec::new();
    let mut complete = true;
    loop {
        let name = match names.read_directory_entry() {
            Ok(Some(found)) => found.name,
            Ok(None) => break,
            Err(ErrorCode::IllegalByteSequence) => {
                complete = false;
                continue;
            }
            // As when a name vanished before the runtime had looked at it.
            Err(_) => {
                complete = false;
                break;
            }
        };
        if entries.len() == limit as usize {
            complete = false;
            break;
        }
        let found = folder.stat_at(PathFlags::empty(), &name);
        let entry = files::entry_of(&found);
        if entry.kind == PathKind::Absent {
            continue;
        }
        let modified = found.ok().and_then(|it| it.data_modification_timestamp);
        entries.push(Scanned {
            name,
            entry,
            modified_ms: modified.map_or(f64::NAN, ms),
            changed_ms: f64::NAN,
            number: 0,
        });
    }
    Ok(Outcome::Scanned { entries, complete })
}

fn ms(time: Datetime) -> f64 {
    time.seconds as f64 * 1e3 + f64::from(time.nanoseconds) / NS_PER_MS
}
