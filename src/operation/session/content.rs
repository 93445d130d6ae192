//! The content of a file that a snapshot keeps.

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::snapshot::{Snapshot, SnapshotChange, SnapshotFile};
use crate::effect::Io;
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::{Reply, Settings};
use crate::store::objects::{ContentReader, ObjectFault};

use super::snapshot_store::SnapshotStore;

/// The content that a snapshot keeps of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotFileContent {
    /// It says nothing of it: the path did not differ from the commit.
    Unknown,
    /// Nothing was there.
    Absent,
    /// It was not kept, for this reason.
    LeftOut(String),
    /// A size above the limit, or of bytes that are unavailable, with the reason.
    Unreadable(u64, String),
    /// Its bytes.
    Bytes(Vec<u8>),
}

/// The content that a snapshot keeps of a path, with the facts by which it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotContent {
    /// The content.
    pub content: SnapshotFileContent,
    /// Set where the commit has no such file.
    pub is_new: bool,
    /// The commit.
    pub head: Option<String>,
}

impl SnapshotContent {
    /// Returns the content in view of what another checkpoint says: a file in neither the commit nor the snapshot was
    /// not there.
    pub fn compared_with(self, other: Option<&SnapshotContent>) -> SnapshotFileContent {
        match (self.content, other) {
            (SnapshotFileContent::Unknown, Some(other))
                if other.is_new && other.head == self.head =>
            {
                SnapshotFileContent::Absent
            }
            (content, _) => content,
        }
    }
}

/// Returns what the checkpoint `id` keeps of the file at `path`, of at most `limit` bytes.
///
/// Warns and fails as [`load`](super::load::load) does.
pub async fn content(
    io: &Io,
    settings: &Settings,
    id: SnapshotId,
    path: &str,
    limit: u32,
) -> Reply<SnapshotContent> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::open(io, settings).await?;
        let session = store.read(id).await?;
        store.notice(&session, warnings).await;
        let snapshot = Snapshot::of(&session.document).unwrap_or_default();
        let file = snapshot.files.iter().find(|it| it.path == path);
        let left_out = snapshot.left_out.iter().find(|it| it.path == path);
        let content = match (left_out, file) {
            (Some(left_out), _) => SnapshotFileContent::LeftOut(left_out.reason.clone()),
            (None, Some(file)) => of_file(&store, file, limit).await?,
            (None, None) => SnapshotFileContent::Unknown,
        };
        let head = session.document.get("head_commit").and_then(Json::as_str);
        Ok(SnapshotContent {
            content,
            is_new: file.is_some_and(|file| file.change == SnapshotChange::Added),
            head: head.map(str::to_owned),
        })
    })
    .await
}

async fn of_file(
    store: &SnapshotStore<'_>,
    file: &SnapshotFile,
    limit: u32,
) -> Result<SnapshotFileContent, Error> {
    match &file.content {
        None => Ok(SnapshotFileContent::Absent),
        Some(content) if content.size > u64::from(limit) => {
            let why = format!("larger than {} MiB", limit >> 20);
            Ok(SnapshotFileContent::Unreadable(content.size, why))
        }
        Some(content) => {
            let read = bytes(store, &content.sha256, limit).await?;
            Ok(read.unwrap_or_else(|why| SnapshotFileContent::Unreadable(content.size, why)))
        }
    }
}

async fn bytes(
    store: &SnapshotStore<'_>,
    sha256: &str,
    limit: u32,
) -> Result<Result<SnapshotFileContent, String>, Error> {
    let reader = ContentReader::open(store.io, &store.folder).await?;
    let read = reader.read(sha256, limit).await?;
    Ok(match read {
        Ok(bytes) => Ok(SnapshotFileContent::Bytes(bytes)),
        Err(broken) => Err(match broken.lack {
            ObjectFault::Missing => format!("{} is missing", broken.object),
            ObjectFault::Damaged => format!("{} is damaged", broken.object),
        }),
    })
}
