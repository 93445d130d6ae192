//! Task checkpoints of many writers, readers and cleaners side by side, among files or among records.
//!
//! Regardless of what dies or fails: each change is what its job says, and happens once; what an index names
//! is there, whole, at every moment; no id is of two tasks; what was acknowledged stays, and what was evicted
//! or deleted stays away; a reader gets what was so during its read; and after a clean-up nothing is left
//! that is not needed.
//!
//! [`seeds`] is runs that a seed decides, [`pairs`] every order of two jobs with two changes of turn.

mod job;
mod oracle;
pub mod pairs;
pub mod seeds;
mod seen;
