//! Beginning a command with its plan.

use crate::checkpoint::command::additions::{Additions, Creation};
use crate::checkpoint::command::begin::PhasePlan;
use crate::checkpoint::command::document::{Draft, RunDocument};
use crate::checkpoint::command::resume::ResumePoint;
use crate::effect::{Io, boxed};
use crate::error::Written;
use crate::json::{Json, Object};
use crate::operation::reply::about;
use crate::operation::row::{
    Answering, Arguments, COMMAND, FEATURE, Operation, REVISION, SEAL, optional, required, shape,
};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{Kind, Shape};
use crate::store::Current;

use super::creation::{self, CREATED, EXISTING, NEW_PHASES, NEW_RUN, REOPENED, with_created};
use super::resume_point::{ALONGSIDE, PHASE, PHASE_SUMMARY, SUMMARY, point_of, with_point};
use super::run_store::{RunStore, unchangeable};
use super::save::CHANGED;

pub(super) const OPERATION: Operation = Operation::changing(
    "begin",
    "Begins a command with the phases of its plan, as one revision; phases that it has stay as they are.",
    &ARGUMENTS,
    Kind::Object(&ANSWER),
    perform,
);

const ARGUMENTS: Shape = shape(
    "BeginArguments",
    "The checkpoint, and its plan.",
    &[
        COMMAND,
        FEATURE,
        required(
            "phases",
            Kind::List(&Kind::String),
            "The phases to do, in order; at least one.",
        ),
        optional(
            "task",
            &Kind::String,
            "The task that is being worked on from now on, such as T002.",
        ),
        EXISTING,
    ],
);

const ANSWER: Shape = shape(
    "Begun",
    "A command that was begun, and where to go on with it.",
    &[
        REVISION,
        SEAL,
        CHANGED,
        CREATED,
        NEW_RUN,
        NEW_PHASES,
        REOPENED,
        PHASE,
        PHASE_SUMMARY,
        SUMMARY,
        ALONGSIDE,
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let phases = arguments.value("phases").and_then(Json::as_array);
        let phases = phases.into_iter().flatten().filter_map(Json::as_str);
        let phases: Vec<&str> = phases.collect();
        let task = arguments.optional_text("task");
        let creation = creation::of(arguments);
        begin(io, settings, &arguments.target(), &phases, task, creation)
            .await
            .map(Json::from)
    })
}

/// A command that was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunRun {
    /// Its revision.
    pub revision: u64,
    /// Its seal.
    pub seal: String,
    /// Set where something was written.
    pub changed: bool,
    /// The run and the phases that were not there before, and the run that is open again.
    pub created: Additions,
    /// Its resume point.
    pub point: ResumePoint,
}

impl From<BegunRun> for Json {
    fn from(begun: BegunRun) -> Self {
        let answer = Object::new()
            .with("revision", begun.revision)
            .with("seal", begun.seal)
            .with("changed", begun.changed);
        with_point(with_created(answer, &begun.created), begun.point).into()
    }
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
