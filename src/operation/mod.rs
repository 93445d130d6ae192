//! The operations, each one `async fn` over effects: the only modules that know the rules as well as the store.

#[cfg(agents)]
pub mod agent;
pub mod command;
#[cfg(all_operations)]
pub mod database;
#[cfg(threads)]
mod document_folder;
#[cfg(all_operations)]
pub mod hooks;
#[cfg(threads)]
mod meant;
#[cfg(all_operations)]
pub mod notification;
mod paths;
pub mod project;
#[cfg(not(target_family = "wasm"))]
pub mod publish;
#[cfg(sessions)]
mod remembered;
mod reply;
pub mod request;
mod row;
pub mod rules;
#[cfg(not(target_family = "wasm"))]
pub mod schemas;
mod secrets;
#[cfg(sessions)]
pub mod session;
pub mod table;
#[cfg(threads)]
pub mod task;
pub mod text;
#[cfg(threads)]
pub mod thread;
#[cfg(all_operations)]
pub mod viewing;
pub(crate) mod wire;
mod workspace;

pub use crate::error::Target;
pub use crate::root::Settings;
pub use reply::Reply;
pub use wire::Ended;

pub(crate) use reply::Warnings;

/// From each name: the module of an operation, and its row. One that not every wasm has says under
/// which condition it is there.
macro_rules! rows {
    ($($(#[$when:meta])? $operation:ident)+) => {
        $($(#[$when])? pub mod $operation;)+

        /// The operations of this module.
        pub(super) const ROWS: &[$crate::operation::row::Operation] =
            &[$($(#[$when])? $operation::OPERATION,)+];
    };
}
use rows;
