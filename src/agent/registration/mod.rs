//! Hooks in the settings of coding agents: which file, which entries, and how they come into it and go again.
//!
//! Pure: the text of a file in, its new text out. Every byte that is not of an entry of our own stays.

pub mod claude_plugin;
mod command;
mod database;
#[cfg(all_operations)]
mod diff;
mod entry;
mod file;
#[cfg(native_host)]
mod left_to_another;
mod native_line;
mod plugin;
pub mod precedence;
mod runs;
mod settings;
mod status_line;
mod trust;

pub use command::{Launch, Program};
#[cfg(native_host)]
pub use command::{hook_words, is_as_registered};
pub use database::DatabaseRef;
#[cfg(all_operations)]
pub use diff::diff;
pub use file::{AgentSettingsFile, SettingsFolder, SettingsScope, VARIABLES, file};
#[cfg(native_host)]
pub use left_to_another::{EntryLookup, StartedEntry, is_left_to_another};
pub use native_line::is_named as names_native_program;
pub use runs::{LineRun, LineRuns};
pub use settings::{
    RegisteredHooks, RemainingSettings, SettingsRefusal, StatusLine, find, has_status_line,
    install, remove,
};
pub use trust::{trust_file, trusts};
