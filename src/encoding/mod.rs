//! Counts tokens as OpenAI's models do.

#[cfg(exact_tokens)]
mod exact;
mod name;

#[cfg(exact_tokens)]
pub use exact::{ExactCounter, LoadError, TextPrefix, Tokenizer, Unpacked};
pub use name::Encoding;
