//! Members of payloads, which agents give different names.

use crate::json::Object;

/// The first of these members that is a text.
pub(super) fn text_of<'a>(object: &'a Object, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| object.get(key)?.as_str())
}

/// The first of these members that is an object.
pub(super) fn object_of<'a>(object: &'a Object, keys: &[&str]) -> Option<&'a Object> {
    keys.iter().find_map(|key| object.get(key)?.as_object())
}
