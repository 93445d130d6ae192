//! The reply of an operation, as far as jobs look at it.

use milepost::effect::MachineStep;
use milepost::json::{self, Json};
use milepost::operation::request;
use milepost_disk::Disk;

use crate::calm::Calm;

/// The value of a reply that is no failure.
pub(crate) fn answer(reply: &str) -> Option<Json> {
    let reply = json::read(reply.as_bytes()).ok()?.value;
    match reply.at("/ok") {
        Some(Json::Bool(true)) => reply.at("/value").cloned(),
        _ => None,
    }
}

/// The id in a value.
pub(crate) fn id(value: &Json) -> Option<String> {
    value.at("/id").and_then(Json::as_str).map(str::to_owned)
}

/// The value of an operation on which nothing happens.
pub(crate) fn in_peace(disk: &mut Disk, line: &str, seed: u64) -> Result<Json, String> {
    let mut calm = Calm::new(seed);
    let mut machine = request::start(line.as_bytes());
    loop {
        match machine.step().map_err(|misuse| format!("{misuse:?}"))? {
            MachineStep::Effect(effect) => {
                let resumed = machine.resume(calm.perform(disk, &effect));
                resumed.map_err(|misuse| format!("{misuse:?}"))?;
            }
            MachineStep::Done(reply) => {
                let unanswered = || format!("in peace, {line} is answered with {reply}");
                return answer(&reply).ok_or_else(unanswered);
            }
        }
    }
}
