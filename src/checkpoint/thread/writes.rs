//! The writes of the tasks of one checkpoint, before there is a next one.

use super::value::Typed;
use crate::json::Json;

/// Channels that a task writes once, each at an index of its own: the last of them counts, while of all
/// others the first does.
const SPECIAL: [(&str, i64); 4] = [
    ("__error__", -1),
    ("__scheduled__", -2),
    ("__interrupt__", -3),
    ("__resume__", -4),
];

/// The channel of packets for nodes.
pub(super) const PACKETS: &str = "__pregel_tasks";

/// Other channels of LangGraph itself, which are none of the graph's state.
const OWN: [&str; 4] = ["__no_writes__", PACKETS, "__return__", "__previous__"];

/// Returns whether a channel is LangGraph's own: no value of the graph's state comes of what is written to it.
pub(super) fn is_own(channel: &str) -> bool {
    special(channel).is_some() || OWN.contains(&channel)
}

/// One write of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelWrite {
    /// The task.
    pub task: String,
    /// Its place in the graph, in the words of the graph's user; by it the writes are ordered.
    pub path: String,
    /// Its number among the task's writes.
    pub at: i64,
    /// The channel that it is written to.
    pub channel: String,
    /// The value.
    pub value: Typed,
}

impl ChannelWrite {
    /// The writes of a task, in their order.
    pub fn all(task: &str, path: &str, writes: Vec<(String, Typed)>) -> Vec<Self> {
        let writes = writes.into_iter().zip(0_i64..);
        let one = |((channel, value), at): ((String, Typed), i64)| ChannelWrite {
            task: task.to_owned(),
            path: path.to_owned(),
            at: special(&channel).unwrap_or(at),
            channel,
            value,
        };
        writes.map(one).collect()
    }

    pub(super) fn into_json(self) -> Json {
        let at = Json::Number(self.at.to_string().into());
        let names = [self.task, self.path, self.channel].map(Json::from);
        let mut items: Vec<Json> = names.into();
        items.extend([at, self.value.into_json()]);
        items.into()
    }

    pub(super) fn read(json: Json) -> Option<Self> {
        let Json::Array(items) = json else {
            return None;
        };
        let [task, path, channel, at, value] = <[Json; 5]>::try_from(items).ok()?;
        let text = |json| match json {
            Json::String(text) => Some(text),
            _ => None,
        };
        let Json::Number(at) = at else {
            return None;
        };
        Some(ChannelWrite {
            task: text(task)?,
            path: text(path)?,
            channel: text(channel)?,
            at: at.parse().ok()?,
            value: Typed::read(value)?,
        })
    }

    fn is_same(&self, other: &ChannelWrite) -> bool {
        self.task == other.task && self.at == other.at
    }
}

fn special(channel: &str) -> Option<i64> {
    let found = SPECIAL.iter().find(|(name, _)| *name == channel);
    found.map(|(_, at)| *at)
}

/// Adds later writes to earlier ones; whether that changed anything.
pub fn add(writes: &mut Vec<ChannelWrite>, later: Vec<ChannelWrite>) -> bool {
    let mut changed = false;
    for write in later {
        match writes.iter_mut().find(|it| it.is_same(&write)) {
            None => writes.push(write),
            Some(present) if write.at < 0 && *present != write => *present = write,
            Some(_) => continue,
        }
        changed = true;
    }
    changed
}

/// In the order in which a superstep applies them: by path, task and index, texts by code point.
pub fn arrange(writes: &mut [ChannelWrite]) {
    writes.sort_by(|a, b| (&a.path, &a.task, a.at).cmp(&(&b.path, &b.task, b.at)));
}
