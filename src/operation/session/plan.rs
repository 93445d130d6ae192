//! The plan of a restore of files, as it is shown and asked for.

use crate::checkpoint::session::plan::change::{PathAction, RestoreRefusal};
use crate::checkpoint::session::plan::restore::RestorePlan;
use crate::checkpoint::session::plan::verify::FileVerdict;
use crate::digest::digest;
use crate::error::{Advice, Error};
use crate::git::head::short;
use crate::schema::{Kind, Shaped};
use crate::str_map::order;

use super::state::Earlier;

pub use super::state::RunRestore;

/// The change of one path.
#[derive(Shaped)]
struct RestoreChange {
    /// Relative to the root.
    path: String,
    /// The change: the content is written, the file deleted, or only the mode of a file or folder set.
    #[shape(kind = Kind::Enum(&["write", "delete", "set_mode"]))]
    act: &'static str,
    /// The comparison with what was recorded: `changed`, `missing`, `unexpected`.
    answer: &'static str,
}

impl From<(String, &'static str, &'static str)> for RestoreChange {
    fn from((path, act, answer): (String, &'static str, &'static str)) -> Self {
        RestoreChange { path, act, answer }
    }
}

/// A path that stays as it is.
#[derive(Shaped)]
struct LeftByRestore {
    /// Relative to the root.
    path: String,
    /// Why, as it goes on after the path.
    reason: String,
}

impl From<(String, String)> for LeftByRestore {
    fn from((path, reason): (String, String)) -> Self {
        LeftByRestore { path, reason }
    }
}

/// The paths that a restore of files would touch, or touched.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "RestorePlan")]
pub struct PlanReport {
    /// Stands for this very plan, so that it can be asked for.
    pub id: String,
    /// Every path that is touched, sorted.
    #[shape(into = RestoreChange)]
    pub changes: Vec<(String, &'static str, &'static str)>,
    /// Paths that differ and cannot be restored.
    #[shape(into = LeftByRestore)]
    pub left: Vec<(String, String)>,
    /// Why it is not done; where there is a reason, nothing is touched.
    #[shape(kind = Kind::List(&Kind::String), with = messages)]
    pub refusals: Vec<PlanRefusal>,
    /// The run that is restored.
    #[shape(flatten, into = RunOfPlan)]
    pub run: Option<RunRestore>,
}

/// The run that a plan restores.
#[derive(Shaped)]
struct RunOfPlan {
    /// The run that is restored, as a new revision.
    state: Option<String>,
    /// The revision that the run goes back to; null where no run is restored.
    run: Option<RunRestore>,
}

impl From<Option<RunRestore>> for RunOfPlan {
    fn from(run: Option<RunRestore>) -> Self {
        RunOfPlan {
            state: run.as_ref().map(|run| run.title.clone()),
            run,
        }
    }
}

fn messages(refusals: Vec<PlanRefusal>) -> Vec<String> {
    refusals.into_iter().map(|it| it.message).collect()
}

/// A reason why a plan is not done, and what helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRefusal {
    /// The sentence.
    pub message: String,
    /// The thing to do about it.
    pub advice: Advice,
}

impl PlanReport {
    pub(super) fn new(plan: &RestorePlan<'_>, state: Option<&Earlier>) -> Self {
        let act = |act: &PathAction| match act {
            PathAction::Write(_) => "write",
            PathAction::Delete => "delete",
            PathAction::SetMode(_) | PathAction::SetPermissions(_) => "set_mode",
        };
        let changes = plan.changes.iter().map(|change| {
            let path = change.path.to_owned();
            (path, act(&change.act), change.answer.as_str())
        });
        let folders = plan.folders.iter();
        let folders = folders.map(|it| {
            (
                it.path.to_owned(),
                "set_mode",
                FileVerdict::Changed.as_str(),
            )
        });
        let changes: Vec<_> = changes.chain(folders).collect();
        let paths: Vec<&str> = changes.iter().map(|(path, ..)| path.as_str()).collect();
        let changes = order(&paths).into_iter().map(|at| changes[at].clone());
        let left = plan.left.iter();
        PlanReport {
            id: match state {
                Some(state) => digest(&[plan.id.as_bytes(), state.mark().as_bytes()]),
                None => plan.id.clone(),
            },
            changes: changes.collect(),
            left: left
                .map(|it| (it.path.to_owned(), it.why.to_owned()))
                .collect(),
            refusals: plan.refusals.iter().map(refusal).collect(),
            run: state.map(Earlier::change),
        }
    }

    /// The failure of a restore by this plan; `None` where nothing is against it. No other writer is the reason, so
    /// that a retry would fail again: the call has to be another one.
    pub fn refusal(&self) -> Option<Error> {
        let first = self.refusals.first()?;
        let more = match self.refusals.len() - 1 {
            0 => String::new(),
            1 => " (and 1 more reason)".to_owned(),
            count => format!(" (and {count} more reasons)"),
        };
        let error = Error::usage(format!("{}{more}", first.message));
        Some(error.with_advice(first.advice.clone()))
    }

    /// Returns whether nothing would be touched.
    pub fn is_nothing(&self) -> bool {
        self.changes.is_empty() && self.run.is_none()
    }
}

/// The sentence about a path whose content the undo could not bring back.
pub(super) fn not_kept(path: &str, why: &str) -> String {
    let why = why.strip_prefix("it ").unwrap_or(why);
    format!("The present content of {path} would be lost for good, because it {why}")
}

/// A reason as a sentence, with what to do about it.
fn refusal(refusal: &RestoreRefusal<'_>) -> PlanRefusal {
    let (message, advice) = match *refusal {
        RestoreRefusal::HeadMoved { recorded, present } => {
            (head_moved(recorded, present), Advice::ForceRestore)
        }
        RestoreRefusal::NotKept(path, why) => (not_kept(path, why), Advice::AllowLoss),
        RestoreRefusal::Unsafe(path, why) => {
            (format!("{path} {}", why.as_str()), Advice::RemoveCause)
        }
        RestoreRefusal::Lost(path, why) => (
            format!("The recorded content of {path} is lost: {why}"),
            Advice::Doctor,
        ),
        RestoreRefusal::Unreadable(path, why) => {
            (format!("{path} cannot be read: {why}"), Advice::RemoveCause)
        }
        RestoreRefusal::Special(path) => (
            format!("{path} is a pipe, a device or a socket now"),
            Advice::RemoveCause,
        ),
        RestoreRefusal::InTheWay(path, by) => (
            format!("{path} cannot be restored, because {by} is in the way"),
            Advice::RemoveCause,
        ),
        RestoreRefusal::Collides(path, with) => (
            format!("{path} and {with} are the same file on this file system"),
            Advice::RemoveCause,
        ),
    };
    PlanRefusal { message, advice }
}

fn head_moved(recorded: Option<&str>, present: Option<&str>) -> String {
    let now = present.map_or("no commit", short);
    match recorded.map(short) {
        Some(then) => format!(
            "The snapshot was made at {then}, and HEAD is at {now}: check out {then} to restore it"
        ),
        None => format!("The snapshot was made before the first commit, and HEAD is at {now}"),
    }
}
