//! Compares the worktree with a snapshot.

use crate::checkpoint::session::plan::verify::{FileVerdict, verify as compare};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::sorting;
use crate::store::objects::Depth;

use super::compared::{CommitScope, SnapshotComparison};
use super::limits::SnapshotLimits;
use super::load::{SnapshotArguments, selector};
use super::notes::warn_of_filters;
use super::snapshot_store::{SnapshotSelector, SnapshotStore};

pub(super) const OPERATION: Operation = Operation::at::<VerifySessionArguments, VerifiedSnapshot>(
    "verify_session",
    "Compares the worktree with a snapshot.",
    perform,
)
.of(Capability::Sessions);

/// The checkpoint: one of the two.
#[derive(ArgumentMembers)]
struct VerifySessionArguments<'a> {
    #[shape(flatten)]
    snapshot: SnapshotArguments<'a>,
}

/// A path.
#[derive(Shaped)]
struct VerifiedFile {
    /// Relative to the root.
    path: String,
    /// The comparison with what was recorded.
    answer: FileVerdict,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let VerifySessionArguments { snapshot } = arguments.read();
        match selector(&snapshot) {
            Ok(selector) => verify(io, settings, selector).await.map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// The work tree beside a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "VerifiedSession")]
pub struct VerifiedSnapshot {
    /// Its id.
    pub id: String,
    /// True if the commit and every file are the same.
    pub matches: bool,
    /// True if another commit is checked out.
    #[shape(name = "head_moved")]
    pub has_head_moved: bool,
    /// The commit that was checked out, if there was one.
    pub recorded_head: Option<String>,
    /// The commit that is checked out, if there is one.
    pub present_head: Option<String>,
    /// Every path that is recorded or differs from HEAD, sorted.
    #[shape(into = VerifiedFile)]
    pub files: Vec<(String, FileVerdict)>,
    /// True if files were kept with it; without them only the commit is compared.
    pub has_snapshot: bool,
}

impl From<(String, FileVerdict)> for VerifiedFile {
    fn from((path, answer): (String, FileVerdict)) -> Self {
        VerifiedFile { path, answer }
    }
}

/// Compares the work tree with a checkpoint. That something differs from HEAD is no mismatch by itself:
/// contents decide.
///
/// Fails as [`load`](super::load::load) does, and with `io` where the repository cannot be read.
pub async fn verify(
    io: &Io,
    settings: &Settings,
    selector: SnapshotSelector,
) -> Reply<VerifiedSnapshot> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::open(io, settings).await?;
        let session = store.find(selector).await?;
        let id = session.known.id;
        store.notice(&session, warnings).await;
        let limits = SnapshotLimits::known(&store, warnings).await;
        let compared = SnapshotComparison::new(
            &store,
            &session.document,
            &limits,
            (Depth::Names, CommitScope::Same),
        );
        let compared = boxed(compared).await?;
        warn_of_filters(&compared.notes, warnings);
        Ok::<VerifiedSnapshot, Error>(outcome(id.to_string(), &compared))
    })
    .await
}

fn outcome(id: String, compared: &SnapshotComparison) -> VerifiedSnapshot {
    let (recorded, present) = (compared.recorded(), compared.facts.present());
    let heads = compared.heads();
    let verified = compare(&recorded, &present, heads);
    let files = verified.files.iter();
    // A file that was not kept cannot be compared.
    let mut files: Vec<(String, FileVerdict)> = files
        .filter(|(path, _)| compared.knows(path))
        .map(|(path, answer)| ((*path).to_owned(), *answer))
        .collect();
    let folders = compared.folder_modes();
    let folders = folders.iter().filter(|it| it.differs());
    files.extend(folders.map(|it| (it.path.to_owned(), FileVerdict::Changed)));
    let names = compared.strange_names().into_iter();
    files.extend(names.map(|(path, answer)| (path.to_owned(), answer)));
    sorting::sort_by(&mut files, |one, other| one.0.cmp(&other.0));
    let are_same = files.iter().all(|(_, answer)| *answer == FileVerdict::Same);
    VerifiedSnapshot {
        id,
        matches: !verified.has_head_moved && are_same,
        has_head_moved: verified.has_head_moved,
        recorded_head: heads.recorded.map(str::to_owned),
        present_head: heads.present.map(str::to_owned),
        files,
        has_snapshot: compared.has_snapshot,
    }
}
