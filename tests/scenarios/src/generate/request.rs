//! Requests, as surfaces send them.

use fastrand::Rng;
use milepost::checkpoint::command::definition::COMMANDS;
use milepost::handoff::MODES;
use milepost::json::{self, Json, Object};

use super::{ROOT, document, text};
use crate::world::World;

/// A checkpoint.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) command: String,
    pub(super) feature: Option<String>,
}

const NO_NAMES: [&str; 8] = ["", "..", "a/b", "CON", "x.", "checkpoint", "ä", "-x"];

impl Target {
    pub(super) fn any(random: &mut Rng) -> Self {
        let feature = match random.u8(..10) {
            0..=5 => None,
            6 => Some("Dark-Mode"),
            _ => Some("dark-mode"),
        };
        Target {
            command: COMMANDS[random.usize(..COMMANDS.len())].to_owned(),
            feature: feature.map(str::to_owned),
        }
    }

    /// Where its document lies.
    pub(super) fn file(&self) -> String {
        let feature = self.feature.as_deref().unwrap_or("checkpoint");
        format!("{ROOT}/.claude/state/{}-{feature}.json", self.command)
    }
}

/// A request on the checkpoint, or now and then on another or on none.
pub(super) fn on_checkpoint(random: &mut Rng, world: &World, target: &Target) -> String {
    let mut request = Object::new();
    request.set("place", place(random));
    request.set("command", target.command.as_str());
    request.set("feature", target.feature.clone());
    match random.u8(..60) {
        0 => request.set("command", "deploy"),
        1 => request.set("feature", NO_NAMES[random.usize(..NO_NAMES.len())]),
        2 => request.set("feature", true),
        _ => {}
    }
    let operation = match random.u8(..24) {
        0..=6 => {
            request.set("phase", document::phase(random));
            request.set("patch", document::patch(random));
            "update_phase"
        }
        7..=10 => {
            request.set("text", to_save(random, world, target));
            "save"
        }
        11 => "complete",
        12 => "load",
        13 => "resume_point",
        14 => "gate",
        15 => "list",
        16 => "latest",
        17 => "log",
        18 => {
            let revision = |random: &mut Rng| random.bool().then(|| random.u64(..6));
            request.set("from", revision(random));
            request.set("to", revision(random));
            "diff"
        }
        19..=22 => backwards(random, &mut request),
        _ => match random.u8(..4) {
            0 => "forget",
            1 => "load_integrations",
            _ => "load",
        },
    };
    request.set("operation", operation);
    Json::Object(request).to_line()
}

/// An operation that looks or goes back, or forgets what was.
fn backwards(random: &mut Rng, request: &mut Object) -> &'static str {
    let revision = random.bool().then(|| random.u64(..7));
    match random.u8(..5) {
        0 => {
            request.set("revision", revision);
            "load"
        }
        1 => {
            request.set("revisions", random.bool().then(|| random.u64(8..12)));
            request.set("days", random.bool().then(|| random.u64(..400)));
            "trim"
        }
        2 => {
            request.set("to", revision);
            "recover"
        }
        _ => {
            request.set("to", revision);
            if random.u8(..6) == 0 {
                request.set("revision", random.u64(..7));
                request.set("seal", text::word(random));
            }
            "undo"
        }
    }
}

fn place(random: &mut Rng) -> Object {
    let mut place = Object::new();
    match random.u8(..10) {
        0 => place.set("working", format!("{ROOT}/src/deep")),
        1 => place.set("git_root", ROOT),
        2 => place.set("root", "/elsewhere-that-is-not"),
        _ => place.set("working", ROOT),
    }
    match random.u8(..13) {
        0 => place.set("durability", "lazy"),
        1 => place.set("dir", ".state"),
        2 => place.set("durability", "sometimes"),
        3 => {
            let history = Object::new()
                .with("revisions", random.u64(8..14))
                .with("days", random.bool().then(|| random.u64(..30)));
            place.set("history", history);
        }
        _ => {}
    }
    place
}

/// The stored document with a change, an older one with a change, or another one.
fn to_save(random: &mut Rng, world: &World, target: &Target) -> String {
    let name = target.file();
    let name = name.rsplit_once('/').map_or("", |(_, name)| name);
    let side = format!("/.milepost/{}/history/", name.trim_end_matches(".json"));
    let older: Vec<Vec<u8>> = world
        .files()
        .filter(|(path, _)| path.contains(&side))
        .map(|(_, bytes)| bytes)
        .collect();
    let base = match random.u8(..4) {
        0 => None,
        1 if !older.is_empty() => Some(older[random.usize(..older.len())].clone()),
        _ => world.file(&target.file()),
    };
    let base = base.and_then(|bytes| json::read(&bytes).ok());
    let Some(Json::Object(mut base)) = base.map(|reading| reading.value) else {
        return Json::Object(document::document(random, target)).to_line();
    };
    for (key, value) in document::document(random, target) {
        if random.u8(..3) == 0 {
            base.set(&key, value);
        }
    }
    if random.u8(..8) == 0 {
        base.remove("phases");
    }
    if random.u8(..20) == 0 {
        base.set("revision", random.u64(..9));
    }
    Json::Object(base).to_line()
}

/// A request that asks for no effect.
pub(super) fn of_rules(random: &mut Rng) -> String {
    let target = Target::any(random);
    let request = match random.u8(..4) {
        0 => Object::new()
            .with("operation", "validate")
            .with("text", to_validate(random, &target)),
        1 => Object::new()
            .with("operation", "check_handoff_request")
            .with("text", Json::Object(handoff_request(random)).to_line()),
        2 => Object::new()
            .with("operation", "check_handoff_response")
            .with("text", Json::Object(handoff_response(random)).to_line())
            .with("policy", policy(random)),
        _ => return no_request(random),
    };
    Json::Object(request).to_line()
}

fn to_validate(random: &mut Rng, target: &Target) -> String {
    match random.u8(..3) {
        0 => document::value(random, 3).to_line(),
        1 => String::from_utf8_lossy(&document::planted(random, target)).into_owned(),
        _ => Json::Object(document::document(random, target)).to_line(),
    }
}

fn policy(random: &mut Rng) -> &'static str {
    ["reject", "truncate", "warn", "ignore"][random.usize(..4)]
}

/// Mostly one of a handoff's.
fn mode(random: &mut Rng) -> &'static str {
    MODES.get(random.usize(..=MODES.len())).unwrap_or(&"design")
}

fn handoff_request(random: &mut Rng) -> Object {
    let mut context = Object::new();
    match random.u8(..4) {
        0 => context.set("previous_summary", Json::Null),
        1 => context.set("previous_findings", text::any(random)),
        2 => context.set("previous_summary", text::any(random)),
        _ => {}
    }
    let mut request = Object::new();
    if random.u8(..5) > 0 {
        request.set("mode", mode(random));
    }
    request.set("context", context);
    while random.u8(..3) == 0 {
        request.set(text::word(random), document::value(random, 2));
    }
    request
}

fn handoff_response(random: &mut Rng) -> Object {
    let mut response = Object::new();
    if random.u8(..5) > 0 {
        response.set("context_summary", text::any(random));
    }
    while random.u8(..2) == 0 {
        response.set(text::word(random), document::value(random, 2));
    }
    response
}

/// What no operation can be read from.
fn no_request(random: &mut Rng) -> String {
    let texts = ["", "{", "[]", "{}", "{\"operation\":1}", "nothing"];
    texts[random.usize(..texts.len())].to_owned()
}
