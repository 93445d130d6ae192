//! The form of documents: one definition, from which they are validated and published.

mod budget;
mod check;
mod definition;
mod fit;
#[cfg(not(target_family = "wasm"))]
mod plain;
mod problem;
mod publish;
mod shaped;
#[cfg(test)]
mod shaped_tests;

pub use budget::{BUDGET_FIELD, Budget, TOKEN_BUDGET};
pub use check::{MAX_PROBLEMS, check_name};
pub use definition::{
    Field, FileNamePart, Kind, MAX_INTEGER, Presence, Shape, optional, published, required,
};
#[cfg(not(target_family = "wasm"))]
pub use plain::{Nulls, plain_schema, plain_schema_of};
pub use problem::{Problem, ProblemCode};
pub use publish::{MemberNaming, interfaces, json_schema, type_text, typescript};
pub use shaped::{
    ArgumentMember, ArgumentMembers, Members, RawValue, Shaped, bare, count, in_place, joined,
};

pub(crate) use milepost_shape::{ArgumentMembers, Shaped};
