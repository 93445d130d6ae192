//! The sizes of the moments that are kept for rewinds, each measured once.
//!
//! They are in a cache beside the moments. Without it, or with one that is damaged, each is read again.

use std::collections::BTreeMap;

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::moment_listing::ListingDifference;
use crate::checkpoint::session::snapshot::Snapshot;
use crate::checkpoint::session::turns::Occasion;
use crate::effect::Links;
use crate::error::{Code, Error, Warning};
use crate::json::{self, Json, Object};
use crate::operation::Warnings;
use crate::store::objects::ObjectWriter;
use crate::worktree::ScanBudget;

use super::moments::UNDO_OF;
use super::removal::contents;
use super::request::TurnMark;
use super::snapshot_store::{SnapshotStore, StoredSnapshot};

/// The file, beside the moments.
const SIZES: &str = "sizes";

/// It is not larger.
const MAX_BYTES: u32 = 64 << 20;

/// The first line, with the version of the format.
const TITLE: &str = "moment sizes 1";

/// A moment, as far as it counts when moments are removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MomentSize {
    pub(super) id: SnapshotId,
    /// The session whose prompt it is; `None` for any other moment.
    pub(super) session: Option<String>,
    /// The moment from which it lists the difference.
    pub(super) since: Option<SnapshotId>,
    /// The bytes of its document.
    pub(super) bytes: u64,
    /// The SHA-256 and the bytes of each content that it lists itself.
    pub(super) files: Vec<(String, u64)>,
    /// The SHA-256 of each stored content that it refers to.
    pub(super) objects: Vec<String>,
}

impl MomentSize {
    /// That of a stored moment; `None` for a document of another kind.
    fn of(stored: &StoredSnapshot) -> Option<MomentSize> {
        let document = &stored.document;
        let mark = TurnMark::of(document);
        if mark.is_none() && document.get(UNDO_OF).is_none() {
            return None;
        }
        let prompt = mark.filter(|it| it.occasion == Occasion::Prompt);
        let snapshot = Snapshot::of(document).unwrap_or_default();
        let files = snapshot.files.iter().filter_map(|it| it.content.as_ref());
        Some(MomentSize {
            id: stored.known.id,
            session: prompt.map(|it| it.session),
            since: ListingDifference::of(document).map(|it| it.since),
            bytes: stored.text.len() as u64,
            files: files.map(|it| (it.sha256.clone(), it.size)).collect(),
            objects: contents(document),
        })
    }

    fn to_line(&self) -> String {
        let since = self.since.map(|it| it.to_string());
        let file = |(sha256, size): &(String, u64)| {
            Json::from(
                Object::new()
                    .with("sha256", sha256.as_str())
                    .with("size", *size),
            )
        };
        let record = Object::new()
            .with("id", self.id.to_string())
            .with("session", self.session.as_deref())
            .with("since", since.as_deref())
            .with("bytes", self.bytes)
            .with("files", self.files.iter().map(file).collect::<Vec<Json>>())
            .with("objects", self.objects.clone());
        Json::from(record).to_line()
    }

    fn of_line(line: &str) -> Option<MomentSize> {
        let Json::Object(record) = json::read(line.as_bytes()).ok()?.value else {
            return None;
        };
        let text = |key: &str| record.get(key).and_then(Json::as_str);
        let list = |key: &str| record.get(key).and_then(Json::as_array);
        let file = |it: &Json| {
            let it = it.as_object()?;
            Some((
                it.get("sha256")?.as_str()?.to_owned(),
                it.get("size")?.as_u64()?,
            ))
        };
        let objects = list("objects")?.iter();
        Some(MomentSize {
            id: text("id")?.parse().ok()?,
            session: text("session").map(str::to_owned),
            since: match text("since") {
                Some(since) => Some(since.parse().ok()?),
                None => None,
            },
            bytes: record.get("bytes")?.as_u64()?,
            files: list("files")?.iter().map(file).collect::<Option<_>>()?,
            objects: objects
                .map(|it| it.as_str().map(str::to_owned))
                .collect::<Option<_>>()?,
        })
    }
}

/// The sizes of all moments, the oldest first; `None` where the time was over before all were measured, which the next
/// call goes on with. One that cannot be read is passed over, with a warning.
pub(super) async fn sizes(
    store: &SnapshotStore<'_>,
    mut budget: ScanBudget,
    warnings: &mut Warnings,
) -> Result<Option<Vec<MomentSize>>, Error> {
    let mut known = read(store).await;
    let mut sizes = Vec::new();
    let mut is_any_new = false;
    for one in store.ids(false).await? {
        if let Some(size) = known.remove(&one.id) {
            sizes.push(size);
            continue;
        }
        if budget.is_over(store.io).await {
            continue;
        }
        match store.read(one.id).await {
            Ok(stored) => sizes.extend(MomentSize::of(&stored)),
            // It was pruned just now.
            Err(error) if error.code() == Code::NotFound => continue,
            Err(error) => {
                warnings.add(Warning::passed_over(&error));
                continue;
            }
        }
        is_any_new = true;
    }
    if is_any_new {
        write(store, &sizes).await?;
    }
    Ok((!budget.is_spent()).then_some(sizes))
}

/// The sizes that are known, by id.
async fn read(store: &SnapshotStore<'_>) -> BTreeMap<SnapshotId, MomentSize> {
    let path = store.folder.host(SIZES);
    let read = store.io.read(path, MAX_BYTES, Links::Refuse).await;
    let text = String::from_utf8(read.unwrap_or_default()).unwrap_or_default();
    let mut lines = text.lines();
    if lines.next() != Some(TITLE) {
        return BTreeMap::new();
    }
    let sizes = lines.filter_map(MomentSize::of_line);
    sizes.map(|it| (it.id, it)).collect()
}

async fn write(store: &SnapshotStore<'_>, sizes: &[MomentSize]) -> Result<(), Error> {
    let mut text = [TITLE, "\n"].concat();
    for size in sizes {
        text.push_str(&size.to_line());
        text.push('\n');
    }
    let durability = store.settings.durability;
    let writer = ObjectWriter::begin(store.io, &store.folder, durability).await?;
    writer.put_cache(SIZES, text.into_bytes()).await;
    writer.end().await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::MomentSize;

    #[test]
    fn a_size_is_read_back_unchanged() {
        let size = MomentSize {
            id: "chk-20260101-000001".parse().unwrap(),
            session: Some("a\tb\n".to_owned()),
            since: Some("chk-20260101-000000".parse().unwrap()),
            bytes: 7,
            files: vec![("ab".repeat(32), 1 << 40)],
            objects: vec!["cd".repeat(32)],
        };
        let other = MomentSize {
            session: None,
            since: None,
            files: Vec::new(),
            ..size.clone()
        };
        for size in [size, other] {
            let line = size.to_line();
            assert!(!line.contains('\n'));
            assert_eq!(MomentSize::of_line(&line), Some(size));
        }
        assert_eq!(MomentSize::of_line("{}"), None);
    }
}
