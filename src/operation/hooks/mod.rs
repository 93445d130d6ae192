//! Hooks in the settings of coding agents: put in, taken out, looked for.

mod place;
mod settings_file;

pub mod agents_present;
pub mod hooks_status;
pub mod install_hooks;
pub mod remove_hooks;

pub(in crate::operation) use place::settings_places;
pub use place::{HookDatabase, User};
pub use settings_file::{Change, Mode, Outcome};
