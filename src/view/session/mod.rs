//! Snapshots, in builds that read them.

#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
mod enabled;
#[cfg(not(any(feature = "sessions", not(target_family = "wasm"))))]
#[path = "stub.rs"]
mod enabled;

pub(super) use enabled::{
    SessionId, differences, files, id, page, prose, read, resume_with, snapshot_files,
};
