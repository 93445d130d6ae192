//! The end of the first JSON object in bytes that come in pieces.

/// Follows braces outside of strings. Bytes are enough: in UTF-8 no part of a longer character looks like
/// ASCII.
#[derive(Default)]
pub(super) struct ObjectEnd {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl ObjectEnd {
    /// Returns the end of the object in the next piece, if it is there.
    pub(super) fn find(&mut self, piece: &[u8]) -> Option<usize> {
        for (at, byte) in piece.iter().enumerate() {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_string => self.is_escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' => self.depth += 1,
                b'}' if self.depth == 1 => return Some(at + 1),
                b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::ObjectEnd;

    #[test]
    fn the_object_ends_where_its_brace_closes_however_it_is_cut() {
        let text = br#" {"a{\\\"}": {"b": "}"}, "c": "\\"} {"#;
        let whole = text.len() - 2;
        for piece in 1..text.len() {
            let mut end = ObjectEnd::default();
            let mut read = 0;
            let found = text.chunks(piece).find_map(|piece| {
                let found = end.find(piece);
                read += found.unwrap_or(piece.len());
                found
            });
            assert!(found.is_some(), "{piece}");
            assert_eq!(read, whole, "{piece}");
        }
        for text in ["", "}", "{", "[1]", "{\"a\":\"}"] {
            assert_eq!(ObjectEnd::default().find(text.as_bytes()), None, "{text}");
        }
    }
}
