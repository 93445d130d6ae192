//! A thread made of what is left of one that cannot be read.
//!
//! Each entry that can be read is kept, as long as the values of its channels can be read too: a value that goes on
//! from another one is lost with it. Numbers stay, so that what refers to an entry finds it.

use super::entry::ThreadEntry;
use super::index::{PartRef, Thread, ThreadSegment};
use super::line;
use super::log::{LoadedParts, Log};
use super::name;
use super::seal::{MAX_PART_BYTES, Sealed};
use super::value::Ref;
use crate::error::{Code, Error};
use crate::json::{Json, Object};

/// The remains of a thread.
#[derive(Clone, Debug)]
pub struct ThreadRemains<'a> {
    /// Its document, where that is one.
    pub index: Option<&'a Object>,
    /// Its parts, and others beside them.
    pub parts: Vec<(PartRef, &'a [u8])>,
    /// The lines of its journal that can be read.
    pub lines: &'a [Vec<u8>],
}

/// The result of a salvage.
#[derive(Clone, Debug)]
pub struct SalvagedThread {
    /// The whole thread.
    pub thread: Thread,
    /// The part that is new in it.
    pub sealed: Option<Sealed>,
    /// The parts that are there and cannot be read.
    pub broken: Vec<PartRef>,
    /// Lines that are in it.
    pub kept: usize,
    /// Parts that the document names and that are not in it.
    pub lost_parts: usize,
    /// Checkpoints that are left out, because a value of theirs goes on from one that is lost.
    pub dropped: usize,
    /// Checkpoints that it has.
    pub checkpoints: usize,
    /// True if it is the thread that can be read without this.
    pub is_sound: bool,
}

/// Makes a thread of what is left. A new part has this token, and so has a thread whose document is lost as what it
/// hashes its values with.
///
/// # Errors
///
/// [`Error::unsupported_version`] for a document of a later version, which is not lost.
pub fn salvage(
    name: &str,
    token: &str,
    remains: &ThreadRemains<'_>,
) -> Result<SalvagedThread, Error> {
    let read = remains
        .index
        .map(|it| Thread::read(it.clone(), &name::stem(name)));
    let index = match read {
        Some(Ok(thread)) => Some(thread),
        Some(Err(error)) if error.code() == Code::UnsupportedVersion => return Err(error),
        Some(Err(_)) | None => None,
    };
    let mut found = ReadableParts {
        remains,
        loaded: LoadedParts::default(),
        broken: Vec::new(),
        lost: 0,
    };
    let has_index = index.is_some();
    let (thread, lines) = match index {
        Some(thread) => (found.of_index(thread), remains.lines.to_vec()),
        // They may be of several journals, one of which went on from the other.
        None => {
            let lines = remains.lines.iter().cloned();
            (
                found.of_any(name, token),
                sorted(lines, |it| line::next(it)),
            )
        }
    };
    let is_applied = line::after(thread.clone(), &lines).is_ok();
    let (mut thread, kept) = line::after_some(thread, &lines);
    let loaded = &found.loaded;
    let gone = unresolved(&thread, loaded);
    let is_left = |it: &&ThreadEntry| it.is_visible() && gone.binary_search(&it.number).is_err();
    let checkpoints = entries(&thread, loaded).filter(is_left).count();
    let sealed = leave_out(&mut thread, loaded, &gone, token);
    leave_strays(&mut thread, &gone);
    Ok(SalvagedThread {
        thread,
        sealed,
        kept,
        dropped: gone.len(),
        checkpoints,
        is_sound: has_index && is_applied && gone.is_empty() && found.lost == 0,
        lost_parts: found.lost,
        broken: found.broken,
    })
}

/// The parts of a thread, as far as they can be read.
struct ReadableParts<'a> {
    remains: &'a ThreadRemains<'a>,
    loaded: LoadedParts,
    broken: Vec<PartRef>,
    lost: usize,
}

impl ReadableParts<'_> {
    /// Adds the parts that a document names.
    fn of_index(&mut self, mut thread: Thread) -> Thread {
        let remains = self.remains;
        for segment in std::mem::take(&mut thread.segments) {
            let part = thread.part(&segment);
            let there = remains.parts.iter().find(|(it, _)| *it == part);
            let is_read = match there {
                Some((_, bytes)) => self.loaded.add(&part, bytes, "").is_ok(),
                None => false,
            };
            if is_read {
                thread.segments.push(segment);
                continue;
            }
            self.lost += 1;
            if there.is_some() {
                self.broken.push(part);
            }
        }
        thread
    }

    /// Adds the parts that are there, for a thread whose document is lost. A part that was put
    /// together may be there with those it was made of, and so may be a part that a writer that
    /// died has prepared.
    fn of_any(&mut self, name: &str, token: &str) -> Thread {
        let mut thread = Thread::new(name, token);
        let mut found = Vec::new();
        let remains = self.remains;
        for (part, bytes) in &remains.parts {
            let is_read = self.loaded.add(part, bytes, "").is_ok();
            let entries = self.loaded.get(part).filter(|_| is_read);
            let segment = entries.and_then(|it| of_entries(it, &part.token, bytes.len()));
            match segment.filter(|it| thread.part(it) == *part) {
                Some(segment) => found.push(segment),
                None => self.broken.push(part.clone()),
            }
        }
        thread.segments = apart(found);
        thread.next = thread.segments.last().map_or(0, |it| it.last + 1);
        thread
    }
}

/// The segment of entries that stay together from now on.
fn of_entries(entries: &[ThreadEntry], token: &str, bytes: usize) -> Option<ThreadSegment> {
    let mut pairs = entries.iter().zip(entries.iter().skip(1));
    let is_in_order = pairs.all(|(one, next)| one.number < next.number);
    ThreadSegment::of(entries, token, ThreadSegment::FULL, bytes).filter(|_| is_in_order)
}

/// Returns those of segments that overlap that have the most entries together, in their order.
fn apart(found: Vec<ThreadSegment>) -> Vec<ThreadSegment> {
    let found = sorted(found.into_iter(), |it| it.last);
    // The most entries of the segments up to each, and how many of them end before it.
    let mut totals = vec![0_u64];
    let mut before = Vec::new();
    for (at, segment) in found.iter().enumerate() {
        let fitting = found[..at].partition_point(|it| it.last < segment.first);
        let with = totals[fitting] + (segment.last - segment.first + 1);
        totals.push(with.max(totals[at]));
        before.push(fitting);
    }
    let mut chosen = Vec::new();
    let mut at = found.len();
    while at > 0 {
        if totals[at] > totals[at - 1] {
            chosen.push(at - 1);
            at = before[at - 1];
        } else {
            at -= 1;
        }
    }
    let kept = found.into_iter().enumerate();
    let kept = kept.filter(|(at, _)| chosen.contains(at));
    kept.map(|(_, segment)| segment).collect()
}

/// Items by a number of theirs, those with the same one in the order given. Few and rare, so that the standard
/// library's sort is not compiled for them.
fn sorted<T>(items: impl Iterator<Item = T>, number: impl Fn(&T) -> u64) -> Vec<T> {
    let mut sorted: Vec<T> = Vec::new();
    for item in items {
        let own = number(&item);
        let at = sorted.partition_point(|it| number(it) <= own);
        sorted.insert(at, item);
    }
    sorted
}

/// All entries, the oldest first.
fn entries<'a>(
    thread: &'a Thread,
    loaded: &'a LoadedParts,
) -> impl Iterator<Item = &'a ThreadEntry> {
    let segments = thread.segments.iter();
    let sealed = segments.flat_map(move |it| loaded.of(it).unwrap_or_default());
    sealed.chain(&thread.tail)
}

/// The numbers of checkpoints that have a value which cannot be read, in their order.
fn unresolved(thread: &Thread, loaded: &LoadedParts) -> Vec<u64> {
    let log = Log::new(thread, loaded);
    let mut gone = Vec::new();
    for entry in entries(thread, loaded) {
        let Some(checkpoint) = &entry.checkpoint else {
            continue;
        };
        let mut channels = checkpoint.channels.iter();
        if !channels.all(|(channel, at)| has_value(log, &gone, channel, at)) {
            gone.push(entry.number);
        }
    }
    gone
}

/// Returns whether all that a value goes on from is there.
fn has_value(log: Log<'_>, gone: &[u64], channel: &str, at: &Ref) -> bool {
    let (mut number, mut length) = (at.at, at.length);
    loop {
        let Ok(Some(entry)) = log.entry(number) else {
            return false;
        };
        let Some(stored) = entry.value(channel) else {
            return false;
        };
        if gone.binary_search(&number).is_ok() {
            return false;
        }
        let own = stored.typed.text.len();
        let Some(base) = &stored.base else {
            return own == length;
        };
        // An entry refers to older ones alone, so that this ends.
        if base.head + own + base.tail != length || base.at >= number {
            return false;
        }
        (number, length) = (base.at, base.length);
    }
}

/// Takes entries out of the thread. From the first part on that has one of them, all others come into one new part;
/// where that would be too large, the parts stay as they are.
fn leave_out(
    thread: &mut Thread,
    loaded: &LoadedParts,
    gone: &[u64],
    token: &str,
) -> Option<Sealed> {
    let is_gone = |number: u64| gone.binary_search(&number).is_ok();
    thread.tail.retain(|it| !is_gone(it.number));
    let mut segments = thread.segments.iter();
    let at = segments.position(|segment| {
        let entries = loaded.of(segment).unwrap_or_default();
        entries.iter().any(|it| is_gone(it.number))
    })?;
    let mut left: Vec<ThreadEntry> = Vec::new();
    for segment in &thread.segments[at..] {
        let entries = loaded.of(segment).unwrap_or_default();
        left.extend(entries.iter().filter(|it| !is_gone(it.number)).cloned());
    }
    let items = left.iter().cloned().map(ThreadEntry::into_json);
    let text = Json::from(items.collect::<Vec<_>>()).to_line();
    if text.len() as u64 > MAX_PART_BYTES {
        return None;
    }
    thread.segments.truncate(at);
    let segment = of_entries(&left, token, text.len())?;
    let key = name::part_key(thread.name(), segment.first);
    thread.segments.push(segment);
    Some(Sealed {
        key,
        bytes: text.into_bytes(),
    })
}

/// Forgets where writes were whose entry is not there any more.
fn leave_strays(thread: &mut Thread, gone: &[u64]) {
    let mut strays = std::mem::take(&mut thread.strays);
    strays.retain(|stray| {
        let number = stray.number;
        let mut segments = thread.segments.iter();
        let is_sealed = segments.any(|it| (it.first..=it.last).contains(&number));
        let is_there = is_sealed || thread.tail.iter().any(|it| it.number == number);
        is_there && gone.binary_search(&number).is_err()
    });
    thread.strays = strays;
}

#[cfg(test)]
#[path = "salvage_tests.rs"]
mod tests;
