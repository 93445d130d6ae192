//! The effect of a put on a thread.

use super::entry::{ThreadCheckpoint, ThreadEntry};
use super::index::{Stray, Thread};
use super::line;
use super::log::{LoadedParts, Log, ThreadStop};
use super::seal::{self, Sealed, Writing};
use super::size;
use super::value::{Fit, LoggedValue, Ref, Typed, store, store_beside};
use super::writes::{self, ChannelWrite};
use crate::error::Error;
use crate::str_map::StrSet;
use crate::text::quoted;

/// Stands behind the order of its parent, where an id would come before that: lower than any character of a
/// longer id.
const AFTER: char = '!';

/// A checkpoint that is to be put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// Its namespace.
    pub namespace: String,
    /// Its id.
    pub id: String,
    /// The one that it follows from.
    pub parent: Option<String>,
    /// The rule for a checkpoint that follows from one that another follows from.
    pub fork: Fork,
    /// All but the values of its channels.
    pub body: Typed,
    /// The metadata of its maker.
    pub metadata: Typed,
    /// The channels that have a version.
    pub channels: Vec<String>,
    /// The channels that have a new value.
    pub changed: Vec<String>,
    /// The values of the changed ones; one without has none any more.
    pub values: Vec<(String, Typed)>,
    /// The channels that have their values here.
    pub coverage: Coverage,
    /// The run that it belongs to, as far as its maker says.
    pub run: Option<String>,
    /// The checkpoints of outer graphs during which it was made, each by its namespace and id.
    pub outer: Vec<(String, String)>,
}

/// The channels whose values come with a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// The changed ones; the others have those of its parent.
    Changed,
    /// All of them, for a parent that may not be there.
    All,
}

/// The rule for a checkpoint that follows from one that another follows from already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fork {
    /// It is refused: another writer went on from there.
    Refuse,
    /// It is allowed: the fork is meant.
    Allow,
}

/// Writes of a task that are to be added to a checkpoint, which need not be there yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The namespace of the checkpoint.
    pub namespace: String,
    /// Its id.
    pub id: String,
    /// The writes.
    pub writes: Vec<ChannelWrite>,
}

/// One change of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadChange {
    /// Puts a checkpoint.
    Put(Box<Put>),
    /// Adds writes.
    Add(Addition),
}

/// The result of a change of a thread.
#[derive(Clone, Debug)]
pub struct ThreadOutcome {
    /// The next state; `None` where the thread has all of it already.
    pub next: Option<NextThread>,
    /// The result of each change: whether it changed anything, or why it was refused.
    pub results: Vec<Result<bool, Error>>,
}

/// The next state of a thread.
#[derive(Clone, Debug)]
pub struct NextThread {
    /// The whole thread.
    pub thread: Box<Thread>,
    /// The parts that are new in it.
    pub sealed: Vec<Sealed>,
    /// The line that makes it of the present one, for [`line::after`]; `None` where other parts
    /// belong to it.
    pub line: Option<Vec<u8>>,
}

/// Makes changes, one after the other; one that is refused leaves the others as they are. New parts have this
/// token.
///
/// A checkpoint is refused with [`Error::conflict`] where another one follows from the same parent, where its id is
/// another one's or that of a pruned one, and where it goes on from what was deleted or pruned, as writes are; with
/// [`Error::not_found`] where its parent is not there, and not all values came with it; with [`Error::usage`] where it
/// follows from itself; with [`Error::too_large`] where it could not be read again.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or is not what it should be; [`Error::too_large`].
pub fn change(
    thread: &Thread,
    loaded: &LoadedParts,
    changes: &[ThreadChange],
    token: &str,
    writing: Writing,
) -> Result<ThreadOutcome, ThreadStop> {
    let mut next = thread.clone();
    let mut results = Vec::new();
    for change in changes {
        let result = match change {
            ThreadChange::Put(request) => put(&mut next, loaded, request)?,
            ThreadChange::Add(addition) => add(&mut next, loaded, addition)?,
        };
        results.push(result);
    }
    let has_more_late = thread.deleted != next.deleted;
    let is_changed = has_more_late || results.iter().any(|it| matches!(it, Ok(true)));
    let next = match is_changed {
        true => Some(settled(thread, next, loaded, token, writing)?),
        false => None,
    };
    Ok(ThreadOutcome { next, results })
}

/// The next state of a thread, once entries that are too many have left its document, and the line that makes it of the
/// present one.
pub(super) fn settled(
    thread: &Thread,
    mut next: Thread,
    loaded: &LoadedParts,
    token: &str,
    writing: Writing,
) -> Result<NextThread, ThreadStop> {
    let sealed = seal::settle(&mut next, loaded, token, writing)?;
    let has_same_parts = thread.segments == next.segments;
    let is_line = has_same_parts && thread.deleted == next.deleted && writing == Writing::Lines;
    let line = is_line.then(|| line::between(thread, &next));
    Ok(NextThread {
        thread: Box::new(next),
        sealed: sealed.into_iter().collect(),
        line,
    })
}

/// Returns whether a checkpoint was put, and not there already; or why it was refused.
fn put(
    thread: &mut Thread,
    loaded: &LoadedParts,
    put: &Put,
) -> Result<Result<bool, Error>, ThreadStop> {
    let log = Log::new(thread, loaded);
    if let Some(present) = log.find(&put.namespace, &put.id)? {
        return Ok(match is_same(log, present, put)? {
            true => Ok(false),
            false => Err(taken(put)),
        });
    }
    // Kept ones read from what is left of it.
    if log.find_origin(&put.namespace, &put.id)?.is_some() {
        return Ok(Err(pruned(put)));
    }
    if put.parent.as_deref() == Some(&put.id) {
        let message = format!("The checkpoint {} follows from itself", quoted(&put.id));
        return Ok(Err(Error::usage(message)));
    }
    let parent = match &put.parent {
        Some(parent) => log.find(&put.namespace, parent)?,
        None => None,
    };
    if let Some(missing) = deleted_base(log, parent, put)? {
        let refusal = late(put, missing);
        thread.note_late(&put.id);
        return Ok(Err(refusal));
    }
    // Others are known by what they go on from.
    let is_first = put.parent.is_none() && put.outer.is_empty();
    if is_first && log.thread.is_late(&put.id) {
        return Ok(Err(too_late(&put.id)));
    }
    if let Some(missing) = put.parent.as_deref().filter(|_| parent.is_none())
        && put.coverage == Coverage::Changed
        && put.channels.iter().any(|it| !put.changed.contains(it))
    {
        return Ok(Err(partial(put, missing)));
    }
    if let Some(parent) = parent
        && put.fork == Fork::Refuse
        && let Some(other) = log.child(parent)?
    {
        return Ok(Err(forked(put, parent, other)));
    }
    let (channels, values) = values_of(log, thread.next, parent, put)?;
    let own = put.body.text.len() + put.metadata.text.len();
    if let Some(refusal) = size::refusal(&put.id, own, &channels) {
        return Ok(Err(refusal));
    }
    let after = parent
        .map(ThreadEntry::order)
        .filter(|it| *it >= put.id.as_str());
    let checkpoint = ThreadCheckpoint {
        parent: put.parent.clone(),
        order: after.map(|it| format!("{it}{AFTER}")),
        run: put.run.clone(),
        pruned: None,
        body: put.body.clone(),
        metadata: put.metadata.clone(),
        channels,
        values,
    };
    let writes = take_early(thread, put);
    append(thread, &put.namespace, &put.id, Some(checkpoint), writes);
    Ok(Ok(true))
}

/// The checkpoint that another one goes on from, and that went when the thread was deleted. While nothing came since,
/// none that goes on from another one is of a new run.
fn deleted_base<'a>(
    log: Log<'_>,
    parent: Option<&ThreadEntry>,
    put: &'a Put,
) -> Result<Option<&'a str>, ThreadStop> {
    let missing = put.parent.as_deref().filter(|_| parent.is_none());
    let went = missing.filter(|it| log.thread.is_deleted() || log.thread.went(it));
    if went.is_some() {
        return Ok(went);
    }
    for (namespace, id) in &put.outer {
        if log.thread.went(id) && log.find(namespace, id)?.is_none() {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Returns whether any of the writes was not there already; or why they were refused.
fn add(
    thread: &mut Thread,
    loaded: &LoadedParts,
    addition: &Addition,
) -> Result<Result<bool, Error>, ThreadStop> {
    let Addition {
        namespace,
        id,
        writes,
    } = addition;
    let is_late = thread.went(id) && Log::new(thread, loaded).find(namespace, id)?.is_none();
    if is_late {
        return Ok(Err(too_late(id)));
    }
    let mut tail = thread.tail.iter_mut().rev();
    if let Some(entry) = tail.find(|it| it.is_of(namespace, id)) {
        if entry.is_pruned() {
            return Ok(Err(too_late(id)));
        }
        return Ok(Ok(writes::add(&mut entry.writes, writes.clone())));
    }
    thread.strays.push(Stray {
        number: thread.next,
        namespace: namespace.clone(),
        id: id.clone(),
    });
    let mut all = Vec::new();
    writes::add(&mut all, writes.clone());
    append(thread, namespace, id, None, all);
    Ok(Ok(true))
}

fn append(
    thread: &mut Thread,
    namespace: &str,
    id: &str,
    checkpoint: Option<ThreadCheckpoint>,
    writes: Vec<ChannelWrite>,
) {
    thread.tail.push(ThreadEntry {
        number: thread.next,
        namespace: namespace.to_owned(),
        id: id.to_owned(),
        checkpoint,
        writes,
    });
    thread.next += 1;
}

/// Takes writes that came before their checkpoint out of the document.
fn take_early(thread: &mut Thread, put: &Put) -> Vec<ChannelWrite> {
    let mut early = Vec::new();
    let mut numbers = Vec::new();
    thread.tail.retain_mut(|entry| {
        let is_early = entry.is_of(&put.namespace, &put.id);
        if is_early {
            numbers.push(entry.number);
            writes::add(&mut early, std::mem::take(&mut entry.writes));
        }
        !is_early
    });
    thread.strays.retain(|it| !numbers.contains(&it.number));
    early
}

type Channels = (Vec<(String, Ref)>, Vec<(String, LoggedValue)>);

/// Returns the places of the values of all channels, and the values that are stored in this entry.
fn values_of(
    log: Log<'_>,
    number: u64,
    parent: Option<&ThreadEntry>,
    put: &Put,
) -> Result<Channels, ThreadStop> {
    let before = parent.and_then(|it| it.checkpoint.as_ref());
    let before = before.map_or(&[][..], |it| &it.channels);
    let of_parent = |channel: &str| before.iter().find(|(name, _)| name == channel);
    let changed: StrSet<'_> = match (parent, put.coverage) {
        // Nothing else has any.
        (None, Coverage::All) => put.values.iter().map(|(name, _)| name.as_str()).collect(),
        _ => put.changed.iter().map(String::as_str).collect(),
    };
    let unchanged = put.channels.iter().filter(|it| !changed.contains(it));
    let mut channels: Vec<(String, Ref)> =
        unchanged.filter_map(|it| of_parent(it).cloned()).collect();
    let mut values = Vec::new();
    let salt = log.thread.salt()?;
    for (channel, typed) in &put.values {
        if !changed.contains(channel) {
            continue;
        }
        let before = of_parent(channel).map(|(_, it)| it);
        let fit = match store(number, typed.clone(), before, salt) {
            Fit::Unknown(typed, reference) => match before {
                Some(before) => {
                    let other = log.value(channel, before)?;
                    store_beside(typed, reference, before, &other)
                }
                None => Fit::Unknown(typed, reference),
            },
            fit @ Fit::Stored(..) => fit,
        };
        if let Fit::Stored(stored, reference) = fit {
            channels.push((channel.clone(), reference));
            values.push((channel.clone(), stored));
        }
    }
    Ok((channels, values))
}

/// Returns whether a checkpoint equals one that is there: then its writer puts it again, not
/// knowing whether it was put.
fn is_same(log: Log<'_>, present: &ThreadEntry, put: &Put) -> Result<bool, ThreadStop> {
    let Some(checkpoint) = &present.checkpoint else {
        return Ok(false);
    };
    let is_alike = checkpoint.parent == put.parent
        && checkpoint.body == put.body
        && checkpoint.metadata == put.metadata;
    if !is_alike {
        return Ok(false);
    }
    for (channel, typed) in &put.values {
        let reference = checkpoint.channels.iter().find(|(name, _)| name == channel);
        let is_changed = put.changed.contains(channel);
        match reference {
            Some((_, reference)) if is_changed && log.value(channel, reference)? != *typed => {
                return Ok(false);
            }
            None if is_changed => return Ok(false),
            _ => {}
        }
    }
    Ok(true)
}

fn taken(put: &Put) -> Error {
    let message = format!(
        "The checkpoint {} is there already, with another content",
        quoted(&put.id)
    );
    Error::conflict(message, vec!["/id".to_owned()])
}

fn pruned(put: &Put) -> Error {
    let message = format!(
        "The checkpoint {} cannot be put again: it was removed. Begin a new run",
        quoted(&put.id)
    );
    Error::conflict(message, vec!["/id".to_owned()])
}

fn late(put: &Put, missing: &str) -> Error {
    let message = format!(
        "The checkpoint {} cannot go on from {}, which was deleted. Begin a new run",
        quoted(&put.id),
        quoted(missing)
    );
    Error::conflict(message, vec!["/parent".to_owned()])
}

fn too_late(id: &str) -> Error {
    let message = format!(
        "Nothing can be written to the checkpoint {}, which was deleted. Begin a new run",
        quoted(id)
    );
    Error::conflict(message, vec!["/id".to_owned()])
}

fn partial(put: &Put, missing: &str) -> Error {
    let message = format!(
        "The checkpoint {} follows from {}, which is not there, so that the values that did not change are missing. \
         Put it with all of its values",
        quoted(&put.id),
        quoted(missing)
    );
    Error::not_found(message)
}

fn forked(put: &Put, parent: &ThreadEntry, other: &ThreadEntry) -> Error {
    let message = format!(
        "The checkpoint {} cannot follow from {}: {} follows from that already, so another writer went \
         on with this thread. Load its latest checkpoint, or ask for a fork",
        quoted(&put.id),
        quoted(&parent.id),
        quoted(&other.id)
    );
    Error::conflict(message, vec!["/parent".to_owned()])
}
