//! Each thing that can be wrong with the folder, made once.

use milepost::doctor::{Check, Fix, Level};
use milepost::effect::Effect;
use milepost::json::Json;
use milepost::operation::table;
use milepost::schema::Kind;

use super::{
    FILE, SIDE, STATE, assert_nothing_is_wrong, examination, examine, files, fix, of, only, save,
    steps, world,
};
use crate::memory::{Memory, Node};

const AT: &str = ".claude/state/design-checkpoint.json";

#[test]
fn a_sound_folder_is_found_sound_and_stays_unchanged() {
    let world = world();
    let before = files(&world);
    let findings = examine(&world);
    assert_nothing_is_wrong(&findings);
    for check in Check::ALL {
        let count = findings.iter().filter(|it| it.check == check).count();
        assert_eq!(count, 1, "{check:?}");
    }
    let notes = findings.iter().filter(|it| it.level == Level::Note);
    let notes: Vec<_> = notes.map(|note| note.check).collect();
    assert_eq!(notes, [Check::Modes], "memory has no modes");
    assert_eq!(files(&world), before);
    assert_nothing_is_wrong(&fix(&world));
    assert_eq!(files(&world), before);
}

#[test]
fn settings_that_cannot_be_applied_are_reported() {
    let world = world();
    let path = ".claude/config/integrations.json";
    let settings = r#"{"sessions": {"keep": -1, "max_diff_bytes": 1000000, "allow": ".env"}}"#;
    world.put(&format!("/repo/{path}"), settings);
    let findings = examine(&world);
    let found = of(&findings, Check::Settings);
    assert!(found.iter().all(|it| it.level == Level::Error));
    assert!(found.iter().all(|it| it.path.as_deref() == Some(path)));
    let found: Vec<&str> = found.iter().map(|it| it.found.as_str()).collect();
    let [keep, allow, diff] = found[..] else {
        panic!("{found:?}");
    };
    assert!(
        keep.starts_with("/sessions/keep: expected a whole number from 0"),
        "{keep}"
    );
    assert!(
        allow.starts_with("/sessions/allow: expected a list"),
        "{allow}"
    );
    let expected = "/sessions/max_diff_bytes: expected at most 262144 bytes, found 1000000";
    assert_eq!(diff, expected);
    world.put(&format!("/repo/{path}"), "{ torn");
    let findings = examine(&world);
    let torn = only(&findings, Check::Settings);
    assert!(torn.found.contains("is corrupt"), "{torn:?}");
}

#[test]
fn doctor_makes_nothing_if_nothing_was_saved() {
    let world = Memory::new();
    for findings in [examine(&world), fix(&world)] {
        assert_nothing_is_wrong(&findings);
        let note = only(&findings, Check::Folder);
        assert!(note.found.contains("no state folder"), "{note:?}");
        assert_eq!(only(&findings, Check::Repository).level, Level::Note);
    }
    assert!(world.disk.borrow().names("/repo").is_empty());
}

#[test]
fn a_corrupt_checkpoint_stays_unchanged_and_its_last_good_revision_is_offered() {
    let world = world();
    world.put(FILE, "{ torn");
    for findings in [examine(&world), fix(&world)] {
        let error = only(&findings, Check::Documents);
        assert_eq!(error.level, Level::Error);
        assert_eq!(error.path.as_deref(), Some(AT));
        assert_eq!(steps(error).as_deref(), Some("recover design"));
    }
    assert_eq!(world.text(FILE), "{ torn");
}

#[test]
fn a_corrupt_checkpoint_without_a_history_can_only_be_moved_away() {
    let world = world();
    world.put(&format!("{STATE}/ship-x.json"), "[]");
    let findings = examine(&world);
    let error = only(&findings, Check::Documents);
    let path = ".claude/state/ship-x.json";
    let expected = format!("mv {path} '{path}~'");
    assert_eq!(steps(error).as_deref(), Some(expected.as_str()));
}

#[test]
fn a_run_that_is_too_large_is_recognised_by_its_size() {
    let world = world();
    world.put(FILE, vec![b' '; 16 * 1024 * 1024 + 1]);
    let findings = examine(&world);
    let error = only(&findings, Check::Documents);
    assert!(error.found.contains("16 MiB"), "{error:?}");
    let expected = format!("mv {AT} '{AT}~' && recover design");
    assert_eq!(steps(error).as_deref(), Some(expected.as_str()));
}

#[test]
fn a_checkpoint_that_breaks_its_schema_names_the_command_that_shows_every_problem() {
    let world = world();
    let text = world.text(FILE).replace("\"in_progress\"", "\"never\"");
    world.put(FILE, text);
    let findings = examine(&world);
    let warning = only(&findings, Check::Schema);
    assert_eq!(warning.level, Level::Warning);
    assert_eq!(
        steps(warning).as_deref(),
        Some("validate .claude/state/design-checkpoint.json")
    );
    assert!(
        warning
            .why
            .unwrap()
            .starts_with("It can be read and changed")
    );
    // It does not carry its seal any more.
    assert_eq!(only(&findings, Check::Documents).level, Level::Note);
    for phase in ["a", "b", "c"] {
        save(&world, None, phase);
    }
    assert_nothing_is_wrong(&examine(&world));
}

#[test]
fn a_checkpoint_that_no_change_can_begin_with_comes_with_its_recovery() {
    let world = world();
    world.put(FILE, r#"{"command":"design","version":1,"phases":[]}"#);
    let findings = examine(&world);
    let warning = only(&findings, Check::Schema);
    assert_eq!(steps(warning).as_deref(), Some("recover design"));
}

#[test]
fn a_checkpoint_of_a_later_version_cannot_be_changed_here() {
    let world = world();
    let text = world.text(FILE).replace("\"version\": 1", "\"version\": 2");
    world.put(FILE, text);
    let findings = examine(&world);
    let warning = only(&findings, Check::Schema);
    assert_eq!(warning.found, "It does not keep the schema (problems: 1)");
    assert!(warning.why.unwrap().contains("never writes over it"));
}

#[test]
fn a_run_that_was_copied_to_another_name_is_reported() {
    let world = world();
    world.put(&format!("{STATE}/design-copy.json"), world.text(FILE));
    world.put(&format!("{STATE}/ship-checkpoint.json"), world.text(FILE));
    let findings = examine(&world);
    let errors = of(&findings, Check::Names);
    let keys: Vec<_> = errors.iter().map(|it| it.found.as_str()).collect();
    assert_eq!(
        keys,
        ["Its command is not the one that its file is named after"],
        "a copy without a feature has none that contradicts"
    );
}

#[test]
fn a_run_under_a_wrong_name_comes_with_the_command_that_renames_it() {
    let world = world();
    save(&world, Some("Dark"), "a");
    let dark = world.text(&format!("{STATE}/design-Dark.json"));
    world.delete(&format!("{STATE}/design-Dark.json"));
    world.put(&format!("{STATE}/design-x.json"), &dark);
    let findings = examine(&world);
    let remedy = "mv .claude/state/design-x.json .claude/state/design-Dark.json";
    assert_eq!(
        steps(only(&findings, Check::Names)).as_deref(),
        Some(remedy)
    );
    // Where it belongs, another one stands.
    world.put(&format!("{STATE}/design-Dark.json"), &dark);
    let findings = examine(&world);
    let remedy = "mv .claude/state/design-x.json '.claude/state/design-x.json~'";
    assert_eq!(
        steps(only(&findings, Check::Names)).as_deref(),
        Some(remedy)
    );
}

#[test]
fn names_that_differ_in_case_only_are_reported_before_they_meet() {
    let world = world();
    save(&world, Some("Dark"), "a");
    save(&world, Some("dark"), "a");
    let findings = examine(&world);
    let warning = only(&findings, Check::Names);
    assert_eq!(
        warning.found,
        "design-Dark.json and design-dark.json differ in letter case only"
    );
}

#[test]
fn an_altered_revision_is_a_warning_and_that_of_the_newest_a_note() {
    let world = world();
    for revision in ["1", "2", "3"] {
        let names = world.files_below(&format!("{SIDE}/history"));
        let start = format!("{revision}-");
        let name = names.iter().find(|name| name.starts_with(&start)).unwrap();
        world.put(&format!("{SIDE}/history/{name}"), "{}");
    }
    let findings = examine(&world);
    let found: Vec<_> = of(&findings, Check::History)
        .iter()
        .map(|it| (it.level, it.found.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (Level::Warning, "Revision 1 differs from its record"),
            (Level::Warning, "Revision 2 differs from its record"),
            (Level::Note, "Revision 3 differs from its record"),
        ]
    );
}

#[test]
fn an_altered_revision_comes_with_the_command_that_moves_it_away() {
    let world = world();
    let names = world.files_below(&format!("{SIDE}/history"));
    let name = names.iter().find(|name| name.starts_with("2-")).unwrap();
    let entry = format!("{SIDE}/history/{name}");
    world.put(&entry, "{}");
    let findings = examine(&world);
    let shown = entry.trim_start_matches("/repo/");
    let remedy = steps(only(&findings, Check::History));
    assert_eq!(remedy, Some(format!("mv {shown} '{shown}~'")));
    world.delete(&entry);
    world.put(&format!("{entry}~"), "{}");
    assert_nothing_is_wrong(&examine(&world));
}

#[test]
fn a_run_that_was_removed_by_hand_can_be_recovered() {
    let world = world();
    save(&world, Some("Dark"), "a");
    world.delete(&format!("{STATE}/design-Dark.json"));
    let findings = examine(&world);
    let note = only(&findings, Check::Documents);
    assert_eq!(note.level, Level::Note);
    assert_eq!(steps(note).as_deref(), Some("recover design of Dark"));
}

#[test]
fn quarantined_files_are_reported_and_never_removed() {
    let world = world();
    world.put(FILE, "{ torn");
    let reply = world.run(super::update(None, "d"));
    assert!(reply.contains("corrupt"), "{reply}");
    let before = files(&world);
    let findings = fix(&world);
    let note = only(&findings, Check::Quarantine);
    assert_eq!(note.level, Level::Note);
    assert!(steps(note).is_some_and(|it| it.starts_with("rm .claude/state")));
    assert_eq!(files(&world), before);
}

#[test]
fn a_gitignore_that_is_missing_or_was_cut_short_is_restored() {
    for planted in [None, Some("")] {
        let world = world();
        let path = format!("{STATE}/.gitignore");
        match planted {
            Some(rules) => world.put(&path, rules),
            None => world.delete(&path),
        }
        let findings = examine(&world);
        let warning = only(&findings, Check::Ignored);
        assert_eq!(steps(warning).as_deref(), Some("fix"));
        assert_eq!(world.bytes(&path).as_deref(), planted.map(str::as_bytes));

        let findings = fix(&world);
        assert!(only(&findings, Check::Ignored).is_fixed);
        assert_nothing_is_wrong(&findings);
        assert_eq!(world.text(&path), "*\n");
        assert!(of(&examine(&world), Check::Ignored).is_empty());
    }
}

#[test]
fn rules_of_the_user_stay_beside_a_fix() {
    for rules in ["*\n!design-checkpoint.json\n", "*.tmp\n"] {
        let world = world();
        let path = format!("{STATE}/.gitignore");
        world.put(&path, rules);
        let findings = fix(&world);
        let warning = only(&findings, Check::Ignored);
        assert!(warning.is_wrong(), "{warning:?}");
        assert_eq!(world.text(&path), rules);
        let remedy = "mv .claude/state/.gitignore '.claude/state/.gitignore~' && fix";
        assert_eq!(steps(warning).as_deref(), Some(remedy));
    }
}

#[test]
fn rules_that_the_user_writes_during_an_examination_stay() {
    let world = world();
    let path = format!("{STATE}/.gitignore");
    world.delete(&path);
    let mut reads = 0;
    let findings = examination(Fix::Safe).run(|effect| {
        if matches!(&effect, Effect::Read { path, .. } if path.ends_with(".gitignore")) {
            reads += 1;
            // After both inspections.
            if reads == 3 {
                world.put(&path, "*.tmp\n");
            }
        }
        world.perform(&effect)
    });
    assert!(only(&findings, Check::Ignored).is_wrong());
    assert_eq!(world.text(&path), "*.tmp\n");
}

#[test]
fn a_gitignore_of_a_users_own_that_ignores_everything_is_sound() {
    let world = world();
    world.put(&format!("{STATE}/.gitignore"), "# state\r\n*\r\n");
    assert!(of(&examine(&world), Check::Ignored).is_empty());
}

#[test]
fn strays_are_counted_and_left_alone() {
    let world = world();
    for name in [
        "notes.txt",
        "plan-x.json",
        "design-checkpoint.json.bak",
        "z",
    ] {
        world.put(&format!("{STATE}/{name}"), "mine");
    }
    world.put(&format!("{STATE}/.milepost/mine"), "mine");
    world.put(&format!("{SIDE}/tokens/mine"), "mine");
    world.put(&format!("{SIDE}/history/3.json"), "mine");
    let before = files(&world);
    let findings = fix(&world);
    let notes = of(&findings, Check::Strays);
    let found: Vec<_> = notes.iter().map(|it| it.found.as_str()).collect();
    assert_eq!(
        found,
        [
            "Not made by the store: design-checkpoint.json.bak, notes.txt, plan-x.json (entries: 4)",
            "Not made by the store: mine (entries: 1)",
            "Not made by the store: .milepost/design-checkpoint/tokens/mine, \
             .milepost/design-checkpoint/history/3.json (entries: 2)",
        ]
    );
    assert!(notes.iter().all(|note| note.level == Level::Note));
    assert_eq!(files(&world), before);
}

#[test]
fn a_folder_of_tokens_with_countless_strays_is_not_looked_at_one_by_one() {
    let world = world();
    for stray in 0..10_001 {
        world.put(&format!("{SIDE}/tokens/stray{stray}"), "");
    }
    let findings = examine(&world);
    let error = only(&findings, Check::Strays);
    assert_eq!(error.level, Level::Error);
    assert_eq!(
        steps(error).as_deref(),
        Some("find .claude/state/.milepost/design-checkpoint/tokens -maxdepth 1 -type f -delete")
    );
    let reply = world.run(super::update(None, "d"));
    assert!(reply.contains(r#""advice":{"kind":"doctor"}"#), "{reply}");
}

#[test]
fn countless_findings_of_one_kind_are_counted() {
    let world = world();
    for number in 0..50 {
        world.put(&format!("{STATE}/ship-{number}.json"), "[]");
    }
    let findings = examine(&world);
    let errors = of(&findings, Check::Documents);
    assert_eq!(errors.len(), 21);
    assert_eq!(errors[20].found, "… and 30 more like these");
    assert!(errors[20].is_wrong());
}

#[test]
fn a_clock_that_cannot_be_right_is_reported() {
    const HOUR_MS: f64 = 3_600_000.0;
    const YEAR_MS: f64 = 24.0 * 365.25 * HOUR_MS;
    for (moved_ms, expected) in [
        (-57.0 * YEAR_MS, Some(Level::Warning)),
        (-HOUR_MS, Some(Level::Warning)),
        (-60_000.0, None),
        (YEAR_MS, None),
        (6.0 * YEAR_MS, Some(Level::Note)),
    ] {
        let world = world();
        world.now_ms.set(world.now_ms.get() + moved_ms);
        let findings = examine(&world);
        let found = of(&findings, Check::Clock);
        let level = found.first().map(|it| it.level);
        assert_eq!(level, expected, "{moved_ms}");
        assert!(found.iter().all(|it| it.found.contains(AT)), "{found:#?}");
    }
}

#[test]
fn a_head_that_cannot_be_read_is_a_note() {
    let world = world();
    world.put("/repo/.git/HEAD", "nothing");
    let findings = examine(&world);
    let note = only(&findings, Check::Repository);
    assert_eq!(note.level, Level::Note);
    assert!(note.found.contains("HEAD"), "{note:?}");
    world.delete("/repo/.git/HEAD");
    world.delete("/repo/.git");
    let findings = examine(&world);
    let note = only(&findings, Check::Repository);
    assert_eq!(note.found, "There is no git repository here");
}

#[test]
fn an_index_that_cannot_be_read_is_a_note() {
    let world = world();
    world.put("/repo/.git/index", "nothing");
    let findings = examine(&world);
    assert_eq!(only(&findings, Check::Tracked).level, Level::Note);
}

/// Removes what stands at a path, and everything below it.
fn clear(world: &Memory, path: &str) {
    let names = world.disk.borrow().names(path);
    for name in names {
        clear(world, &format!("{path}/{name}"));
    }
    world.delete(path);
}

#[test]
fn a_part_in_whose_place_something_else_stands_is_reported_and_left_alone() {
    let parts = [
        "/repo/.claude",
        STATE,
        "/repo/.claude/state/.milepost",
        SIDE,
        "/repo/.claude/state/.milepost/design-checkpoint/tokens",
        "/repo/.claude/state/.milepost/design-checkpoint/history",
        "/repo/.claude/state/.milepost/design-checkpoint/quarantine",
        "/repo/.claude/state/.milepost/design-checkpoint/lock",
        "/repo/.claude/state/.milepost/design-checkpoint/history/9-00112233445566778899aabbccddeeff.json",
        FILE,
    ];
    for part in parts {
        for node in [Node::dangling(), Node::Pipe] {
            let world = world();
            clear(&world, part);
            world.put_node(part, node.clone());
            let findings = fix(&world);
            let shown = part.strip_prefix("/repo/").unwrap();
            let errors = of(&findings, Check::Folder);
            let paths: Vec<_> = errors.iter().map(|it| it.path.as_deref()).collect();
            assert_eq!(paths, [Some(shown)], "{node:?}: {findings:#?}");
            assert_eq!(errors[0].level, Level::Error);
            assert_eq!(world.disk.borrow().node(part), Some(&node), "{part}");
        }
    }
}

#[test]
fn a_gitignore_that_is_a_symlink_is_neither_followed_nor_replaced() {
    let world = world();
    let path = format!("{STATE}/.gitignore");
    world.put_node(&path, Node::dangling());
    let findings = fix(&world);
    assert!(only(&findings, Check::Ignored).is_wrong());
    assert_eq!(world.disk.borrow().node(&path), Some(&Node::dangling()));
}

#[test]
fn findings_have_the_published_shape() {
    let world = world();
    save(&world, Some("Dark"), "a");
    world.delete(&format!("{STATE}/design-Dark.json"));
    world.put(FILE, "{ torn");
    world.put(&format!("{STATE}/ship-x.json"), r#"{"version": 9}"#);
    world.put(&format!("{STATE}/.gitignore"), "mine");
    let Some(Kind::List(Kind::Object(shape))) = &table::find("doctor").unwrap().answer else {
        panic!("an examination answers with a list of findings");
    };
    let findings = fix(&world);
    let steps: usize = findings.iter().map(|finding| finding.fix_steps.len()).sum();
    assert_eq!(steps, 5, "{findings:#?}");
    for finding in findings {
        assert_eq!(shape.problems(&Json::from(finding)), []);
    }
}

#[test]
fn a_secret_that_was_stored_before_or_by_hand_is_reported() {
    let world = world();
    let secret = ["ghp_", "1234567890abcdefghijklmnopqrstuvwxyzAB"].concat();
    let session = "/repo/.claude/checkpoints/chk-20250126-103000.yaml";
    world.put(
        session,
        format!("id: chk-20250126-103000\nmessage: use {secret}\n"),
    );
    let findings = examine(&world);
    let found = only(&findings, Check::Secrets);
    assert_eq!(found.level, Level::Warning);
    assert_eq!(
        found.path.as_deref(),
        Some(".claude/checkpoints/chk-20250126-103000.yaml")
    );
    assert!(found.found.contains("Line 2"), "{found:?}");
    let text = world.text(FILE).replacen(
        "\"phases\"",
        &format!("\"x\": \"{secret}\",\n  \"phases\""),
        1,
    );
    world.put(FILE, text);
    let findings = examine(&world);
    let paths = findings.iter().filter(|it| it.check == Check::Secrets);
    let paths: Vec<_> = paths.filter_map(|it| it.path.as_deref()).collect();
    assert!(paths.contains(&AT), "{paths:?}");
    for finding in &findings {
        assert!(!format!("{finding:?}").contains(&secret), "{finding:?}");
    }
}
