//! The boundaries to other languages. A binding converts in, calls the core and converts out.

#[cfg(any(
    feature = "js",
    feature = "deferred",
    feature = "exact-tokens",
    feature = "viewer"
))]
pub mod js;
#[cfg(feature = "command")]
mod object;
#[cfg(feature = "wasi")]
mod vocabulary;
#[cfg(feature = "wasi")]
pub mod wasi;
#[cfg(feature = "core")]
pub mod wit;
