//! Copying a thread.

use crate::checkpoint::thread::index::Thread;
use crate::checkpoint::thread::log::{LoadedParts, Log};
use crate::checkpoint::thread::retain;
use crate::checkpoint::thread::shared_text::SharedText;
use crate::checkpoint::thread::texts::all_texts;
use crate::checkpoint::thread::value::Typed;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::text::quoted;

use super::input::SerializedValues;
use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::changing::<CopyThreadArguments, CopiedThread>(
    "copy_thread",
    "Copies a thread with all its checkpoints, in all namespaces, as it is at that moment. Both go on by themselves.",
    perform,
)
.of(Capability::Threads)
.sharing_text();

/// The two threads.
#[derive(ArgumentMembers)]
struct CopyThreadArguments<'a> {
    /// The thread, free text.
    thread_id: &'a str,
    /// The id of the copy, under which there is no thread yet.
    target: &'a str,
    /// The state of the thread, where other texts take the place of its own: as `thread_texts` has it.
    state: Option<&'a str>,
    /// Those texts in the same order, each `[kind, text]` or `[kind, text, encoding]`.
    #[shape(optional)]
    texts: Vec<&'a Json>,
    /// All of them one after the other, each of which then is the number of its bytes.
    text: Option<&'a str>,
}

/// The texts of a copy that differs from its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyTexts {
    /// The state of the origin that they are of.
    pub state: String,
    /// Those of all entries.
    pub texts: Vec<Typed>,
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
        let behind = arguments.shared_text().map(SharedText::from);
        let arguments: CopyThreadArguments<'_> = arguments.read();
        let reply = match new_texts(&arguments, behind) {
            Ok(texts) => {
                let (thread, target) = (arguments.thread_id, arguments.target);
                copy(io, settings, thread, target, texts).await
            }
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(Json::from)
    })
}

fn new_texts(
    arguments: &CopyThreadArguments<'_>,
    behind: Option<SharedText>,
) -> Result<Option<CopyTexts>, Error> {
    let Some(state) = arguments.state else {
        return Ok(None);
    };
    let mut values = SerializedValues::new(behind.or_else(|| arguments.text.map(SharedText::from)));
    let texts = arguments.texts.iter().copied();
    let texts: Result<Vec<Typed>, Error> =
        texts.map(|it| values.typed("texts", Some(it))).collect();
    let texts = texts?;
    values.expect_end()?;
    Ok(Some(CopyTexts {
        state: state.to_owned(),
        texts,
    }))
}

/// Copies a thread, with other texts where they are given.
///
/// Warns `lost_changes`. Fails with `not_found` where there is no such thread, `conflict` where there is one under the
/// other id, and where the thread has changed since its texts were read; `usage` for too many texts or too few,
/// `invalid_name`, `too_large`; `invalid_document`, `unsupported_version`, `corrupt` for what is stored;
/// `busy`, `unsafe_path`, `io`.
pub async fn copy(
    io: &Io,
    settings: &Settings,
    thread: &str,
    target: &str,
    new: Option<CopyTexts>,
) -> Reply<CopiedThread> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        // All parts, which the copy needs.
        let mut take = |log: Log<'_>| {
            log.expect_all()?;
            if let Some(new) = &new
                && all_texts(log)?.1 != new.state
            {
                return Err(changed(thread).into());
            }
            Ok((log.thread().clone(), log.loaded().clone()))
        };
        let taken = store.apply(thread, warnings, &mut take).await?;
        let Some((source, parts)) = taken else {
            return Err(not_there(thread));
        };
        let new = new.as_ref().map(|it| it.texts.as_slice());
        let mut checkpoints = 0;
        let mut rule = |present: &Thread, _: &LoadedParts, token: &str| {
            if !present.is_vacant() {
                return Err(taken_by(target).into());
            }
            let (outcome, count) = retain::copy(Log::new(&source, &parts), present, token, new)?;
            checkpoints = count;
            Ok(outcome)
        };
        store.change(target, warnings, &mut rule).await?;
        Ok(CopiedThread { checkpoints })
    })
    .await
}

pub(super) fn not_there(thread: &str) -> Error {
    Error::not_found(format!("There is no thread {}", quoted(thread)))
}

fn changed(thread: &str) -> Error {
    let message = format!(
        "The thread {} has changed since its texts were read: read them again",
        quoted(thread)
    );
    Error::conflict(message, vec!["/state".to_owned()])
}

fn taken_by(target: &str) -> Error {
    let message = format!(
        "There is a thread {} already: delete it first, or copy to another id",
        quoted(target)
    );
    Error::conflict(message, vec!["/target".to_owned()])
}
