//! The arguments that operations on threads share.

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
/// The values to write.
pub(super) const VALUES: Field = required(
    "values",
    Kind::List(&Kind::Any),
    "Pairs of a channel and a value, which is `[kind, text]` or `[kind, text, encoding]`.",
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

/// Values as their serializer gave them: each with its text, or with the number of bytes that it has of a text
/// that stands apart, because it is read in one go there.
pub(super) struct SerializedValues<'a> {
    apart: Option<&'a str>,
}

impl<'a> SerializedValues<'a> {
    pub(super) fn new(apart: Option<&'a str>) -> Self {
        SerializedValues { apart }
    }

    /// One value.
    pub(super) fn typed(&mut self, arguments: &Arguments, key: &str) -> Result<Typed, Error> {
        let value = arguments.0.get(key).and_then(|it| self.read(it));
        value.ok_or_else(|| expected(key, "`[kind, text]` or `[kind, text, encoding]`"))
    }

    /// Names and values.
    pub(super) fn pairs(
        &mut self,
        arguments: &Arguments,
        key: &str,
    ) -> Result<Vec<(String, Typed)>, Error> {
        let items = arguments.0.get(key).and_then(Json::as_array);
        let mut pair = |item: &Json| {
            let [name, value] = item.as_array()? else {
                return None;
            };
            Some((name.as_str()?.to_owned(), self.read(value)?))
        };
        let pairs: Option<Vec<_>> = items.unwrap_or_default().iter().map(&mut pair).collect();
        pairs.ok_or_else(|| expected(key, "pairs of a channel and a value"))
    }

    fn read(&mut self, value: &Json) -> Option<Typed> {
        let Some(apart) = self.apart else {
            return Typed::read(value.clone());
        };
        let (kind, length, encoding) = match value.as_array()? {
            [kind, length] => (kind, length, None),
            [kind, length, encoding] => (kind, length, Some(encoding.as_str()?.to_owned())),
            _ => return None,
        };
        let length = usize::try_from(length.as_u64()?).ok()?;
        let (text, rest) = apart.split_at_checked(length)?;
        self.apart = Some(rest);
        Some(Typed {
            kind: kind.as_str()?.to_owned(),
            encoding,
            text: text.to_owned(),
        })
    }

    /// Refuses a text of which something is left.
    pub(super) fn expect_end(&self) -> Result<(), Error> {
        match self.apart.unwrap_or_default() {
            "" => Ok(()),
            _ => Err(expected("text", "as long as all values together")),
        }
    }
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
