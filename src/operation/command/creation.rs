//! The runs and phases that a change makes: an answer says which, and a caller may refuse them. It also says where a
//! completed run is open again.

use crate::checkpoint::command::additions::{Additions, Creation};
use crate::checkpoint::command::progress::phases;
use crate::error::{Error, Target};
use crate::json::{Json, Object};
use crate::operation::row::{Arguments, optional, required};
use crate::schema::{Field, Kind};
use crate::text::visible;

use super::list::{RunSelection, read_all};
use super::not_found::missing;
use super::run_store::RunStore;

/// No sentence names more than so many runs or phases.
const MOST_NAMES: usize = 20;

/// The argument that refuses to make anything.
pub(super) const EXISTING: Field = optional(
    "existing",
    &Kind::Boolean,
    "True to change only what is there: a run or a phase that is not is `not_found`.",
);

pub(super) const CREATED: Field = required(
    "created",
    Kind::Boolean,
    "True if a run or a phase was made that was not there.",
);
pub(super) const NEW_RUN: Field = required(
    "new_run",
    Kind::Boolean,
    "True if there was no such run before.",
);
pub(super) const NEW_PHASES: Field = required(
    "new_phases",
    Kind::List(&Kind::String),
    "The phases that the run did not have.",
);

pub(super) const REOPENED: Field = required(
    "reopened",
    Kind::Boolean,
    "True if the run was complete, and is open again.",
);

/// The choice that a request makes.
pub(super) fn of(arguments: &Arguments) -> Creation {
    Creation::of_option(arguments.value(EXISTING.name) == Some(&Json::Bool(true)))
}

/// An answer with what was made.
pub(super) fn with_created(answer: Object, created: &Additions) -> Object {
    answer
        .with(CREATED.name, created.is_any())
        .with(NEW_RUN.name, created.run)
        .with(NEW_PHASES.name, created.phases.clone())
        .with(REOPENED.name, created.reopened)
}

/// Refuses a change of a run that is not there.
///
/// # Errors
///
/// [`Error::not_found`], with the runs that are there.
pub(super) async fn expect_run(store: &RunStore<'_>) -> Result<(), Error> {
    if store.read().await?.document.is_some() {
        return Ok(());
    }
    let error = missing(store, store.target).await;
    // It is to be brought back, or the root is another one.
    if error.advice().is_some() {
        return Err(error);
    }
    let all = read_all(store.io, store.settings, &store.root, RunSelection::All).await?;
    let runs = all.iter().map(|(run, _)| run);
    let (same, others): (Vec<&Target>, Vec<&Target>) =
        runs.partition(|run| run.command == store.target.command);
    let runs = if same.is_empty() { others } else { same };
    let titles: Vec<String> = runs.iter().map(|run| run.title()).collect();
    let there = match titles.is_empty() {
        true => "no run is here yet".to_owned(),
        false => format!("runs here: {}", list(&titles)),
    };
    Err(Error::not_found(format!("{error}; {there}")))
}

/// Refuses a change of phases that a run does not have.
///
/// # Errors
///
/// [`Error::not_found`], with the phases that it has.
pub(super) fn expect_phases(
    target: &Target,
    before: Option<&Object>,
    named: &[&str],
) -> Result<(), Error> {
    let created = Additions::among(before, named);
    if created.run {
        return Err(Error::no_checkpoint(target));
    }
    match created.phases.first() {
        Some(phase) => Err(no_phase(target, before, phase)),
        None => Ok(()),
    }
}

/// The failure of a change of a phase that a run does not have.
pub(super) fn no_phase(target: &Target, run: Option<&Object>, phase: &str) -> Error {
    let known = run.map(phases).unwrap_or_default();
    let names = known.iter().map(|(name, _)| visible(name).into_owned());
    let names: Vec<String> = names.collect();
    let there = match names.is_empty() {
        true => "it has none".to_owned(),
        false => format!("it has {}", list(&names)),
    };
    let title = target.title();
    let phase = visible(phase);
    Error::not_found(format!("There is no phase {phase} in {title}; {there}"))
}

fn list(names: &[String]) -> String {
    let shown = names.len().min(MOST_NAMES);
    let text = names[..shown].join(", ");
    match names.len() - shown {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}
