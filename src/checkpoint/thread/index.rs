//! The document of a thread: its newest entries, and which parts hold the older ones.

use super::entry::ThreadEntry;
use super::name;
use super::value::Salt;
use crate::digest::is_id;
use crate::error::Error;
use crate::json::{Json, Object, Pointer};
use crate::schema::{Problem, ProblemCode};
use crate::time;

/// The version that is written, and the highest that can be read.
pub const VERSION: u64 = 1;

/// The members that are written here; the store has its own beside them.
const MEMBERS: [&str; 8] = [
    "version", "thread", "salt", "deleted", "next", "segments", "strays", "tail",
];

/// The members that the store writes into a document, which the rules ignore.
const OF_THE_STORE: [&str; 5] = ["generation", "journal", "tally", "revision", "seal"];

/// The limit on the names of namespaces in a segment: within it they are listed.
const MAX_NAMESPACES_BYTES: usize = 160;

/// The document of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    pub(super) name: String,
    /// An id: what its values are hashed with.
    salt: String,
    /// The latest time that it, or some of its checkpoints, were deleted.
    pub(super) deleted: Option<ThreadDeletion>,
    /// The number of the next entry.
    pub(super) next: u64,
    /// The segments with older entries, the oldest first.
    pub(super) segments: Vec<ThreadSegment>,
    /// Entries that have the writes of a checkpoint that was not at hand.
    pub(super) strays: Vec<Stray>,
    /// The newest entries.
    pub(super) tail: Vec<ThreadEntry>,
    /// The unknown members, which are kept.
    rest: Object,
}

/// The facts about a deleted thread, by which later changes of a run that was going on then are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadDeletion {
    /// The time of the deletion, as it is stored.
    at: String,
    /// The highest order that there was.
    highest: String,
    /// The latest checkpoints that were refused, which others may follow from.
    late: Vec<String>,
}

/// So many late checkpoints are known: each run has one, or one in each subgraph.
const MAX_LATE: usize = 32;

/// A tombstone is needed for so long: no run goes on for a week after its thread was deleted.
const TOMBSTONE_MS: f64 = 7.0 * 24.0 * 60.0 * 60.0 * 1_000.0;

/// A part with entries that follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadSegment {
    /// The number of its first entry, from which its key follows.
    pub(super) first: u64,
    /// The number of its last one.
    pub(super) last: u64,
    /// The token of its part among those with its key.
    pub(super) token: String,
    /// The number of times that its entries were put together, or [`ThreadSegment::FULL`].
    pub(super) level: u64,
    /// Its size in bytes.
    pub(super) bytes: u64,
    /// The lowest id in it, and the highest order: nothing outside of them is there.
    pub(super) range: (String, String),
    /// The namespaces in it; `None` for too many.
    pub(super) namespaces: Option<Vec<String>>,
}

/// The place of the writes to a checkpoint that was not there when they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    pub(super) number: u64,
    pub(super) namespace: String,
    pub(super) id: String,
}

/// The name of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartRef {
    /// The key.
    pub key: String,
    /// The token.
    pub token: String,
}

impl Thread {
    /// A thread without entries, that hashes its values with a random id.
    pub fn new(name: &str, salt: &str) -> Self {
        Thread {
            name: name.to_owned(),
            salt: salt.to_owned(),
            deleted: None,
            next: 0,
            segments: Vec::new(),
            strays: Vec::new(),
            tail: Vec::new(),
            rest: Object::new(),
        }
    }

    /// The tombstone that takes its place when it is deleted at this time. It hashes later values with another random
    /// id. A checkpoint whose writes came early, and went with the thread, is refused.
    pub fn tombstone(&self, salt: &str, at: &str) -> Self {
        let sealed = self.segments.iter().map(|it| it.range.1.as_str());
        let newest = self.tail.iter().map(ThreadEntry::order);
        let highest = sealed.chain(newest).max();
        let mut tombstone = self.tombstone_above(highest.unwrap_or_default(), salt, at);
        for stray in &self.strays {
            tombstone.note_late(&stray.id);
        }
        tombstone
    }

    /// The tombstone of checkpoints up to this order.
    pub(super) fn tombstone_above(&self, highest: &str, salt: &str, at: &str) -> Self {
        let mut tombstone = Thread {
            deleted: self.deleted.clone(),
            ..Thread::new(&self.name, salt)
        };
        tombstone.note_gone(at, highest);
        tombstone
    }

    /// The thread without its entries.
    pub(super) fn emptied(&self) -> Self {
        Thread {
            segments: Vec::new(),
            strays: Vec::new(),
            tail: Vec::new(),
            ..self.clone()
        }
    }

    /// Notes that checkpoints up to this order went: nothing goes on from them any more.
    pub(super) fn note_gone(&mut self, at: &str, highest: &str) {
        let deleted = self.deleted.get_or_insert_default();
        at.clone_into(&mut deleted.at);
        if deleted.highest.as_str() < highest {
            highest.clone_into(&mut deleted.highest);
        }
    }

    /// Notes what went from the thread that it is a copy of.
    pub(super) fn note_gone_of(&mut self, origin: &Thread) {
        if let Some(deleted) = &origin.deleted {
            self.note_gone(&deleted.at, &deleted.highest);
        }
    }

    /// Returns whether it is a tombstone, for which no checkpoint came since. Writes that came early have none yet.
    pub fn is_deleted(&self) -> bool {
        let has_any = self.tail.iter().any(|it| it.checkpoint.is_some());
        // Without a checkpoint every entry is a stray. With one the numbers are ahead of them for good.
        let has_writes_alone = self.strays.len() as u64 == self.next;
        self.deleted.is_some() && !has_any && (self.segments.is_empty() || has_writes_alone)
    }

    /// Returns whether another thread can come in its place: it has nothing, or nothing since it was deleted.
    pub fn is_vacant(&self) -> bool {
        self.is_deleted() || (self.next == 0 && self.deleted.is_none())
    }

    /// Returns whether it is a tombstone that is not needed any more, to which nothing came since.
    pub fn is_expired(&self, now_ms: f64) -> bool {
        let at = self.deleted.as_ref().and_then(|it| time::parse(&it.at));
        let is_old = at.is_some_and(|it| now_ms - it.wall_ms() > TOMBSTONE_MS);
        is_old && self.is_deleted() && self.next == 0
    }

    /// Returns whether a checkpoint of this id, which is not there, was deleted or pruned, or was refused
    /// since.
    pub(super) fn went(&self, id: &str) -> bool {
        let deleted = self.deleted.as_ref();
        deleted.is_some_and(|it| id <= it.highest.as_str()) || self.is_late(id)
    }

    /// Returns whether a checkpoint of this id is one that comes too late: of a run that lost a part of it.
    pub(super) fn is_late(&self, id: &str) -> bool {
        let deleted = self.deleted.as_ref();
        deleted.is_some_and(|it| it.late.iter().any(|it| it == id))
    }

    /// Notes a checkpoint that is refused: it goes on from one that went, or its writes went.
    pub(super) fn note_late(&mut self, id: &str) {
        if let Some(deleted) = self
            .deleted
            .as_mut()
            .filter(|it| !it.late.iter().any(|it| it == id))
        {
            deleted.late.push(id.to_owned());
            let over = deleted.late.len().saturating_sub(MAX_LATE);
            deleted.late.drain(..over);
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the salt that its values are hashed with.
    pub(super) fn salt(&self) -> Result<Salt, Error> {
        Salt::of(&self.salt).ok_or_else(|| wrong("salt"))
    }

    /// Takes over a stored document, which was found under this stem.
    ///
    /// # Errors
    ///
    /// [`Error::unsupported_version`] when its version is higher than [`VERSION`];
    /// [`Error::invalid_document`] where it is no document of this thread.
    pub fn read(mut object: Object, stem: &str) -> Result<Self, Error> {
        let version = object.get("version").and_then(Json::as_u64);
        if let Some(version) = version.filter(|it| *it > VERSION) {
            return Err(Error::unsupported_version(version, VERSION));
        }
        for key in OF_THE_STORE {
            object.remove(key);
        }
        let mut take = |key: &str| object.remove(key).ok_or_else(|| wrong(key));
        take("version")?;
        let thread = match take("thread")? {
            Json::String(text) if name::stem(&text) == stem => text,
            _ => return Err(wrong("thread")),
        };
        let salt = match take("salt")? {
            Json::String(salt) if is_id(&salt) => salt,
            _ => return Err(wrong("salt")),
        };
        let next = take("next")?.as_u64().ok_or_else(|| wrong("next"))?;
        let segments =
            list(take("segments")?, ThreadSegment::read).ok_or_else(|| wrong("segments"))?;
        let strays = list(take("strays")?, Stray::read).ok_or_else(|| wrong("strays"))?;
        let tail = list(take("tail")?, ThreadEntry::read).ok_or_else(|| wrong("tail"))?;
        let deleted = object.remove("deleted").map(ThreadDeletion::read);
        let deleted = deleted.map(|it| it.ok_or_else(|| wrong("deleted")));
        let thread = Thread {
            name: thread,
            salt,
            deleted: deleted.transpose()?,
            next,
            segments,
            strays,
            tail,
            rest: object,
        };
        match thread.is_in_order() {
            true => Ok(thread),
            false => Err(wrong("segments")),
        }
    }

    /// As it is stored.
    pub fn into_object(self) -> Object {
        let key = |first| name::part_key(&self.name, first);
        let segments = self.segments.into_iter().map(|it| it.into_json(key));
        let segments: Vec<Json> = segments.collect();
        let strays = self.strays.into_iter().map(Stray::into_json);
        let tail = self.tail.into_iter().map(ThreadEntry::into_json);
        let mut object = Object::new()
            .with("version", VERSION)
            .with("thread", self.name.as_str())
            .with("salt", self.salt);
        if let Some(deleted) = self.deleted {
            object.set("deleted", deleted.into_json());
        }
        let mut object = object
            .with("next", self.next)
            .with("segments", segments)
            .with("strays", strays.collect::<Vec<_>>())
            .with("tail", tail.collect::<Vec<_>>());
        for (key, value) in self.rest.iter() {
            if !MEMBERS.contains(&key) {
                object.set(key, value.clone());
            }
        }
        object
    }

    /// The part of a segment.
    pub(super) fn part(&self, segment: &ThreadSegment) -> PartRef {
        PartRef {
            key: name::part_key(&self.name, segment.first),
            token: segment.token.clone(),
        }
    }

    /// Returns whether numbers only rise: by them an entry is found, and bases come before the
    /// values that are built on them.
    pub(super) fn is_in_order(&self) -> bool {
        let segments = self.segments.iter();
        let segments = segments.flat_map(|it| [(it.first, 0), (it.last, 1)]);
        let tail = self
            .tail
            .iter()
            .flat_map(|it| [(it.number, 0), (it.number, 1)]);
        let mut above = None;
        for (number, end) in segments.chain(tail) {
            let rises = match end {
                0 => above.is_none_or(|it| number > it),
                _ => above.is_none_or(|it| number >= it),
            };
            if !rises || number >= self.next {
                return false;
            }
            above = Some(number);
        }
        true
    }
}

/// Returns the parts that a document names, regardless of its other content.
pub fn parts(object: &Object) -> Vec<PartRef> {
    let segments = object.get("segments").and_then(Json::as_array);
    let part = |segment: &Json| {
        let items = segment.as_array()?;
        Some(PartRef {
            key: items.first()?.as_str()?.to_owned(),
            token: items.get(1)?.as_str()?.to_owned(),
        })
    };
    segments
        .unwrap_or_default()
        .iter()
        .filter_map(part)
        .collect()
}

impl ThreadSegment {
    /// The level of one that is not put together with others any more.
    pub(super) const FULL: u64 = 99;

    /// Describes the content of a part with these entries.
    pub(super) fn of(
        entries: &[ThreadEntry],
        token: &str,
        level: u64,
        bytes: usize,
    ) -> Option<Self> {
        let ids = entries.iter().map(|it| it.id.as_str());
        let orders = entries.iter().map(ThreadEntry::order);
        let mut namespaces: Vec<String> = Vec::new();
        for entry in entries {
            if !namespaces.contains(&entry.namespace) {
                namespaces.push(entry.namespace.clone());
            }
            if namespaces.iter().map(|it| it.len() + 3).sum::<usize>() > MAX_NAMESPACES_BYTES {
                break;
            }
        }
        let length: usize = namespaces.iter().map(|it| it.len() + 3).sum();
        Some(ThreadSegment {
            first: entries.first()?.number,
            last: entries.last()?.number,
            token: token.to_owned(),
            level,
            bytes: bytes as u64,
            range: (ids.min()?.to_owned(), orders.max()?.to_owned()),
            namespaces: (length <= MAX_NAMESPACES_BYTES).then_some(namespaces),
        })
    }

    /// Returns whether it may have something of this namespace.
    pub(super) fn may_have(&self, namespace: &str) -> bool {
        let namespaces = self.namespaces.as_ref();
        namespaces.is_none_or(|it| it.iter().any(|it| it == namespace))
    }

    fn into_json(self, key: impl Fn(u64) -> String) -> Json {
        let namespaces = match self.namespaces {
            Some(names) => Json::from(names),
            None => Json::Null,
        };
        Json::from(vec![
            Json::from(key(self.first)),
            Json::from(self.token),
            Json::from(self.first),
            Json::from(self.last),
            Json::from(self.level),
            Json::from(self.bytes),
            Json::from(self.range.0),
            Json::from(self.range.1),
            namespaces,
        ])
    }

    fn read(json: Json) -> Option<Self> {
        let Json::Array(items) = json else {
            return None;
        };
        let [_, token, first, last, level, bytes, low, high, names] =
            <[Json; 9]>::try_from(items).ok()?;
        let namespaces = match names {
            Json::Null => None,
            names => Some(list(names, text)?),
        };
        let token = text(token)?;
        is_id(&token).then_some(ThreadSegment {
            first: first.as_u64()?,
            last: last.as_u64()?,
            token,
            level: level.as_u64()?,
            bytes: bytes.as_u64()?,
            range: (text(low)?, text(high)?),
            namespaces,
        })
    }
}

impl ThreadDeletion {
    fn into_json(self) -> Json {
        let mut ids = vec![self.at, self.highest];
        ids.extend(self.late);
        ids.into()
    }

    fn read(json: Json) -> Option<Self> {
        let mut ids = list(json, text)?.into_iter();
        Some(ThreadDeletion {
            at: ids.next()?,
            highest: ids.next()?,
            late: ids.collect(),
        })
    }
}

impl Stray {
    pub(super) fn into_json(self) -> Json {
        let names = [self.namespace, self.id].map(Json::from);
        let mut items = vec![Json::from(self.number)];
        items.extend(names);
        items.into()
    }

    pub(super) fn read(json: Json) -> Option<Self> {
        let Json::Array(items) = json else {
            return None;
        };
        let [number, namespace, id] = <[Json; 3]>::try_from(items).ok()?;
        Some(Stray {
            number: number.as_u64()?,
            namespace: text(namespace)?,
            id: text(id)?,
        })
    }
}

fn text(json: Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text),
        _ => None,
    }
}

pub(super) fn list<T>(json: Json, read: fn(Json) -> Option<T>) -> Option<Vec<T>> {
    match json {
        Json::Array(items) => items.into_iter().map(read).collect(),
        _ => None,
    }
}

fn wrong(key: &str) -> Error {
    Error::invalid_document(vec![Problem {
        at: Pointer::root().key(key),
        code: ProblemCode::Type,
        message: "expected what the document of this thread has here".to_owned(),
    }])
}
