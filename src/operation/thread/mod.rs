//! Threads of checkpoints: each operation in a file of its own.

mod input;
mod opened;
pub mod steps;
pub mod summaries;

use super::rows;

rows! {
    put
    load
    list
    list_threads
    history
    remove
    recover
}
