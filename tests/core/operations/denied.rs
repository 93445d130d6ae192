//! Actions that the user of the process may not do: reported as such, with the folder and the permission.

use milepost::effect::{Effect, Fault, Outcome, PathKind};
use milepost::json::{self, Json, Object};

use super::{code, phase, world};
use crate::memory::{Memory, Node};
use crate::variants;

/// A permission that is missing on a folder or file.
#[derive(Clone, Copy, Debug)]
enum Missing {
    Search,
    Write,
    Read,
}

/// The answer of the world where this permission is missing at a path.
fn denied(world: &Memory, effect: &Effect, missing: Missing, at: &str) -> Outcome {
    let within = format!("{at}/");
    let is_in = |path: &str| path.rsplit_once('/').is_some_and(|(above, _)| above == at);
    let is_denied = match (missing, effect) {
        (Missing::Search, Effect::Inspect { paths }) => {
            let Outcome::Entries(mut entries) = world.perform(effect) else {
                panic!("no entries");
            };
            for (path, entry) in paths.iter().zip(&mut entries) {
                if path.starts_with(&within) {
                    entry.kind = PathKind::Denied;
                }
            }
            return Outcome::Entries(entries);
        }
        (Missing::Write, Effect::MakeFolder { path, .. } | Effect::Create { path, .. }) => {
            is_in(path)
        }
        (Missing::Read, Effect::Read { path, .. } | Effect::List { path, .. }) => path == at,
        _ => false,
    };
    match is_denied {
        true => Outcome::Failed {
            fault: Fault::Denied,
            detail: "EACCES: permission denied".into(),
        },
        false => world.perform(effect),
    }
}

fn ask(world: &Memory, operation: &str, missing: Missing, at: &str) -> Object {
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", Object::new().with("working", "/repo"));
    if operation != "list" {
        request.set("command", "design");
    }
    if operation == "update_phase" {
        request.set("phase", "b");
        request.set("patch", Object::new());
    }
    let request = Json::Object(request).to_line();
    let reply = variants::reply(request.as_bytes(), |effect| {
        denied(world, &effect, missing, at)
    });
    match json::read(reply.as_bytes()).unwrap().value {
        Json::Object(reply) => reply,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_folder_that_this_user_may_not_enter_is_named_with_its_reason() {
    let document = "/repo/.claude/state/design-checkpoint.json";
    for (operation, missing, at, expected) in [
        (
            "load",
            Missing::Search,
            "/repo/.claude",
            "search permission on .claude",
        ),
        (
            "load",
            Missing::Search,
            "/repo/.claude/state",
            "search permission on .claude/state",
        ),
        (
            "update_phase",
            Missing::Search,
            "/repo/.claude/state",
            "search permission on .claude/state",
        ),
        (
            "update_phase",
            Missing::Search,
            "/repo",
            "search permission on the root",
        ),
        (
            "load",
            Missing::Read,
            document,
            "read permission on .claude/state/design-checkpoint.json",
        ),
        (
            "list",
            Missing::Read,
            "/repo/.claude/state",
            "read permission on .claude/state",
        ),
        (
            "update_phase",
            Missing::Write,
            "/repo/.claude/state/.milepost/design-checkpoint/tokens",
            "write permission on .claude/state/.milepost/design-checkpoint/tokens",
        ),
    ] {
        let world = world();
        phase(&world, "a", "{}");
        let reply = ask(&world, operation, missing, at);
        let error = reply.get("error").map(Json::to_line).unwrap_or_default();
        assert_eq!(code(&reply), "io", "{error}");
        let expected = format!("permission denied; this user has no {expected}\"");
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn the_first_save_in_a_folder_that_may_not_be_written_names_it() {
    for (at, expected) in [("/repo", "the root"), ("/repo/.claude", ".claude")] {
        let world = world();
        if at != "/repo" {
            world.put_node(at, Node::Folder);
        }
        let reply = ask(&world, "update_phase", Missing::Write, at);
        let error = reply.get("error").map(Json::to_line).unwrap_or_default();
        let expected = format!("this user has no write permission on {expected}\"");
        assert!(error.contains(&expected), "{error}");
    }
}
