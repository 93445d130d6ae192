//! From [`Json`] to text: the one layout that Milepost writes.

use super::read::plain_length;
use super::{Json, Object};

impl Json {
    /// The layout of documents: two spaces a level, one member a line, one final newline.
    pub fn to_document(&self) -> String {
        let mut text = String::new();
        write(self, JsonLayout::Lines(0), &mut text);
        text.push('\n');
        text
    }

    /// Everything on one line, without white space.
    pub fn to_line(&self) -> String {
        let mut text = String::new();
        write(self, JsonLayout::Line, &mut text);
        text
    }
}

impl Object {
    /// The layout of documents, as [`Json::to_document`] writes it.
    pub fn to_document(&self) -> String {
        let mut text = String::new();
        write_object(self, JsonLayout::Lines(0), &mut text);
        text.push('\n');
        text
    }

    /// The layout of documents that are written often: each member on a line of its own, and all of it on that line.
    #[cfg(threads)]
    pub fn to_members(&self) -> String {
        let mut text = String::from("{");
        for (at, (key, value)) in self.iter().enumerate() {
            text.push_str(if at == 0 { "\n  " } else { ",\n  " });
            write_string(key, &mut text);
            text.push_str(": ");
            write(value, JsonLayout::Line, &mut text);
        }
        text.push_str("\n}\n");
        text
    }

    /// Everything on one line, as [`Json::to_line`] writes it.
    pub fn to_line(&self) -> String {
        let mut text = String::new();
        write_object(self, JsonLayout::Line, &mut text);
        text
    }
}

#[derive(Clone, Copy)]
enum JsonLayout {
    Line,
    /// With the present level of indentation.
    Lines(usize),
}

fn write(value: &Json, layout: JsonLayout, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(text) => out.push_str(text),
        Json::String(text) => write_string(text, out),
        Json::Array(items) => {
            surround('[', ']', items.iter(), layout, out, |item, inner, out| {
                write(item, inner, out);
            });
        }
        Json::Object(object) => write_object(object, layout, out),
    }
}

fn write_object(object: &Object, layout: JsonLayout, out: &mut String) {
    surround(
        '{',
        '}',
        object.iter(),
        layout,
        out,
        |(key, item), inner, out| {
            write_string(key, out);
            out.push(':');
            if let JsonLayout::Lines(_) = inner {
                out.push(' ');
            }
            write(item, inner, out);
        },
    );
}

fn surround<T>(
    open: char,
    close: char,
    items: impl ExactSizeIterator<Item = T>,
    layout: JsonLayout,
    out: &mut String,
    write_item: impl Fn(T, JsonLayout, &mut String),
) {
    out.push(open);
    let empty = items.len() == 0;
    let inner = match layout {
        JsonLayout::Line => JsonLayout::Line,
        JsonLayout::Lines(level) => JsonLayout::Lines(level + 1),
    };
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(',');
        }
        break_line(inner, out);
        write_item(item, inner, out);
    }
    if !empty {
        break_line(layout, out);
    }
    out.push(close);
}

fn break_line(layout: JsonLayout, out: &mut String) {
    if let JsonLayout::Lines(level) = layout {
        out.push('\n');
        for _ in 0..level {
            out.push_str("  ");
        }
    }
}

fn write_string(text: &str, out: &mut String) {
    if plain_length(text.as_bytes()) == text.len() {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else if text.len() < LARGE {
        out.push_str(&escaped(text));
    } else {
        write_large_string(text, out);
    }
}

/// The least length of a text that is escaped piece by piece.
const LARGE: usize = 256 << 10;

/// The least room behind it, so that the end of a document does not double what is there.
const ROOM: usize = 4 << 10;

/// Escapes a text without a second copy of it.
#[cold]
#[inline(never)]
fn write_large_string(text: &str, out: &mut String) {
    let added = text.bytes().map(|byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 1,
        0..0x20 => 5,
        _ => 0,
    });
    out.reserve_exact(text.len() + added.sum::<usize>() + ROOM);
    out.push('"');
    for piece in Pieces(text).map(escaped) {
        out.push_str(&piece[1..piece.len() - 1]);
    }
    out.push('"');
}

/// The text between quotes.
fn escaped(text: &str) -> String {
    let escaped = serde_json::to_string(text);
    escaped.expect("writing a string into memory cannot fail")
}

/// The pieces of a text.
struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let end = self.0.floor_char_boundary(LARGE);
        let (piece, rest) = self.0.split_at(end);
        self.0 = rest;
        (!piece.is_empty()).then_some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, LARGE, Object, ROOM};
    use crate::json::read;

    #[test]
    fn members_on_lines_are_read_as_the_document_is() {
        let object = Object::new().with("next", 7_u64).with(
            "tail",
            vec![Json::from("a"), Object::new().with("b", "c").into()],
        );
        let text = object.to_members();
        assert_eq!(
            text,
            "{\n  \"next\": 7,\n  \"tail\": [\"a\",{\"b\":\"c\"}]\n}\n"
        );
        assert_eq!(read(text.as_bytes()).unwrap().value, Json::from(object));
    }

    #[test]
    fn a_large_string_is_written_as_a_small_one_is() {
        for unit in ["a \"quoted\" word\n", "é\u{1}\\ ", "\u{1F600}\""] {
            let text = unit.repeat(3 * LARGE / unit.len());
            let line = Json::from(text.as_str()).to_line();
            assert_eq!(line, serde_json::to_string(&text).unwrap());
            assert!(line.capacity() <= line.len() + 2 * ROOM, "{}", line.len());
        }
    }
}
