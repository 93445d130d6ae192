//! JSON pointers (RFC 6901).

use std::fmt;

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

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Pointer;

    #[test]
    fn slashes_and_tildes_in_keys_are_escaped() {
        let pointer = Pointer::root().key("phases").key("a/b~c").item(2);
        assert_eq!(pointer.as_str(), "/phases/a~1b~0c/2");
    }
}
