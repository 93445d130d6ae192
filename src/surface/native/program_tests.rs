//! Effects beside those on files, and a whole call.

use std::cell::RefCell;
use std::fs;
use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

use tempfile::TempDir;

use super::process::{ProgramEnd, run};
use super::{NativeHost, invocation};
use crate::blocking::cli;
use crate::blocking::effect::Io;
use crate::effect::{Effect, Fault, Outcome, Sync};

/// An empty folder, and the host of a process in it.
fn empty() -> (TempDir, String, NativeHost) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    let host = NativeHost::new(path.clone(), None);
    (folder, path, host)
}

fn fault(outcome: Outcome) -> Fault {
    match outcome {
        Outcome::Failed { fault, .. } => fault,
        other => panic!("expected a failure, got {other:?}"),
    }
}

#[test]
fn chance_has_the_length_asked_for_and_the_clock_does_not_go_back() {
    let (_folder, _, host) = empty();
    let random = |length| match host.perform(Effect::Random { length }) {
        Outcome::Bytes(bytes) => bytes,
        other => panic!("expected bytes, got {other:?}"),
    };
    assert_eq!(random(0).len(), 0);
    assert_eq!(random(1000).len(), 1000);
    assert_ne!(random(16), random(16));
    let monotonic = || match host.perform(Effect::Clock) {
        Outcome::Clock { monotonic_ms, .. } => monotonic_ms,
        other => panic!("expected clocks, got {other:?}"),
    };
    let before = monotonic();
    assert_eq!(host.perform(Effect::Wait { ms: 2 }), Outcome::Done);
    assert!(monotonic() >= before + 2.0);
}

#[test]
fn git_runs_in_the_folder_and_its_failure_is_not_its_absence() {
    let (_folder, path, host) = empty();
    let git = |words: &[&str]| {
        host.perform(Effect::Git {
            folder: path.clone(),
            arguments: words.iter().map(|&word| word.to_owned()).collect(),
        })
    };
    let Outcome::Bytes(version) = git(&["--version"]) else {
        panic!("git is there");
    };
    assert!(version.starts_with(b"git version"));
    assert_eq!(fault(git(&["no-such-command"])), Fault::Other);
    let mut absent = Command::new("no such program");
    let failed = run(&mut absent, Duration::from_secs(5), 10).err().unwrap();
    assert_eq!(failed.fault, Fault::Unsupported);
}

#[test]
fn a_program_that_takes_or_prints_too_much_is_stopped() {
    let mut sleep = Command::new("sleep");
    let stopped = run(sleep.arg("100000"), Duration::from_millis(20), 10).unwrap();
    assert!(matches!(stopped.end, ProgramEnd::TooLate));
    let mut yes = Command::new("yes");
    let stopped = run(&mut yes, Duration::from_secs(30), 10).unwrap();
    assert!(matches!(stopped.end, ProgramEnd::TooLong));
}

#[test]
fn what_is_confirmed_was_synced_and_its_folder_after_the_last_name_in_it() {
    let (_folder, root, host) = empty();
    let effects = Rc::new(RefCell::new(Vec::new()));
    let recorded = Rc::clone(&effects);
    let perform = move |effect: Effect| {
        recorded.borrow_mut().push(effect.clone());
        match effect {
            Effect::Print { .. } => Outcome::Done,
            effect => host.perform(effect),
        }
    };
    let words = ["phase", "implement", "parser", "complete", "--root"];
    let words = words.iter().map(|&word| word.to_owned());
    let words = words.chain([root.clone()]).collect();
    let invocation = invocation::invocation("milepost", words, root.clone());
    assert_eq!(cli::run(Io::new(perform), invocation), 0);

    let effects = effects.take();
    let at = |is_it: &dyn Fn(&Effect) -> bool| effects.iter().rposition(is_it);
    let state = format!("{root}/.claude/state");
    let document = format!("{state}/implement-checkpoint.json");
    let named = at(&|effect| matches!(effect, Effect::Rename { to, .. } if *to == document));
    let synced = at(&|effect| matches!(effect, Effect::SyncFolder { path } if *path == state));
    let printed = at(&|effect| matches!(effect, Effect::Print { .. }));
    let Some(Effect::Rename { from, .. }) = named.map(|at| &effects[at]) else {
        panic!("the document gets its name by a rename: {effects:?}");
    };
    let content = at(&|effect| {
        let durable = Sync::Durable;
        matches!(effect, Effect::Create { path, sync, .. } if path.starts_with(from) && *sync == durable)
    });
    assert!(content.is_some() && content < named, "{effects:?}");
    assert!(named < synced && synced < printed, "{effects:?}");
    let stored = fs::read(document).unwrap();
    assert!(String::from_utf8(stored).unwrap().contains("\"parser\""));
}
