//! Session checkpoints, in builds that read them.

#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
mod kept;
#[cfg(not(any(feature = "sessions", not(target_family = "wasm"))))]
#[path = "without.rs"]
mod kept;

pub(super) use kept::{SessionId, differences, files, id, kept, page, prose, read, resume_with};
