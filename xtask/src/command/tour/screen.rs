//! The screen of the tour, within 80 columns.

use std::io::Write;

use anyhow::Result;
use serde_json::Value;

/// Columns of the narrowest terminal in use.
const WIDTH: usize = 80;
const INDENT: &str = "  ";

/// The members that an agent is given first.
const FIRST: [&str; 4] = ["command", "feature", "phase", "phase_status"];

pub(super) struct Screen<'a> {
    out: &'a mut dyn Write,
}

impl<'a> Screen<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out }
    }

    pub(super) fn heading(&mut self, text: &str) -> Result<()> {
        Ok(writeln!(self.out, "\n{text}\n")?)
    }

    /// A command line that is typed.
    pub(super) fn command(&mut self, line: &str) -> Result<()> {
        Ok(writeln!(self.out, "{INDENT}$ {line}")?)
    }

    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        for line in text.trim_end().lines() {
            for part in wrapped(line, WIDTH - INDENT.len()) {
                writeln!(self.out, "{}", format!("{INDENT}{part}").trim_end())?;
            }
        }
        Ok(())
    }

    /// Shows what an agent is given: its sentences, and of JSON in it the members, a line each.
    pub(super) fn quoted(&mut self, text: &str) -> Result<()> {
        for line in text.lines() {
            match serde_json::from_str(line) {
                Ok(Value::Object(mut members)) => {
                    let first = FIRST.iter().filter_map(|&name| members.remove_entry(name));
                    let first: Vec<_> = first.collect();
                    for (name, value) in first.into_iter().chain(members) {
                        self.bar(&format!("{}: {}", name.replace('_', " "), plain(&value)))?;
                    }
                }
                _ => self.bar(line)?,
            }
        }
        Ok(())
    }

    fn bar(&mut self, text: &str) -> Result<()> {
        const BAR: &str = "| ";
        for part in wrapped(text, WIDTH - INDENT.len() - BAR.len()) {
            writeln!(self.out, "{INDENT}{BAR}{part}")?;
        }
        Ok(())
    }

    pub(super) fn end(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// A value as a person would write it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// The lines of a line that is too long, broken at blanks. A word that is longer than a line stays whole.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.last_mut().expect("there is always one");
        let length = last.chars().count() + 1 + word.chars().count();
        if last.is_empty() {
            last.push_str(word);
        } else if length <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(format!("  {word}"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Screen, wrapped};

    #[test]
    fn line_is_broken_at_a_blank() {
        assert_eq!(wrapped("one two three", 9), ["one two", "  three"]);
        assert_eq!(wrapped("a  b", 9), ["a  b"]);
        assert_eq!(wrapped("/a/long/path b", 6), ["/a/long/path", "  b"]);
    }

    #[test]
    fn context_is_shown_without_json() {
        let mut out = Vec::new();
        let text = "A sentence.\n{\"files\":[\"a\",\"b\"],\"phase_status\":\"pending\"}";
        Screen::new(&mut out).quoted(text).expect("memory takes it");
        let shown = String::from_utf8(out).expect("it is text");
        assert_eq!(
            shown,
            "  | A sentence.\n  | phase status: pending\n  | files: a, b\n"
        );
    }
}
