//! The operations, each one `async fn` over effects: the only modules that know the rules as well as the store.

#[cfg(any(feature = "agents", not(target_family = "wasm")))]
pub mod agent;
pub mod command;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
pub mod database;
#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
mod document_folder;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
pub mod hooks;
#[cfg(any(feature = "threads", not(target_family = "wasm")))]
mod meant;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
pub mod notification;
mod paths;
pub mod project;
#[cfg(not(target_family = "wasm"))]
pub mod publish;
#[cfg(any(feature = "sessions", feature = "cli", not(target_family = "wasm")))]
mod remembered;
mod reply;
pub mod request;
mod row;
pub mod rules;
#[cfg(not(target_family = "wasm"))]
pub mod schemas;
mod secrets;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod session;
pub mod table;
#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
pub mod task;
pub mod text;
#[cfg(any(feature = "threads", not(target_family = "wasm")))]
pub mod thread;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
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
