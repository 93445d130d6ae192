//! Runs: each operation in a file of its own.

pub(in crate::operation) mod budget_check;
mod creation;
mod deleted;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
pub(in crate::operation) mod events_since;
pub(crate) mod listed_state;
pub(crate) mod names;
mod not_found;
mod phase_files;
#[cfg(any(feature = "sessions", feature = "agents", not(target_family = "wasm")))]
pub(in crate::operation) mod relation;
#[cfg(not(all(feature = "hook", target_family = "wasm")))]
pub mod restore;
pub(in crate::operation) mod run_store;
#[cfg(any(
    all(feature = "sessions", feature = "agents"),
    not(target_family = "wasm")
))]
pub mod since;
mod states;
pub(in crate::operation) mod summary;
mod unfinished;

use super::rows;

rows! {
    load
    save
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    begin
    update_phase
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    remove_phase
    complete
    resume_point
    latest
    list
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    gate
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    log
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    diff
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    undo
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    redo
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    recover
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    prune
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    rename
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    remove
}

#[cfg(feature = "cli")]
pub(crate) use not_found::lost;
