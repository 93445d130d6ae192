//! What hooks of coding agents write into a run: the sessions that work on it, the agent's plan as
//! phases, files, and summaries that were not recorded on purpose.

mod owners;
mod parts;
mod plan;
mod work;

pub use owners::{
    Owner, Presence, Session, age_ms, branch, end, has_worked, heard, is_due, line, note, others,
    owners, place, presence, replace_others, works_on, worktree, writer,
};
pub use parts::UNNAMED;
pub use plan::{Planned, plan, stored_text};
pub use work::{
    has_outside, has_phase_in_hand, is_listed, list_outside, new_outside, phase_of_summary,
    phase_of_turn, present, report, stop, wrote,
};

#[cfg(test)]
mod tests;
