//! The gate before shipping.

use crate::git::head::short;
use crate::json::{Json, Object};
use crate::schema::Shaped;
use crate::text::visible;

/// The verdict on whether the run may be shipped.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct GateVerdict {
    /// True if nothing stands in the way.
    pub open: bool,
    /// The reasons that stand in the way.
    pub blockers: Vec<String>,
    /// The commit that it holds for; null where none was recorded, so that it holds for all.
    pub head_commit: Option<String>,
}

/// Judges the `gate` of a stored document; `head` is the current HEAD, if it is known. Every surface that says whether
/// a gate is open asks here.
///
/// The gate is open only when it was recorded, `ship_allowed` is true, `blockers` is an empty list,
/// and its `head_commit`, or the document's where it has none, equals HEAD. Anything missing,
/// malformed or unknown closes it; without any commit, as outside a repository, none is compared.
///
/// No document is an error: what closes the gate is a sentence in [`GateVerdict::blockers`].
///
/// ```
/// use milepost::checkpoint::command::gate::{check, set};
/// use milepost::json::Object;
///
/// let head = "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d";
/// let mut run = Object::new();
/// assert_eq!(check(&run, Some(head)).blockers, ["No gate is recorded"]);
///
/// set(&mut run, &[], Some(head));
/// assert!(check(&run, Some(head)).open);
///
/// // A new commit closes it.
/// let verdict = check(&run, Some("0123456789abcdef0123456789abcdef01234567"));
/// assert!(!verdict.open);
/// assert_eq!(
///     verdict.blockers,
///     ["The gate was recorded at d36b6b4, current HEAD is 0123456"],
/// );
/// ```
pub fn check(document: &Object, head: Option<&str>) -> GateVerdict {
    let mut recorded = None;
    let blockers = match document.get("gate") {
        None | Some(Json::Null) => vec!["No gate is recorded".to_owned()],
        Some(Json::Object(gate)) => {
            let own = gate.get("head_commit").filter(|commit| is_commit(commit));
            recorded = own.or_else(|| document.get("head_commit"));
            recorded = recorded.filter(|commit| is_commit(commit));
            blockers(gate, recorded, head)
        }
        Some(other) => vec![format!("gate is no object, but {}", other.kind())],
    };
    GateVerdict {
        open: blockers.is_empty(),
        blockers,
        head_commit: recorded.and_then(Json::as_str).map(str::to_owned),
    }
}

/// Returns true where a gate is recorded: one that is not was never opened or closed.
pub fn is_recorded(document: &Object) -> bool {
    !matches!(document.get("gate"), None | Some(Json::Null))
}

/// Returns the reasons that a recorded gate names where it is closed at every commit, as [`check`] says; `None` where
/// it is open at one, and where no gate is recorded. One that is malformed is closed and may name no reasons.
///
/// At another commit than its own a gate is closed as well. That is no milestone on purpose: every new commit would
/// be one, and no document says when it came.
pub fn closed_by(document: &Object) -> Option<Vec<String>> {
    let (is_open, _) = at_own_commit(document)?;
    if is_open {
        return None;
    }
    let gate = document.get("gate").and_then(Json::as_object);
    let reasons = gate.and_then(|gate| gate.get("blockers")?.as_array());
    Some(reasons.unwrap_or_default().iter().map(blocker).collect())
}

/// Returns true for a recorded gate that is open at its own commit, with that commit; `None` where none is recorded.
fn at_own_commit(document: &Object) -> Option<(bool, Option<String>)> {
    if !is_recorded(document) {
        return None;
    }
    // A commit that is no string opens the gate nowhere.
    let own = check(document, None).head_commit;
    Some((check(document, own.as_deref()).open, own))
}

/// The change of the gate between two documents, in one harmless line: it was recorded or removed, opened or closed, or
/// holds for another commit. `None` for any other change of it.
pub fn change(before: &Object, after: &Object) -> Option<String> {
    if before.get("gate") == after.get("gate") {
        return None;
    }
    let word = |is_open: bool| if is_open { "open" } else { "closed" };
    match (at_own_commit(before), at_own_commit(after)) {
        (None, Some((is_open, _))) => Some(format!("gate: added ({})", word(is_open))),
        (Some((was_open, _)), None) => Some(format!("gate: removed ({})", word(was_open))),
        (Some((was_open, _)), Some((is_open, _))) if was_open != is_open => {
            Some(format!("gate: {} → {}", word(was_open), word(is_open)))
        }
        (Some((_, Some(from))), Some((is_open, Some(to)))) if from != to => {
            let (word, from, to) = (word(is_open), short(&from), short(&to));
            let line = format!("gate: {word} at {from} → {word} at {to}");
            Some(visible(&line).into_owned())
        }
        _ => None,
    }
}

/// Returns whether a commit is named, rightly or not.
fn is_commit(value: &Json) -> bool {
    *value != Json::Null && value.as_str() != Some("")
}

/// Sets the gate of a document: open without reasons, closed with them. Other members of it stay.
pub fn set(document: &mut Object, reasons: &[&str], head: Option<&str>) {
    let mut gate = match document.remove("gate") {
        Some(Json::Object(gate)) => gate,
        _ => Object::new(),
    };
    gate.set("ship_allowed", reasons.is_empty());
    gate.set("blockers", reasons.to_vec());
    gate.remove("head_commit");
    document.set("gate", gate);
    record(document, None, head);
}

/// Writes the commit into a gate that has none, where it differs from the gate `before`.
pub fn record(document: &mut Object, before: Option<&Object>, head: Option<&str>) {
    let before = before.and_then(|before| before.get("gate"));
    if document.get("gate") == before {
        return;
    }
    if let (Some(Json::Object(gate)), Some(head)) = (document.get_mut("gate"), head)
        && !gate.get("head_commit").is_some_and(is_commit)
    {
        gate.set("head_commit", head);
    }
}

fn blockers(gate: &Object, recorded: Option<&Json>, head: Option<&str>) -> Vec<String> {
    let mut blockers = match gate.get("blockers") {
        Some(Json::Array(items)) => items.iter().map(blocker).collect(),
        Some(other) => vec![format!("gate.blockers is no list, but {}", other.kind())],
        None => vec!["gate.blockers is missing".to_owned()],
    };
    match gate.get("ship_allowed") {
        Some(Json::Bool(true)) => {}
        Some(Json::Bool(false)) => blockers.push("gate.ship_allowed is false".to_owned()),
        Some(other) => blockers.push(format!(
            "gate.ship_allowed is neither true nor false, but {}",
            other.kind()
        )),
        None => blockers.push("gate.ship_allowed is missing".to_owned()),
    }
    blockers.extend(wrong_head(recorded, head));
    blockers
}

fn blocker(item: &Json) -> String {
    match item {
        Json::String(text) => text.clone(),
        other => other.to_line(),
    }
}

fn wrong_head(recorded: Option<&Json>, head: Option<&str>) -> Option<String> {
    let recorded = match recorded {
        None | Some(Json::Null) => return None,
        Some(Json::String(commit)) => commit,
        Some(other) => {
            return Some(format!(
                "gate.head_commit is no string, but {}",
                other.kind()
            ));
        }
    };
    let recorded_at = short(recorded);
    match head {
        Some(head) if head == recorded => None,
        Some(head) => Some(format!(
            "The gate was recorded at {recorded_at}, current HEAD is {}",
            short(head)
        )),
        None => Some(format!(
            "The gate was recorded at {recorded_at}, and the current HEAD is unknown"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{change, check, closed_by, is_recorded, record, set};
    use crate::json::{self, Json};

    const HEAD: &str = "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d";

    fn blockers(text: &str, head: Option<&str>) -> Vec<String> {
        let document = json::read(text.as_bytes()).unwrap().value;
        let document = document.as_object().unwrap();
        let verdict = check(document, head);
        assert_eq!(verdict.open, verdict.blockers.is_empty());
        let is_missing = verdict.blockers == ["No gate is recorded"];
        assert_eq!(is_recorded(document), !is_missing);
        if verdict.open {
            assert!(
                verdict
                    .head_commit
                    .as_deref()
                    .is_none_or(|it| Some(it) == head)
            );
        }
        verdict.blockers
    }

    #[test]
    fn the_gate_opens_when_nothing_stands_in_the_way() {
        for head_commit in ["", r#", "head_commit": null"#] {
            let text =
                format!(r#"{{"gate": {{"ship_allowed": true, "blockers": []{head_commit}}}}}"#);
            assert_eq!(blockers(&text, Some(HEAD)), [""; 0]);
            assert_eq!(blockers(&text, None), [""; 0]);
        }
        let text = format!(
            r#"{{"gate": {{"ship_allowed": true, "blockers": [], "head_commit": "{HEAD}"}}}}"#
        );
        assert_eq!(blockers(&text, Some(HEAD)), [""; 0]);
    }

    #[test]
    fn every_reason_is_named() {
        assert_eq!(
            blockers(
                r#"{"gate": {"ship_allowed": false, "blockers": ["tests fail", ""],
                    "head_commit": "abc1234567"}}"#,
                Some(HEAD)
            ),
            [
                "tests fail",
                "",
                "gate.ship_allowed is false",
                "The gate was recorded at abc1234, current HEAD is d36b6b4",
            ]
        );
    }

    #[test]
    fn a_gate_of_a_commit_stays_closed_where_head_is_unknown() {
        let text = format!(
            r#"{{"gate": {{"ship_allowed": true, "blockers": [], "head_commit": "{HEAD}"}}}}"#
        );
        assert_eq!(
            blockers(&text, None),
            ["The gate was recorded at d36b6b4, and the current HEAD is unknown"]
        );
    }

    #[test]
    fn a_gate_without_a_commit_is_judged_by_that_of_the_document() {
        let at = |commit: &str| {
            format!(
                r#"{{"head_commit": "{commit}",
                    "gate": {{"ship_allowed": true, "blockers": [], "head_commit": ""}}}}"#
            )
        };
        assert_eq!(blockers(&at(HEAD), Some(HEAD)), [""; 0]);
        assert_eq!(
            blockers(&at("abc1234567"), Some(HEAD)),
            ["The gate was recorded at abc1234, current HEAD is d36b6b4"]
        );
    }

    #[test]
    fn a_gate_that_changes_gets_the_commit_that_it_changed_at_and_one_that_stays_does_not() {
        let object = |text: &str| {
            let value = json::read(text.as_bytes()).unwrap().value;
            value.as_object().unwrap().clone()
        };
        let before = object(r#"{"gate": {"ship_allowed": false, "blockers": ["a"]}}"#);
        let mut same = before.clone();
        record(&mut same, Some(&before), Some(HEAD));
        assert_eq!(same, before);

        let mut open = before.clone();
        set(&mut open, &[], Some(HEAD));
        assert_eq!(check(&open, Some(HEAD)).blockers, [""; 0]);
        assert_eq!(check(&open, Some("abc1234567")).blockers.len(), 1);
        let mut closed = open.clone();
        set(&mut closed, &["tests fail"], None);
        let gate = r#"{"gate":{"ship_allowed":false,"blockers":["tests fail"]}}"#;
        assert_eq!(Json::Object(closed).to_line(), gate);

        let own =
            r#"{"gate": {"ship_allowed": true, "blockers": [], "head_commit": "abc1234567"}}"#;
        let mut named = object(own);
        record(&mut named, Some(&before), Some(HEAD));
        assert_eq!(named, object(own));
        let mut without = object(r#"{"gate": 5}"#);
        record(&mut without, None, Some(HEAD));
        set(&mut without, &["a"], Some(HEAD));
        assert_eq!(check(&without, Some(HEAD)).blockers.len(), 2);
    }

    #[test]
    fn a_gate_is_closed_by_its_document_where_it_is_open_at_no_commit() {
        let cases: [(&str, Option<&[&str]>); 13] = [
            ("{}", Some(&[])),
            (r#"{"ship_allowed": true}"#, Some(&[])),
            (r#"{"ship_allowed": true, "blockers": []}"#, None),
            (
                r#"{"ship_allowed": true, "blockers": [], "head_commit": "a"}"#,
                None,
            ),
            (
                r#"{"ship_allowed": true, "blockers": ["a", 5]}"#,
                Some(&["a", "5"]),
            ),
            (r#"{"ship_allowed": false, "blockers": []}"#, Some(&[])),
            (
                r#"{"ship_allowed": true, "blockers": [], "head_commit": 5}"#,
                Some(&[]),
            ),
            (
                r#"{"ship_allowed": true, "blockers": [], "head_commit": ""}"#,
                None,
            ),
            (r#"{"ship_allowed": true, "blockers": "a"}"#, Some(&[])),
            ("null", None),
            ("5", Some(&[])),
            ("true", Some(&[])),
            ("[]", Some(&[])),
        ];
        for (gate, reasons) in cases {
            let text = format!(r#"{{"gate": {gate}}}"#);
            let document = json::read(text.as_bytes()).unwrap().value;
            let document = document.as_object().unwrap();
            let owned = |them: &[&str]| them.iter().map(|it| (*it).to_owned()).collect();
            let expected: Option<Vec<String>> = reasons.map(owned);
            assert_eq!(closed_by(document), expected, "{gate}");
            let commit = check(document, None).head_commit;
            let is_open = check(document, commit.as_deref()).open;
            let is_closed = is_recorded(document) && !is_open;
            assert_eq!(is_closed, expected.is_some(), "{gate}");
        }
        // The commit of the document counts where the gate has none.
        let text = r#"{"head_commit": 5, "gate": {"ship_allowed": true, "blockers": []}}"#;
        let document = json::read(text.as_bytes()).unwrap().value;
        assert_eq!(closed_by(document.as_object().unwrap()), Some(Vec::new()));
    }

    #[test]
    fn a_change_of_the_gate_is_one_line_that_says_what_it_was_and_what_it_is() {
        const OPEN: &str = r#"{"ship_allowed": true, "blockers": [], "head_commit": "abc1234567"}"#;
        const CLOSED: &str =
            r#"{"ship_allowed": false, "blockers": ["a"], "head_commit": "abc1234567"}"#;
        for (before, after, expected) in [
            ("null", OPEN, Some("gate: added (open)")),
            ("null", CLOSED, Some("gate: added (closed)")),
            (OPEN, "null", Some("gate: removed (open)")),
            (OPEN, CLOSED, Some("gate: open → closed")),
            (CLOSED, OPEN, Some("gate: closed → open")),
            (
                OPEN,
                r#"{"ship_allowed": true, "blockers": [], "head_commit": "d36b6b4a1e"}"#,
                Some("gate: open at abc1234 → open at d36b6b4"),
            ),
            (
                CLOSED,
                r#"{"ship_allowed": false, "blockers": ["b"], "head_commit": "abc1234567"}"#,
                None,
            ),
            (OPEN, OPEN, None),
            ("null", "null", None),
        ] {
            let [before, after] = [before, after].map(|gate| {
                let text = format!(r#"{{"gate": {gate}}}"#);
                let value = json::read(text.as_bytes()).unwrap().value;
                value.as_object().unwrap().clone()
            });
            let line = change(&before, &after);
            assert_eq!(line.as_deref(), expected);
        }
    }

    #[test]
    fn the_start_of_a_commit_is_not_that_commit() {
        let text = r#"{"gate": {"ship_allowed": true, "blockers": [], "head_commit": "d36b6b4"}}"#;
        assert_eq!(blockers(text, Some(HEAD)).len(), 1);
    }

    #[test]
    fn a_missing_or_malformed_part_closes_the_gate() {
        for (gate, expected) in [
            ("", vec!["No gate is recorded"]),
            (r#""gate": null"#, vec!["No gate is recorded"]),
            (r#""gate": true"#, vec!["gate is no object, but boolean"]),
            (
                r#""gate": {}"#,
                vec!["gate.blockers is missing", "gate.ship_allowed is missing"],
            ),
            (
                r#""gate": {"ship_allowed": "true", "blockers": null, "head_commit": 5}"#,
                vec![
                    "gate.blockers is no list, but null",
                    "gate.ship_allowed is neither true nor false, but string",
                    "gate.head_commit is no string, but number",
                ],
            ),
            (
                r#""gate": {"ship_allowed": true, "blockers": [5, {"a": 1e400}]}"#,
                vec!["5", r#"{"a":1e400}"#],
            ),
        ] {
            assert_eq!(
                blockers(&format!("{{{gate}}}"), Some(HEAD)),
                expected,
                "{gate}"
            );
        }
    }
}
