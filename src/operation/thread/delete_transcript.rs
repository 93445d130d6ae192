//! Removing the transcripts of a session, or the one of a subagent.

use crate::checkpoint::thread::transcript::remove;
use crate::effect::{Io, boxed};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::thread_store::ThreadStore;
use super::transcript::{TranscriptArguments, TranscriptKey};

pub(super) const OPERATION: Operation =
    Operation::changing::<DeleteTranscriptArguments, DeletedTranscript>(
        "delete_transcript",
        "Removes the transcripts of a session with those of its subagents, or with `subpath` that one alone.",
        perform,
    )
    .of(Capability::Threads);

/// The transcript.
#[derive(ArgumentMembers)]
struct DeleteTranscriptArguments<'a> {
    #[shape(flatten)]
    transcript: TranscriptArguments<'a>,
}

/// The outcome.
#[derive(Shaped)]
struct DeletedTranscript {
    /// True if it was there.
    deleted: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let DeleteTranscriptArguments { transcript } = arguments.read();
        let reply = match transcript.key() {
            Ok(key) => delete_transcript(io, settings, &key).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|deleted| DeletedTranscript { deleted }.into())
    })
}

/// Removes all transcripts of a session, or the one of a subagent; whether there was one. Entries that come later begin
/// it again.
///
/// Fails as [`super::remove::remove`], and with `subpath` as [`super::append_transcript::append_transcript`].
pub async fn delete_transcript(io: &Io, settings: &Settings, key: &TranscriptKey) -> Reply<bool> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let is_removed = if key.subpath.is_empty() {
            store.delete(&key.thread).await?
        } else {
            let writing = store.writing();
            let mut rule = |present: &_, loaded: &_, token: &str| {
                remove(present, loaded, &key.subpath, token, writing)
            };
            let results = store.change(&key.thread, warnings, &mut rule).await?;
            results.into_iter().next().unwrap_or(Ok(false))?
        };
        if !is_removed {
            store.documents.expect_root().await?;
        }
        Ok(is_removed)
    })
    .await
}
