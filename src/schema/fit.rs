//! The check of a text against a definition, made on the way over it: the usual case, in which no
//! value is made but those of the definition's own fields.
//!
//! The answer that a text does not fit says no more than that. Reading the whole of it, and
//! [`Shape::problems`] of that, gives the problems, if there are any.

use super::check::check_plain;
use super::{Kind, Presence, Shape};
use crate::json::{Json, MemberKey, Skim};
use crate::str_map::StrSet;

/// Is handed each plain value of a field that was fine, in the order of the text: the items of a list with
/// the name of the list.
type Take<'a> = dyn FnMut(&'static str, Json) + 'a;

/// A set of fields by their places has so many bits.
const MOST_FIELDS: usize = 64;

impl Shape {
    /// Goes over a text that is as [`Json::to_line`] would write it, but for how strings are escaped and for
    /// keys that stand twice in what is no part of the definition, and that has no
    /// [`problems`](Shape::problems). `None` where it is another one, or may be.
    pub fn fit(&self, text: &str, take: &mut Take<'_>) -> Option<()> {
        let mut text = Skim::new(text);
        object(&mut text, self, take)?;
        text.end()
    }
}

fn object(text: &mut Skim<'_>, shape: &Shape, take: &mut Take<'_>) -> Option<()> {
    let mut found = 0_u64;
    let mut unknown = Vec::new();
    text.members(|text, key| {
        // It may be that of a field.
        let MemberKey::Plain(key) = key else {
            return None;
        };
        let mut fields = shape.fields.iter().take(MOST_FIELDS).enumerate();
        let Some((at, field)) = fields.find(|(_, field)| field.name == key) else {
            unknown.push(key);
            return text.pass();
        };
        if found >> at & 1 == 1 {
            return None;
        }
        found |= 1 << at;
        value(text, &field.kind, field.name, take)
    })?;
    let mut fields = shape.fields.iter().enumerate();
    let is_complete = fields.all(|(at, field)| {
        let is_found = at < MOST_FIELDS && found >> at & 1 == 1;
        is_found || field.presence != Presence::Required
    });
    let count = unknown.len();
    let differ = count < 2 || unknown.into_iter().collect::<StrSet<'_>>().len() == count;
    (is_complete && differ).then_some(())
}

fn value(text: &mut Skim<'_>, kind: &Kind, name: &'static str, take: &mut Take<'_>) -> Option<()> {
    let (bare, next) = match (kind, text.peek()?) {
        (Kind::Nullable(_), b'n') => return text.pass(),
        (Kind::Nullable(inner), next) => (*inner, next),
        (other, next) => (other, next),
    };
    match (bare, next) {
        (Kind::Object(shape), _) => object(text, shape, take),
        (Kind::List(inner), b'[') => text.items(|text| value(text, inner, name, take)),
        (Kind::Any, _) | (Kind::Record, b'{') => text.pass(),
        _ => {
            let plain = text.leaf()?;
            check_plain(kind, bare, &plain).ok()?;
            take(name, plain);
            Some(())
        }
    }
}

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
