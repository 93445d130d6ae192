//! Bringing a thread back that cannot be read.

use crate::checkpoint::thread::index::PartRef;
use crate::checkpoint::thread::salvage::{self, salvage};
use crate::effect::{Io, boxed};
use crate::error::{Code, Error};
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::manifest::{ManifestRemains, NextIndex, PartName, Rebuilt};
use crate::text::quoted;

use super::thread_store::{ThreadStore, stem};

pub(super) const OPERATION: Operation = Operation::changing::<RecoverThreadArguments, RecoveredThread>(
    "recover_thread",
    "Brings a thread back that cannot be read, as far as its files can: what is damaged is kept in quarantine, and \
     the thread goes on from the rest.",
    perform,
)
.of(Capability::Threads);

/// The thread.
#[derive(ArgumentMembers)]
struct RecoverThreadArguments<'a> {
    /// The thread, free text.
    thread_id: &'a str,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let RecoverThreadArguments { thread_id } = arguments.read();
        recover(io, settings, thread_id).await.map(Json::from)
    })
}

/// The outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Shaped)]
pub struct RecoveredThread {
    /// The number of its checkpoints.
    #[shape(with = Json::from_count)]
    pub checkpoints: usize,
    /// The number of changes since its document was last written that are in it.
    #[shape(with = Json::from_count)]
    pub kept: usize,
    /// At least so many of them are not: they cannot be read any more.
    #[shape(with = Json::from_count)]
    pub lost: usize,
    /// The number of checkpoints that are left out because a value of theirs goes on from one that is lost.
    #[shape(with = Json::from_count)]
    pub dropped: usize,
    /// The number of files with older checkpoints that are gone or cannot be read.
    #[shape(with = Json::from_count)]
    pub lost_parts: usize,
    /// The folder with copies of what is damaged, relative to the root.
    pub quarantined: Vec<String>,
}

/// Puts a thread in the place of one that cannot be read, made of all that can be: its document, its parts, and the
/// lines of its journal. What is damaged is kept in quarantine first.
///
/// Fails with `not_found` where nothing is damaged; `invalid_name`, `unsupported_version`, `busy`, `unsafe_path`, `io`.
pub async fn recover(io: &Io, settings: &Settings, thread: &str) -> Reply<RecoveredThread> {
    with_warnings(async |_| {
        let stem = stem(thread)?;
        let store = ThreadStore::open(io, settings).await?;
        let mut recovered = RecoveredThread::default();
        let mut rebuild = |remains: &ManifestRemains, token: &str| {
            let (made, rebuilt) = rebuilt(thread, token, remains)?;
            recovered = made;
            Ok(rebuilt)
        };
        let copies = store
            .documents
            .manifest()
            .recover(&stem, &mut rebuild)
            .await;
        match store.documents.rooted(copies).await {
            Ok(copies) => {
                recovered.quarantined = copies;
                Ok(recovered)
            }
            Err(error) => {
                if error.code() == Code::NotFound {
                    store.documents.expect_root().await?;
                }
                Err(error)
            }
        }
    })
    .await
}

/// The thread that takes the place of one of which this is left, and the report of it.
fn rebuilt(
    thread: &str,
    token: &str,
    remains: &ManifestRemains,
) -> Result<(RecoveredThread, Rebuilt), Error> {
    let parts = remains.parts.iter();
    let parts = parts.map(|(part, bytes)| (part_ref(part), bytes.as_slice()));
    let left = salvage::ThreadRemains {
        index: remains.index.as_ref(),
        parts: parts.collect(),
        lines: &remains.lines,
    };
    let salvaged = salvage(thread, token, &left)?;
    if remains.is_sound && salvaged.is_sound {
        let name = quoted(thread);
        let message = format!("There is nothing to recover: the thread {name} can be read");
        return Err(Error::not_found(message));
    }
    let recovered = RecoveredThread {
        checkpoints: salvaged.checkpoints,
        kept: salvaged.kept,
        lost: remains.lost + (remains.lines.len() - salvaged.kept),
        dropped: salvaged.dropped,
        lost_parts: salvaged.lost_parts,
        quarantined: Vec::new(),
    };
    let add = salvaged.sealed.into_iter().map(|it| (it.key, it.bytes));
    let next = NextIndex {
        add: add.collect(),
        object: salvaged.thread.into_object(),
    };
    let broken = salvaged.broken.into_iter().map(part_name).collect();
    Ok((recovered, Rebuilt { next, broken }))
}

fn part_ref(part: &PartName) -> PartRef {
    PartRef {
        key: part.key.clone(),
        token: part.token.clone(),
    }
}

fn part_name(part: PartRef) -> PartName {
    PartName {
        key: part.key,
        token: part.token,
    }
}
