//! Effects on the content of files. Nothing is opened through a symbolic link that the core did not allow, and no
//! opening waits for the other end of a FIFO.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};

use crate::effect::{Access, Links, Outcome, PathKind, Sync};

use super::fault::{Result, irregular, too_large};
use super::system::{create_new, failed, io_failed, open_addition, open_existing, read_at, status};

/// Says how many bytes a regular file has.
fn regular(file: File) -> Result<(File, u64)> {
    let found = status(&file)?;
    match found.kind {
        PathKind::File => Ok((file, found.size)),
        _ => Err(irregular()),
    }
}

fn open_regular(path: &str, links: Links) -> Result<(File, u64)> {
    regular(open_existing(path, links).map_err(failed)?)
}

pub(super) fn read(path: &str, limit: u32, links: Links) -> Result<Outcome> {
    let (file, size) = open_regular(path, links)?;
    if size > limit.into() {
        return Err(too_large(limit));
    }
    // One byte more than expected shows in one read that the end was reached.
    let mut bytes = Vec::with_capacity(size as usize + 1);
    let most = u64::from(limit) + 1;
    file.take(most).read_to_end(&mut bytes).map_err(io_failed)?;
    match bytes.len() > limit as usize {
        true => Err(too_large(limit)),
        false => Ok(Outcome::Bytes(bytes)),
    }
}

pub(super) fn part(path: &str, offset: u64, length: u32, links: Links) -> Result<Outcome> {
    let (file, size) = open_regular(path, links)?;
    let length = u64::from(length).min(size.saturating_sub(offset));
    let mut bytes = vec![0; length as usize];
    let mut got = 0;
    while got < bytes.len() {
        match read_at(&file, &mut bytes[got..], offset + got as u64) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(io_failed(error)),
        }
    }
    bytes.truncate(got);
    Ok(Outcome::Bytes(bytes))
}

pub(super) fn create(path: &str, bytes: &[u8], sync: Sync, access: Access) -> Result<Outcome> {
    write(&create_new(path, access)?, bytes, sync)
}

pub(super) fn append(path: &str, bytes: &[u8], sync: Sync) -> Result<Outcome> {
    let (file, _) = regular(open_addition(path).map_err(failed)?)?;
    write(&file, bytes, sync)
}

/// Writes all of these bytes. Before the answer they are where the system promises to keep them: on macOS that is more
/// than `fsync`, as the standard library knows.
fn write(mut file: &File, bytes: &[u8], sync: Sync) -> Result<Outcome> {
    file.write_all(bytes).map_err(io_failed)?;
    if sync == Sync::Durable {
        file.sync_all().map_err(io_failed)?;
    }
    Ok(Outcome::Done)
}
