//! A value of which nothing is known but that a page shows it.

use crate::json::{Json, Object};
use crate::text::visible;

/// The value with every text of it made visible: a failure, a warning or what a source says of itself may quote what a
/// file holds.
pub(super) fn shown(value: Json) -> Json {
    match value {
        Json::String(text) => visible(&text).into_owned().into(),
        Json::Array(items) => Json::Array(items.into_iter().map(shown).collect()),
        Json::Object(object) => {
            let members = object.into_iter();
            let members: Object = members.map(|(key, value)| (key, shown(value))).collect();
            members.into()
        }
        other => other,
    }
}
