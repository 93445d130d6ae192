//! That findings agree with each other: no user can take two different steps with one file.

use milepost::doctor::{Check, Finding, Fix, FixStep, Level};
use milepost::effect::{Effect, Fault, Outcome};

use super::{ID, SIDE, STATE, examination, examine, of, only, save, steps, world};
use crate::memory::{Memory, Node};

/// The object of a step.
fn subject(step: &FixStep, finding: &Finding) -> Option<String> {
    match step {
        FixStep::Move { from, .. } => Some(from.clone()),
        FixStep::Remove(path) | FixStep::Validate(path) | FixStep::PermitFile(path) => {
            Some(path.clone())
        }
        FixStep::Recover(target) => {
            let feature = target.feature.as_deref().unwrap_or("checkpoint");
            Some(format!(".claude/state/{}-{feature}.json", target.command))
        }
        // An examination fixes it; a folder's mode and its content are two things.
        FixStep::Fix | FixStep::FixIn(_) => finding
            .path
            .clone()
            .filter(|_| finding.check != Check::Modes),
        FixStep::RecoverThread(_)
        | FixStep::Restrict(_)
        | FixStep::PermitFolder(_)
        | FixStep::Untrack(_)
        | FixStep::Clear { .. } => None,
    }
}

fn assert_they_agree(findings: &[Finding], note: &str) {
    let mut done: Vec<(String, String)> = Vec::new();
    let mut targets: Vec<String> = Vec::new();
    for finding in findings {
        let Some(line) = steps(finding) else {
            continue;
        };
        for step in &finding.fix_steps {
            if let Some(path) = subject(step, finding) {
                let other = done
                    .iter()
                    .find(|(at, other)| *at == path && *other != line);
                assert!(
                    other.is_none(),
                    "{note}: {path}: {line}, and {other:?}: {findings:#?}"
                );
                done.push((path, line.clone()));
            }
            if let FixStep::Move { to, .. } = step {
                assert!(
                    !targets.contains(to),
                    "{note}: twice to {to}: {findings:#?}"
                );
                targets.push(to.clone());
            }
        }
    }
    for to in &targets {
        let acted = done.iter().find(|(path, _)| path == to);
        assert!(
            acted.is_none(),
            "{note}: to {to}, and {acted:?}: {findings:#?}"
        );
    }
    for error in findings.iter().filter(|it| it.level == Level::Error) {
        let is_fine = |it: &&Finding| it.path == error.path && it.found.contains("by hand and");
        let fine = findings
            .iter()
            .find(is_fine)
            .filter(|_| error.path.is_some());
        assert!(fine.is_none(), "{note}: {error:?}, and {fine:?}");
    }
}

/// Every file and folder below the state folder.
fn paths(world: &Memory) -> Vec<String> {
    let mut paths: Vec<String> = world.files_below(STATE);
    let folders: Vec<String> = paths
        .iter()
        .filter_map(|path| path.rsplit_once('/').map(|(folder, _)| folder.to_owned()))
        .collect();
    paths.extend(folders);
    paths
}

/// One thing that people, crashes and other programs do to a state folder.
fn damage(world: &Memory, random: &mut fastrand::Rng) -> String {
    let all = paths(world);
    let path = format!("{STATE}/{}", all[random.usize(..all.len())]);
    let name = [
        "design-checkpoint",
        "design-x",
        "design-Dark",
        "design-dark",
        "ship-x",
        "ship-y",
    ];
    let document =
        |random: &mut fastrand::Rng| format!("{STATE}/{}.json", name[random.usize(..name.len())]);
    let id = format!("{:032x}", random.u128(..));
    let did = match random.usize(..9) {
        0 => {
            world.put(&path, ["{ torn", "", "[]", "{}"][random.usize(..4)]);
            "overwritten"
        }
        1 => {
            world.delete(&path);
            let node = [Node::Folder, Node::Pipe, Node::dangling()][random.usize(..3)].clone();
            world.put_node(&path, node);
            "replaced"
        }
        2 => {
            world.delete(&path);
            "removed"
        }
        3 | 4 => {
            let (from, to) = (document(random), document(random));
            let bytes = world.bytes(&from).unwrap_or_default();
            world.put(&to, bytes);
            if random.bool() {
                world.delete(&from);
            }
            return format!("{from} to {to}");
        }
        5 => {
            let text = r#"{"command":"ship","feature":"q","version":1}"#;
            world.put(&document(random), text);
            "claims to be another"
        }
        6 => {
            let folders = ["tokens", "history", "quarantine"];
            let folder = folders[random.usize(..3)];
            let ending = ["", ".json", ".new", ".replaced", "~"][random.usize(..5)];
            world.put(&format!("{SIDE}/{folder}/{id}{ending}"), "left");
            "left over"
        }
        7 => {
            world.put(&format!("{SIDE}/lock"), format!("{ID} 1\n"));
            "locked"
        }
        _ => {
            world.put(&format!("{STATE}/stray-{}", random.u8(..)), "");
            "strayed"
        }
    };
    format!("{path} {did}")
}

#[test]
fn no_two_findings_prescribe_different_actions_on_one_path() {
    let mut kinds = Vec::new();
    for seed in 0..400 {
        let _run = milepost_property::seed(
            "no two findings prescribe different actions on one path",
            seed,
        );
        let mut random = fastrand::Rng::with_seed(seed);
        let world = world();
        for feature in [Some("x"), Some("Dark")] {
            save(&world, feature, "a");
            save(&world, feature, "b");
        }
        let count = random.usize(1..6);
        let did: Vec<String> = (0..count).map(|_| damage(&world, &mut random)).collect();
        let findings = examine(&world);
        let wrong = findings.iter().filter(|it| !it.fix_steps.is_empty());
        for check in wrong.map(|it| it.check) {
            if !kinds.contains(&check) {
                kinds.push(check);
            }
        }
        assert_they_agree(&findings, &format!("seed {seed}: {did:?}"));
    }
    for check in [
        Check::Folder,
        Check::Ignored,
        Check::Names,
        Check::Documents,
        Check::Schema,
        Check::History,
        Check::Quarantine,
        Check::Leftovers,
    ] {
        assert!(kinds.contains(&check), "{check:?} never found anything");
    }
}

const OTHER: &str = r#"{"command":"ship","feature":"q","version":1}"#;

#[test]
fn a_file_of_another_command_is_a_finding_and_not_fine_as_well() {
    let world = world();
    save(&world, Some("x"), "a");
    world.put(&format!("{STATE}/design-x.json"), OTHER);
    let findings = examine(&world);
    let error = only(&findings, Check::Names);
    assert_eq!(
        error.found,
        "Its command and its feature are not those that its file is named after"
    );
    let remedy = "mv .claude/state/design-x.json .claude/state/ship-q.json";
    assert_eq!(steps(error).as_deref(), Some(remedy));
    assert!(of(&findings, Check::Documents).is_empty(), "{findings:#?}");
    assert_eq!(steps(only(&findings, Check::Schema)), None);
}

#[test]
fn no_two_files_are_to_be_moved_to_one_name() {
    let world = world();
    for feature in ["x", "y"] {
        world.put(&format!("{STATE}/design-{feature}.json"), OTHER);
    }
    let findings = examine(&world);
    let found: Vec<_> = of(&findings, Check::Names).into_iter().map(steps).collect();
    let expected = [
        "mv .claude/state/design-x.json .claude/state/ship-q.json",
        "mv .claude/state/design-y.json '.claude/state/design-y.json~'",
    ];
    assert_eq!(found, expected.map(|it| Some(it.to_owned())));
}

#[test]
fn a_run_is_to_be_recovered_or_moved_back_but_not_both() {
    let world = world();
    save(&world, Some("Dark"), "a");
    let dark = world.text(&format!("{STATE}/design-Dark.json"));
    world.delete(&format!("{STATE}/design-Dark.json"));
    world.put(&format!("{STATE}/ship-x.json"), &dark);
    let findings = examine(&world);
    let remedy = "mv .claude/state/ship-x.json .claude/state/design-Dark.json";
    assert_eq!(
        steps(only(&findings, Check::Names)).as_deref(),
        Some(remedy)
    );
    assert!(of(&findings, Check::Documents).is_empty(), "{findings:#?}");
}

#[test]
fn a_full_disk_is_not_called_a_file_system_that_loses_changes() {
    for part in ["probe-", "one", "stays-3", "moved"] {
        let world = world();
        let findings = examination(Fix::None).run(|effect| match &effect {
            Effect::Create { path, .. }
            | Effect::MakeFolder { path, .. }
            | Effect::Rename { to: path, .. }
                if path.contains("probe-") && path.contains(part) =>
            {
                Outcome::Failed {
                    fault: Fault::NoSpace,
                    detail: "ENOSPC: no space left on device".into(),
                }
            }
            _ => world.perform(&effect),
        });
        let error = only(&findings, Check::FileSystem);
        assert_eq!(
            error.found, "The disk is full, or a quota is used up: ENOSPC: no space left on device",
            "{part}"
        );
        assert_eq!(error.level, Level::Error);
        assert_eq!(steps(error), None);
    }
}
