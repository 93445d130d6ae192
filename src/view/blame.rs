//! The revision that gave each field its present value.

use crate::blocking::operation::command::log::log_seeing;
use crate::checkpoint::command::agents::{SessionRef, writer};
use crate::checkpoint::command::diff::{of_every_save, subject};
use crate::error::Error;
use crate::json::{Json, NodePath, Object};
use crate::schema::{Kind, Shaped};
use crate::str_map;
use crate::text::{visible, visible_lines};

use super::version_ref::{self, settle};
use super::viewer::Viewer;

/// So much of a long value is shown.
const SHOWN: usize = 400;

/// A revision that was gone through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BlameRevision {
    revision: u64,
    at: Option<String>,
    /// The agent, and the id of its session.
    by: Option<(String, String)>,
}

/// For a value, which of the revisions set it: their numbers in the order in which they were gone through.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ValueOrigin {
    At(usize),
    Members(Vec<(String, ValueOrigin)>),
}

/// Answers for each field of the present document who set it, and when.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let key = version_ref::key(question)?;
    let title = key.title();
    let target = key.target()?;
    let mut history = BlameHistory::default();
    let (io, settings) = (viewer.io(), viewer.settings());
    let reply = log_seeing(&io, &settings, &target, &mut |revision, document| {
        history.see(revision, document);
    });
    let entries = settle(viewer, reply)?;
    let unread = entries.iter().filter(|entry| entry.problem.is_some());
    let unread: Vec<u64> = unread.map(|entry| entry.revision).collect();
    let fields = history.fields(&unread);
    Ok(Blame { title, fields }.into())
}

/// The fields of the present document, each with the revision that gave it its value.
#[derive(Shaped)]
pub(super) struct Blame {
    /// The command and the feature, to be shown.
    title: String,
    /// The fields, in order.
    fields: Vec<BlameField>,
}

/// A field of the present document.
#[derive(Clone, Default, Shaped)]
struct BlameField {
    /// Its place, a JSON pointer.
    path: String,
    /// The place in words.
    label: String,
    /// The beginning of its value.
    value: String,
    /// The revision that set it, where one did.
    revision: Option<u64>,
    /// The time of that revision.
    at: Option<String>,
    /// The session that wrote it.
    session: Option<String>,
    /// The agent of that session.
    agent: Option<String>,
    /// The oldest kept revision, if it has it already and none is named.
    #[shape(left_out, kind = Kind::Integer)]
    before: Option<u64>,
    /// Revisions from this one on cannot be read, and it may have been set in one of them.
    #[shape(left_out, kind = Kind::Nullable(&Kind::Integer))]
    since: Option<Option<u64>>,
}

/// The documents seen so far: the newest one, and for each part of it when it was set.
#[derive(Debug, Default)]
struct BlameHistory {
    seen: Vec<BlameRevision>,
    newest: Option<(Object, Vec<(String, ValueOrigin)>)>,
}

impl BlameHistory {
    fn see(&mut self, revision: u64, document: &Object) {
        let at = self.seen.len();
        let updated = document.get("updated_at").and_then(Json::as_str);
        let by = writer(document);
        self.seen.push(BlameRevision {
            revision,
            at: updated.map(str::to_owned),
            by: by.map(|SessionRef { agent, id }| (agent.to_owned(), id.to_owned())),
        });
        let set = match self.newest.take() {
            Some((before, set)) => members(&before, set, document, at),
            None => new_members(document, at),
        };
        self.newest = Some((document.clone(), set));
    }

    /// Every field of the newest document. `unread` are the revisions that cannot be read.
    fn fields(&self, unread: &[u64]) -> Vec<BlameField> {
        let mut fields = Vec::new();
        if let Some((document, set)) = &self.newest {
            self.walk(&NodePath::Root, document, set, unread, &mut fields);
        }
        fields
    }

    fn walk(
        &self,
        at: &NodePath<'_>,
        object: &Object,
        set: &[(String, ValueOrigin)],
        unread: &[u64],
        fields: &mut Vec<BlameField>,
    ) {
        for ((key, value), (_, set)) in object.iter().zip(set) {
            let at = NodePath::Key(at, key);
            match (value, set) {
                _ if of_every_save(&at) => {}
                (Json::Object(inner), ValueOrigin::Members(set)) if !inner.is_empty() => {
                    self.walk(&at, inner, set, unread, fields);
                }
                (_, set) => fields.push(self.field(&at, value, first(set), unread)),
            }
        }
    }

    fn field(&self, at: &NodePath<'_>, value: &Json, set: usize, unread: &[u64]) -> BlameField {
        let field = BlameField {
            path: visible(at.pointer().as_str()).into_owned(),
            label: subject(at),
            value: shown(value),
            ..BlameField::default()
        };
        let by_whom = |revision: Option<u64>, seen: Option<&BlameRevision>| {
            let text = |text: &String| visible(text).into_owned();
            let by = seen.and_then(|seen| seen.by.as_ref());
            BlameField {
                revision,
                at: seen.and_then(|seen| seen.at.as_ref()).map(text),
                session: by.map(|(_, session)| text(session)),
                agent: by.map(|(agent, _)| text(agent)),
                ..field.clone()
            }
        };
        let Some(seen) = self.seen.get(set) else {
            return by_whom(None, None);
        };
        // The first one of a run has nothing before it.
        if set == 0 && seen.revision != 1 {
            return BlameField {
                before: Some(seen.revision),
                ..by_whom(None, None)
            };
        }
        // It may have been set in one that cannot be read.
        let previous = set.checked_sub(1).map_or(0, |at| self.seen[at].revision);
        let mut between = unread.iter().copied();
        let since = between
            .by_ref()
            .filter(|it| (previous..seen.revision).contains(it))
            .min();
        BlameField {
            since: Some(since),
            ..by_whom(Some(seen.revision), Some(seen))
        }
    }
}

/// Returns the times at which the members of a document were set, from those of the one before it.
fn members(
    before: &Object,
    set: Vec<(String, ValueOrigin)>,
    after: &Object,
    at: usize,
) -> Vec<(String, ValueOrigin)> {
    let mut set: Vec<Option<ValueOrigin>> = set.into_iter().map(|(_, set)| Some(set)).collect();
    let values = before.iter().map(|(_, value)| value);
    let places = before.iter().map(|(key, _)| key).zip(values.zip(0..));
    let places: str_map::StrMap<'_, (&Json, usize)> = places.collect();
    let member = |(key, value): (&str, &Json)| {
        let known = places
            .get(key)
            .and_then(|(old, at)| Some((*old, set[*at].take()?)));
        let set = match (known, value) {
            (Some((old, set)), new) if old == new => set,
            (Some((Json::Object(old), ValueOrigin::Members(set))), Json::Object(new)) => {
                ValueOrigin::Members(members(old, set, new, at))
            }
            (_, new) => new_set(new, at),
        };
        (key.to_owned(), set)
    };
    after.iter().map(member).collect()
}

fn new_members(object: &Object, at: usize) -> Vec<(String, ValueOrigin)> {
    let members = object.iter();
    members
        .map(|(key, value)| (key.to_owned(), new_set(value, at)))
        .collect()
}

fn new_set(value: &Json, at: usize) -> ValueOrigin {
    match value {
        Json::Object(object) if !object.is_empty() => ValueOrigin::Members(new_members(object, at)),
        _ => ValueOrigin::At(at),
    }
}

/// Returns the time at which a value without members was set.
fn first(set: &ValueOrigin) -> usize {
    match set {
        ValueOrigin::At(at) => *at,
        ValueOrigin::Members(members) => members.first().map_or(0, |(_, set)| first(set)),
    }
}

fn shown(value: &Json) -> String {
    let text = match value {
        Json::String(text) => text.clone(),
        other => other.to_line(),
    };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", visible_lines(&text[..end])),
        None => visible_lines(&text).into_owned(),
    }
}
