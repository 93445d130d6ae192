//! Moments and rewinds of worktrees that change in unusual ways, and on hosts that fail or die.

use std::cell::Cell;
use std::process::Command;

use milepost::effect::{Effect, Fault, Outcome};
use milepost::json::Json;

use super::rewind::{at_home, of, paths, payload, prompt, rewind, stop, unhurried};
use super::worktree::{TempWorktree, failure, list, value};

const FILES: &[(&str, &str)] = &[("a", "1"), ("b", "1"), ("d/e", "1"), ("d/f", "1")];

/// A change by the agent, and what has to be in the plan that takes it back.
type Change = (&'static str, fn(&TempWorktree), &'static [&'static str]);

const CHANGES: &[Change] = &[
    (
        "the case of a name",
        |it| {
            it.remove("a");
            it.write("A", "1");
        },
        &["A", "a"],
    ),
    (
        "a file becomes a folder",
        |it| {
            it.remove("a");
            it.write("a/b/c", "2");
        },
        &["a", "a/b/c"],
    ),
    (
        "a folder becomes a file",
        |it| {
            it.remove("d");
            it.write("d", "2");
        },
        &["d", "d/e", "d/f"],
    ),
    (
        "a folder becomes a link",
        |it| {
            it.remove("d");
            it.link("d", "a");
        },
        &["d", "d/e", "d/f"],
    ),
    ("a file becomes a link", |it| it.link("b", "a"), &["b"]),
    (
        "a mode and a content",
        |it| {
            it.mode("a", 0o755);
            it.write("b", "2");
        },
        &["a", "b"],
    ),
    (
        "an empty file and a large one",
        |it| {
            it.write("a", "");
            it.write("large", "0123456789".repeat(150_000));
            it.write("new/middle", "x".repeat(200 << 10));
        },
        &["a", "large", "new/middle"],
    ),
    (
        "bytes that are no text",
        |it| it.write("b", [0xff, 0, 0xfe]),
        &["b"],
    ),
];

#[test]
fn unusual_changes_go_back_and_forward_again() {
    for (what, change, expected) in CHANGES {
        let worktree = at_home(FILES);
        worktree.write("mine", "by a person");
        let before = of(&worktree);
        prompt(&worktree, "s", "first");
        change(&worktree);
        let after = of(&worktree);
        stop(&worktree, "s");
        let back = rewind(&worktree, &[("to", "1".into())]);
        assert_eq!(paths(&back, "/plan/changes"), *expected, "{what}");
        assert_eq!(of(&worktree), before, "{what}");
        rewind(&worktree, &[("undo", true.into())]);
        assert_eq!(of(&worktree), after, "{what}");
        rewind(&worktree, &[("undo", true.into())]);
        assert_eq!(of(&worktree), before, "{what}");
    }
}

#[test]
fn a_pipe_is_named_as_left_out_and_stays() {
    let worktree = at_home(FILES);
    let made = Command::new("mkfifo").arg(worktree.at("pipe")).status();
    assert!(made.unwrap().success());
    prompt(&worktree, "s", "first");
    worktree.write("a", "by the agent");
    stop(&worktree, "s");
    let back = rewind(&worktree, &[("to", "1".into())]);
    assert_eq!(paths(&back, "/plan/changes"), ["a"]);
    assert!(worktree.at("pipe").exists());
}

#[test]
fn a_file_that_grows_while_it_is_read_is_kept_with_the_bytes_that_were_read() {
    let worktree = at_home(FILES);
    worktree.write("log", "first line\n");
    let mut disk = worktree.disk();
    let grown = Cell::new(false);
    let arguments = payload(
        &worktree,
        "s",
        "UserPromptSubmit",
        &[("prompt", "x".into())],
    );
    let reply = worktree.ask_over("hook", &arguments, |effect| {
        let is_log = matches!(&effect, Effect::Part { path, .. } if path.ends_with("/log"));
        let outcome = unhurried(disk.perform(effect));
        if is_log && !grown.replace(true) {
            worktree.write("log", "first line\nsecond line\n");
        }
        outcome
    });
    value(&reply);
    worktree.write("a", "by the agent");
    stop(&worktree, "s");
    let back = rewind(&worktree, &[("to", "1".into())]);
    // A program of a person that writes during the turn cannot be distinguished from the agent.
    assert_eq!(paths(&back, "/plan/changes"), ["a", "log"]);
    assert_eq!(worktree.text("log"), "first line\n");
    rewind(&worktree, &[("undo", true.into())]);
    assert_eq!(worktree.text("log"), "first line\nsecond line\n");
}

/// A host on which a call dies at an effect, or whose disk is full from then on.
fn fail(worktree: &TempWorktree, at: usize, event: &str, is_full: bool) -> usize {
    let mut disk = worktree.disk();
    let asked = Cell::new(0);
    let arguments = payload(worktree, "s", event, &[("prompt", "first".into())]);
    worktree.ask_over("hook", &arguments, |effect| {
        asked.set(asked.get() + 1);
        let writes = matches!(&effect, Effect::Create { .. } | Effect::MakeFolder { .. });
        match asked.get() > at && (!is_full || writes) {
            true => Outcome::Failed {
                fault: if is_full {
                    Fault::NoSpace
                } else {
                    Fault::Other
                },
                detail: "it failed".into(),
            },
            false => unhurried(disk.perform(effect)),
        }
    });
    asked.get()
}

#[test]
fn a_moment_that_dies_or_finds_no_space_leaves_the_worktree_and_the_next_moments_as_they_are() {
    for is_full in [false, true] {
        for at in (0..).step_by(19) {
            let worktree = at_home(FILES);
            worktree.write("new", "by a person");
            let before = of(&worktree);
            let asked = fail(&worktree, at, "UserPromptSubmit", is_full);
            assert_eq!(of(&worktree), before, "{at}");
            stop(&worktree, "s");
            prompt(&worktree, "s", "second");
            worktree.write("a", "by the agent");
            worktree.write("new", "by the agent");
            fail(&worktree, at, "Stop", is_full);
            stop(&worktree, "s");
            let to = [("to", "second".into()), ("lose", list(&["."]))];
            let back = rewind(&worktree, &to);
            assert_eq!(paths(&back, "/plan/changes"), ["a", "new"], "{at}");
            assert_eq!(of(&worktree), before, "{at}");
            if asked <= at {
                break;
            }
        }
    }
}

#[test]
fn a_rewind_that_finds_no_space_or_dies_is_finished_or_taken_back_by_the_next() {
    for is_full in [false, true] {
        for at in (0..).step_by(23) {
            let worktree = at_home(FILES);
            let before = of(&worktree);
            prompt(&worktree, "s", "first");
            worktree.write("a", "by the agent");
            worktree.write("new/file", "by the agent");
            worktree.remove("b");
            stop(&worktree, "s");
            let after = of(&worktree);
            let mut disk = worktree.disk();
            let asked = Cell::new(0);
            let to = [("to", Json::from("1"))];
            worktree.ask_over("rewind", &to, |effect| {
                asked.set(asked.get() + 1);
                let writes = matches!(&effect, Effect::Create { .. } | Effect::MakeFolder { .. });
                match asked.get() > at && (!is_full || writes) {
                    true => Outcome::Failed {
                        fault: if is_full {
                            Fault::NoSpace
                        } else {
                            Fault::Other
                        },
                        detail: "it failed".into(),
                    },
                    false => unhurried(disk.perform(effect)),
                }
            });
            let done = rewind(&worktree, &to);
            assert_eq!(done.at("/restored"), Some(&Json::Bool(true)), "{at}");
            assert_eq!(of(&worktree), before, "{at} {is_full}");
            if asked.get() <= at {
                break;
            }
            value(&worktree.ask("rewind", &[("undo", true.into())]));
            assert_eq!(of(&worktree), after, "{at} {is_full}");
        }
    }
}

#[test]
fn a_rewind_that_died_is_taken_back_by_the_undo() {
    for at in (0..).step_by(29) {
        let worktree = at_home(FILES);
        prompt(&worktree, "s", "first");
        worktree.write("a", "by the agent");
        worktree.write("new/file", "by the agent");
        worktree.remove("b");
        stop(&worktree, "s");
        let after = of(&worktree);
        let (_, asked) = worktree.ask_until(at, "rewind", &[("to", "1".into())]);
        let undone = worktree.ask("rewind", &[("undo", true.into())]);
        if undone.get("ok") == Some(&Json::Bool(false)) {
            assert_eq!(failure(&undone).0, "not_found", "{at}");
        }
        assert_eq!(of(&worktree), after, "{at}");
        if asked <= at {
            break;
        }
    }
}
