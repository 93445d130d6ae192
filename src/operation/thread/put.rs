//! Putting checkpoints, and what their tasks wrote, into a thread.

use crate::checkpoint::thread::change::{Addition, Coverage, Fork, Put, ThreadChange, change};
use crate::checkpoint::thread::writes::ChannelWrite;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{
    Answering, Arguments, Capability, Operation, optional, required, shape,
};
use crate::operation::wire::error_json;
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Kind, Shape};

use super::input::{self, NAMESPACE, SerializedValues, THREAD, VALUES};
use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::changing(
    "put_thread",
    "Puts checkpoints, and what their tasks wrote, into a thread, all in one commit. Values that did not \
     change are those of the parent, and of one that grew only what is new is stored.",
    &ARGUMENTS,
    Kind::Object(&DONE),
    perform,
)
.of(Capability::Threads);

const ARGUMENTS: Shape = shape(
    "PutThreadArguments",
    "The values to put, in texts of their serializer.",
    &[
        THREAD,
        required(
            "changes",
            Kind::List(&Kind::Object(&CHANGE)),
            "The changes, one after the other. One that is refused leaves the others as they are.",
        ),
        optional(
            "text",
            &Kind::String,
            "The texts of all values one after the other, each of which then is the number of its bytes.",
        ),
    ],
);

const CHANGE: Shape = shape(
    "ThreadChange",
    "A checkpoint, or with `task` what that wrote to one, which need not be there yet.",
    &[
        NAMESPACE,
        required("id", Kind::String, "The checkpoint."),
        optional(
            "parent",
            &Kind::String,
            "The id of the one that it follows from.",
        ),
        optional(
            "fork",
            &Kind::Boolean,
            "Allow another one to follow from the same parent, which else is a conflict.",
        ),
        optional(
            "checkpoint",
            &Kind::List(&Kind::Any),
            "All but the values of its channels: `[kind, text]` or `[kind, text, encoding]`.",
        ),
        optional(
            "metadata",
            &Kind::List(&Kind::Any),
            "The message of its maker, likewise.",
        ),
        optional(
            "channels",
            &Kind::List(&Kind::String),
            "The channels that have a version.",
        ),
        optional(
            "changed",
            &Kind::List(&Kind::String),
            "The channels that have a new one; one without a value has none any more.",
        ),
        optional(
            "whole",
            &Kind::Boolean,
            "`values` has those of all channels. Where the parent is not there, they are the whole state; without, the \
             checkpoint is then refused unless all channels changed.",
        ),
        optional(
            "outer",
            &Kind::Record,
            "The checkpoints of outer graphs during which it was made: their ids, by namespace.",
        ),
        optional(
            "task",
            &Kind::String,
            "The task that wrote. Of two writes at one place the first counts; of an error, an interrupt and the \
             like the last.",
        ),
        optional(
            "path",
            &Kind::String,
            "The position of the task in its graph, by which writes are ordered.",
        ),
        VALUES,
    ],
);

const DONE: Shape = shape(
    "PutThread",
    "The outcome.",
    &[required(
        "results",
        Kind::List(&Kind::Object(&RESULT)),
        "Of each change in its place.",
    )],
);

const RESULT: Shape = shape(
    "PutThreadResult",
    "The outcome of one change.",
    &[
        required(
            "changed",
            Kind::Boolean,
            "True if something of it was not there already.",
        ),
        required(
            "error",
            Kind::Nullable(&Kind::Record),
            "Why it was refused: an error as replies have it.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = match read(arguments) {
            Ok(changes) => put(io, settings, arguments.text("thread_id"), &changes).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|results| {
            let results = results.iter().map(shown);
            let results: Vec<Json> = results.collect();
            Object::new().with("results", results).into()
        })
    })
}

fn shown(result: &Result<bool, Error>) -> Json {
    let error = result.as_ref().err().map(error_json);
    Object::new()
        .with("changed", matches!(result, Ok(true)))
        .with("error", error)
        .into()
}

fn read(arguments: &Arguments) -> Result<Vec<ThreadChange>, Error> {
    let mut given = SerializedValues::new(arguments.optional_text("text"));
    let changes = arguments.0.get("changes").and_then(Json::as_array);
    let changes = changes.unwrap_or_default().iter();
    let changes: Result<Vec<ThreadChange>, Error> = changes
        .filter_map(Json::as_object)
        .map(|object| read_one(&Arguments(object.clone()), &mut given))
        .collect();
    let changes = changes?;
    given.expect_end()?;
    Ok(changes)
}

fn read_one(
    arguments: &Arguments,
    given: &mut SerializedValues<'_>,
) -> Result<ThreadChange, Error> {
    let namespace = input::namespace(arguments)?;
    let id = input::id(arguments, "id")?;
    if let Some(task) = input::optional_id(arguments, "task")? {
        let path = arguments.optional_text("path").unwrap_or_default();
        return Ok(ThreadChange::Add(Addition {
            namespace,
            id,
            writes: ChannelWrite::all(&task, path, given.pairs(arguments, "values")?),
        }));
    }
    Ok(ThreadChange::Put(Box::new(Put {
        namespace,
        id,
        parent: input::optional_id(arguments, "parent")?,
        fork: match arguments.flag("fork") {
            true => Fork::Allow,
            false => Fork::Refuse,
        },
        body: given.typed(arguments, "checkpoint")?,
        metadata: given.typed(arguments, "metadata")?,
        channels: input::texts(arguments, "channels"),
        changed: input::texts(arguments, "changed"),
        values: given.pairs(arguments, "values")?,
        coverage: match arguments.flag("whole") {
            true => Coverage::All,
            false => Coverage::Changed,
        },
        outer: outer(arguments),
    })))
}

fn outer(arguments: &Arguments) -> Vec<(String, String)> {
    let outer = arguments.value("outer").and_then(Json::as_object);
    let ids = outer.into_iter().flat_map(Object::iter);
    let ids =
        ids.filter_map(|(namespace, id)| Some((namespace.to_owned(), id.as_str()?.to_owned())));
    ids.collect()
}

/// Makes changes in one commit; of each, whether anything of it was not there already, or why it was refused:
/// `conflict` where another checkpoint follows from the same parent and no fork is asked for, where the id is another
/// one's, and where it goes on from what went when the thread was deleted; `not_found` where the parent is not there
/// and not all values are given; `usage` where it follows from itself; `too_large` where it could not be read again.
///
/// Warns `lost_changes`, and goes on from what is left. Fails with `invalid_name`, `too_large`; `invalid_document`,
/// `unsupported_version`, `corrupt` for what is stored; `busy`, `unsafe_path`, `io`.
pub async fn put(
    io: &Io,
    settings: &Settings,
    thread: &str,
    changes: &[ThreadChange],
) -> Reply<Vec<Result<bool, Error>>> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        store.documents.expect_known().await?;
        let writing = store.writing();
        store
            .change(thread, warnings, &mut |present, loaded, token| {
                change(present, loaded, changes, token, writing)
            })
            .await
    })
    .await
}
