//! Session checkpoints: each operation in a file of its own.

mod opened;
mod patch;
mod publish;
mod register;
mod snapshot;
mod work;

use super::rows;

rows! {
    create
    list
    load
    restore
    clean_up
    archive
    pin
    diff
}
