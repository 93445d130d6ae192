//! The history of the values that channels have in a checkpoint.

use crate::checkpoint::thread::log::Log;
use crate::checkpoint::thread::tuple::{self, ChannelHistory};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Kind, Shaped};

use super::input::{checked_namespace, optional_id};
use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::at::<ThreadHistoryArguments, ThreadHistory>(
    "thread_history",
    "For each channel the nearest value that an ancestor of a checkpoint has, and what was written to it since.",
    perform,
)
.of(Capability::Threads);

/// The checkpoint and its channels.
#[derive(ArgumentMembers)]
struct ThreadHistoryArguments<'a> {
    /// The thread, free text.
    thread_id: &'a str,
    /// The namespace: empty, or that of a subgraph.
    namespace: &'a str,
    /// The checkpoint; the latest of the namespace without.
    id: Option<&'a str>,
    /// The channels.
    channels: Vec<String>,
}

/// The history of the values of channels.
#[derive(Shaped)]
struct ThreadHistory {
    /// Of each `channel` its `seed`, or null: a `value`, and the `id`, the `parent` and the `checkpoint` of the one that has it; and its `writes`,
    /// the oldest first: each a task, a channel, a value and the id of the checkpoint that it was written to.
    #[shape(kind = Kind::List(&Kind::Record))]
    channels: Vec<Json>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: ThreadHistoryArguments<'_> = arguments.read();
        let thread = arguments.thread_id;
        let reply = match query(arguments) {
            Ok(query) => history(io, settings, thread, &query).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|channels| {
            let channels = channels.into_iter().map(ChannelHistory::into_json);
            let channels = channels.collect();
            ThreadHistory { channels }.into()
        })
    })
}

/// The arguments of the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryQuery {
    namespace: String,
    id: Option<String>,
    channels: Vec<String>,
}

fn query(arguments: ThreadHistoryArguments<'_>) -> Result<HistoryQuery, Error> {
    Ok(HistoryQuery {
        namespace: checked_namespace(arguments.namespace)?,
        id: optional_id("id", arguments.id)?,
        channels: arguments.channels,
    })
}

/// The history of each channel; empty for an unknown thread.
///
/// Warns and fails as [`super::load::load`].
pub async fn history(
    io: &Io,
    settings: &Settings,
    thread: &str,
    query: &HistoryQuery,
) -> Reply<Vec<ChannelHistory>> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let of = (query.namespace.as_str(), query.id.as_deref());
        let mut rule = |log: Log<'_>| tuple::history(log, of, &query.channels);
        let found = store.apply(thread, warnings, &mut rule).await?;
        Ok(found.unwrap_or_default())
    })
    .await
}
