//! Publishes a definition as JSON Schema and as TypeScript.

use super::check::MAX_NAME;
use super::{Field, Kind, MAX_INTEGER, Presence, Shape};
use crate::file_name;
use crate::json::{Json, Object};
use crate::tokens::{MAX_SUMMARY_BYTES, MAX_SUMMARY_TOKENS};

/// The widest line of TypeScript before a union is broken into lines.
const WIDTH: usize = 80;

/// The definition as JSON Schema, draft 2020-12, with this `$id`.
///
/// One rule has no word in JSON Schema and stands in descriptions only: a summary is counted in bytes
/// where `maxLength` counts characters.
pub fn json_schema(shape: &Shape, id: &str) -> Json {
    let mut schema = Object::new();
    schema.set("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.set("$id", id);
    for (key, value) in object_schema(shape) {
        schema.set(&key, value);
    }
    schema.into()
}

fn object_schema(shape: &Shape) -> Object {
    let required = shape
        .fields
        .iter()
        .filter(|field| field.presence == Presence::Required)
        .map(|field| field.name);
    let properties = shape.fields.iter().map(|field| {
        let mut schema = kind_schema(&field.kind);
        schema.set("description", field.doc);
        (field.name, schema)
    });
    let mut schema = Object::new();
    schema.set("title", shape.name);
    schema.set("description", shape.doc);
    schema.set("type", "object");
    schema.set("required", required.collect::<Vec<_>>());
    schema.set("properties", properties.collect::<Object>());
    schema
}

fn kind_schema(kind: &Kind) -> Object {
    let mut schema = Object::new();
    match kind {
        Kind::Any => {}
        Kind::Record => schema.set("type", "object"),
        Kind::String => schema.set("type", "string"),
        Kind::Time => {
            schema.set("type", "string");
            schema.set("format", "date-time");
        }
        Kind::Summary => {
            schema.set("type", "string");
            schema.set("maxLength", MAX_SUMMARY_BYTES as u64);
            // A word is a run of what `\s` is not.
            let pattern = format!(r"^\s*(?:\S+(?:\s+|$)){{0,{MAX_SUMMARY_TOKENS}}}$");
            schema.set("pattern", pattern);
        }
        Kind::Part(part) => {
            schema.set("type", "string");
            schema.set("pattern", file_name::pattern(part.longest, part.except.0));
        }
        Kind::Name => {
            schema.set("type", "string");
            set_name_rules(&mut schema);
        }
        Kind::Boolean => schema.set("type", "boolean"),
        Kind::Integer => {
            schema.set("type", "integer");
            schema.set("minimum", 0);
            schema.set("maximum", MAX_INTEGER);
        }
        Kind::Number => schema.set("type", "number"),
        Kind::Constant(number) => schema.set("const", *number),
        Kind::Enum(allowed) => schema.set("enum", allowed.to_vec()),
        Kind::Nullable(inner) => {
            let null = Object::from_iter([("type", "null")]);
            schema.set("anyOf", vec![kind_schema(inner), null]);
        }
        Kind::List(inner) | Kind::Pair(inner) => {
            schema.set("type", "array");
            schema.set("items", kind_schema(inner));
        }
        Kind::Object(shape) => schema = object_schema(shape),
        Kind::Either(shapes) => {
            let schemas = shapes.iter().map(|shape| object_schema(shape));
            schema.set("anyOf", schemas.collect::<Vec<_>>());
        }
        Kind::Map(shape) => {
            let mut names = Object::new();
            set_name_rules(&mut names);
            schema.set("type", "object");
            schema.set("propertyNames", names);
            schema.set("additionalProperties", object_schema(shape));
        }
    }
    schema
}

/// Writes the rules that [`check_name`](super::check_name) checks.
fn set_name_rules(schema: &mut Object) {
    schema.set("minLength", 1);
    schema.set("maxLength", MAX_NAME as u64);
    schema.set("pattern", r"^[^\u0000-\u001F\u007F-\u009F]*$");
}

/// The form of member names in TypeScript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberNaming {
    /// As they are stored.
    AsIs,
    /// As JavaScript calls them: `updatedAt`.
    Camel,
}

impl MemberNaming {
    /// Returns the name of a member.
    pub fn name(self, name: &str) -> String {
        match self {
            MemberNaming::AsIs => name.to_owned(),
            MemberNaming::Camel => {
                let mut parts = name.split('_');
                let first = parts.next().unwrap_or_default().to_owned();
                parts.fold(first, |name, part| {
                    let (start, rest) = part.split_at(1.min(part.len()));
                    name + &start.to_ascii_uppercase() + rest
                })
            }
        }
    }
}

/// The definition as TypeScript interfaces, the outer one first.
pub fn typescript(shape: &'static Shape) -> String {
    interfaces(&[shape], MemberNaming::AsIs)
}

/// Definitions as TypeScript interfaces, with those that they mention, each once.
pub fn interfaces(outer: &[&'static Shape], naming: MemberNaming) -> String {
    let mut shapes: Vec<&'static Shape> = Vec::new();
    for shape in outer {
        if !shapes.iter().any(|known| known.name == shape.name) {
            shapes.push(shape);
        }
    }
    let mut next = 0;
    while let Some(shape) = shapes.get(next) {
        for inner in shape.fields.iter().flat_map(|field| field.kind.shapes()) {
            if !shapes.iter().any(|known| known.name == inner.name) {
                shapes.push(inner);
            }
        }
        next += 1;
    }
    let interfaces: Vec<_> = shapes
        .into_iter()
        .map(|shape| interface(shape, naming))
        .collect();
    interfaces.join("\n")
}

impl Kind {
    /// The shapes of an object, or of those in a list or map.
    pub fn shapes(&self) -> Vec<&'static Shape> {
        match self {
            Kind::Nullable(inner) | Kind::List(inner) | Kind::Pair(inner) => inner.shapes(),
            Kind::Either(shapes) => shapes.to_vec(),
            kind => kind.shape().into_iter().collect(),
        }
    }

    /// The shape of an object, or of those in a list or map.
    pub fn shape(&self) -> Option<&'static Shape> {
        match self {
            Kind::Object(shape) | Kind::Map(shape) => Some(shape),
            Kind::Nullable(inner) | Kind::List(inner) => inner.shape(),
            _ => None,
        }
    }
}

fn interface(shape: &Shape, naming: MemberNaming) -> String {
    let members: String = shape
        .fields
        .iter()
        .map(|field| member(field, naming))
        .collect();
    format!(
        "/** {} */\nexport interface {} {{\n{members}}}\n",
        shape.doc, shape.name
    )
}

fn member(field: &Field, naming: MemberNaming) -> String {
    let mark = match field.presence {
        Presence::Required => "",
        Presence::Optional | Presence::Additive => "?",
    };
    let key = format!("  {}{mark}:", naming.name(field.name));
    let kind = type_text(&field.kind);
    let line = format!("{key} {kind};");
    let declaration = if line.len() <= WIDTH {
        line
    } else {
        format!("{key}\n    | {};", kind.replace(" | ", "\n    | "))
    };
    format!("  /** {} */\n{declaration}\n", field.doc)
}

/// A kind as TypeScript.
pub fn type_text(kind: &Kind) -> String {
    match kind {
        Kind::String | Kind::Time | Kind::Summary | Kind::Name | Kind::Part(_) => {
            "string".to_owned()
        }
        Kind::Boolean => "boolean".to_owned(),
        Kind::Integer => "number".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Constant(number) => number.to_string(),
        Kind::Enum(allowed) => format!("\"{}\"", allowed.join("\" | \"")),
        Kind::Nullable(Kind::Either([])) => "null".to_owned(),
        Kind::Nullable(inner) => format!("{} | null", type_text(inner)),
        Kind::Pair(inner) => format!("[{0}, {0}]", type_text(inner)),
        Kind::List(inner) => match type_text(inner) {
            union if union.contains(" | ") => format!("({union})[]"),
            single => format!("{single}[]"),
        },
        Kind::Object(shape) => shape.name.to_owned(),
        Kind::Either(shapes) => {
            let names: Vec<&str> = shapes.iter().map(|shape| shape.name).collect();
            names.join(" | ")
        }
        Kind::Record => "{ [field: string]: unknown }".to_owned(),
        Kind::Any => "unknown".to_owned(),
        Kind::Map(shape) => format!("{{ [name: string]: {} }}", shape.name),
    }
}
