//! The settings of agents on this machine, for the entry that takes an event.

use std::env;
use std::fs;
use std::path::Path;

use crate::agent::registration::EntryLookup;

use super::invocation::variable;

/// The files and the environment of this process.
pub(super) struct SettingsOfMachine;

impl EntryLookup for SettingsOfMachine {
    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(path).ok()
    }

    fn is_there(&self, path: &str) -> bool {
        Path::new(path).exists()
    }

    fn variable(&self, name: &str) -> Option<String> {
        variable(name)
    }

    fn home(&self) -> Option<String> {
        env::home_dir()?.into_os_string().into_string().ok()
    }
}
