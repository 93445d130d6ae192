//! What a viewer of a project asks for, which shows files and has no rule of its own: where they lie, and what of
//! them may be handed on, and which project it is.

mod mirror;

use super::rows;

rows! {
    project
    repository_paths
    since_recorded
    sources
    redact_file
}
