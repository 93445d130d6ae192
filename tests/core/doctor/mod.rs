//! `milepost doctor`: its findings, its fixes, and that it hinders no other process.

mod agree;
mod aside;
mod denied;
mod disk;
mod findings;
mod leftovers;
mod probe;
mod registers;
mod unread;
mod writers;

use milepost::doctor::{Check, Finding, Fix, FixStep, Level};
use milepost::effect::{Machine, Sync};
use milepost::json::{Json, Object};
use milepost::operation::project::doctor;
use milepost::operation::{Settings, request};
use milepost::store::{Retention, Storage};

use crate::memory::Memory;

const STATE: &str = "/repo/.claude/state";
const FILE: &str = "/repo/.claude/state/design-checkpoint.json";
const SIDE: &str = "/repo/.claude/state/.milepost/design-checkpoint";
const ID: &str = "00112233445566778899aabbccddeeff";

fn settings(working: &str) -> Settings {
    Settings {
        root: None,
        git_root: None,
        working: working.to_owned(),
        alias: None,
        dir: None,
        durability: Sync::Durable,
        history: Retention::default(),
        storage: Storage::Files,
    }
}

/// An examination of the folder at `/repo`.
fn examination(fix_mode: Fix) -> Machine<Vec<Finding>> {
    Machine::start(move |io| async move {
        let reply = doctor::doctor(&io, &settings("/repo"), fix_mode).await;
        assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
        reply.result.unwrap()
    })
}

fn examine(world: &Memory) -> Vec<Finding> {
    world.run(examination(Fix::None))
}

fn fix(world: &Memory) -> Vec<Finding> {
    world.run(examination(Fix::Safe))
}

/// The update of one phase of a checkpoint of `design`.
fn update(feature: Option<&str>, phase: &str) -> Machine<String> {
    let request = Object::from_iter([
        ("operation", Json::from("update_phase")),
        (
            "place",
            Object::from_iter([("working", "/repo"), ("root", "/repo")]).into(),
        ),
        ("command", "design".into()),
        ("feature", feature.map(str::to_owned).into()),
        ("phase", phase.into()),
        (
            "patch",
            Object::from_iter([("status", "in_progress")]).into(),
        ),
    ]);
    request::start(Json::Object(request).to_line().as_bytes())
}

fn save(world: &Memory, feature: Option<&str>, phase: &str) {
    let reply = world.run(update(feature, phase));
    assert!(reply.starts_with(r#"{"ok":true"#), "{reply}");
}

/// A repository with a checkpoint of three revisions.
fn world() -> Memory {
    let world = Memory::new();
    world.put("/repo/.git/HEAD", "ref: refs/heads/main\n");
    for phase in ["a", "b", "c"] {
        save(&world, None, phase);
    }
    world
}

/// The findings of a check that are not `ok`.
fn of(findings: &[Finding], check: Check) -> Vec<&Finding> {
    let found = findings.iter();
    found
        .filter(|it| it.check == check && it.level != Level::Ok)
        .collect()
}

/// The only finding of a check.
#[track_caller]
fn only(findings: &[Finding], check: Check) -> &Finding {
    match of(findings, check)[..] {
        [finding] => finding,
        ref found => panic!("expected one finding of {check:?}, got {found:#?}"),
    }
}

/// The steps that fix a finding, in a line: those of a shell as a shell has them.
fn steps(finding: &Finding) -> Option<String> {
    let word = |text: &str| match text.contains([' ', '~', '*']) {
        true => format!("'{text}'"),
        false => text.to_owned(),
    };
    let step = |step: &FixStep| match step {
        FixStep::Fix => "fix".to_owned(),
        FixStep::FixIn(database) => format!("fix {}", database.words().join(" ")),
        FixStep::Recover(target) => {
            let feature = target.feature.iter();
            let feature: String = feature.map(|name| format!(" of {name}")).collect();
            format!("recover {}{feature}", target.command)
        }
        FixStep::RecoverThread(thread) => format!("recover thread {thread}"),
        FixStep::Validate(path) => format!("validate {path}"),
        FixStep::Move { from, to } => format!("mv {} {}", word(from), word(to)),
        FixStep::Remove(path) => format!("rm {}", word(path)),
        FixStep::Restrict(path) => format!("chmod go-rwx {}", word(path)),
        FixStep::PermitFile(path) => format!("chmod u+rw {}", word(path)),
        FixStep::PermitFolder(path) => format!("chmod u+rwx {}", word(path)),
        FixStep::Untrack(path) => format!("git rm -r --cached -- {}", word(path)),
        FixStep::Clear { folder, kept } => {
            let kept: String = kept
                .iter()
                .map(|it| format!(" ! -name {}", word(it)))
                .collect();
            format!("find {} -maxdepth 1 -type f{kept} -delete", word(folder))
        }
    };
    let steps: Vec<String> = finding.fix_steps.iter().map(step).collect();
    (!steps.is_empty()).then(|| steps.join(" && "))
}

#[track_caller]
fn assert_nothing_is_wrong(findings: &[Finding]) {
    let wrong: Vec<_> = findings.iter().filter(|it| it.is_wrong()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Everything in the state folder.
fn files(world: &Memory) -> Vec<(String, Vec<u8>)> {
    let names = world.files_below(STATE).into_iter();
    names
        .map(|name| {
            let bytes = world.bytes(&format!("{STATE}/{name}")).unwrap();
            (name, bytes)
        })
        .collect()
}
