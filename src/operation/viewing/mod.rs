//! The operations for a viewer of a project, which shows files and has no rule of its own: the sources of its files,
//! the contents that may be handed on, and the project that a place belongs to.

mod mirror;

use super::rows;

rows! {
    project
    since_recorded
    sources
    redact_file
}
