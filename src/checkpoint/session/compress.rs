//! The summary that the next session needs, in as many tokens as a context summary has.
//!
//! No model is asked: the parts of the document are taken in a fixed order for as long as they fit, and
//! what did not fit is said in the last line.

use std::fmt;

use crate::json::{Json, Object};
use crate::str_map::StrMap;
use crate::text::visible;
use crate::tokens::{self, MAX_SUMMARY_BYTES};

/// The task takes at most this many words.
pub const MAX_TASK_WORDS: u64 = 50;

/// The summary has the last decisions, at most this many.
pub const MAX_DECISIONS: usize = 5;

/// A context that was compressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compressed {
    /// The summary.
    pub text: String,
    /// The parts that are not in it, which its last line says as well.
    pub left_out: SummaryOmissions,
}

/// The amount of a context that is not in its summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SummaryOmissions {
    /// Words of the task.
    pub task_words: u64,
    /// True if the next phase is not named.
    pub next_phase: bool,
    /// Decisions, of all that there are.
    pub decisions: u64,
    /// Gotchas.
    pub gotchas: u64,
    /// Words of the summary that was known before.
    pub known_words: u64,
    /// Files.
    pub files: u64,
}

impl SummaryOmissions {
    /// Returns whether the summary has everything.
    pub fn is_nothing(&self) -> bool {
        *self == SummaryOmissions::default()
    }
}

impl fmt::Display for SummaryOmissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: u64, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {many}")),
        };
        let parts = [
            counted(self.task_words, "word of the task", "words of the task"),
            self.next_phase.then(|| "the next phase".to_owned()),
            counted(self.decisions, "decision", "decisions"),
            counted(self.gotchas, "gotcha", "gotchas"),
            counted(
                self.known_words,
                "word of what was known",
                "words of what was known",
            ),
            counted(self.files, "file", "files"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

/// The summary of a snapshot's document, in at most `limit` words and 64 KiB: the task in at
/// most 50 words, the phase to carry on with, the last 5 decisions, the gotchas, what was `known` before,
/// and the files that were created or modified, each once.
///
/// Where not all of it fits, this order decides, of the decisions the latest first. A part that is too
/// long by itself makes room for the next one; only the task and what was known are cut. A part of the
/// document that is of another kind than the schema's counts as absent. With a limit below some 40 words,
/// not even what is left out may be said in full.
pub fn compress(document: &Object, known: Option<&str>, limit: u64) -> Compressed {
    let context = Context::new(document, known);
    // Everything, if it fits; else what fits beside the line that says what does not.
    let space = Space {
        tokens: limit,
        bytes: MAX_SUMMARY_BYTES,
    };
    let (text, left_out) = context.render(space);
    if left_out.is_nothing() {
        return Compressed { text, left_out };
    }
    let space = space.without(&last_line(&context.all()));
    let (mut text, left_out) = context.render(space);
    text.push_str(&last_line(&left_out));
    let text = tokens::truncate(&text, limit).to_owned();
    Compressed { text, left_out }
}

fn last_line(left_out: &SummaryOmissions) -> String {
    format!("Left out: {left_out}\n")
}

/// The facts to summarize, each in a line or a few.
struct Context<'a> {
    task: String,
    next: Option<String>,
    decisions: Vec<String>,
    gotchas: Vec<String>,
    known: &'a str,
    files: Vec<String>,
}

impl<'a> Context<'a> {
    fn new(document: &Object, known: Option<&'a str>) -> Self {
        let decisions = list(document.get("decisions")).iter();
        let gotchas = list(document.get("gotchas")).iter();
        let remaining = list(member(document, "progress", "remaining"));
        Context {
            task: text(member(document, "task", "input")),
            next: remaining
                .first()
                .map(|it| text(Some(it)))
                .filter(|it| !it.is_empty()),
            decisions: decisions.filter_map(decision).collect(),
            gotchas: gotchas
                .map(|it| text(Some(it)))
                .filter(|it| !it.is_empty())
                .collect(),
            known: known.unwrap_or_default().trim(),
            files: files(document),
        }
    }

    /// Returns what is left out of an empty summary.
    fn all(&self) -> SummaryOmissions {
        SummaryOmissions {
            task_words: tokens::count(&self.task),
            next_phase: self.next.is_some(),
            decisions: self.decisions.len() as u64,
            gotchas: self.gotchas.len() as u64,
            known_words: tokens::count(self.known),
            files: self.files.len() as u64,
        }
    }

    fn render(&self, mut space: Space) -> (String, SummaryOmissions) {
        let mut left_out = self.all();
        let mut out = String::new();

        let task = tokens::truncate(&self.task, MAX_TASK_WORDS);
        let mark = if task.len() < self.task.len() {
            "…"
        } else {
            ""
        };
        let line = format!("Task: {task}{mark}\n");
        if !task.is_empty() && space.take(&line) {
            out.push_str(&line);
            left_out.task_words -= tokens::count(task);
        }
        if let Some(next) = &self.next {
            let line = format!("Next: {next}\n");
            if space.take(&line) {
                out.push_str(&line);
                left_out.next_phase = false;
            }
        }
        let latest = self.decisions.iter().rev().take(MAX_DECISIONS);
        let mut decisions = space.items("Decisions:\n", latest);
        decisions.reverse();
        left_out.decisions -= decisions.len() as u64;
        push_items("Decisions:\n", &decisions, &mut out);

        let gotchas = space.items("Gotchas:\n", self.gotchas.iter());
        left_out.gotchas -= gotchas.len() as u64;
        push_items("Gotchas:\n", &gotchas, &mut out);

        let known = space.beginning("Known:\n", self.known);
        if !known.is_empty() {
            let mark = if known.len() < self.known.len() {
                "…"
            } else {
                ""
            };
            out.push_str(&format!("Known:\n{known}{mark}\n"));
            left_out.known_words -= tokens::count(known).min(left_out.known_words);
        }

        let files = space.items("Files:\n", self.files.iter());
        left_out.files -= files.len() as u64;
        push_items("Files:\n", &files, &mut out);
        (out, left_out)
    }
}

fn push_items(header: &str, items: &[&str], out: &mut String) {
    if !items.is_empty() {
        out.push_str(header);
    }
    for item in items {
        out.push_str(&format!("- {item}\n"));
    }
}

/// The space that is left. Lines share no token, so that theirs add up.
#[derive(Clone, Copy)]
struct Space {
    tokens: u64,
    bytes: usize,
}

impl Space {
    fn without(self, line: &str) -> Space {
        Space {
            tokens: self.tokens.saturating_sub(tokens::count(line)),
            bytes: self.bytes.saturating_sub(line.len()),
        }
    }

    /// Takes whole lines, if they fit.
    fn take(&mut self, lines: &str) -> bool {
        let fits = tokens::count(lines) <= self.tokens && lines.len() <= self.bytes;
        if fits {
            *self = self.without(lines);
        }
        fits
    }

    /// Takes of these items those that fit, with their header.
    fn items<'a>(&mut self, header: &str, items: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
        let mut taken: Vec<&str> = Vec::new();
        for item in items {
            let header = if taken.is_empty() { header } else { "" };
            if self.take(&format!("{header}- {item}\n")) {
                taken.push(item);
            }
        }
        taken
    }

    /// Takes the beginning of a text that fits behind its header.
    fn beginning<'a>(&mut self, header: &str, text: &'a str) -> &'a str {
        let space = self.without(header);
        let cut = tokens::truncate(text, space.tokens);
        let mark = "…\n";
        let most = space.bytes.saturating_sub(mark.len());
        let cut = cut[..cut.floor_char_boundary(most)].trim_end();
        if !cut.is_empty() {
            *self = space.without(&format!("{cut}{mark}"));
        }
        cut
    }
}

fn member<'a>(document: &'a Object, object: &str, key: &str) -> Option<&'a Json> {
    document.get(object)?.as_object()?.get(key)
}

fn list(value: Option<&Json>) -> &[Json] {
    value.and_then(Json::as_array).unwrap_or_default()
}

/// Returns a text on one line; empty if absent.
fn text(value: Option<&Json>) -> String {
    let text = value.and_then(Json::as_str).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn decision(value: &Json) -> Option<String> {
    let object = value.as_object()?;
    let [question, decision, reason] =
        ["question", "decision", "reason"].map(|key| text(object.get(key)));
    let parts: Vec<&str> = [question.as_str(), decision.as_str()]
        .into_iter()
        .filter(|it| !it.is_empty())
        .collect();
    match (parts.is_empty(), reason.is_empty()) {
        (true, _) => None,
        (_, true) => Some(parts.join(": ")),
        _ => Some(format!("{} ({reason})", parts.join(": "))),
    }
}

/// The files that were touched, each once, in their order: those that were created first.
fn files(document: &Object) -> Vec<String> {
    let of = |key| list(member(document, "files", key)).iter();
    let paths: Vec<&str> = of("created")
        .chain(of("modified"))
        .filter_map(Json::as_str)
        .collect();
    let places = paths.iter().enumerate().map(|(at, path)| (*path, at));
    let first: StrMap<'_, usize> = places.collect();
    let paths = paths.iter().enumerate();
    paths
        .filter(|(at, path)| first.get(path) == Some(at))
        .map(|(_, path)| visible(path).into_owned())
        .collect()
}

#[cfg(test)]
#[path = "compress_tests.rs"]
mod tests;
