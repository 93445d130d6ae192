//! The parts that `cargo xtask` and the tool behind it share: the steps of `run` with their cost, and the lines that
//! show them.

mod board;
mod plan;

pub use board::Board;
pub use plan::{Part, Step, announcement};

/// The environment variable with which the launcher hands the time on at which it began: milliseconds since 1970.
/// Where it is not set, nothing was announced.
pub const BEGAN: &str = "MILEPOST_XTASK_BEGAN";
