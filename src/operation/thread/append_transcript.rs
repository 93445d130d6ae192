//! Adding entries to the transcript of a session.

use crate::checkpoint::thread::transcript::{TranscriptEntry, append};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::thread_store::ThreadStore;
use super::transcript::{CallId, TranscriptArguments, TranscriptKey};

pub(super) const OPERATION: Operation =
    Operation::changing::<AppendTranscriptArguments, AppendedTranscript>(
        "append_transcript",
        "Adds entries at the end of a transcript, all in one commit. It conflicts with no other addition.",
        perform,
    )
    .of(Capability::Threads);

/// The transcript and the entries.
#[derive(ArgumentMembers)]
struct AppendTranscriptArguments<'a> {
    #[shape(flatten)]
    transcript: TranscriptArguments<'a>,
    /// The entries, each the text of a JSON object. Of those with one `uuid` the first counts.
    entries: Vec<&'a str>,
}

/// The outcome.
#[derive(Shaped)]
struct AppendedTranscript {
    /// True if something of it was not there already.
    changed: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: AppendTranscriptArguments<'_> = arguments.read();
        let reply = match input(&arguments) {
            Ok((key, entries)) => append_transcript(io, settings, &key, &entries).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|changed| AppendedTranscript { changed }.into())
    })
}

fn input(
    arguments: &AppendTranscriptArguments<'_>,
) -> Result<(TranscriptKey, Vec<TranscriptEntry>), Error> {
    let entries = arguments.entries.iter().enumerate();
    let entries = entries.map(|(at, text)| TranscriptEntry::read(text, at));
    Ok((
        arguments.transcript.key()?,
        entries.collect::<Result<_, _>>()?,
    ))
}

/// Adds entries; whether any of them was not there already. Without entries nothing is made.
///
/// Warns `lost_changes`, and goes on from what is left. Fails with `usage`, `invalid_name`, `too_large`;
/// `invalid_document`, `unsupported_version`, `corrupt` for what is stored; `busy`, `unsafe_path`, `io`.
pub async fn append_transcript(
    io: &Io,
    settings: &Settings,
    key: &TranscriptKey,
    entries: &[TranscriptEntry],
) -> Reply<bool> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        store.documents.expect_known().await?;
        if entries.is_empty() {
            return Ok(false);
        }
        let writing = store.writing();
        let id = CallId::new(io).await?;
        let mut rule = |present: &_, loaded: &_, token: &str| {
            append(present, loaded, id.on(key), entries, token, writing)
        };
        let results = store.change(&key.thread, warnings, &mut rule).await?;
        results.into_iter().next().unwrap_or(Ok(false))
    })
    .await
}
