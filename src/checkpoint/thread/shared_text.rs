//! Text that copies of a thread, and the values of one request, have in common: one value may be half of the memory that
//! there is.

use std::fmt;
use std::ops::{Deref, Range};
use std::rc::Rc;

/// A text, or a part of one, that is not copied with what it is in.
#[derive(Clone)]
pub struct SharedText {
    whole: Rc<String>,
    range: Range<usize>,
}

impl SharedText {
    /// Its beginning of so many bytes, and the rest; `None` where there is no such boundary of characters.
    pub fn split_at_checked(&self, length: usize) -> Option<(Self, Self)> {
        let (start, rest) = self.deref().split_at_checked(length)?;
        let middle = self.range.start + start.len();
        let part = |range| SharedText {
            whole: Rc::clone(&self.whole),
            range,
        };
        let end = middle + rest.len();
        Some((part(self.range.start..middle), part(middle..end)))
    }

    /// The text by itself, which is a copy where it is shared.
    pub fn into_string(self) -> String {
        match self.range.len() == self.whole.len() {
            true => Rc::unwrap_or_clone(self.whole),
            false => self.deref().to_owned(),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        // Only boundaries of characters are ever put there.
        self.whole.get(self.range.clone()).unwrap_or_default()
    }
}

impl From<Rc<String>> for SharedText {
    fn from(whole: Rc<String>) -> Self {
        SharedText {
            range: 0..whole.len(),
            whole,
        }
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Rc::new(text).into()
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &Self) -> bool {
        let is_one = Rc::ptr_eq(&self.whole, &other.whole) && self.range == other.range;
        is_one || self.deref() == other.deref()
    }
}

impl Eq for SharedText {}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::SharedText;

    #[test]
    fn parts_are_equal_by_what_they_hold() {
        let text = SharedText::from("añb");
        assert!(text.split_at_checked(2).is_none() && text.split_at_checked(5).is_none());
        let (start, rest) = text.split_at_checked(3).unwrap();
        assert_eq!((start.as_str(), rest.as_str()), ("añ", "b"));
        assert_eq!(rest, SharedText::from("b"));
        assert_eq!(start.split_at_checked(1).unwrap().1.into_string(), "ñ");
        assert_eq!(text.into_string(), "añb");
    }
}
