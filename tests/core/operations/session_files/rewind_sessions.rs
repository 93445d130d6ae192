//! Rewinds around sessions: the run that goes back, the sessions that hear of it, and other branches.

use std::fs;

use milepost::json::{Json, Object};

use super::rewind::{at_home, end, of, paths, prompt, rewind, stop, write};
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

#[test]
fn the_run_stays_where_another_session_has_worked_on_it_since() {
    let worktree = at_home(FILES);
    turn(&worktree, "s", "first", "first");
    turn(&worktree, "s", "second", "second");
    end(&worktree, "s");
    turn(&worktree, "t", "third", "third");
    assert!(has(&worktree, "third"));
    let back = worktree.ask("rewind", &[("to", "second".into())]);
    assert_eq!(paths(value(&back), "/plan/changes"), ["second"]);
    assert_eq!(codes(&back), ["held_back"]);
    assert!(has(&worktree, "second") && has(&worktree, "third"));
    rewind(&worktree, &[("undo", true.into())]);
    let all = [("to", "second".into()), ("all", true.into())];
    let back = worktree.ask("rewind", &all);
    assert_eq!(paths(value(&back), "/plan/changes"), ["second", "third"]);
    assert!(has(&worktree, "first") && !has(&worktree, "third"));
}

#[test]
fn each_session_whose_changes_are_undone_gets_a_notice() {
    let worktree = at_home(FILES);
    turn(&worktree, "s", "first", "a");
    turn(&worktree, "t", "second", "b");
    prompt(&worktree, "u", "third");
    stop(&worktree, "u");
    rewind(&worktree, &[("to", "first".into()), ("all", true.into())]);
    for session in ["s", "t"] {
        let said = prompt(&worktree, session, "go on");
        assert!(said.contains("are undone: a, b."), "{session}: {said}");
        stop(&worktree, session);
    }
    assert!(!prompt(&worktree, "u", "go on").contains("undone"));
    stop(&worktree, "u");
    rewind(&worktree, &[("undo", true.into())]);
    for session in ["s", "t"] {
        let said = prompt(&worktree, session, "go on");
        assert!(said.contains("took that back"), "{session}: {said}");
    }
    assert!(!prompt(&worktree, "u", "go on").contains("took that back"));
}

#[test]
fn a_rewind_of_the_run_alone_says_of_no_file_that_it_is_undone() {
    let worktree = at_home(FILES);
    turn(&worktree, "s", "first", "first");
    turn(&worktree, "s", "second", "second");
    let run = [("to", "second".into()), ("state_only", true.into())];
    rewind(&worktree, &run);
    let said = prompt(&worktree, "s", "go on");
    let expected = "took the record of this work back to before the prompt";
    assert!(
        said.contains(expected) && !said.contains("undone"),
        "{said}"
    );
    stop(&worktree, "s");
    rewind(&worktree, &[("undo", true.into())]);
    assert!(!prompt(&worktree, "s", "go on").contains("notice"));
}

#[test]
fn a_rewind_to_a_prompt_of_another_branch_is_undone_on_the_branch_that_is_checked_out() {
    let worktree = at_home(FILES);
    prompt(&worktree, "s", "make a branch");
    let prompts = worktree.ask("list_prompts", &[]);
    let id = text(value(&prompts), "/0/id");
    worktree.git(&["switch", "-qc", "other"]);
    worktree.write("a", "by the agent");
    stop(&worktree, "s");
    let back = rewind(&worktree, &[("to", id.into())]);
    assert_eq!(paths(&back, "/plan/changes"), ["a"]);
    assert_eq!(worktree.text("a"), "1");
    rewind(&worktree, &[("undo", true.into())]);
    assert_eq!(worktree.text("a"), "by the agent");
    rewind(&worktree, &[("undo", true.into())]);
    assert_eq!(worktree.text("a"), "1");
}

#[test]
fn the_working_folder_stands_for_itself_and_for_all_files_only_at_the_root() {
    let worktree = at_home(FILES);
    prompt(&worktree, "s", "first");
    worktree.write("a", "by the agent");
    worktree.write("d/e", "by the agent");
    stop(&worktree, "s");
    let root = worktree.root.to_str().unwrap();
    let below = format!("{root}/d");
    for (working, expected) in [(below.as_str(), &["d/e"][..]), (root, &["a", "d/e"])] {
        let place = Object::new().with("root", root).with("working", working);
        let dry = [
            ("to", "first".into()),
            ("dry_run", true.into()),
            ("files", list(&["."])),
            ("place", place.into()),
        ];
        let back = rewind(&worktree, &dry);
        assert_eq!(paths(&back, "/plan/changes"), expected, "{working}");
    }
}

#[test]
fn a_prompt_is_also_one_of_the_branch_to_which_its_turn_came() {
    let worktree = at_home(FILES);
    turn(&worktree, "s", "before", "b");
    prompt(&worktree, "s", "make a branch");
    worktree.git(&["switch", "-qc", "other"]);
    write(&worktree, "s", "a", "by the agent");
    stop(&worktree, "s");
    let words = |reply: &Object| {
        let prompts = value(reply).as_array().unwrap().iter();
        let words: Vec<String> = prompts.map(|it| text(it, "/prompt")).collect();
        words
    };
    assert_eq!(words(&worktree.ask("list_prompts", &[])), ["make a branch"]);
    let back = rewind(&worktree, &[("to", "1".into())]);
    assert_eq!(paths(&back, "/plan/changes"), ["a"]);
    worktree.git(&["switch", "-q", "-"]);
    let all = words(&worktree.ask("list_prompts", &[]));
    assert_eq!(all, ["make a branch", "before"]);
}

#[test]
fn a_rewind_goes_back_to_before_the_first_commit_and_that_commit_stays() {
    let worktree = at_home(FILES);
    worktree.git(&["update-ref", "-d", "HEAD"]);
    let before = of(&worktree);
    prompt(&worktree, "s", "begin");
    write(&worktree, "s", "a", "by the agent");
    write(&worktree, "s", "new", "by the agent");
    worktree.remove("b");
    worktree.commit();
    let head = worktree.git(&["rev-parse", "HEAD"]);
    stop(&worktree, "s");
    let after = of(&worktree);
    let back = rewind(&worktree, &[("to", "1".into())]);
    assert_eq!(paths(&back, "/plan/changes"), ["a", "b", "new"]);
    assert_eq!(text(&back, "/commits"), format!("up to {}", &head[..7]));
    assert_eq!(of(&worktree), before);
    assert_eq!(worktree.git(&["rev-parse", "HEAD"]), head);
    rewind(&worktree, &[("undo", true.into())]);
    assert_eq!(of(&worktree), after);
}

#[test]
fn a_file_that_was_ignored_before_the_prompt_stays_where_a_turn_commits_it() {
    let worktree = at_home(FILES);
    worktree.write(".gitignore", "*.cfg\n");
    worktree.commit();
    worktree.write("mine.cfg", "by a person");
    prompt(&worktree, "s", "first");
    worktree.write(".gitignore", "");
    worktree.write("new", "by the agent");
    worktree.commit();
    stop(&worktree, "s");
    let back = rewind(&worktree, &[("to", "1".into())]);
    assert_eq!(paths(&back, "/plan/changes"), [".gitignore", "new"]);
    assert_eq!(worktree.text("mine.cfg"), "by a person");
}
