//! The names that were probably meant where a change made new ones.

use crate::checkpoint::command::progress::phases;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::command::list::{Read, RunSelection, read_all};
use crate::operation::command::run_store::RunStore;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::root;
use crate::schema::{ArgumentMembers, Shaped};
use crate::spelling::nearest;
use crate::str_map::StrSet;

/// More new phases than so many are a plan, and none of them is a mistake in the name of another one.
const MOST_MISTAKES: usize = 20;

pub(super) const OPERATION: Operation = Operation::at::<SimilarArguments, Similar>(
    "similar",
    "The run and the phases that were probably meant where a change made new ones.",
    perform,
)
.of(Capability::Agents);

/// The run that was changed, and what the change made.
#[derive(ArgumentMembers)]
struct SimilarArguments<'a> {
    #[shape(flatten)]
    target: Target,
    /// True if the caller named the feature, and did not leave it to the branch.
    is_feature_named: bool,
    /// True if the run is new.
    new_run: bool,
    /// The phases that are new.
    #[shape(optional)]
    new_phases: Vec<&'a str>,
}

/// A run by its names.
#[derive(Shaped)]
struct SimilarRun {
    #[shape(flatten)]
    target: Target,
}

impl From<Target> for SimilarRun {
    fn from(target: Target) -> Self {
        SimilarRun { target }
    }
}

/// A new phase, and one that is called nearly the same.
#[derive(Shaped)]
struct SimilarPhase {
    /// The new one.
    phase: String,
    /// The one that was there before.
    similar: String,
}

impl From<(String, String)> for SimilarPhase {
    fn from((phase, similar): (String, String)) -> Self {
        SimilarPhase { phase, similar }
    }
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: SimilarArguments<'_> = arguments.read();
        let new = NewNames {
            target: &arguments.target,
            is_feature_named: arguments.is_feature_named,
            run: arguments.new_run,
            phases: arguments.new_phases,
        };
        similar(io, settings, &new).await.map(Json::from)
    })
}

/// The part of a change of a run that was not there before.
#[derive(Clone, Debug)]
pub struct NewNames<'a> {
    /// The run.
    pub target: &'a Target,
    /// True where the caller named its feature, and did not leave it to the branch.
    pub is_feature_named: bool,
    /// True for a new run.
    pub run: bool,
    /// The phases that are new.
    pub phases: Vec<&'a str>,
}

/// The names that were probably meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Shaped)]
pub struct Similar {
    /// True if the feature is new: no other run has it.
    #[shape(name = "new_feature")]
    pub is_new_feature: bool,
    /// A run that may be the one that was meant; one of a feature that another command has may not be there yet.
    #[shape(name = "similar_run", into = SimilarRun)]
    pub run: Option<Target>,
    /// Phases that were there before, and may be those that were meant.
    #[shape(name = "similar_phases", into = SimilarPhase)]
    pub phases: Vec<(String, String)>,
}

/// Returns the names that were probably meant by those that a change made: the run of a feature that is called nearly
/// the same, which the command has or else another one; where no feature was named, the one unfinished run of the
/// command; and phases of the run that are called nearly the same.
///
/// Fails as a list does, and as the run cannot be read.
pub async fn similar(io: &Io, settings: &Settings, new: &NewNames<'_>) -> Reply<Similar> {
    with_warnings(async |_| {
        let mut similar = Similar::default();
        if new.run {
            let root = root::locate(io, settings).await?;
            let all = read_all(io, settings, &root, RunSelection::All).await?;
            let others: Vec<&Read> = all.iter().filter(|(run, _)| run != new.target).collect();
            let is_known = |(run, _): &&Read| run.feature == new.target.feature;
            similar.is_new_feature = new.target.feature.is_some() && !others.iter().any(is_known);
            similar.run = run_meant(new, similar.is_new_feature, &others);
        } else {
            similar.phases = phases_meant(io, settings, new).await?;
        }
        Ok(similar)
    })
    .await
}

fn run_meant(new: &NewNames<'_>, is_new_feature: bool, others: &[&Read]) -> Option<Target> {
    let is_same = |(run, _): &&&Read| run.command == new.target.command;
    let same: Vec<&Read> = others.iter().filter(is_same).copied().collect();
    if new.is_feature_named {
        let feature = new.target.feature.as_deref().filter(|_| is_new_feature)?;
        let nearest_of = |runs: &[&Read]| {
            let features = runs.iter().filter_map(|(run, _)| run.feature.as_deref());
            Some(new.target.of_feature(nearest(feature, features)?))
        };
        return nearest_of(&same).or_else(|| nearest_of(others));
    }
    let mut unfinished = same
        .iter()
        .filter(|(_, read)| matches!(read, Ok(summary) if !summary.is_completed()));
    match (unfinished.next(), unfinished.next()) {
        (Some((only, _)), None) => Some(only.clone()),
        _ => None,
    }
}

async fn phases_meant(
    io: &Io,
    settings: &Settings,
    new: &NewNames<'_>,
) -> Result<Vec<(String, String)>, Error> {
    if new.phases.len() > MOST_MISTAKES {
        return Ok(Vec::new());
    }
    let store = RunStore::open(io, settings, new.target).await?;
    let Some(run) = store.read().await?.document else {
        return Ok(Vec::new());
    };
    let known = phases(&run.object);
    let known = known.iter().map(|(name, _)| *name);
    let given: StrSet<'_> = new.phases.iter().copied().collect();
    let before: Vec<&str> = known.filter(|name| !given.contains(name)).collect();
    let meant = new.phases.iter().filter_map(|phase| {
        let similar = nearest(phase, before.iter().copied())?;
        Some(((*phase).to_owned(), similar.to_owned()))
    });
    Ok(meant.collect())
}
