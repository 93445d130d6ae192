//! Threads of checkpoints: each operation in a file of its own.

mod input;
pub mod steps;
pub mod summaries;
mod thread_store;

use super::rows;

rows! {
    put
    load
    list
    list_threads
    history
    remove
    prune
    remove_runs
    prune_all
    copy
    recover
}
