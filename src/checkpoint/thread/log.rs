//! Looking up entries, in the document of a thread and in its parts.

use super::entry::ThreadEntry;
use super::index::{PartRef, Thread, ThreadSegment, list};
use super::name;
use super::value::{Ref, Typed, resolve};
use super::writes::{self, ChannelWrite};
use crate::error::Error;
use crate::json;
use crate::sorting;

/// The reasons why a rule did not come to an end.
#[derive(Clone, Debug)]
pub enum ThreadStop {
    /// It needs these parts.
    Needs(Vec<PartRef>),
    /// It failed.
    Failed(Error),
}

impl From<Error> for ThreadStop {
    fn from(error: Error) -> Self {
        ThreadStop::Failed(error)
    }
}

/// Parts that were read.
#[derive(Clone, Debug, Default)]
pub struct LoadedParts {
    parts: Vec<(PartRef, Vec<ThreadEntry>)>,
}

impl LoadedParts {
    /// Adds a part; messages name it by `path`.
    ///
    /// # Errors
    ///
    /// [`Error::corrupt`] where it is not a part.
    pub fn add(&mut self, part: &PartRef, bytes: &[u8], path: &str) -> Result<(), Error> {
        let corrupt = |reason: String| Error::corrupt(path.to_owned(), reason, None);
        let reading = json::read(bytes).map_err(|it| corrupt(it.to_string()))?;
        let entries = list(reading.value, ThreadEntry::read);
        let entries = entries.ok_or_else(|| corrupt("expected entries of a thread".to_owned()))?;
        if !self.parts.iter().any(|(it, _)| it == part) {
            self.parts.push((part.clone(), entries));
        }
        Ok(())
    }

    /// The entries of this part.
    pub(super) fn get(&self, part: &PartRef) -> Option<&[ThreadEntry]> {
        let found = self.parts.iter().find(|(it, _)| it == part);
        found.map(|(_, entries)| entries.as_slice())
    }

    /// The entries of this segment of the thread whose parts these are.
    pub(super) fn of(&self, segment: &ThreadSegment) -> Option<&[ThreadEntry]> {
        let is_it = |part: &PartRef| {
            part.token == segment.token && name::first_of_key(&part.key) == Some(segment.first)
        };
        let found = self.parts.iter().find(|(it, _)| is_it(it));
        found.map(|(_, entries)| entries.as_slice())
    }
}

/// A thread with those of its parts that were read.
#[derive(Clone, Copy, Debug)]
pub struct Log<'a> {
    pub(super) thread: &'a Thread,
    pub(super) loaded: &'a LoadedParts,
}

impl<'a> Log<'a> {
    /// Puts both together.
    pub fn new(thread: &'a Thread, loaded: &'a LoadedParts) -> Self {
        Log { thread, loaded }
    }

    /// The name of the thread.
    pub fn name(&self) -> &'a str {
        self.thread.name()
    }

    /// The entries of a segment.
    pub(super) fn entries(&self, segment: &ThreadSegment) -> Result<&'a [ThreadEntry], ThreadStop> {
        let needs = || ThreadStop::Needs(vec![self.thread.part(segment)]);
        self.loaded.of(segment).ok_or_else(needs)
    }

    /// The thread.
    pub fn thread(&self) -> &'a Thread {
        self.thread
    }

    /// Its parts that were read.
    pub fn loaded(&self) -> &'a LoadedParts {
        self.loaded
    }

    /// Asks for every part.
    ///
    /// # Errors
    ///
    /// [`ThreadStop::Needs`] as long as one is not read.
    pub fn expect_all(&self) -> Result<(), ThreadStop> {
        self.expect(&self.thread.segments)
    }

    /// Asks for all parts of these segments that are not read, together.
    pub(super) fn expect(&self, segments: &[ThreadSegment]) -> Result<(), ThreadStop> {
        let missing = segments.iter().filter(|it| self.loaded.of(it).is_none());
        let missing: Vec<PartRef> = missing.map(|it| self.thread.part(it)).collect();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(ThreadStop::Needs(missing)),
        }
    }

    /// Every entry, the oldest first.
    pub(super) fn all(&self) -> Result<Vec<&'a ThreadEntry>, ThreadStop> {
        let mut all = Vec::new();
        for segment in &self.thread.segments {
            all.extend(self.entries(segment)?);
        }
        all.extend(&self.thread.tail);
        Ok(all)
    }

    /// The entry of this number.
    pub(super) fn entry(&self, number: u64) -> Result<Option<&'a ThreadEntry>, ThreadStop> {
        let segments = self.thread.segments.iter();
        let mut segments = segments.filter(|it| (it.first..=it.last).contains(&number));
        let entries = match segments.next() {
            Some(segment) => self.entries(segment)?,
            None => &self.thread.tail,
        };
        let at = entries.binary_search_by_key(&number, |it| it.number);
        Ok(at.ok().and_then(|at| entries.get(at)))
    }

    /// The checkpoint of this id.
    pub fn find(&self, namespace: &str, id: &str) -> Result<Option<&'a ThreadEntry>, ThreadStop> {
        self.search(namespace, id, &ThreadEntry::is_visible)
    }

    /// The checkpoint of this id, or what is left of it where it was pruned.
    pub(super) fn find_origin(
        &self,
        namespace: &str,
        id: &str,
    ) -> Result<Option<&'a ThreadEntry>, ThreadStop> {
        self.search(namespace, id, &|it| it.checkpoint.is_some())
    }

    fn search(
        &self,
        namespace: &str,
        id: &str,
        is_meant: &dyn Fn(&ThreadEntry) -> bool,
    ) -> Result<Option<&'a ThreadEntry>, ThreadStop> {
        let is_it = |it: &&ThreadEntry| is_meant(it) && it.is_of(namespace, id);
        let found = self.thread.tail.iter().rev().find(is_it);
        if found.is_some() {
            return Ok(found);
        }
        for segment in self.thread.segments.iter().rev() {
            let (low, high) = &segment.range;
            if low.as_str() > id || high.as_str() < id || !segment.may_have(namespace) {
                continue;
            }
            let found = self.entries(segment)?.iter().rev().find(is_it);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Returns the newest checkpoints that are meant, at most so many, the newest first. `may_have`
    /// decides whether it is worth while to look into a segment.
    pub(super) fn newest(
        &self,
        count: usize,
        may_have: &dyn Fn(&ThreadSegment) -> bool,
        is_meant: &dyn Fn(&ThreadEntry) -> bool,
    ) -> Result<Vec<&'a ThreadEntry>, ThreadStop> {
        let mut found: Vec<&ThreadEntry> = Vec::new();
        let add = |found: &mut Vec<&'a ThreadEntry>, entries: &'a [ThreadEntry]| {
            let meant = |it: &&ThreadEntry| it.is_visible() && is_meant(it);
            found.extend(entries.iter().filter(meant));
            sorting::sort_by(found, |a, b| {
                (b.order(), b.number).cmp(&(a.order(), a.number))
            });
            found.truncate(count);
        };
        add(&mut found, &self.thread.tail);
        for segment in self.thread.segments.iter().rev() {
            let last = count.checked_sub(1).and_then(|at| found.get(at));
            let is_older = last.is_some_and(|last| last.order() > segment.range.1.as_str());
            if !is_older && may_have(segment) {
                add(&mut found, self.entries(segment)?);
            }
        }
        Ok(found)
    }

    /// The newest checkpoint of a namespace.
    pub fn latest(&self, namespace: &str) -> Result<Option<&'a ThreadEntry>, ThreadStop> {
        let newest = self.newest(1, &|segment| segment.may_have(namespace), &|entry| {
            entry.namespace == namespace
        })?;
        Ok(newest.first().copied())
    }

    /// A checkpoint that follows from this one.
    pub(super) fn child(&self, of: &ThreadEntry) -> Result<Option<&'a ThreadEntry>, ThreadStop> {
        let is_child = |it: &&ThreadEntry| {
            let parent = it.checkpoint.as_ref().and_then(|it| it.parent.as_deref());
            it.is_visible() && parent == Some(of.id.as_str()) && it.namespace == of.namespace
        };
        let found = self.thread.tail.iter().find(is_child);
        if found.is_some() {
            return Ok(found);
        }
        let later = self.thread.segments.iter().rev();
        for segment in later.take_while(|it| it.last >= of.number) {
            if segment.may_have(&of.namespace) {
                let found = self.entries(segment)?.iter().find(is_child);
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// Returns the writes of the tasks of a checkpoint, in the order in which a superstep applies
    /// them.
    pub fn writes(&self, of: &ThreadEntry) -> Result<Vec<ChannelWrite>, ThreadStop> {
        let strays = self.thread.strays.iter();
        let strays = strays.filter(|it| it.id == of.id && it.namespace == of.namespace);
        let mut found = vec![of];
        for stray in strays {
            found.extend(self.entry(stray.number)?);
        }
        sorting::sort_by_key(&mut found, |it| it.number);
        let mut all = Vec::new();
        for entry in found {
            writes::add(&mut all, entry.writes.clone());
        }
        writes::arrange(&mut all);
        Ok(all)
    }

    /// The value of a channel.
    pub fn value(&self, channel: &str, at: &Ref) -> Result<Typed, ThreadStop> {
        let broken = || ThreadStop::Failed(self.broken(channel));
        let stored = |number| {
            let entry = self.entry(number)?;
            entry.and_then(|it| it.value(channel)).ok_or_else(broken)
        };
        resolve(at, stored, broken)
    }

    pub(super) fn broken(&self, channel: &str) -> Error {
        let reason = format!(
            "a value of the channel {} is not there in all its pieces",
            crate::text::quoted(channel)
        );
        Error::corrupt(name::stem(&self.thread.name), reason, None)
    }
}
