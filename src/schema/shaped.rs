//! The shape of a Rust type, which `derive(Shaped)` and `derive(ArgumentMembers)` make from its definition.

use super::{Field, Kind, Presence, Shape};
use crate::json::{Json, Object, Pointer};

/// A type that an answer may have.
pub trait Shaped {
    /// Its kind in the table of operations.
    const KIND: Kind;
}

/// The members of an answer.
pub trait Members {
    /// Their shape.
    const SHAPE: Shape;

    /// Returns the answer with these members behind those that it has.
    fn add_to(self, answer: Object) -> Object;
}

/// The members of a request, or of an object in it. A request was checked by the shape, so that
/// reading does not fail.
pub trait ArgumentMembers<'a> {
    /// Their shape.
    const SHAPE: Shape;

    /// Reads them.
    fn read(object: &'a Object) -> Self;
}

/// The value of a member of a request.
pub trait ArgumentMember<'a> {
    /// Its kind in the table of operations.
    const KIND: Kind;
    /// States whether it must be there.
    const PRESENCE: Presence = Presence::Required;

    /// Reads it; the default of the type where it is absent or `null`.
    fn read(value: Option<&'a Json>) -> Self;
}

/// An answer without members, or arguments of an operation that takes none.
impl<'a> ArgumentMembers<'a> for () {
    const SHAPE: Shape = Shape {
        name: "NoArguments",
        doc: super::published("Nothing."),
        fields: &[],
    };

    fn read(_: &'a Object) -> Self {}
}

macro_rules! plain {
    ($($(#[$when:meta])? $type:ty: $kind:ident,)+) => {
        $($(#[$when])? impl Shaped for $type {
            const KIND: Kind = Kind::$kind;
        })+
    };
}

plain! {
    String: String,
    &str: String,
    bool: Boolean,
    u64: Integer,
    usize: Integer,
    Object: Record,
    Json: Any,
    Pointer: String,
}

impl<T: Shaped> Shaped for Option<T> {
    const KIND: Kind = Kind::Nullable(&T::KIND);
}

impl<T: Shaped> Shaped for Vec<T> {
    const KIND: Kind = Kind::List(&T::KIND);
}

/// The members of what may not be there: its shape, and none of them where it is not.
impl<T: Members> Members for Option<T> {
    const SHAPE: Shape = T::SHAPE;

    fn add_to(self, answer: Object) -> Object {
        match self {
            Some(members) => members.add_to(answer),
            None => answer,
        }
    }
}

impl<'a> ArgumentMember<'a> for &'a str {
    const KIND: Kind = Kind::String;

    fn read(value: Option<&'a Json>) -> Self {
        value.and_then(Json::as_str).unwrap_or_default()
    }
}

impl<'a> ArgumentMember<'a> for String {
    const KIND: Kind = Kind::String;

    fn read(value: Option<&'a Json>) -> Self {
        <&str>::read(value).to_owned()
    }
}

/// A flag, which is off where it is absent.
impl<'a> ArgumentMember<'a> for bool {
    const KIND: Kind = Kind::Nullable(&Kind::Boolean);
    const PRESENCE: Presence = Presence::Optional;

    fn read(value: Option<&'a Json>) -> Self {
        value == Some(&Json::Bool(true))
    }
}

impl<'a> ArgumentMember<'a> for u64 {
    const KIND: Kind = Kind::Integer;

    fn read(value: Option<&'a Json>) -> Self {
        value.and_then(Json::as_u64).unwrap_or_default()
    }
}

impl<'a> ArgumentMember<'a> for &'a Json {
    const KIND: Kind = Kind::Any;

    fn read(value: Option<&'a Json>) -> Self {
        value.unwrap_or(&Json::Null)
    }
}

impl<'a> ArgumentMember<'a> for &'a Object {
    const KIND: Kind = Kind::Record;

    fn read(value: Option<&'a Json>) -> Self {
        value.and_then(Json::as_object).unwrap_or(Object::empty())
    }
}

/// A value of any kind that may be absent; a rule judges it, `null` as well.
#[derive(Clone, Copy, Debug)]
pub struct RawValue<'a>(pub Option<&'a Json>);

impl<'a> ArgumentMember<'a> for RawValue<'a> {
    const KIND: Kind = Kind::Any;
    const PRESENCE: Presence = Presence::Optional;

    fn read(value: Option<&'a Json>) -> Self {
        RawValue(value)
    }
}

impl<'a, T: ArgumentMember<'a>> ArgumentMember<'a> for Vec<T> {
    const KIND: Kind = Kind::List(&T::KIND);

    fn read(value: Option<&'a Json>) -> Self {
        let items = value.and_then(Json::as_array).unwrap_or_default();
        items.iter().map(|item| T::read(Some(item))).collect()
    }
}

impl<'a, T: ArgumentMember<'a>> ArgumentMember<'a> for Option<T> {
    const KIND: Kind = Kind::Nullable(&bare(T::KIND));
    const PRESENCE: Presence = Presence::Optional;

    fn read(value: Option<&'a Json>) -> Self {
        match value {
            None | Some(Json::Null) => None,
            value => Some(T::read(value)),
        }
    }
}

/// A kind without its `null`.
pub const fn bare(kind: Kind) -> Kind {
    match kind {
        Kind::Nullable(inner) => *inner,
        kind => kind,
    }
}

/// A kind in the place of a wider one, of which it keeps the `null`.
pub const fn in_place(wider: Kind, kind: &'static Kind) -> Kind {
    match wider {
        Kind::Nullable(_) => Kind::Nullable(kind),
        _ => *kind,
    }
}

/// The number of fields in some lists.
pub const fn count(lists: &[&[Field]]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < lists.len() {
        count += lists[at].len();
        at += 1;
    }
    count
}

/// The fields of some lists as one, of so many as [`count`] says.
pub const fn joined<const COUNT: usize>(lists: &[&[Field]]) -> [Field; COUNT] {
    const NONE: Field = Field {
        name: "",
        kind: Kind::Any,
        presence: Presence::Required,
        doc: "",
    };
    let mut fields = [NONE; COUNT];
    let (mut filled, mut list) = (0, 0);
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            fields[filled] = lists[list][at];
            filled += 1;
            at += 1;
        }
        list += 1;
    }
    fields
}
