//! The boundaries to other languages. A binding converts in, calls the core and converts out.

#[cfg(any(
    feature = "js",
    feature = "deferred",
    feature = "exact-tokens",
    feature = "viewer"
))]
pub mod js;
#[cfg(all(feature = "native", unix))]
pub mod native;
#[cfg(any(feature = "command", all(feature = "native", unix)))]
mod object;
#[cfg(any(feature = "command", all(feature = "native", unix)))]
mod vocabulary;
#[cfg(feature = "command")]
pub mod wasi;
#[cfg(feature = "core")]
pub mod wit;

// Features are default for `cargo install` alone: a wasm has the ones that its build names.
#[cfg(all(feature = "native", target_family = "wasm"))]
compile_error!("a build to wasm leaves out the feature `native`: expected `--no-default-features`");
