//! Definitions as JSON Schema in the few words of it that every client of an agent's tools takes: no list of
//! types, no `const`, nothing about members that are not named. Anything left out here is checked all the same.

use super::{Kind, Presence, Shape};
use crate::json::Object;

/// The treatment of `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    /// The member is left out instead.
    LeftOut,
    /// It stands where there is no value.
    Written,
}

/// An object with known fields.
pub fn plain_schema_of(shape: &Shape, nulls: Nulls) -> Object {
    let required = shape
        .fields
        .iter()
        .filter(|field| field.presence == Presence::Required)
        .map(|field| field.name);
    let required: Vec<&str> = required.collect();
    let properties = shape.fields.iter().map(|field| {
        let schema = plain_schema(&field.kind, nulls);
        (field.name, schema.with("description", field.doc))
    });
    let schema = Object::new()
        .with("type", "object")
        .with("properties", properties.collect::<Object>());
    match required.is_empty() {
        true => schema,
        false => schema.with("required", required),
    }
}

/// A value of this kind.
pub fn plain_schema(kind: &Kind, nulls: Nulls) -> Object {
    let of_type = |name: &str| Object::new().with("type", name);
    match kind {
        Kind::Any => Object::new(),
        Kind::Record | Kind::Map(_) | Kind::Either(_) => of_type("object"),
        Kind::String | Kind::Time | Kind::Summary | Kind::Part(_) | Kind::Name => of_type("string"),
        Kind::Boolean => of_type("boolean"),
        Kind::Integer | Kind::Constant(_) => of_type("integer"),
        Kind::Number => of_type("number"),
        Kind::Enum(allowed) => of_type("string").with("enum", allowed.to_vec()),
        Kind::Nullable(inner) => {
            let inner = plain_schema(inner, nulls);
            match nulls {
                Nulls::LeftOut => inner,
                Nulls::Written => Object::new().with("anyOf", vec![inner, of_type("null")]),
            }
        }
        Kind::List(inner) | Kind::Pair(inner) => {
            of_type("array").with("items", plain_schema(inner, nulls))
        }
        Kind::Object(shape) => plain_schema_of(shape, nulls),
    }
}
