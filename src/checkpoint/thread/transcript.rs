//! The transcripts of a session: entries that are only ever added, of the session itself and of its subagents.
//!
//! A thread holds those of one session, and each transcript is a namespace of it: the empty one, or the subpath of a
//! subagent. An entry of a transcript is a checkpoint that follows from nothing, with the text of the entry as the value
//! of one channel. So nothing conflicts with an addition, and a transcript is in the order of the entries' numbers, which
//! is that of the commits.
//!
//! An id is the time of the addition, a random id of the call, and the position in the call: ranges of segments then tell
//! when a session was last written to, and a retry finds what it has added already.

use super::change::{NextThread, ThreadOutcome, settled};
use super::entry::{ThreadCheckpoint, ThreadEntry};
use super::index::Thread;
use super::log::{LoadedParts, Log, ThreadStop};
use super::seal::Writing;
use super::size::MAX_CHECKPOINT_BYTES;
use super::value::{LoggedValue, Ref, Typed};
use crate::error::Error;
use crate::json::{self, Json, Object};
use crate::str_map::{self, StrSet};
use crate::text::quoted;
use crate::time;

/// The channel that has the text of an entry.
const CHANNEL: &str = "entry";

/// The kind of all values: texts of JSON.
const KIND: &str = "json";

/// The characters of a time, with which each id begins.
const TIME_LENGTH: usize = "2026-11-28T00:12:57.123Z".len();

/// The metadata of an entry without an id of its own.
const NO_METADATA: &str = "{}";

/// One entry that is to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptEntry {
    text: String,
    /// Tells by which id a repeated one is known.
    metadata: String,
}

impl TranscriptEntry {
    /// Reads the text of an entry; `at` is its position among those that are added.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] where it is not a JSON object.
    pub fn read(text: &str, at: usize) -> Result<Self, Error> {
        let expected = |found: String| {
            let message = format!("Expected entry {at} to be the text of a JSON object, {found}");
            Error::usage(message)
        };
        let reading = json::read(text.as_bytes());
        let object = match reading.map(|it| it.value) {
            Ok(Json::Object(object)) => object,
            Ok(other) => return Err(expected(format!("found {}", other.kind()))),
            Err(error) => return Err(expected(format!("found {error}"))),
        };
        let uuid = object.get("uuid").and_then(Json::as_str);
        let metadata = uuid.map(|it| Object::new().with("uuid", it));
        Ok(TranscriptEntry {
            text: text.to_owned(),
            metadata: metadata.map_or_else(|| NO_METADATA.to_owned(), |it| it.to_line()),
        })
    }
}

/// A call that changes a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranscriptCall<'a> {
    /// The subpath; empty for the transcript of the session itself.
    pub subpath: &'a str,
    /// The time, as it is stored.
    pub at: &'a str,
    /// A random id, by which a retry is known.
    pub id: &'a str,
}

impl TranscriptCall<'_> {
    fn entry_id(&self, position: usize) -> String {
        format!("{}-{}-{position:04x}", self.at, self.id)
    }
}

/// Adds entries at the end of a transcript. One whose `uuid` is among the newest entries is there already.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or is not what it should be; [`Error::too_large`] where the session could not be
/// read again.
pub fn append(
    thread: &Thread,
    loaded: &LoadedParts,
    call: TranscriptCall<'_>,
    entries: &[TranscriptEntry],
    token: &str,
    writing: Writing,
) -> Result<ThreadOutcome, ThreadStop> {
    let tail = thread.tail.iter();
    let tail = tail.filter(|it| it.namespace == call.subpath);
    let known: StrSet<'_> = tail.filter_map(metadata).collect();
    let keys: Vec<&str> = entries.iter().map(|it| it.metadata.as_str()).collect();
    let firsts = first_of_each(&keys).into_iter();
    let new = entries.iter().zip(firsts).enumerate();
    let new = new.filter(|(_, (entry, is_first))| *is_first && !known.contains(&entry.metadata));
    let new: Vec<(usize, &TranscriptEntry)> = new.map(|(at, (entry, _))| (at, entry)).collect();
    let log = Log::new(thread, loaded);
    for (position, _) in &new {
        if log.find(call.subpath, &call.entry_id(*position))?.is_some() {
            return Ok(outcome(None));
        }
    }
    if new.is_empty() {
        return Ok(outcome(None));
    }
    let mut next = thread.clone();
    for (position, entry) in new {
        let number = next.next;
        next.tail
            .push(logged(number, call, call.entry_id(position), entry));
        next.next += 1;
    }
    expect_readable(&next)?;
    let next = settled(thread, next, loaded, token, writing)?;
    Ok(outcome(Some(next)))
}

fn logged(
    number: u64,
    call: TranscriptCall<'_>,
    id: String,
    entry: &TranscriptEntry,
) -> ThreadEntry {
    let typed = |text: &str| Typed {
        kind: KIND.to_owned(),
        encoding: None,
        text: text.into(),
    };
    let reference = Ref {
        at: number,
        length: entry.text.len(),
        beginning: None,
        added: 0,
    };
    let value = LoggedValue {
        typed: typed(&entry.text),
        base: None,
    };
    let body = Object::new().with("ts", call.at).to_line();
    ThreadEntry {
        number,
        namespace: call.subpath.to_owned(),
        id,
        checkpoint: Some(ThreadCheckpoint {
            parent: None,
            order: None,
            run: None,
            pruned: None,
            body: typed(&body),
            metadata: typed(&entry.metadata),
            channels: vec![(CHANNEL.to_owned(), reference)],
            values: vec![(CHANNEL.to_owned(), value)],
        }),
        writes: Vec::new(),
    }
}

/// Refuses a session that could not be read in one answer.
fn expect_readable(thread: &Thread) -> Result<(), Error> {
    let sealed = thread.segments.iter().map(|it| it.bytes);
    let newest = thread.tail.iter().map(|it| it.weight() as u64);
    let bytes: u64 = sealed.chain(newest).sum();
    if bytes <= MAX_CHECKPOINT_BYTES {
        return Ok(());
    }
    let message = format!(
        "The transcripts of {} have {bytes} bytes together, which is more than {MAX_CHECKPOINT_BYTES}; begin a new session",
        quoted(&thread.name)
    );
    Err(Error::too_large("transcript".to_owned(), message))
}

/// The texts of the entries of a transcript, the oldest first, or the newest of them. Of those with one `uuid` the first
/// counts.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or is not what it should be.
pub fn load<'a>(
    log: Log<'a>,
    subpath: &str,
    limit: Option<usize>,
) -> Result<Vec<&'a str>, ThreadStop> {
    let most = limit.unwrap_or(usize::MAX);
    let is_meant = |it: &&ThreadEntry| it.namespace == subpath && text(it).is_some();
    let newest_first = |entries: &'a [ThreadEntry]| entries.iter().rev().filter(is_meant);
    let mut found: Vec<&ThreadEntry> = newest_first(&log.thread.tail).collect();
    for segment in log.thread.segments.iter().rev() {
        if found.len() < most && segment.may_have(subpath) {
            found.extend(newest_first(log.entries(segment)?));
        }
    }
    found.truncate(most);
    found.reverse();
    let keys = found.iter().map(|it| metadata(it).unwrap_or_default());
    let firsts = first_of_each(&keys.collect::<Vec<_>>());
    let counts = found.iter().zip(firsts).filter(|(_, is_first)| *is_first);
    Ok(counts.filter_map(|(it, _)| text(it)).collect())
}

/// Returns of each metadata whether no equal one comes before it; that of entries without an id equals none.
fn first_of_each(keys: &[&str]) -> Vec<bool> {
    let mut firsts = vec![true; keys.len()];
    // Equal ones keep their order.
    for pair in str_map::order(keys).windows(2) {
        if let [before, after] = *pair
            && keys[before] == keys[after]
            && !matches!(keys[after], "" | NO_METADATA)
        {
            firsts[after] = false;
        }
    }
    firsts
}

/// Takes the newest entry of a transcript out of it, and returns its text to `taken`.
///
/// A mark takes its place: a retry that finds it has taken the entry already.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or is not what it should be.
pub fn pop(
    thread: &Thread,
    loaded: &LoadedParts,
    call: TranscriptCall<'_>,
    taken: &mut Option<String>,
    token: &str,
    writing: Writing,
) -> Result<ThreadOutcome, ThreadStop> {
    let mark = call.entry_id(0);
    let is_meant = |it: &ThreadEntry| it.namespace == call.subpath;
    let mut next = thread.clone();
    loop {
        if next.tail.iter().any(|it| is_meant(it) && it.id == mark) {
            return Ok(outcome(None));
        }
        let newest = next
            .tail
            .iter()
            .rposition(|it| is_meant(it) && text(it).is_some());
        if let Some(at) = newest {
            let entry = next.tail.remove(at);
            *taken = text(&entry).map(str::to_owned);
            break;
        }
        if !unseal(&mut next, loaded)? {
            *taken = None;
            return Ok(outcome(None));
        }
    }
    next.tail.push(ThreadEntry {
        number: next.next,
        namespace: call.subpath.to_owned(),
        id: mark,
        checkpoint: None,
        writes: Vec::new(),
    });
    next.next += 1;
    let next = settled(thread, next, loaded, token, writing)?;
    Ok(outcome(Some(next)))
}

/// Removes a transcript of a subagent; the others stay.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or is not what it should be.
pub fn remove(
    thread: &Thread,
    loaded: &LoadedParts,
    subpath: &str,
    token: &str,
    writing: Writing,
) -> Result<ThreadOutcome, ThreadStop> {
    let mut next = thread.clone();
    while next.segments.iter().any(|it| it.may_have(subpath)) {
        unseal(&mut next, loaded)?;
    }
    let before = next.tail.len();
    next.tail.retain(|it| it.namespace != subpath);
    if next.tail.len() == before {
        return Ok(outcome(None));
    }
    let next = settled(thread, next, loaded, token, writing)?;
    Ok(outcome(Some(next)))
}

/// Puts the entries of the newest segment before those of the document; `false` where there is no segment.
fn unseal(thread: &mut Thread, loaded: &LoadedParts) -> Result<bool, ThreadStop> {
    let Some(segment) = thread.segments.pop() else {
        return Ok(false);
    };
    let part = thread.part(&segment);
    let Some(sealed) = loaded.get(&part) else {
        return Err(ThreadStop::Needs(vec![part]));
    };
    let mut entries = sealed.to_vec();
    entries.append(&mut thread.tail);
    thread.tail = entries;
    Ok(true)
}

/// The subpaths of a session that have entries, sorted.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or is not what it should be.
pub fn subpaths(log: Log<'_>) -> Result<Vec<String>, ThreadStop> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |entries: &[ThreadEntry]| {
        let entries = entries.iter().filter(|it| text(it).is_some());
        let others: Vec<&str> = entries.map(|it| it.namespace.as_str()).collect();
        let others: StrSet<'_> = others.into_iter().filter(|it| !it.is_empty()).collect();
        for (name, _) in others.iter() {
            if !names.iter().any(|it| it == name) {
                names.push(name.to_owned());
            }
        }
    };
    add(&log.thread.tail);
    for segment in &log.thread.segments {
        add(log.entries(segment)?);
    }
    Ok(str_map::sort(names))
}

/// The time in milliseconds at which a session was last written to; `None` where it has no transcript of its own.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or is not what it should be.
pub fn modified(log: Log<'_>) -> Result<Option<u64>, ThreadStop> {
    if load(log, "", Some(1))?.is_empty() {
        return Ok(None);
    }
    let sealed = log.thread.segments.iter().map(|it| it.range.1.as_str());
    let newest = log.thread.tail.iter().map(|it| it.id.as_str());
    let times = sealed.chain(newest).filter_map(|it| it.get(..TIME_LENGTH));
    let latest = times.max().and_then(time::parse);
    Ok(latest.map(|it| it.wall_ms() as u64))
}

fn text(entry: &ThreadEntry) -> Option<&str> {
    entry.value(CHANNEL).map(|it| it.typed.text.as_str())
}

/// The metadata of an entry that has an id of its own.
fn metadata(entry: &ThreadEntry) -> Option<&str> {
    let metadata = entry.checkpoint.as_ref()?.metadata.text.as_str();
    (metadata != NO_METADATA).then_some(metadata)
}

fn outcome(next: Option<NextThread>) -> ThreadOutcome {
    let is_changed = next.is_some();
    ThreadOutcome {
        next,
        results: vec![Ok(is_changed)],
    }
}
