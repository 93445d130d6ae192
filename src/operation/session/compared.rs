//! A checkpoint beside the work tree as it is now.

use std::cell::Cell;

use crate::checkpoint::session::plan::fact::{Heads, Names, Recorded};
use crate::checkpoint::session::snapshot::Snapshot;
use crate::effect::Io;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::keys::Keyed;
use crate::store::objects::{Broken, Depth, Lack, Reader};
use crate::worktree::report::Limits;
use crate::worktree::{Facts, Look, at_head, facts, look};

use super::opened::Opened;

/// Of one file that HEAD has, so much is in memory.
const MAX_HEAD_BYTES: usize = 64 << 20;

/// What a checkpoint is compared by.
pub(super) struct Compared {
    /// What it keeps; nothing where it has no snapshot.
    pub(super) snapshot: Snapshot,
    /// Whether it has one.
    pub(super) has_snapshot: bool,
    /// Asked for what HEAD has, one after the other.
    look: Cell<Option<Look>>,
    pub(super) names: Names,
    /// The paths that differ from HEAD, sorted.
    differing: Vec<String>,
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
            names: look.names(),
            differing: look.files.iter().map(|file| file.path.clone()).collect(),
            look: Cell::new(Some(look)),
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

    /// Whether a path differs from HEAD.
    pub(super) fn differs(&self, path: &str) -> bool {
        let found = self.differing.binary_search_by(|it| it.as_str().cmp(path));
        found.is_ok()
    }

    /// The bytes that HEAD has at a path.
    ///
    /// # Errors
    ///
    /// [`Error::io`] where they cannot be had.
    pub(super) async fn at_head(&self, io: &Io, path: &str) -> Result<Vec<u8>, Error> {
        // It is back before anybody else asks: a restore does one step at a time.
        let Some(mut look) = self.look.take() else {
            return Err(Error::busy(path.to_owned()));
        };
        let read = at_head(io, &mut look, path, MAX_HEAD_BYTES).await;
        self.look.set(Some(look));
        match read {
            Ok((_, bytes)) => Ok(bytes),
            Err(why) => {
                let message = format!("What HEAD has at {path} cannot be had: {why}");
                Err(Error::io("read", path.to_owned(), message))
            }
        }
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
