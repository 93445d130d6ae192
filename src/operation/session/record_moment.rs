//! A moment of a turn, kept for rewinds.

use crate::checkpoint::session::reason::SnapshotReason;
use crate::checkpoint::session::turns::Occasion;
use crate::effect::{Io, boxed};
use crate::error::{Error, Warning};
use crate::json::Object;
use crate::operation::{Settings, Target, Warnings};

use super::create::create_at;
use super::limits::SnapshotLimits;
use super::prune_moments::prune_now;
use super::request::{ChangedFiles, Create, RewindMark, TurnMark};
use super::rewind_limits::RewindLimits;
use super::snapshot::Past;
use super::snapshot_store::SnapshotStore;

/// The number of a session's prompt is looked for among so many moments.
const MOST_READ: usize = 60;

/// The moment to keep.
#[derive(Clone, Debug)]
pub struct MomentRequest<'a> {
    /// The moment.
    pub occasion: Occasion,
    /// The agent, such as `claude-code`.
    pub agent: &'a str,
    /// The session.
    pub session: &'a str,
    /// The branch that is checked out.
    pub branch: Option<&'a str>,
    /// The first characters of the prompt, without secrets.
    pub prompt: Option<&'a str>,
    /// The run of the session, if it has one.
    pub run: Option<Target>,
}

/// A rewind since the last prompt of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewindSince {
    /// The prompt whose files are back.
    pub prompt: Option<String>,
    /// The paths that were touched.
    pub paths: Vec<String>,
}

/// Keeps a moment; of a prompt, returns the rewinds since the one before, the newest first.
///
/// # Errors
///
/// As making a snapshot.
pub(in crate::operation) async fn record(
    io: &Io,
    settings: &Settings,
    request: MomentRequest<'_>,
    limits: RewindLimits,
    warnings: &mut Warnings,
) -> Result<Vec<RewindSince>, Error> {
    let store = SnapshotStore::of_prompts(io, settings).await?;
    store.expect_known(&store.folder).await?;
    let is_prompt = request.occasion == Occasion::Prompt;
    let (before, rewinds) = since_prompt(&store, request.session).await?;
    let mark = TurnMark {
        occasion: request.occasion,
        agent: request.agent.to_owned(),
        session: request.session.to_owned(),
        branch: request.branch.map(str::to_owned),
        number: before + u64::from(is_prompt),
        prompt: request.prompt.map(str::to_owned),
        rewind: None,
    };
    let create = create(mark, request.run);
    keep(&store, create, warnings).await?;
    if is_prompt && let Err(error) = boxed(prune_now(&store, limits, warnings)).await {
        warnings.add(Warning::passed_over(&error));
    }
    Ok(rewinds)
}

/// Keeps the moment after a rewind.
///
/// # Errors
///
/// As making a snapshot.
pub(super) async fn record_rewind(
    store: &SnapshotStore<'_>,
    mark: TurnMark,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    keep(store, create(mark, None), warnings).await
}

/// The limits of a moment, which has no diff to read.
pub(super) async fn limits_of(
    store: &SnapshotStore<'_>,
    warnings: &mut Warnings,
) -> SnapshotLimits {
    SnapshotLimits {
        max_diff_bytes: 0,
        ..SnapshotLimits::known(store, warnings).await
    }
}

async fn keep(
    store: &SnapshotStore<'_>,
    create: Create<'_>,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let limits = limits_of(store, warnings).await;
    let made = create_at(store, create, Past::default(), &limits, warnings);
    boxed(made).await.map(drop)
}

fn create(mark: TurnMark, run: Option<Target>) -> Create<'static> {
    Create {
        reason: SnapshotReason::UserRequested,
        message: None,
        given: Object::new(),
        target: run,
        files: ChangedFiles::Kept(Vec::new()),
        undo_of: None,
        made_by: None,
        turn: Some(mark),
    }
}

/// The number of the last prompt of a session, 0 for none, and the rewinds since then.
async fn since_prompt(
    store: &SnapshotStore<'_>,
    session: &str,
) -> Result<(u64, Vec<RewindSince>), Error> {
    let mut rewinds = Vec::new();
    for known in store.ids(false).await?.into_iter().rev().take(MOST_READ) {
        // One that cannot be read, or is gone, does not count.
        let stored = store.read(known.id).await.ok();
        let mark = stored.and_then(|it| TurnMark::of(&it.document));
        match mark.filter(|it| it.session == session) {
            Some(TurnMark {
                rewind: Some(RewindMark { paths, .. }),
                prompt,
                ..
            }) => rewinds.push(RewindSince { prompt, paths }),
            Some(TurnMark { number, .. }) => return Ok((number, rewinds)),
            None => {}
        }
    }
    Ok((0, rewinds))
}
