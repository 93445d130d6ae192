//! The JavaScript binding, called in a JavaScript engine: `cargo xtask test` runs these in Node and
//! in headless Chromium. What the core does with the values is tested natively.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used)]

mod ffi;
mod operation;
mod text;
mod world;
