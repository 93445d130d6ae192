//! All threads.

use crate::checkpoint::thread::name::{self, is_stem};
use crate::effect::{Io, boxed};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::input::optional_id;
use super::thread_store::ThreadStore;

/// The number of threads in a page.
const PAGE_THREADS: usize = 100;

pub(super) const OPERATION: Operation = Operation::at::<ListThreadsArguments, ThreadsPage>(
    "list_threads",
    "The threads, a page at a time, in an order that stays as it is.",
    perform,
)
.of(Capability::Threads);

/// The page.
#[derive(ArgumentMembers)]
struct ListThreadsArguments<'a> {
    /// The thread that the page begins after; it need not be there any more.
    after: Option<&'a str>,
}

/// Some of the threads.
#[derive(Shaped)]
struct ThreadsPage {
    /// Their ids, in an order that does not change with what is put; not that of the ids.
    threads: Vec<String>,
    /// The place after which the next page begins; null on the last page.
    next: Option<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let ListThreadsArguments { after } = arguments.read();
        let reply = match optional_id("after", after) {
            Ok(after) => list_threads(io, settings, after.as_deref()).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|(threads, next)| ThreadsPage { threads, next }.into())
    })
}

/// The threads after this one, and what the next page begins after. One that cannot be read is passed over,
/// with a warning.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `invalid_document`, `lost_changes`. Fails with `invalid_name`,
/// `unsafe_path`, `io`.
pub async fn list_threads(
    io: &Io,
    settings: &Settings,
    after: Option<&str>,
) -> Reply<(Vec<String>, Option<String>)> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let manifest = store.documents.manifest();
        let after = after.map(name::stem);
        let mut names = manifest.names().await?;
        if names.is_empty() {
            store.documents.expect_root().await?;
        }
        names.retain(|name| {
            is_stem(name.as_str()) && after.as_ref().is_none_or(|it| name.as_str() > it.as_str())
        });
        let mut threads: Vec<String> = Vec::new();
        for name in &names {
            if threads.len() == PAGE_THREADS {
                let next = threads.last().cloned();
                return Ok((threads, next));
            }
            match store.read(name, warnings).await {
                Ok(Some(thread)) => threads.push(thread.name().to_owned()),
                Ok(None) => {}
                Err(error) => store.pass_over(name, error, warnings),
            }
        }
        Ok((threads, None))
    })
    .await
}
