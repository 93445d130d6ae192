//! Hooks in the settings of agents, with a fault at every effect.

use milepost::agent::Agent;
use milepost::agent::registration::SettingsScope;
use milepost::effect::{Fault, Io, Machine, Sync};
use milepost::error::Error;
use milepost::json::Json;
use milepost::operation::hooks::install_hooks::{InstallHooksRequest, Runtime, install_hooks};
use milepost::operation::hooks::remove_hooks::{RemoveHooksRequest, remove_hooks};
use milepost::operation::hooks::{Mode, User};
use milepost::root::Settings;
use milepost::store::{Retention, Storage};

use crate::memory::{Injected, Memory};

const FOLDER: &str = "/repo/.claude";
const FILE: &str = "/repo/.claude/settings.json";
const BEFORE: &str = "{\n  \"model\": \"opus\" \n}\n";

fn world() -> Memory {
    let world = super::world();
    world.put(FILE, BEFORE);
    world.put("/repo/node_modules/milepost/package.json", "{}");
    world
}

fn install(world: &Memory) -> Result<(), Error> {
    run(world, true)
}

fn remove(world: &Memory) -> Result<(), Error> {
    run(world, false)
}

fn run(world: &Memory, installs: bool) -> Result<(), Error> {
    world.run(Machine::start(move |io: Io| async move {
        let facts = Json::from(milepost::json::Object::new().with("home", "/home"));
        let user = User::read(&facts);
        let settings = Settings {
            root: Some("/repo".to_owned()),
            git_root: None,
            working: "/repo".to_owned(),
            alias: None,
            dir: None,
            durability: Sync::Durable,
            history: Retention::default(),
            storage: Storage::Files,
        };
        let (agents, scope, mode) = (&[Agent::ClaudeCode], SettingsScope::Project, Mode::Write);
        match installs {
            true => {
                let runtime = Runtime::Node;
                let request = InstallHooksRequest {
                    agents,
                    scope,
                    runtime,
                    database: None,
                    mode,
                    user: &user,
                };
                install_hooks(&io, &settings, &request)
                    .await
                    .result
                    .map(drop)
            }
            false => {
                let request = RemoveHooksRequest {
                    agents,
                    scope,
                    mode,
                    user: &user,
                };
                remove_hooks(&io, &settings, &request)
                    .await
                    .result
                    .map(drop)
            }
        }
    }))
}

/// The folder after a fault, with the text of the settings.
fn left(world: &Memory) -> (String, Vec<String>) {
    (world.text(FILE), world.files_below(FOLDER))
}

fn with_faults(start: fn() -> Memory, act: fn(&Memory) -> Result<(), Error>) {
    let before = left(&start());
    let after = {
        let world = start();
        act(&world).unwrap();
        left(&world)
    };
    assert_ne!(before.0, after.0);
    for for_good in [false, true] {
        for at in 0.. {
            let world = start();
            let first = world.performed.get();
            world.injected.set(Some(Injected {
                at: first + at,
                for_good,
                fault: Fault::Other,
            }));
            let done = act(&world);
            let came_through = world.performed.get() <= first + at;
            world.injected.set(None);
            let (text, names) = left(&world);
            assert!(
                [&before.0, &after.0].contains(&&text),
                "effect {at}: {text}"
            );
            if done.is_ok() {
                assert_eq!(text, after.0, "effect {at}");
            }
            if !for_good {
                let is_over =
                    |name: &&String| name.contains(".milepost-") && !name.ends_with("backup");
                assert_eq!(names.iter().find(is_over), None, "effect {at}");
            }
            act(&world).unwrap();
            assert_eq!(left(&world).0, after.0, "effect {at}");
            if came_through {
                break;
            }
        }
    }
}

#[test]
fn a_fault_leaves_whole_settings_and_the_next_install_completes_them() {
    with_faults(world, install);
}

#[test]
fn a_fault_leaves_whole_settings_and_hooks_that_can_be_removed() {
    let installed = || {
        let world = world();
        install(&world).unwrap();
        world
    };
    with_faults(installed, remove);
}
