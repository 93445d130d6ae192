//! The text of a settings file, changed where it has to be: every other byte stays.
//!
//! Places come from the [`outline`], and text is put in, replaced and taken out there. Text that is put in is
//! laid out as its surroundings are: by their indentation and ends of lines, on one line among values that
//! stand on one, and with a comma behind the last one where there was one.

use std::ops::Range;

use super::outline::{
    BLANKS, JsonNode, NodeValue, after_blanks, after_comment, after_trivia, outline,
};
use super::{Json, Malformed};

/// The indentation of a level where the text does not show it.
const INDENTATION: &str = "  ";

/// One step on the way from a value to one in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonStep<'a> {
    /// To the member of this key.
    Key(&'a str),
    /// To the item of this number.
    Item(usize),
}

/// The text of a JSON file, with comments or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonSource {
    text: String,
    root: JsonNode,
}

impl JsonSource {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// As [`outline`].
    pub fn read(text: &str) -> Result<Self, Malformed> {
        Ok(JsonSource {
            text: text.to_owned(),
            root: outline(text)?,
        })
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value as it is now.
    pub fn root(&self) -> &JsonNode {
        &self.root
    }

    /// Returns the node at the end of a path.
    pub fn at(&self, path: &[JsonStep<'_>]) -> Option<&JsonNode> {
        let mut node = &self.root;
        for step in path {
            node = match step {
                JsonStep::Key(key) => &node.member(key)?.value,
                JsonStep::Item(index) => node.items()?.get(*index)?,
            };
        }
        Some(node)
    }

    /// Adds a member at the end of the object that stands there; the key must not be in it.
    pub fn add_member(&mut self, path: &[JsonStep<'_>], key: &str, value: &Json) {
        let key = Json::from(key).to_line();
        self.add(path, |layout, level| {
            format!("{key}:{}{}", layout.gap(), layout.show(value, level))
        });
    }

    /// Adds an item at the end of the list that stands there.
    pub fn add_item(&mut self, path: &[JsonStep<'_>], value: &Json) {
        self.add(path, |layout, level| layout.show(value, level));
    }

    /// Puts another value in the place of the one that stands there.
    pub fn replace(&mut self, path: &[JsonStep<'_>], value: &Json) {
        let Some(node) = self.at(path) else { return };
        let at = node.at.clone();
        let layout = ValueLayout {
            is_line: !self.text[at.clone()].contains(['\n', '\r']),
            ..self.layout()
        };
        let shown = layout.show(value, self.line_indent(at.start));
        self.splice(vec![(at, shown)]);
    }

    /// Puts other text in the place of a value; it has to be a value, too.
    pub fn replace_text(&mut self, path: &[JsonStep<'_>], raw: &str) {
        if let Some(node) = self.at(path) {
            self.splice(vec![(node.at.clone(), raw.to_owned())]);
        }
    }

    /// Takes out the member or item at the end of a path.
    pub fn remove(&mut self, path: &[JsonStep<'_>]) {
        let Some((last, above)) = path.split_last() else {
            return;
        };
        let Some(container) = self.at(above) else {
            return;
        };
        let index = match (last, &container.value) {
            (JsonStep::Item(index), NodeValue::Array(items)) => {
                Some(*index).filter(|it| *it < items.len())
            }
            (JsonStep::Key(key), NodeValue::Object(members)) => {
                members.iter().rposition(|it| it.key == *key)
            }
            _ => None,
        };
        if let Some(index) = index {
            self.splice(self.removal(container, index));
        }
    }

    /// Returns the ranges to take out for a part of a container, with the white space before it and
    /// one comma.
    fn removal(&self, container: &JsonNode, index: usize) -> Vec<(Range<usize>, String)> {
        let text = &self.text;
        let parts = container.parts();
        let part = &parts[index];
        let inner = container.at.start + 1..container.at.end - 1;
        let cut = |range: Range<usize>| (range, String::new());
        let behind = match index {
            0 => inner.start,
            _ => self
                .comma_after(parts[index - 1].end)
                .unwrap_or(inner.start),
        };
        let comma = self.comma_after(part.end);
        let rest = [
            &text[inner.start..part.start],
            &text[comma.unwrap_or(part.end)..inner.end],
        ];
        // Text that people wrote there stays, and nothing else.
        if parts.len() == 1 && rest.iter().all(|it| it.trim_matches(BLANKS).is_empty()) {
            return vec![cut(inner)];
        }
        let before = self.cut_from(behind, part, comma);
        match comma {
            // The first of a line has no white space before it that could go.
            Some(end) if index == 0 && before == part.start => {
                vec![cut(part.clone()), cut(end - 1..after_blanks(text, end))]
            }
            Some(end) => vec![cut(before..part.end), cut(end - 1..end)],
            None if index == 0 => vec![cut(before..part.end)],
            None => vec![cut(behind - 1..behind), cut(before..part.end)],
        }
    }

    /// Returns the beginning of the white space before a part that goes with it; `behind` is the
    /// part before. A comment to the end of its line keeps that end, unless another one follows.
    fn cut_from(&self, behind: usize, part: &Range<usize>, comma: Option<usize>) -> usize {
        let (from, is_open) = self.last_blanks(behind, part.start);
        let follows = match comma {
            Some(end) => [&self.text[part.end..end - 1], &self.text[end..]].concat(),
            None => self.text[part.end..].to_owned(),
        };
        let follows = follows.trim_start_matches([' ', '\t']);
        if !is_open || follows.starts_with(['\n', '\r']) {
            return from;
        }
        let blanks = &self.text[from..part.start];
        from + blanks.find('\n').map_or(blanks.len(), |it| it + 1)
    }

    /// Returns the beginning of the last white space between two places that have nothing but white
    /// space and comments between them, and whether the comment before it goes to the end of its
    /// line.
    fn last_blanks(&self, start: usize, end: usize) -> (usize, bool) {
        let (mut from, mut is_open) = (start, false);
        loop {
            let next = after_blanks(&self.text[..end], from);
            match after_comment(&self.text[..end], next) {
                Ok(after) if after > next => {
                    is_open = self.text[next..].starts_with("//");
                    from = after;
                }
                _ => return (from, is_open),
            }
        }
    }

    fn add(&mut self, path: &[JsonStep<'_>], show: impl FnOnce(&ValueLayout, &str) -> String) {
        let Some(container) = self.at(path) else {
            return;
        };
        let parts = container.parts();
        let inner = container.at.start + 1..container.at.end - 1;
        let layout = ValueLayout {
            is_line: !parts.is_empty() && !self.text[inner.clone()].contains(['\n', '\r']),
            ..self.layout()
        };
        let outer = self.line_indent(container.at.start).to_owned();
        let level = match parts.last() {
            Some(last) if self.begins_line(last.start) => self.line_indent(last.start).to_owned(),
            _ => format!("{outer}{}", layout.unit),
        };
        let shown = show(&layout, &level);
        let line = format!("{}{level}", layout.newline);
        let edits = match parts.last() {
            None => {
                let (last, _) = self.last_blanks(inner.start, inner.end);
                let closing = format!("{}{outer}", layout.newline);
                vec![(last..inner.end, format!("{line}{shown}{closing}"))]
            }
            Some(last) => {
                let start = match layout.is_line {
                    true => layout.gap().to_owned(),
                    false => line,
                };
                match self.comma_after(last.end) {
                    Some(comma) => {
                        let end = self.end_of_line(comma);
                        vec![(end..end, format!("{start}{shown},"))]
                    }
                    None => {
                        let end = self.end_of_line(last.end);
                        let comma = (last.end..last.end, ",".to_owned());
                        vec![comma, (end..end, format!("{start}{shown}"))]
                    }
                }
            }
        };
        self.splice(edits);
    }

    /// Returns the end of the comma behind a part, if there is one.
    fn comma_after(&self, end: usize) -> Option<usize> {
        let at = after_trivia(&self.text, end).ok()?;
        self.text[at..].starts_with(',').then_some(at + 1)
    }

    /// Returns the end of the comments that stand behind a part on its line.
    fn end_of_line(&self, at: usize) -> usize {
        let mut end = at;
        loop {
            let rest = &self.text[end..];
            let next = end + rest.len() - rest.trim_start_matches([' ', '\t']).len();
            match after_comment(&self.text, next) {
                Ok(after) if after > next => end = after,
                _ => return end,
            }
        }
    }

    /// Returns whether nothing but white space stands before this on its line.
    fn begins_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches([' ', '\t']);
        before.ends_with(['\n', '\r'])
    }

    /// The white space that the line of a place begins with.
    fn line_indent(&self, at: usize) -> &str {
        let start = self.text[..at].rfind(['\n', '\r']).map_or(0, |it| it + 1);
        let line = &self.text[start..at];
        let line = line.strip_prefix('\u{FEFF}').unwrap_or(line);
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Returns the layout of this text.
    fn layout(&self) -> ValueLayout {
        let parts = self.root.parts();
        let first = parts.iter().find(|part| self.begins_line(part.start));
        let unit = first.map(|part| self.line_indent(part.start));
        ValueLayout {
            newline: match self.text.contains("\r\n") {
                true => "\r\n",
                false => "\n",
            },
            unit: unit
                .filter(|it| !it.is_empty())
                .unwrap_or(INDENTATION)
                .to_owned(),
            is_line: false,
            is_spaced: self.text.contains("\": ") || !self.text.contains("\":"),
        }
    }

    fn splice(&mut self, edits: Vec<(Range<usize>, String)>) {
        let mut text = String::with_capacity(self.text.len() + 256);
        let mut at = 0;
        for (range, new) in edits {
            text.push_str(&self.text[at..range.start]);
            text.push_str(&new);
            at = range.end;
        }
        text.push_str(&self.text[at..]);
        self.root =
            outline(&text).expect("a value in the place of a value, or among others, is JSON");
        self.text = text;
    }
}

/// The layout of a value that is put into a text.
struct ValueLayout {
    newline: &'static str,
    /// One level of indentation.
    unit: String,
    /// True if it stands on one line.
    is_line: bool,
    /// True if a space follows a colon, and a comma on a line.
    is_spaced: bool,
}

impl ValueLayout {
    fn gap(&self) -> &'static str {
        match self.is_spaced {
            true => " ",
            false => "",
        }
    }

    /// A value whose first line is indented so.
    fn show(&self, value: &Json, indent: &str) -> String {
        if self.is_line {
            return value.to_line();
        }
        let document = value.to_document();
        let mut shown = String::new();
        for (number, line) in document.trim_end().lines().enumerate() {
            let content = line.trim_start_matches(' ');
            if number > 0 {
                shown.push_str(self.newline);
                shown.push_str(indent);
                // A level of a document is two spaces.
                shown.push_str(&self.unit.repeat((line.len() - content.len()) / 2));
            }
            shown.push_str(content);
        }
        shown
    }
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
