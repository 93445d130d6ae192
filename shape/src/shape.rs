//! The members of a struct, and the constant that has them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, Fields, Ident, Result, Type};

use crate::names::{Attributes, sentence};

/// A member of a struct.
pub(crate) struct StructMember {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// Its name in JSON.
    pub(crate) name: String,
    /// Its sentence.
    pub(crate) doc: String,
    pub(crate) attributes: Attributes,
}

/// The members of a struct, in order.
pub(crate) fn members(input: &DeriveInput) -> Result<Vec<StructMember>> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "expected a struct"));
    };
    let fields = match &data.fields {
        Fields::Named(fields) => &fields.named,
        Fields::Unit => return Ok(Vec::new()),
        Fields::Unnamed(fields) => {
            return Err(Error::new_spanned(fields, "expected members with names"));
        }
    };
    let mut members = Vec::new();
    for field in fields {
        // Only named fields are here.
        let Some(ident) = field.ident.clone() else {
            continue;
        };
        let attributes = Attributes::read(&field.attrs)?;
        let own = ident.to_string();
        let own = own.strip_prefix("r#").unwrap_or(&own).to_owned();
        let doc = sentence(&field.attrs);
        if doc.is_empty() && !attributes.is_flattened && !attributes.is_skipped {
            return Err(Error::new_spanned(
                &ident,
                "a member of a shape needs a sentence",
            ));
        }
        members.push(StructMember {
            name: attributes.name.clone().unwrap_or(own),
            ty: field.ty.clone(),
            ident,
            doc,
            attributes,
        });
    }
    Ok(members)
}

/// A part of the list of members: one of them, or the list of another shape.
pub(crate) enum Part {
    /// An expression of a `Field`.
    Member(TokenStream),
    /// An expression of a `Shape`.
    Flattened(TokenStream),
}

/// The expression of a `Field`.
pub(crate) fn field(member: &StructMember, kind: &TokenStream, presence: &TokenStream) -> Part {
    let StructMember { name, doc, .. } = member;
    Part::Member(quote! {
        crate::schema::Field {
            name: #name,
            kind: #kind,
            presence: #presence,
            doc: crate::schema::published(#doc),
        }
    })
}

/// The expression of the `Shape` of a type.
pub(crate) fn shape(
    ident: &Ident,
    attributes: &[Attribute],
    parts: Vec<Part>,
) -> Result<TokenStream> {
    let name = Attributes::read(attributes)?.name;
    let name = name.unwrap_or_else(|| ident.to_string());
    let doc = sentence(attributes);
    if doc.is_empty() {
        return Err(Error::new_spanned(ident, "a shape needs a sentence"));
    }
    let fields = fields(parts);
    Ok(quote! {
        crate::schema::Shape {
            name: #name,
            doc: crate::schema::published(#doc),
            fields: #fields,
        }
    })
}

fn fields(parts: Vec<Part>) -> TokenStream {
    let mut lists = Vec::new();
    let mut own = Vec::new();
    for part in parts {
        match part {
            Part::Member(field) => own.push(field),
            Part::Flattened(shape) => {
                if !own.is_empty() {
                    let own = std::mem::take(&mut own);
                    lists.push(quote!(&[#(#own),*]));
                }
                lists.push(quote!(#shape.fields));
            }
        }
    }
    if lists.is_empty() {
        return quote!(&[#(#own),*]);
    }
    if !own.is_empty() {
        lists.push(quote!(&[#(#own),*]));
    }
    let lists = quote!(&[#(#lists),*]);
    quote!(&crate::schema::joined::<{ crate::schema::count(#lists) }>(#lists))
}
