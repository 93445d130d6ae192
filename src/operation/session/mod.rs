//! Snapshots: each operation in a file of its own.

mod compared;
pub mod content;
mod drafted;
mod holdings;
mod hook_snapshot;
mod limits;
mod notes;
mod patch;
pub mod plan;
mod publish;
mod register;
pub mod request;
mod snapshot;
mod snapshot_store;
mod source;
mod state;
mod stopped;
mod undo;
mod unfinished;
mod work;

use super::rows;

rows! {
    create
    list
    load
    #[cfg(not(viewer_wasm))] verify
    restore
    clean_up
    archive
    pin
    diff
}
