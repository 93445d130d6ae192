//! The sessions of a project.

use crate::checkpoint::thread::log::{Log, ThreadStop};
use crate::checkpoint::thread::name::{self, is_stem};
use crate::checkpoint::thread::transcript::modified;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Kind, Shaped};

use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::at::<ListTranscriptsArguments, TranscriptList>(
    "list_transcripts",
    "The sessions of a project that have a transcript of their own, in no order.",
    perform,
)
.of(Capability::Threads);

/// The project.
#[derive(ArgumentMembers)]
struct ListTranscriptsArguments<'a> {
    /// The project, free text.
    project: &'a str,
}

/// The sessions.
#[derive(Shaped)]
struct TranscriptList {
    /// Of each its `session`, and its `mtime`: when it was last written to, in milliseconds since 1970.
    #[shape(kind = Kind::List(&Kind::Record))]
    sessions: Vec<Json>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let ListTranscriptsArguments { project } = arguments.read();
        let checked: Result<(), Error> = name::check_namespace("project", project);
        let reply = match checked {
            Ok(()) => list_transcripts(io, settings, project).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|sessions| {
            let record = |(session, mtime): (String, u64)| {
                Object::new().with("session", session).with("mtime", mtime)
            };
            let sessions = sessions.into_iter().map(record).map(Json::from).collect();
            TranscriptList { sessions }.into()
        })
    })
}

/// The sessions, each with the time at which it was last written to. One that cannot be read is passed over, with a
/// warning.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `invalid_document`, `lost_changes`. Fails with `invalid_name`,
/// `unsafe_path`, `io`.
pub async fn list_transcripts(
    io: &Io,
    settings: &Settings,
    project: &str,
) -> Reply<Vec<(String, u64)>> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let mut sessions = Vec::new();
        for stem in store.documents.manifest().names().await? {
            if !is_stem(stem.as_str()) {
                continue;
            }
            let mut rule = |log: Log<'_>| -> Result<_, ThreadStop> {
                let of = name::session_of(log.name());
                let of = of.filter(|(its, _)| its == project);
                let modified = match &of {
                    Some(_) => modified(log)?,
                    None => None,
                };
                Ok(of.zip(modified))
            };
            match store.apply_to(&stem, warnings, &mut rule).await {
                Ok(found) => {
                    let found = found.flatten();
                    sessions.extend(found.map(|((_, session), mtime)| (session, mtime)));
                }
                Err(error) => store.pass_over(&stem, error, warnings),
            }
        }
        if sessions.is_empty() {
            store.documents.expect_root().await?;
        }
        Ok(sessions)
    })
    .await
}
