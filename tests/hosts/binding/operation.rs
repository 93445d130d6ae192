//! Operations from their request to their reply, and calls out of turn.

use milepost::surface::js::{abandon, resume, start, step};
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::border::{put, returned, thrown, write};
use crate::world::{World, asked, begin, clock, parse};

const STATE: &str = "/repo/.claude/state/design-checkpoint.json";

fn request(operation: &str) -> Value {
    json!({"operation": operation, "place": {"root": "/repo"}, "command": "design"})
}

fn update(phase: &str) -> Value {
    let mut update = request("update_phase");
    update["phase"] = phase.into();
    update["patch"] = json!({"status": "complete", "context_summary": "done: \u{fc} \u{1f600}"});
    update
}

#[wasm_bindgen_test]
fn an_update_leaves_a_document_that_the_next_load_returns() {
    let mut world = World::default();
    let saved = world.run(&update("plan"));
    assert_eq!(saved["value"]["revision"], 1, "{saved}");
    let stored = String::from_utf8(world.files[STATE].clone()).unwrap();
    assert!(stored.contains("\"done: \u{fc} \u{1f600}\""), "{stored}");
    assert!(stored.contains("\"2027-01-15T08:00:00.000Z\""), "{stored}");

    let loaded = world.run(&request("load"));
    assert_eq!(loaded["value"]["text"], stored, "{loaded}");
}

#[wasm_bindgen_test]
fn two_operations_under_way_do_not_mix() {
    let (mut ours, mut theirs) = (World::default(), World::default());
    let (first, second) = (begin(&update("plan")), begin(&update("review")));
    let mut of_first = returned(step(first));
    let mut one = asked(&of_first);
    let mut of_second = returned(step(second));
    let mut two = asked(&of_second);
    while let (Some(for_ours), Some(for_theirs)) = (one, two) {
        of_first = ours.answer(first, for_ours);
        one = asked(&of_first);
        of_second = theirs.answer(second, for_theirs);
        two = asked(&of_second);
    }
    for (reply, world, phase) in [(of_first, ours, "plan"), (of_second, theirs, "review")] {
        assert_eq!(parse(&reply)["value"]["revision"], 1, "{reply}");
        let stored = parse(str::from_utf8(&world.files[STATE]).unwrap());
        assert_eq!(stored["state"]["completed_phases"], json!([phase]));
    }
}

#[wasm_bindgen_test]
fn a_request_that_is_wrong_in_itself_is_a_reply_and_no_error() {
    let handle = begin(&request("launch"));
    let reply = returned(step(handle));
    assert!(
        reply.starts_with(r#"{"ok":false,"error":{"code":"usage","#),
        "{reply}"
    );
}

#[wasm_bindgen_test]
fn a_request_of_a_length_that_was_never_written_throws() {
    let sentence = "the buffer holds no UTF-8 text of that length";
    assert_eq!(thrown(start(1 << 30)), sentence);
}

#[wasm_bindgen_test]
fn an_outcome_before_the_first_effect_throws_and_changes_nothing() {
    let handle = begin(&request("load"));
    let early = resume(handle, write(r#"{"outcome":"done"}"#));
    assert_eq!(
        thrown(early),
        "an outcome came while no effect was under way"
    );
    assert!(asked(&returned(step(handle))).is_some());
    abandon(handle);
}

#[wasm_bindgen_test]
fn a_step_while_an_effect_is_under_way_throws_and_changes_nothing() {
    let handle = begin(&update("plan"));
    returned(step(handle));
    let sentence = "the operation has ended or waits for an outcome";
    assert_eq!(thrown(step(handle)), sentence);
    let next = returned(resume(handle, write(&clock(1.0, 1.0).to_string())));
    assert_eq!(asked(&next).unwrap().effect["effect"], "ascend");
    abandon(handle);
}

#[wasm_bindgen_test]
fn an_outcome_that_is_none_throws_and_the_operation_still_waits() {
    let handle = begin(&update("plan"));
    returned(step(handle));
    for (line, member) in [
        ("", "outcome"),
        ("done", "outcome"),
        (r#"{"outcome":"finished"}"#, "outcome"),
        (
            r#"{"outcome":"found","folder":"/repo","kind":"folder"}"#,
            "below",
        ),
        (
            r#"{"outcome":"failed","fault":"tired","detail":""}"#,
            "fault",
        ),
    ] {
        let sentence = format!("the host's outcome has no usable `{member}`");
        assert_eq!(thrown(resume(handle, write(line))), sentence, "{line}");
    }
    put(milepost::surface::js::payload(8), &[0; 8]);
    let half_a_clock = resume(handle, write(r#"{"outcome":"clock"}"#));
    assert_eq!(
        thrown(half_a_clock),
        "the host's outcome has no usable `wallMs`"
    );
    let next = returned(resume(handle, write(&clock(1.0, 1.0).to_string())));
    assert_eq!(asked(&next).unwrap().effect["effect"], "ascend");
    abandon(handle);
}

#[wasm_bindgen_test]
fn the_reply_frees_the_handle() {
    let handle = begin(&request("launch"));
    returned(step(handle));
    let sentence = format!("no operation under way has handle {handle}");
    assert_eq!(thrown(step(handle)), sentence);
}

#[wasm_bindgen_test]
fn an_abandoned_operation_is_forgotten_and_may_be_abandoned_again() {
    let handle = begin(&update("plan"));
    returned(step(handle));
    abandon(handle);
    abandon(handle);
    let sentence = format!("no operation under way has handle {handle}");
    assert_eq!(
        thrown(resume(handle, write(r#"{"outcome":"done"}"#))),
        sentence
    );
}
