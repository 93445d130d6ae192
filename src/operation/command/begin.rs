//! Beginning a command with its plan.

use crate::checkpoint::command::additions::{Additions, Creation};
use crate::checkpoint::command::begin::PhasePlan;
use crate::checkpoint::command::document::{Draft, RunDocument};
use crate::checkpoint::command::resume::ResumePoint;
use crate::effect::{Io, boxed};
use crate::error::Written;
use crate::json::Json;
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::Current;

use super::creation::{self, Created, Existing};
use super::resume_point::point_of;
use super::run_store::{RunStore, unchangeable};

pub(super) const OPERATION: Operation = Operation::changing::<BeginArguments, BegunRun>(
    "begin",
    "Begins a command with the phases of its plan, as one revision; phases that it has stay as they are.",
    perform,
);

/// The checkpoint, and its plan.
#[derive(ArgumentMembers)]
struct BeginArguments<'a> {
    #[shape(flatten)]
    target: Target,
    /// The phases to do, in order; at least one.
    phases: Vec<&'a str>,
    /// The task that is being worked on from now on, such as T002.
    task: Option<&'a str>,
    #[shape(flatten)]
    existing: Existing,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let BeginArguments {
            target,
            phases,
            task,
            existing,
        } = arguments.read();
        begin(io, settings, &target, &phases, task, existing.into())
            .await
            .map(Json::from)
    })
}

/// A command that was begun, and where to go on with it.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "Begun")]
pub struct BegunRun {
    /// The revision that is stored now.
    pub revision: u64,
    /// Its seal: with the revision, the base of a compare-and-swap.
    pub seal: String,
    /// True if the document differs from the one stored before.
    pub changed: bool,
    /// The run and the phases that were not there before, and the run that is open again.
    #[shape(flatten, into = Created)]
    pub created: Additions,
    /// Its resume point.
    #[shape(flatten)]
    pub point: ResumePoint,
}

/// Begins a command with the phases of its plan, as one revision. Phases that the checkpoint has stay
/// as they are, so that beginning again goes on; the others are added as pending, in order. A
/// checkpoint that is complete is open again.
///
/// Fails with `usage` for a plan without phases, with `not_found` for what is not there and may not be created, as [`save`](super::save::save) does, and, once the
/// plan is stored, where the summary to go on with cannot be held to the budget.
pub async fn begin(
    io: &Io,
    settings: &Settings,
    target: &Target,
    phases: &[&str],
    task: Option<&str>,
    creation: Creation,
) -> Reply<BegunRun> {
    about(target, async |warnings| {
        let plan = PhasePlan::new(phases, task)?;
        let store = RunStore::open(io, settings, target).await?;
        store.expect_known_place().await?;
        let is_refused = creation == Creation::Refused;
        if is_refused {
            boxed(creation::expect_run(&store)).await?;
        }
        let moment = store.moment(warnings).await?;

        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            let stored = current.document.map(|document| &document.object);
            if is_refused {
                creation::expect_phases(target, stored, plan.phases())?;
            }
            let feature = target.feature.as_deref();
            let mut draft = match current.document {
                Some(document) => Draft::from(document.stamped()),
                None => RunDocument::new(&target.command, feature, &moment.now).into(),
            };
            let applied = plan.apply(&mut draft, &moment.now);
            applied.map_err(|error| unchangeable(error, target))?;
            store.sign(&moment, draft, current, stored.as_slice())
        };
        let committed = store
            .update(None, &mut decide, &moment.head, warnings)
            .await?;
        let before = committed.before.as_ref().map(|before| &before.object);
        let created = Additions::between(before, &committed.object, plan.phases());
        let point = point_of(&store, &committed.object, warnings).await;
        let point = point.map_err(|error| error.with_written(Written::Yes))?;
        Ok(BegunRun {
            revision: committed.stamp.revision,
            seal: committed.stamp.seal,
            changed: committed.changed,
            created,
            point,
        })
    })
    .await
}
