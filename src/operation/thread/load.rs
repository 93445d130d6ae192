//! One checkpoint of a thread.

use crate::checkpoint::thread::log::Log;
use crate::checkpoint::thread::tuple::{self, Tuple};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Object;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation, required, shape};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Kind, Shape};

use super::input::{self, ID, NAMESPACE, THREAD, TUPLE};
use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::at(
    "load_thread",
    "The latest checkpoint of a thread's namespace, or the one of an id.",
    &ARGUMENTS,
    Kind::Object(&LOADED),
    perform,
)
.of(Capability::Threads);

const ARGUMENTS: Shape = shape(
    "LoadThreadArguments",
    "The checkpoint.",
    &[THREAD, NAMESPACE, ID],
);

const LOADED: Shape = shape(
    "LoadedThread",
    "The result.",
    &[required("found", Kind::Nullable(&Kind::Record), TUPLE)],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = match read(arguments) {
            Ok((namespace, id)) => {
                let thread = arguments.text("thread_id");
                load(io, settings, thread, &namespace, id.as_deref()).await
            }
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|found| {
            let found = found.map(Tuple::into_json);
            Object::new().with("found", found).into()
        })
    })
}

fn read(arguments: &Arguments) -> Result<(String, Option<String>), Error> {
    let id = input::optional_id(arguments, "id")?;
    Ok((input::namespace(arguments)?, id))
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
