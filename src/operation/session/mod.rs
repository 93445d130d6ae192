//! Session checkpoints: each operation in a file of its own.

mod opened;
mod register;
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
