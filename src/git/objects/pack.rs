//! Packs (`.pack`): an object that is stored whole, or as a change of another one.

use super::{Kind, Object, Part, delta, inflate};
use crate::git::bytes::Cursor;
use crate::git::id::{Hash, Id};
use crate::git::unreadable::Unreadable;

/// The number of bytes that are read first: most trees and commits are smaller.
const START_BYTES: u32 = 4 << 10;
/// The longest chain of changes that git writes (`--depth`).
const MOST_DELTAS: usize = 4095;

/// Reads one object of a pack, and all that it is a change of.
pub struct Reading {
    hash: Hash,
    /// The most bytes that an object may have, and the deltas of one together.
    limit: usize,
    part: Part,
    /// The deltas that make the object out of what is read now; the last one is applied first.
    deltas: Vec<Vec<u8>>,
    held: usize,
}

/// The part that a reader needs, or the object that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// This part of the pack.
    Read(Part),
    /// The object with this id, which is stored anywhere: [`Reading::base_at`] of the same pack, or
    /// [`Reading::base`].
    Base(Id),
    /// The object.
    Done(Object),
}

/// The form in which an object is stored.
enum Stored {
    Whole(Kind),
    /// As a change of the object that begins here.
    ChangeAt(u64),
    /// As a change of the object with this id.
    ChangeOf(Id),
}

impl Reading {
    /// The object that begins at this offset.
    pub fn new(hash: Hash, offset: u64, limit: usize) -> Reading {
        Reading {
            hash,
            limit,
            part: start(offset),
            deltas: Vec::new(),
            held: 0,
        }
    }

    /// The part of the pack that is needed now. Where it begins, an object does: a caller that has kept that one
    /// can go on with [`Reading::base`] instead, where [`Reading::is_at_base`].
    pub fn part(&self) -> Part {
        self.part
    }

    /// Returns whether the object that is read now is only the base of the one that was asked for.
    pub fn is_at_base(&self) -> bool {
        !self.deltas.is_empty()
    }

    /// Goes on with that part.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] when no object begins there; [`Unreadable::TooLarge`] when one is
    /// beyond the limit, known without unpacking it; [`Unreadable::TooDeep`] after 4095 changes.
    pub fn read(&mut self, part: &[u8]) -> Result<Step, Unreadable> {
        let malformed = Unreadable::Malformed;
        let mut rest = Cursor(part);
        let (stored, size) = header(&mut rest, self.part.offset, self.hash).ok_or(malformed)?;
        let size = usize::try_from(size).ok().filter(|it| *it <= self.limit);
        let size = size.ok_or(Unreadable::TooLarge)?;
        let Some(bytes) = inflate::whole(rest.0, size)? else {
            return self.more(part.len(), size);
        };
        match stored {
            Stored::Whole(kind) => self.finish(Object { kind, bytes }).map(Step::Done),
            Stored::ChangeAt(base) => {
                self.keep(bytes)?;
                self.part = start(base);
                Ok(Step::Read(self.part))
            }
            Stored::ChangeOf(base) => {
                self.keep(bytes)?;
                Ok(Step::Base(base))
            }
        }
    }

    /// Goes on with the base at this offset of the same pack.
    pub fn base_at(&mut self, offset: u64) -> Part {
        self.part = start(offset);
        self.part
    }

    /// Goes on with the base itself, and ends.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] when it is not what the object is a change of.
    pub fn base(&mut self, base: Object) -> Result<Object, Unreadable> {
        self.finish(base)
    }

    /// Asks for a longer part: what no zlib makes longer, and then twice as much.
    fn more(&mut self, read: usize, size: usize) -> Result<Step, Unreadable> {
        if read < self.part.length as usize {
            // The pack ends here.
            return Err(Unreadable::Malformed);
        }
        let most = size + size / 8 + START_BYTES as usize;
        let length = most.max(read.saturating_mul(2));
        self.part.length = u32::try_from(length).map_err(|_| Unreadable::TooLarge)?;
        Ok(Step::Read(self.part))
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

    fn finish(&mut self, mut object: Object) -> Result<Object, Unreadable> {
        while let Some(delta) = self.deltas.pop() {
            object.bytes = delta::apply(&object.bytes, &delta, self.limit)?;
        }
        Ok(object)
    }
}

fn start(offset: u64) -> Part {
    let length = START_BYTES;
    Part { offset, length }
}

/// The form in which the object at `offset` is stored, and the size of what follows once it is inflated.
fn header(rest: &mut Cursor<'_>, offset: u64, hash: Hash) -> Option<(Stored, u64)> {
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
        1 => Stored::Whole(Kind::Commit),
        2 => Stored::Whole(Kind::Tree),
        3 => Stored::Whole(Kind::Blob),
        4 => Stored::Whole(Kind::Tag),
        6 => {
            // Always before, so that there is no circle.
            let distance = distance(rest).filter(|it| *it > 0)?;
            Stored::ChangeAt(offset.checked_sub(distance)?)
        }
        7 => Stored::ChangeOf(Id::new(hash, rest.take(hash.bytes())?).ok()?),
        _ => return None,
    };
    Some((stored, size))
}

/// The distance back to the beginning of a base: seven bits a byte, the highest first, and one more for each byte that
/// follows. A pack can be larger than what a `usize` of wasm counts.
fn distance(rest: &mut Cursor<'_>) -> Option<u64> {
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
