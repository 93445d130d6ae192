//! One checkpoint of a thread.

use crate::checkpoint::thread::log::Log;
use crate::checkpoint::thread::tuple::{self, Tuple};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Kind, Shaped};

use super::input::{checked_namespace, optional_id};
use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::at::<LoadThreadArguments, LoadedThread>(
    "load_thread",
    "The latest checkpoint of a thread's namespace, or the one of an id.",
    perform,
)
.of(Capability::Threads);

/// The checkpoint.
#[derive(ArgumentMembers)]
struct LoadThreadArguments<'a> {
    /// The thread, free text.
    thread_id: &'a str,
    /// The namespace: empty, or that of a subgraph.
    namespace: &'a str,
    /// The checkpoint; the latest of the namespace without.
    id: Option<&'a str>,
}

/// The result.
#[derive(Shaped)]
struct LoadedThread {
    /// `namespace`, `id`, `parent`; `checkpoint` and `metadata` as they were put; `values`, pairs of a channel and
    /// its value; and `writes`, each a task, a channel and a value, in the order in which a superstep applies them.
    #[shape(kind = Kind::Nullable(&Kind::Record))]
    found: Option<Json>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: LoadThreadArguments<'_> = arguments.read();
        let reply = match names(&arguments) {
            Ok((namespace, id)) => {
                let thread = arguments.thread_id;
                load(io, settings, thread, &namespace, id.as_deref()).await
            }
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|found| {
            let found = found.map(Tuple::into_json);
            LoadedThread { found }.into()
        })
    })
}

fn names(arguments: &LoadThreadArguments<'_>) -> Result<(String, Option<String>), Error> {
    let id = optional_id("id", arguments.id)?;
    Ok((checked_namespace(arguments.namespace)?, id))
}

/// The checkpoint of an id, or the latest of the namespace; `None` where it does not exist.
///
/// Warns `untrusted_origin`, `lost_changes`. Fails with `invalid_name`; `invalid_document`, `unsupported_version`, `corrupt` for
/// what is stored; `busy`, `unsafe_path`, `io`.
pub async fn load(
    io: &Io,
    settings: &Settings,
    thread: &str,
    namespace: &str,
    id: Option<&str>,
) -> Reply<Option<Tuple>> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let mut rule = |log: Log<'_>| tuple::load(log, namespace, id);
        Ok(store.apply(thread, warnings, &mut rule).await?.flatten())
    })
    .await
}
