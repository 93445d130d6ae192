//! Whom folders and files are for, and whether git would take them.

use std::cell::RefCell;

use milepost::effect::{Access, Effect, Fault};
use milepost::json::{Json, Object};

use super::{ask, value, world};
use crate::memory::{Injected, Memory};
use crate::variants;

/// Runs an operation on a folder of checkpoints, and returns what it made and for whom.
fn made(world: &Memory, dir: Option<&str>, operation: &str) -> Vec<(String, Access)> {
    let place = Object::new().with("working", "/repo").with("dir", dir);
    let request = Object::new()
        .with("operation", operation)
        .with("place", Json::Object(place));
    let request = match operation {
        "init" => request,
        _ => request
            .with("command", "design")
            .with("phase", "a")
            .with("patch", Object::new()),
    };
    let made = RefCell::new(Vec::new());
    variants::reply(Json::Object(request).to_line().as_bytes(), |effect| {
        match &effect {
            Effect::MakeFolder { path, access } | Effect::Create { path, access, .. } => {
                made.borrow_mut().push((path.clone(), *access));
            }
            _ => {}
        }
        world.perform(&effect)
    });
    made.into_inner()
}

#[test]
fn claude_and_the_pages_in_it_have_the_modes_of_the_umask() {
    for operation in ["init", "update_phase"] {
        let made = made(&world(), None, operation);
        let shared = |path: &str| !path.starts_with("/repo/.claude/state");
        assert!(made.iter().any(|(path, _)| path == "/repo/.claude"));
        assert!(made.iter().any(|(path, _)| path == "/repo/.claude/state"));
        for (path, access) in made {
            assert_eq!(access == Access::Shared, shared(&path), "{path}");
        }
    }
}

#[test]
fn folders_above_a_chosen_state_folder_are_the_users_own() {
    let made = made(&world(), Some("work/agents/state"), "update_phase");
    let folders = ["/repo/work", "/repo/work/agents", "/repo/work/agents/state"];
    let found: Vec<_> = made.iter().filter(|it| folders.contains(&&*it.0)).collect();
    let access: Vec<_> = found.iter().map(|(_, access)| *access).collect();
    assert_eq!(access, [Access::Shared, Access::Shared, Access::Owner]);
}

#[test]
fn state_stays_out_of_git_after_its_gitignore_was_removed() {
    let world = world();
    let ignore = "/repo/.claude/state/.gitignore";
    let phase = || {
        let more = [("phase", "a".into()), ("patch", Object::new().into())];
        value(&ask(&world, "update_phase", &more));
    };
    phase();
    world.delete(ignore);
    // Reading makes nothing.
    ask(&world, "load", &[]);
    assert_eq!(world.bytes(ignore), None);
    phase();
    assert_eq!(world.text(ignore), "*\n");
}

#[test]
fn a_gitignore_that_was_cut_short_is_written_again_by_the_next_save() {
    let phase = Object::new()
        .with("operation", "update_phase")
        .with("place", Object::new().with("working", "/repo"))
        .with("command", "design")
        .with("phase", "a")
        .with("patch", Object::new());
    let snapshot = Object::new()
        .with("operation", "create_session")
        .with("place", Object::new().with("working", "/repo"))
        .with("reason", "handoff")
        .with("files", false);
    for (request, folder) in [(phase, "state"), (snapshot, "checkpoints")] {
        let world = world();
        let ignore = format!("/repo/.claude/{folder}/.gitignore");
        let request = Json::Object(request).to_line();
        let save = || {
            let reply = world.ask(request.as_bytes());
            assert!(reply.contains(r#""ok":true"#), "{reply}");
        };
        save();
        assert_eq!(world.text(&ignore), "*\n");
        // As a full disk leaves it.
        for torn in ["", "*"] {
            world.put(&ignore, torn);
            save();
            let expected = if torn.is_empty() { "*\n" } else { torn };
            assert_eq!(world.text(&ignore), expected, "{folder} {torn:?}");
        }
    }
}

#[test]
fn a_first_save_on_a_full_disk_is_followed_by_one_that_keeps_state_from_git() {
    let ignore = "/repo/.claude/state/.gitignore";
    for at in 0..12 {
        let world = world();
        world.injected.set(Some(Injected {
            at,
            for_good: true,
            fault: Fault::NoSpace,
        }));
        let more = [("phase", "a".into()), ("patch", Object::new().into())];
        ask(&world, "update_phase", &more);
        world.injected.set(None);
        let has_folder = world.disk.borrow().node("/repo/.claude/state").is_some();
        if has_folder && world.bytes(ignore).is_none() {
            // The name came to the disk, and what is in it did not.
            world.put(ignore, "");
        }
        value(&ask(&world, "update_phase", &more));
        assert_eq!(world.text(ignore), "*\n", "effect {at}");
    }
}

#[test]
fn a_gitignore_that_is_there_costs_a_save_no_effect_and_stays_as_it_is() {
    let world = world();
    made(&world, None, "update_phase");
    let ignore = "/repo/.claude/state/.gitignore";
    world.put(ignore, "*.log\n");
    let again = made(&world, None, "update_phase");
    assert!(again.iter().all(|(path, _)| path != ignore), "{again:?}");
    assert_eq!(world.text(ignore), "*.log\n");
}

#[test]
fn a_chosen_folder_without_a_gitignore_keeps_its_own_rules() {
    let world = world();
    world.put("/repo/kept/notes", "");
    for _ in 0..2 {
        made(&world, Some("kept"), "update_phase");
    }
    assert_eq!(world.bytes("/repo/kept/.gitignore"), None);
}
