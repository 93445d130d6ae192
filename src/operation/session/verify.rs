//! Compares the worktree with a snapshot.

use crate::checkpoint::session::plan::verify::{FileVerdict, verify as compare};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation, required, shape};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Kind, Shape};
use crate::store::objects::Depth;

use super::compared::SnapshotComparison;
use super::limits::SnapshotLimits;
use super::load::{ID, LATEST, selector};
use super::notes::warn_of_filters;
use super::snapshot_store::{SnapshotSelector, SnapshotStore};

pub(super) const OPERATION: Operation = Operation::at(
    "verify_session",
    "Compares the worktree with a snapshot.",
    &ARGUMENTS,
    Kind::Object(&VERIFIED),
    perform,
)
.of(Capability::Sessions);

const ARGUMENTS: Shape = shape(
    "VerifySessionArguments",
    "The checkpoint: one of the two.",
    &[ID, LATEST],
);

const VERIFIED: Shape = shape(
    "VerifiedSession",
    "The work tree beside a checkpoint.",
    &[
        required("id", Kind::String, "Its id."),
        required(
            "matches",
            Kind::Boolean,
            "True if the commit and every file are the same.",
        ),
        required(
            "head_moved",
            Kind::Boolean,
            "True if another commit is checked out.",
        ),
        required(
            "recorded_head",
            Kind::Nullable(&Kind::String),
            "The commit that was checked out, if there was one.",
        ),
        required(
            "present_head",
            Kind::Nullable(&Kind::String),
            "The commit that is checked out, if there is one.",
        ),
        required(
            "files",
            Kind::List(&Kind::Object(&FILE)),
            "Every path that is recorded or differs from HEAD, sorted.",
        ),
        required(
            "has_snapshot",
            Kind::Boolean,
            "True if files were kept with it; without them only the commit is compared.",
        ),
    ],
);

const FILE: Shape = shape(
    "VerifiedFile",
    "A path.",
    &[
        required("path", Kind::String, "Relative to the root."),
        required(
            "answer",
            Kind::Enum(&[
                FileVerdict::Same.as_str(),
                FileVerdict::Changed.as_str(),
                FileVerdict::Missing.as_str(),
                FileVerdict::Unexpected.as_str(),
            ]),
            "The comparison with what was recorded.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        match selector(arguments) {
            Ok(selector) => verify(io, settings, selector).await.map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// The work tree beside a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedSnapshot {
    /// Its id.
    pub id: String,
    /// Set where the commit and every file are the same.
    pub matches: bool,
    /// Set where another commit is checked out.
    pub has_head_moved: bool,
    /// The commit that was checked out.
    pub recorded_head: Option<String>,
    /// The commit that is checked out.
    pub present_head: Option<String>,
    /// Every path that is recorded or differs from HEAD, every folder whose recorded mode differs, and every name that
    /// is not UTF-8 and came or went, sorted.
    pub files: Vec<(String, FileVerdict)>,
    /// Set where files were kept with it.
    pub has_snapshot: bool,
}

impl From<VerifiedSnapshot> for Json {
    fn from(verified: VerifiedSnapshot) -> Self {
        let files = verified.files.into_iter().map(|(path, answer)| {
            let file = Object::new()
                .with("path", path)
                .with("answer", answer.as_str());
            Json::from(file)
        });
        Object::new()
            .with("id", verified.id)
            .with("matches", verified.matches)
            .with("head_moved", verified.has_head_moved)
            .with("recorded_head", verified.recorded_head)
            .with("present_head", verified.present_head)
            .with("files", files.collect::<Vec<_>>())
            .with("has_snapshot", verified.has_snapshot)
            .into()
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
        let compared = SnapshotComparison::new(&store, &session.document, &limits, Depth::Names);
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
    files.sort_by(|one, other| one.0.cmp(&other.0));
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
