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
mod moments;
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
    #[cfg(not(hook_wasm))] take
    #[cfg(not(hook_wasm))] run_here
    #[cfg(not(hook_wasm))] latest_here
    #[cfg(all_operations)] similar
    #[cfg(all_operations)] resume_here
    #[cfg(all_operations)] newest_run
}
