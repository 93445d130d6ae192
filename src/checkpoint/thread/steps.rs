//! The steps of a thread: the changes of each checkpoint, and the writes that wait for the next one.

use super::difference::{ChannelChange, Redact, ShownValue, json_of};
use super::entry::{ThreadCheckpoint, ThreadEntry};
use super::log::{Log, ThreadStop};
use super::tuple::{Query, select};
use crate::json::Json;
use crate::schema::{Kind, Shaped};

/// The newest steps of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "ThreadPage")]
pub struct ThreadSteps {
    /// The thread.
    #[shape(name = "thread_id")]
    pub thread: String,
    /// The newest first.
    pub steps: Vec<ThreadStep>,
    /// True where there are older ones.
    #[shape(name = "more")]
    pub has_more: bool,
}

/// One step: a checkpoint beside the one that it follows from.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct ThreadStep {
    /// The checkpoint's name, and its maker's words on it.
    #[shape(flatten)]
    pub head: StepHead,
    /// The channels whose values differ from those of the checkpoint that it follows from.
    pub changes: Vec<ChannelChange>,
    /// The writes of its tasks, in the order in which a superstep applies them.
    pub writes: Vec<StepWrite>,
    /// True while these writes are pending: no checkpoint follows from this one yet.
    #[shape(name = "pending")]
    pub is_pending: bool,
}

/// The name of a step, and its maker's words on it.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct StepHead {
    /// The namespace of its checkpoint.
    pub namespace: String,
    /// The id of its checkpoint.
    pub id: String,
    /// The one that it follows from.
    pub parent: Option<String>,
    /// The time of the checkpoint, as its maker wrote it.
    pub at: Option<String>,
    /// The cause of the checkpoint, such as `input` or `loop`.
    pub source: Option<String>,
    /// Its number in the run of the graph, unchanged.
    #[shape(name = "step", kind = Kind::Nullable(&Kind::Number))]
    pub number: Option<Json>,
}

/// One write of a task.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct StepWrite {
    /// The task.
    pub task: String,
    /// The channel.
    pub channel: String,
    /// The value.
    pub value: ShownValue,
}

/// A thread by its newest step.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct ThreadSummary {
    /// The thread.
    #[shape(name = "thread_id")]
    pub thread: String,
    /// The newest step of the root namespace, or of all if it has none; null before the first one.
    pub latest: Option<StepHead>,
    /// The number of its pending writes.
    pub pending: u64,
}

/// The newest steps of a thread, at most so many, in all namespaces; their texts are shown as `redact` returns them.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or one is not what it should be.
pub fn steps(log: Log<'_>, limit: usize, redact: Redact) -> Result<ThreadSteps, ThreadStop> {
    // One more, which shows whether there are older ones.
    let query = Query {
        limit: limit.saturating_add(1),
        ..Query::default()
    };
    let mut entries = select(log, &query)?;
    let has_more = entries.len() > limit;
    entries.truncate(limit);
    let steps = entries.into_iter().map(|entry| step(log, entry, redact));
    let steps: Vec<Option<ThreadStep>> = steps.collect::<Result<_, ThreadStop>>()?;
    Ok(ThreadSteps {
        thread: log.thread.name().to_owned(),
        steps: steps.into_iter().flatten().collect(),
        has_more,
    })
}

/// The thread by its newest step.
///
/// # Errors
///
/// As [`steps`].
pub fn summary(log: Log<'_>) -> Result<ThreadSummary, ThreadStop> {
    let latest = match log.latest("")? {
        Some(entry) => Some(entry),
        None => log.newest(1, &|_| true, &|_| true)?.first().copied(),
    };
    let pending = match latest {
        Some(entry) if log.child(entry)?.is_none() => log.writes(entry)?.len() as u64,
        _ => 0,
    };
    let latest = latest.and_then(|entry| Some(StepHead::of(entry, entry.checkpoint.as_ref()?)));
    Ok(ThreadSummary {
        thread: log.thread.name().to_owned(),
        latest,
        pending,
    })
}

/// Puts the threads with the newest steps first; those without a time come last, by their names.
pub fn newest_first(threads: &mut [ThreadSummary]) {
    fn time(thread: &ThreadSummary) -> Option<&str> {
        thread.latest.as_ref()?.at.as_deref()
    }
    threads.sort_by(|a, b| time(b).cmp(&time(a)).then_with(|| a.thread.cmp(&b.thread)));
}

fn step(
    log: Log<'_>,
    entry: &ThreadEntry,
    redact: Redact,
) -> Result<Option<ThreadStep>, ThreadStop> {
    let Some(checkpoint) = &entry.checkpoint else {
        return Ok(None);
    };
    let writes = log.writes(entry)?;
    let is_pending = !writes.is_empty() && log.child(entry)?.is_none();
    let writes = writes.into_iter().map(|write| StepWrite {
        value: ShownValue::of(&[write.channel.as_str()], &write.value, redact),
        task: write.task,
        channel: write.channel,
    });
    Ok(Some(ThreadStep {
        head: StepHead::of(entry, checkpoint),
        changes: changes(log, entry, checkpoint, redact)?,
        writes: writes.collect(),
        is_pending,
    }))
}

/// The channels whose values differ from those of the parent, in the order of the checkpoint; those that are gone
/// come last.
fn changes(
    log: Log<'_>,
    entry: &ThreadEntry,
    checkpoint: &ThreadCheckpoint,
    redact: Redact,
) -> Result<Vec<ChannelChange>, ThreadStop> {
    let parent = match &checkpoint.parent {
        Some(parent) => log.find(&entry.namespace, parent)?,
        None => None,
    };
    let before = parent.and_then(|it| it.checkpoint.as_ref());
    let before = before.map_or(&[][..], |it| &it.channels);
    let mut changes = Vec::new();
    for (channel, reference) in &checkpoint.channels {
        let old = before.iter().find(|(name, _)| name == channel);
        let old = old.map(|(_, it)| it);
        // It is stored once for both.
        if old.is_some_and(|it| it.at == reference.at) {
            continue;
        }
        let old = old.map(|it| log.value(channel, it)).transpose()?;
        let new = log.value(channel, reference)?;
        let change = ChannelChange::between(channel, old.as_ref(), Some(&new), redact);
        changes.extend(change);
    }
    for (channel, reference) in before {
        let is_there = checkpoint.channels.iter().any(|(name, _)| name == channel);
        if !is_there {
            let old = log.value(channel, reference)?;
            changes.extend(ChannelChange::between(channel, Some(&old), None, redact));
        }
    }
    Ok(changes)
}

impl StepHead {
    fn of(entry: &ThreadEntry, checkpoint: &ThreadCheckpoint) -> Self {
        let body = json_of(&checkpoint.body);
        let metadata = json_of(&checkpoint.metadata);
        let text = |json: &Option<Json>, key: &str| {
            let found = json.as_ref()?.as_object()?.get(key)?.as_str()?;
            Some(found.to_owned())
        };
        let number = metadata
            .as_ref()
            .and_then(|it| it.as_object()?.get("step").cloned());
        StepHead {
            namespace: entry.namespace.clone(),
            id: entry.id.clone(),
            parent: checkpoint.parent.clone(),
            at: text(&body, "ts"),
            source: text(&metadata, "source"),
            number: number.filter(|it| matches!(it, Json::Number(_))),
        }
    }
}

#[cfg(test)]
#[path = "steps_tests.rs"]
mod tests;
