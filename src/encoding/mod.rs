//! Counts the tokens that OpenAI's models count.

mod name;

pub use name::Encoding;
