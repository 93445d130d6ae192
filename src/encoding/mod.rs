//! Counts tokens as OpenAI's models do.

#[cfg(any(
    feature = "exact-tokens",
    feature = "command",
    not(target_family = "wasm")
))]
mod exact;
mod name;

#[cfg(any(
    feature = "exact-tokens",
    feature = "command",
    not(target_family = "wasm")
))]
pub use exact::{ExactCounter, LoadError, TextPrefix, Tokenizer, Unpacked};
pub use name::Encoding;
