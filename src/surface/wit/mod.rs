//! The binding of the world `core` of `wit/`, which says what each function does.
//!
//! Nothing panics on any value that a host can hand in: what does not fit is a typed error.

// The generated half of the boundary: exported functions that take pointers.
#![allow(unsafe_code)]

mod convert;
mod effect;
mod operations;
mod rules;

/// The bindings that wit-bindgen makes of the world.
mod generated {
    // Generated: the WIT is where they are documented.
    #![allow(missing_docs, unreachable_pub)]

    wit_bindgen::generate!({ path: "wit", world: "core" });
}

use generated::exports::milepost::checkpoint as exports;

/// Implements every interface of the world.
struct Core;

// A native linker does not take the names that a component exports.
#[cfg(target_arch = "wasm32")]
generated::export!(Core with_types_in generated);
