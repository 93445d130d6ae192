//! The runs and phases that a change makes: an answer says which, and a caller may refuse them. It also says where a
//! completed run is open again.

use crate::checkpoint::command::additions::{Additions, Creation};
use crate::checkpoint::command::progress::phases;
use crate::error::{Error, Target};
use crate::json::Object;
use crate::schema::{ArgumentMembers, Shaped};
use crate::text::visible;

use super::list::{RunSelection, read_all};
use super::not_found::missing;
use super::run_store::RunStore;

/// No sentence names more than so many runs or phases.
const MOST_NAMES: usize = 20;

/// The argument of a change that may make what is not there.
#[derive(Clone, Copy, ArgumentMembers)]
pub(super) struct Existing {
    /// True to change only what is there: a run or a phase that is not is `not_found`.
    existing: bool,
}

impl From<Existing> for Creation {
    fn from(choice: Existing) -> Self {
        Creation::of_option(choice.existing)
    }
}

/// The part of a change that was not there before.
#[derive(Shaped)]
pub(super) struct Created {
    /// True if a run or a phase was made that was not there.
    created: bool,
    /// True if there was no such run before.
    new_run: bool,
    /// The phases that the run did not have.
    new_phases: Vec<String>,
    /// True if the run was complete, and is open again.
    reopened: bool,
}

impl From<Additions> for Created {
    fn from(additions: Additions) -> Self {
        Created {
            created: additions.is_any(),
            new_run: additions.run,
            new_phases: additions.phases,
            reopened: additions.reopened,
        }
    }
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
