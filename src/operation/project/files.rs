//! Files of a project that belong to its repository: read within a bound, made where they are absent,
//! and never rewritten. Nothing on the way to them may be a symbolic link.

use crate::effect::{Access, Failed, Fault, Io, Links, PathKind, Sync};
use crate::error::Error;
use crate::root::Root;
use crate::store::wrong_kind;

/// No page or configuration that people write is larger.
pub(super) const MAX_BYTES: u32 = 1024 * 1024;

pub(super) async fn create(io: &Io, root: &Root, path: &str, text: &str) -> Result<bool, Error> {
    if stand(io, root, path).await? != PathKind::Absent {
        return Ok(false);
    }
    for (at, _) in path.match_indices('/') {
        match io.make_folder(root.join(&path[..at]), Access::Shared).await {
            Ok(())
            | Err(Failed {
                fault: Fault::Exists,
                ..
            }) => {}
            Err(failed) => return Err(failed.cannot("make", &path[..at])),
        }
    }
    match io
        .create(
            root.join(path),
            text.as_bytes().to_owned(),
            Sync::Durable,
            Access::Shared,
        )
        .await
    {
        Ok(()) => Ok(true),
        Err(Failed {
            fault: Fault::Exists,
            ..
        }) => Ok(false),
        Err(failed) => Err(failed.cannot("write", path)),
    }
}

pub(in crate::operation) async fn read(
    io: &Io,
    root: &Root,
    path: &str,
) -> Result<Option<Vec<u8>>, Error> {
    match io.read(root.join(path), MAX_BYTES, Links::Refuse).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Failed {
            fault: Fault::NotFound,
            ..
        }) => Ok(None),
        Err(Failed {
            fault: Fault::TooLarge,
            ..
        }) => {
            let message = sentence!("{path} is larger than 1 MiB");
            Err(Error::too_large(path.to_owned(), message))
        }
        Err(failed) => Err(failed.cannot("read", path)),
    }
}

/// The kind of the entry at a path below the root; nothing on the way may be a symbolic link.
pub(super) async fn stand(io: &Io, root: &Root, path: &str) -> Result<PathKind, Error> {
    let ends: Vec<usize> = path
        .match_indices('/')
        .map(|(at, _)| at)
        .chain([path.len()])
        .collect();
    let paths = ends.iter().map(|&end| root.join(&path[..end])).collect();
    let entries = io
        .inspect(paths)
        .await
        .map_err(|failed| failed.cannot("look at", path))?;
    for (&end, entry) in ends.iter().zip(&entries) {
        let expected = if end == path.len() {
            PathKind::File
        } else {
            PathKind::Folder
        };
        if entry.kind != PathKind::Absent && entry.kind != expected {
            let part = &path[..end];
            let noun = if expected == PathKind::File {
                "a regular file"
            } else {
                "a folder"
            };
            return Err(wrong_kind(part, entry.kind, noun));
        }
    }
    Ok(entries.last().map_or(PathKind::Absent, |entry| entry.kind))
}
