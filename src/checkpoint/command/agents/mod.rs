//! The part of a run that hooks of coding agents write: the sessions that work on it, the agent's
//! plan as phases, files, and summaries that were not recorded on purpose.

mod dirty;
mod item;
mod matching;
mod owners;
mod parts;
mod plan;
mod work;

pub use dirty::{Baseline, DirtyFile, MAX_DIRTY, Trace, created_files, forget_files, unnamed};
pub use item::{Planned, stored_text};
pub use owners::{
    OWNERSHIP, RunOwner, SessionPresence, SessionRef, age_ms, branch, branch_name,
    differ_in_owners_alone, end, has_worked, heard, is_due, is_same_content, keep_owners, line,
    note, others, owners, place, presence, replace_others, works_on, worktree, writer,
};
pub use parts::UNNAMED;
pub use plan::plan;
pub use work::{
    add_changed, created_in_turn, has_current_phase, has_outside, is_listed, list_outside,
    named_in_turn, new_outside, note_created, phase_of_summary, phase_of_turn, present, report,
    stop, wrote,
};

#[cfg(test)]
mod owners_tests;
#[cfg(test)]
mod plan_tests;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod work_tests;
