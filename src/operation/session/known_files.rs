//! The facts that are known of the files since the last moment that was kept for rewinds.

use crate::checkpoint::session::known_files::KnownFiles;
use crate::effect::Links;

use super::snapshot_store::{SnapshotStore, stem};

/// The file, beside the moments.
pub(super) const KNOWN: &str = "known";

/// It is not larger: some hundred bytes for each file.
const MAX_BYTES: u32 = 64 << 20;

/// The facts that are known; nothing where there is no such file, or it cannot be read.
pub(super) async fn read(store: &SnapshotStore<'_>) -> KnownFiles {
    let read = store
        .io
        .read(store.folder.host(KNOWN), MAX_BYTES, Links::Refuse);
    let bytes = read.await.unwrap_or_default();
    let known = KnownFiles::of(&bytes).unwrap_or_default();
    let is_there = async |id: &Option<String>| match id.as_deref().map(str::parse) {
        Some(Ok(id)) => match stem(id) {
            Ok(stem) => store
                .documents(false)
                .is_taken(&stem)
                .await
                .unwrap_or_default(),
            Err(_) => false,
        },
        _ => false,
    };
    let has_base = is_there(&known.base).await;
    let has_last = has_base && (known.last == known.base || is_there(&known.last).await);
    match (has_base, has_last) {
        (true, true) => known,
        (true, false) => KnownFiles {
            last: None,
            ..known
        },
        (false, _) => known.without_base(),
    }
}
