//! Counts a text that comes in parts.

use super::tokenizer::Tokenizer;

/// The count so far of a text that comes in parts: the count is the same however it is cut.
#[derive(Debug, Default)]
pub struct ExactCounter {
    /// Of the pieces that no more text can change.
    tokens: u64,
    /// The text after these.
    rest: String,
    /// The length that the rest has to have before it is worth a look again. A piece without an end is looked at each
    /// time that it is twice as long, not with every part.
    next_look: usize,
}

/// Parts below it are gathered.
const LEAST: usize = 4096;

impl ExactCounter {
    /// Takes the next part.
    pub fn add(&mut self, part: &str, tokenizer: &mut Tokenizer) {
        self.rest.push_str(part);
        if self.rest.len() < self.next_look.max(LEAST) {
            return;
        }
        let settled = tokenizer.count_settled(&self.rest);
        self.tokens += settled.tokens;
        self.rest.drain(..settled.bytes);
        self.next_look = 2 * self.rest.len();
    }

    /// Returns the number of tokens that all parts so far have together.
    pub fn count(&self, tokenizer: &mut Tokenizer) -> u64 {
        self.tokens + tokenizer.count(&self.rest)
    }

    /// Returns the count that there would be if `more` came next.
    pub fn count_with(&self, more: &str, tokenizer: &mut Tokenizer) -> u64 {
        self.tokens + tokenizer.count(&[&self.rest, more].concat())
    }
}
