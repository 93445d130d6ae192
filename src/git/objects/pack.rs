//! Packs (`.pack`): an object that is stored whole, or as a change of another one.

use super::{FileRange, GitObject, ObjectKind, delta, inflate};
use crate::git::bytes::ByteCursor;
use crate::git::id::{Hash, Id};
use crate::git::unreadable::Unreadable;

/// The number of bytes that are read first: most trees and commits are smaller.
const START_BYTES: u32 = 4 << 10;
/// The longest chain of changes that git writes (`--depth`).
const MOST_DELTAS: usize = 4095;

/// Reads one object of a pack, and all that it is a change of.
pub struct PackedObjectReader {
    hash: Hash,
    /// The most bytes that an object may have, and the deltas of one together.
    limit: usize,
    part: FileRange,
    /// The deltas that make the object out of what is read now; the last one is applied first.
    deltas: Vec<Vec<u8>>,
    held: usize,
}

/// The part that a reader needs, or the object that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackStep {
    /// This part of the pack.
    Read(FileRange),
    /// The object with this id, which is stored anywhere: [`PackedObjectReader::base_at`] of the same pack, or
    /// [`PackedObjectReader::base`].
    Base(Id),
    /// The object.
    Done(GitObject),
}

/// The form in which an object is stored.
enum PackedForm {
    Whole(ObjectKind),
    /// As a change of the object that begins here.
    ChangeAt(u64),
    /// As a change of the object with this id.
    ChangeOf(Id),
}

impl PackedObjectReader {
    /// The object that begins at this offset.
    pub fn new(hash: Hash, offset: u64, limit: usize) -> PackedObjectReader {
        PackedObjectReader {
            hash,
            limit,
            part: start(offset),
            deltas: Vec::new(),
            held: 0,
        }
    }

    /// The part of the pack that is needed now. Where it begins, an object does.
    pub fn part(&self) -> FileRange {
        self.part
    }

    /// Goes on with that part.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] when no object begins there; [`Unreadable::TooLarge`] when one is
    /// beyond the limit, known without unpacking it; [`Unreadable::TooDeep`] after 4095 changes.
    pub fn read(&mut self, part: &[u8]) -> Result<PackStep, Unreadable> {
        let malformed = Unreadable::Malformed;
        let mut rest = ByteCursor(part);
        let (stored, size) = header(&mut rest, self.part.offset, self.hash).ok_or(malformed)?;
        let size = usize::try_from(size).ok().filter(|it| *it <= self.limit);
        let size = size.ok_or(Unreadable::TooLarge)?;
        let Some(bytes) = inflate::whole(rest.0, size)? else {
            return self.more(part.len(), size);
        };
        match stored {
            PackedForm::Whole(kind) => self.finish(GitObject { kind, bytes }).map(PackStep::Done),
            PackedForm::ChangeAt(base) => {
                self.keep(bytes)?;
                self.part = start(base);
                Ok(PackStep::Read(self.part))
            }
            PackedForm::ChangeOf(base) => {
                self.keep(bytes)?;
                Ok(PackStep::Base(base))
            }
        }
    }

    /// Goes on with the base at this offset of the same pack.
    pub fn base_at(&mut self, offset: u64) -> FileRange {
        self.part = start(offset);
        self.part
    }

    /// Goes on with the base itself, and ends.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] when it is not what the object is a change of.
    pub fn base(&mut self, base: GitObject) -> Result<GitObject, Unreadable> {
        self.finish(base)
    }

    /// Asks for a longer part: what no zlib makes longer, and then twice as much.
    fn more(&mut self, read: usize, size: usize) -> Result<PackStep, Unreadable> {
        if read < self.part.length as usize {
            // The pack ends here.
            return Err(Unreadable::Malformed);
        }
        let most = size + size / 8 + START_BYTES as usize;
        let length = most.max(read.saturating_mul(2));
        self.part.length = u32::try_from(length).map_err(|_| Unreadable::TooLarge)?;
        Ok(PackStep::Read(self.part))
    }

    fn keep(&mut self, delta: Vec<u8>) -> Result<(), Unreadable> {
        if self.deltas.len() == MOST_DELTAS {
            return Err(Unreadable::TooDeep);
        }
        self.held += delta.len();
        if self.held > self.limit {
            return Err(Unreadable::TooLarge);
        }
        self.deltas.push(delta);
        Ok(())
    }

    fn finish(&mut self, mut object: GitObject) -> Result<GitObject, Unreadable> {
        while let Some(delta) = self.deltas.pop() {
            object.bytes = delta::apply(&object.bytes, &delta, self.limit)?;
        }
        Ok(object)
    }
}

fn start(offset: u64) -> FileRange {
    let length = START_BYTES;
    FileRange { offset, length }
}

/// The form in which the object at `offset` is stored, and the size of what follows once it is inflated.
fn header(rest: &mut ByteCursor<'_>, offset: u64, hash: Hash) -> Option<(PackedForm, u64)> {
    let mut byte = rest.take(1)?[0];
    let kind = byte >> 4 & 7;
    let mut size = u64::from(byte & 15);
    let mut shift = 4;
    while byte & 0x80 != 0 {
        byte = rest.take(1)?[0];
        let bits = u64::from(byte & 0x7f);
        size |= bits.checked_shl(shift).filter(|it| it >> shift == bits)?;
        shift += 7;
    }
    let stored = match kind {
        1 => PackedForm::Whole(ObjectKind::Commit),
        2 => PackedForm::Whole(ObjectKind::Tree),
        3 => PackedForm::Whole(ObjectKind::Blob),
        4 => PackedForm::Whole(ObjectKind::Tag),
        6 => {
            // Always before, so that there is no circle.
            let distance = distance(rest).filter(|it| *it > 0)?;
            PackedForm::ChangeAt(offset.checked_sub(distance)?)
        }
        7 => PackedForm::ChangeOf(Id::new(hash, rest.take(hash.bytes())?).ok()?),
        _ => return None,
    };
    Some((stored, size))
}

/// The distance back to the beginning of a base: seven bits a byte, the highest first, and one more for each byte that
/// follows. A pack can be larger than what a `usize` of wasm counts.
fn distance(rest: &mut ByteCursor<'_>) -> Option<u64> {
    let mut value = 0u64;
    loop {
        let byte = rest.take(1)?[0];
        value = value
            .checked_mul(128)?
            .checked_add(u64::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
        value = value.checked_add(1)?;
    }
}

#[cfg(test)]
#[path = "pack_tests.rs"]
mod tests;
