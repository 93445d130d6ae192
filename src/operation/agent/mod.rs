//! The operations that hooks of coding agents ask for, each in a file of its own.

mod begin;
mod claim;
mod compaction;
mod context_window;
mod folders;
mod gate;
mod hook_context;
pub mod kept_in_files;
mod last_words;
mod owner_record;
mod process;
mod records;
mod session;
mod settings;
mod shell_changes;
mod site;
mod subagents;
mod survey;
mod tool_events;
mod turn;
mod work_state;

use super::rows;

rows! {
    hook
    status_line
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    take
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    run_here
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    latest_here
    #[cfg(any(feature = "cli", not(target_family = "wasm")))]
    similar
    #[cfg(any(feature = "cli", not(target_family = "wasm")))]
    resume_here
    #[cfg(any(feature = "cli", not(target_family = "wasm")))]
    newest_run
}
