//! `derive(ArgumentMembers)`: the shape of arguments, and how they are read.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, GenericParam, Lifetime, Result};

use crate::names::as_static;
use crate::shape::{Part, StructMember, field, members, shape};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let members = members(input)?;
    let parts = members.iter().map(part).collect::<Result<Vec<Part>>>()?;
    let shape = shape(&input.ident, &input.attrs, parts)?;
    let reads = members.iter().map(read);
    let ident = &input.ident;
    let (_, of_type, bounds) = input.generics.split_for_impl();
    let lifetime = lifetime(input)?;
    Ok(quote! {
        #[automatically_derived]
        impl<#lifetime> crate::schema::ArgumentMembers<#lifetime> for #ident #of_type #bounds {
            const SHAPE: crate::schema::Shape = #shape;

            fn read(object: &#lifetime crate::json::Object) -> Self {
                let _ = object;
                Self { #(#reads),* }
            }
        }

        #[automatically_derived]
        impl<#lifetime> crate::schema::ArgumentMember<#lifetime> for #ident #of_type #bounds {
            const KIND: crate::schema::Kind = crate::schema::Kind::Object(
                &<Self as crate::schema::ArgumentMembers<#lifetime>>::SHAPE,
            );

            fn read(value: ::core::option::Option<&#lifetime crate::json::Json>) -> Self {
                let object = value.and_then(crate::json::Json::as_object);
                <Self as crate::schema::ArgumentMembers<#lifetime>>::read(
                    object.unwrap_or(crate::json::Object::empty()),
                )
            }
        }
    })
}

/// The lifetime of the request that is read.
fn lifetime(input: &DeriveInput) -> Result<Lifetime> {
    let mut params = input.generics.params.iter();
    match (params.next(), params.next()) {
        (None, _) => Ok(Lifetime::new("'a", input.ident.span())),
        (Some(GenericParam::Lifetime(param)), None) => Ok(param.lifetime.clone()),
        _ => Err(Error::new_spanned(
            &input.generics,
            "arguments have one lifetime at most: that of the request",
        )),
    }
}

fn part(member: &StructMember) -> Result<Part> {
    let ty = as_static(&member.ty);
    let attributes = &member.attributes;
    if attributes.with.is_some()
        || attributes.into.is_some()
        || attributes.is_left_out
        || attributes.is_skipped
    {
        let message = "this attribute is of answers alone";
        return Err(Error::new_spanned(&member.ident, message));
    }
    if attributes.is_flattened {
        return Ok(Part::Flattened(
            quote!(<#ty as crate::schema::ArgumentMembers<'static>>::SHAPE),
        ));
    }
    let of_type = quote!(<#ty as crate::schema::ArgumentMember<'static>>);
    // A kind that is given is that of the value; what may be null is said by the type.
    let (kind, presence) = match (&attributes.kind, attributes.is_optional) {
        (Some(kind), true) => (
            quote!(crate::schema::Kind::Nullable(&#kind)),
            quote!(crate::schema::Presence::Optional),
        ),
        (Some(kind), false) => (
            quote!(crate::schema::in_place(#of_type::KIND, &#kind)),
            quote!(#of_type::PRESENCE),
        ),
        (None, true) => (
            quote!(crate::schema::Kind::Nullable(&#of_type::KIND)),
            quote!(crate::schema::Presence::Optional),
        ),
        (None, false) => (quote!(#of_type::KIND), quote!(#of_type::PRESENCE)),
    };
    Ok(field(member, &kind, &presence))
}

fn read(member: &StructMember) -> TokenStream {
    let StructMember { ident, name, .. } = member;
    match member.attributes.is_flattened {
        true => quote!(#ident: crate::schema::ArgumentMembers::read(object)),
        false => quote!(#ident: crate::schema::ArgumentMember::read(object.get(#name))),
    }
}

#[cfg(test)]
mod tests {
    use super::derive;
    use syn::{DeriveInput, parse_quote};

    fn code(input: DeriveInput) -> String {
        let text = derive(&input).unwrap().to_string();
        text.replace("crate :: schema :: ", "")
    }

    #[test]
    fn members_are_read_by_their_names_in_json() {
        let code = code(parse_quote! {
            /// The run.
            struct DiffArguments<'r> {
                #[shape(flatten)]
                target: Target,
                /// The older one.
                #[shape(name = "since")]
                from: Option<&'r str>,
            }
        });
        assert!(
            code.contains("from : ArgumentMember :: read (object . get (\"since\"))"),
            "{code}"
        );
        assert!(
            code.contains("target : ArgumentMembers :: read (object)"),
            "{code}"
        );
        assert!(
            code.contains("impl < 'r > ArgumentMembers < 'r > for DiffArguments < 'r >"),
            "{code}"
        );
    }

    #[test]
    fn the_type_of_a_member_says_whether_it_may_be_left_out() {
        let code = code(parse_quote! {
            /// The run.
            struct Arguments<'a> {
                /// The older one.
                from: Option<&'a str>,
                /// Others.
                #[shape(optional)]
                others: Vec<&'a str>,
            }
        });
        let of_type = "< Option < & 'static str > as ArgumentMember < 'static >> :: PRESENCE";
        assert!(code.contains(of_type), "{code}");
        assert!(code.contains("presence : Presence :: Optional"), "{code}");
    }

    #[test]
    fn arguments_without_members_are_read_from_anything() {
        let code = code(parse_quote! {
            /// Nothing.
            struct NoArguments;
        });
        assert!(code.contains("fields : & []"), "{code}");
    }

    #[test]
    fn attributes_of_answers_are_refused() {
        let input: DeriveInput = parse_quote! {
            /// The run.
            struct Arguments {
                /// A flag.
                #[shape(left_out)]
                flag: bool,
            }
        };
        assert!(derive(&input).unwrap_err().to_string().contains("answers"));
    }
}
