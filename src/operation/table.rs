//! Every operation. All surfaces and all harnesses read this table.

#[cfg(any(feature = "agents", not(target_family = "wasm")))]
use super::agent;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
use super::notification;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
use super::session;
#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
use super::task;
#[cfg(any(feature = "threads", not(target_family = "wasm")))]
use super::thread;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
use super::viewing;
#[cfg(not(all(feature = "agent-hook", target_family = "wasm")))]
use super::{command, project, rules};

pub use super::row::{Capability, Operation};

/// Every operation, in the order of the documentation.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    let groups = [
        #[cfg(not(all(feature = "agent-hook", target_family = "wasm")))]
        command::ROWS,
        #[cfg(any(feature = "sessions", not(target_family = "wasm")))]
        session::ROWS,
        #[cfg(any(feature = "tasks", not(target_family = "wasm")))]
        task::ROWS,
        #[cfg(any(feature = "threads", not(target_family = "wasm")))]
        thread::ROWS,
        #[cfg(any(feature = "agents", not(target_family = "wasm")))]
        agent::ROWS,
        #[cfg(not(all(feature = "agent-hook", target_family = "wasm")))]
        project::ROWS,
        #[cfg(not(all(feature = "agent-hook", target_family = "wasm")))]
        rules::ROWS,
        #[cfg(any(feature = "cli", not(target_family = "wasm")))]
        notification::ROWS,
        #[cfg(any(feature = "cli", not(target_family = "wasm")))]
        viewing::ROWS,
    ];
    groups.into_iter().flatten()
}

/// The operation of this name, or of this earlier one.
pub fn find(name: &str) -> Option<&'static Operation> {
    let name = match name {
        "trim" => "prune",
        name => name,
    };
    all().find(|operation| operation.name == name)
}
