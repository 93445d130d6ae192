//! The lines of a text, each as code or as prose.

/// The kind of text that a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Names and string literals, perhaps with a comment behind them.
    Code,
    /// A line of a comment.
    Comment,
    /// A line of a page.
    Page,
}

/// A line without the marks of its comment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) kind: Kind,
    /// True if no line of prose stands directly before it.
    pub(super) begins: bool,
    pub(super) text: &'a str,
}

/// The lines of a text that have anything in them, without those of examples in prose.
pub(super) fn lines<'a>(path: &str, text: &'a str) -> Vec<Line<'a>> {
    let is_page = path.ends_with(".md");
    let mut lines = Vec::new();
    let mut in_block = false;
    let mut in_example = false;
    let mut begins = true;
    for (at, line) in text.lines().enumerate() {
        let (kind, text) = match comment(line.trim(), &mut in_block) {
            _ if is_page => (Kind::Page, line.trim()),
            Some(text) => (Kind::Comment, text.trim()),
            None => (Kind::Code, line.trim()),
        };
        let is_fence = kind != Kind::Code && text.starts_with("```");
        in_example = kind != Kind::Code && in_example != is_fence;
        let is_left_out = text.is_empty() || is_fence || in_example;
        if !is_left_out {
            lines.push(Line {
                number: at + 1,
                kind,
                begins,
                text,
            });
        }
        begins = is_left_out || kind == Kind::Code;
    }
    lines
}

/// The text of a line that is a comment as a whole, or a part of one. `in_block` is whether a block comment is open.
fn comment<'a>(line: &'a str, in_block: &mut bool) -> Option<&'a str> {
    let text = match line.strip_prefix("//") {
        Some(text) if !*in_block => return Some(text.trim_start_matches(['/', '!'])),
        _ if *in_block => line,
        _ => line.strip_prefix("/*")?,
    };
    let (text, is_open) = match text.split_once("*/") {
        Some((text, _)) => (text, false),
        None => (text, true),
    };
    *in_block = is_open;
    Some(text.trim_start_matches('*'))
}
