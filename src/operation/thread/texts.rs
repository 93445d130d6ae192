//! All texts of a thread, for a copy of it with others.

use crate::checkpoint::thread::log::Log;
use crate::checkpoint::thread::texts::all_texts;
use crate::effect::{Io, boxed};
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Kind, Shaped};

use super::copy::not_there;
use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::at::<ThreadTextsArguments, AllThreadTexts>(
    "thread_texts",
    "All texts of a thread, in the place of which `copy_thread` takes others.",
    perform,
)
.of(Capability::Threads);

/// The thread.
#[derive(ArgumentMembers)]
struct ThreadTextsArguments<'a> {
    /// The thread, free text.
    thread_id: &'a str,
}

/// The texts.
#[derive(Shaped)]
struct AllThreadTexts {
    /// The entries of the thread, the oldest first: `namespace`, `id`, `parent`; then the texts, `checkpoint` and
    /// `metadata`, null where only what tasks wrote is there; `values`, pairs of a channel and a value that is stored
    /// there; and `writes`, each a task, a channel and a value.
    #[shape(kind = Kind::List(&Kind::Record))]
    entries: Vec<Json>,
    /// The state that they are of.
    state: String,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let ThreadTextsArguments { thread_id } = arguments.read();
        let reply = thread_texts(io, settings, thread_id).await;
        reply.map(|(entries, state)| AllThreadTexts { entries, state }.into())
    })
}

/// The texts of all entries, and the state that they are of.
///
/// Warns and fails as [`super::load::load`], and with `not_found`.
async fn thread_texts(io: &Io, settings: &Settings, thread: &str) -> Reply<(Vec<Json>, String)> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let mut rule = |log: Log<'_>| {
            log.expect_all()?;
            all_texts(log)
        };
        let found = store.apply(thread, warnings, &mut rule).await?;
        found.ok_or_else(|| not_there(thread))
    })
    .await
}
