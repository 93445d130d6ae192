//! The checkpoints of a thread, a page at a time.

use crate::checkpoint::thread::log::Log;
use crate::checkpoint::thread::tuple::{self, Query, ThreadCursor, Tuple, TuplePage};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Kind, Shaped};

use super::input::{checked_namespace, optional_id};
use super::thread_store::ThreadStore;

/// The number of checkpoints in a page, unless the caller says otherwise: each has all of its values.
const USUAL: u64 = 10;

/// No page has more.
const MOST: u64 = 1_000;

pub(super) const OPERATION: Operation = Operation::at::<ListThreadArguments, ThreadPage>(
    "list_thread",
    "The checkpoints of a thread, the newest first, a page at a time.",
    perform,
)
.of(Capability::Threads);

/// The checkpoints.
#[derive(ArgumentMembers)]
struct ListThreadArguments<'a> {
    /// The thread, free text.
    thread_id: &'a str,
    /// Those of one namespace; of all without.
    namespace: Option<&'a str>,
    /// The one of this id.
    id: Option<&'a str>,
    /// Those that come before the one of this id.
    before: Option<&'a str>,
    /// At most so many, from 1 to 1,000; 10 by default.
    limit: Option<u64>,
    /// The `next` of the page before.
    #[shape(kind = Kind::Record)]
    after: Option<&'a Json>,
}

/// Some checkpoints of a thread.
#[derive(Shaped)]
struct ThreadPage {
    /// `namespace`, `id`, `parent`; `checkpoint` and `metadata` as they were put; `values`, pairs of a channel and
    /// its value; and `writes`, each a task, a channel and a value, in the order in which a superstep applies them.
    #[shape(kind = Kind::List(&Kind::Record))]
    checkpoints: Vec<Json>,
    /// The checkpoint after which the next page begins; null on the last page.
    #[shape(kind = Kind::Nullable(&Kind::Record))]
    next: Option<Json>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: ListThreadArguments<'_> = arguments.read();
        let reply = match query(&arguments) {
            Ok(query) => list(io, settings, arguments.thread_id, &query).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|page| ThreadPage::from(page).into())
    })
}

fn query(arguments: &ListThreadArguments<'_>) -> Result<Query, Error> {
    let namespace = arguments.namespace.map(checked_namespace).transpose()?;
    let limit = arguments.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        let message = format!("Expected `limit` to be from 1 to {MOST}, got {limit}");
        return Err(Error::usage(message));
    }
    Ok(Query {
        namespace,
        id: optional_id("id", arguments.id)?,
        before: optional_id("before", arguments.before)?,
        after: arguments.after.map(cursor).transpose()?,
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

impl From<TuplePage> for ThreadPage {
    fn from((tuples, next): TuplePage) -> Self {
        let next = next.map(|it| {
            let object = Object::new().with("order", it.order);
            object.with("number", it.number).into()
        });
        ThreadPage {
            checkpoints: tuples.into_iter().map(Tuple::into_json).collect(),
            next,
        }
    }
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
