use super::*;
use crate::json;

const NOW: f64 = 1_769_680_800_000.0;
const CLAIM_MS: u64 = 50_000;

fn target(feature: &str) -> Target {
    Target {
        command: "implement".to_owned(),
        feature: Some(feature.to_owned()),
    }
}

fn known(endpoint: &str) -> ConfiguredEndpoint {
    ConfiguredEndpoint {
        endpoint: endpoint.to_owned(),
        fingerprint: "f".to_owned(),
    }
}

fn notice(id: &str) -> Object {
    Object::new()
        .with("id", id)
        .with("type", "checkpoint.completed")
        .with("timestamp", "2026-01-29T10:00:00.000Z")
        .with("data", Object::new())
}

fn to(endpoints: &[&str]) -> Vec<Receiver> {
    let receiver = |endpoint: &&str| Receiver {
        endpoint: (*endpoint).to_owned(),
        issue: None,
    };
    endpoints.iter().map(receiver).collect()
}

/// With notices as `feature/id`, to all of these endpoints.
fn queue(notices: &[&str], endpoints: &[&str]) -> NotificationCursor {
    let mut cursor = NotificationCursor::default();
    for it in notices {
        let (feature, id) = it.split_once('/').unwrap();
        cursor.enqueue(&target(feature), notice(id), to(endpoints));
    }
    cursor
}

fn ids(due: &[Due]) -> Vec<String> {
    let id = |it: &Due| {
        let id = it.notice.get("id").unwrap().as_str().unwrap();
        format!("{} {id} {}", it.endpoint, it.attempt)
    };
    due.iter().map(id).collect()
}

fn ended(due: &Due, outcome: DeliveryOutcome) -> Attempted {
    Attempted {
        endpoint: due.endpoint.clone(),
        fingerprint: "f".to_owned(),
        id: due.notice.get("id").unwrap().as_str().unwrap().to_owned(),
        attempt: due.attempt,
        outcome,
    }
}

const FAILED: DeliveryOutcome = DeliveryOutcome::Failed {
    retry_after_ms: None,
};

/// As another process reads it.
fn stored(cursor: &NotificationCursor) -> NotificationCursor {
    let text = Json::from(Object::from(cursor.clone())).to_line();
    let value = json::read(text.as_bytes()).unwrap().value;
    NotificationCursor::read(value.as_object().unwrap()).unwrap()
}

#[test]
fn a_stored_cursor_is_read_back_unchanged() {
    let mut cursor = queue(&["a/1", "b/2"], &["x", "y"]);
    cursor.since = Some("2026-01-29T10:00:00.000Z".to_owned());
    cursor.positions.push(Position {
        target: target("a"),
        revision: 7,
        standing: Object::new().with("completed", vec!["p"]),
    });
    let due = cursor.claim(NOW, CLAIM_MS, 9);
    cursor.settle(&ended(&due[0], FAILED), NOW);
    cursor.settle(&ended(&due[1], DeliveryOutcome::Gone), NOW);
    let issue = Receiver {
        endpoint: "linear:K".to_owned(),
        issue: Some("ENG-1".to_owned()),
    };
    cursor.enqueue(&target("a"), notice("3"), vec![issue]);
    assert_eq!(stored(&cursor), cursor);
    assert_eq!(
        stored(&NotificationCursor::new(None)),
        NotificationCursor::new(None)
    );
    let wrong = Object::from(cursor).with("queue", 5);
    assert_eq!(
        NotificationCursor::read(&wrong).unwrap_err()[0].at.as_str(),
        "/queue"
    );
}

#[test]
fn notices_of_one_checkpoint_are_sent_in_their_order() {
    let mut cursor = queue(&["a/1", "a/2", "b/3"], &["x"]);
    let first = cursor.claim(NOW, CLAIM_MS, 9);
    assert_eq!(ids(&first), ["x 1 1", "x 3 1"]);
    assert_eq!(cursor.claim(NOW, CLAIM_MS, 9), [], "both are claimed");
    cursor.settle(&ended(&first[0], FAILED), NOW);
    assert_eq!(
        cursor.settle(&ended(&first[1], DeliveryOutcome::Delivered), NOW),
        Fate::Delivered
    );
    assert_eq!(cursor.claim(NOW + 1.0, CLAIM_MS, 9), [], "2 waits for 1");
    let again = cursor.claim(NOW + 6_000.0, CLAIM_MS, 9);
    assert_eq!(ids(&again), ["x 1 2"]);
    cursor.settle(&ended(&again[0], DeliveryOutcome::Delivered), NOW);
    assert_eq!(ids(&cursor.claim(NOW, CLAIM_MS, 9)), ["x 2 1"]);
}

#[test]
fn an_endpoint_that_is_away_holds_up_no_other_one() {
    let mut cursor = queue(&["a/1", "a/2"], &["x", "y"]);
    for due in cursor.claim(NOW, CLAIM_MS, 9) {
        let outcome = if due.endpoint == "x" {
            FAILED
        } else {
            DeliveryOutcome::Delivered
        };
        cursor.settle(&ended(&due, outcome), NOW);
    }
    assert_eq!(ids(&cursor.claim(NOW, CLAIM_MS, 9)), ["y 2 1"]);
    assert_eq!(cursor.waiting(), 3);
}

#[test]
fn claims_are_limited_for_each_endpoint() {
    let mut cursor = queue(&["a/1", "b/2", "c/3"], &["x", "y"]);
    let due = ids(&cursor.claim(NOW, CLAIM_MS, 2));
    assert_eq!(due, ["x 1 1", "y 1 1", "x 2 1", "y 2 1"]);
    assert_eq!(ids(&cursor.claim(NOW, CLAIM_MS, 2)), ["x 3 1", "y 3 1"]);
}

#[test]
fn the_claim_of_a_dead_process_is_due_again_once_it_expires() {
    let mut cursor = queue(&["a/1"], &["x"]);
    let lost = cursor.claim(NOW, CLAIM_MS, 9);
    assert_eq!(cursor.next_due(NOW), Some(NOW + CLAIM_MS as f64));
    let before = NOW + CLAIM_MS as f64 - 1.0;
    assert_eq!(stored(&cursor).claim(before, CLAIM_MS, 9), []);
    let again = cursor.claim(before + 1.0, CLAIM_MS, 9);
    assert_eq!(ids(&again), ["x 1 2"], "the same id");
    // It was only slow, and reports after all.
    assert_eq!(
        cursor.settle(&ended(&lost[0], FAILED), before),
        Fate::Superseded
    );
    assert_eq!(
        cursor.settle(&ended(&lost[0], DeliveryOutcome::Delivered), before),
        Fate::Delivered
    );
    assert_eq!(
        cursor.settle(&ended(&again[0], FAILED), before),
        Fate::Superseded
    );
    assert_eq!((cursor.waiting(), cursor.next_due(NOW)), (0, None));
}

#[test]
fn a_delivery_is_tried_as_often_as_the_standard_says_and_then_given_up() {
    let mut cursor = queue(&["a/1", "a/2"], &["x"]);
    let mut now = NOW;
    for attempt in 1..schedule::ATTEMPTS {
        let due = cursor.claim(now, CLAIM_MS, 9);
        assert_eq!(ids(&due), [format!("x 1 {attempt}")]);
        let Fate::Again(at) = cursor.settle(&ended(&due[0], FAILED), now) else {
            panic!("attempt {attempt} was the last one");
        };
        let next = cursor.next_due(now).unwrap();
        assert_eq!(time::format(next), at);
        assert_eq!(cursor.claim(next - 1.0, CLAIM_MS, 9), []);
        now = next;
    }
    let last = cursor.claim(now, CLAIM_MS, 9);
    assert_eq!(cursor.settle(&ended(&last[0], FAILED), now), Fate::GivenUp);
    assert_eq!(ids(&cursor.claim(now, CLAIM_MS, 9)), ["x 2 1"]);
    let days = (now - NOW) / 86_400_000.0;
    assert!((2.8..3.5).contains(&days), "{days} days");
}

#[test]
fn an_endpoint_that_is_gone_gets_nothing_until_its_settings_change() {
    let mut cursor = queue(&["a/1", "b/2"], &["x", "y"]);
    let due = cursor.claim(NOW, CLAIM_MS, 9);
    assert_eq!(
        cursor.settle(&ended(&due[0], DeliveryOutcome::Gone), NOW),
        Fate::Disabled
    );
    // The other attempts have no end on record.
    let (all, _) = cursor.foreseen(NOW + 60_000.0, 9);
    let all: Vec<_> = all.into_iter().map(|it| it.endpoint).collect();
    assert_eq!(all, ["y", "y"]);
    cursor.admit(&[known("x"), known("y")]);
    cursor.enqueue(&target("c"), notice("3"), to(&["x"]));
    assert_eq!((cursor.waiting(), cursor.disabled().len()), (2, 1));
    let changed = ConfiguredEndpoint {
        fingerprint: "g".to_owned(),
        ..known("x")
    };
    cursor.admit(&[changed, known("y")]);
    cursor.enqueue(&target("c"), notice("3"), to(&["x"]));
    assert_eq!((cursor.waiting(), cursor.disabled().len()), (3, 0));
}

#[test]
fn deliveries_to_endpoints_that_are_configured_no_more_are_dropped() {
    let mut cursor = queue(&["a/1"], &["x", "y"]);
    cursor.admit(&[known("y")]);
    assert_eq!(ids(&cursor.foreseen(NOW, 9).0), ["y 1 1"]);
    cursor.admit(&[]);
    assert_eq!(
        (cursor.foreseen(NOW, 9).0, cursor.capacity()),
        (vec![], MOST_QUEUED)
    );
}

#[test]
fn a_notice_that_waits_is_not_put_into_the_queue_again() {
    let mut cursor = queue(&["a/1", "a/1", "a/2"], &["x"]);
    assert_eq!(ids(&cursor.foreseen(NOW, 9).0), ["x 1 1", "x 2 1"]);
    cursor.enqueue(&target("a"), notice("4"), Vec::new());
    assert_eq!((cursor.waiting(), cursor.capacity()), (2, MOST_QUEUED - 2));
}

#[test]
fn a_clock_that_was_a_year_ahead_holds_up_no_delivery() {
    let year = 365.0 * 86_400_000.0;
    let mut cursor = queue(&["a/1"], &["x"]);
    let due = cursor.claim(NOW + year, CLAIM_MS, 9);
    assert_eq!(cursor.next_due(NOW), Some(NOW), "its claim");
    cursor.settle(&ended(&due[0], FAILED), NOW + year);
    assert_eq!(cursor.next_due(NOW), Some(NOW), "its next attempt");
    assert_eq!(ids(&cursor.claim(NOW, CLAIM_MS, 9)), ["x 1 2"]);
}

#[test]
fn despite_failures_and_deaths_each_receiver_has_each_notice_in_the_order_of_its_checkpoint() {
    let endpoints = ["x", "y"];
    let notices = ["a/1", "b/2", "a/3", "b/4", "a/5"];
    for seed in 0..150 {
        let _run = milepost_property::seed(
            "despite failures and deaths each receiver has each notice in the order of its checkpoint",
            seed,
        );
        let mut random = fastrand::Rng::with_seed(seed);
        let mut cursor = queue(&notices, &endpoints);
        let mut received: Vec<(String, String)> = Vec::new();
        let mut now = NOW;
        while let Some(next) = cursor.next_due(now) {
            now = now.max(next);
            let claimed = cursor.claim(now, CLAIM_MS, 1 + random.usize(..3));
            assert!(
                !claimed.is_empty(),
                "{seed}: nothing is due though it is time"
            );
            for due in claimed {
                let id = due.notice.get("id").unwrap().as_str().unwrap();
                let outcome = match random.u32(..4) {
                    // The delivery is never reported as sent, or it was not sent.
                    0 => {
                        if random.bool() {
                            received.push((due.endpoint.clone(), id.to_owned()));
                        }
                        continue;
                    }
                    1 if due.attempt < schedule::ATTEMPTS => FAILED,
                    _ => DeliveryOutcome::Delivered,
                };
                if outcome == DeliveryOutcome::Delivered {
                    received.push((due.endpoint.clone(), id.to_owned()));
                }
                cursor.settle(&ended(&due, outcome), now);
            }
            cursor = stored(&cursor);
        }
        for endpoint in endpoints {
            for feature in ["a", "b"] {
                let of_feature = notices.iter().filter_map(|it| it.strip_prefix(feature));
                let expected: Vec<&str> = of_feature.map(|it| &it[1..]).collect();
                let mut got: Vec<&str> = Vec::new();
                for (to, id) in &received {
                    let is_mine = to == endpoint && expected.contains(&id.as_str());
                    // A repeat has the id of the one before it, so that a receiver can drop it.
                    if is_mine && got.last() != Some(&id.as_str()) {
                        got.push(id);
                    }
                }
                assert_eq!(got, expected, "{seed}: {endpoint} of {feature}");
            }
        }
    }
}

#[test]
fn a_preview_shows_the_deliveries_that_are_sent_where_every_attempt_succeeds() {
    let mut cursor = queue(&["a/1", "a/2", "b/3", "c/4"], &["x", "y"]);
    let failed = cursor.claim(NOW, CLAIM_MS, 1);
    for one in &failed {
        cursor.settle(&ended(one, FAILED), NOW);
    }
    for (now, waiting) in [(NOW, 4), (NOW + 3_600_000.0, 0)] {
        let (foreseen, left) = cursor.foreseen(now, 1);
        assert_eq!(left.waiting(), waiting);
        let mut real = cursor.clone();
        let mut sent = Vec::new();
        loop {
            let due = real.claim(now, CLAIM_MS, 1);
            if due.is_empty() {
                break;
            }
            for one in &due {
                real.settle(&ended(one, DeliveryOutcome::Delivered), now);
            }
            sent.extend(due);
        }
        assert_eq!(foreseen, sent);
        assert_eq!(real.waiting(), waiting);
    }
}
