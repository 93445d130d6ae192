//! What the arguments of operations on threads have in common.

use crate::checkpoint::thread::name;
use crate::checkpoint::thread::value::Typed;
use crate::error::Error;
use crate::json::Json;
use crate::operation::row::{Arguments, optional, required};
use crate::schema::{Field, Kind};

/// The thread.
pub(super) const THREAD: Field = required("thread_id", Kind::String, "The thread, free text.");
/// The namespace, where there is always one.
pub(super) const NAMESPACE: Field = required(
    "namespace",
    Kind::String,
    "The namespace: empty, or that of a subgraph.",
);
/// The checkpoint, where another one is meant without.
pub(super) const ID: Field = optional(
    "id",
    &Kind::String,
    "The checkpoint; the latest of the namespace without.",
);
/// The shape of a checkpoint, in answers.
pub(super) const TUPLE: &str = "`namespace`, `id`, `parent`; `checkpoint` and `metadata` as they were put; \
     `values`, pairs of a channel and its value; and `writes`, each a task, a channel and a value, in the order \
     in which a superstep applies them.";

/// A text that is a name, if it is there.
pub(super) fn optional_id(arguments: &Arguments, key: &str) -> Result<Option<String>, Error> {
    let id = arguments.optional_text(key);
    id.map(|id| checked(key, id)).transpose()
}

/// A text that is a name.
pub(super) fn id(arguments: &Arguments, key: &str) -> Result<String, Error> {
    checked(key, arguments.text(key))
}

fn checked(key: &str, id: &str) -> Result<String, Error> {
    name::check(key, id)?;
    Ok(id.to_owned())
}

/// A text that may be empty.
pub(super) fn namespace(arguments: &Arguments) -> Result<String, Error> {
    let namespace = arguments.text("namespace");
    name::check_namespace("namespace", namespace)?;
    Ok(namespace.to_owned())
}

/// A value as its serializer gave it.
pub(super) fn typed(arguments: &Arguments, key: &str) -> Result<Typed, Error> {
    let value = arguments.0.get(key).cloned().and_then(Typed::read);
    value.ok_or_else(|| expected(key, "`[kind, text]` or `[kind, text, encoding]`"))
}

/// Names and values.
pub(super) fn pairs(arguments: &Arguments, key: &str) -> Result<Vec<(String, Typed)>, Error> {
    let pair = |item: &Json| {
        let [name, value] = item.as_array()? else {
            return None;
        };
        Some((name.as_str()?.to_owned(), Typed::read(value.clone())?))
    };
    let items = arguments.0.get(key).and_then(Json::as_array);
    let pairs = items.unwrap_or_default().iter().map(pair);
    let pairs: Option<Vec<_>> = pairs.collect();
    pairs.ok_or_else(|| expected(key, "pairs of a channel and a value"))
}

/// Texts.
pub(super) fn texts(arguments: &Arguments, key: &str) -> Vec<String> {
    let items = arguments.0.get(key).and_then(Json::as_array);
    let texts = items.unwrap_or_default().iter().filter_map(Json::as_str);
    texts.map(str::to_owned).collect()
}

fn expected(key: &str, what: &str) -> Error {
    Error::usage(format!("Expected `{key}` to be {what}"))
}
