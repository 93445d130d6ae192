//! Objects that are a file each.

use super::{GitObject, ObjectKind, inflate};
use crate::git::id::Id;
use crate::git::unreadable::Unreadable;

/// The longest header: a word, a size in decimal digits, and NUL.
const LONGEST_HEADER: usize = 32;

/// The path of an object, below the folder `objects`.
pub fn path(id: &Id) -> String {
    let mut path = id.digits();
    path.insert(2, '/');
    path
}

/// The kind of the object in this file, and its size in bytes, from the first 128 bytes or more.
///
/// # Errors
///
/// [`Unreadable::Malformed`] when it is no object.
pub fn header(start: &[u8]) -> Result<(ObjectKind, u64), Unreadable> {
    let (kind, size, _) = parse(start)?;
    Ok((kind, size))
}

/// The object in this file.
///
/// # Errors
///
/// [`Unreadable::Malformed`] when it is no object; [`Unreadable::TooLarge`] when it holds more than
/// `limit` bytes, known without unpacking them.
pub fn read(file: &[u8], limit: usize) -> Result<GitObject, Unreadable> {
    let (kind, size, header) = parse(file)?;
    let size = usize::try_from(size).map_err(|_| Unreadable::TooLarge)?;
    if size > limit {
        return Err(Unreadable::TooLarge);
    }
    let mut bytes = inflate::whole(file, header + size)?.ok_or(Unreadable::Malformed)?;
    bytes.drain(..header);
    Ok(GitObject { kind, bytes })
}

/// Its kind, its size, and how long the header is.
fn parse(file: &[u8]) -> Result<(ObjectKind, u64, usize), Unreadable> {
    let malformed = Unreadable::Malformed;
    let mut start = [0; LONGEST_HEADER];
    let written = inflate::start(file, &mut start)?;
    let length = start[..written].iter().position(|&byte| byte == 0);
    let length = length.ok_or(malformed)?;
    let header = std::str::from_utf8(&start[..length]).map_err(|_| malformed)?;
    let (word, size) = header.split_once(' ').ok_or(malformed)?;
    let kind = ObjectKind::ALL.into_iter().find(|kind| kind.word() == word);
    let is_number = size.bytes().all(|byte| byte.is_ascii_digit());
    let size = size.parse().ok().filter(|_| is_number).ok_or(malformed)?;
    Ok((kind.ok_or(malformed)?, size, length + 1))
}
