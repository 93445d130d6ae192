//! From [`Json`] to text: the one layout that Milepost writes.

use super::{Json, Object};

impl Json {
    /// The layout of documents: two spaces a level, one member a line, one final newline.
    pub fn to_document(&self) -> String {
        let mut bytes = Vec::new();
        write(self, Layout::Lines(0), &mut bytes);
        bytes.push(b'\n');
        into_text(bytes)
    }

    /// Everything on one line, without white space.
    pub fn to_line(&self) -> String {
        let mut bytes = Vec::new();
        write(self, Layout::Line, &mut bytes);
        into_text(bytes)
    }
}

impl Object {
    /// The layout of documents, as [`Json::to_document`] writes it.
    pub fn to_document(&self) -> String {
        let mut bytes = Vec::new();
        write_object(self, Layout::Lines(0), &mut bytes);
        bytes.push(b'\n');
        into_text(bytes)
    }
}

#[derive(Clone, Copy)]
enum Layout {
    Line,
    /// With the present level of indentation.
    Lines(usize),
}

fn write(value: &Json, layout: Layout, out: &mut Vec<u8>) {
    match value {
        Json::Null => out.extend_from_slice(b"null"),
        Json::Bool(true) => out.extend_from_slice(b"true"),
        Json::Bool(false) => out.extend_from_slice(b"false"),
        Json::Number(text) => out.extend_from_slice(text.as_bytes()),
        Json::String(text) => write_string(text, out),
        Json::Array(items) => {
            surround(b'[', b']', items.iter(), layout, out, |item, inner, out| {
                write(item, inner, out);
            });
        }
        Json::Object(object) => write_object(object, layout, out),
    }
}

fn write_object(object: &Object, layout: Layout, out: &mut Vec<u8>) {
    surround(
        b'{',
        b'}',
        object.iter(),
        layout,
        out,
        |(key, item), inner, out| {
            write_string(key, out);
            out.push(b':');
            if let Layout::Lines(_) = inner {
                out.push(b' ');
            }
            write(item, inner, out);
        },
    );
}

fn surround<T>(
    open: u8,
    close: u8,
    items: impl ExactSizeIterator<Item = T>,
    layout: Layout,
    out: &mut Vec<u8>,
    write_item: impl Fn(T, Layout, &mut Vec<u8>),
) {
    out.push(open);
    let empty = items.len() == 0;
    let inner = match layout {
        Layout::Line => Layout::Line,
        Layout::Lines(level) => Layout::Lines(level + 1),
    };
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        break_line(inner, out);
        write_item(item, inner, out);
    }
    if !empty {
        break_line(layout, out);
    }
    out.push(close);
}

fn break_line(layout: Layout, out: &mut Vec<u8>) {
    if let Layout::Lines(level) = layout {
        out.push(b'\n');
        out.resize(out.len() + 2 * level, b' ');
    }
}

fn write_string(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("writing a string into memory cannot fail");
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("strings, numbers and punctuation are UTF-8")
}
