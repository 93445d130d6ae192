//! Runs: each operation in a file of its own.

pub(in crate::operation) mod budget_check;
mod creation;
mod deleted;
pub(in crate::operation) mod events_since;
pub(crate) mod listed_state;
pub(crate) mod names;
mod not_found;
mod phase_files;
#[cfg(any(agents, sessions))]
pub(in crate::operation) mod relation;
pub mod restore;
pub(in crate::operation) mod run_store;
#[cfg(all(agents, sessions))]
pub mod since;
mod states;
pub(in crate::operation) mod summary;
mod unfinished;

use super::rows;

rows! {
    load
    save
    #[cfg(not(hook_wasm))] begin
    update_phase
    #[cfg(not(hook_wasm))] remove_phase
    complete
    resume_point
    latest
    list
    #[cfg(not(hook_wasm))] gate
    #[cfg(not(hook_wasm))] log
    #[cfg(not(hook_wasm))] diff
    #[cfg(not(hook_wasm))] undo
    #[cfg(not(hook_wasm))] redo
    #[cfg(not(hook_wasm))] recover
    #[cfg(not(hook_wasm))] prune
    #[cfg(not(hook_wasm))] rename
    #[cfg(not(hook_wasm))] remove
}

#[cfg(feature = "cli")]
pub(crate) use not_found::lost;
