//! Files that a snapshot brings back, on real files beside the real git.

mod concurrent;
mod corners;
mod data_loss;
mod model;
mod modes;
mod partial_clone;
mod rewind;
mod rewind_cost;
mod rewind_faults;
mod rewind_model;
mod rewind_sessions;
mod rewind_turns;
mod rewind_undo;
mod settings;
mod stopped;
mod tree;
mod unread;
mod untrusted;
mod worktree;
