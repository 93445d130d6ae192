//! Putting a checkpoint into a thread.

use crate::checkpoint::thread::change::{self, Fork, Put};
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
    "put_thread",
    "Puts a checkpoint into a thread: values that did not change are those of its parent, and of one that \
     grew only what is new is stored.",
    &ARGUMENTS,
    Kind::Object(&PUT),
    perform,
)
.of(Wing::Threads);

const ARGUMENTS: Shape = shape(
    "PutThreadArguments",
    "The checkpoint, in texts of its serializer.",
    &[
        THREAD,
        NAMESPACE,
        required("id", Kind::String, "Its id."),
        optional("parent", &Kind::String, "The id of the one that it follows from."),
        optional(
            "fork",
            &Kind::Boolean,
            "Whether another one may follow from the same parent, which else is a conflict.",
        ),
        required(
            "checkpoint",
            Kind::List(&Kind::String),
            "All but the values of its channels: `[kind, text]` or `[kind, text, encoding]`.",
        ),
        required("metadata", Kind::List(&Kind::String), "What its maker says of it."),
        required(
            "channels",
            Kind::List(&Kind::String),
            "The channels that have a version.",
        ),
        required(
            "changed",
            Kind::List(&Kind::String),
            "The channels that have a new one.",
        ),
        required(
            "values",
            Kind::List(&Kind::Any),
            "Pairs of a channel and its value; a changed channel without one has none any more.",
        ),
    ],
);

const PUT: Shape = shape(
    "PutThread",
    "What became of it.",
    &[required(
        "changed",
        Kind::Boolean,
        "Whether it was put now; it was there already otherwise, the very same.",
    )],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = match read(arguments) {
            Ok(checkpoint) => put(io, settings, arguments.text("thread_id"), &checkpoint).await,
            Err(error) => Noticed::default().reply(Err(error)),
        };
        reply.map(|changed| Object::new().with("changed", changed).into())
    })
}

fn read(arguments: &Arguments) -> Result<Put, Error> {
    Ok(Put {
        namespace: given::namespace(arguments)?,
        id: given::id(arguments, "id")?,
        parent: given::optional_id(arguments, "parent")?,
        fork: match arguments.flag("fork") {
            true => Fork::Allow,
            false => Fork::Refuse,
        },
        body: given::typed(arguments, "checkpoint")?,
        metadata: given::typed(arguments, "metadata")?,
        channels: given::texts(arguments, "channels"),
        changed: given::texts(arguments, "changed"),
        values: given::pairs(arguments, "values")?,
    })
}

/// Puts a checkpoint; whether it was not there already.
///
/// Fails with `conflict` where another one follows from the same parent and no fork is asked for, and where the
/// id is another one's; `invalid_name`, `usage`, `too_large`; `invalid_document`, `unsupported_version`,
/// `corrupt` for what is stored; `busy`, `unsafe_path`, `io`.
pub async fn put(
    io: &Io,
    settings: &Settings,
    thread: &str,
    checkpoint: &Put,
) -> Reply<bool> {
    noticing(async |_| {
        let opened = Opened::open(io, settings).await?;
        opened.expect_known_place().await?;
        opened
            .change(thread, &mut |present, loaded, token| {
                change::put(present, loaded, checkpoint, token)
            })
            .await
    })
    .await
}
