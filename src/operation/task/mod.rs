//! Task checkpoints: each operation in a file of its own.

mod given;
mod opened;
mod snapshot;

use super::rows;

rows! {
    save
    load
    list
    list_tasks
    remove
    remove_task
    check_limits
    plan_save
    clean_up
}
