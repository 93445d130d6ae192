//! One entry of a thread's log.

use super::value::{LoggedValue, Ref, Typed};
use super::writes::ChannelWrite;
use crate::json::{Json, Object};

/// A checkpoint with what its tasks wrote, or writes to a checkpoint that is not at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadEntry {
    /// Entries are counted, and none is ever counted twice.
    pub number: u64,
    /// The namespace of the checkpoint.
    pub namespace: String,
    /// Its id.
    pub id: String,
    /// `None` where the writes alone are here.
    pub checkpoint: Option<ThreadCheckpoint>,
    /// The writes of its tasks.
    pub writes: Vec<ChannelWrite>,
}

/// A checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadCheckpoint {
    /// The id of the one that it follows from.
    pub parent: Option<String>,
    /// Its order among all, if not by its id: no checkpoint comes before its parent, regardless of
    /// its maker's clock.
    pub order: Option<String>,
    /// The run that put it, as far as its maker said.
    pub run: Option<String>,
    /// Set for one that was pruned. Of such a one only the values and writes are left that another one, which follows
    /// from it, goes on from.
    pub pruned: Option<PrunedLine>,
    /// All but the values of its channels.
    pub body: Typed,
    /// The metadata of its maker.
    pub metadata: Typed,
    /// The places of the values of its channels.
    pub channels: Vec<(String, Ref)>,
    /// The values that are stored here.
    pub values: Vec<(String, LoggedValue)>,
}

/// The line of a pruned checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrunedLine {
    /// The nearest one before it that has something to go on from.
    pub before: Option<String>,
}

impl PrunedLine {
    fn read(json: &Json) -> Option<Self> {
        let before = match json.as_array()? {
            [] => None,
            [before] => Some(before.as_str()?.to_owned()),
            _ => return None,
        };
        Some(PrunedLine { before })
    }
}

impl ThreadCheckpoint {
    /// The one before it that its history goes on with.
    pub(super) fn before(&self) -> Option<&str> {
        let before = match &self.pruned {
            Some(origin) => &origin.before,
            None => &self.parent,
        };
        before.as_deref()
    }
}

impl ThreadEntry {
    /// Returns the key that it is ordered by.
    pub fn order(&self) -> &str {
        let order = self.checkpoint.as_ref().and_then(|it| it.order.as_deref());
        order.unwrap_or(&self.id)
    }

    /// Returns whether it has a checkpoint that readers find.
    pub fn is_visible(&self) -> bool {
        self.checkpoint
            .as_ref()
            .is_some_and(|it| it.pruned.is_none())
    }

    /// Returns whether it is what is left of a pruned checkpoint.
    pub fn is_pruned(&self) -> bool {
        self.checkpoint
            .as_ref()
            .is_some_and(|it| it.pruned.is_some())
    }

    /// Returns whether it concerns this checkpoint.
    pub fn is_of(&self, namespace: &str, id: &str) -> bool {
        self.id == id && self.namespace == namespace
    }

    /// Returns the value of a channel that is stored here.
    pub fn value(&self, channel: &str) -> Option<&LoggedValue> {
        let values = &self.checkpoint.as_ref()?.values;
        values
            .iter()
            .find(|(name, _)| name == channel)
            .map(|(_, it)| it)
    }

    /// About as many bytes as its text has.
    pub(super) fn weight(&self) -> usize {
        let writes = self.writes.iter();
        let writes = writes.map(|it| it.value.text.len() + it.task.len() + it.path.len() + 32);
        let own = self.checkpoint.as_ref().map_or(0, |it| {
            let values = it.values.iter();
            let values = values.map(|(key, it)| it.typed.text.len() + key.len() + 32);
            let channels = it
                .channels
                .iter()
                .map(|(key, it)| key.len() + 16 + it.beginning.as_ref().map_or(0, |_| 56));
            it.body.text.len() + it.metadata.text.len() + values.chain(channels).sum::<usize>()
        });
        64 + own + writes.sum::<usize>()
    }

    pub(super) fn into_json(self) -> Json {
        let mut object = Object::new()
            .with("number", self.number)
            .with("namespace", self.namespace)
            .with("id", self.id);
        if let Some(checkpoint) = self.checkpoint {
            let mut set = |key, text: Option<String>| {
                if let Some(text) = text {
                    object.set(key, text);
                }
            };
            set("parent", checkpoint.parent);
            set("order", checkpoint.order);
            set("run", checkpoint.run);
            if let Some(origin) = checkpoint.pruned {
                object.set("pruned", origin.before.into_iter().collect::<Vec<_>>());
            }
            object.set("checkpoint", checkpoint.body.into_json());
            object.set("metadata", checkpoint.metadata.into_json());
            let channels = checkpoint.channels.into_iter();
            object.set(
                "channels",
                pairs(channels.map(|(key, it)| (key, it.into_json()))),
            );
            let values = checkpoint.values.into_iter();
            object.set(
                "values",
                pairs(values.map(|(key, it)| (key, it.into_json()))),
            );
        }
        if !self.writes.is_empty() {
            let writes = self.writes.into_iter().map(ChannelWrite::into_json);
            object.set("writes", writes.collect::<Vec<_>>());
        }
        object.into()
    }

    /// From the same; `None` for anything else.
    pub(super) fn read(json: Json) -> Option<Self> {
        let Json::Object(mut object) = json else {
            return None;
        };
        let number = object.get("number")?.as_u64()?;
        let pruned = match object.remove("pruned") {
            None => None,
            Some(before) => Some(PrunedLine::read(&before)?),
        };
        let mut texts = ["namespace", "id", "parent", "order", "run"]
            .map(|key| match object.remove(key) {
                Some(Json::String(text)) => Some(text),
                _ => None,
            })
            .into_iter();
        let (namespace, id) = (texts.next()??, texts.next()??);
        let (parent, order, run) = (texts.next()?, texts.next()?, texts.next()?);
        let checkpoint = match object.remove("checkpoint") {
            None => None,
            Some(body) => Some(ThreadCheckpoint {
                parent,
                order,
                run,
                pruned,
                body: Typed::read(body)?,
                metadata: Typed::read(object.remove("metadata")?)?,
                channels: read_pairs(object.remove("channels")?, Ref::read)?,
                values: read_pairs(object.remove("values")?, LoggedValue::read)?,
            }),
        };
        let writes = match object.remove("writes") {
            None => Vec::new(),
            Some(Json::Array(items)) => items
                .into_iter()
                .map(ChannelWrite::read)
                .collect::<Option<_>>()?,
            Some(_) => return None,
        };
        Some(ThreadEntry {
            number,
            namespace,
            id,
            checkpoint,
            writes,
        })
    }
}

/// Names are free text, so that they are no keys: an object with many is slow to make.
fn pairs(items: impl Iterator<Item = (String, Json)>) -> Json {
    let pairs = items.map(|(key, value)| Json::from(vec![Json::from(key), value]));
    pairs.collect::<Vec<_>>().into()
}

fn read_pairs<T>(json: Json, read: fn(Json) -> Option<T>) -> Option<Vec<(String, T)>> {
    let Json::Array(items) = json else {
        return None;
    };
    let pair = |item| match item {
        Json::Array(pair) => match <[Json; 2]>::try_from(pair) {
            Ok([Json::String(key), value]) => Some((key, read(value)?)),
            _ => None,
        },
        _ => None,
    };
    items.into_iter().map(pair).collect()
}
