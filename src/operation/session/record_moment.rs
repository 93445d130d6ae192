//! A moment of a turn, kept for rewinds.

use crate::checkpoint::session::turns::Occasion;
use crate::effect::{Access, Io, Sync, boxed};
use crate::error::{Error, Warning};
use crate::integrations::FILE;
use crate::operation::{Settings, Target, Warnings};
use crate::worktree::ScanBudget;

use super::keep_moment::{MomentOutcome, keep_moment};
use super::prune_moments::prune_now;
use super::request::{RewindMark, TurnMark};
use super::rewind_limits::RewindLimits;
use super::snapshot_store::SnapshotStore;

/// The agent waits no longer for a moment, in milliseconds.
const MOST_MS: f64 = 1_000.0;

/// A message says once that so many bytes are kept.
const NOTED_BYTES: u64 = 256 << 20;

/// The files that say that a message was shown.
const NOTED_INCOMPLETE: &str = "noted-incomplete";
const NOTED_SIZE: &str = "noted-size";

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
    /// The files that a tool wrote after the end of the turn.
    pub wrote: Vec<String>,
    /// True if the turn had ended before, and a hook of the user refused that.
    pub is_continued: bool,
    /// The other sessions whose turns were given up.
    pub given_up: Vec<String>,
}

/// A rewind since the last prompt of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewindSince {
    /// The prompt whose files are back.
    pub prompt: Option<String>,
    /// The paths that were touched.
    pub paths: Vec<String>,
}

/// A moment that was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedMoment {
    /// Of a prompt, the rewinds since the one before, the newest first.
    pub rewinds: Vec<RewindSince>,
    /// The messages for the user, each once in a project.
    pub notices: Vec<String>,
}

/// Keeps a moment, in the time that a budget has.
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
) -> Result<RecordedMoment, Error> {
    let budget = ScanBudget::of(io, MOST_MS).await;
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
        wrote: request.wrote,
        is_continued: request.is_continued,
        given_up: request.given_up,
        rewind: None,
        is_incomplete: false,
    };
    let outcome = keep_moment(&store, mark, request.run, budget, warnings).await?;
    let mut recorded = RecordedMoment {
        rewinds,
        notices: Vec::new(),
    };
    if is_prompt
        && let Some(sentence) = of_outcome(&outcome)
        && is_first(&store, NOTED_INCOMPLETE).await
    {
        recorded.notices.push(sentence);
    }
    if !is_prompt {
        return Ok(recorded);
    }
    match boxed(prune_now(&store, limits, warnings)).await {
        Ok(bytes) if bytes > NOTED_BYTES && is_first(&store, NOTED_SIZE).await => {
            recorded.notices.push(of_size(bytes, limits));
        }
        Ok(_) => {}
        Err(error) => warnings.add(Warning::passed_over(&error)),
    }
    Ok(recorded)
}

/// Returns whether this is the first time, and notes that it was.
async fn is_first(store: &SnapshotStore<'_>, name: &str) -> bool {
    let (path, sync) = (store.folder.host(name), Sync::Lazy);
    let made = store.io.create(path, Vec::new(), sync, Access::Owner);
    made.await.is_ok()
}

/// The sentence about files that are not all kept.
fn of_outcome(outcome: &MomentOutcome) -> Option<String> {
    let why = match outcome {
        MomentOutcome::Complete | MomentOutcome::WithoutFiles => return None,
        MomentOutcome::Cut => format!(
            "they could not be read in {MOST_MS} ms; the next prompts go on where this one ended"
        ),
        MomentOutcome::TooMuch(why) => why.clone(),
    };
    Some(format!(
        "Not all files were kept for rewinds: {why}. The setting agents.rewind_exclude in {FILE} leaves \
         out what need not be kept, with patterns as those of .gitignore, and `\"rewind\": false` in agents ends it"
    ))
}

/// The sentence about the space that is taken.
fn of_size(bytes: u64, limits: RewindLimits) -> String {
    format!(
        "What is kept for rewinds has {} MiB by now; no more than {} MiB are kept (agents.rewind_max_bytes in \
         {FILE}), and a dry run of pruning snapshots says what would go",
        bytes >> 20,
        limits.max_bytes >> 20
    )
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
    let budget = ScanBudget::default();
    let kept = boxed(keep_moment(store, mark, None, budget, warnings));
    kept.await.map(drop)
}

/// The number of the last prompt of a session, 0 for none, and the rewinds since then.
async fn since_prompt(
    store: &SnapshotStore<'_>,
    session: &str,
) -> Result<(u64, Vec<RewindSince>), Error> {
    let mut rewinds = Vec::new();
    let mut number = None;
    for known in store.ids(false).await?.into_iter().rev().take(MOST_READ) {
        // One that cannot be read, or is gone, does not count.
        let stored = store.read(known.id).await.ok();
        let Some(mark) = stored.and_then(|it| TurnMark::of(&it.document)) else {
            continue;
        };
        let is_own = mark.session == session;
        match mark.rewind {
            Some(RewindMark {
                paths, sessions, ..
            }) if is_own || sessions.iter().any(|it| it == session) => {
                let prompt = mark.prompt;
                rewinds.push(RewindSince { prompt, paths });
            }
            None if is_own => {
                let number = *number.get_or_insert(mark.number);
                // The end of a turn brings the agent no notice.
                if mark.occasion == Occasion::Prompt {
                    return Ok((number, rewinds));
                }
            }
            _ => {}
        }
    }
    Ok((number.unwrap_or_default(), rewinds))
}
