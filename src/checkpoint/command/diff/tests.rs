use super::{changes, json_patch};
use crate::checkpoint::command::sample::Random;
use crate::json::{self, Json, Object};
use crate::step_count::steps_of;

fn object(text: &str) -> Object {
    let value = json::read(text.as_bytes()).unwrap().value;
    value.as_object().unwrap().clone()
}

fn lines(before: &str, after: &str) -> Vec<String> {
    changes(&object(before), &object(after))
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn each_kind_of_change_has_its_line() {
    let before = r#"{"command": "design", "completed_at": "2026-01-01T00:00:00.000Z",
            "state": {"current_phase": "a", "completed_phases": [], "pending_phases": ["b", "c"]},
            "phases": {
                "a": {"status": "in_progress", "context_summary": "old", "extra": {"n": 1.0}},
                "gone": {"status": "failed"}
            },
            "numbers": [1, 2]}"#;
    let after = r#"{"command": "design",
            "state": {"current_phase": null, "completed_phases": ["a"], "pending_phases": ["c", "b"]},
            "phases": {
                "a": {"status": "complete", "context_summary": "new", "extra": {"n": 1}},
                "new one": {"status": "pending"}
            },
            "numbers": [1, 3],
            "gate": {"ship_allowed": true}}"#;
    assert_eq!(
        lines(before, after),
        [
            r#"completed_at: removed "2026-01-01T00:00:00.000Z""#,
            r#"state.current_phase: "a" → null"#,
            r#"state.completed_phases: +"a""#,
            r#"state.pending_phases: reordered"#,
            r#"phase a: in_progress → complete"#,
            r#"phase a context_summary: "old" → "new""#,
            r#"phase a extra.n: 1.0 → 1"#,
            r#"phase gone: removed (failed)"#,
            r#"phase "new one": added (pending)"#,
            r#"numbers: [1,2] → [1,3]"#,
            r#"gate: added {"ship_allowed":true}"#,
        ]
    );
}

#[test]
fn members_that_every_save_changes_are_left_out() {
    let before = r#"{"updated_at": "1", "revision": 1, "seal": "a",
            "phases": {"a": {"status": "pending", "updated_at": "1"}}, "x": {"a": 1, "b": 2}}"#;
    let after = r#"{"updated_at": "2", "revision": 2, "seal": "b", "renamed_from": "a",
            "phases": {"a": {"status": "pending", "updated_at": "2"}}, "x": {"b": 2, "a": 1}}"#;
    assert_eq!(lines(before, after), [""; 0]);
}

#[test]
fn an_updated_at_that_is_not_the_schemas_is_shown() {
    assert_eq!(
        lines(r#"{"x": {"updated_at": 1}}"#, r#"{"x": {"updated_at": 2}}"#),
        ["x.updated_at: 1 → 2"]
    );
}

#[test]
fn long_texts_and_lists_are_cut() {
    let before = r#"{"list": [], "text": ""}"#;
    let items: Vec<String> = (0..20)
        .map(|at| format!("{at:?}").replace('\'', ""))
        .collect();
    let after = format!(
        r#"{{"list": ["{}"], "text": "{}"}}"#,
        items.join("\",\""),
        "é".repeat(70)
    );
    assert_eq!(
        lines(before, &after),
        [
            r#"list: +"0" +"1" +"2" +"3" +"4" +"5" +"6" +"7" and 12 more"#.to_owned(),
            format!(r#"text: "" → "{}…""#, "é".repeat(60)),
        ]
    );
}

#[test]
fn stored_text_cannot_act_on_the_terminal_or_forge_a_line() {
    let after = r#"{"a: 1 → 2\nb": "\u001b]52;c;x\u0007 \u202e \u007f",
            "phases": {"\u202eevil": {"status": "\u009b2J"}}}"#;
    assert_eq!(
        lines(r#"{"phases": {}}"#, after),
        [
            r#"phase "\u{202e}evil": added ("\u{9b}2J")"#,
            r#""a: 1 → 2\nb": added "\u001b]52;c;x\u0007 \u{202e} \u{7f}""#,
        ]
    );
}

#[test]
fn malformed_parts_are_compared_as_values() {
    assert_eq!(
        lines(
            r#"{"phases": {"a": 1, "b": {"status": 5}}, "state": []}"#,
            r#"{"phases": {"a": {"status": "x"}, "b": {}}, "state": {}}"#
        ),
        [
            r#"phase a: 1 → {"status":"x"}"#,
            "phase b: 5 → no status",
            "state: [] → {}",
        ]
    );
}
/// Returns the differences, found by searching each key from the start.
fn searched<'a>(before: &'a Object, after: &'a Object) -> Vec<json::Difference<'a>> {
    let old = before
        .iter()
        .map(|(key, value)| (key, Some(value), after.get(key)));
    let new = after.iter().filter(|(key, _)| before.get(key).is_none());
    let new = new.map(|(key, value)| (key, None, Some(value)));
    old.chain(new)
        .filter(|(_, before, after)| before != after)
        .collect()
}

#[test]
fn differences_are_found_in_any_order_of_keys() {
    for seed in 0..5_000 {
        let _run = milepost_property::seed("differences are found in any order of keys", seed);
        let mut random = Random::new(seed);
        let before = random.document();
        let after = match seed % 3 {
            0 => random.document(),
            _ => random.altered(&before),
        };
        let after: Object = match seed % 2 {
            0 => after,
            _ => after
                .iter()
                .rev()
                .map(|(key, value)| (key, value.clone()))
                .collect(),
        };
        assert_eq!(
            before.differing(&after),
            searched(&before, &after),
            "seed {seed}"
        );
    }
}

/// A document of many phases, of which one is complete and one is only here.
fn large(phases: usize, complete: usize) -> Object {
    let phase = |at: usize| {
        let status = if at == complete {
            "complete"
        } else {
            "pending"
        };
        (
            format!("phase-{at}"),
            Json::from(Object::new().with("status", status)),
        )
    };
    let phases: Object = (0..phases)
        .filter(|at| at % 1_000 != complete)
        .map(phase)
        .collect();
    let phases = phases.with(&format!("only-{complete}"), Object::new());
    Object::new()
        .with("command", "design")
        .with("phases", phases)
}

#[test]
fn a_diff_of_twice_the_phases_takes_twice_the_steps() {
    let of = |phases: usize| {
        let (before, after) = (large(phases, 7), large(phases, 9));
        steps_of(|| {
            assert!(!changes(&before, &after).is_empty());
            json_patch(&before, &after);
        })
    };
    let (once, twice) = (of(20_000), of(40_000));
    assert!(
        once <= 20 * 20_000 && twice <= 20 * 40_000,
        "{once}, {twice}"
    );
}
