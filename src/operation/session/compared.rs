//! A checkpoint beside the work tree as it is now.

use std::cell::RefCell;

use crate::checkpoint::session::plan::fact::{Heads, Recorded};
use crate::checkpoint::session::snapshot::Snapshot;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::keys::Keyed;
use crate::store::objects::{Broken, Depth, Lack, Reader};
use crate::worktree::report::Limits;
use crate::worktree::{Facts, Look, facts, look};

use super::opened::Opened;

/// Of one file that HEAD has, so much is in memory.
pub(super) const MAX_HEAD_BYTES: usize = 64 << 20;

/// What a checkpoint is compared by.
pub(super) struct Compared {
    /// What it keeps; nothing where it has no snapshot.
    pub(super) snapshot: Snapshot,
    /// Whether it has one.
    pub(super) has_snapshot: bool,
    /// Asked for what HEAD has, which it remembers.
    pub(super) look: RefCell<Look>,
    pub(super) facts: Facts,
    present_head: Option<String>,
    /// Why contents cannot be given back, by their SHA-256.
    lost: Vec<(String, String)>,
    recorded_head: Option<String>,
}

impl Compared {
    /// Looks at the work tree. `depth` says how closely the contents that are kept are looked at.
    ///
    /// # Errors
    ///
    /// As [`look()`] and [`facts`].
    pub(super) async fn new(
        opened: &Opened<'_>,
        document: &Object,
        depth: Depth,
    ) -> Result<Box<Self>, Error> {
        let own = opened.own_folders()?;
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        let limits = Limits::default();
        let mut look = look(opened.io, &opened.root, &limits, &own).await?;
        let snapshot = Snapshot::of(document);
        let has_snapshot = snapshot.is_some();
        let snapshot = snapshot.unwrap_or_default();
        let paths = snapshot.files.iter().map(|file| file.path.as_str());
        let left_out = snapshot.left_out.iter().map(|it| it.path.as_str());
        let paths: Vec<&str> = paths.chain(left_out).collect();
        let facts = facts(opened.io, &mut look, &paths, &own, &limits, MAX_HEAD_BYTES).await?;
        let reader = Reader::open(opened.io, &opened.folder).await?;
        let lost = reader.check(&snapshot.contents(), depth).await?;
        let lost = lost.into_iter().map(|it| (it.sha256.clone(), why(&it)));
        let recorded_head = document.get("head_commit").and_then(Json::as_str);
        Ok(Box::new(Compared {
            lost: lost.collect(),
            recorded_head: recorded_head.map(str::to_owned),
            present_head: look.head.clone(),
            snapshot,
            has_snapshot,
            look: RefCell::new(look),
            facts,
        }))
    }

    /// What is to be again: what the snapshot has, and what HEAD has where only the work tree differs.
    pub(super) fn recorded(&self) -> Vec<Recorded<'_>> {
        let lost: Keyed<'_, &str> = self
            .lost
            .iter()
            .map(|(sha256, why)| (sha256.as_str(), why.as_str()))
            .collect();
        let mut recorded = self.snapshot.recorded(&lost);
        if self.has_snapshot {
            recorded.extend(self.facts.recorded());
        }
        recorded
    }

    /// Which commit was, and is, checked out.
    pub(super) fn heads(&self) -> Heads<'_> {
        Heads {
            recorded: self.recorded_head.as_deref(),
            present: self.present_head.as_deref(),
        }
    }
}

fn why(broken: &Broken) -> String {
    let lack = match broken.lack {
        Lack::Missing => "is missing",
        Lack::Damaged => "is damaged",
    };
    format!("{} {lack}", broken.object)
}
