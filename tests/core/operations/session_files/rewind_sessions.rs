//! Rewinds around sessions: the run that goes back, the sessions that hear of it, and other branches.

use std::fs;

use milepost::json::{Json, Object};

use super::rewind::{at_home, end, paths, prompt, rewind, stop, write};
use super::worktree::{TempWorktree, list, text, value};

const FILES: &[(&str, &str)] = &[("a", "1"), ("b", "1"), ("d/e", "1")];

/// A turn whose tools write a file.
fn turn(worktree: &TempWorktree, session: &str, words: &str, path: &str) -> String {
    let said = prompt(worktree, session, words);
    write(worktree, session, path, words);
    stop(worktree, session);
    said
}

/// Returns whether a stored run lists a file.
fn has(worktree: &TempWorktree, path: &str) -> bool {
    let folder = fs::read_dir(worktree.at(".claude/state")).unwrap();
    let files = folder.map(|it| it.unwrap().path());
    let mut runs = files.filter(|it| it.extension().is_some_and(|it| it == "json"));
    let quoted = format!("\"{path}\"");
    runs.any(|it| fs::read_to_string(it).unwrap().contains(&quoted))
}

fn codes(reply: &Object) -> Vec<String> {
    let warnings = reply.get("warnings").and_then(Json::as_array);
    let codes = warnings.unwrap_or_default().iter();
    codes.map(|it| text(it, "/code")).collect()
}

#[test]
fn the_run_of_a_session_that_went_on_in_another_process_goes_back() {
    let worktree = at_home(FILES);
    turn(&worktree, "s", "first", "first");
    end(&worktree, "s");
    turn(&worktree, "s", "second", "second");
    assert!(has(&worktree, "first") && has(&worktree, "second"));
    rewind(&worktree, &[("to", "second".into())]);
    assert!(has(&worktree, "first") && !has(&worktree, "second"));
    rewind(&worktree, &[("undo", true.into())]);
    assert!(has(&worktree, "first") && has(&worktree, "second"));
}
