//! The parts of a thread that are read: checkpoints with their values and writes.

use super::entry::{ThreadCheckpoint, ThreadEntry};
use super::index::ThreadSegment;
use super::log::{Log, ThreadStop};
use super::value::Typed;
use super::writes::ChannelWrite;
use crate::json::{Json, Object};

/// A checkpoint with all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuple {
    /// Its namespace.
    pub namespace: String,
    /// Its id.
    pub id: String,
    /// The one that it follows from.
    pub parent: Option<String>,
    /// All but the values of its channels.
    pub body: Typed,
    /// The metadata of its maker.
    pub metadata: Typed,
    /// The values of its channels.
    pub values: Vec<(String, Typed)>,
    /// The writes of its tasks, in the order in which a superstep applies them.
    pub writes: Vec<ChannelWrite>,
}

/// The checkpoints that are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Only those of one namespace.
    pub namespace: Option<String>,
    /// The one of this id.
    pub id: Option<String>,
    /// Only those before this one.
    pub before: Option<String>,
    /// Only those behind the last one of the page before.
    pub after: Option<ThreadCursor>,
    /// At most so many.
    pub limit: usize,
}

/// The end of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadCursor {
    /// The order of its last checkpoint.
    pub order: String,
    /// The number of that.
    pub number: u64,
}

/// Some checkpoints, and where they end, if there may be more.
pub type TuplePage = (Vec<Tuple>, Option<ThreadCursor>);

/// The history of a channel's value: the nearest value that was stored, and the writes since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelHistory {
    /// The channel.
    pub channel: String,
    /// `None` where no checkpoint before has one.
    pub seed: Option<Seed>,
    /// Each with the id of the checkpoint that it was written to, the oldest first.
    pub writes: Vec<(String, ChannelWrite)>,
}

/// The value that a history begins with, and the checkpoint that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The value.
    pub value: Typed,
    /// The id of the checkpoint.
    pub id: String,
    /// The one that that follows from.
    pub parent: Option<String>,
    /// All of the checkpoint but the values of its channels.
    pub body: Typed,
}

/// All of the checkpoint that an entry has.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or one is not what it should be.
pub fn tuple(log: Log<'_>, entry: &ThreadEntry) -> Result<Option<Tuple>, ThreadStop> {
    let Some(checkpoint) = entry.checkpoint.as_ref().filter(|it| it.pruned.is_none()) else {
        return Ok(None);
    };
    let channels = checkpoint.channels.iter();
    let values = channels.map(|(name, at)| Ok((name.clone(), log.value(name, at)?)));
    Ok(Some(Tuple {
        namespace: entry.namespace.clone(),
        id: entry.id.clone(),
        parent: checkpoint.parent.clone(),
        body: checkpoint.body.clone(),
        metadata: checkpoint.metadata.clone(),
        values: values.collect::<Result<_, ThreadStop>>()?,
        writes: log.writes(entry)?,
    }))
}

/// The checkpoint of an id, or the latest of its namespace.
///
/// # Errors
///
/// As [`tuple()`].
pub fn load(log: Log<'_>, namespace: &str, id: Option<&str>) -> Result<Option<Tuple>, ThreadStop> {
    match select_entry(log, namespace, id)? {
        Some(entry) => tuple(log, entry),
        None => Ok(None),
    }
}

fn select_entry<'a>(
    log: Log<'a>,
    namespace: &str,
    id: Option<&str>,
) -> Result<Option<&'a ThreadEntry>, ThreadStop> {
    match id {
        Some(id) => log.find(namespace, id),
        None => log.latest(namespace),
    }
}

/// A page of checkpoints, the newest first.
///
/// # Errors
///
/// As [`tuple()`].
pub fn list(log: Log<'_>, query: &Query) -> Result<TuplePage, ThreadStop> {
    let found = select(log, query)?;
    let last = found.last().filter(|_| found.len() == query.limit);
    let next = last.map(|entry| ThreadCursor {
        order: entry.order().to_owned(),
        number: entry.number,
    });
    let tuples = found
        .into_iter()
        .filter_map(|it| tuple(log, it).transpose());
    Ok((tuples.collect::<Result<_, ThreadStop>>()?, next))
}

/// The entries of the checkpoints that are asked for, the newest first.
pub(super) fn select<'a>(log: Log<'a>, query: &Query) -> Result<Vec<&'a ThreadEntry>, ThreadStop> {
    let before = match &query.before {
        Some(id) => {
            let found = log.find(query.namespace.as_deref().unwrap_or_default(), id)?;
            Some(found.map_or(id.as_str(), ThreadEntry::order))
        }
        None => None,
    };
    let may_have = |segment: &ThreadSegment| {
        let (low, high) = (segment.range.0.as_str(), segment.range.1.as_str());
        let namespace = query.namespace.as_deref();
        namespace.is_none_or(|it| segment.may_have(it))
            && before.is_none_or(|it| low < it)
            && query
                .after
                .as_ref()
                .is_none_or(|it| low <= it.order.as_str())
            && query.id.as_deref().is_none_or(|it| low <= it && it <= high)
    };
    let is_behind = |entry: &ThreadEntry, cursor: &ThreadCursor| {
        (entry.order(), entry.number) < (cursor.order.as_str(), cursor.number)
    };
    let is_meant = |entry: &ThreadEntry| {
        query
            .namespace
            .as_ref()
            .is_none_or(|it| *it == entry.namespace)
            && query.id.as_ref().is_none_or(|it| *it == entry.id)
            && before.is_none_or(|it| entry.order() < it)
            && query.after.as_ref().is_none_or(|it| is_behind(entry, it))
    };
    log.newest(query.limit, &may_have, &is_meant)
}

/// Returns the histories of the values that channels have in a checkpoint: along its ancestors, up
/// to the nearest that has a value for each.
///
/// # Errors
///
/// As [`tuple()`].
pub fn history(
    log: Log<'_>,
    (namespace, id): (&str, Option<&str>),
    channels: &[String],
) -> Result<Vec<ChannelHistory>, ThreadStop> {
    let mut histories: Vec<ChannelHistory> = channels
        .iter()
        .map(|channel| ChannelHistory {
            channel: channel.clone(),
            seed: None,
            writes: Vec::new(),
        })
        .collect();
    let mut child = select_entry(log, namespace, id)?;
    while let Some(entry) = child {
        if histories.iter().all(|it| it.seed.is_some()) {
            break;
        }
        let parent = entry.checkpoint.as_ref().and_then(ThreadCheckpoint::before);
        let Some(parent) = parent else {
            break;
        };
        // Older than what follows from it, so that this ends.
        let ancestor = log.find_origin(namespace, parent)?;
        child = ancestor.filter(|it| it.number < entry.number);
        let Some(ancestor) = child else {
            break;
        };
        let writes = log.writes(ancestor)?;
        for history in histories.iter_mut().filter(|it| it.seed.is_none()) {
            let of_channel = writes
                .iter()
                .rev()
                .filter(|it| it.channel == history.channel);
            let of_channel = of_channel.map(|it| (ancestor.id.clone(), it.clone()));
            history.writes.extend(of_channel);
            let refs = ancestor.checkpoint.iter().flat_map(|it| &it.channels);
            let mut refs = refs.filter(|(name, _)| *name == history.channel);
            if let Some((name, at)) = refs.next() {
                history.seed = Some(Seed {
                    value: log.value(name, at)?,
                    id: ancestor.id.clone(),
                    parent: ancestor
                        .checkpoint
                        .as_ref()
                        .and_then(|it| it.parent.clone()),
                    body: body_of(ancestor),
                });
            }
        }
    }
    for history in &mut histories {
        history.writes.reverse();
    }
    Ok(histories)
}

impl Tuple {
    /// As replies have it.
    pub fn into_json(self) -> Json {
        let values = self.values.into_iter();
        let values = values.map(|(name, it)| Json::from(vec![Json::from(name), it.into_json()]));
        Object::new()
            .with("namespace", self.namespace)
            .with("id", self.id)
            .with("parent", self.parent)
            .with("checkpoint", self.body.into_json())
            .with("metadata", self.metadata.into_json())
            .with("values", values.collect::<Vec<_>>())
            .with("writes", writes_json(self.writes))
            .into()
    }
}

impl ChannelHistory {
    /// As replies have it.
    pub fn into_json(self) -> Json {
        let seed = self.seed.map(|it| {
            let object = Object::new().with("id", it.id).with("parent", it.parent);
            let object = object.with("checkpoint", it.body.into_json());
            Json::from(object.with("value", it.value.into_json()))
        });
        let writes = self.writes.into_iter();
        let writes = writes.map(|(id, it)| write_json(it, Some(id)));
        Object::new()
            .with("channel", self.channel)
            .with("seed", seed)
            .with("writes", writes.collect::<Vec<_>>())
            .into()
    }
}

fn body_of(entry: &ThreadEntry) -> Typed {
    let body = entry.checkpoint.as_ref().map(|it| it.body.clone());
    body.unwrap_or_else(Typed::nothing)
}

pub(super) fn writes_json(writes: Vec<ChannelWrite>) -> Vec<Json> {
    let writes = writes.into_iter().map(|it| write_json(it, None));
    writes.collect()
}

fn write_json(write: ChannelWrite, of: Option<String>) -> Json {
    let names = [write.task, write.channel].map(Json::from);
    let mut items: Vec<Json> = names.into();
    items.push(write.value.into_json());
    items.extend(of.map(Json::from));
    items.into()
}
