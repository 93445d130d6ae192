//! Every operation. All surfaces and all harnesses read this table.

pub use super::row::{Capability, Operation};

/// Every operation, in the order of the documentation.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    let groups = [
        #[cfg(not(agent_hook_wasm))]
        super::command::ROWS,
        #[cfg(sessions)]
        super::session::ROWS,
        #[cfg(threads)]
        super::task::ROWS,
        #[cfg(threads)]
        super::thread::ROWS,
        #[cfg(agents)]
        super::agent::ROWS,
        #[cfg(not(agent_hook_wasm))]
        super::project::ROWS,
        #[cfg(not(agent_hook_wasm))]
        super::rules::ROWS,
        #[cfg(all_operations)]
        super::notification::ROWS,
        #[cfg(all_operations)]
        super::viewing::ROWS,
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
