//! Command checkpoints: each operation in a file of its own.

mod absent;
mod names;
mod opened;
#[cfg(any(feature = "library", not(target_family = "wasm")))]
pub mod restore;
mod states;
mod unfinished;

use super::rows;

rows! {
    load
    save
    update_phase
    complete
    resume_point
    latest
    list
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    gate
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    log
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    diff
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    undo
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    redo
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    recover
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    trim
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    rename
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    remove
}

#[cfg(feature = "cli")]
pub(crate) use absent::lost;
