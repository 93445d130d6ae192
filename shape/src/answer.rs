//! `derive(Shaped)`: the shape of an answer, and its conversion.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Result, Type};

use crate::names::{Attributes, as_static, is_type, snake_case};
use crate::shape::{Part, StructMember, field, members, shape};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    match &input.data {
        Data::Enum(data) => of_enum(input, data),
        _ => of_struct(input),
    }
}

fn of_struct(input: &DeriveInput) -> Result<TokenStream> {
    let members = members(input)?;
    let members: Vec<&StructMember> = members
        .iter()
        .filter(|member| !member.attributes.is_skipped)
        .collect();
    let parts = members.iter().map(|member| part(member));
    let parts = parts.collect::<Result<Vec<Part>>>()?;
    let shape = shape(&input.ident, &input.attrs, parts)?;
    let steps = members.iter().map(|member| step(member));
    let steps = steps.collect::<Result<Vec<TokenStream>>>()?;
    let ident = &input.ident;
    let (generics, of_type, bounds) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #generics crate::schema::Shaped for #ident #of_type #bounds {
            const KIND: crate::schema::Kind =
                crate::schema::Kind::Object(&<Self as crate::schema::Members>::SHAPE);
        }

        #[automatically_derived]
        impl #generics crate::schema::Members for #ident #of_type #bounds {
            const SHAPE: crate::schema::Shape = #shape;

            fn add_to(self, answer: crate::json::Object) -> crate::json::Object {
                #(#steps)*
                answer
            }
        }

        #[automatically_derived]
        impl #generics ::core::convert::From<#ident #of_type> for crate::json::Json #bounds {
            fn from(answer: #ident #of_type) -> Self {
                let object = crate::json::Object::new();
                crate::json::Json::Object(crate::schema::Members::add_to(answer, object))
            }
        }
    })
}

/// The member in the shape.
fn part(member: &StructMember) -> Result<Part> {
    let ty = as_static(&member.ty);
    let attributes = &member.attributes;
    if attributes.is_optional {
        let message = "only an argument is optional; a member that may not be there is `left_out`";
        return Err(Error::new_spanned(&member.ident, message));
    }
    if attributes.is_flattened {
        let ty = attributes.into.as_ref().map_or(ty, |into| quote!(#into));
        return Ok(Part::Flattened(
            quote!(<#ty as crate::schema::Members>::SHAPE),
        ));
    }
    let kind = match (&attributes.kind, &attributes.into) {
        (Some(kind), _) => quote!(#kind),
        (None, Some(into)) => {
            let kind = quote!(<#into as crate::schema::Shaped>::KIND);
            match Many::of(member) {
                Many::One => kind,
                Many::Maybe => quote!(crate::schema::Kind::Nullable(&#kind)),
                Many::All => quote!(crate::schema::Kind::List(&#kind)),
            }
        }
        (None, None) => quote!(<#ty as crate::schema::Shaped>::KIND),
    };
    if !attributes.is_left_out {
        return Ok(field(
            member,
            &kind,
            &quote!(crate::schema::Presence::Required),
        ));
    }
    // A kind of its own is the whole one.
    let kind = match attributes.kind.is_some() || is_type(&member.ty, "Option") {
        true => kind,
        false => quote!(crate::schema::Kind::Nullable(&#kind)),
    };
    Ok(field(
        member,
        &kind,
        &quote!(crate::schema::Presence::Optional),
    ))
}

/// The values of a member that are converted one by one.
enum Many {
    One,
    Maybe,
    All,
}

impl Many {
    fn of(member: &StructMember) -> Self {
        if is_type(&member.ty, "Option") {
            Many::Maybe
        } else if is_type(&member.ty, "Vec") {
            Many::All
        } else {
            Many::One
        }
    }
}

/// The statement that adds the member to an answer.
fn step(member: &StructMember) -> Result<TokenStream> {
    let StructMember {
        ident,
        name,
        attributes,
        ..
    } = member;
    if attributes.is_flattened {
        let value = match &attributes.into {
            Some(into) => quote!(<#into>::from(self.#ident)),
            None => quote!(self.#ident),
        };
        return Ok(quote!(let answer = crate::schema::Members::add_to(#value, answer);));
    }
    let is_unwrapped = attributes.is_left_out && is_type(&member.ty, "Option");
    let value = |value: TokenStream| match (&attributes.with, &attributes.into) {
        (Some(with), _) => quote!(#with(#value)),
        (None, None) => value,
        (None, Some(into)) => match Many::of(member) {
            Many::Maybe if !is_unwrapped => quote!(#value.map(<#into>::from)),
            Many::One | Many::Maybe => quote!(<#into>::from(#value)),
            Many::All => quote! {
                #value.into_iter().map(<#into>::from).collect::<::std::vec::Vec<#into>>()
            },
        },
    };
    if !attributes.is_left_out {
        let value = value(quote!(self.#ident));
        return Ok(quote!(let answer = answer.with(#name, #value);));
    }
    if is_unwrapped {
        let value = value(quote!(value));
        return Ok(quote! {
            let answer = match self.#ident {
                Some(value) => answer.with(#name, #value),
                None => answer,
            };
        });
    }
    let is_there = if is_type(&member.ty, "bool") {
        quote!(self.#ident)
    } else if is_type(&member.ty, "Vec") {
        quote!(!self.#ident.is_empty())
    } else {
        let message = "only an `Option`, a `Vec` or a `bool` can be left out";
        return Err(Error::new_spanned(ident, message));
    };
    let value = value(quote!(self.#ident));
    Ok(quote! {
        let answer = match #is_there {
            true => answer.with(#name, #value),
            false => answer,
        };
    })
}

fn of_enum(input: &DeriveInput, data: &DataEnum) -> Result<TokenStream> {
    if let Some(shapes) = union(data) {
        return Ok(of_union(input, data, &shapes));
    }
    let mut variants = Vec::new();
    let mut names = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            let message = "a variant with fields has no name alone";
            return Err(Error::new_spanned(variant, message));
        }
        let own = snake_case(&variant.ident.to_string());
        names.push(Attributes::read(&variant.attrs)?.name.unwrap_or(own));
        variants.push(&variant.ident);
    }
    let ident = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl #ident {
            /// The name of each, in order.
            pub const NAMES: &'static [&'static str] = &[#(#names),*];

            /// Its name in documents and answers.
            pub const fn as_str(self) -> &'static str {
                match self {
                    #(#ident::#variants => #names,)*
                }
            }
        }

        #[automatically_derived]
        impl crate::schema::Shaped for #ident {
            const KIND: crate::schema::Kind = crate::schema::Kind::Enum(#ident::NAMES);
        }

        #[automatically_derived]
        impl ::core::convert::From<#ident> for crate::json::Json {
            fn from(value: #ident) -> Self {
                crate::json::Json::from(value.as_str())
            }
        }
    })
}

/// The types of an enum each of whose variants has one shape.
fn union(data: &DataEnum) -> Option<Vec<&Type>> {
    let shapes = data.variants.iter().map(|variant| match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Some(&fields.unnamed[0].ty),
        _ => None,
    });
    shapes.collect()
}

fn of_union(input: &DeriveInput, data: &DataEnum, shapes: &[&Type]) -> TokenStream {
    let ident = &input.ident;
    let shapes = shapes.iter().map(|ty| as_static(ty));
    let variants = data.variants.iter().map(|variant| &variant.ident);
    quote! {
        #[automatically_derived]
        impl crate::schema::Shaped for #ident {
            const KIND: crate::schema::Kind =
                crate::schema::Kind::Either(&[#(&<#shapes as crate::schema::Members>::SHAPE),*]);
        }

        #[automatically_derived]
        impl ::core::convert::From<#ident> for crate::json::Json {
            fn from(value: #ident) -> Self {
                match value {
                    #(#ident::#variants(value) => crate::json::Json::from(value),)*
                }
            }
        }
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

    fn refusal(input: DeriveInput) -> String {
        derive(&input).unwrap_err().to_string()
    }

    #[test]
    fn members_keep_their_order_in_shape_and_conversion() {
        let code = code(parse_quote! {
            /// The difference.
            #[shape(name = "Diff")]
            struct RunDiff {
                /// The later revision.
                to: u64,
                /// The earlier revision.
                #[shape(name = "since")]
                from: Option<u64>,
            }
        });
        let order = ["\"Diff\"", "\"to\"", "\"since\""];
        let places: Vec<usize> = order.iter().map(|it| code.find(it).unwrap()).collect();
        assert!(places.is_sorted(), "{code}");
        assert!(
            code.contains("answer . with (\"to\" , self . to)"),
            "{code}"
        );
        assert!(
            code.contains("answer . with (\"since\" , self . from)"),
            "{code}"
        );
        assert!(
            code.contains("published (\"The earlier revision.\")"),
            "{code}"
        );
    }

    #[test]
    fn a_member_that_is_left_out_is_optional() {
        let code = code(parse_quote! {
            /// A run.
            struct Run {
                /// Its branch.
                #[shape(left_out)]
                branch: Option<String>,
                /// True if it is gone.
                #[shape(left_out)]
                deleted: bool,
            }
        });
        assert!(!code.contains("Presence :: Required"), "{code}");
        assert!(
            code.contains("Kind :: Nullable (& < bool as Shaped > :: KIND)"),
            "{code}"
        );
        assert!(code.contains("match self . deleted { true =>"), "{code}");
    }

    #[test]
    fn a_member_that_is_skipped_is_nowhere() {
        let code = code(parse_quote! {
            /// A document.
            struct Loaded {
                /// Its text.
                text: String,
                #[shape(skip)]
                object: Object,
            }
        });
        assert!(!code.contains("object :"), "{code}");
        assert!(!code.contains("self . object"), "{code}");
    }

    #[test]
    fn members_of_another_shape_stand_where_they_are_flattened() {
        let code = code(parse_quote! {
            /// An answer.
            struct Answer {
                /// First.
                a: u64,
                #[shape(flatten)]
                point: ResumePoint,
                /// Last.
                z: u64,
            }
        });
        assert!(
            code.contains("< ResumePoint as Members > :: SHAPE . fields"),
            "{code}"
        );
        assert!(
            code.contains("Members :: add_to (self . point , answer)"),
            "{code}"
        );
    }

    #[test]
    fn items_are_converted_into_another_type_one_by_one() {
        let code = code(parse_quote! {
            /// An answer.
            struct Answer {
                /// Files.
                #[shape(into = Line)]
                files: Vec<(String, u64)>,
                /// A file.
                #[shape(into = Line)]
                file: Option<String>,
            }
        });
        assert!(
            code.contains("Kind :: List (& < Line as Shaped > :: KIND)"),
            "{code}"
        );
        assert!(
            code.contains("self . files . into_iter () . map (< Line > :: from)"),
            "{code}"
        );
        assert!(
            code.contains("self . file . map (< Line > :: from)"),
            "{code}"
        );
    }

    #[test]
    fn an_enum_has_its_variants_names() {
        let code = code(parse_quote! {
            enum Act {
                Write,
                #[shape(name = "mode")]
                SetMode,
            }
        });
        assert!(code.contains("& [\"write\" , \"mode\"]"), "{code}");
        assert!(code.contains("Act :: SetMode => \"mode\""), "{code}");
    }

    #[test]
    fn an_enum_of_shapes_is_one_of_them() {
        let code = code(parse_quote! {
            enum Line {
                Text(TextLine),
                Folded(FoldedLines),
            }
        });
        assert!(
            code.contains("& < TextLine as Members > :: SHAPE , & < FoldedLines as Members >"),
            "{code}"
        );
        assert!(code.contains("Line :: Folded (value) =>"), "{code}");
    }

    #[test]
    fn a_member_needs_a_sentence_and_a_way_to_be_left_out() {
        let without = refusal(parse_quote! {
            /// A run.
            struct Run { a: u64 }
        });
        assert!(without.contains("sentence"), "{without}");
        let number = refusal(parse_quote! {
            /// A run.
            struct Run {
                /// A number.
                #[shape(left_out)]
                a: u64,
            }
        });
        assert!(number.contains("left out"), "{number}");
        let variant = refusal(parse_quote!(
            enum Act {
                Write(u8),
                Delete,
            }
        ));
        assert!(variant.contains("fields"), "{variant}");
    }
}
