//! The resume point of a checkout, and what stopped there.

use crate::checkpoint::command::agents;
use crate::checkpoint::command::document::is_completed;
use crate::checkpoint::command::stopped_phase::stopped_phase;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::command::list::{RunSelection, read_all};
use crate::operation::command::resume_point::resume_point;
use crate::operation::command::run_store::RunStore;
use crate::operation::command::since::since_recorded;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Target, Warnings};
use crate::root;
use crate::schema::{ArgumentMembers, Shaped};

use super::latest_here::{LatestHere, UnfinishedRun, latest_here, readable};

pub(super) const OPERATION: Operation = Operation::at::<ResumeHereArguments, Option<ResumeHereAnswer>>(
    "resume_here",
    "The resume point, and what stopped there: of the run that is named, else of the one that `latest_here` means; \
     null where nothing is unfinished.",
    perform,
)
.of(Capability::Agents);

/// The run, if it is named.
#[derive(ArgumentMembers)]
struct ResumeHereArguments<'a> {
    /// Its command; without it, the run to carry on with is looked for.
    command: Option<&'a str>,
    /// Its feature, if it has one.
    feature: Option<&'a str>,
}

/// The resume point, and what stopped there.
#[derive(Shaped)]
#[shape(name = "ResumeHere")]
struct ResumeHereAnswer {
    #[shape(flatten)]
    run: UnfinishedRun,
    /// The phase to go on with; null where there is nothing to do.
    phase: Option<String>,
    /// The status of that phase; null without a phase.
    status: Option<String>,
    /// The error that it failed with, if there is one.
    error: Option<String>,
    /// The files that it created.
    files_created: Vec<String>,
    /// The files that it modified.
    files_modified: Vec<String>,
    /// The context summary of that phase itself, if it has one.
    phase_summary: Option<String>,
    /// The context summary of the last completed phase that has one.
    summary: Option<String>,
    /// The other phases in progress.
    alongside: Vec<String>,
    /// The other pending phases, in the order in which they are to be done.
    pending: Vec<String>,
    /// The distance of HEAD since the run was recorded, in words, or that the repository does not show it; absent where
    /// HEAD has not moved.
    #[shape(left_out)]
    since_recorded: Option<String>,
    /// The other unfinished runs.
    others: Vec<UnfinishedRun>,
}

impl From<ResumeHere> for ResumeHereAnswer {
    fn from(resume: ResumeHere) -> Self {
        let ResumeHere {
            latest: LatestHere { run, point, others },
            facts,
        } = resume;
        ResumeHereAnswer {
            run,
            phase: point.phase,
            status: facts.status,
            error: facts.error,
            files_created: facts.files_created,
            files_modified: facts.files_modified,
            phase_summary: point.phase_summary,
            summary: point.summary,
            alongside: point.alongside,
            pending: facts.pending,
            since_recorded: facts.since_recorded,
            others,
        }
    }
}

/// The command line prints it as well.
impl From<ResumeHere> for Json {
    fn from(resume: ResumeHere) -> Self {
        ResumeHereAnswer::from(resume).into()
    }
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let ResumeHereArguments { command, feature } = arguments.read();
        let target = command.map(|command| Target {
            command: command.to_owned(),
            feature: feature.map(str::to_owned),
        });
        let reply = resume_here(io, settings, target.as_ref()).await;
        reply.map(Json::from)
    })
}

/// The resume point of a checkout, and what stopped there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumeHere {
    /// The run, its resume point, and the other unfinished runs.
    pub latest: LatestHere,
    /// The facts of the phase to go on with.
    pub facts: PhaseFacts,
}

/// The facts of the phase to go on with, as [`stopped_phase`] gives them, and how old they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseFacts {
    /// Its status; `None` without a phase.
    pub status: Option<String>,
    /// The error that it failed with.
    pub error: Option<String>,
    /// The files that it created.
    pub files_created: Vec<String>,
    /// The files that it modified.
    pub files_modified: Vec<String>,
    /// The other pending phases.
    pub pending: Vec<String>,
    /// The distance of HEAD from the commit at which the run was recorded.
    pub since_recorded: Option<String>,
}

/// The resume point, and what stopped there: of this run, else of the one that [`latest_here`] means. `None` where no
/// run is named and none is unfinished; of a run that is named and complete, or not there, nothing but its names and
/// the other unfinished runs. A run with nothing to go on with still has its distance.
///
/// Warns and fails as [`resume_point`] of a run that is named, else as [`latest_here`].
pub async fn resume_here(
    io: &Io,
    settings: &Settings,
    target: Option<&Target>,
) -> Reply<Option<ResumeHere>> {
    with_warnings(async |warnings| {
        let latest = match target {
            None => settled(latest_here(io, settings).await, warnings)?,
            Some(target) => Some(named(io, settings, target, warnings).await?),
        };
        let Some(mut latest) = latest else {
            return Ok(None);
        };
        let facts = phase_facts(io, settings, &mut latest).await?;
        Ok(Some(ResumeHere { latest, facts }))
    })
    .await
}

/// The resume point of the run of that name.
///
/// # Errors
///
/// As [`resume_point`].
async fn named(
    io: &Io,
    settings: &Settings,
    target: &Target,
    warnings: &mut Warnings,
) -> Result<LatestHere, Error> {
    let point = settled(resume_point(io, settings, target).await, warnings)?;
    // A folder that cannot be listed hides no run that is named.
    let unfinished = unfinished(io, settings).await.unwrap_or_default();
    let (own, others): (Vec<UnfinishedRun>, Vec<UnfinishedRun>) = unfinished
        .into_iter()
        .partition(|run| run.target == *target);
    let run = own.into_iter().next().unwrap_or_else(|| UnfinishedRun {
        target: target.clone(),
        branch: None,
        is_elsewhere: false,
    });
    Ok(LatestHere { run, point, others })
}

/// The unfinished runs in the order of a list; one that cannot be read is left out.
///
/// # Errors
///
/// Those of a list.
async fn unfinished(io: &Io, settings: &Settings) -> Result<Vec<UnfinishedRun>, Error> {
    let root = root::locate(io, settings).await?;
    let mut all = read_all(io, settings, &root, RunSelection::Unfinished { of: None }).await?;
    all.retain(|(_, read)| read.as_ref().is_ok_and(|summary| !summary.is_completed()));
    let readable = readable(io, &root, &all).await.into_iter();
    Ok(readable.map(|one| one.run).collect())
}

/// The facts of the phase that a run stopped in, none where it is complete or not there; notes the branch that the run
/// records.
///
/// # Errors
///
/// As a load of the run.
async fn phase_facts(
    io: &Io,
    settings: &Settings,
    latest: &mut LatestHere,
) -> Result<PhaseFacts, Error> {
    let store = RunStore::open(io, settings, &latest.run.target).await?;
    let Some(document) = store.read().await?.document else {
        return Ok(PhaseFacts::default());
    };
    let run = &document.object;
    if is_completed(run) {
        return Ok(PhaseFacts::default());
    }
    let since_recorded = since_recorded(io, &store.root, run).await;
    let found = stopped_phase(run, latest.point.phase.as_deref());
    let owned =
        |texts: Vec<&str>| -> Vec<String> { texts.into_iter().map(str::to_owned).collect() };
    let facts = PhaseFacts {
        status: found.status.map(str::to_owned),
        error: found.error.map(str::to_owned),
        files_created: owned(found.files_created),
        files_modified: owned(found.files_modified),
        pending: owned(found.pending),
        since_recorded,
    };
    latest.run.branch = agents::branch(run).map(str::to_owned);
    Ok(facts)
}

/// The value of a reply, whose warnings are added to those here.
///
/// # Errors
///
/// The failure of the reply.
fn settled<T>(reply: Reply<T>, warnings: &mut Warnings) -> Result<T, Error> {
    let of_reply = reply.warnings.into_iter();
    of_reply.for_each(|warning| warnings.add(warning));
    reply.result
}
