//! The cursor: how far checkpoints were looked at, and the queue of what is still to be sent.
//!
//! Per endpoint and checkpoint the oldest notice is sent first, and the next one once that has left the
//! queue. Who attempts a delivery claims it for as long as the attempt can take, so that two processes do not
//! send the same; where the one that claimed it dies, it is due again afterwards.

use super::definition::CURSOR;
use super::delivery::{Attempted, ConfiguredEndpoint, DeliveryOutcome, Due, Fate, Receiver};
use super::schedule;
use crate::digest::digest;
use crate::error::Target;
use crate::json::{Json, Object};
use crate::schema::Problem;
use crate::time;

/// Nothing new is looked for while so much waits: then the document stays far below its largest size, and
/// what is not looked for is found later.
const MOST_QUEUED: usize = 500;

/// A claim that ends later was made by a clock that was wrong.
const MAX_CLAIM_MS: f64 = 10.0 * 60_000.0;

/// The document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotificationCursor {
    /// Milestones from before this time are not reported of a checkpoint that is new to the cursor.
    pub since: Option<String>,
    /// The position of each checkpoint.
    pub positions: Vec<Position>,
    queue: Vec<Queued>,
    disabled: Vec<Disabled>,
}

/// The position up to which a checkpoint was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The checkpoint.
    pub target: Target,
    /// The revision that was seen last.
    pub revision: u64,
    /// Its state at that revision, in words of those who looked.
    pub standing: Object,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Queued {
    target: Target,
    notice: Object,
    deliveries: Vec<Delivery>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Delivery {
    endpoint: String,
    issue: Option<String>,
    attempts: u64,
    next_at: Option<String>,
    claimed_until: Option<String>,
}

/// An endpoint that said that it is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disabled {
    /// The id of the endpoint.
    pub endpoint: String,
    /// The fingerprint of its settings and its URL.
    pub fingerprint: String,
    /// The time at which it said so.
    pub at: String,
}

impl NotificationCursor {
    /// Makes a cursor that reports milestones from a time on, or all of them.
    pub fn new(since: Option<String>) -> Self {
        NotificationCursor {
            since,
            ..NotificationCursor::default()
        }
    }

    /// One that looks at everything again. What waits goes on waiting, and who is gone stays so.
    #[must_use]
    pub fn restarted(self) -> Self {
        NotificationCursor {
            since: None,
            positions: Vec::new(),
            ..self
        }
    }

    /// As it is stored.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(stored: &Object) -> Result<Self, Vec<Problem>> {
        let problems = CURSOR.problems(&Json::from(stored.clone()));
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(NotificationCursor {
            since: text(stored, "since"),
            positions: objects(stored, "positions").map(position).collect(),
            queue: objects(stored, "queue").map(queued).collect(),
            disabled: objects(stored, "disabled").map(disabled).collect(),
        })
    }

    /// Follows the current settings: deliveries to endpoints that they no longer name are dropped, and an endpoint that
    /// said that it is gone gets notices again after its settings changed.
    pub fn admit(&mut self, known: &[ConfiguredEndpoint]) {
        self.disabled.retain(|gone| {
            let is_same = |it: &ConfiguredEndpoint| {
                (&it.endpoint, &it.fingerprint) == (&gone.endpoint, &gone.fingerprint)
            };
            known.iter().any(is_same)
        });
        let is_known =
            |delivery: &Delivery| known.iter().any(|it| it.endpoint == delivery.endpoint);
        self.drop_deliveries(|delivery| !is_known(delivery));
    }

    /// Those that said that they are gone.
    pub fn disabled(&self) -> &[Disabled] {
        &self.disabled
    }

    /// The number of further notices that the queue can take.
    pub fn capacity(&self) -> usize {
        MOST_QUEUED.saturating_sub(self.queue.len())
    }

    /// The number of deliveries that wait.
    pub fn waiting(&self) -> usize {
        self.queue.iter().map(|it| it.deliveries.len()).sum()
    }

    /// Puts a notice about a checkpoint behind all others; one that waits already, or has no receiver, is left out.
    pub fn enqueue(&mut self, target: &Target, notice: Object, receivers: Vec<Receiver>) {
        let is_gone = |it: &Receiver| {
            self.disabled
                .iter()
                .any(|gone| gone.endpoint == it.endpoint)
        };
        let receivers = receivers.into_iter().filter(|it| !is_gone(it));
        let deliveries: Vec<Delivery> = receivers.map(Delivery::to).collect();
        let id = notice.get("id");
        let is_known = self.queue.iter().any(|it| it.notice.get("id") == id);
        if !deliveries.is_empty() && !is_known {
            self.queue.push(Queued {
                target: target.clone(),
                notice,
                deliveries,
            });
        }
    }

    /// Returns the deliveries that are sent from now on as long as every attempt succeeds, in that order, and the cursor
    /// that is left then; of each endpoint `most` at a time.
    #[must_use]
    pub fn foreseen(&self, now: f64, most: usize) -> (Vec<Due>, NotificationCursor) {
        let mut left = self.clone();
        let mut all = Vec::new();
        loop {
            let due = left.claim(now, 0, most);
            if due.is_empty() {
                return (all, left);
            }
            for one in &due {
                let id = one.notice.get("id").and_then(Json::as_str);
                left.drop_one(id.unwrap_or_default(), |it| it.endpoint == one.endpoint);
            }
            all.extend(due);
        }
    }

    /// Claims what is due for so long, of each endpoint so much at most, and counts the attempts.
    pub fn claim(&mut self, now: f64, for_ms: u64, most: usize) -> Vec<Due> {
        let until = time::format(now + for_ms as f64);
        let mut claimed: Vec<Due> = Vec::new();
        for (queued, delivery) in self.first_ones() {
            let of_endpoint = claimed.iter().filter(|it| {
                let delivery = &self.queue[queued].deliveries[delivery];
                it.endpoint == delivery.endpoint
            });
            let is_too_much = of_endpoint.count() >= most;
            let waiting = &mut self.queue[queued].deliveries[delivery];
            if is_too_much || waiting.not_before(now).is_some() {
                continue;
            }
            waiting.attempts += 1;
            waiting.next_at = None;
            waiting.claimed_until = Some(until.clone());
            let mut due = self.queue[queued].deliveries[delivery].due(&self.queue[queued]);
            due.attempt -= 1;
            claimed.push(due);
        }
        claimed
    }

    /// The time at which the next delivery is due, in milliseconds since 1970; `None` where nothing waits.
    pub fn next_due(&self, now: f64) -> Option<f64> {
        let firsts = self.first_ones().into_iter();
        let times = firsts.map(|(queued, delivery)| {
            let delivery = &self.queue[queued].deliveries[delivery];
            delivery.not_before(now).unwrap_or(now)
        });
        times.min_by(f64::total_cmp)
    }

    /// Takes in how an attempt ended.
    pub fn settle(&mut self, attempted: &Attempted, now: f64) -> Fate {
        let id = Some(attempted.id.as_str());
        let is_meant = |it: &Queued| it.notice.get("id").and_then(Json::as_str) == id;
        let queued = self.queue.iter_mut().find(|it| is_meant(it));
        let deliveries = queued.map(|it| &mut it.deliveries);
        let delivery = deliveries.and_then(|deliveries| {
            let mut deliveries = deliveries.iter_mut();
            deliveries.find(|it| it.endpoint == attempted.endpoint)
        });
        let Some(delivery) = delivery else {
            return Fate::Superseded;
        };
        let is_mine = |it: &Delivery| it.endpoint == attempted.endpoint;
        match attempted.outcome {
            DeliveryOutcome::Failed { .. } if delivery.attempts != attempted.attempt => {
                Fate::Superseded
            }
            DeliveryOutcome::Failed { retry_after_ms } => {
                match schedule::wait(delivery.attempts, spread(attempted), retry_after_ms) {
                    Some(wait) => {
                        let at = time::format(now + wait as f64);
                        delivery.claimed_until = None;
                        delivery.next_at = Some(at.clone());
                        Fate::Again(at)
                    }
                    None => {
                        self.drop_one(&attempted.id, is_mine);
                        Fate::GivenUp
                    }
                }
            }
            DeliveryOutcome::Delivered => {
                self.drop_one(&attempted.id, is_mine);
                Fate::Delivered
            }
            DeliveryOutcome::Gone => {
                self.drop_deliveries(is_mine);
                self.disabled.retain(|it| it.endpoint != attempted.endpoint);
                self.disabled.push(Disabled {
                    endpoint: attempted.endpoint.clone(),
                    fingerprint: attempted.fingerprint.clone(),
                    at: time::format(now),
                });
                Fate::Disabled
            }
        }
    }

    /// Of each endpoint and checkpoint the delivery that comes first, by their places.
    fn first_ones(&self) -> Vec<(usize, usize)> {
        let mut seen: Vec<(&str, &Target)> = Vec::new();
        let mut firsts = Vec::new();
        for (at, queued) in self.queue.iter().enumerate() {
            for (index, delivery) in queued.deliveries.iter().enumerate() {
                let line = (delivery.endpoint.as_str(), &queued.target);
                if !seen.contains(&line) {
                    seen.push(line);
                    firsts.push((at, index));
                }
            }
        }
        firsts
    }

    fn drop_one(&mut self, id: &str, is_meant: impl Fn(&Delivery) -> bool) {
        for queued in &mut self.queue {
            if queued.notice.get("id").and_then(Json::as_str) == Some(id) {
                queued.deliveries.retain(|it| !is_meant(it));
            }
        }
        self.queue.retain(|it| !it.deliveries.is_empty());
    }

    fn drop_deliveries(&mut self, is_meant: impl Fn(&Delivery) -> bool) {
        for queued in &mut self.queue {
            queued.deliveries.retain(|it| !is_meant(it));
        }
        self.queue.retain(|it| !it.deliveries.is_empty());
    }
}

impl Delivery {
    fn to(receiver: Receiver) -> Self {
        Delivery {
            endpoint: receiver.endpoint,
            issue: receiver.issue,
            attempts: 0,
            next_at: None,
            claimed_until: None,
        }
    }

    /// Until when it waits; `None` where it is due. A time that no clock that is right has written does not
    /// count.
    fn not_before(&self, now: f64) -> Option<f64> {
        let moment = |text: &Option<String>, furthest: f64| {
            let moment = text.as_deref().and_then(time::parse)?.wall_ms();
            (now < moment && moment <= now + furthest).then_some(moment)
        };
        let next = moment(&self.next_at, schedule::MAX_WAIT_MS as f64);
        next.or_else(|| moment(&self.claimed_until, MAX_CLAIM_MS))
    }

    fn due(&self, queued: &Queued) -> Due {
        Due {
            endpoint: self.endpoint.clone(),
            issue: self.issue.clone(),
            attempt: self.attempts + 1,
            notice: queued.notice.clone(),
        }
    }
}

/// A number that differs from one delivery and attempt to the next.
fn spread(attempted: &Attempted) -> u32 {
    let attempt = attempted.attempt.to_string();
    let parts = [&attempted.id, &attempted.endpoint, &attempt].map(String::as_bytes);
    u32::from_str_radix(&digest(&parts)[..8], 16).unwrap_or_default()
}

impl From<NotificationCursor> for Object {
    fn from(cursor: NotificationCursor) -> Self {
        let positions = cursor.positions.into_iter().map(|position| {
            named(Object::new(), position.target)
                .with("revision", position.revision)
                .with("standing", position.standing)
        });
        let queue = cursor.queue.into_iter().map(|queued| {
            let deliveries = queued.deliveries.into_iter().map(stored_delivery);
            named(Object::new(), queued.target)
                .with("notice", queued.notice)
                .with("deliveries", deliveries.collect::<Vec<Object>>())
        });
        let disabled = cursor.disabled.into_iter().map(|gone| {
            Object::new()
                .with("endpoint", gone.endpoint)
                .with("fingerprint", gone.fingerprint)
                .with("at", gone.at)
        });
        Object::new()
            .with("since", cursor.since)
            .with("positions", positions.collect::<Vec<Object>>())
            .with("queue", queue.collect::<Vec<Object>>())
            .with("disabled", disabled.collect::<Vec<Object>>())
    }
}

fn named(object: Object, target: Target) -> Object {
    object
        .with("command", target.command)
        .with("feature", target.feature)
}

fn stored_delivery(delivery: Delivery) -> Object {
    let mut object = Object::new().with("endpoint", delivery.endpoint);
    if let Some(issue) = delivery.issue {
        object.set("issue", issue);
    }
    object.set("attempts", delivery.attempts);
    for (key, time) in [
        ("next_at", delivery.next_at),
        ("claimed_until", delivery.claimed_until),
    ] {
        if let Some(time) = time {
            object.set(key, time);
        }
    }
    object
}

fn position(stored: &Object) -> Position {
    Position {
        target: target(stored),
        revision: number(stored, "revision"),
        standing: object(stored, "standing"),
    }
}

fn queued(stored: &Object) -> Queued {
    let deliveries = objects(stored, "deliveries").map(|it| Delivery {
        endpoint: text(it, "endpoint").unwrap_or_default(),
        issue: text(it, "issue"),
        attempts: number(it, "attempts"),
        next_at: text(it, "next_at"),
        claimed_until: text(it, "claimed_until"),
    });
    Queued {
        target: target(stored),
        notice: object(stored, "notice"),
        deliveries: deliveries.collect(),
    }
}

fn disabled(stored: &Object) -> Disabled {
    Disabled {
        endpoint: text(stored, "endpoint").unwrap_or_default(),
        fingerprint: text(stored, "fingerprint").unwrap_or_default(),
        at: text(stored, "at").unwrap_or_default(),
    }
}

fn target(stored: &Object) -> Target {
    Target {
        command: text(stored, "command").unwrap_or_default(),
        feature: text(stored, "feature"),
    }
}

fn objects<'a>(stored: &'a Object, key: &str) -> impl Iterator<Item = &'a Object> {
    let items = stored.get(key).and_then(Json::as_array);
    items.unwrap_or_default().iter().filter_map(Json::as_object)
}

fn object(stored: &Object, key: &str) -> Object {
    let object = stored.get(key).and_then(Json::as_object);
    object.cloned().unwrap_or_default()
}

fn text(stored: &Object, key: &str) -> Option<String> {
    stored.get(key)?.as_str().map(str::to_owned)
}

fn number(stored: &Object, key: &str) -> u64 {
    let number = stored.get(key).and_then(Json::as_u64);
    number.unwrap_or_default()
}

#[cfg(test)]
#[path = "cursor_tests.rs"]
mod tests;
