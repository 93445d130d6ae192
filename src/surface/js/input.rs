//! The buffer that JavaScript writes text into.

/// The least size: most requests fit, so that the buffer is rarely moved.
const LEAST: usize = 64 * 1024;
/// The largest size that stays after a larger text was handled.
const KEPT: usize = 1024 * 1024;

/// Text from JavaScript, in wasm memory.
#[derive(Debug, Default)]
pub(super) struct Input {
    bytes: Vec<u8>,
}

/// JavaScript named a text that it did not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotWritten;

impl Input {
    /// Reserves `bytes` bytes and returns where they begin; see [`super::reserve`].
    pub(super) fn reserve(&mut self, bytes: usize) -> *mut u8 {
        if self.bytes.len() > KEPT && bytes <= KEPT {
            self.bytes = Vec::new();
        }
        if self.bytes.len() < bytes.max(LEAST) {
            self.bytes.resize(bytes.max(LEAST), 0);
        }
        self.bytes.as_mut_ptr()
    }

    /// Gives the memory of a large text back, once it was read.
    pub(super) fn let_go(&mut self) {
        if self.bytes.len() > KEPT {
            self.bytes = Vec::new();
        }
    }

    /// The first `length` bytes, as far as they were written.
    pub(super) fn bytes(&self, length: usize) -> &[u8] {
        self.bytes.get(..length).unwrap_or_default()
    }

    /// The first `length` bytes as text.
    pub(super) fn text(&self, length: usize) -> Result<&str, NotWritten> {
        let bytes = self.bytes.get(..length).ok_or(NotWritten)?;
        std::str::from_utf8(bytes).map_err(|_| NotWritten)
    }
}

#[cfg(test)]
mod tests {
    use super::{Input, KEPT, LEAST, NotWritten};

    #[test]
    fn text_that_was_not_written_is_refused() {
        let mut input = Input::default();
        assert_eq!(input.text(1), Err(NotWritten));
        input.reserve(1);
        assert_eq!(input.text(LEAST + 1), Err(NotWritten));
        input.bytes[0] = 0xff;
        assert_eq!(input.text(1), Err(NotWritten));
        assert_eq!(input.text(0), Ok(""));
    }

    #[test]
    fn more_room_keeps_what_was_written() {
        let mut input = Input::default();
        input.reserve(4);
        input.bytes[..4].copy_from_slice(b"half");
        input.reserve(LEAST + 1);
        assert_eq!(input.text(4), Ok("half"));
    }

    #[test]
    fn a_huge_text_is_let_go_and_a_small_one_stays() {
        let mut input = Input::default();
        input.reserve(KEPT + 1);
        input.let_go();
        assert_eq!(input.bytes.capacity(), 0);
        input.reserve(4);
        input.bytes[..4].copy_from_slice(b"half");
        input.let_go();
        assert_eq!(input.text(4), Ok("half"));
    }

    #[test]
    fn a_huge_text_does_not_keep_its_memory() {
        let mut input = Input::default();
        input.reserve(KEPT + 1);
        assert_eq!(input.bytes.len(), KEPT + 1);
        input.reserve(10);
        assert_eq!(input.bytes.capacity(), LEAST);
    }
}
