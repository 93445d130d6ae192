//! A fault of every mode at each effect on files of a call, until a call ends before its fault.

use milepost::json::{Json, Object};
use milepost_scenarios::hand::Hand;

use super::case::Case;
use super::fixture::{Fixture, snapshot};
use super::host::FaultMode;

const DOCUMENT: &str = ".claude/state/design-checkpoint.json";

/// The step of a scenario that runs with a fault at each of its effects; it is the last one.
pub(super) fn call(scenario: &Hand) -> Option<&Object> {
    let last = scenario.steps.last()?;
    last.get("with_faults").map(|_| last)
}

/// The problems after each fault, with its effect and its mode.
pub(super) fn run(scenario: &Hand) -> Vec<String> {
    let mut failures = Vec::new();
    // One mode at each effect, another one at the next.
    let stride = milepost_property::rounds(FaultMode::ALL.len(), 1);
    for (number, mode) in FaultMode::ALL.into_iter().enumerate() {
        for at in (number % stride..).step_by(stride) {
            match run_one(scenario, at, mode) {
                Ok(FaultState::NotReached) => break,
                Ok(FaultState::Reached) => {}
                Err(why) => failures.push(format!("effect {at}, {mode:?}: {why}")),
            }
            assert!(at < 500, "{} never ends before its fault", scenario.name);
        }
    }
    failures
}

enum FaultState {
    Reached,
    NotReached,
}

fn run_one(scenario: &Hand, at: usize, mode: FaultMode) -> Result<FaultState, String> {
    let fixture = Fixture::new();
    let mut case = Case::new(&fixture);
    let (call, before) = scenario.steps.split_last().unwrap();
    for step in before {
        case.take(step).unwrap()?;
    }
    let document = fixture.at(DOCUMENT);
    let before = std::fs::read_to_string(&document).ok();
    let foreign = fixture.foreign();

    let operation = call.get("ask").and_then(Json::as_str).unwrap();
    let request = case.request(operation, call);
    case.host.files = 0;
    case.host.fault = Some((at, mode));
    let reply = case.host.ask(request.as_bytes());
    case.host.fault = None;
    let state = match case.host.files <= at {
        true => FaultState::NotReached,
        false => FaultState::Reached,
    };

    let after = std::fs::read_to_string(&document).ok();
    let is_new = after
        .as_ref()
        .is_some_and(|it| Some(it) != before.as_ref() && it.contains("\"b\": {"));
    if !is_new && after != before {
        return violated(format!(
            "neither the old document nor the new one: {after:?}"
        ));
    }
    if reply.starts_with(r#"{"ok":true"#) {
        if !is_new {
            return violated("acknowledged, and not there".into());
        }
    } else if !["\"code\":\"io\"", "\"code\":\"unsafe_path\""]
        .iter()
        .any(|code| reply.contains(code))
    {
        return Err(reply);
    }

    let next = Object::new()
        .with("phase", "c")
        .with("patch", Object::new());
    let next = case.request("update_phase", &next);
    let reply = case.host.ask(next.as_bytes());
    if !reply.starts_with(r#"{"ok":true"#) {
        return Err(format!("the next update fails: {reply}"));
    }
    let last = std::fs::read_to_string(&document).unwrap();
    let keeps = |part: &str| last.contains(part);
    let had = |part: &str| before.as_ref().is_some_and(|it| it.contains(part));
    if !keeps("\"c\": {") || is_new && !keeps("\"b\": {") || had("\"a\": {") && !keeps("\"a\": {") {
        return violated(format!("the next update lost something: {last}"));
    }
    if foreign != fixture.foreign() {
        return Err("something outside of the state folder changed".into());
    }
    // A second name of what it replaced may be left beside history, and goes with the one after.
    case.host.ask(next.as_bytes());
    let left_over = left_over(&fixture);
    if !left_over.is_empty() {
        return Err(format!("left over after the next update: {left_over:?}"));
    }
    Ok(state)
}

/// Fails with a proof, which no machine explains.
fn violated(why: String) -> Result<FaultState, String> {
    milepost_property::report(&why);
    Err(why)
}

/// Files of the state folder that are neither the document, nor a revision, nor what keeps git
/// away; and that last one where it is missing.
fn left_over(fixture: &Fixture) -> Vec<String> {
    let state = fixture.at(".claude/state");
    let side = ".milepost/design-checkpoint";
    let mut found: Vec<String> = snapshot(&state)
        .into_iter()
        .filter(|(_, what)| what != "folder")
        .map(|(path, _)| path.strip_prefix(&state).unwrap().to_owned())
        .map(|path| path.to_str().unwrap().to_owned())
        .filter(|path| {
            let revision = path.strip_prefix(&format!("{side}/history/"));
            let revision = revision.is_some_and(|name| name.ends_with(".json"));
            !revision && path != "design-checkpoint.json" && path != ".gitignore"
        })
        .collect();
    if !state.join(".gitignore").is_file() {
        found.push("no .gitignore".to_owned());
    }
    found
}
