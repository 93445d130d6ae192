//! Notices of what checkpoints reached, pure: what is said, to whom it is still to be sent, and when it is retried.
//!
//! Nothing is written where a checkpoint changes. The notices follow from the documents and a cursor, which says how
//! far each was looked at; what was found is queued in the same document, by the same compare-and-swap, so that nothing
//! is lost or found twice. A notice leaves the queue when its receiver has acknowledged it: a process that dies in
//! between has it sent again, under the same id.

pub mod cursor;
pub mod definition;
pub mod delivery;
pub mod issue;
pub mod notice;
pub mod schedule;
