//! The differences between two values of a channel, as far as people are shown them.

use super::value::Typed;
use crate::json::{self, Json, Pointer};
use crate::schema::Shaped;

/// A longer text is left out: its size says enough.
const MAX_SHOWN_BYTES: usize = 80;

/// The most parts of one value that are listed.
const MAX_PARTS: usize = 20;

/// Returns a text without its secrets; the names are those that it stands under, the outermost first.
///
/// Threads have no rule of secrets of their own: the caller brings it.
pub type Redact = fn(&[&str], &str) -> String;

/// The way in which a value differs from the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Shaped)]
pub enum ChangeKind {
    /// There was none before.
    Added,
    /// The channel is removed.
    Removed,
    /// Its value is another one.
    Changed,
}

/// A value, as far as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "SizedValue")]
pub struct ShownValue {
    /// Its size.
    pub bytes: u64,
    /// The text of a small one, without its secrets.
    pub text: Option<String>,
}

/// The change of one channel in a step.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct ChannelChange {
    /// The channel.
    pub channel: String,
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The value before the step.
    pub before: Option<ShownValue>,
    /// The value after it.
    pub after: Option<ShownValue>,
    /// The members or items that differ, where both values are objects or both are lists.
    pub parts: Vec<PartChange>,
    /// The number of parts beyond those.
    #[shape(name = "more_parts")]
    pub more: u64,
}

/// A member or an item of a value that differs.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct PartChange {
    /// Its place in the value, a JSON pointer, without its secrets.
    pub at: String,
    /// The kind of the change.
    pub kind: ChangeKind,
    /// Its value before the step.
    pub before: Option<ShownValue>,
    /// Its value after it.
    pub after: Option<ShownValue>,
}

impl ChangeKind {
    const fn of(has_before: bool, has_after: bool) -> Self {
        match (has_before, has_after) {
            (false, _) => ChangeKind::Added,
            (true, false) => ChangeKind::Removed,
            (true, true) => ChangeKind::Changed,
        }
    }
}

impl ShownValue {
    /// A value as its serializer gave it, which stands under these names.
    pub fn of(names: &[&str], value: &Typed, redact: Redact) -> Self {
        match value.encoding {
            None => ShownValue::of_text(names, &value.text, redact),
            // Base64 has four characters for three bytes.
            Some(_) => ShownValue {
                bytes: value.text.trim_end_matches('=').len() as u64 * 3 / 4,
                text: None,
            },
        }
    }

    fn of_text(names: &[&str], text: &str, redact: Redact) -> Self {
        let is_shown = text.len() <= MAX_SHOWN_BYTES;
        ShownValue {
            bytes: text.len() as u64,
            text: is_shown.then(|| redact(names, text)),
        }
    }
}

impl ChannelChange {
    /// The change of a channel; `None` where the values are equal.
    pub fn between(
        channel: &str,
        before: Option<&Typed>,
        after: Option<&Typed>,
        redact: Redact,
    ) -> Option<Self> {
        if before == after {
            return None;
        }
        let values = before.and_then(json_of).zip(after.and_then(json_of));
        let pairs = values
            .as_ref()
            .map_or_else(Vec::new, |(before, after)| pairs(before, after));
        let more = pairs.len().saturating_sub(MAX_PARTS) as u64;
        let parts = pairs.into_iter().take(MAX_PARTS);
        let shown = |value: &Typed| ShownValue::of(&[channel], value, redact);
        Some(ChannelChange {
            channel: channel.to_owned(),
            kind: ChangeKind::of(before.is_some(), after.is_some()),
            before: before.map(shown),
            after: after.map(shown),
            parts: parts.map(|pair| pair.change(channel, redact)).collect(),
            more,
        })
    }
}

/// A member or an item in both values, or in one of them.
struct Pair<'a> {
    at: Pointer,
    /// The name of a member; an item has that of its channel alone.
    name: Option<&'a str>,
    before: Option<&'a Json>,
    after: Option<&'a Json>,
}

impl Pair<'_> {
    fn change(&self, channel: &str, redact: Redact) -> PartChange {
        let names: Vec<&str> = std::iter::once(channel).chain(self.name).collect();
        let shown = |value: &Json| ShownValue::of_text(&names, &value.to_line(), redact);
        PartChange {
            at: redact(&[], self.at.as_str()),
            kind: ChangeKind::of(self.before.is_some(), self.after.is_some()),
            before: self.before.map(shown),
            after: self.after.map(shown),
        }
    }
}

/// The members or items that differ; none where the values are something else.
fn pairs<'a>(before: &'a Json, after: &'a Json) -> Vec<Pair<'a>> {
    match (before, after) {
        (Json::Object(before), Json::Object(after)) => {
            let differing = before.differing(after).into_iter();
            differing
                .map(|(name, before, after)| Pair {
                    at: Pointer::root().key(name),
                    name: Some(name),
                    before,
                    after,
                })
                .collect()
        }
        (Json::Array(before), Json::Array(after)) => items(before, after),
        _ => Vec::new(),
    }
}

/// The items between those that both lists begin and end with.
fn items<'a>(before: &'a [Json], after: &'a [Json]) -> Vec<Pair<'a>> {
    let is_same = |(before, after): &(&Json, &Json)| before == after;
    let head = before.iter().zip(after).take_while(is_same).count();
    let (before, after) = (&before[head..], &after[head..]);
    let ends = before.iter().rev().zip(after.iter().rev());
    let tail = ends.take_while(is_same).count();
    let before = &before[..before.len() - tail];
    let after = &after[..after.len() - tail];
    let pair = |offset: usize| Pair {
        at: Pointer::root().item(head + offset),
        name: None,
        before: before.get(offset),
        after: after.get(offset),
    };
    (0..before.len().max(after.len())).map(pair).collect()
}

/// The value that a text holds, where it is JSON.
pub(super) fn json_of(value: &Typed) -> Option<Json> {
    if value.encoding.is_some() {
        return None;
    }
    let reading = json::read(value.text.as_bytes()).ok()?;
    Some(reading.value)
}

#[cfg(test)]
#[path = "difference_tests.rs"]
mod tests;
