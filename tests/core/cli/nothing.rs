//! Answers where nothing was found, by a host that shows only a part of the file system.

use std::cell::RefCell;

use milepost::cli::{self, Invocation, ProgramName};
use milepost::effect::{Effect, Machine, Outcome, Sync};
use milepost::operation::Settings;
use milepost::operation::hooks::User;
use milepost::store::{Retention, Storage};

use crate::memory::Memory;

#[test]
fn an_empty_answer_says_where_it_was_looked_for() {
    let world = Memory::new();
    world.has_edge.set(true);
    let settings = Settings {
        root: None,
        git_root: None,
        working: "/repo".into(),
        alias: None,
        dir: None,
        durability: Sync::Durable,
        history: Retention::default(),
        storage: Storage::Files,
    };
    for line in ["status", "resume"] {
        let invocation = Invocation {
            arguments: vec![line.to_owned()],
            settings: settings.clone(),
            program: ProgramName::default(),
            color: false,
            width: None,
            interactive: false,
            progress: None,
            unreachable: None,
            user: User::default(),
        };
        let said = RefCell::new(String::new());
        Machine::start(|io| cli::run(io, invocation)).run(|effect| match effect {
            Effect::Print { text, .. } => {
                said.borrow_mut().push_str(&text);
                Outcome::Done
            }
            other => world.perform(&other),
        });
        let said = said.into_inner();
        assert!(
            said.contains("in .claude/state of /repo, and no .git is in sight"),
            "{said}"
        );
        assert!(said.contains("--root"), "{said}");
    }
}
