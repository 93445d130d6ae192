//! The history of the values that channels have in a checkpoint.

use crate::checkpoint::thread::log::Log;
use crate::checkpoint::thread::tuple::{self, ChannelHistory};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Object;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation, required, shape};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Kind, Shape};

use super::input::{self, ID, NAMESPACE, THREAD};
use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::at(
    "thread_history",
    "For each channel the nearest value that an ancestor of a checkpoint has, and what was written to it since.",
    &ARGUMENTS,
    Kind::Object(&HISTORY),
    perform,
)
.of(Capability::Threads);

const ARGUMENTS: Shape = shape(
    "ThreadHistoryArguments",
    "The checkpoint and its channels.",
    &[
        THREAD,
        NAMESPACE,
        ID,
        required("channels", Kind::List(&Kind::String), "The channels."),
    ],
);

const HISTORY: Shape = shape(
    "ThreadHistory",
    "The history of the values of channels.",
    &[required(
        "channels",
        Kind::List(&Kind::Record),
        "Of each `channel` its `seed`, or null, and its `writes`, the oldest first: each a task, a channel and a \
         value.",
    )],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = match read(arguments) {
            Ok(query) => history(io, settings, arguments.text("thread_id"), &query).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|channels| {
            let channels = channels.into_iter().map(ChannelHistory::into_json);
            let channels: Vec<_> = channels.collect();
            Object::new().with("channels", channels).into()
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

fn read(arguments: &Arguments) -> Result<HistoryQuery, Error> {
    Ok(HistoryQuery {
        namespace: input::namespace(arguments)?,
        id: input::optional_id(arguments, "id")?,
        channels: input::texts(arguments, "channels"),
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
