//! The boundaries to other languages. A binding converts in, calls the core and converts out.

#[cfg(any(
    feature = "js",
    feature = "async",
    feature = "exact-tokens",
    feature = "viewer"
))]
pub mod js;
#[cfg(feature = "wasi")]
pub mod wasi;
#[cfg(feature = "wit")]
pub mod wit;
