//! Makes `crate::blocking`, the reading of the source for hosts that answer at once.
//!
//! The rooms that ask for effects are written once, as `async fn`s. This takes `async` and `await` out
//! of a copy, token by token, and leaves the rest of the text as it stands, so that lines and messages
//! are those of the source. In the copy, an effect is a plain call of `effect::at_once::Io`.

use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The rooms that ask for effects. All others have one reading.
const ROOMS: [&str; 5] = ["store", "root", "operation", "doctor", "cli"];

/// What takes the place of `crate` in front of a room that has two readings.
const READING: &str = "::blocking";

fn main() {
    let source = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("src");
    let reading = PathBuf::from(variable("OUT_DIR")).join("blocking");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/effect/io.rs");
    // What was removed from the source would stay.
    let _ = fs::remove_dir_all(&reading);
    for room in ROOMS {
        println!("cargo::rerun-if-changed=src/{room}");
        copy(&source.join(room), &reading.join(room));
    }
    copy(&source.join("effect/io.rs"), &reading.join("effect/io.rs"));
    write(&reading.join("effect/mod.rs"), EFFECT);
    write(&reading.join("mod.rs"), MOD);
}

const EFFECT: &str = "\
pub use crate::effect::*;
pub use crate::effect::at_once::{Answer, Io};
pub(crate) use crate::effect::at_once::{Boxed, boxed, outlined};
pub(super) use crate::effect::{answer, at_once as asking};
mod io;
";

const MOD: &str = "\
pub mod effect;
pub mod doctor;
pub mod operation;
pub mod root;
pub mod store;
#[cfg(feature = \"cli\")]
pub mod cli;
";

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|why| panic!("cargo sets {name}: {why}"))
}

/// Copies a file, or all files of a folder, in the other reading.
fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        let text = fs::read_to_string(from)
            .unwrap_or_else(|why| panic!("cannot read {}: {why}", from.display()));
        return write(to, &without_waiting(&text, from));
    }
    let entries = fs::read_dir(from).unwrap_or_else(|why| panic!("{}: {why}", from.display()));
    for entry in entries {
        let name = entry
            .expect("a folder of the source can be listed")
            .file_name();
        copy(&from.join(&name), &to.join(&name));
    }
}

fn write(file: &Path, text: &str) {
    let written = file
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(file, text));
    written.unwrap_or_else(|why| panic!("cannot write {}: {why}", file.display()));
}

/// A source without `async` and `await`.
fn without_waiting(text: &str, file: &Path) -> String {
    if file.extension().is_none_or(|it| it != "rs") {
        return text.to_owned();
    }
    let tokens: TokenStream = text
        .parse()
        .unwrap_or_else(|why| panic!("{} is no Rust: {why}", file.display()));
    let mut edits = Edits::default();
    edits.walk(tokens);
    edits.apply(text)
}

/// What changes: byte ranges of the source, and what stands there instead.
#[derive(Default)]
struct Edits(Vec<(Range<usize>, &'static str)>);

impl Edits {
    fn walk(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if let Some(end) = dropped(&tokens[at..]) {
                let range = start(&tokens[at])..end_of(&tokens[at + end - 1]);
                self.0.push((range, ""));
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
                self.0.push((range(&tokens[0]), "("));
                let opening = start(&tokens[body]);
                self.0.push((opening..opening, "|| "));
                let TokenTree::Group(group) = &tokens[body] else {
                    return body;
                };
                self.walk(group.stream());
                let end = end_of(&tokens[body]);
                self.0.push((end..end, ")()"));
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
            (_, "crate") if is_punct(tokens.get(1), ':') => {
                let room = ident(3);
                if room == "effect" || ROOMS.contains(&room.as_str()) {
                    let end = end_of(&tokens[0]);
                    self.0.push((end..end, READING));
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
        self.0.push((range(token), with));
        1
    }

    fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut edited = String::with_capacity(text.len());
        let mut at = 0;
        for (range, with) in self.0 {
            edited.push_str(&text[at..range.start]);
            edited.push_str(with);
            at = range.end;
        }
        edited.push_str(&text[at..]);
        // The module's own documentation: what includes it has its own.
        edited
    }
}

/// How many tokens an item takes that has no place in this reading: tests, and what makes a step
/// machine.
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
