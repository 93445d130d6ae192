//! The arguments that operations on threads share.

use crate::checkpoint::thread::name;
use crate::checkpoint::thread::shared_text::SharedText;
use crate::checkpoint::thread::value::Typed;
use crate::error::Error;
use crate::json::Json;

/// A text that is a name, if it is there.
pub(super) fn optional_id(key: &str, id: Option<&str>) -> Result<Option<String>, Error> {
    id.map(|id| checked_id(key, id)).transpose()
}

/// A text that is a name.
pub(super) fn checked_id(key: &str, id: &str) -> Result<String, Error> {
    name::check(key, id)?;
    Ok(id.to_owned())
}

/// A text that may be empty.
pub(super) fn checked_namespace(namespace: &str) -> Result<String, Error> {
    name::check_namespace("namespace", namespace)?;
    Ok(namespace.to_owned())
}

/// Values as their serializer gave them: each with its text, or with the number of bytes that it has of a text
/// that stands apart, because it is read in one go there.
pub(super) struct SerializedValues {
    apart: Option<SharedText>,
}

impl SerializedValues {
    pub(super) fn new(apart: Option<SharedText>) -> Self {
        SerializedValues { apart }
    }

    /// One value.
    pub(super) fn typed(&mut self, key: &str, value: Option<&Json>) -> Result<Typed, Error> {
        let value = value.and_then(|it| self.read(it));
        value.ok_or_else(|| expected(key, "`[kind, text]` or `[kind, text, encoding]`"))
    }

    /// Names and values.
    pub(super) fn pairs(
        &mut self,
        key: &str,
        items: &[&Json],
    ) -> Result<Vec<(String, Typed)>, Error> {
        let mut pair = |item: &Json| {
            let [name, value] = item.as_array()? else {
                return None;
            };
            Some((name.as_str()?.to_owned(), self.read(value)?))
        };
        let pairs: Option<Vec<_>> = items.iter().map(|item| pair(item)).collect();
        pairs.ok_or_else(|| expected(key, "pairs of a channel and a value"))
    }

    fn read(&mut self, value: &Json) -> Option<Typed> {
        let Some(apart) = &self.apart else {
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
            text,
        })
    }

    /// Refuses a text of which something is left.
    pub(super) fn expect_end(&self) -> Result<(), Error> {
        match self.apart.as_deref().unwrap_or_default() {
            "" => Ok(()),
            _ => Err(expected("text", "as long as all values together")),
        }
    }
}

fn expected(key: &str, what: &str) -> Error {
    Error::usage(format!("Expected `{key}` to be {what}"))
}
