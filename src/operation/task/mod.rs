//! Task checkpoints: each operation in a file of its own.

mod input;
#[cfg(all_operations)]
pub mod show;
mod snapshot;
#[cfg(all_operations)]
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
    prune_tasks
    check_limits
    #[cfg(not(viewer_wasm))] plan_save
    #[cfg(not(viewer_wasm))] plan_prune
    clean_up
}
