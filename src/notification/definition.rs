//! The document of the cursor: how far checkpoints were looked at, and what is still to be sent.

use crate::schema::{Kind, Shape, optional, published, required};

/// The document.
pub static CURSOR: Shape = Shape {
    name: "NotificationCursor",
    doc: published(
        "The positions up to which checkpoints were looked at, and the notices that are still to be sent.",
    ),
    fields: &[
        required(
            "since",
            Kind::Nullable(&Kind::Time),
            "Milestones before this time get no notice; null where all do.",
        ),
        required(
            "positions",
            Kind::List(&Kind::Object(&POSITION)),
            "The position of each checkpoint.",
        ),
        required(
            "queue",
            Kind::List(&Kind::Object(&QUEUED)),
            "The notices that are still to be sent, the oldest first.",
        ),
        required(
            "disabled",
            Kind::List(&Kind::Object(&DISABLED)),
            "Endpoints that said that they are gone.",
        ),
    ],
};

static POSITION: Shape = Shape {
    name: "NotificationPosition",
    doc: published("The position up to which a checkpoint was looked at."),
    fields: &[
        required("command", Kind::String, "Its command."),
        required("feature", Kind::Nullable(&Kind::String), "Its feature."),
        required(
            "revision",
            Kind::Integer,
            "The revision that was seen last.",
        ),
        required("standing", Kind::Record, "Its state there."),
    ],
};

static QUEUED: Shape = Shape {
    name: "QueuedNotice",
    doc: published("The notices that are still to be sent."),
    fields: &[
        required("command", Kind::String, "The command that it is about."),
        required(
            "feature",
            Kind::Nullable(&Kind::String),
            "The feature that it is about.",
        ),
        required("notice", Kind::Object(&NOTICE), "The notice."),
        required(
            "deliveries",
            Kind::List(&Kind::Object(&DELIVERY)),
            "To whom it is still to be said.",
        ),
    ],
};

/// The notice of a milestone.
pub const NOTICE: Shape = Shape {
    name: "Notice",
    doc: published("The notice of a milestone that a checkpoint reached."),
    fields: &[
        required("id", Kind::String, "Its id, equal at each attempt."),
        required(
            "type",
            Kind::String,
            "Its type, such as `checkpoint.completed`.",
        ),
        required("timestamp", Kind::Time, "The time at which it was reached."),
        required("data", Kind::Record, "The facts about it."),
    ],
};

static DELIVERY: Shape = Shape {
    name: "NoticeDelivery",
    doc: published("One receiver of a notice."),
    fields: &[
        required("endpoint", Kind::String, "The name of the endpoint."),
        optional("issue", Kind::String, "The issue that is commented on."),
        required(
            "attempts",
            Kind::Integer,
            "The number of attempts that have begun.",
        ),
        optional("next_at", Kind::Time, "Before that it is not retried."),
        optional(
            "claimed_until",
            Kind::Time,
            "Until then the process that began an attempt may report how it ended.",
        ),
    ],
};

static DISABLED: Shape = Shape {
    name: "DisabledEndpoint",
    doc: published("An endpoint that said that it is gone."),
    fields: &[
        required("endpoint", Kind::String, "The name of the endpoint."),
        required(
            "fingerprint",
            Kind::String,
            "That of its settings and its URL: with others it is another one.",
        ),
        required("at", Kind::Time, "The time at which it said so."),
    ],
};
