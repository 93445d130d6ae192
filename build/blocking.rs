//! The blocking variant of a source that waits for its host.
//!
//! Code that requests effects is written once, with `async` and `await`. They are taken out of a copy, token
//! by token, and the rest of the text is left as it stands, so that lines and messages are those of the
//! source. In the copy, an effect is a plain call of `effect::blocking_io::Io`.

use std::ops::Range;

use proc_macro2::{Delimiter, LexError, TokenStream, TokenTree};

/// The modules that request effects. All others have one variant.
pub(crate) const MODULES: [&str; 7] = [
    "store",
    "root",
    "worktree",
    "restore",
    "operation",
    "doctor",
    "cli",
];

/// The path between the crate and a module in the blocking variant.
const BLOCKING: &str = "::blocking";

/// A source without `async` and `await`; `krate` is what it calls the crate of the modules.
///
/// # Errors
///
/// A source that is no Rust.
pub(crate) fn without_waiting(text: &str, krate: &str) -> Result<String, LexError> {
    let mut edits = Edits {
        krate,
        edits: Vec::new(),
    };
    edits.walk(text.parse()?);
    Ok(edits.apply(text))
}

/// The changes: byte ranges of the source, and the text that replaces each.
struct Edits<'a> {
    krate: &'a str,
    edits: Vec<(Range<usize>, &'static str)>,
}

impl Edits<'_> {
    fn walk(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if let Some(end) = dropped(&tokens[at..]) {
                let range = start(&tokens[at])..end_of(&tokens[at + end - 1]);
                self.edits.push((range, ""));
                at += end;
                continue;
            }
            at += self.edit(&tokens[at..]);
        }
    }

    /// Edits what begins here; returns how many tokens that took.
    fn edit(&mut self, tokens: &[TokenTree]) -> usize {
        let ident = |at: usize| match tokens.get(at) {
            Some(TokenTree::Ident(ident)) => ident.to_string(),
            _ => String::new(),
        };
        match (&tokens[0], ident(0).as_str()) {
            (_, "async") => {
                let has_move = ident(1) == "move";
                let body = 1 + usize::from(has_move);
                let is_block = matches!(tokens.get(body), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace);
                if !is_block {
                    self.remove(&tokens[0]);
                    return 1;
                }
                // A closure that is called: `return` and `?` leave it as they leave the block.
                self.edits.push((range(&tokens[0]), "("));
                let opening = start(&tokens[body]);
                self.edits.push((opening..opening, "|| "));
                let TokenTree::Group(group) = &tokens[body] else {
                    return body;
                };
                self.walk(group.stream());
                let end = end_of(&tokens[body]);
                self.edits.push((end..end, ")()"));
                body + 1
            }
            (TokenTree::Punct(dot), _) if dot.as_char() == '.' && ident(1) == "await" => {
                self.remove(&tokens[0]);
                self.remove(&tokens[1]);
                2
            }
            (_, "AsyncFn") => self.replace(&tokens[0], "Fn"),
            (_, "AsyncFnMut") => self.replace(&tokens[0], "FnMut"),
            (_, "AsyncFnOnce") => self.replace(&tokens[0], "FnOnce"),
            // Their lifetime is that of a future.
            (_, "Answer" | "Boxed")
                if is_punct(tokens.get(1), '<') && is_punct(tokens.get(2), '\'') =>
            {
                for token in &tokens[2..5] {
                    self.remove(token);
                }
                5
            }
            (_, name) if name == self.krate && is_punct(tokens.get(1), ':') => {
                let module = ident(3);
                if module == "effect" || MODULES.contains(&module.as_str()) {
                    let end = end_of(&tokens[0]);
                    self.edits.push((end..end, BLOCKING));
                }
                3
            }
            (TokenTree::Group(group), _) => {
                self.walk(group.stream());
                1
            }
            _ => 1,
        }
    }

    fn remove(&mut self, token: &TokenTree) {
        self.replace(token, "");
    }

    fn replace(&mut self, token: &TokenTree, with: &'static str) -> usize {
        self.edits.push((range(token), with));
        1
    }

    fn apply(mut self, text: &str) -> String {
        self.edits
            .sort_by_key(|(range, _)| (range.start, range.end));
        let mut edited = String::with_capacity(text.len());
        let mut at = 0;
        for (range, with) in self.edits {
            edited.push_str(&text[at..range.start]);
            edited.push_str(with);
            at = range.end;
        }
        edited.push_str(&text[at..]);
        edited
    }
}

/// The number of tokens of an item that has no place in this variant: tests, and functions that make a
/// step machine.
fn dropped(tokens: &[TokenTree]) -> Option<usize> {
    let mut item = 0;
    let mut is_test = false;
    while is_punct(tokens.get(item), '#') {
        let Some(TokenTree::Group(attribute)) = tokens.get(item + 1) else {
            return None;
        };
        is_test |= attribute.stream().to_string().replace(' ', "") == "cfg(test)";
        item += 2;
    }
    if item == 0 {
        return None;
    }
    let rest = &tokens[item..];
    let end = 1 + rest.iter().position(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    })?;
    let mut signature = rest[..end].iter().skip_while(|it| it.to_string() != "fn");
    let makes_machine = signature.any(|token| token.to_string() == "Machine");
    (is_test || makes_machine).then_some(item + end)
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn range(token: &TokenTree) -> Range<usize> {
    token.span().byte_range()
}

fn start(token: &TokenTree) -> usize {
    range(token).start
}

fn end_of(token: &TokenTree) -> usize {
    range(token).end
}
