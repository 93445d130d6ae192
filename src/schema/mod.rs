//! What documents look like: one definition, from which they are validated and published.

mod problem;

pub use problem::{Problem, ProblemCode};
