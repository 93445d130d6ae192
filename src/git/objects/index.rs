//! The index of a pack (`.idx`, versions 1 and 2): where in it an object begins.

use super::FileRange;
use crate::git::bytes::ByteCursor;
use crate::git::id::{Hash, Id};
use crate::git::unreadable::Unreadable;

/// The first bytes of version 2, with which version 1 cannot begin.
const MAGIC: &[u8] = b"\xfftOc";
/// The fan-out: for each first byte of an id, how many ids begin with it or a lower one.
const FAN: usize = 256;
/// Above this, the ids that may hold the one looked for are halved before they are read.
const MOST_IDS: u32 = 64 << 10;

/// The head of an index.
#[derive(Clone)]
pub struct PackIndex {
    hash: Hash,
    is_first_version: bool,
    fan: [u32; FAN],
}

impl PackIndex {
    /// The part of the file that [`PackIndex::open`] takes.
    pub const HEAD: FileRange = FileRange {
        offset: 0,
        length: 8 + 4 * FAN as u32,
    };

    /// Reads the head.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] when it is not of a known version.
    pub fn open(head: &[u8], hash: Hash) -> Result<PackIndex, Unreadable> {
        let is_first_version = !head.starts_with(MAGIC);
        let opened = PackIndex {
            hash,
            is_first_version,
            fan: fan(head, is_first_version).ok_or(Unreadable::Malformed)?,
        };
        let is_known = opened.fan.is_sorted() && (!is_first_version || hash == Hash::Sha1);
        is_known.then_some(opened).ok_or(Unreadable::Malformed)
    }

    /// Returns the number of objects in the pack.
    pub fn count(&self) -> u32 {
        self.fan[FAN - 1]
    }

    /// Looks an object up. `None` when the head says already that it is not there.
    pub fn search(&self, id: Id) -> Option<Search<'_>> {
        if id.hash() != self.hash {
            return None;
        }
        let first = usize::from(id.as_bytes()[0]);
        let low = first.checked_sub(1).map_or(0, |before| self.fan[before]);
        let high = self.fan[first];
        let request = IndexRequest::Ids { low, high };
        (low < high).then_some(Search {
            index: self,
            id,
            request,
        })
    }

    /// Returns the offset of the ids.
    fn ids_at(&self) -> u64 {
        match self.is_first_version {
            true => 4 * FAN as u64,
            false => Self::HEAD.length.into(),
        }
    }

    /// The distance from one id to the next, in bytes: version 1 has the offsets between them.
    fn stride(&self) -> u32 {
        let offset = if self.is_first_version { 4 } else { 0 };
        offset + self.hash.bytes() as u32
    }

    /// Returns the offset of version 2's offsets: behind the ids and the checksums.
    fn offsets_at(&self) -> u64 {
        self.ids_at() + u64::from(self.count()) * u64::from(self.stride() + 4)
    }
}

fn fan(head: &[u8], is_first_version: bool) -> Option<[u32; FAN]> {
    let mut rest = ByteCursor(head);
    if !is_first_version {
        rest.take(MAGIC.len())?;
        if rest.number()? != 2 {
            return None;
        }
    }
    let mut fan = [0; FAN];
    for count in &mut fan {
        *count = rest.number()?;
    }
    Some(fan)
}

/// One search for one object.
pub struct Search<'a> {
    index: &'a PackIndex,
    id: Id,
    request: IndexRequest,
}

/// The request for a part of an index.
#[derive(Clone, Copy)]
enum IndexRequest {
    /// Ids from `low` on and before `high`, or the one in their middle.
    Ids { low: u32, high: u32 },
    /// The offset of the object with this number.
    Offset(u32),
    /// An offset beyond two gigabytes, of which there is a table of its own.
    LargeOffset(u32),
}

/// The part that a search needs, or the place that it has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStep {
    /// This part of the index.
    Read(FileRange),
    /// The object begins at this offset of the pack.
    At(u64),
    /// The pack does not have it.
    Nowhere,
}

impl Search<'_> {
    /// The part of the index that is needed now.
    pub fn part(&self) -> FileRange {
        let index = self.index;
        let stride = index.stride();
        let (offset, length) = match self.request {
            IndexRequest::Ids { low, high } => {
                let (first, count) = match is_few(high - low, stride) {
                    true => (low, high - low),
                    false => (middle(low, high), 1),
                };
                let offset = index.ids_at() + u64::from(first) * u64::from(stride);
                (offset, count * stride)
            }
            IndexRequest::Offset(number) => (index.offsets_at() + 4 * u64::from(number), 4),
            IndexRequest::LargeOffset(number) => {
                let offsets = 4 * u64::from(index.count());
                (index.offsets_at() + offsets + 8 * u64::from(number), 8)
            }
        };
        FileRange { offset, length }
    }

    /// Goes on with that part.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] when it has not the length that was asked for.
    pub fn read(&mut self, part: &[u8]) -> Result<SearchStep, Unreadable> {
        if part.len() != self.part().length as usize {
            return Err(Unreadable::Malformed);
        }
        let mut rest = ByteCursor(part);
        match self.request {
            IndexRequest::Ids { low, high } => Ok(self.compare(part, low, high)),
            IndexRequest::Offset(_) => {
                let offset = rest.number().ok_or(Unreadable::Malformed)?;
                match offset.checked_sub(1 << 31) {
                    None => Ok(SearchStep::At(offset.into())),
                    Some(number) => {
                        self.request = IndexRequest::LargeOffset(number);
                        Ok(SearchStep::Read(self.part()))
                    }
                }
            }
            IndexRequest::LargeOffset(_) => {
                let high = rest.number().ok_or(Unreadable::Malformed)?;
                let low = rest.number().ok_or(Unreadable::Malformed)?;
                Ok(SearchStep::At(u64::from(high) << 32 | u64::from(low)))
            }
        }
    }

    fn compare(&mut self, ids: &[u8], low: u32, high: u32) -> SearchStep {
        let stride = self.index.stride();
        let target = self.id.as_bytes();
        let id_of = |item: &'_ [u8]| item[item.len() - target.len()..].cmp(target);
        if !is_few(high - low, stride) {
            let middle = middle(low, high);
            let (low, high) = match id_of(ids).is_lt() {
                true => (middle + 1, high),
                false => (low, middle + 1),
            };
            self.request = IndexRequest::Ids { low, high };
            return SearchStep::Read(self.part());
        }
        let items = ids.chunks_exact(stride as usize).enumerate();
        for (at, item) in items {
            if id_of(item).is_ne() {
                continue;
            }
            if self.index.is_first_version {
                let offset = ByteCursor(item).number();
                return offset.map_or(SearchStep::Nowhere, |it| SearchStep::At(it.into()));
            }
            self.request = IndexRequest::Offset(low + at as u32);
            return SearchStep::Read(self.part());
        }
        SearchStep::Nowhere
    }
}

fn is_few(ids: u32, stride: u32) -> bool {
    ids <= MOST_IDS / stride
}

fn middle(low: u32, high: u32) -> u32 {
    low + (high - low) / 2
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
