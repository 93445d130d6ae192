//! Every operation. All doors and all harnesses read this table.

use super::{command, project, rules};

pub use super::row::Operation;

/// Every operation, in the order of the documentation.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    [command::ROWS, project::ROWS, rules::ROWS]
        .into_iter()
        .flatten()
}

/// The operation of this name.
pub fn find(name: &str) -> Option<&'static Operation> {
    all().find(|operation| operation.name == name)
}
