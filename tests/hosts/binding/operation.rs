//! Operations from their request to their reply.

use std::cell::RefCell;
use std::rc::Rc;

use milepost::surface::js::operate;
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::ffi::reply;
use crate::world::{World, run};

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
    let world = Rc::new(RefCell::new(World::default()));
    let saved = run(&world, &update("plan"));
    assert_eq!(saved["value"]["revision"], 1, "{saved}");
    let stored = String::from_utf8(world.borrow().files[STATE].clone()).unwrap();
    assert!(stored.contains("\"done: \u{fc} \u{1f600}\""), "{stored}");
    assert!(stored.contains("\"2027-01-15T08:00:00.000Z\""), "{stored}");

    let loaded = run(&world, &request("load"));
    assert_eq!(loaded["value"]["text"], stored, "{loaded}");
}

#[wasm_bindgen_test]
fn an_operation_within_an_effect_of_another_does_not_mix_with_it() {
    let (ours, theirs) = (Rc::default(), Rc::new(RefCell::new(World::default())));
    let inner = Rc::clone(&theirs);
    let ours: Rc<RefCell<World>> = ours;
    ours.borrow_mut().during = Some(Box::new(move || {
        let saved = run(&inner, &update("review"));
        assert_eq!(saved["value"]["revision"], 1, "{saved}");
    }));
    let saved = run(&ours, &update("plan"));
    assert_eq!(saved["value"]["revision"], 1, "{saved}");
    for (world, phase) in [(ours, "plan"), (theirs, "review")] {
        let stored: Value = serde_json::from_slice(&world.borrow().files[STATE]).unwrap();
        assert_eq!(stored["state"]["completed_phases"], json!([phase]));
    }
}

#[wasm_bindgen_test]
fn a_request_that_is_wrong_in_itself_is_a_reply_and_asks_for_nothing() {
    let world = Rc::new(RefCell::new(World::default()));
    let reply = run(&world, &request("launch"));
    assert_eq!(reply["error"]["code"], "usage", "{reply}");
    assert_eq!(world.borrow().effects, 0);
}

#[wasm_bindgen_test]
fn a_request_of_a_length_that_was_never_written_is_refused() {
    let said = reply(operate(1 << 30));
    assert!(
        said.starts_with(r#"{"ok":false,"error":{"code":"usage","#),
        "{said}"
    );
}
