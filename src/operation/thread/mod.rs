//! Threads of checkpoints: each operation in a file of its own.

mod input;
pub mod steps;
pub mod summaries;
mod thread_store;
mod transcript;

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
    #[cfg(not(viewer_wasm))] texts
    recover
    append_transcript
    load_transcript
    pop_transcript
    delete_transcript
    list_transcripts
    list_subpaths
}
