//! The outcomes of attempts to send.

use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::notification::delivery::{Attempted, DeliveryOutcome, Fate};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Kind, Shaped};
use crate::time;

use super::cursor_store::CursorStore;

pub(super) const OPERATION: Operation =
    Operation::changing::<RecordDeliveriesArguments, RecordedDeliveries>(
        "record_deliveries",
        "Takes in how attempts to send notices ended, and says what becomes of them.",
        perform,
    )
    .of(Capability::Notifications);

/// The outcomes of attempts.
#[derive(ArgumentMembers)]
struct RecordDeliveriesArguments<'a> {
    /// Each attempt.
    deliveries: Vec<AttemptedDelivery<'a>>,
}

/// The outcome of an attempt.
#[derive(ArgumentMembers)]
struct AttemptedDelivery<'a> {
    /// To whom.
    endpoint: &'a str,
    /// As given when it was due.
    fingerprint: &'a str,
    /// The notice's id.
    id: &'a str,
    /// As given when it was due.
    attempt: u64,
    /// The outcome.
    #[shape(kind = Kind::Enum(&["delivered", "failed", "gone"]))]
    outcome: &'a str,
    /// The wait that the receiver asks for, in milliseconds.
    retry_after_ms: Option<u64>,
}

/// Their treatment.
#[derive(Shaped)]
struct RecordedDeliveries {
    /// Of each attempt, in their order.
    #[shape(into = DeliveryFate)]
    deliveries: Vec<Fate>,
    /// The time at which the next delivery is due; null where nothing waits.
    #[shape(kind = Kind::Nullable(&Kind::Time))]
    next_at: Option<String>,
    /// The number of deliveries that wait.
    #[shape(with = Json::from_count)]
    waiting: usize,
}

/// The state of a delivery after an attempt.
#[derive(Shaped)]
struct DeliveryFate {
    /// The end of it, or that it goes on; `superseded` is settled by another process.
    #[shape(kind = Kind::Enum(&["delivered", "again", "given_up", "disabled", "superseded"]))]
    fate: &'static str,
    /// The time at which it is retried.
    #[shape(kind = Kind::Nullable(&Kind::Time))]
    next_at: Option<String>,
}

impl From<Fate> for DeliveryFate {
    fn from(fate: Fate) -> Self {
        DeliveryFate {
            fate: fate.as_str(),
            next_at: match fate {
                Fate::Again(at) => Some(at),
                _ => None,
            },
        }
    }
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let RecordDeliveriesArguments { deliveries } = arguments.read();
        let attempted: Vec<Attempted> = deliveries.into_iter().map(Attempted::from).collect();
        let reply = record_deliveries(io, settings, &attempted).await;
        reply.map(Json::from)
    })
}

/// Takes in how attempts ended.
///
/// Fails with `not_found` where there is no cursor, with `busy`, and as a change of a document does.
async fn record_deliveries(
    io: &Io,
    settings: &Settings,
    attempted: &[Attempted],
) -> Reply<RecordedDeliveries> {
    with_warnings(async |warnings| {
        let store = CursorStore::open(io, settings).await?;
        loop {
            let found = store.read(warnings).await?;
            let Some(mut cursor) = found.cursor.clone() else {
                return Err(Error::not_found(
                    "There is no cursor of notifications: expected notices to be claimed first"
                        .to_owned(),
                ));
            };
            let now = store.now().await?;
            let fates = attempted.iter().map(|it| cursor.settle(it, now));
            let answer = RecordedDeliveries {
                deliveries: fates.collect(),
                next_at: cursor.next_due(now).map(time::format),
                waiting: cursor.waiting(),
            };
            let is_same = found.cursor.as_ref() == Some(&cursor);
            if is_same || store.commit(&found, cursor).await? {
                return Ok(answer);
            }
        }
    })
    .await
}

impl From<AttemptedDelivery<'_>> for Attempted {
    fn from(attempt: AttemptedDelivery<'_>) -> Self {
        Attempted {
            endpoint: attempt.endpoint.to_owned(),
            fingerprint: attempt.fingerprint.to_owned(),
            id: attempt.id.to_owned(),
            attempt: attempt.attempt,
            outcome: match attempt.outcome {
                "delivered" => DeliveryOutcome::Delivered,
                "gone" => DeliveryOutcome::Gone,
                _ => DeliveryOutcome::Failed {
                    retry_after_ms: attempt.retry_after_ms,
                },
            },
        }
    }
}
