//! Changes by other programs while a checkpoint is made, and while its files are brought back.

use milepost::effect::Effect;
use milepost::json::Json;

use super::worktree::{TempWorktree, failure, list, restoring, text, value};
use crate::disk::Disk;

/// More than one piece.
const LENGTH: usize = (1 << 20) + 9;

fn of(letter: char) -> String {
    letter.to_string().repeat(LENGTH)
}

/// Makes a checkpoint of a file that is replaced by another one, of the same size, so often after its first
/// piece was read; the path with the reason of each that is left out.
fn made_while_replaced(worktree: &TempWorktree, times: usize) -> (String, Vec<String>) {
    worktree.write("large", of('0'));
    let mut disk = Disk::new();
    let mut replaced = 0;
    let reply = worktree.ask_over("create_session", &[("reason", "error".into())], |effect| {
        let is_first =
            matches!(&effect, Effect::Part { path, offset: 0, .. } if path.ends_with("/large"));
        let outcome = disk.perform(effect);
        if is_first && replaced < times {
            replaced += 1;
            worktree.write("spare", of(char::from_digit(replaced as u32, 10).unwrap()));
            std::fs::rename(worktree.at("spare"), worktree.at("large")).unwrap();
        }
        outcome
    });
    let made = value(&reply);
    let left_out = made.at("/left_out").and_then(|it| it.as_array()).unwrap();
    let left_out = left_out.iter().map(Json::to_line).collect();
    (text(made, "/id"), left_out)
}

#[test]
fn a_file_that_is_replaced_while_it_is_read_is_kept_whole() {
    let worktree = TempWorktree::with(&[("large", "head")]);
    // The look at what differs reads it as well.
    let (id, left_out) = made_while_replaced(&worktree, 2);
    assert_eq!(left_out, Vec::<String>::new());
    worktree.write("large", "now");
    worktree.restore(&id, &[]);
    let back = worktree.text("large");
    let _run = milepost_property::run("a file that is replaced while it is read is kept whole");
    let letter = back.chars().next().unwrap();
    assert!(
        back == of(letter),
        "it begins with {letter}, and goes on otherwise"
    );
}

#[test]
fn a_file_that_is_written_all_the_time_is_left_out_with_its_reason() {
    let worktree = TempWorktree::with(&[("large", "head")]);
    let (_, left_out) = made_while_replaced(&worktree, 9);
    let _run =
        milepost_property::run("a file that is written all the time is left out with its reason");
    assert_eq!(
        left_out,
        [r#"{"path":"large","reason":"is being written"}"#]
    );
}

#[test]
fn a_creator_that_was_taken_for_dead_makes_no_snapshot_without_its_files() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write("a", "now");
    let making = worktree.at(".claude/checkpoints/objects/making");
    let mut disk = Disk::new();
    let reply = worktree.ask_over("create_session", &[("reason", "error".into())], |effect| {
        if matches!(&effect, Effect::Part { path, .. } if path.ends_with("/a")) {
            super::worktree::remove(&making);
        }
        disk.perform(effect)
    });
    let (code, message) = failure(&reply);
    assert_eq!(code, "conflict");
    assert!(message.contains("make it again"), "{message}");
    let (id, _) = worktree.create();
    worktree.write("a", "later");
    worktree.restore(&id, &[]);
    let _run = milepost_property::run(
        "a creator that was taken for dead makes no snapshot without its files",
    );
    assert_eq!(worktree.text("a"), "now");
}

#[test]
fn a_restore_that_has_begun_can_be_finished_after_a_cleanup() {
    let changed = || {
        let worktree = TempWorktree::with(&[("a", "head")]);
        worktree.write(
            ".claude/config/integrations.json",
            r#"{"sessions": {"keep": 1}}"#,
        );
        worktree.write("a", "then");
        let (id, _) = worktree.create();
        let pin = |more: &[(&str, Json)]| {
            let pinned = worktree.ask(
                "pin_session",
                &[&[("id", id.as_str().into())], more].concat(),
            );
            value(&pinned);
        };
        pin(&[]);
        worktree.write("a", "later");
        worktree.create();
        pin(&[("remove", true.into())]);
        (worktree, id)
    };
    let cleaned_before = |at: usize| {
        let (worktree, id) = changed();
        let mut disk = Disk::new();
        let mut asked = 0;
        let reply = worktree.ask_over("restore_session", &restoring(&id), |effect| {
            if asked == at {
                worktree.ask("clean_up_sessions", &[]);
            }
            asked += 1;
            disk.perform(effect)
        });
        (worktree, id, reply, asked)
    };
    let (_, _, _, all) = cleaned_before(usize::MAX);
    let (mut refused, mut kept) = (0, 0);
    for at in (0..all).step_by(milepost_property::rounds(5, 2)) {
        let (worktree, id, reply, _) = cleaned_before(at);
        if reply.get("ok") == Some(&Json::Bool(true)) {
            kept += 1;
            let _run = milepost_property::run(format!("a clean-up at {at} lost a restore"));
            assert_eq!(worktree.text("a"), "then", "{at}");
            // From its end on it is not needed any more.
            let file = worktree.at(&format!(".claude/checkpoints/{id}.yaml"));
            assert!(file.exists() || at + 8 > all, "{at} of {all}: it is gone");
        } else {
            refused += 1;
            assert_eq!(worktree.text("a"), "later", "{at}: {:?}", failure(&reply));
        }
    }
    assert!(refused > 2 && kept > 2, "{refused} refused, {kept} kept");
}

/// So many files that are restored.
const FILES: usize = 20;

fn name(number: usize) -> String {
    format!("file-{number:02}")
}

/// Twenty files that became others since they were kept, with the id of what was kept.
fn twenty() -> (TempWorktree, String) {
    let names: Vec<String> = (0..FILES).map(name).collect();
    let committed: Vec<(&str, &str)> = names.iter().map(|it| (it.as_str(), "head")).collect();
    let worktree = TempWorktree::with(&committed);
    names.iter().for_each(|it| worktree.write(it, "then"));
    let (id, _) = worktree.create();
    names.iter().for_each(|it| worktree.write(it, "now"));
    (worktree, id)
}

#[test]
fn a_file_that_is_saved_during_a_restore_stays_and_its_undo_knows_it() {
    for (number, saved) in [(1, "own"), (10, "of another size"), (19, "own")] {
        let (worktree, id) = twenty();
        let path = name(number);
        let mut disk = Disk::new();
        let mut is_saved = false;
        let reply = worktree.ask_over("restore_session", &restoring(&id), |effect| {
            let outcome = disk.perform(effect);
            // As soon as the first one is back.
            if !is_saved && worktree.at(&name(0)).exists() && worktree.text(&name(0)) == "then" {
                worktree.write(&path, saved);
                is_saved = true;
            }
            outcome
        });
        let (code, message) = failure(&reply);
        assert_eq!(code, "conflict");
        let written = reply.get("error").and_then(|it| it.at("/written"));
        assert_eq!(written.and_then(Json::as_str), Some("yes"));
        for part in [
            format!("{path} was changed after the undo"),
            "Done: file-00".to_owned(),
            format!("Not done: {path}"),
        ] {
            assert!(message.contains(&part), "{part} is not in {message}");
        }
        let _run = milepost_property::run(
            "a file that is saved during a restore stays and its undo knows it",
        );
        assert_eq!(worktree.text(&path), saved);
        let back: Vec<bool> = (0..FILES)
            .map(|it| worktree.text(&name(it)) == "then")
            .collect();
        assert!(back[..number].iter().all(|it| *it), "{back:?}");
        assert!(!back[number..].iter().any(|it| *it), "{back:?}");

        // The undo that is named brings back all that was there, with what was saved.
        let undo = message.split_whitespace().find(|it| it.starts_with("chk-"));
        let undo = undo.unwrap().to_owned();
        worktree.restore(&undo, &[]);
        for it in 0..FILES {
            let expected = if it == number { saved } else { "now" };
            assert_eq!(worktree.text(&name(it)), expected, "{it}");
        }
    }
}

#[test]
fn the_same_restore_again_finishes_what_a_saved_file_has_stopped() {
    let (worktree, id) = twenty();
    let mut disk = Disk::new();
    let mut is_saved = false;
    let reply = worktree.ask_over("restore_session", &restoring(&id), |effect| {
        let outcome = disk.perform(effect);
        if !is_saved && worktree.at(&name(0)).exists() && worktree.text(&name(0)) == "then" {
            worktree.write(&name(7), "own");
            is_saved = true;
        }
        outcome
    });
    let (_, message) = failure(&reply);
    let undo = worktree.restore(&id, &[]).unwrap();
    assert!(message.contains(&undo), "{undo} is not in {message}");
    assert!(worktree.is_match(&id));
    worktree.restore(&undo, &[]);
    assert_eq!(
        (worktree.text(&name(0)), worktree.text(&name(7))),
        ("now".into(), "own".into())
    );
}

#[test]
fn an_ignored_file_that_the_undone_checkpoint_keeps_is_compared_as_any_other() {
    let worktree = TempWorktree::with(&[("a", "head"), (".gitignore", "*.log\n")]);
    worktree.write("x.log", "then");
    worktree.git(&["add", "-f", "x.log"]);
    let (id, _) = worktree.create();
    worktree.git(&["rm", "-q", "-f", "x.log"]);
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!(worktree.text("x.log"), "then");
    // Nothing else has what is saved from here on.
    let mut disk = Disk::new();
    let reply = worktree.ask_over("restore_session", &restoring(&undo), |effect| {
        let is_moved = matches!(&effect, Effect::Rename { from, .. } if from.ends_with("/x.log"));
        if is_moved {
            worktree.write("x.log", "else");
        }
        disk.perform(effect)
    });
    let (code, message) = failure(&reply);
    assert_eq!(code, "conflict");
    assert!(message.contains("x.log was changed after"), "{message}");
    assert_eq!(worktree.text("x.log"), "else");
}

#[test]
fn a_file_that_may_be_lost_is_not_compared() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write("x.log", "then");
    let (id, _) = worktree.create();
    worktree.write(".gitignore", "*.log\n");
    worktree.write("x.log", "now");
    let lose = [("lose", list(&["x.log"]))];
    let more = [&restoring(&id)[..], &lose].concat();
    let mut disk = Disk::new();
    let mut moved = None;
    let mut is_read = false;
    let reply = worktree.ask_over("restore_session", &more, |effect| {
        match &effect {
            Effect::Rename { from, to } if from.ends_with("/x.log") => {
                worktree.write("x.log", "still written");
                moved = Some(to.clone());
            }
            Effect::Part { path, .. } => is_read |= moved.as_ref() == Some(path),
            _ => {}
        }
        disk.perform(effect)
    });
    value(&reply);
    assert_eq!(worktree.text("x.log"), "then");
    assert!(moved.is_some() && !is_read, "{moved:?}");
}
