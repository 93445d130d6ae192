//! Putting checkpoints, and what their tasks wrote, into a thread.

use crate::checkpoint::thread::change::{Addition, Coverage, Fork, Put, ThreadChange, change};
use crate::checkpoint::thread::shared_text::SharedText;
use crate::checkpoint::thread::writes::ChannelWrite;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::wire::error_json;
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Kind, Shaped};

use super::input::{SerializedValues, checked_id, checked_namespace, optional_id};
use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::changing::<PutThreadArguments, PutThread>(
    "put_thread",
    "Puts checkpoints, and what their tasks wrote, into a thread, all in one commit. Values that did not \
     change are those of the parent, and of one that grew only what is new is stored.",
    perform,
)
.of(Capability::Threads)
.sharing_text();

/// The values to put, in texts of their serializer.
#[derive(ArgumentMembers)]
struct PutThreadArguments<'a> {
    /// The thread, free text.
    thread_id: &'a str,
    /// The changes, one after the other. One that is refused leaves the others as they are.
    changes: Vec<PutChange<'a>>,
    /// The texts of all values one after the other, each of which then is the number of its bytes.
    text: Option<&'a str>,
}

/// A checkpoint, or with `task` what that wrote to one, which need not be there yet.
#[derive(ArgumentMembers)]
#[shape(name = "ThreadChange")]
struct PutChange<'a> {
    /// The namespace: empty, or that of a subgraph.
    namespace: &'a str,
    /// The checkpoint.
    id: &'a str,
    /// The id of the one that it follows from.
    parent: Option<&'a str>,
    /// Allow another one to follow from the same parent, which else is a conflict.
    fork: bool,
    /// All but the values of its channels: `[kind, text]` or `[kind, text, encoding]`.
    #[shape(kind = Kind::List(&Kind::Any))]
    checkpoint: Option<&'a Json>,
    /// The message of its maker, likewise.
    #[shape(kind = Kind::List(&Kind::Any))]
    metadata: Option<&'a Json>,
    /// The channels that have a version.
    #[shape(optional)]
    channels: Vec<String>,
    /// The channels that have a new one; one without a value has none any more.
    #[shape(optional)]
    changed: Vec<String>,
    /// `values` has those of all channels. Where the parent is not there, they are the whole state; without, the
    /// checkpoint is then refused unless all channels changed.
    whole: bool,
    /// The checkpoints of outer graphs during which it was made: their ids, by namespace.
    outer: Option<&'a Object>,
    /// The run that it belongs to, by which it can be removed.
    run: Option<&'a str>,
    /// The task that wrote. Of two writes at one place the first counts; of an error, an interrupt and the like the last.
    task: Option<&'a str>,
    /// The position of the task in its graph, by which writes are ordered.
    path: Option<&'a str>,
    /// Pairs of a channel and a value, which is `[kind, text]` or `[kind, text, encoding]`.
    values: Vec<&'a Json>,
}

/// The outcome.
#[derive(Shaped)]
struct PutThread {
    /// Of each change in its place.
    #[shape(into = PutThreadResult)]
    results: Vec<Result<bool, Error>>,
}

/// The outcome of one change.
#[derive(Shaped)]
struct PutThreadResult {
    /// True if something of it was not there already.
    changed: bool,
    /// Why it was refused: an error as replies have it.
    #[shape(kind = Kind::Nullable(&Kind::Record))]
    error: Option<Json>,
}

impl From<Result<bool, Error>> for PutThreadResult {
    fn from(result: Result<bool, Error>) -> Self {
        PutThreadResult {
            changed: matches!(result, Ok(true)),
            error: result.as_ref().err().map(error_json),
        }
    }
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let behind = arguments.shared_text().map(SharedText::from);
        let arguments: PutThreadArguments<'_> = arguments.read();
        let apart = behind.or_else(|| arguments.text.map(SharedText::from));
        let reply = match changes(&arguments, apart) {
            Ok(changes) => put(io, settings, arguments.thread_id, changes).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|results| PutThread { results }.into())
    })
}

fn changes(
    arguments: &PutThreadArguments<'_>,
    apart: Option<SharedText>,
) -> Result<Vec<ThreadChange>, Error> {
    let mut texts = SerializedValues::new(apart);
    let changes = arguments.changes.iter();
    let changes: Result<Vec<ThreadChange>, Error> = changes
        .map(|change| change_of(change, &mut texts))
        .collect();
    let changes = changes?;
    texts.expect_end()?;
    Ok(changes)
}

fn change_of(change: &PutChange<'_>, texts: &mut SerializedValues) -> Result<ThreadChange, Error> {
    let namespace = checked_namespace(change.namespace)?;
    let id = checked_id("id", change.id)?;
    if let Some(task) = optional_id("task", change.task)? {
        let path = change.path.unwrap_or_default();
        return Ok(ThreadChange::Add(Addition {
            namespace,
            id,
            writes: ChannelWrite::all(&task, path, texts.pairs("values", &change.values)?),
        }));
    }
    Ok(ThreadChange::Put(Box::new(Put {
        namespace,
        id,
        parent: optional_id("parent", change.parent)?,
        fork: match change.fork {
            true => Fork::Allow,
            false => Fork::Refuse,
        },
        body: texts.typed("checkpoint", change.checkpoint)?,
        metadata: texts.typed("metadata", change.metadata)?,
        channels: change.channels.clone(),
        changed: change.changed.clone(),
        values: texts.pairs("values", &change.values)?,
        coverage: match change.whole {
            true => Coverage::All,
            false => Coverage::Changed,
        },
        run: optional_id("run", change.run)?,
        outer: outer(change.outer),
    })))
}

fn outer(given: Option<&Object>) -> Vec<(String, String)> {
    let ids = given.into_iter().flat_map(Object::iter);
    let ids =
        ids.filter_map(|(namespace, id)| Some((namespace.to_owned(), id.as_str()?.to_owned())));
    ids.collect()
}

/// Makes changes in one commit; of each, whether anything of it was not there already, or why it was refused:
/// `conflict` where another checkpoint follows from the same parent and no fork is asked for, where the id is another
/// one's, and where it goes on from what was deleted or pruned; `not_found` where the parent is not there
/// and not all values are given; `usage` where it follows from itself; `too_large` where it could not be read again.
///
/// Warns `lost_changes`, and goes on from what is left. Fails with `invalid_name`, `too_large`; `invalid_document`,
/// `unsupported_version`, `corrupt` for what is stored; `busy`, `unsafe_path`, `io`.
pub async fn put(
    io: &Io,
    settings: &Settings,
    thread: &str,
    changes: Vec<ThreadChange>,
) -> Reply<Vec<Result<bool, Error>>> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        store.documents.expect_known().await?;
        let writing = store.writing();
        store
            .change(thread, warnings, &mut |present, loaded, token| {
                change(present, loaded, &changes, token, writing)
            })
            .await
    })
    .await
}
