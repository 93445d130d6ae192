//! All threads.

use crate::checkpoint::thread::name::{self, is_stem};
use crate::effect::{Io, boxed};
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{
    Answering, Arguments, Capability, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Kind, Shape};

use super::input;
use super::thread_store::ThreadStore;

/// The number of threads in a page.
const PAGE_THREADS: usize = 100;

pub(super) const OPERATION: Operation = Operation::at(
    "list_threads",
    "The threads, a page at a time, in an order that stays as it is.",
    &ARGUMENTS,
    Kind::Object(&PAGE),
    perform,
)
.of(Capability::Threads);

const ARGUMENTS: Shape = shape(
    "ListThreadsArguments",
    "The page.",
    &[optional(
        "after",
        &Kind::String,
        "The thread that the page begins after; it need not be there any more.",
    )],
);

const PAGE: Shape = shape(
    "ThreadsPage",
    "Some of the threads.",
    &[
        required(
            "threads",
            Kind::List(&Kind::String),
            "Their ids, in an order that does not change with what is put; not that of the ids.",
        ),
        required(
            "next",
            Kind::Nullable(&Kind::String),
            "The place after which the next page begins; null on the last page.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = match input::optional_id(arguments, "after") {
            Ok(after) => list_threads(io, settings, after.as_deref()).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|(threads, next)| {
            let threads = threads.into_iter().map(Json::from);
            Object::new()
                .with("threads", threads.collect::<Vec<_>>())
                .with("next", next)
                .into()
        })
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
                Err(error) => {
                    let error = store.advise(name, None, error);
                    warnings.add(store.documents.passed_over(name, &error));
                }
            }
        }
        Ok((threads, None))
    })
    .await
}
