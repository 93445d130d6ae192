//! Counts a text that comes in parts.

use super::tokenizer::{Settled, Tokenizer};

/// The count so far of a text that comes in parts: the count is the same however it is cut.
#[derive(Debug, Default)]
pub struct ExactCounter {
    /// The tokens that no more text can change.
    settled: Settled,
    /// The text after them.
    rest: String,
    /// The length that the rest has to have before it is worth a look again: so much longer than after the latest one
    /// that looks in vain stay few.
    next_look: usize,
}

/// Parts below it are gathered.
const LEAST: usize = 4096;

/// Of a count after each character, every so many of them have a look.
const STRIDE: usize = 64;

impl ExactCounter {
    /// Takes the next part.
    pub fn add(&mut self, part: &str, tokenizer: &mut Tokenizer) {
        self.rest.push_str(part);
        if self.rest.len() >= self.next_look.max(LEAST) {
            self.settle(tokenizer);
        }
    }

    /// Returns the number of tokens that all parts so far have together.
    pub fn count(&mut self, tokenizer: &mut Tokenizer) -> u64 {
        self.count_with("", tokenizer)
    }

    /// Returns the count that there would be if `more` came next.
    pub fn count_with(&mut self, more: &str, tokenizer: &mut Tokenizer) -> u64 {
        if self.rest.len() >= self.next_look.max(STRIDE) {
            self.settle(tokenizer);
        }
        let length = self.rest.len();
        self.rest.push_str(more);
        let tokens = tokenizer.count_from(&self.rest, &self.settled);
        self.rest.truncate(length);
        tokens
    }

    fn settle(&mut self, tokenizer: &mut Tokenizer) {
        tokenizer.settle(&self.rest, &mut self.settled);
        self.rest.drain(..self.settled.take_bytes());
        self.next_look = self.rest.len() + (self.rest.len() / 2).max(STRIDE);
    }
}
