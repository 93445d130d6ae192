//! Command checkpoints: each operation in a file of its own.

mod names;
mod opened;
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
    recover
    trim
    rename
}

#[cfg(feature = "cli")]
pub(crate) use opened::lost;
