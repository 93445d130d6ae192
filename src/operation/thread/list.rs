//! The checkpoints of a thread, a page at a time.

use crate::checkpoint::thread::log::Log;
use crate::checkpoint::thread::tuple::{self, Query, ThreadCursor, Tuple, TuplePage};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{
    Answering, Arguments, Capability, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Kind, Shape};

use super::input::{self, THREAD, TUPLE};
use super::thread_store::ThreadStore;

/// The number of checkpoints in a page, unless the caller says otherwise: each has all of its values.
const USUAL: u64 = 10;

/// No page has more.
const MOST: u64 = 1_000;

pub(super) const OPERATION: Operation = Operation::at(
    "list_thread",
    "The checkpoints of a thread, the newest first, a page at a time.",
    &ARGUMENTS,
    Kind::Object(&PAGE),
    perform,
)
.of(Capability::Threads);

const ARGUMENTS: Shape = shape(
    "ListThreadArguments",
    "The checkpoints.",
    &[
        THREAD,
        optional(
            "namespace",
            &Kind::String,
            "Those of one namespace; of all without.",
        ),
        optional("id", &Kind::String, "The one of this id."),
        optional(
            "before",
            &Kind::String,
            "Those that come before the one of this id.",
        ),
        optional(
            "limit",
            &Kind::Integer,
            "At most so many, from 1 to 1,000; 10 by default.",
        ),
        optional("after", &Kind::Record, "The `next` of the page before."),
    ],
);

const PAGE: Shape = shape(
    "ThreadPage",
    "Some checkpoints of a thread.",
    &[
        required("checkpoints", Kind::List(&Kind::Record), TUPLE),
        required(
            "next",
            Kind::Nullable(&Kind::Record),
            "The checkpoint after which the next page begins; null on the last page.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = match read(arguments) {
            Ok(query) => list(io, settings, arguments.text("thread_id"), &query).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(shown)
    })
}

fn read(arguments: &Arguments) -> Result<Query, Error> {
    let namespace = match arguments.optional_text("namespace") {
        Some(_) => Some(input::namespace(arguments)?),
        None => None,
    };
    let limit = arguments.number("limit").unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        let message = format!("Expected `limit` to be from 1 to {MOST}, got {limit}");
        return Err(Error::usage(message));
    }
    Ok(Query {
        namespace,
        id: input::optional_id(arguments, "id")?,
        before: input::optional_id(arguments, "before")?,
        after: arguments.value("after").map(cursor).transpose()?,
        limit: usize::try_from(limit).unwrap_or(usize::MAX),
    })
}

fn cursor(json: &Json) -> Result<ThreadCursor, Error> {
    let wrong = || Error::usage("Expected `after` to be the `next` of a page".to_owned());
    let object = json.as_object().ok_or_else(wrong)?;
    let order = object.get("order").and_then(Json::as_str);
    let number = object.get("number").and_then(Json::as_u64);
    Ok(ThreadCursor {
        order: order.ok_or_else(wrong)?.to_owned(),
        number: number.ok_or_else(wrong)?,
    })
}

fn shown((tuples, next): TuplePage) -> Json {
    let tuples = tuples.into_iter().map(Tuple::into_json);
    let next = next.map(|it| {
        let object = Object::new().with("order", it.order);
        object.with("number", it.number)
    });
    Object::new()
        .with("checkpoints", tuples.collect::<Vec<_>>())
        .with("next", next)
        .into()
}

/// Checkpoints of a thread, the newest first; empty for an unknown thread.
///
/// Warns and fails as [`super::load::load`], and with `usage`.
pub async fn list(io: &Io, settings: &Settings, thread: &str, query: &Query) -> Reply<TuplePage> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let mut rule = |log: Log<'_>| tuple::list(log, query);
        let page = store.apply(thread, warnings, &mut rule).await?;
        Ok(page.unwrap_or_default())
    })
    .await
}
