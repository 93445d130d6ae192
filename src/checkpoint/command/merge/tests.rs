use std::collections::BTreeSet;

use super::merge;
use crate::checkpoint::command::sample::Random;
use crate::json::{self, Json, Object};
use crate::step_count::steps_of;

fn object(text: &str) -> Object {
    let value = json::read(text.as_bytes()).unwrap().value;
    value.as_object().unwrap().clone()
}

fn merged(base: &str, ours: &str, theirs: &str) -> String {
    let merged = merge(&object(base), &object(ours), &object(theirs)).unwrap();
    Json::Object(merged).to_line()
}

fn conflicts(base: &str, ours: &str, theirs: &str) -> Vec<String> {
    let conflicts = merge(&object(base), &object(ours), &object(theirs)).unwrap_err();
    conflicts.iter().map(ToString::to_string).collect()
}

fn merged_list(base: &str, ours: &str, theirs: &str) -> String {
    let list = |items: &str| format!(r#"{{"list":{items}}}"#);
    let merged = merged(&list(base), &list(ours), &list(theirs));
    merged[r#"{"list":"#.len()..merged.len() - 1].to_owned()
}

#[test]
fn a_field_that_one_side_changed_takes_that_side() {
    assert_eq!(
        merged(
            r#"{"a": 1, "b": 1, "c": 1, "d": 1}"#,
            r#"{"a": 2, "b": 1, "d": 1, "ours": [1]}"#,
            r#"{"theirs": {"x": 1e400}, "a": 1, "b": 3, "c": 1}"#
        ),
        r#"{"theirs":{"x":1e400},"a":2,"b":3,"ours":[1]}"#
    );
}

#[test]
fn fields_of_one_phase_merge_apart() {
    assert_eq!(
        merged(
            r#"{"phases": {"a": {"status": "in_progress"}}}"#,
            r#"{"phases": {"a": {"status": "in_progress", "context_summary": "s"}, "b": {"x": 1}}}"#,
            r#"{"phases": {"c": {"y": 1}, "a": {"status": "failed", "error": "e"}}}"#
        ),
        concat!(
            r#"{"phases":{"c":{"y":1},"#,
            r#""a":{"status":"failed","error":"e","context_summary":"s"},"b":{"x":1}}}"#
        )
    );
}

#[test]
fn fields_that_both_changed_differently_are_named_in_order() {
    assert_eq!(
        conflicts(
            r#"{"z": 1, "phases": {"a/b": {"status": "pending", "error": "x"}}, "n": [1]}"#,
            r#"{"z": 2, "phases": {"a/b": {"status": "failed"}}, "n": [2]}"#,
            r#"{"z": 3, "phases": {"a/b": {"status": "complete", "error": "y"}}, "n": [3]}"#
        ),
        ["/n", "/phases/a~1b/error", "/phases/a~1b/status", "/z"]
    );
}

#[test]
fn a_phase_that_one_side_removed_and_the_other_changed_conflicts() {
    assert_eq!(
        conflicts(
            r#"{"phases": {"a": {"x": 1}}}"#,
            r#"{"phases": {}}"#,
            r#"{"phases": {"a": {"x": 2}}}"#
        ),
        ["/phases/a"]
    );
}

#[test]
fn the_same_change_on_both_sides_is_no_conflict() {
    let changed = r#"{"a":2,"list":["x"]}"#;
    assert_eq!(
        merged(r#"{"a": 1}"#, r#"{"list": ["x"], "a": 2}"#, changed),
        changed
    );
}

#[test]
fn bookkeeping_never_conflicts() {
    assert_eq!(
        merged(
            r#"{"head_commit": "0", "updated_at": "2026-01-01T00:00:00Z", "revision": 1, "seal": "a",
                "phases": {"p": {"updated_at": "2026-01-01T00:00:00Z"}, "q": {"updated_at": "2026-01-01T00:00:00Z"}}}"#,
            r#"{"head_commit": "1", "updated_at": "2026-01-03T00:00:00Z", "revision": 7, "ours": 1,
                "phases": {"p": {"updated_at": "2026-01-03T00:00:00Z"}, "q": {"updated_at": "2026-01-02T00:00:00Z"}}}"#,
            r#"{"head_commit": "2", "updated_at": "2026-01-02T00:00:00Z", "revision": 2, "seal": "b",
                "phases": {"p": {"updated_at": "2026-01-02T00:00:00Z"}, "q": {"updated_at": "2026-01-03T00:00:00Z"}}}"#
        ),
        concat!(
            r#"{"head_commit":"1","updated_at":"2026-01-03T00:00:00Z","revision":2,"seal":"b","#,
            r#""phases":{"p":{"updated_at":"2026-01-03T00:00:00Z"},"q":{"updated_at":"2026-01-03T00:00:00Z"}},"ours":1}"#
        )
    );
}

#[test]
fn the_later_time_is_found_in_any_offset() {
    let at = |time: &str| format!(r#"{{"updated_at":"{time}"}}"#);
    let base = at("2026-01-01T00:00:00Z");
    let later = at("2026-01-02T01:00:00+02:00");
    let earlier = at("2026-01-01T22:59:59.999Z");
    assert_eq!(merged(&base, &later, &earlier), later);
    assert_eq!(merged(&base, &earlier, &later), later);
}

#[test]
fn only_the_schemas_bookkeeping_is_exempt() {
    assert_eq!(
        conflicts(
            r#"{"gate": {"head_commit": "0"}, "phases": {"a": {"x": {"updated_at": "0"}}}}"#,
            r#"{"gate": {"head_commit": "1"}, "phases": {"a": {"x": {"updated_at": "1"}}}}"#,
            r#"{"gate": {"head_commit": "2"}, "phases": {"a": {"x": {"updated_at": "2"}}}}"#
        ),
        ["/gate/head_commit", "/phases/a/x/updated_at"]
    );
}

#[test]
fn lists_merge_item_by_item() {
    for (base, ours, theirs, expected) in [
        (
            r#"["a","b"]"#,
            r#"["b"]"#,
            r#"["a","b","c"]"#,
            r#"["b","c"]"#,
        ),
        (
            r#"["a","b"]"#,
            r#"["a","b","x"]"#,
            r#"["b"]"#,
            r#"["b","x"]"#,
        ),
        (
            r#"["a"]"#,
            r#"["a","x"]"#,
            r#"["a","y"]"#,
            r#"["a","y","x"]"#,
        ),
        (r#"[]"#, r#"["x","z"]"#, r#"["y","z"]"#, r#"["y","x","z"]"#),
        (
            r#"["a","b"]"#,
            r#"["a","x","b"]"#,
            r#"["b"]"#,
            r#"["x","b"]"#,
        ),
        (
            r#"["a","b"]"#,
            r#"["b","a"]"#,
            r#"["a","b","c"]"#,
            r#"["a","b","c"]"#,
        ),
        (r#"["a","b"]"#, r#"[]"#, r#"["b","c"]"#, r#"["c"]"#),
        (
            r#"["a","a"]"#,
            r#"["a","a","x","x"]"#,
            r#"["a","a","y"]"#,
            r#"["a","y","x"]"#,
        ),
        // A list where none was, on both sides.
        (r#"null"#, r#"["x"]"#, r#"["y"]"#, r#"["y","x"]"#),
    ] {
        assert_eq!(
            merged_list(base, ours, theirs),
            expected,
            "{base} {ours} {theirs}"
        );
    }
}

#[test]
fn a_list_with_anything_but_strings_is_one_value() {
    for (base, ours, theirs) in [
        (r#"[1]"#, r#"[1,2]"#, r#"[1,3]"#),
        (r#"[]"#, r#"["x"]"#, r#"[null]"#),
        (r#"[{}]"#, r#"["x"]"#, r#"["y"]"#),
        (r#"[]"#, r#"["x"]"#, r#""y""#),
    ] {
        let list = |items: &str| format!(r#"{{"list":{items}}}"#);
        assert_eq!(
            conflicts(&list(base), &list(ours), &list(theirs)),
            ["/list"]
        );
    }
}

#[test]
fn merging_with_an_unchanged_side_is_the_other_side() {
    for seed in 0..5_000 {
        let _run =
            milepost_property::seed("merging with an unchanged side is the other side", seed);
        let mut random = Random::new(seed);
        let base = random.document();
        let changed = random.altered(&base);
        assert_eq!(
            merge(&base, &changed, &changed).as_ref(),
            Ok(&changed),
            "seed {seed}"
        );
        assert_eq!(
            merge(&base, &base, &changed).as_ref(),
            Ok(&changed),
            "seed {seed}"
        );
        assert_eq!(
            merge(&base, &changed, &base).as_ref(),
            Ok(&changed),
            "seed {seed}"
        );
    }
}

#[test]
fn both_orders_find_the_same_conflicts_and_keys() {
    let mut clean = 0;
    for seed in 0..5_000 {
        let _run = milepost_property::seed("both orders find the same conflicts and keys", seed);
        let mut random = Random::new(seed);
        let base = random.document();
        let ours = random.altered(&base);
        let theirs = random.altered(&base);
        match (merge(&base, &ours, &theirs), merge(&base, &theirs, &ours)) {
            (Err(one), Err(other)) => assert_eq!(one, other, "seed {seed}"),
            (Ok(one), Ok(other)) => {
                clean += 1;
                assert_eq!(paths(&one), paths(&other), "seed {seed}");
            }
            (one, other) => panic!("seed {seed}: {one:?} but {other:?}"),
        }
    }
    assert!(clean > 500, "only {clean} clean merges were tried");
}

#[test]
fn nothing_is_lost_that_a_side_added_and_nothing_kept_that_a_side_removed() {
    for seed in 0..5_000 {
        let _run = milepost_property::seed(
            "nothing is lost that a side added and nothing kept that a side removed",
            seed,
        );
        let mut random = Random::new(seed);
        let base = random.document();
        let ours = random.altered(&base);
        let theirs = random.altered(&base);
        let Ok(merged) = merge(&base, &ours, &theirs) else {
            continue;
        };
        let [base, ours, theirs, merged] = [&base, &ours, &theirs, &merged].map(paths);
        for path in ours.union(&theirs) {
            let removed = base.contains(path) && !(ours.contains(path) && theirs.contains(path));
            if !path.starts_with("/state/") {
                assert_eq!(merged.contains(path), !removed, "seed {seed}: {path}");
            }
        }
        for path in &merged {
            let known = ours.contains(path) || theirs.contains(path);
            assert!(known || path.starts_with("/state/"), "seed {seed}: {path}");
        }
    }
}

/// Every key, and every item of a list of strings, as a path; without `completed_at`, which a
/// repair may remove, and the fields that take one side's value regardless of the other.
fn paths(object: &Object) -> BTreeSet<String> {
    const GOVERNED: [&str; 4] = ["/completed_at", "/head_commit", "/revision", "/seal"];
    fn walk(at: &str, value: &Json, paths: &mut BTreeSet<String>) {
        match value {
            Json::Object(object) => {
                for (key, value) in object.iter() {
                    let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                    let is_updated_at =
                        key == "updated_at" && [2, 4].contains(&at.split('/').count());
                    if !is_updated_at && !GOVERNED.contains(&at.as_str()) {
                        paths.insert(at.clone());
                    }
                    walk(&at, value, paths);
                }
            }
            Json::Array(items) if items.iter().all(|item| item.as_str().is_some()) => {
                for item in items.iter().filter_map(Json::as_str) {
                    paths.insert(format!("{at}/[{item}]"));
                }
            }
            _ => {}
        }
    }
    let mut paths = BTreeSet::new();
    walk("", &Json::Object(object.clone()), &mut paths);
    paths
}

#[test]
fn a_merge_of_twice_the_phases_takes_twice_the_steps() {
    let document = |count: usize, changed: &str| -> Object {
        let phase = |at: usize| {
            let name = format!("phase-{at}");
            let status = if name == changed {
                "complete"
            } else {
                "pending"
            };
            (name, Json::from(Object::new().with("status", status)))
        };
        let names = |is_complete: bool| -> Vec<String> {
            let names = (0..count).map(|at| format!("phase-{at}"));
            names
                .filter(|name| (name == changed) == is_complete)
                .collect()
        };
        let state = Object::new()
            .with("completed_phases", names(true))
            .with("pending_phases", names(false));
        let phases: Object = (0..count).map(phase).collect();
        let phases = phases.with(&format!("of {changed}"), Object::new());
        Object::new().with("state", state).with("phases", phases)
    };
    let of = |count: usize| {
        let [base, ours, theirs] = ["", "phase-7", "phase-9"].map(|it| document(count, it));
        steps_of(|| {
            let merged = merge(&base, &ours, &theirs).unwrap();
            let phases = merged.get("phases").and_then(Json::as_object);
            assert_eq!(phases.map(Object::len), Some(count + 2));
        })
    };
    let (once, twice) = (of(20_000), of(40_000));
    assert!(
        once <= 60 * 20_000 && twice <= 60 * 40_000,
        "{once}, {twice}"
    );
}
