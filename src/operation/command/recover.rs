//! A lost checkpoint, brought back from its history.

use crate::checkpoint::command::document::{self, Changeability};
use crate::effect::{Io, boxed};
use crate::error::{Advice, Code, Error};
use crate::json::{Json, Object};
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::{Revision, RevisionChoice};

use super::restore::RestoredRun;
use super::run_store::RunStore;

pub(super) const OPERATION: Operation = Operation::changing::<RecoverArguments, RecoveredRun>(
    "recover",
    "Brings a corrupt or vanished checkpoint back from its history.",
    perform,
);

/// The checkpoint, and what to bring back.
#[derive(ArgumentMembers)]
struct RecoverArguments {
    #[shape(flatten)]
    target: Target,
    /// This revision instead of the last good one.
    to: Option<u64>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let RecoverArguments { target, to } = arguments.read();
        recover(io, settings, &target, to).await.map(Json::from)
    })
}

/// A checkpoint that was corrupt or gone.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "Recovered")]
pub struct RecoveredRun {
    /// The result that is stored now.
    #[shape(flatten)]
    pub restored: RestoredRun,
    /// The path of the kept corrupt file, relative to the root; null where there was none.
    pub quarantined: Option<String>,
}

/// Writes the content of a good revision, the newest one or `to`, in the place of a checkpoint that
/// is corrupt, gone though it has a history, or so broken that nothing can change it. A corrupt file is
/// kept in quarantine.
///
/// Fails with `not_found` when the checkpoint can be read, when there never was one, and when no
/// such revision is kept; and as [`undo`](super::undo::undo) does.
pub async fn recover(
    io: &Io,
    settings: &Settings,
    target: &Target,
    to: Option<u64>,
) -> Reply<RecoveredRun> {
    about(target, async |warnings| {
        let store = RunStore::open(io, settings, target).await?;
        let now = store.now().await?;
        store.gate.load_allowed(io, &store.root).await;
        let mut accept =
            |revision: &Revision, object: Object| store.restorable(revision, object, &now);
        let choice = to.map_or(RevisionChoice::Below(u64::MAX), RevisionChoice::Exactly);
        let recovered = store.versioned.recover(choice, &mut accept).await;
        let recovered = match recovered {
            Ok(recovered) => recovered,
            Err(error) => {
                store.expect_root().await?;
                return Err(explained(&store, error).await);
            }
        };
        store.notice_left(warnings);
        store.gate.notice(&store.shown(), warnings);
        Ok(RecoveredRun {
            restored: RestoredRun {
                revision: recovered.committed.stamp.revision,
                seal: recovered.committed.stamp.seal,
                restored: recovered.from,
                changed: true,
            },
            quarantined: recovered.quarantined,
        })
    })
    .await
}

/// The failure; for a checkpoint that can be read and breaks its schema, with what puts that right.
#[cold]
async fn explained(store: &RunStore<'_>, error: Error) -> Error {
    if error.code() != Code::NotFound {
        return error;
    }
    let Ok(Some(document)) = store.versioned.read().await.map(|stored| stored.document) else {
        return error;
    };
    let revision = document.stamp.revision;
    let object = Json::Object(document.object);
    let problems = document::problems(&object, &[&store.target.command]);
    let (Some(first), Some(object)) = (problems.first(), object.as_object()) else {
        return error;
    };
    let changeability = document::changeability(object, &problems);
    let consequence = match changeability {
        // A good revision was looked for.
        Changeability::Recover => return error,
        Changeability::Any => "an update with an allowed value puts that right",
        Changeability::Undo => "no update is made as long as that is so",
        Changeability::Nothing => "a later version wrote it, and this one never writes over it",
    };
    let mut message = format!(
        "There is nothing to recover: {} can be read, and is at revision {revision}. It does not keep \
         the schema (problems: {}, the first: {first}); {consequence}",
        store.shown(),
        problems.len()
    );
    let revisions = store.versioned.revisions().await.unwrap_or_default();
    let has_before = revisions.iter().any(|it| it.number < revision);
    if !has_before || changeability == Changeability::Nothing {
        return Error::not_found(message);
    }
    message.push_str(". The revision before it is kept");
    Error::not_found(message).with_advice(Advice::Undo(store.target.clone()))
}
