//! Copying a thread.

use crate::checkpoint::thread::index::Thread;
use crate::checkpoint::thread::log::{LoadedParts, Log};
use crate::checkpoint::thread::retain;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::text::quoted;

use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::changing::<CopyThreadArguments, CopiedThread>(
    "copy_thread",
    "Copies a thread with all its checkpoints, in all namespaces, as it is at that moment. Both go on by themselves.",
    perform,
)
.of(Capability::Threads);

/// The two threads.
#[derive(ArgumentMembers)]
struct CopyThreadArguments<'a> {
    /// The thread, free text.
    thread_id: &'a str,
    /// The id of the copy, under which there is no thread yet.
    target: &'a str,
}

/// The outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Shaped)]
pub struct CopiedThread {
    /// The number of checkpoints that the copy has.
    #[shape(with = Json::from_count)]
    pub checkpoints: usize,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let CopyThreadArguments { thread_id, target } = arguments.read();
        copy(io, settings, thread_id, target).await.map(Json::from)
    })
}

/// Copies a thread.
///
/// Warns `lost_changes`. Fails with `not_found` where there is no such thread, `conflict` where there is one under the
/// other id; `invalid_name`, `too_large`; `invalid_document`, `unsupported_version`, `corrupt` for what is stored;
/// `busy`, `unsafe_path`, `io`.
pub async fn copy(io: &Io, settings: &Settings, thread: &str, target: &str) -> Reply<CopiedThread> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        // All parts, which the copy needs.
        let mut take = |log: Log<'_>| {
            log.expect_all()?;
            Ok((log.thread().clone(), log.loaded().clone()))
        };
        let taken = store.apply(thread, warnings, &mut take).await?;
        let Some((source, parts)) = taken else {
            let message = format!("There is no thread {}", quoted(thread));
            return Err(Error::not_found(message));
        };
        let mut checkpoints = 0;
        let mut rule = |present: &Thread, _: &LoadedParts, token: &str| {
            if !present.is_vacant() {
                return Err(taken_by(target).into());
            }
            let (outcome, count) = retain::copy(Log::new(&source, &parts), present, token)?;
            checkpoints = count;
            Ok(outcome)
        };
        store.change(target, warnings, &mut rule).await?;
        Ok(CopiedThread { checkpoints })
    })
    .await
}

fn taken_by(target: &str) -> Error {
    let message = format!(
        "There is a thread {} already: delete it first, or copy to another id",
        quoted(target)
    );
    Error::conflict(message, vec!["/target".to_owned()])
}
