//! The interface `operations`.

use std::cell::RefCell;

use super::exports::operations::{
    self as exports, FailedOperation, Guest, GuestOperation, Misuse, Outcome, Turn,
};
use super::{Core, effect};
use crate::effect::{self as core, Machine, MachineStep};
use crate::error::Written;
use crate::operation::{Ended, request};

impl Guest for Core {
    type Operation = WitOperation;
}

/// One operation in progress. Its host calls it through a shared handle.
pub(super) struct WitOperation {
    machine: RefCell<Machine<Ended>>,
}

impl GuestOperation for WitOperation {
    fn new(request: String) -> Self {
        WitOperation {
            machine: RefCell::new(request::machine(request.as_bytes())),
        }
    }

    fn step(&self) -> Result<Turn, Misuse> {
        let step = self.machine.borrow_mut().step();
        step.map(turn).map_err(misuse)
    }

    fn resume(&self, outcome: Outcome) -> Result<Turn, Misuse> {
        let outcome = effect::to_outcome(outcome);
        let resumed = self.machine.borrow_mut().resume(outcome);
        resumed.map_err(misuse)?;
        self.step()
    }
}

fn turn(step: MachineStep<Ended>) -> Turn {
    match step {
        MachineStep::Effect(effect) => Turn::Effect(effect::from_effect(effect)),
        MachineStep::Done(Ended { text, failed: None }) => Turn::Done(text),
        MachineStep::Done(Ended {
            text: reply,
            failed: Some(written),
        }) => Turn::Failed(FailedOperation {
            reply,
            written: match written {
                Written::No => exports::Written::No,
                Written::Yes => exports::Written::Yes,
                Written::Unknown => exports::Written::Unknown,
            },
        }),
    }
}

fn misuse(misuse: core::Misuse) -> Misuse {
    match misuse {
        core::Misuse::NothingPending => Misuse::NothingPending,
        core::Misuse::NotReady => Misuse::NotReady,
    }
}

#[cfg(test)]
mod tests {
    use super::WitOperation;
    use crate::json::{Json, Object};
    use crate::operation::table;
    use crate::schema::{Kind as Shaped, Presence};
    use crate::surface::wit::exports::operations::{
        Clocks, Effect, Entry, FailedOperation, Failure, Finding, GuestOperation, Kind, Misuse,
        Names, Outcome, Turn,
    };

    const LOAD: &str =
        r#"{"operation":"load","place":{"working":"/w","root":null},"command":"design"}"#;

    fn started(request: &str) -> (WitOperation, Turn) {
        let operation = WitOperation::new(request.to_owned());
        let turn = operation.step().unwrap();
        (operation, turn)
    }

    fn reply(turn: Turn) -> String {
        match turn {
            Turn::Done(reply) | Turn::Failed(FailedOperation { reply, .. }) => reply,
            Turn::Effect(effect) => panic!("unexpected effect {effect:?}"),
        }
    }

    #[test]
    fn a_malformed_request_ends_with_usage() {
        for request in [
            "",
            "[]",
            "{}",
            r#"{"operation":"fly"}"#,
            r#"{"operation":5}"#,
        ] {
            let (_, turn) = started(request);
            let reply = reply(turn);
            assert!(reply.contains(r#""code":"usage""#), "{request}: {reply}");
        }
    }

    #[test]
    fn a_call_out_of_turn_leaves_the_operation_unchanged() {
        let operation = WitOperation::new(LOAD.to_owned());
        let early = operation.resume(Outcome::Done);
        assert!(matches!(early, Err(Misuse::NothingPending)));

        assert!(matches!(
            operation.step(),
            Ok(Turn::Effect(Effect::Ascend(_)))
        ));
        assert!(matches!(operation.step(), Err(Misuse::NotReady)));

        let failure = Failure::Other("gone".to_owned());
        let end = operation.resume(Outcome::Failed(failure)).unwrap();
        assert!(reply(end).contains(r#""code":"io""#));
        assert!(matches!(operation.step(), Err(Misuse::NotReady)));
        assert!(matches!(
            operation.resume(Outcome::Done),
            Err(Misuse::NothingPending)
        ));
    }

    #[test]
    fn an_outcome_that_does_not_fit_is_a_failure_of_the_effect() {
        let clocks = Clocks {
            wall_ms: f64::NAN,
            monotonic_ms: f64::NEG_INFINITY,
        };
        for unfitting in [
            Outcome::Done,
            Outcome::Bytes(vec![0xff]),
            Outcome::Clock(clocks),
            Outcome::Entries(Vec::new()),
        ] {
            let (operation, _) = started(LOAD);
            let reply = reply(operation.resume(unfitting).unwrap());
            assert!(reply.contains("unfitting answer"), "{reply}");
        }
    }

    #[test]
    fn the_place_of_the_repository_reaches_the_core() {
        let (operation, _) = started(LOAD);
        let next = operation.resume(Outcome::Found(Finding {
            folder: "/w/repository".to_owned(),
            below: String::new(),
            kind: Kind::Folder,
        }));
        let requested = format!("{next:?}");
        assert!(
            requested.contains("/w/repository/.claude/state/"),
            "{requested}"
        );
    }

    /// A request that has the shape which the operation asks for.
    fn request_for(operation: &table::Operation) -> String {
        let mut request = Object::new()
            .with("operation", operation.name)
            .with("place", Object::new().with("working", "/w"));
        for field in operation.arguments.fields {
            match (field.name, &field.kind) {
                ("command", _) => request.set("command", "design"),
                (name, Shaped::Record | Shaped::Nullable(Shaped::Record)) => {
                    request.set(name, Object::new());
                }
                (name, Shaped::String) => request.set(name, "a"),
                (name, Shaped::Integer) => request.set(name, 0),
                ("changes", Shaped::List(_)) => request.set("changes", vec![thread_change()]),
                (name, Shaped::List(_)) => request.set(name, Vec::<Json>::new()),
                ("state", Shaped::Any) => request.set("state", task_checkpoint()),
                (_, Shaped::Nullable(_)) => {}
                (_, Shaped::Any) if field.presence == Presence::Optional => {}
                (name, kind) => panic!("{}: {name} is of the new kind {kind:?}", operation.name),
            }
        }
        Json::from(request).to_line()
    }

    fn thread_change() -> Json {
        let text =
            br#"{"namespace": "", "id": "a", "task": "t", "values": [["c", ["json", "1"]]]}"#;
        crate::json::read(text).unwrap().value
    }

    fn task_checkpoint() -> Json {
        let text = br#"{"id": "a", "taskId": "t", "agentId": "g", "stepIndex": 0, "totalSteps": 0,
            "context": {}, "completedSteps": [], "pendingSteps": [],
            "createdAt": "2026-01-29T10:30:00.000Z"}"#;
        crate::json::read(text).unwrap().value
    }

    /// Any outcome at all, seldom one that fits.
    fn any_outcome(random: &mut fastrand::Rng) -> Outcome {
        let text = ["", "/w", "..", "\u{0}", "{}", "design-checkpoint.json"];
        let text = text[random.usize(..text.len())].to_owned();
        let kinds = [Kind::Absent, Kind::File, Kind::Folder, Kind::Symlink];
        let kind = kinds[random.usize(..kinds.len())];
        let number = [f64::NAN, -1e300, 0.0, 1.7e12][random.usize(..4)];
        let size = [0, 1, u64::MAX][random.usize(..3)];
        let mode = [None, Some(0o700), Some(u32::MAX)][random.usize(..3)];
        match random.u8(..9) {
            0 | 1 => Outcome::Done,
            2 => Outcome::Bytes((0..random.u8(..40)).map(|_| random.u8(..)).collect()),
            3 => Outcome::Clock(Clocks {
                wall_ms: number,
                monotonic_ms: -number,
            }),
            4 => Outcome::Entries(vec![Entry { kind, size, mode }; random.usize(..4)]),
            5 => Outcome::Found(Finding {
                folder: text.clone(),
                below: text,
                kind,
            }),
            6 => Outcome::Names(Names {
                names: vec![text; random.usize(..3)],
                complete: random.bool(),
            }),
            7 => Outcome::Failed(Failure::NotFound(text)),
            _ => Outcome::Failed(Failure::Other(text)),
        }
    }

    #[test]
    fn no_outcome_of_any_host_makes_an_operation_panic() {
        let _run = milepost_property::seed("no outcome of any host makes an operation panic", 3);
        let mut random = fastrand::Rng::with_seed(3);
        let mut replies = 0;
        for _ in 0..500 {
            for row in table::all().filter(|it| it.has_place()) {
                let (operation, mut turn) = started(&request_for(row));
                // A host that answers at random may be asked for ever; it may also give up.
                for _ in 0..100 {
                    match turn {
                        Turn::Effect(_) => {
                            turn = operation.resume(any_outcome(&mut random)).unwrap();
                        }
                        Turn::Done(reply) | Turn::Failed(FailedOperation { reply, .. }) => {
                            assert!(reply.starts_with(r#"{"ok":"#), "{reply}");
                            replies += 1;
                            break;
                        }
                    }
                }
            }
        }
        assert!(replies > 1000, "only {replies} operations came to an end");
    }
}
