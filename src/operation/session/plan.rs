//! The plan of a restore of files, as it is shown and asked for.

use crate::checkpoint::session::plan::change::{PathAction, RestoreRefusal};
use crate::checkpoint::session::plan::restore::RestorePlan;
use crate::checkpoint::session::plan::verify::FileVerdict;
use crate::digest::digest;
use crate::git::head::short;
use crate::json::{Json, Object};
use crate::operation::row::{required, shape};
use crate::schema::{Kind, Shape};
use crate::str_map::order;

use super::state::Earlier;

pub(super) const PLAN: Shape = shape(
    "RestorePlan",
    "The paths that a restore of files would touch, or touched.",
    &[
        required(
            "id",
            Kind::String,
            "Stands for this very plan, so that it can be asked for.",
        ),
        required(
            "changes",
            Kind::List(&Kind::Object(&CHANGE)),
            "Every path that is touched, sorted.",
        ),
        required(
            "left",
            Kind::List(&Kind::Object(&LEFT)),
            "Paths that differ and cannot be restored.",
        ),
        required(
            "refusals",
            Kind::List(&Kind::String),
            "Why it is not done; where there is a reason, nothing is touched.",
        ),
        required(
            "state",
            Kind::Nullable(&Kind::String),
            "The run that is restored, as a new revision.",
        ),
    ],
);

const CHANGE: Shape = shape(
    "RestoreChange",
    "The change of one path.",
    &[
        required("path", Kind::String, "Relative to the root."),
        required(
            "act",
            Kind::Enum(&["write", "delete", "set_mode"]),
            "The change: the content is written, the file deleted, or only the mode of a file or folder set.",
        ),
        required(
            "answer",
            Kind::String,
            "The comparison with what was recorded: `changed`, `missing`, `unexpected`.",
        ),
    ],
);

const LEFT: Shape = shape(
    "LeftByRestore",
    "A path that stays as it is.",
    &[
        required("path", Kind::String, "Relative to the root."),
        required("reason", Kind::String, "Why, as it goes on after the path."),
    ],
);

/// A plan in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanReport {
    /// Stands for this very plan.
    pub id: String,
    /// Each path with what is done and how it compares.
    pub changes: Vec<(String, &'static str, &'static str)>,
    /// Each path that stays, with the reason.
    pub left: Vec<(String, String)>,
    /// The reasons that it is not done.
    pub refusals: Vec<String>,
    /// The run that is restored.
    pub state: Option<String>,
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
            state: state.map(Earlier::title),
        }
    }

    /// Returns whether nothing would be touched.
    pub fn is_nothing(&self) -> bool {
        self.changes.is_empty() && self.state.is_none()
    }
}

impl From<PlanReport> for Json {
    fn from(plan: PlanReport) -> Self {
        let changes = plan.changes.into_iter().map(|(path, act, answer)| {
            let line = Object::new()
                .with("path", path)
                .with("act", act)
                .with("answer", answer);
            Json::from(line)
        });
        let left = plan.left.into_iter().map(|(path, reason)| {
            let line = Object::new().with("path", path).with("reason", reason);
            Json::from(line)
        });
        Object::new()
            .with("id", plan.id)
            .with("changes", changes.collect::<Vec<_>>())
            .with("left", left.collect::<Vec<_>>())
            .with("refusals", plan.refusals)
            .with("state", plan.state)
            .into()
    }
}

/// The refusal for a path whose content the undo could not bring back, with what to do about it.
pub(super) fn not_kept(path: &str, why: &str) -> String {
    let why = why.strip_prefix("it ").unwrap_or(why);
    format!(
        "The present content of {path} would be lost for good, because it {why}: allow that by the option `lose` or \
         `force`"
    )
}

/// A reason as a sentence, with what to do about it.
fn refusal(refusal: &RestoreRefusal<'_>) -> String {
    match *refusal {
        RestoreRefusal::HeadMoved { recorded, present } => {
            let commit = |commit: Option<&str>| match commit {
                Some(commit) => short(commit).to_owned(),
                None => "no commit".to_owned(),
            };
            let (then, now) = (commit(recorded), commit(present));
            let first = match recorded {
                Some(_) => format!("check out {then} first"),
                None => "there is nothing to check out".to_owned(),
            };
            format!(
                "The snapshot was made at {then}, and HEAD is at {now}: {first}, or use the option `force`, which \
                 writes only the files that the snapshot holds"
            )
        }
        RestoreRefusal::Unsafe(path, why) => format!("{path} {}", why.as_str()),
        RestoreRefusal::NotKept(path, why) => not_kept(path, why),
        RestoreRefusal::Lost(path, why) => format!("The recorded content of {path} is lost: {why}"),
        RestoreRefusal::Unreadable(path, why) => format!("{path} cannot be read: {why}"),
        RestoreRefusal::Special(path) => format!("{path} is a pipe, a device or a socket now"),
        RestoreRefusal::InTheWay(path, by) => {
            format!("{path} cannot be restored, because {by} is in the way")
        }
        RestoreRefusal::Collides(path, with) => {
            format!("{path} and {with} are the same file on this file system")
        }
    }
}
