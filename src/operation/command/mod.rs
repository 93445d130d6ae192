//! Command checkpoints: each operation in a file of its own.

mod absent;
mod names;
mod opened;
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
    gate
    log
    diff
    undo
    redo
    recover
    trim
    rename
    remove
}

#[cfg(feature = "cli")]
pub(crate) use absent::lost;
