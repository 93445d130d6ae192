//! The step machine: regardless of what a host answers, an operation ends with a reply or an
//! error, after a bounded number of effects.

use milepost::cli;
use milepost::effect::{Machine, MachineStep, Misuse, Outcome};
use milepost::error::Code;
use milepost::json::{self, Json, Object};
use milepost::operation::request;
use milepost::operation::table::{self, Operation};
use milepost::schema::{Field, Kind, Presence};

use crate::host::ROOT;
use crate::input::{Result, Unstructured, bytes, check, document, one_in, several, text, words};
use script::Script;

mod script;

/// More effects than any operation asks for once its host keeps answering in the same few ways and
/// its clock goes on.
const MOST_EFFECTS: usize = 60_000;

/// Runs a request with the answers of a host, both from the input.
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
        .with("color", u.arbitrary::<bool>()?)
        .with("width", u.arbitrary::<Option<u8>>()?.map(u64::from));
    Ok(Json::Object(call).to_line().into_bytes())
}

/// A request that mostly has what the shape of its operation has.
fn request(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    if one_in(u, 10)? {
        return bytes(u);
    }
    let operations: Vec<&Operation> = table::all().collect();
    let operation = *u.choose(&operations)?;
    let mut request = Object::new()
        .with("operation", operation.name)
        .with("place", place(u)?);
    // A document comes in one of two forms.
    let left_out = *u.choose(&["document", "text"])?;
    for field in operation.arguments.fields {
        let is_wanted = match (field.name, field.presence) {
            ("document" | "text", _) => field.name != left_out || one_in(u, 20)?,
            (_, Presence::Required) => !one_in(u, 40)?,
            _ => one_in(u, 4)?,
        };
        if is_wanted {
            request.set(field.name, argument(u, field)?);
        }
    }
    if one_in(u, 8)? {
        for (key, value) in document::object(u, 2)? {
            request.set(&key, value);
        }
    }
    Ok(Json::Object(request).to_line().into_bytes())
}

/// A value that the name of an argument stands for, or else anything of its kind.
fn argument(u: &mut Unstructured<'_>, field: &Field) -> Result<Json> {
    Ok(match field.name {
        "command" => "design".into(),
        "feature" => text::feature(u)?.into(),
        "phase" => document::phase_name(u)?.into(),
        "patch" => document::phase(u)?.into(),
        "document" => document::checkpoint(u)?.into(),
        "text" => match one_in(u, 4)? {
            true => text::any(u)?.into(),
            false => document::checkpoint(u)?.to_document().into(),
        },
        _ => of_kind(u, &field.kind)?,
    })
}

fn of_kind(u: &mut Unstructured<'_>, kind: &Kind) -> Result<Json> {
    Ok(match kind {
        Kind::Nullable(kind) => of_kind(u, kind)?,
        Kind::Boolean => u.arbitrary::<bool>()?.into(),
        Kind::Integer => u64::from(u.arbitrary::<u8>()?).into(),
        Kind::Number => Json::Number(format!("{}.5", u.arbitrary::<i8>()?).into()),
        Kind::Constant(number) => (*number).into(),
        Kind::Enum(texts) => (*u.choose(texts)?).into(),
        Kind::String | Kind::Time | Kind::Summary | Kind::Name | Kind::Part(_) => {
            text::any(u)?.into()
        }
        Kind::List(kind) => several(u, 3, |u| of_kind(u, kind))?.into(),
        Kind::Pair(kind) => vec![of_kind(u, kind)?, of_kind(u, kind)?].into(),
        Kind::Object(_) | Kind::Map(_) | Kind::Either(_) | Kind::Record => {
            document::object(u, 2)?.into()
        }
        Kind::Any => document::value(u, 2)?,
    })
}

/// Runs an operation to its end; with `misuse`, out of turn at every step.
fn drive<T>(mut machine: Machine<T>, mut script: Script, misuse: bool) -> T {
    let most = script.len() + MOST_EFFECTS;
    for _ in 0..most {
        if misuse {
            assert_eq!(machine.resume(Outcome::Done), Err(Misuse::NothingPending));
        }
        match machine.step() {
            Ok(MachineStep::Done(value)) => {
                assert!(
                    matches!(machine.step(), Err(Misuse::NotReady)),
                    "it ends once"
                );
                return value;
            }
            Ok(MachineStep::Effect(effect)) => {
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
