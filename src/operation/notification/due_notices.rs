//! The notices to send now.

use crate::effect::{Io, boxed};
use crate::error::{Error, WarningCode};
use crate::json::{Json, Object};
use crate::notification::cursor::{Disabled, NotificationCursor};
use crate::notification::definition::NOTICE;
use crate::notification::delivery::{ConfiguredEndpoint, Due};
use crate::operation::project::load_integrations::notification_settings;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Kind, Shaped};
use crate::time;

use super::collect::collect;
use super::configured::configured_at;
use super::cursor_store::CursorStore;
use super::endpoints::{Fingerprints, known};

/// The most deliveries of one endpoint that are sent in one call.
const MOST_PER_CALL: usize = 4;

/// An attempt may take two requests, and its end is to be committed.
const REQUESTS: u64 = 2;
const TIME_TO_COMMIT_MS: u64 = 10_000;

pub(super) const OPERATION: Operation = Operation::changing::<DueNoticesArguments, DueNotices>(
    "due_notices",
    "Looks for what checkpoints reached, and claims what is to be sent now.",
    perform,
)
.of(Capability::Notifications);

/// The request for notices to send.
#[derive(ArgumentMembers)]
struct DueNoticesArguments<'a> {
    #[shape(flatten)]
    account: Fingerprints<'a>,
    /// Only show what would be sent, and claim and write nothing.
    preview: bool,
    /// Begin again, with everything that history still has; without it a first call begins with what was reached since
    /// the settings were last changed.
    since_beginning: bool,
}

/// The notices to send.
#[derive(Shaped)]
struct DueNotices {
    /// True if there was no cursor.
    is_first: bool,
    /// The time at which the settings were last changed, from which on a first call sends; null for any other call.
    #[shape(kind = Kind::Nullable(&Kind::Time))]
    since: Option<String>,
    /// The notices to send now; of a preview, all that are sent from now on, as long as no attempt fails.
    due: Vec<DueNotice>,
    /// The time at which the next one is due; null where nothing else waits.
    #[shape(kind = Kind::Nullable(&Kind::Time))]
    next_at: Option<String>,
    /// The number of deliveries that wait; of a preview, beside those that would be sent.
    #[shape(with = Json::from_count)]
    waiting: usize,
    /// Endpoints that said that they are gone.
    disabled: Vec<GoneEndpoint>,
}

/// A notice that is to be sent.
#[derive(Shaped)]
struct DueNotice {
    /// To whom.
    endpoint: String,
    /// That of its settings and of what its variables hold.
    fingerprint: String,
    /// The issue that is commented on.
    issue: Option<String>,
    /// The number of this attempt, from 1.
    attempt: u64,
    /// The notice.
    #[shape(kind = Kind::Object(&NOTICE))]
    notice: Object,
}

/// An endpoint that said that it is gone.
#[derive(Shaped)]
struct GoneEndpoint {
    /// The name of the endpoint.
    endpoint: String,
    /// The time at which it said so.
    #[shape(kind = Kind::Time)]
    at: String,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments = arguments.read();
        due_notices(io, settings, &arguments).await.map(Json::from)
    })
}

/// The notices to send now. A claimed one is due again where no outcome of its attempt is recorded.
///
/// Fails with `usage` where there is no endpoint, with `busy`, and as a list, as reading the settings, and as a change
/// of a document does.
async fn due_notices(
    io: &Io,
    settings: &Settings,
    arguments: &DueNoticesArguments<'_>,
) -> Reply<DueNotices> {
    with_warnings(async |warnings| {
        let store = CursorStore::open(io, settings).await?;
        loop {
            if let Some(answer) = attempt(&store, arguments, warnings).await? {
                return Ok(answer);
            }
        }
    })
    .await
}

/// One try; `None` where another process was faster.
async fn attempt(
    store: &CursorStore<'_>,
    arguments: &DueNoticesArguments<'_>,
    warnings: &mut Warnings,
) -> Result<Option<DueNotices>, Error> {
    let configured = notification_settings(store.io, &store.root, warnings).await?;
    if configured.endpoints.is_empty() {
        return Err(Error::usage(
            "No endpoint is configured: expected `notifications` of .claude/config/integrations.json to name a \
             webhook, one of Slack, or a key for Linear"
                .to_owned(),
        ));
    }
    let known = known(&configured, &arguments.account);
    let is_preview = arguments.preview;
    let found = match is_preview {
        true => store.preview(warnings).await?,
        false => store.read(warnings).await?,
    };
    let now = store.now().await?;
    let is_from_beginning = arguments.since_beginning;
    let stored = found.cursor.clone();
    let is_first = stored.is_none();
    if is_first {
        store.expect_known().await?;
    }
    let begins = is_first && !is_from_beginning;
    let since = match begins {
        true => Some(configured_at(store.io, &store.root, now).await),
        false => None,
    };
    let mut cursor = match (stored, is_from_beginning) {
        (Some(stored), false) => stored,
        (Some(stored), true) => stored.restarted(),
        (None, _) => NotificationCursor::new(since.map(time::format)),
    };
    cursor.admit(&known);
    let held_back = collect(store, &configured, &mut cursor, warnings).await?;
    if let Some(since) = since {
        warn_held_back(since, held_back, warnings);
    }
    if is_preview {
        // The rest of the history is looked for as soon as the queue has room.
        let mut all = Vec::new();
        loop {
            let (due, left) = cursor.foreseen(now, MOST_PER_CALL);
            cursor = left;
            if due.is_empty() {
                return Ok(Some(answer(&cursor, since, all, &known, now)));
            }
            all.extend(due);
            collect(store, &configured, &mut cursor, warnings).await?;
        }
    }
    let claim_ms = REQUESTS * configured.timeout_ms + TIME_TO_COMMIT_MS;
    let due = cursor.claim(now, claim_ms, MOST_PER_CALL);
    let answer = answer(&cursor, since, due, &known, now);
    let is_same = found.cursor.as_ref() == Some(&cursor);
    if is_same || store.commit(&found, cursor).await? {
        return Ok(Some(answer));
    }
    Ok(None)
}

/// Warns of so many milestones that a first call does not send: a checkout may have rewritten the settings.
fn warn_held_back(since: f64, count: usize, warnings: &mut Warnings) {
    let since = time::format(since);
    let sentence = match count {
        0 => return,
        1 => format!("1 milestone before {since} is not sent; a call from the beginning sends it"),
        _ => format!(
            "{count} milestones before {since} are not sent; a call from the beginning sends them"
        ),
    };
    warnings.warn(WarningCode::HeldBack, sentence);
}

/// The answer; `since` is from when on a first call sends.
fn answer(
    cursor: &NotificationCursor,
    since: Option<f64>,
    due: Vec<Due>,
    known: &[ConfiguredEndpoint],
    now: f64,
) -> DueNotices {
    let fingerprint = |endpoint: &str| {
        let own = known.iter().find(|it| it.endpoint == endpoint);
        own.map(|it| it.fingerprint.clone()).unwrap_or_default()
    };
    let due = due.into_iter().map(|due| DueNotice {
        fingerprint: fingerprint(&due.endpoint),
        endpoint: due.endpoint,
        issue: due.issue,
        attempt: due.attempt,
        notice: due.notice,
    });
    let gone = |gone: &Disabled| GoneEndpoint {
        endpoint: gone.endpoint.clone(),
        at: gone.at.clone(),
    };
    DueNotices {
        is_first: since.is_some(),
        since: since.map(time::format),
        due: due.collect(),
        next_at: cursor.next_due(now).map(time::format),
        waiting: cursor.waiting(),
        disabled: cursor.disabled().iter().map(gone).collect(),
    }
}
