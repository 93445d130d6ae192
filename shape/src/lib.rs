//! Derives the shape of arguments and answers from the Rust type that has them.
//!
//! A struct is the one definition of a shape. Its members in their order, their types and their doc
//! comments are the row's constant, and so the JSON Schema and the TypeScript; the derive also
//! writes the conversion that was written by hand before: one call for each member, and nothing
//! generic.
//!
//! The code refers to `crate::schema` and `crate::json`, so that it serves the crate `milepost` alone.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod answer;
mod argument;
mod names;
mod shape;

use proc_macro::TokenStream;

/// Makes the shape of an answer, and its conversion into JSON.
///
/// On a struct: `Shaped`, `Members` and `From` for `Json`. On an enum without fields: `Shaped`, `as_str`,
/// and `From` for `Json`. On an enum each of whose variants has a struct: `Shaped`, as one of these, and
/// `From` for `Json`.
///
/// | attribute | on | meaning |
/// |---|---|---|
/// | `#[shape(name = "Diff")]` | type | its name in TypeScript; by default that of the type |
/// | `#[shape(name = "from")]` | member, variant | its name in JSON; by default that in Rust, of a variant in snake case |
/// | `#[shape(kind = EXPR)]` | member | its `Kind`, where its type has none or a wider one |
/// | `#[shape(with = PATH)]` | member | the function that converts it |
/// | `#[shape(into = TYPE)]` | member | it, or each of a `Vec` or an `Option`, is converted into this type first |
/// | `#[shape(left_out)]` | member | left out where it is `None`, empty or `false` |
/// | `#[shape(flatten)]` | member | its members stand here |
/// | `#[shape(skip)]` | member | no part of the answer |
#[proc_macro_derive(Shaped, attributes(shape))]
pub fn shaped(input: TokenStream) -> TokenStream {
    finish(syn::parse(input).and_then(|input| answer::derive(&input)))
}

/// Makes the shape of arguments, and reads them: `ArgumentMembers` and `ArgumentMember` on a struct.
///
/// Attributes are those of `Shaped`, without `with`, `into`, `left_out` and `skip`. A member whose
/// type is an `Option` or `bool` may be left out or `null`.
///
/// | attribute | on | meaning |
/// |---|---|---|
/// | `#[shape(optional)]` | member | may be left out or `null` and is then the default of its type |
#[proc_macro_derive(ArgumentMembers, attributes(shape))]
pub fn argument_members(input: TokenStream) -> TokenStream {
    finish(syn::parse(input).and_then(|input| argument::derive(&input)))
}

fn finish(code: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    code.unwrap_or_else(syn::Error::into_compile_error).into()
}
