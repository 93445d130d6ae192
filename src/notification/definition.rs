//! The document of the cursor: how far checkpoints were looked at, and what is still to be sent.

use crate::schema::{Kind, Shape, optional, published, required};

/// The document.
pub static CURSOR: Shape = Shape {
    name: "NotificationCursor",
    doc: published("How far checkpoints were looked at, and what is still to be sent."),
    fields: &[
        required(
            "since",
            Kind::Nullable(&Kind::Time),
            "Milestones before this time get no notice; null where all do.",
        ),
        required(
            "positions",
            Kind::List(&Kind::Object(&POSITION)),
            "How far each checkpoint was looked at.",
        ),
        required(
            "queue",
            Kind::List(&Kind::Object(&QUEUED)),
            "What is still to be sent, the oldest first.",
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
    doc: published("How far a checkpoint was looked at."),
    fields: &[
        required("command", Kind::String, "Its command."),
        required("feature", Kind::Nullable(&Kind::String), "Its feature."),
        required(
            "revision",
            Kind::Integer,
            "The revision that was seen last.",
        ),
        required("standing", Kind::Record, "How it stood there."),
    ],
};

static QUEUED: Shape = Shape {
    name: "QueuedNotice",
    doc: published("What is still to be sent."),
    fields: &[
        required("command", Kind::String, "The command that it is about."),
        required(
            "feature",
            Kind::Nullable(&Kind::String),
            "The feature that it is about.",
        ),
        required("notice", Kind::Object(&NOTICE), "What is said."),
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
    doc: published("What is said of something that a checkpoint reached."),
    fields: &[
        required("id", Kind::String, "The same at each attempt."),
        required("type", Kind::String, "What it is about."),
        required("timestamp", Kind::Time, "When it came about."),
        required("data", Kind::Record, "What is known of it."),
    ],
};

static DELIVERY: Shape = Shape {
    name: "NoticeDelivery",
    doc: published("One receiver of a notice."),
    fields: &[
        required("endpoint", Kind::String, "Who it is."),
        optional("issue", Kind::String, "The issue that is commented on."),
        required("attempts", Kind::Integer, "How many attempts have begun."),
        optional("next_at", Kind::Time, "Before that it is not tried again."),
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
        required("endpoint", Kind::String, "Who it is."),
        required(
            "fingerprint",
            Kind::String,
            "That of its settings and its URL: with others it is another one.",
        ),
        required("at", Kind::Time, "When it said so."),
    ],
};
