//! What happened to a checkpoint.

use crate::checkpoint::command::diff;
use crate::checkpoint::command::restores::restored_by;
use crate::effect::{Io, boxed};
use crate::error::{Code, WarningCode};
use crate::json::{Json, Object};
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation, TARGET, required, shape};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{Kind, Shape};

use crate::store::Mark;

use super::diff::STEP;
use super::states::states;

pub(super) const OPERATION: Operation = Operation::at(
    "log",
    "The revisions of a checkpoint that are kept, the newest first.",
    &TARGET,
    Kind::List(&Kind::Object(&ENTRY)),
    perform,
);

const ENTRY: Shape = shape(
    "LogEntry",
    "One revision of a checkpoint.",
    &[
        required("revision", Kind::Integer, "The revision."),
        required(
            "updated_at",
            Kind::Nullable(&Kind::String),
            "When it was saved.",
        ),
        required(
            "changes",
            Kind::List(&Kind::String),
            "What changed, a line each.",
        ),
        required(
            "compared_with",
            Kind::Nullable(&Kind::Integer),
            "The revision that the changes are told from: the nearest one before it that can be read.",
        ),
        required(
            "patch",
            Kind::List(&Kind::Object(&STEP)),
            "The same as a JSON Patch (RFC 6902) of that revision; empty where there is none.",
        ),
        required(
            "same_as",
            Kind::Nullable(&Kind::Integer),
            "The earlier revision, not the one before it, with the same content.",
        ),
        required(
            "heartbeats",
            Kind::Integer,
            "So many revisions after this one only renewed the time, and are left out.",
        ),
        required(
            "altered",
            Kind::Boolean,
            "Whether its bytes are not the ones that were saved.",
        ),
        required(
            "problem",
            Kind::Nullable(&Kind::String),
            "Why it cannot be read, if it cannot: altered, or no file, for example.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = log(io, settings, &arguments.target()).await;
        reply.map(|entries| {
            entries
                .into_iter()
                .map(Json::from)
                .collect::<Vec<_>>()
                .into()
        })
    })
}

/// One revision of a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// Its number.
    pub revision: u64,
    /// When it was written, as it says itself.
    pub updated_at: Option<String>,
    /// What changed since [`LogEntry::compared_with`]; empty where that is `None`.
    pub changes: Vec<String>,
    /// The nearest revision before it that can be read; `None` where there is none, and for one that
    /// cannot be read itself.
    pub compared_with: Option<u64>,
    /// The same for programs: a JSON Patch (RFC 6902).
    pub patch: Json,
    /// The latest earlier revision with the same content, apart from the time: what an undo went
    /// back to. `None` as well where that is the one before it.
    pub same_as: Option<u64>,
    /// So many revisions after this one only renewed the time, and are left out.
    pub heartbeats: u64,
    /// Whether its bytes are not those that were recorded.
    pub altered: bool,
    /// Why it cannot be read, if it cannot.
    pub problem: Option<String>,
}

impl From<LogEntry> for Json {
    fn from(entry: LogEntry) -> Self {
        Object::new()
            .with("revision", entry.revision)
            .with("updated_at", entry.updated_at)
            .with("changes", entry.changes)
            .with("compared_with", entry.compared_with)
            .with("patch", entry.patch)
            .with("same_as", entry.same_as)
            .with("heartbeats", entry.heartbeats)
            .with("altered", entry.altered)
            .with("problem", entry.problem)
            .into()
    }
}

/// The revisions that are kept, newest first, without those that only renewed the time; of a corrupt
/// checkpoint, with a warning, those of its history. One that cannot be read is listed with the
/// problem, and the next one is compared with the nearest good one before it.
///
/// Fails with `not_found` when there is no checkpoint, and with `invalid_name`, `corrupt`,
/// `unsafe_path`, `too_large`, `io`.
pub async fn log(io: &Io, settings: &Settings, target: &Target) -> Reply<Vec<LogEntry>> {
    about(target, async |noticed| {
        let (states, corrupt) = states(io, settings, target, noticed).await?;
        if let Some(error) = corrupt {
            noticed.warn(WarningCode::InvalidDocument, error.to_string());
        }
        let mut entries: Vec<LogEntry> = Vec::new();
        let mut before: Option<(u64, &Object)> = None;
        let mut contents: Vec<(u64, String)> = Vec::new();
        for (at, (revision, mark, state)) in states.iter().enumerate() {
            let is_present = at + 1 == states.len();
            if let (Mark::Heartbeat, false, Some(last), Ok(object)) =
                (*mark, is_present, entries.last_mut(), state)
                && last.problem.is_none()
            {
                last.heartbeats += 1;
                contents.push((last.revision, content(object)));
                continue;
            }
            let (changes, patch, compared_with) = match (before, state) {
                (Some((number, before)), Ok(after)) => {
                    let changes = diff::changes(before, after);
                    let changes = changes.iter().map(ToString::to_string).collect();
                    (changes, diff::json_patch(before, after), Some(number))
                }
                _ => (Vec::new(), Json::Array(Vec::new()), None),
            };
            let mut same_as = None;
            if let Ok(object) = state {
                let restored = restored_by(object);
                let content = content(object);
                if contents.last().is_some_and(|(_, last)| *last != content) {
                    let earlier = || contents.iter().rev().filter(|(_, it)| *it == content);
                    // The one that it says it restores, and not a copy of that.
                    let named = earlier().find(|(revision, _)| Some(*revision) == restored);
                    let same = named.or_else(|| earlier().next());
                    same_as = same.map(|(revision, _)| *revision);
                }
                contents.push((*revision, content));
            }
            let object = state.as_ref().ok();
            let updated_at = object.and_then(|object| object.get("updated_at"));
            entries.push(LogEntry {
                revision: *revision,
                updated_at: updated_at.and_then(Json::as_str).map(str::to_owned),
                changes,
                compared_with,
                patch,
                same_as,
                heartbeats: 0,
                altered: matches!(state, Err(error) if error.code() == Code::Corrupt),
                problem: state.as_ref().err().map(ToString::to_string),
            });
            before = object.map(|object| (*revision, object)).or(before);
        }
        entries.reverse();
        Ok(entries)
    })
    .await
}

/// What a revision holds, apart from what every commit changes.
fn content(object: &Object) -> String {
    let mut object = object.clone();
    for key in ["revision", "seal", "updated_at", "restores"] {
        object.remove(key);
    }
    Json::Object(object).to_line()
}
