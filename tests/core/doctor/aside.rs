//! Files that a restore has moved aside and not put back.

use milepost::doctor::{Check, Fix, Level};
use milepost::effect::{Effect, MachineStep};

use super::{ID, assert_nothing_is_wrong, examination, examine, fix, of, only, steps, world};
use crate::memory::{Memory, Node};

const ASIDE: &str = ".claude/checkpoints/.milepost/aside";

/// Leaves a file aside that was at a path.
fn leave(world: &Memory, path: &str) -> String {
    let shown = format!("{ASIDE}/{ID}/0");
    world.put_node("/repo/src", Node::Folder);
    world.put(&format!("/repo/{shown}"), "mine");
    world.put(&format!("/repo/{ASIDE}/{ID}.paths"), format!("{path}\0"));
    shown
}

#[test]
fn a_file_that_is_missing_in_its_place_is_put_back_by_a_fix_only() {
    let world = world();
    let shown = leave(&world, "src/main.rs");
    for _ in 0..2 {
        let findings = examine(&world);
        let found = only(&findings, Check::Aside);
        assert_eq!(found.level, Level::Warning);
        assert_eq!(found.path.as_deref(), Some(shown.as_str()));
        assert!(found.found.contains("src/main.rs"), "{found:?}");
        assert_eq!(steps(found).as_deref(), Some("fix"));
        assert!(world.bytes("/repo/src/main.rs").is_none());
    }
    let findings = fix(&world);
    assert!(only(&findings, Check::Aside).is_fixed);
    assert_nothing_is_wrong(&findings);
    assert_eq!(world.text("/repo/src/main.rs"), "mine");
    assert!(world.files_below(&format!("/repo/{ASIDE}")).is_empty());
    assert!(of(&examine(&world), Check::Aside).is_empty());
}

#[test]
fn a_file_whose_place_is_taken_stays_and_is_named() {
    for path in [
        "src/main.rs",
        "gone/main.rs",
        "../main.rs",
        ".git/config",
        "",
    ] {
        let world = world();
        let shown = leave(&world, path);
        world.put("/repo/src/main.rs", "other");
        for findings in [examine(&world), fix(&world)] {
            let found = only(&findings, Check::Aside);
            assert_eq!(steps(found), Some(format!("rm {shown}")), "{path:?}");
            assert!(!found.is_fixed && found.is_wrong(), "{path:?}");
        }
        assert_eq!(world.text(&format!("/repo/{shown}")), "mine", "{path:?}");
        assert_eq!(world.text("/repo/src/main.rs"), "other");
        assert!(world.bytes("/repo/gone/main.rs").is_none());
        assert!(world.bytes("/main.rs").is_none());
    }
}

#[test]
fn a_file_that_a_restore_at_work_has_aside_is_no_leftover() {
    let world = world();
    let shown = leave(&world, "src/main.rs");
    let mut machine = examination(Fix::Safe);
    let findings = loop {
        match machine.step().unwrap() {
            MachineStep::Done(findings) => break findings,
            MachineStep::Effect(effect) => {
                let outcome = world.perform(&effect);
                if matches!(effect, Effect::Wait { .. }) {
                    world.delete(&format!("/repo/{shown}"));
                }
                machine.resume(outcome).unwrap();
            }
        }
    };
    assert!(of(&findings, Check::Aside).is_empty(), "{findings:#?}");
    assert!(world.bytes("/repo/src/main.rs").is_none());
}
