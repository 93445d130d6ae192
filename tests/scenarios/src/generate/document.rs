//! Documents: as Milepost writes them, as others do, and broken.

use fastrand::Rng;
use milepost::json::{self, Json, Object};

use super::request::Target;
use super::text;
use crate::world::World;

const STATUSES: [&str; 6] = [
    "pending",
    "in_progress",
    "complete",
    "failed",
    "skipped",
    "unheard-of",
];

/// Keys that JavaScript, or a careless parser, treats unlike others.
const KEYS: [&str; 10] = [
    "note",
    "__proto__",
    "10",
    "2",
    "constructor",
    "toString",
    "",
    "ä",
    "a/b~c",
    "x",
];

/// Numbers that cannot be parsed and written again without a change.
const NUMBERS: [&str; 10] = [
    "0",
    "-0",
    "1.0",
    "1e400",
    "12345678901234567890",
    "0.1",
    "1E+2",
    "-7",
    "3.14159265358979323846",
    "9007199254740993",
];

/// The name of a phase.
pub(super) fn phase(random: &mut Rng) -> String {
    match random.u8(..24) {
        0 => String::new(),
        1 => "__proto__".to_owned(),
        2 => "10".to_owned(),
        3 => "a\nb".to_owned(),
        4 => "ä".repeat(random.usize(99..102)),
        _ => ["research", "design", "build", "check"][random.usize(..4)].to_owned(),
    }
}

/// Any value, nested a little.
pub(super) fn value(random: &mut Rng, depth: u8) -> Json {
    match random.u8(..if depth == 0 { 5 } else { 7 }) {
        0 => Json::Null,
        1 => random.bool().into(),
        2 => Json::Number(NUMBERS[random.usize(..NUMBERS.len())].into()),
        3 | 4 => text::words(random, 3).into(),
        5 => Json::Array(
            (0..random.u8(..3))
                .map(|_| value(random, depth - 1))
                .collect(),
        ),
        _ => Json::Object(
            (0..random.u8(..3))
                .map(|_| (key(random), value(random, depth - 1)))
                .collect(),
        ),
    }
}

fn key(random: &mut Rng) -> &'static str {
    KEYS[random.usize(..KEYS.len())]
}

/// The changes of a phase.
pub(super) fn patch(random: &mut Rng) -> Object {
    let mut patch = Object::new();
    if random.u8(..5) > 0 {
        let known = if random.u8(..10) == 0 { 6 } else { 5 };
        patch.set("status", STATUSES[random.usize(..known)]);
    }
    if random.u8(..3) == 0 {
        patch.set("context_summary", text::summary(random));
    }
    if random.u8(..4) == 0 {
        let files: Vec<String> = (0..random.u8(..3))
            .map(|at| format!("src/{at}.rs"))
            .collect();
        patch.set("files_created", files);
    }
    if random.u8(..4) == 0 {
        let error = (random.bool()).then(|| text::words(random, 4));
        patch.set("error", error);
    }
    while random.u8(..3) == 0 {
        patch.set(key(random), value(random, 2));
    }
    patch
}

/// A whole document, mostly one that may be saved.
pub(super) fn document(random: &mut Rng, target: &Target) -> Object {
    let mut document = Object::new();
    if random.bool() {
        document.set("command", target.command.as_str());
        document.set("version", if random.u8(..20) == 0 { 2 } else { 1 });
    }
    if random.bool() {
        document.set("feature", target.feature.clone());
    }
    if random.u8(..3) > 0 {
        document.set("state", state(random));
    }
    let mut phases = Object::new();
    while random.u8(..3) > 0 {
        let mut one = patch(random);
        if one.get("status").is_none() {
            one.set("status", STATUSES[random.usize(..5)]);
        }
        phases.set(&phase(random), one);
    }
    if random.u8(..4) > 0 {
        document.set("phases", phases);
    }
    if random.u8(..4) == 0 {
        let blockers: Vec<String> = (0..random.u8(..3))
            .map(|_| text::words(random, 3))
            .collect();
        let gate = Object::new()
            .with("ship_allowed", random.bool())
            .with("blockers", blockers)
            .with("head_commit", random.bool().then(|| "0".repeat(40)));
        document.set("gate", gate);
    }
    while random.u8(..3) == 0 {
        document.set(key(random), value(random, 2));
    }
    document
}

fn state(random: &mut Rng) -> Object {
    let list =
        |random: &mut Rng| -> Vec<String> { (0..random.u8(..4)).map(|_| phase(random)).collect() };
    let current = random.bool().then(|| phase(random));
    let (completed, pending) = (list(random), list(random));
    Object::new()
        .with("current_phase", current)
        .with("completed_phases", completed)
        .with("pending_phases", pending)
        .with("context_summary", text::summary(random))
}

/// The stored document with a change, an older one with a change, or another one.
pub(super) fn to_save(random: &mut Rng, world: &World, target: &Target) -> Object {
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
        return document(random, target);
    };
    for (key, value) in document(random, target) {
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
    base
}

/// A document that Milepost did not write.
pub(super) fn planted(random: &mut Rng, target: &Target) -> Vec<u8> {
    let mut document = document(random, target);
    document.set("command", target.command.as_str());
    document.set("version", 1);
    if random.bool() {
        document.set("head_commit", "1".repeat(40));
    }
    let text = match random.bool() {
        true => document.to_document(),
        false => Json::Object(document).to_line(),
    };
    match random.u8(..8) {
        0 => broken(random, text.into_bytes()),
        _ => text.into_bytes(),
    }
}

/// The stored bytes after an edit by hand.
pub(super) fn edited(random: &mut Rng, stored: &[u8]) -> Vec<u8> {
    let parsed = json::read(stored).map(|reading| reading.value);
    match (parsed, random.u8(..4)) {
        (Ok(Json::Object(mut object)), 1..) => {
            object.set(key(random), value(random, 1));
            if random.bool() {
                object.remove("updated_at");
            }
            object.to_document().into_bytes()
        }
        _ => broken(random, stored.to_vec()),
    }
}

/// Cut short, not UTF-8, with a mark in front, with a key twice, too deep, or with half a character.
fn broken(random: &mut Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    match random.u8(..7) {
        0 => bytes.truncate(bytes.len() / 2),
        1 => bytes.push(0xff),
        2 => bytes.splice(..0, *b"\xef\xbb\xbf").for_each(drop),
        3 => bytes = br#"{"version":1,"note":"a","note":"b"}"#.to_vec(),
        4 => bytes = [b"[".repeat(70), b"]".repeat(70)].concat(),
        5 => bytes = br#"{"version":1,"command":"design","note":"\ud83d half"}"#.to_vec(),
        _ => bytes.clear(),
    }
    bytes
}
