//! Task checkpoints: each operation in a file of its own.

mod input;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
pub mod show;
mod snapshot;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
pub mod summaries;
mod task_store;

use super::rows;

rows! {
    save
    load
    list
    list_tasks
    remove
    remove_task
    check_limits
    #[cfg(not(all(feature = "viewer", target_family = "wasm")))]
    plan_save
    clean_up
}
