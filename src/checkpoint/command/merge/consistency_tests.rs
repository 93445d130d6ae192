use super::{PhaseStatements, is_finished_too_early};
use crate::checkpoint::command::completion::{OpenPhases, complete};
use crate::checkpoint::command::document::{Draft, RunDocument};
use crate::checkpoint::command::merge::merge;
use crate::checkpoint::command::phases::{Status, Update};
use crate::checkpoint::command::sample::Random;
use crate::json::{self, Json, Object};

const NOW: &str = "2026-01-29T12:00:00.000Z";

fn object(text: &str) -> Object {
    let value = json::read(text.as_bytes()).unwrap().value;
    value.as_object().unwrap().clone()
}

fn merged(base: &str, ours: &str, theirs: &str) -> String {
    let merged = merge(&object(base), &object(ours), &object(theirs)).unwrap();
    Json::Object(merged).to_line()
}

/// A document with this state and these phases.
fn document(current: &str, completed: &str, pending: &str, phases: &str) -> String {
    format!(
        concat!(
            r#"{{"state":{{"current_phase":{},"completed_phases":[{}],"pending_phases":[{}]}},"#,
            r#""phases":{{{}}}}}"#
        ),
        current, completed, pending, phases
    )
}

#[test]
fn a_phase_that_one_side_planned_and_the_other_finished_is_not_planned_any_more() {
    let base = document("null", "", "", "");
    let planned = document("null", "", r#""x","a""#, "");
    let finished = document("null", r#""a""#, "", r#""a":{"status":"complete"}"#);
    let expected = document("null", r#""a""#, r#""x""#, r#""a":{"status":"complete"}"#);
    assert_eq!(merged(&base, &planned, &finished), expected);
    assert_eq!(merged(&base, &finished, &planned), expected);
}

#[test]
fn a_finished_phase_without_an_entry_counts_as_complete() {
    let base = document("null", "", "", "");
    let planned = document("null", "", r#""a""#, "");
    let finished = document("null", r#""a""#, "", "");
    assert_eq!(merged(&base, &planned, &finished), finished);
    assert_eq!(merged(&base, &finished, &planned), finished);
}

#[test]
fn a_phase_that_one_side_finished_is_not_the_current_one() {
    let base = document("null", "", "", "");
    let started = document(r#""a""#, "", "", "");
    let finished = document("null", r#""a""#, "", r#""a":{"status":"complete"}"#);
    assert_eq!(merged(&base, &started, &finished), finished);
    assert_eq!(merged(&base, &finished, &started), finished);
}

#[test]
fn a_phase_that_became_pending_is_listed_though_the_other_side_dropped_its_name() {
    let base = document("null", "", r#""a""#, "");
    let entered = document("null", "", r#""a""#, r#""a":{"status":"pending"}"#);
    let dropped = document("null", "", "", "");
    assert_eq!(merged(&base, &entered, &dropped), entered);
    assert_eq!(merged(&base, &dropped, &entered), entered);
}

#[test]
fn work_that_went_on_while_the_other_side_finished_keeps_the_checkpoint_open() {
    let base = document("null", "", "", "");
    let started = document(r#""a""#, "", "", r#""a":{"status":"in_progress"}"#);
    let finished = base.replacen('{', r#"{"completed_at":"2026-01-29T12:00:00.000Z","#, 1);
    assert_eq!(merged(&base, &started, &finished), started);
    assert_eq!(merged(&base, &finished, &started), started);
}

#[test]
fn a_merge_that_opens_a_run_again_lists_what_the_other_side_left_pending() {
    let base = document("null", "", r#""p""#, r#""p":{"status":"pending"}"#);
    let finished = document("null", "", "", r#""p":{"status":"pending"}"#);
    let finished = finished.replacen('{', r#"{"completed_at":"2026-01-29T12:00:00.000Z","#, 1);
    let phases = r#""p":{"status":"pending"},"a":{"status":"in_progress"}"#;
    let started = document(r#""a""#, "", r#""p""#, phases);
    assert_eq!(merged(&base, &started, &finished), started);
    assert_eq!(merged(&base, &finished, &started), started);
}

#[test]
fn a_checkpoint_that_one_side_finished_stays_finished_when_nothing_is_left() {
    let completed_at = r#""completed_at":"2026-01-29T12:00:00.000Z""#;
    let base = document("null", "", "", "");
    let finished = base.replacen('{', &format!("{{{completed_at},"), 1);
    let worked = document("null", r#""a""#, "", r#""a":{"status":"complete"}"#);
    assert_eq!(
        merged(&base, &worked, &finished),
        worked.replacen('{', &format!("{{{completed_at},"), 1)
    );
    assert_eq!(
        merged(&base, &finished, &worked),
        format!("{},{completed_at}}}", worked.strip_suffix('}').unwrap())
    );
}

#[test]
fn a_contradiction_that_a_side_wrote_stays() {
    let base = document("null", "", "", "");
    let odd = document(r#""a""#, r#""a""#, r#""a""#, r#""a":{"status":"failed"}"#);
    let other = document("null", "", r#""b""#, "");
    let expected = document(
        r#""a""#,
        r#""a""#,
        r#""b","a""#,
        r#""a":{"status":"failed"}"#,
    );
    assert_eq!(merged(&base, &odd, &other), expected);
}

#[test]
fn a_merge_of_runs_contradicts_itself_nowhere_where_they_did_not() {
    let mut clean = 0;
    for seed in 0..10_000 {
        let _run = milepost_property::seed(
            "a merge of runs contradicts itself nowhere where they did not",
            seed,
        );
        let mut random = Random::new(seed);
        let start = RunDocument::new("design", None, NOW);
        let base = worked(&mut random, &start);
        let ours = worked_and_planned(&mut random, &base);
        let theirs = worked_and_planned(&mut random, &base);
        let Ok(merged) = merge(base.as_object(), &ours, &theirs) else {
            continue;
        };
        clean += 1;
        let documents = [&merged, &ours, &theirs];
        let [merged, ours, theirs] = documents.map(PhaseStatements::of);
        for (name, _) in merged.statuses.iter() {
            let [merged, ours, theirs] =
                [&merged, &ours, &theirs].map(|view| view.contradicted(name).is_some());
            assert!(!merged || ours || theirs, "seed {seed}: {name}");
        }
        let [merged, ours, theirs] = documents.map(is_finished_too_early);
        assert!(!merged || ours || theirs, "seed {seed}");
    }
    assert!(clean > 1_000, "only {clean} clean merges were tried");
}

/// The checkpoint after a few operations.
fn worked(random: &mut Random, checkpoint: &RunDocument) -> RunDocument {
    let mut draft = Draft::from(checkpoint.clone());
    for _ in 0..random.below(4) {
        if random.one_in(8) {
            complete(&mut draft, NOW, OpenPhases::Keep).unwrap();
            continue;
        }
        let phase = ["a", "b", "c", "d"][random.below(4)];
        let mut patch = Object::new();
        let status = Status::ALL[random.below(Status::ALL.len())];
        patch.set("status", status.as_str());
        let update = Update::new(phase, &patch, None).unwrap();
        update.apply(&mut draft, NOW).unwrap();
    }
    draft.check(&[]).unwrap()
}

/// The checkpoint after a few operations, and with a name appended to a list by hand, as scripts
/// plan ahead.
fn worked_and_planned(random: &mut Random, checkpoint: &RunDocument) -> Object {
    let mut document = worked(random, checkpoint).into_object();
    if random.one_in(2)
        && let Some(Json::Object(state)) = document.get_mut("state")
    {
        let list = ["pending_phases", "completed_phases"][random.below(2)];
        if let Some(Json::Array(items)) = state.get_mut(list) {
            items.push(["a", "e", "f"][random.below(3)].into());
        }
    }
    document
}
