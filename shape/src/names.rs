//! The name and the sentence of a type or a member, and its attributes.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Path, Result, Type};

/// The attributes of a type, a member or a variant.
#[derive(Default)]
pub(crate) struct Attributes {
    pub(crate) name: Option<String>,
    pub(crate) kind: Option<TokenStream>,
    pub(crate) with: Option<Path>,
    pub(crate) into: Option<Path>,
    pub(crate) is_optional: bool,
    pub(crate) is_left_out: bool,
    pub(crate) is_flattened: bool,
    pub(crate) is_skipped: bool,
}

impl Attributes {
    /// Reads `#[shape(…)]`.
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut found = Attributes::default();
        for attribute in attributes {
            if !attribute.path().is_ident("shape") {
                continue;
            }
            attribute.parse_nested_meta(|meta| {
                let is = |name| meta.path.is_ident(name);
                if is("name") {
                    found.name = Some(meta.value()?.parse::<LitStr>()?.value());
                } else if is("kind") {
                    let kind: TokenStream = until_comma(meta.value()?)?;
                    found.kind = Some(kind);
                } else if is("with") {
                    found.with = Some(meta.value()?.parse()?);
                } else if is("into") {
                    found.into = Some(meta.value()?.parse()?);
                } else if is("optional") {
                    found.is_optional = true;
                } else if is("left_out") {
                    found.is_left_out = true;
                } else if is("flatten") {
                    found.is_flattened = true;
                } else if is("skip") {
                    found.is_skipped = true;
                } else {
                    return Err(meta.error("no attribute of a shape"));
                }
                Ok(())
            })?;
        }
        Ok(found)
    }
}

/// The tokens of an expression: syn reads those of calls and paths only with its largest feature.
fn until_comma(input: syn::parse::ParseStream<'_>) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(syn::Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    match tokens.is_empty() {
        true => Err(input.error("expected a kind")),
        false => Ok(tokens),
    }
}

/// The first paragraph of a doc comment, as one line.
pub(crate) fn sentence(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) if pair.path.is_ident("doc") => Some(text.value()),
            _ => None,
        }
    });
    let lines: Vec<String> = lines.map(|line| line.trim().to_owned()).collect();
    let paragraph: Vec<&str> = lines
        .iter()
        .map(String::as_str)
        .take_while(|line| !line.is_empty())
        .collect();
    paragraph.join(" ")
}

/// `SetMode` as `set_mode`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

/// A type as a constant may name it: with `'static` in place of its lifetimes.
pub(crate) fn as_static(ty: &Type) -> TokenStream {
    replaced(quote!(#ty))
}

fn replaced(tokens: TokenStream) -> TokenStream {
    let mut is_behind_quote = false;
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let inner = replaced(group.stream());
            TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))
        }
        TokenTree::Ident(ident) if is_behind_quote => {
            is_behind_quote = false;
            TokenTree::Ident(proc_macro2::Ident::new("static", ident.span()))
        }
        token => {
            is_behind_quote = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
            token
        }
    });
    tokens.collect()
}

/// Returns whether a type is this one of the standard library, by its last name.
pub(crate) fn is_type(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Attributes, as_static, sentence, snake_case};
    use syn::{Field, parse_quote};

    #[test]
    fn a_sentence_is_the_first_paragraph_of_a_comment() {
        let field: Field = parse_quote! {
            /// The older one; without it,
            /// the nearest "one".
            ///
            /// Not a part of it.
            pub from: u64
        };
        assert_eq!(
            sentence(&field.attrs),
            "The older one; without it, the nearest \"one\"."
        );
    }

    #[test]
    fn a_variant_is_named_in_snake_case() {
        assert_eq!(snake_case("SetMode"), "set_mode");
        assert_eq!(snake_case("Write"), "write");
    }

    #[test]
    fn a_constant_names_a_type_without_its_lifetimes() {
        let ty = parse_quote!(Option<Vec<&'a Line<'b>>>);
        assert_eq!(
            as_static(&ty).to_string(),
            "Option < Vec < & 'static Line < 'static > > >"
        );
    }

    #[test]
    fn attributes_stand_in_any_order() {
        let field: Field = parse_quote! {
            #[shape(left_out, kind = Kind::List(&Kind::Any), name = "b")]
            a: u64
        };
        let found = Attributes::read(&field.attrs).unwrap();
        assert_eq!(found.name.as_deref(), Some("b"));
        assert_eq!(
            found.kind.unwrap().to_string(),
            "Kind :: List (& Kind :: Any)"
        );
        assert!(found.is_left_out && !found.is_skipped);
    }

    #[test]
    fn an_attribute_that_does_not_exist_is_refused() {
        let field: Field = parse_quote!(#[shape(optinal)] a: u64);
        assert!(Attributes::read(&field.attrs).is_err());
    }
}
