//! JSON documents that survive a round trip: order of keys, numbers as written, every field.
//!
//! A parsed number cannot be written back unchanged (`1e400`, `1.0`, `12345678901234567890`), so a
//! [`Json::Number`] is its own text. serde_json reads and writes the strings; the structure around
//! them is read here, in one pass, within a depth limit that no input can exceed.

use crate::str_map::StrMap;

mod number;
mod outline;
mod pointer;
mod read;
mod skim;
mod source;
mod write;

pub use outline::{JsonNode, Member, NodeValue, decoded, outline};
pub use pointer::{NodePath, Pointer};
pub use read::{Malformed, ParsedJson, read, read_within};
pub use skim::{MemberKey, Skim};
pub use source::{JsonSource, JsonStep};

/// Arrays and objects may be nested this deep; deeper input is malformed.
pub const MAX_DEPTH: usize = 64;

/// One JSON value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number in its original text.
    Number(Box<str>),
    /// A string, decoded.
    String(String),
    /// A list.
    Array(Vec<Json>),
    /// An object in the order of its keys.
    Object(Object),
}

impl Json {
    /// The kind of value, as error messages name it.
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "boolean",
            Json::Number(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        }
    }

    /// Returns whether arrays and objects are nested at most this deep, so that it can be read
    /// again.
    pub fn is_within(&self, depth: usize) -> bool {
        match self {
            Json::Array(items) => depth > 0 && items.iter().all(|item| item.is_within(depth - 1)),
            Json::Object(object) => {
                depth > 0 && object.iter().all(|(_, value)| value.is_within(depth - 1))
            }
            _ => true,
        }
    }

    /// A count as a number.
    pub fn from_count(count: usize) -> Json {
        Json::from(count as u64)
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of a number that is whole, not negative, and fits, however it is written.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Json::Number(text) => number::whole(text),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn as_array(&self) -> Option<&[Json]> {
        match self {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Json::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The members of an object, to change.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Json::Object(object) => Some(object),
            _ => None,
        }
    }
}

impl From<Pointer> for Json {
    fn from(at: Pointer) -> Self {
        Json::String(at.into_string())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Json::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Json::String(text)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Json::Bool(value)
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Self {
        Json::Number(value.to_string().into())
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Json::Object(object)
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Json::Null, Into::into)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Json::Array(items.into_iter().map(Into::into).collect())
    }
}

/// A key, and its value in each of two objects, where it has one.
pub type Difference<'a> = (&'a str, Option<&'a Json>, Option<&'a Json>);

/// The members of an object, in order; a key stands at most once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Object {
    members: Vec<(String, Json)>,
}

impl Object {
    /// An object without members.
    pub fn new() -> Self {
        Object::default()
    }

    /// The object without members, to be read.
    pub fn empty() -> &'static Self {
        static EMPTY: Object = Object {
            members: Vec::new(),
        };
        &EMPTY
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns whether it has no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.members
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// The value of a key, to change.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        self.members
            .iter_mut()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// Replaces the value of a key where it stands, or appends the member.
    pub fn set(&mut self, key: &str, value: impl Into<Json>) {
        self.set_value(key, value.into());
    }

    /// Apart from [`Object::set`], so that it is compiled once.
    fn set_value(&mut self, key: &str, value: Json) {
        match self.get_mut(key) {
            Some(present) => *present = value,
            None => self.members.push((key.to_owned(), value)),
        }
    }

    /// The object with this member too, as [`Object::set`] sets it.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Json>) -> Self {
        self.set(key, value);
        self
    }

    /// Renames a member where it stands, and says whether it did: not when it is absent, or when
    /// the new key stands already.
    pub fn rename(&mut self, key: &str, new_key: &str) -> bool {
        if self.get(new_key).is_some() {
            return false;
        }
        match self.members.iter_mut().find(|(name, _)| name == key) {
            Some((name, _)) => {
                *name = new_key.to_owned();
                true
            }
            None => false,
        }
    }

    /// Takes a member out; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Json> {
        let at = self.members.iter().position(|(name, _)| name == key)?;
        Some(self.members.remove(at).1)
    }

    /// The members in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Json)> + ExactSizeIterator {
        self.members
            .iter()
            .map(|(key, value)| (key.as_str(), value))
    }

    /// The members in order, their values to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Json)> {
        self.members
            .iter_mut()
            .map(|(key, value)| (key.as_str(), value))
    }

    /// The members by key, for many look-ups: [`Object::get`] searches from the start.
    pub fn index(&self) -> StrMap<'_, &Json> {
        index(&self.members)
    }

    /// Returns the members that stand in either of two objects, and are not equal: in the order of
    /// this one; those that only `after` has come last.
    pub fn differing<'a>(&'a self, after: &'a Object) -> Vec<Difference<'a>> {
        let mut found: Vec<Difference<'a>> = Vec::new();
        // Two revisions of a document mostly have the same keys in the same order.
        let pairs = self.members.iter().zip(&after.members);
        let alike = pairs.take_while(|((key, _), (other, _))| key == other);
        let mut common = 0;
        for ((key, before), (_, after)) in alike {
            common += 1;
            if before != after {
                found.push((key, Some(before), Some(after)));
            }
        }
        let (before, after) = (&self.members[common..], &after.members[common..]);
        let (old, new) = (index(before), index(after));
        for (key, before) in before {
            let after = new.get(key).copied();
            if after != Some(before) {
                found.push((key, Some(before), after));
            }
        }
        for (key, after) in after {
            if !old.contains(key) {
                found.push((key, None, Some(after)));
            }
        }
        found
    }

    /// Sorts the members by the rank of their keys; members of one rank keep their order.
    pub fn arrange(&mut self, rank: impl Fn(&str) -> usize) {
        let ranks: Vec<usize> = self.members.iter().map(|(key, _)| rank(key)).collect();
        if ranks.is_sorted() {
            return;
        }
        // A handful of ranks: going through the members once for each takes less code than a sort.
        let mut members: Vec<Option<(String, Json)>> = std::mem::take(&mut self.members)
            .into_iter()
            .map(Some)
            .collect();
        for wanted in 0..=ranks.iter().copied().max().unwrap_or(0) {
            let of_rank = members
                .iter_mut()
                .zip(&ranks)
                .filter(|(_, rank)| **rank == wanted);
            self.members
                .extend(of_rank.filter_map(|(member, _)| member.take()));
        }
    }

    /// Builds an object from members whose keys are known to differ.
    fn from_unique(members: Vec<(String, Json)>) -> Self {
        Object { members }
    }
}

fn index(members: &[(String, Json)]) -> StrMap<'_, &Json> {
    let members = members.iter();
    members.map(|(key, value)| (key.as_str(), value)).collect()
}

impl IntoIterator for Object {
    type Item = (String, Json);
    type IntoIter = std::vec::IntoIter<(String, Json)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

impl<K: Into<String>, V: Into<Json>> FromIterator<(K, V)> for Object {
    /// The last value of a key that comes twice wins, at the place of the first.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        let members: Vec<_> = members
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        read::last_value_wins(members)
    }
}
