//! Hooks in the settings of coding agents: put in, taken out, looked for.

mod settings_file;
mod settings_path;

pub mod agents_present;
pub mod hooks_status;
pub mod install_hooks;
pub mod remove_hooks;

pub use settings_file::{Mode, SettingsChange, SettingsOutcome};
pub(in crate::operation) use settings_path::settings_locations;
pub use settings_path::{HookDatabase, User};
