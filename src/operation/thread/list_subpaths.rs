//! The transcripts of the subagents of a session.

use crate::checkpoint::thread::log::Log;
use crate::checkpoint::thread::transcript::subpaths;
use crate::effect::{Io, boxed};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::thread_store::ThreadStore;
use super::transcript::thread_of;

pub(super) const OPERATION: Operation = Operation::at::<ListSubpathsArguments, SubpathList>(
    "list_subpaths",
    "The subpaths under which subagents of a session have transcripts.",
    perform,
)
.of(Capability::Threads);

/// The session.
#[derive(ArgumentMembers)]
struct ListSubpathsArguments<'a> {
    /// The project, free text.
    project: &'a str,
    /// The session, free text.
    session: &'a str,
}

/// The subpaths.
#[derive(Shaped)]
struct SubpathList {
    /// Sorted.
    subpaths: Vec<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let ListSubpathsArguments { project, session } = arguments.read();
        let reply = match thread_of(project, session) {
            Ok(thread) => list_subpaths(io, settings, &thread).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|subpaths| SubpathList { subpaths }.into())
    })
}

/// The subpaths of the session of this thread; empty for an unknown session.
///
/// Warns and fails as [`super::load_transcript::load_transcript`].
pub async fn list_subpaths(io: &Io, settings: &Settings, thread: &str) -> Reply<Vec<String>> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let mut rule = |log: Log<'_>| subpaths(log);
        let found = store.apply(thread, warnings, &mut rule).await?;
        Ok(found.unwrap_or_default())
    })
    .await
}
