//! The boundaries to other languages. A binding converts in, calls the core and converts out.

#[cfg(program)]
mod invocation;
#[cfg(javascript)]
pub mod js;
#[cfg(native_host)]
pub mod native;
#[cfg(program)]
mod object;
#[cfg(program)]
mod vocabulary;
#[cfg(feature = "command")]
pub mod wasi;
#[cfg(feature = "core")]
pub mod wit;

// Features are default for `cargo install` alone: a wasm has the ones that its build names.
#[cfg(all(feature = "native", target_family = "wasm"))]
compile_error!("a build to wasm leaves out the feature `native`: expected `--no-default-features`");
