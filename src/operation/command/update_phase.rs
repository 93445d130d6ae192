//! Changing one phase.

use crate::checkpoint::command::additions::{Additions, Creation};
use crate::checkpoint::command::document::{Draft, RunDocument};
use crate::checkpoint::command::phases::Update;
use crate::effect::{Io, boxed};
use crate::error::whole;
use crate::extent::IS_WHOLE;
use crate::json::{Json, Object};
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{ArgumentMembers, Kind};
use crate::store::Current;

use super::budget_check::BudgetCheck;
use super::creation::{self, Existing};
use super::phase_files;
use super::run_store::{RunStore, unchangeable};
use super::save::{Saved, SavedPhase};

pub(super) const OPERATION: Operation = Operation::changing::<UpdatePhaseArguments, SavedPhase>(
    "update_phase",
    "Changes one phase, and the state with it; creates a missing checkpoint.",
    perform,
);

/// The checkpoint, and what changes in it.
#[derive(ArgumentMembers)]
struct UpdatePhaseArguments<'a> {
    #[shape(flatten)]
    target: Target,
    /// The phase's name.
    phase: &'a str,
    /// Fields of the phase: those that are given replace, and null removes.
    patch: &'a Object,
    /// The task that is being worked on from now on, such as T002.
    task: Option<&'a str>,
    /// Items for lists of the phase, which keep what they have.
    #[shape(kind = Kind::Object(&AddedToPhase::SHAPE))]
    add: Option<&'a Object>,
    #[shape(flatten)]
    existing: Existing,
}

/// Items for lists of a phase. What is there already is not added again. Paths are absolute, or relative to the
/// working folder; they are kept from the root on, and one outside of it is refused.
///
/// They are read as an object, by the names of the lists.
#[derive(ArgumentMembers)]
#[allow(dead_code)]
struct AddedToPhase<'a> {
    /// Files that it created.
    files_created: Option<Vec<&'a str>>,
    /// Files that it modified.
    files_modified: Option<Vec<&'a str>>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: UpdatePhaseArguments<'_> = arguments.read();
        let update = PhaseUpdate {
            phase: arguments.phase,
            patch: arguments.patch,
            task: arguments.task,
            add: arguments.add,
            creation: arguments.existing.into(),
        };
        update_phase(io, settings, &arguments.target, &update)
            .await
            .map(Json::from)
    })
}

/// The change that comes with one phase.
#[derive(Clone, Copy, Debug)]
pub struct PhaseUpdate<'a> {
    /// The phase's name.
    pub phase: &'a str,
    /// Its fields: those that are given replace, and null removes.
    pub patch: &'a Object,
    /// The task that is being worked on from now on; without it, the stored one stays.
    pub task: Option<&'a str>,
    /// Items for its `files_created` and `files_modified`, which keep what they have: paths as they were typed.
    pub add: Option<&'a Object>,
    /// The choice for a run or a phase that is not there.
    pub creation: Creation,
}

/// Changes one phase, and the state with it; creates a missing checkpoint, unless the caller refuses that. One that is
/// complete is open again, and the answer says so.
///
/// Added paths are those that a caller typed in the working folder, and are kept from the root on, with the warning
/// `missing_file` of one that does not exist. Paths of a patch are kept as given, with the warning `outside_repository`
/// where some lead out of the repository.
///
/// Fails with `usage` for an added path outside of the repository, with `not_found` for what is not there and may not
/// be created, and as [`save`](super::save::save) does.
pub async fn update_phase(
    io: &Io,
    settings: &Settings,
    target: &Target,
    update: &PhaseUpdate<'_>,
) -> Reply<Saved> {
    about(target, async |warnings| {
        let store = RunStore::open(io, settings, target).await?;
        store.expect_known_place().await?;
        let is_refused = update.creation == Creation::Refused;
        if is_refused {
            whole::needed()?;
            boxed(creation::expect_run(&store)).await?;
        }
        let moment = store.moment(warnings).await?;
        // One that cannot be applied anywhere is refused before any file is touched.
        let summary = update.patch.get("context_summary").and_then(Json::as_str);
        let phase = update.phase;
        let given = Update::new(phase, update.patch, update.task)?.adding(update.add)?;
        if phase_files::may_lead_outside(&store.root, update.patch) {
            whole::needed()?;
            phase_files::warn_of_outside(&store, update.patch, warnings);
        }
        let added = match update.add {
            Some(add) => {
                whole::needed()?;
                Some(boxed(phase_files::added(&store, add, warnings)).await?)
            }
            None => None,
        };
        let update = given.adding(added.as_ref())?;
        let check = BudgetCheck::of_phase(&store, phase, summary).await?;

        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            let stored = current.document.map(|document| &document.object);
            if IS_WHOLE && is_refused {
                creation::expect_phases(target, stored, &[phase])?;
            }
            let feature = target.feature.as_deref();
            let mut draft = match current.document {
                Some(document) => Draft::from(document.stamped()),
                None => RunDocument::new(&target.command, feature, &moment.now).into(),
            };
            let applied = update.apply(&mut draft, &moment.now);
            applied.map_err(|error| unchangeable(error, target))?;
            check.record(draft.as_object_mut())?;
            store.sign(&moment, draft, current, stored.as_slice())
        };
        let committed = store
            .update(None, &mut decide, &moment.head, warnings)
            .await?;
        let before = committed.before.as_ref().map(|before| &before.object);
        let created = Additions::between(before, &committed.object, &[phase]);
        Ok(Saved {
            created: Some(created),
            ..Saved::from(*committed)
        })
    })
    .await
}
