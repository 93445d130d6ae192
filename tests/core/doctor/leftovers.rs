//! Leftovers of dead writers.

use milepost::doctor::{Check, Fix, Level};
use milepost::effect::{Fault, MachineStep};

use super::{
    ID, SIDE, STATE, assert_nothing_is_wrong, examination, examine, files, fix, of, only, steps,
    update, world,
};

/// Each kind of leftover, by its path.
fn kinds() -> [(String, Level); 10] {
    [
        (format!("{SIDE}/tokens/{ID}"), Level::Warning),
        (format!("{SIDE}/tokens/{ID}.new"), Level::Warning),
        (format!("{SIDE}/history/{ID}.tmp"), Level::Warning),
        (format!("{SIDE}/quarantine/{ID}.new"), Level::Warning),
        (format!("{SIDE}/{ID}.old"), Level::Warning),
        (format!("{SIDE}/lock"), Level::Warning),
        (format!("{SIDE}/waiting"), Level::Note),
        (format!("{STATE}/probe-{ID}/one"), Level::Warning),
        (format!("{STATE}/.milepost/probe-{ID}/one"), Level::Warning),
        (format!("{STATE}/probe-{ID}.moved"), Level::Warning),
    ]
}

#[test]
fn each_leftover_is_reported_and_removed_only_by_a_fix() {
    for (path, level) in kinds() {
        let world = world();
        let sound = files(&world);
        let text = match path.ends_with(".moved") {
            true => "four".to_owned(),
            false => format!("{ID} 2000\n"),
        };
        world.put(&path, text);
        let before = files(&world);

        let findings = examine(&world);
        let found = only(&findings, Check::Leftovers);
        assert_eq!(found.level, level, "{path}");
        assert_eq!(steps(found).as_deref(), Some("fix"));
        let shown = found.path.as_deref().unwrap();
        assert!(path.starts_with(&format!("/repo/{shown}")), "{shown}");
        assert_eq!(files(&world), before, "{path}");

        let findings = fix(&world);
        assert!(only(&findings, Check::Leftovers).is_fixed, "{path}");
        assert_nothing_is_wrong(&findings);
        assert_eq!(files(&world), sound, "{path}");
        assert!(of(&examine(&world), Check::Leftovers).is_empty(), "{path}");
    }
}

#[test]
fn nothing_counts_as_left_over_before_it_stood_for_two_seconds() {
    for (path, _) in kinds() {
        let world = world();
        world.put(&path, "four");
        let start = world.now_ms.get();
        let mut machine = examination(Fix::Safe);
        let findings = loop {
            match machine.step().unwrap() {
                MachineStep::Done(findings) => break findings,
                MachineStep::Effect(effect) => {
                    // Its owner ends just before the time is up.
                    if world.now_ms.get() >= start + 2_000.0 {
                        world.delete(&path);
                        world.delete(path.strip_suffix("/one").unwrap_or(&path));
                    }
                    machine.resume(world.perform(&effect)).unwrap();
                }
            }
        };
        assert!(of(&findings, Check::Leftovers).is_empty(), "{path}");
        assert!(world.now_ms.get() >= start + 2_000.0);
    }
}

#[test]
fn a_folder_without_leftovers_is_not_waited_for() {
    let world = world();
    let start = world.now_ms.get();
    examine(&world);
    assert!(world.now_ms.get() < start + 1_000.0);
}

#[test]
fn a_lock_that_changed_hands_is_no_leftover() {
    let world = world();
    let path = format!("{SIDE}/lock");
    world.put(&path, "one 2000\n");
    let start = world.now_ms.get();
    let findings = examination(Fix::Safe).run(|effect| {
        if world.now_ms.get() >= start + 2_000.0 {
            world.put(&path, "other 2000\n");
        }
        world.perform(&effect)
    });
    assert!(of(&findings, Check::Leftovers).is_empty());
    assert_eq!(world.text(&path), "other 2000\n");
}

#[test]
fn a_writer_that_stood_still_while_its_token_was_removed_begins_again_and_is_not_lost() {
    // Stopped before each of its effects in turn.
    for stop in 0.. {
        let world = world();
        let mut writer = update(None, "late");
        let mut performed = 0;
        let mut reply = None;
        while reply.is_none() {
            match writer.step().unwrap() {
                MachineStep::Done(text) => reply = Some(text),
                MachineStep::Effect(effect) => {
                    if performed == stop {
                        let findings = fix(&world);
                        assert_nothing_is_wrong(&findings);
                    }
                    performed += 1;
                    writer.resume(world.perform(&effect)).unwrap();
                }
            }
        }
        let reply = reply.unwrap();
        assert!(reply.starts_with(r#"{"ok":true"#), "stop {stop}: {reply}");
        assert!(world.text(super::FILE).contains("\"late\""), "stop {stop}");
        if stop >= performed {
            assert!(stop > 15, "an update is more than {stop} effects");
            break;
        }
    }
}

#[test]
fn a_leftover_that_cannot_be_removed_is_reported_as_such() {
    let world = world();
    world.put(&format!("{SIDE}/tokens/{ID}"), "");
    let findings = examination(Fix::Safe).run(|effect| match &effect {
        milepost::effect::Effect::Remove { path } if path.ends_with(ID) => {
            milepost::effect::Outcome::Failed {
                fault: Fault::Other,
                detail: "EACCES: permission denied".into(),
            }
        }
        _ => world.perform(&effect),
    });
    let found = only(&findings, Check::Leftovers);
    assert!(!found.is_fixed && found.is_wrong());
    assert!(found.found.contains("EACCES"), "{found:?}");
}

#[test]
fn a_folder_with_the_name_of_a_probe_keeps_files_that_no_examination_makes() {
    let world = world();
    let probe = format!("{STATE}/.milepost/probe-{ID}");
    for name in ["one", "stays-x", "thesis.txt"] {
        world.put(&format!("{probe}/{name}"), "mine");
    }
    let before = files(&world);
    let findings = fix(&world);
    let found = only(&findings, Check::Leftovers);
    assert!(found.is_wrong(), "{found:?}");
    let reason = "it holds stays-x, which no examination makes";
    assert!(found.found.contains(reason), "{found:?}");
    assert_eq!(files(&world), before);
}
