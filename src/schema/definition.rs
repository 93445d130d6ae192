//! The language in which documents are defined.
//!
//! A definition is plain static data. The same data validates a document and is published:
//! `check` interprets it, `publish` writes it as JSON Schema, TypeScript and Markdown.

use crate::file_name;
use crate::json::{Json, Object};

/// The largest whole number that JavaScript reads exactly, 2^53 - 1.
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

/// An object with known fields. Other fields are allowed and kept.
#[derive(Debug)]
pub struct Shape {
    /// Its name in TypeScript.
    pub name: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// The known fields, in the order in which they are written.
    pub fields: &'static [Field],
}

/// A known field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: Kind,
    /// States whether it must be there.
    pub presence: Presence,
    /// One sentence, or part of one.
    pub doc: &'static str,
}

/// A field that must be there.
pub const fn required(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field {
        name,
        kind,
        presence: Presence::Required,
        doc: published(doc),
    }
}

/// A field that may be left out.
pub const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field {
        name,
        kind,
        presence: Presence::Optional,
        doc: published(doc),
    }
}

/// A sentence of a definition. It is left out of the wasm that publishes none, the library's, where
/// these are a sixth of all text.
pub const fn published(sentence: &'static str) -> &'static str {
    if cfg!(not(all_operations)) {
        ""
    } else {
        sentence
    }
}

/// States whether a field must be there, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It must be there.
    Required,
    /// It may be absent.
    Optional,
    /// It may be absent, belongs to the store, and is written behind everything else, unknown
    /// fields included.
    Additive,
}

/// The kinds of values.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any string.
    String,
    /// A string that is an RFC 3339 time.
    Time,
    /// A string within the limits of a stored context summary.
    Summary,
    /// A string that can name a phase, see [`check_name`](super::check_name).
    Name,
    /// A string that is a safe part of a file's name.
    Part(&'static FileNamePart),
    /// `true` or `false`.
    Boolean,
    /// A whole number from 0 to [`MAX_INTEGER`].
    Integer,
    /// Any number.
    Number,
    /// This number.
    Constant(u64),
    /// One of these strings.
    Enum(&'static [&'static str]),
    /// `null`, or the inner kind.
    Nullable(&'static Kind),
    /// A list of the inner kind.
    List(&'static Kind),
    /// A list of two of the inner kind. No request has it, and nothing is checked by it.
    Pair(&'static Kind),
    /// An object with known fields.
    Object(&'static Shape),
    /// An object from names to objects.
    Map(&'static Shape),
    /// An object with the fields of one of these. No request has it, and nothing is checked by it.
    Either(&'static [&'static Shape]),
    /// Any object.
    Record,
    /// Any value.
    Any,
}

/// A safe part of a file's name on every file system.
#[derive(Debug)]
pub struct FileNamePart {
    /// Its most bytes.
    pub longest: usize,
    /// The one that is not allowed, however it is written, and why.
    pub except: (&'static str, &'static str),
}

impl FileNamePart {
    /// Checks that a text is a name of this kind.
    ///
    /// # Errors
    ///
    /// The rule as a sentence.
    pub fn check(&self, text: &str) -> Result<(), String> {
        file_name::check(text, self.longest)?;
        let (except, why) = self.except;
        match text.eq_ignore_ascii_case(except) {
            true => Err(why.to_owned()),
            false => Ok(()),
        }
    }
}

impl Kind {
    /// `null` alone.
    pub const NULL: Kind = Kind::Nullable(&Kind::Either(&[]));
}

impl Shape {
    /// The known field with this key.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == key)
    }

    /// Brings an object into its written order, at all levels: known fields in the order of the
    /// definition, unknown ones after them in their own order, additive ones last.
    ///
    /// Values that are of another kind than the definition's stay as they are.
    pub fn arrange(&self, object: &mut Object) {
        object.arrange(|key| self.rank(key));
        for (key, value) in object.iter_mut() {
            if let Some(field) = self.field(key) {
                field.kind.arrange(value);
            }
        }
    }

    fn rank(&self, key: &str) -> usize {
        let unknown = self.fields.len();
        match self.fields.iter().position(|field| field.name == key) {
            Some(at) if self.fields[at].presence == Presence::Additive => unknown + 1 + at,
            Some(at) => at,
            None => unknown,
        }
    }
}

impl Kind {
    fn arrange(&self, value: &mut Json) {
        match (self, value) {
            (Kind::Nullable(inner), value) => inner.arrange(value),
            (Kind::List(inner), Json::Array(items)) => {
                for item in items {
                    inner.arrange(item);
                }
            }
            (Kind::Object(shape), Json::Object(object)) => shape.arrange(object),
            (Kind::Map(shape), Json::Object(object)) => {
                for (_, value) in object.iter_mut() {
                    if let Json::Object(object) = value {
                        shape.arrange(object);
                    }
                }
            }
            _ => {}
        }
    }
}
