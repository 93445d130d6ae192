//! Versions: in time, whole, beside each other. Over a store that real operations made.

mod blame;
mod compare;
#[cfg(unix)]
mod file;
pub(crate) mod hidden;
mod hostile;
mod revision;
mod sessions;
mod source;
mod tasks;
mod threads;
mod timeline;

use milepost::json::{self, Json, Object};

use crate::memory::Memory;
use source::Page;

const ROOT: &str = "/repo";
const HEAD: &str = "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d";
const MINUTE: f64 = 60_000.0;

/// A world whose `/repo` is a repository with one commit.
fn world() -> Memory {
    let world = Memory::new();
    world.put("/repo/.git/HEAD", format!("{HEAD}\n"));
    world
}

/// Runs an operation on a world. Its value.
#[track_caller]
fn run(world: &Memory, request: &str) -> Json {
    let mut request = object(request);
    request.set("place", Object::new().with("working", ROOT));
    let reply = world.ask(Json::Object(request).to_line().as_bytes());
    let reply = object(&reply);
    let value = reply.get("value").cloned();
    value.unwrap_or_else(|| panic!("{}", Json::Object(reply).to_line()))
}

/// Runs an operation on the checkpoint `implement`, feature `auth`, a minute later.
#[track_caller]
fn auth(world: &Memory, operation: &str, more: &str) -> Json {
    world.now_ms.set(world.now_ms.get() + MINUTE);
    let request =
        format!(r#"{{"operation":"{operation}","command":"implement","feature":"auth"{more}}}"#);
    run(world, &request)
}

#[track_caller]
fn phase(world: &Memory, name: &str, patch: &str) {
    let name = Json::from(name).to_line();
    auth(
        world,
        "update_phase",
        &format!(r#","phase":{name},"patch":{patch}"#),
    );
}

/// A run of six revisions: a plan, its work, a failure and what came after it.
fn run_of_six() -> Memory {
    let world = world();
    phase(&world, "design", r#"{"status":"in_progress"}"#);
    phase(
        &world,
        "design",
        r#"{"context_summary":"One token per device.\nIt is renewed daily.\n"}"#,
    );
    phase(
        &world,
        "design",
        r#"{"status":"complete","files_created":["docs/auth.md"]}"#,
    );
    phase(
        &world,
        "build",
        r#"{"status":"in_progress","files_created":["src/auth.rs"]}"#,
    );
    phase(
        &world,
        "build",
        r#"{"status":"failed","error":"the tests fail"}"#,
    );
    phase(
        &world,
        "build",
        r#"{"status":"in_progress","files_modified":["src/lib.rs"],"context_summary":"One token per device.\nIt is renewed hourly.\nThe tests pass.\n"}"#,
    );
    world
}

fn page(world: &Memory) -> Page {
    Page::of_memory(world)
}

fn object(text: &str) -> Object {
    match json::read(text.as_bytes()).unwrap().value {
        Json::Object(object) => object,
        other => panic!("{}", other.to_line()),
    }
}

#[track_caller]
fn at<'a>(json: &'a Json, pointer: &str) -> &'a Json {
    json.at(pointer)
        .unwrap_or_else(|| panic!("no {pointer} in {}", json.to_line()))
}

#[track_caller]
fn text<'a>(json: &'a Json, pointer: &str) -> &'a str {
    let found = at(json, pointer);
    found
        .as_str()
        .unwrap_or_else(|| panic!("no text at {pointer}: {}", found.to_line()))
}

#[track_caller]
fn list<'a>(json: &'a Json, pointer: &str) -> &'a [Json] {
    at(json, pointer).as_array().unwrap()
}

#[track_caller]
fn texts<'a>(json: &'a Json, pointer: &str, member: &str) -> Vec<&'a str> {
    let items = list(json, pointer).iter();
    items.map(|item| text(item, member)).collect()
}
