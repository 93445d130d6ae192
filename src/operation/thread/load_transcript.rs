//! The entries of a transcript.

use crate::checkpoint::thread::log::{Log, ThreadStop};
use crate::checkpoint::thread::transcript::load;
use crate::effect::{Io, boxed};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::thread_store::ThreadStore;
use super::transcript::{TranscriptArguments, TranscriptKey};

pub(super) const OPERATION: Operation = Operation::at::<LoadTranscriptArguments, LoadedTranscript>(
    "load_transcript",
    "The entries of a transcript, the oldest first.",
    perform,
)
.of(Capability::Threads);

/// The transcript.
#[derive(ArgumentMembers)]
struct LoadTranscriptArguments<'a> {
    #[shape(flatten)]
    transcript: TranscriptArguments<'a>,
    /// At most so many, the newest; all without.
    limit: Option<u64>,
}

/// The entries.
#[derive(Shaped)]
struct LoadedTranscript {
    /// Their texts as they were added; null where there is no entry.
    entries: Option<Vec<String>>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: LoadTranscriptArguments<'_> = arguments.read();
        let limit = arguments.limit;
        let limit = limit.map(|it| usize::try_from(it).unwrap_or(usize::MAX));
        let reply = match arguments.transcript.key() {
            Ok(key) => load_transcript(io, settings, &key, limit).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|entries| {
            let entries = (!entries.is_empty()).then_some(entries);
            LoadedTranscript { entries }.into()
        })
    })
}

/// The texts of the entries, or of so many of the newest; empty for an unknown transcript.
///
/// Warns `untrusted_origin`, `lost_changes`. Fails with `invalid_name`; `invalid_document`, `unsupported_version`, `corrupt` for
/// what is stored; `busy`, `unsafe_path`, `io`.
pub async fn load_transcript(
    io: &Io,
    settings: &Settings,
    key: &TranscriptKey,
    limit: Option<usize>,
) -> Reply<Vec<String>> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let mut rule = |log: Log<'_>| -> Result<_, ThreadStop> {
            let texts = load(log, &key.subpath, limit)?.into_iter();
            Ok(texts.map(str::to_owned).collect::<Vec<_>>())
        };
        let found = store.apply(&key.thread, warnings, &mut rule).await?;
        Ok(found.unwrap_or_default())
    })
    .await
}
