//! Qwen Code, where it differs from Claude Code.

use milepost::agent::{self, Agent, Event};
use milepost::json::{self, Json};

fn read(more: &str) -> String {
    let text = format!(r#"{{"session_id":"s","hook_event_name":"UserPromptSubmit",{more}}}"#);
    let Json::Object(payload) = json::read(text.as_bytes()).unwrap().value else {
        panic!("{text}");
    };
    match agent::read(Agent::QwenCode, None, &payload).unwrap().event {
        Event::Prompt(prompt) => prompt.to_owned(),
        Event::Other => "nothing".to_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_prompt_is_what_was_typed_and_a_request_without_one_means_nothing() {
    let expanded = r#""prompt":"Design: search","submitted_prompt":"/design search""#;
    assert_eq!(read(expanded), "/design search");
    assert_eq!(read(r#""prompt":"/design search""#), "/design search");
    assert_eq!(read(r#""prompt":"""#), "nothing");
}
