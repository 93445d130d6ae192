//! The rule for what is no change: a save that only renews the time.

use crate::json::{Json, Object};

/// The members that every commit renews.
const RENEWED: [&str; 3] = ["updated_at", "revision", "seal"];

/// Returns whether a document differs from the one that it replaces in times alone: its own
/// `updated_at` and those of its phases, when agents' sessions were seen, and what their turns have
/// done so far.
pub fn is_heartbeat(before: &Object, after: &Object) -> bool {
    is_same(before, after, &RENEWED, |key, before, after| {
        let renewed: &[&str] = match key {
            "phases" => &RENEWED[..1],
            "agent_sessions" => &["seen_at", "turn"],
            _ => return false,
        };
        is_same(before, after, &[], |_, before, after| {
            is_same(before, after, renewed, |_, _, _| false)
        })
    })
}

/// Returns whether both have the same members, in any order, apart from those that are renewed, and
/// objects of which `are_same` says it.
fn is_same(
    before: &Object,
    after: &Object,
    renewed: &[&str],
    are_same: impl Fn(&str, &Object, &Object) -> bool,
) -> bool {
    let mut differing = before.differing(after).into_iter();
    differing.all(|(key, before, after)| {
        renewed.contains(&key)
            || match (before, after) {
                (Some(Json::Object(before)), Some(Json::Object(after))) => {
                    are_same(key, before, after)
                }
                _ => false,
            }
    })
}

#[cfg(test)]
mod tests {
    use super::is_heartbeat;
    use crate::json::{Json, Object, read};

    fn object(text: &str) -> Object {
        match read(text.as_bytes()).unwrap().value {
            Json::Object(object) => object,
            other => panic!("{other:?}"),
        }
    }

    const BEFORE: &str = r#"{"command":"design","updated_at":"1","phases":
        {"p":{"status":"complete","updated_at":"1"},"q":{"status":"pending","updated_at":"1"}},
        "own":{"updated_at":"1"},"revision":4,"seal":"x"}"#;

    #[test]
    fn only_the_time_of_the_document_and_of_its_phases_is_renewed_by_a_heartbeat() {
        let before = object(BEFORE);
        for (after, expected) in [
            (BEFORE.to_owned(), true),
            (
                BEFORE.replacen("\"updated_at\":\"1\"", "\"updated_at\":\"2\"", 3),
                true,
            ),
            (
                BEFORE.replace("\"revision\":4,\"seal\":\"x\"", "\"revision\":5"),
                true,
            ),
            // An unknown member is not a time that is renewed.
            (
                BEFORE.replace("\"updated_at\":\"1\"", "\"updated_at\":\"2\""),
                false,
            ),
            (BEFORE.replace("complete", "failed"), false),
            (BEFORE.replace("\"p\":", "\"r\":"), false),
            (
                BEFORE.replace("\"command\"", "\"note\":1,\"command\""),
                false,
            ),
            (BEFORE.replace("\"command\":\"design\",", ""), false),
            (BEFORE.replace("\"status\":\"pending\",", ""), false),
        ] {
            assert_eq!(is_heartbeat(&before, &object(&after)), expected, "{after}");
        }
    }
}
