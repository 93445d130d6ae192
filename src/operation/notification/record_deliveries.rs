//! The outcomes of attempts to send.

use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::notification::delivery::{Attempted, DeliveryOutcome, Fate};
use crate::operation::reply::with_warnings;
use crate::operation::row::{
    Answering, Arguments, Capability, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings};
use crate::schema::{Kind, Shape};
use crate::time;

use super::cursor_store::CursorStore;

pub(super) const OPERATION: Operation = Operation::changing(
    "record_deliveries",
    "Takes in how attempts to send notices ended, and says what becomes of them.",
    &ARGUMENTS,
    Kind::Object(&ANSWER),
    perform,
)
.of(Capability::Notifications);

const ARGUMENTS: Shape = shape(
    "RecordDeliveriesArguments",
    "The outcomes of attempts.",
    &[required(
        "deliveries",
        Kind::List(&Kind::Object(&DELIVERY)),
        "Each attempt.",
    )],
);

const DELIVERY: Shape = shape(
    "AttemptedDelivery",
    "The outcome of an attempt.",
    &[
        required("endpoint", Kind::String, "To whom."),
        required("fingerprint", Kind::String, "As given when it was due."),
        required("id", Kind::String, "The notice's id."),
        required("attempt", Kind::Integer, "As given when it was due."),
        required(
            "outcome",
            Kind::Enum(&["delivered", "failed", "gone"]),
            "The outcome.",
        ),
        optional(
            "retry_after_ms",
            &Kind::Integer,
            "The wait that the receiver asks for, in milliseconds.",
        ),
    ],
);

const ANSWER: Shape = shape(
    "RecordedDeliveries",
    "Their treatment.",
    &[
        required(
            "deliveries",
            Kind::List(&Kind::Object(&FATE)),
            "Of each attempt, in their order.",
        ),
        required(
            "next_at",
            Kind::Nullable(&Kind::Time),
            "The time at which the next delivery is due; null where nothing waits.",
        ),
        required(
            "waiting",
            Kind::Integer,
            "The number of deliveries that wait.",
        ),
    ],
);

const FATE: Shape = shape(
    "DeliveryFate",
    "The state of a delivery after an attempt.",
    &[
        required(
            "fate",
            Kind::Enum(&["delivered", "again", "given_up", "disabled", "superseded"]),
            "The end of it, or that it goes on; `superseded` is settled by another process.",
        ),
        required(
            "next_at",
            Kind::Nullable(&Kind::Time),
            "The time at which it is retried.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let deliveries = arguments.value("deliveries").and_then(Json::as_array);
        let deliveries = deliveries.unwrap_or_default().iter();
        let attempted: Vec<Attempted> = deliveries
            .filter_map(|it| Some(attempted(it.as_object()?)))
            .collect();
        record_deliveries(io, settings, &attempted).await
    })
}

/// Takes in how attempts ended.
///
/// Fails with `not_found` where there is no cursor, with `busy`, and as a change of a document does.
async fn record_deliveries(io: &Io, settings: &Settings, attempted: &[Attempted]) -> Reply<Json> {
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
            let fates = attempted.iter().map(|it| fate(cursor.settle(it, now)));
            let answer = Object::new()
                .with("deliveries", fates.collect::<Vec<Object>>())
                .with("next_at", cursor.next_due(now).map(time::format))
                .with("waiting", cursor.waiting() as u64);
            let is_same = found.cursor.as_ref() == Some(&cursor);
            if is_same || store.commit(&found, cursor).await? {
                return Ok(answer.into());
            }
        }
    })
    .await
}

fn attempted(it: &Object) -> Attempted {
    let text = |key: &str| it.get(key).and_then(Json::as_str).unwrap_or_default();
    let number = |key: &str| it.get(key).and_then(Json::as_u64);
    Attempted {
        endpoint: text("endpoint").to_owned(),
        fingerprint: text("fingerprint").to_owned(),
        id: text("id").to_owned(),
        attempt: number("attempt").unwrap_or_default(),
        outcome: match text("outcome") {
            "delivered" => DeliveryOutcome::Delivered,
            "gone" => DeliveryOutcome::Gone,
            _ => DeliveryOutcome::Failed {
                retry_after_ms: number("retry_after_ms"),
            },
        },
    }
}

fn fate(fate: Fate) -> Object {
    let object = Object::new().with("fate", fate.as_str());
    match fate {
        Fate::Again(at) => object.with("next_at", at),
        _ => object.with("next_at", Json::Null),
    }
}
