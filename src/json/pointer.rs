//! JSON pointers (RFC 6901).

use std::fmt;

use super::Json;

/// A place in a document, such as `/phases/design/status`; empty for the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document.
    pub fn root() -> Self {
        Pointer::default()
    }

    /// The member `key` of the value at this place.
    pub fn key(&self, key: &str) -> Self {
        let mut text = String::with_capacity(self.0.len() + 1 + key.len());
        text.push_str(&self.0);
        text.push('/');
        for character in key.chars() {
            match character {
                '~' => text.push_str("~0"),
                '/' => text.push_str("~1"),
                other => text.push(other),
            }
        }
        Pointer(text)
    }

    /// The item `index` of the list at this place.
    pub fn item(&self, index: usize) -> Self {
        Pointer(format!("{}/{index}", self.0))
    }

    /// The pointer's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The pointer's text, taken out of it.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// A place in a document while it is being walked, as a chain up to the root: only a problem makes a
/// [`Pointer`] of it.
#[derive(Clone, Copy, Debug)]
pub enum NodePath<'a> {
    /// The whole document.
    Root,
    /// A member of an object.
    Key(&'a NodePath<'a>, &'a str),
    /// An item of a list.
    Item(&'a NodePath<'a>, usize),
}

impl NodePath<'_> {
    /// Returns the place in its published form.
    pub fn pointer(&self) -> Pointer {
        match self {
            NodePath::Root => Pointer::root(),
            NodePath::Key(parent, key) => parent.pointer().key(key),
            NodePath::Item(parent, index) => parent.pointer().item(*index),
        }
    }

    /// In how many objects and lists it is.
    pub fn depth(&self) -> usize {
        match self {
            NodePath::Root => 0,
            NodePath::Key(parent, _) | NodePath::Item(parent, _) => parent.depth() + 1,
        }
    }
}

impl Json {
    /// Returns the value at a place, in the form of a [`Pointer`].
    pub fn at(&self, pointer: &str) -> Option<&Json> {
        let mut value = self;
        for part in pointer.split('/').skip(1) {
            value = match value {
                Json::Object(object) => object.get(&part.replace("~1", "/").replace("~0", "~"))?,
                Json::Array(items) => items.get(part.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(value)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Pointer;
    use crate::json;

    #[test]
    fn a_pointer_leads_back_to_what_it_was_made_of() {
        let document = json::read(br#"{"a/b~c": [1, {"~1": "x"}], "": 2}"#)
            .unwrap()
            .value;
        let item = Pointer::root().key("a/b~c").item(1);
        for (pointer, expected) in [
            (item.key("~1"), Some(r#""x""#)),
            (Pointer::root().key(""), Some("2")),
            (Pointer::root().key("a/b~c").item(2), None),
            (item.key("x"), None),
            (item.key("~1").key("x"), None),
        ] {
            let found = document.at(pointer.as_str()).map(json::Json::to_line);
            assert_eq!(found.as_deref(), expected, "{pointer}");
        }
        assert_eq!(document.at(""), Some(&document));
    }

    #[test]
    fn slashes_and_tildes_in_keys_are_escaped() {
        let pointer = Pointer::root().key("phases").key("a/b~c").item(2);
        assert_eq!(pointer.as_str(), "/phases/a~1b~0c/2");
    }
}
