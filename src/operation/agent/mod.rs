//! What hooks of coding agents ask for: each operation in a file of its own.

mod begin;
mod bound;
mod context_window;
mod settings;
mod standing;

use super::rows;

rows! {
    hook
    status_line
}
