//! Taking the newest entry out of a transcript.

use crate::checkpoint::thread::transcript::pop;
use crate::effect::{Io, boxed};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::thread_store::ThreadStore;
use super::transcript::{CallId, TranscriptArguments, TranscriptKey};

pub(super) const OPERATION: Operation = Operation::changing::<PopTranscriptArguments, PoppedEntry>(
    "pop_transcript",
    "Takes the newest entry out of a transcript.",
    perform,
)
.of(Capability::Threads);

/// The transcript.
#[derive(ArgumentMembers)]
struct PopTranscriptArguments<'a> {
    #[shape(flatten)]
    transcript: TranscriptArguments<'a>,
}

/// The outcome.
#[derive(Shaped)]
struct PoppedEntry {
    /// The text of the entry; null where there was no entry.
    entry: Option<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let PopTranscriptArguments { transcript } = arguments.read();
        let reply = match transcript.key() {
            Ok(key) => pop_transcript(io, settings, &key).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|entry| PoppedEntry { entry }.into())
    })
}

/// Takes the newest entry; its text. Of several callers each gets another one.
///
/// Fails as [`super::append_transcript::append_transcript`].
pub async fn pop_transcript(
    io: &Io,
    settings: &Settings,
    key: &TranscriptKey,
) -> Reply<Option<String>> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let writing = store.writing();
        let id = CallId::new(io).await?;
        let mut taken = None;
        let mut rule = |present: &_, loaded: &_, token: &str| {
            pop(present, loaded, id.on(key), &mut taken, token, writing)
        };
        store.change(&key.thread, warnings, &mut rule).await?;
        if taken.is_none() {
            store.documents.expect_root().await?;
        }
        Ok(taken)
    })
    .await
}
