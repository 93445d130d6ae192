//! Coding agents: what their hooks send, what they take for an answer, and where each says what.
//!
//! Pure: payload in, typed event out; answer in, bytes out. All that differs from agent to agent stands in
//! one table (`table.rs`). Unknown events, fields and tools are accepted, and mean nothing.

mod table;

pub use table::{Agent, published};
