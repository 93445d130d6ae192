//! Verbs without COMMAND: they take the run that is in progress, and say which one.

use super::{User, at, parse};

/// A user with two runs in progress, of which that of the feature is the latest.
fn busy_user() -> User {
    let mut user = User::new();
    user.line("phase implement parser in_progress").answer();
    user.line("phase design plan in_progress --feature dark")
        .answer();
    user.line("phase design plan complete --feature dark")
        .answer();
    user.line("phase design specs in_progress --feature dark")
        .answer();
    user
}

/// Makes the call with the checkpoint named.
fn named(user: &mut User, verb: &str, rest: &str) -> String {
    user.line(&format!("{verb} design {rest} --feature dark"))
        .output
}

#[test]
fn every_verb_without_a_command_means_the_run_in_progress() {
    let mut user = busy_user();
    for (verb, rest) in [("log", ""), ("diff", ""), ("diff", "1 2"), ("gate", "")] {
        let expected = named(&mut user, verb, rest);
        let said = user.line(&format!("{verb} {rest}")).output;
        assert_eq!(said, format!("design (feature dark)\n{expected}"), "{verb}");
    }
    let shown = user.line("show").answer();
    assert_eq!(shown, named(&mut user, "show", ""));
    assert!(shown.starts_with("design (feature dark), "), "{shown}");
    let undone = user.line("undo").answer();
    assert!(undone.starts_with("design (feature dark): "), "{undone}");
}

#[test]
fn without_a_command_a_list_stays_as_it_is_and_an_object_says_which_it_is_of() {
    let mut user = busy_user();
    for verb in ["log", "diff", "show"] {
        let expected = named(&mut user, verb, "--json");
        assert_eq!(user.line(&format!("{verb} --json")).output, expected);
    }
    for verb in ["gate", "undo"] {
        let said = parse(&user.line(&format!("{verb} --json")).output);
        assert_eq!(at(&said, "command").as_str(), Some("design"));
        assert_eq!(at(&said, "feature").as_str(), Some("dark"));
        let said = parse(&named(&mut user, verb, "--json"));
        assert!(said.as_object().unwrap().get("command").is_none());
    }
}

#[test]
fn the_numbers_of_a_diff_are_not_taken_for_a_command() {
    let mut user = busy_user();
    let third = user.line("diff design 2 3 --feature dark").answer();
    for line in ["diff 2 3", "diff 2"] {
        let said = user.line(line).answer();
        assert_eq!(said, format!("design (feature dark)\n{third}"), "{line}");
    }
    let reason = user.line("diff 1 2 3").refusal(64);
    assert!(reason.contains("two revisions at most"), "{reason}");
    let reason = user.line("diff 1 2 --feature dark").refusal(64);
    assert!(reason.contains("COMMAND beside --feature"), "{reason}");
}

#[test]
fn a_verb_without_a_run_in_progress_fails_and_names_the_command_that_lists_all() {
    let mut user = User::new();
    user.line("phase design a complete").answer();
    user.line("complete design").answer();
    let root = user.working();
    for verb in ["gate", "undo"] {
        let reason = user.line(verb).refusal(1);
        assert!(reason.contains("no unfinished run"), "{reason}");
        assert!(reason.contains("`milepost status --all`"), "{reason}");
        let reason = user.run(&[verb, "--root", &root]).refusal(1);
        let command = format!("`milepost status --all --root {root}`");
        assert!(reason.contains(&command), "{reason}");
    }
}

#[test]
fn once_nothing_is_unfinished_a_verb_that_only_reads_means_the_newest_run() {
    let mut user = User::new();
    for line in [
        "phase ship push complete",
        "complete ship",
        "phase design a complete --feature dark",
        "complete design --feature dark",
    ] {
        user.line(line).answer();
    }
    for verb in ["log", "diff"] {
        let expected = named(&mut user, verb, "");
        let said = user.line(verb).answer();
        assert_eq!(said, format!("design (feature dark)\n{expected}"), "{verb}");
    }
    let shown = user.line("show").answer();
    assert_eq!(shown, named(&mut user, "show", ""));
    assert!(shown.starts_with("design (feature dark), "), "{shown}");
}

#[test]
fn a_verb_that_only_reads_without_any_run_fails_and_names_the_command_that_lists_all() {
    let mut user = User::new();
    for verb in ["log", "show", "diff"] {
        let reason = user.line(verb).refusal(1);
        assert!(reason.contains("`milepost status --all`"), "{reason}");
    }
}

#[test]
fn a_warning_of_the_search_for_the_latest_run_is_said_once() {
    let mut user = busy_user();
    let path = ".claude/state/design-dark.json";
    user.write(path, user.read(path).replace("specs", "spec"));
    let said = user.line("show");
    assert_eq!(said.error.matches("warning:").count(), 1, "{}", said.error);
}
