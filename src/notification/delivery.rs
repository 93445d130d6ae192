//! The receivers of a notice, and the outcome for each.

use crate::json::Object;

/// An endpoint that gets notices, as the settings have it now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredEndpoint {
    /// The id of the endpoint.
    pub endpoint: String,
    /// The fingerprint of its settings and its URL.
    pub fingerprint: String,
}

/// A receiver of a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// The id of the endpoint.
    pub endpoint: String,
    /// The issue that is commented on.
    pub issue: Option<String>,
}

/// A notice that is to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The id of the endpoint.
    pub endpoint: String,
    /// The issue that is commented on.
    pub issue: Option<String>,
    /// The number of this attempt, from 1.
    pub attempt: u64,
    /// The notice.
    pub notice: Object,
}

/// The end of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempted {
    /// The id of the endpoint.
    pub endpoint: String,
    /// The fingerprint of its settings and its URL.
    pub fingerprint: String,
    /// The notice's id.
    pub id: String,
    /// The number of the attempt.
    pub attempt: u64,
    /// The outcome of the attempt.
    pub outcome: DeliveryOutcome,
}

/// The outcomes of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// The receiver has acknowledged it.
    Delivered,
    /// It has not; it may have said when to ask again.
    Failed {
        /// After so many milliseconds.
        retry_after_ms: Option<u64>,
    },
    /// It said that it is gone.
    Gone,
}

/// The state of a delivery after an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It has left the queue.
    Delivered,
    /// It is retried then.
    Again(String),
    /// It was tried as often as anything is, and has left the queue.
    GivenUp,
    /// Its endpoint gets no more notices.
    Disabled,
    /// Another process has settled it, or attempts it now.
    Superseded,
}

impl Fate {
    /// The word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Fate::Delivered => "delivered",
            Fate::Again(_) => "again",
            Fate::GivenUp => "given_up",
            Fate::Disabled => "disabled",
            Fate::Superseded => "superseded",
        }
    }
}
