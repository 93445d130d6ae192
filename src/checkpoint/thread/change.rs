//! What a put makes of a thread.

use super::entry::{Checkpoint, Entry};
use super::index::{Stray, Thread};
use super::log::{Loaded, Log, Stop};
use super::seal::{self, Sealed};
use super::value::{Fit, Ref, Stored, Typed, store, store_beside};
use super::writes::{self, Write};
use crate::error::Error;
use crate::keys::Keys;
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
    /// Whether another one may follow from the same.
    pub fork: Fork,
    /// All but the values of its channels.
    pub body: Typed,
    /// What its maker says of it.
    pub metadata: Typed,
    /// The channels that have a version.
    pub channels: Vec<String>,
    /// Those that have a new one.
    pub changed: Vec<String>,
    /// The values of the changed ones; one without has none any more.
    pub values: Vec<(String, Typed)>,
}

/// Whether a checkpoint may follow from one that another follows from already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fork {
    /// It is refused: somebody else went on from there.
    Refuse,
    /// That is meant.
    Allow,
}

/// What becomes of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This takes its place, with a new part.
    Changed(Box<Thread>, Option<Sealed>),
    /// It has all of it already.
    Kept,
}

/// Puts a checkpoint. New parts have this token.
///
/// # Errors
///
/// [`Error::conflict`] where another checkpoint follows from the same parent, and where the id is another one's;
/// [`Error::usage`] for one that follows from itself; [`Error::too_large`]; [`Error::corrupt`].
pub fn put(thread: &Thread, loaded: &Loaded, put: &Put, token: &str) -> Result<Outcome, Stop> {
    let log = Log::new(thread, loaded);
    if let Some(present) = log.find(&put.namespace, &put.id)? {
        return match is_same(log, present, put)? {
            true => Ok(Outcome::Kept),
            false => Err(taken(put).into()),
        };
    }
    if put.parent.as_deref() == Some(&put.id) {
        let message = format!("The checkpoint {} follows from itself", quoted(&put.id));
        return Err(Error::usage(message).into());
    }
    let parent = match &put.parent {
        Some(parent) => log.find(&put.namespace, parent)?,
        None => None,
    };
    if let Some(parent) = parent
        && put.fork == Fork::Refuse
        && let Some(other) = log.child(parent)?
    {
        return Err(forked(put, parent, other).into());
    }
    let number = thread.next;
    let (channels, values) = values_of(log, number, parent, put)?;
    let after = parent.map(Entry::order).filter(|it| *it >= put.id.as_str());
    let checkpoint = Checkpoint {
        parent: put.parent.clone(),
        order: after.map(|it| format!("{it}{AFTER}")),
        body: put.body.clone(),
        metadata: put.metadata.clone(),
        channels,
        values,
    };
    let mut next = thread.clone();
    let writes = take_early(&mut next, put);
    append(&mut next, &put.namespace, &put.id, Some(checkpoint), writes);
    settled(next, loaded, token)
}

/// Adds what a task wrote to a checkpoint, which need not be there yet. New parts have this token.
///
/// # Errors
///
/// [`Error::too_large`].
pub fn put_writes(
    thread: &Thread,
    loaded: &Loaded,
    (namespace, id): (&str, &str),
    writes: Vec<Write>,
    token: &str,
) -> Result<Outcome, Stop> {
    let mut next = thread.clone();
    let mut tail = next.tail.iter_mut().rev();
    match tail.find(|it| it.is_of(namespace, id)) {
        Some(entry) => {
            if !writes::add(&mut entry.writes, writes) {
                return Ok(Outcome::Kept);
            }
        }
        None => {
            next.strays.push(Stray {
                number: next.next,
                namespace: namespace.to_owned(),
                id: id.to_owned(),
            });
            let mut all = Vec::new();
            writes::add(&mut all, writes);
            append(&mut next, namespace, id, None, all);
        }
    }
    settled(next, loaded, token)
}

fn append(
    thread: &mut Thread,
    namespace: &str,
    id: &str,
    checkpoint: Option<Checkpoint>,
    writes: Vec<Write>,
) {
    thread.tail.push(Entry {
        number: thread.next,
        namespace: namespace.to_owned(),
        id: id.to_owned(),
        checkpoint,
        writes,
    });
    thread.next += 1;
}

fn settled(mut thread: Thread, loaded: &Loaded, token: &str) -> Result<Outcome, Stop> {
    let sealed = seal::settle(&mut thread, loaded, token)?;
    Ok(Outcome::Changed(Box::new(thread), sealed))
}

/// Takes writes that came before their checkpoint out of the document.
fn take_early(thread: &mut Thread, put: &Put) -> Vec<Write> {
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

type Channels = (Vec<(String, Ref)>, Vec<(String, Stored)>);

/// Where the values of all channels lie, and those that lie in this entry.
fn values_of(
    log: Log<'_>,
    number: u64,
    parent: Option<&Entry>,
    put: &Put,
) -> Result<Channels, Stop> {
    let before = parent.and_then(|it| it.checkpoint.as_ref());
    let before = before.map_or(&[][..], |it| &it.channels);
    let of_parent = |channel: &str| before.iter().find(|(name, _)| name == channel);
    let changed: Keys<'_> = put.changed.iter().map(String::as_str).collect();
    let unchanged = put.channels.iter().filter(|it| !changed.contains(it));
    let mut channels: Vec<(String, Ref)> =
        unchanged.filter_map(|it| of_parent(it).cloned()).collect();
    let mut values = Vec::new();
    for (channel, typed) in &put.values {
        if !changed.contains(channel) {
            continue;
        }
        let before = of_parent(channel).map(|(_, it)| it);
        let fit = match store(number, typed.clone(), before) {
            Fit::Unknown(typed) => match before {
                Some(before) => {
                    let other = log.value(channel, before)?;
                    store_beside(number, typed, before, &other)
                }
                None => Fit::Unknown(typed),
            },
            fit => fit,
        };
        if let Fit::Stored(stored, place) = fit {
            channels.push((channel.clone(), place));
            values.push((channel.clone(), stored));
        }
    }
    Ok((channels, values))
}

/// Whether a checkpoint is the very same as one that is there: then somebody puts it again, not knowing
/// whether it was put.
fn is_same(log: Log<'_>, present: &Entry, put: &Put) -> Result<bool, Stop> {
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
        let place = checkpoint.channels.iter().find(|(name, _)| name == channel);
        let is_changed = put.changed.contains(channel);
        match place {
            Some((_, place)) if is_changed && log.value(channel, place)? != *typed => {
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

fn forked(put: &Put, parent: &Entry, other: &Entry) -> Error {
    let message = format!(
        "The checkpoint {} cannot follow from {}: {} follows from that already, so somebody else went on \
         with this thread. Load its latest checkpoint, or ask for a fork",
        quoted(&put.id),
        quoted(&parent.id),
        quoted(&other.id)
    );
    Error::conflict(message, vec!["/parent".to_owned()])
}
