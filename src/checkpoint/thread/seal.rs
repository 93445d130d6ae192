//! The rule for moving entries from the document of a thread to a part, and for merging parts.
//!
//! The document is written again at each change, so that few entries stay in it. Of those that
//! leave it, eight parts of one size become one, and of those eight again, as long as the result is
//! no larger than `MAX_MERGED_BYTES`: an entry is written a handful of times in all, and the
//! entries of a long thread are in a few dozen parts.

use super::entry::ThreadEntry;
use super::index::{Thread, ThreadSegment};
use super::log::{LoadedParts, Log, ThreadStop};
use super::{name, writes};
use crate::error::Error;
use crate::json::Json;

/// The way in which changes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// Each change writes the document again.
    Documents,
    /// Most are a line of its journal.
    Lines,
}

impl Writing {
    /// Entries leave the document once they are larger than this together. Every change reads and hashes them
    /// beside the waits for the disk, and writes them, where it writes documents; sealing costs a file, and four
    /// waits, where a line costs one.
    fn seal_bytes(self) -> usize {
        match self {
            Writing::Documents => 12 << 10,
            Writing::Lines => 48 << 10,
        }
    }

    /// The number of the newest bytes that stay: the next checkpoint goes on from there.
    fn kept_bytes(self) -> usize {
        match self {
            Writing::Documents => 4 << 10,
            Writing::Lines => 6 << 10,
        }
    }
}

/// The number of parts of one level that become one of the next.
const FANOUT: usize = 8;

/// No part that is put together is larger: looking for one entry means to read all of its part.
const MAX_MERGED_BYTES: u64 = 4 << 20;

/// The most bytes of a part, and so of one checkpoint with what its tasks wrote.
pub const MAX_PART_BYTES: u64 = 256 << 20;

/// A part that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Its key; its token is that of the change.
    pub key: String,
    /// Its text.
    pub bytes: Vec<u8>,
}

/// Takes entries that are too many out of the document, into one new part.
///
/// # Errors
///
/// [`ThreadStop::Needs`] where parts are to be put together; [`Error::too_large`] for a part that could not be read
/// again.
pub(super) fn settle(
    thread: &mut Thread,
    loaded: &LoadedParts,
    token: &str,
    writing: Writing,
) -> Result<Option<Sealed>, ThreadStop> {
    let weights: Vec<usize> = thread.tail.iter().map(ThreadEntry::weight).collect();
    if weights.iter().sum::<usize>() <= writing.seal_bytes() {
        return Ok(None);
    }
    let mut kept = 0;
    let stays = weights.iter().rev().take_while(|it| {
        kept += **it;
        kept <= writing.kept_bytes()
    });
    let stays = stays.count();
    let (merged, level) = to_merge(thread, weights.iter().sum());
    let mut entries = Vec::new();
    let log = Log::new(thread, loaded);
    log.expect(&thread.segments[merged..])?;
    for segment in &thread.segments[merged..] {
        entries.extend_from_slice(log.entries(segment)?);
    }
    thread.segments.truncate(merged);
    let sealed = thread.tail.len() - stays;
    entries.extend(thread.tail.drain(..sealed));
    gather_strays(thread, &mut entries);
    let Some((segment, part)) = seal(&thread.name, entries, token, level)? else {
        return Ok(None);
    };
    thread.segments.push(segment);
    Ok(Some(part))
}

/// Puts these entries, the oldest first, into a thread that has none: the newest into its document, the others into
/// parts with this token.
///
/// # Errors
///
/// [`Error::too_large`] for a part that could not be read again.
pub(super) fn lay_out(
    thread: &mut Thread,
    entries: Vec<ThreadEntry>,
    token: &str,
) -> Result<Vec<Sealed>, Error> {
    let weights: Vec<usize> = entries.iter().map(ThreadEntry::weight).collect();
    let most = match weights.iter().sum::<usize>() <= Writing::Documents.seal_bytes() {
        true => usize::MAX,
        false => Writing::Documents.kept_bytes(),
    };
    let mut kept = 0_usize;
    let stays = weights.iter().rev().take_while(|it| {
        kept = kept.saturating_add(**it);
        kept <= most
    });
    let mut left = entries.len() - stays.count();
    let mut sealed = Vec::new();
    let mut weights = weights.into_iter();
    let mut entries = entries.into_iter();
    while left > 0 {
        let mut bytes = 0;
        let run = weights.by_ref().take(left).take_while(|it| {
            bytes += *it as u64;
            bytes < MAX_MERGED_BYTES
        });
        // The one that is too many is taken as well.
        let count = (run.count() + 1).min(left);
        left -= count;
        let part: Vec<ThreadEntry> = entries.by_ref().take(count).collect();
        if let Some((segment, part)) = seal(&thread.name, part, token, ThreadSegment::FULL)? {
            thread.segments.push(segment);
            sealed.push(part);
        }
    }
    thread.tail = entries.collect();
    Ok(sealed)
}

/// The part with these entries, and its segment.
fn seal(
    thread: &str,
    entries: Vec<ThreadEntry>,
    token: &str,
    level: u64,
) -> Result<Option<(ThreadSegment, Sealed)>, Error> {
    let Some(mut segment) = ThreadSegment::of(&entries, token, level, 0) else {
        return Ok(None);
    };
    // Not of a copy: one value may be half of the memory that there is.
    let text = entries.into_iter().map(ThreadEntry::into_json);
    let text = Json::from(text.collect::<Vec<_>>());
    let bytes = text.to_line().into_bytes();
    if bytes.len() as u64 > MAX_PART_BYTES {
        let message = format!(
            "A checkpoint has {} bytes with the parts beside it, which is more than {MAX_PART_BYTES}",
            bytes.len()
        );
        return Err(Error::too_large("checkpoint".to_owned(), message));
    }
    segment.bytes = bytes.len() as u64;
    let key = name::part_key(thread, segment.first);
    Ok(Some((segment, Sealed { key, bytes })))
}

/// From which segment on they become one with what is sealed now, and the level of that.
fn to_merge(thread: &mut Thread, bytes: usize) -> (usize, u64) {
    let mut from = thread.segments.len();
    let mut bytes = bytes as u64;
    let mut level = 0;
    loop {
        let run = thread.segments[..from].iter().rev();
        let run = run.take_while(|it| it.level == level).count();
        if run + 1 < FANOUT {
            return (from, level);
        }
        let begin = from - run;
        let sum: u64 = thread.segments[begin..from].iter().map(|it| it.bytes).sum();
        if bytes + sum > MAX_MERGED_BYTES {
            for segment in &mut thread.segments[begin..from] {
                segment.level = ThreadSegment::FULL;
            }
            return (from, level);
        }
        bytes += sum;
        from = begin;
        level += 1;
    }
}

/// Puts writes that are stored apart to their checkpoint, where both are among these entries.
fn gather_strays(thread: &mut Thread, entries: &mut Vec<ThreadEntry>) {
    let mut left = Vec::new();
    for stray in std::mem::take(&mut thread.strays) {
        let at = entries
            .binary_search_by_key(&stray.number, |it| it.number)
            .ok();
        let checkpoint = entries
            .iter()
            .position(|it| it.checkpoint.is_some() && it.is_of(&stray.namespace, &stray.id));
        let (Some(at), Some(to)) = (at, checkpoint) else {
            left.push(stray);
            continue;
        };
        let apart = std::mem::take(&mut entries[at].writes);
        let of = &mut entries[to].writes;
        if at < to {
            let later = std::mem::replace(of, apart);
            writes::add(of, later);
        } else {
            writes::add(of, apart);
        }
        entries.remove(at);
    }
    thread.strays = left;
}
