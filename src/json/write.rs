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
    } else {
        let escaped = serde_json::to_string(text);
        out.push_str(&escaped.expect("writing a string into memory cannot fail"));
    }
}
