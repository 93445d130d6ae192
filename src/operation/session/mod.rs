//! Snapshots: each operation in a file of its own.

mod compared;
pub mod content;
mod drafted;
mod earlier_commit;
mod holdings;
mod hook_snapshot;
mod keep_moment;
mod known_files;
mod limits;
mod moment_sizes;
mod moments;
mod notes;
mod patch;
mod path_owners;
pub mod plan;
#[cfg(all_operations)]
mod plan_diff;
mod prune_moments;
mod publish;
pub mod record_moment;
mod register;
mod removal;
pub mod request;
pub mod rewind_limits;
mod rewound;
#[cfg(all_operations)]
mod run_taking;
mod secret_scan;
mod snapshot;
mod snapshot_store;
mod source;
mod state;
mod stopped;
mod taking;
mod too_much;
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
    #[cfg(all_operations)] list_prompts
    #[cfg(all_operations)] rewind_files
}
