//! The step machine: whatever a host answers, fitting or not, an operation ends with a reply or an
//! error, after a bounded number of effects.

use milepost::cli;
use milepost::effect::{Machine, Misuse, Outcome, Step};
use milepost::error::Code;
use milepost::json::{self, Json, Object};
use milepost::operation::request;

use crate::host::ROOT;
use crate::input::{Result, Unstructured, bytes, check, document, one_in, text, words};
use script::Script;

mod script;

const OPERATIONS: [&str; 17] = [
    "load",
    "save",
    "update_phase",
    "complete",
    "resume_point",
    "gate",
    "list",
    "latest",
    "log",
    "diff",
    "undo",
    "recover",
    "trim",
    "load_integrations",
    "validate",
    "check_handoff_request",
    "check_handoff_response",
];

/// More effects than any operation asks for once its host keeps answering in the same few ways and
/// its clock goes on.
const MOST_EFFECTS: usize = 60_000;

/// What a host answers, and the request that it is asked for.
pub fn run(data: &[u8]) {
    check(data, |u| {
        let (is_call, misuse) = (u.arbitrary()?, u.arbitrary()?);
        let script = Script::read(u)?;
        if is_call {
            let exit = drive(cli::start(&call(u)?), script, misuse);
            assert!([0, 1, 64, 65, 74, 75].contains(&exit), "exit code {exit}");
        } else {
            is_reply(&drive(request::start(&request(u)?), script, misuse));
        }
        Ok(())
    });
}

fn place(u: &mut Unstructured<'_>) -> Result<Object> {
    let mut place = Object::new().with("working", ROOT);
    for key in ["root", "git_root"] {
        if u.arbitrary()? {
            place.set(key, ROOT);
        }
    }
    if one_in(u, 8)? {
        place.set("dir", text::any(u)?);
    }
    if u.arbitrary()? {
        place.set("durability", "lazy");
    }
    if one_in(u, 8)? {
        let days = u64::from(u.arbitrary::<u8>()?);
        place.set("history", Object::new().with("days", days));
    }
    Ok(place)
}

fn call(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    if one_in(u, 10)? {
        return bytes(u);
    }
    let call = Object::new()
        .with("arguments", words::call(u)?)
        .with("place", place(u)?)
        .with("color", u.arbitrary::<bool>()?);
    Ok(Json::Object(call).to_line().into_bytes())
}

/// A request that mostly has what its operation needs.
fn request(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    if one_in(u, 10)? {
        return bytes(u);
    }
    let mut request = Object::new()
        .with("operation", *u.choose(&OPERATIONS)?)
        .with("command", "design")
        .with("place", place(u)?)
        .with("phase", document::phase_name(u)?)
        .with("policy", "truncate");
    if one_in(u, 4)? {
        request.set("feature", text::feature(u)?);
    }
    let text = match one_in(u, 4)? {
        true => text::any(u)?,
        false => document::checkpoint(u)?.to_document(),
    };
    request.set("text", text);
    request.set("patch", document::phase(u)?);
    for key in ["from", "to", "revision", "revisions", "days"] {
        if one_in(u, 4)? {
            request.set(key, u64::from(u.arbitrary::<u8>()?));
        }
    }
    if one_in(u, 8)? {
        for (key, value) in document::object(u, 2)? {
            request.set(&key, value);
        }
    }
    Ok(Json::Object(request).to_line().into_bytes())
}

/// Runs an operation to its end; with `misuse`, out of turn at every step.
fn drive<T>(mut machine: Machine<T>, mut script: Script, misuse: bool) -> T {
    let most = script.len() + MOST_EFFECTS;
    for _ in 0..most {
        if misuse {
            assert_eq!(machine.resume(Outcome::Done), Err(Misuse::NothingPending));
        }
        match machine.step() {
            Ok(Step::Done(value)) => {
                assert!(
                    matches!(machine.step(), Err(Misuse::NotReady)),
                    "it ends once"
                );
                return value;
            }
            Ok(Step::Effect(effect)) => {
                if misuse {
                    assert!(matches!(machine.step(), Err(Misuse::NotReady)));
                }
                let outcome = script.answer(&effect);
                assert_eq!(machine.resume(outcome), Ok(()));
            }
            Err(misuse) => panic!("in its turn: {misuse}"),
        }
    }
    panic!("no end after {most} effects");
}

/// One line of JSON that says how it went.
fn is_reply(reply: &str) {
    assert!(!reply.contains('\n'), "{reply:?}");
    let reply = json::read(reply.as_bytes()).expect("a reply is JSON").value;
    let reply = reply.as_object().expect("a reply is an object");
    let keys: Vec<&str> = reply.iter().map(|(key, _)| key).collect();
    if reply.get("ok") == Some(&Json::Bool(true)) {
        assert_eq!(keys, ["ok", "value", "warnings"]);
        return;
    }
    assert_eq!(keys, ["ok", "error", "warnings"]);
    let error = reply.get("error").and_then(Json::as_object).unwrap();
    let code = error.get("code").and_then(Json::as_str).unwrap();
    assert!(
        Code::ALL.iter().any(|known| known.as_str() == code),
        "{code}"
    );
    assert!(
        error
            .get("message")
            .and_then(Json::as_str)
            .is_some_and(|it| !it.is_empty())
    );
}
