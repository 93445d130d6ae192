//! Adding what a task wrote to a checkpoint of a thread.

use crate::checkpoint::thread::change;
use crate::checkpoint::thread::name;
use crate::checkpoint::thread::writes::Write;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Object;
use crate::operation::reply::noticing;
use crate::operation::row::{Answering, Arguments, Operation, Wing, optional, required, shape};
use crate::operation::{Noticed, Reply, Settings};
use crate::schema::{Kind, Shape};

use super::given::{self, NAMESPACE, THREAD};
use super::opened::Opened;

pub(super) const OPERATION: Operation = Operation::at(
    "put_thread_writes",
    "Adds what a task wrote to a checkpoint, which need not be there yet. Of two writes at one place the first \
     counts; of an error, an interrupt and the like the last.",
    &ARGUMENTS,
    Kind::Object(&PUT),
    perform,
)
.of(Wing::Threads);

const ARGUMENTS: Shape = shape(
    "PutThreadWritesArguments",
    "The writes of one task, in texts of their serializer.",
    &[
        THREAD,
        NAMESPACE,
        required("id", Kind::String, "The checkpoint."),
        required("task", Kind::String, "The task."),
        optional(
            "path",
            &Kind::String,
            "Where the task stands in its graph, by which writes are ordered.",
        ),
        required(
            "writes",
            Kind::List(&Kind::Any),
            "Pairs of a channel and a value, in their order.",
        ),
    ],
);

const PUT: Shape = shape(
    "PutThreadWrites",
    "What became of them.",
    &[required(
        "changed",
        Kind::Boolean,
        "Whether any was not there already.",
    )],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = match Writes::read(arguments) {
            Ok(writes) => put_writes(io, settings, arguments.text("thread_id"), &writes).await,
            Err(error) => Noticed::default().reply(Err(error)),
        };
        reply.map(|changed| Object::new().with("changed", changed).into())
    })
}

/// What a task wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writes {
    namespace: String,
    /// The checkpoint.
    id: String,
    writes: Vec<Write>,
}

impl Writes {
    fn read(arguments: &Arguments) -> Result<Self, Error> {
        let task = arguments.text("task");
        name::check("task id", task)?;
        let path = arguments.optional_text("path").unwrap_or_default();
        Ok(Writes {
            namespace: given::namespace(arguments)?,
            id: given::id(arguments, "id")?,
            writes: Write::all(task, path, given::pairs(arguments, "writes")?),
        })
    }
}

/// Adds the writes of a task; whether any was not there already.
///
/// Fails as [`super::put::put`], without `conflict`.
pub async fn put_writes(
    io: &Io,
    settings: &Settings,
    thread: &str,
    writes: &Writes,
) -> Reply<bool> {
    noticing(async |_| {
        let opened = Opened::open(io, settings).await?;
        opened.expect_known_place().await?;
        opened
            .change(thread, &mut |present, loaded, token| {
                let of = (writes.namespace.as_str(), writes.id.as_str());
                change::put_writes(present, loaded, of, writes.writes.clone(), token)
            })
            .await
    })
    .await
}
