//! The command line in linked worktrees, whose runs are kept with those of the main one.

use std::path::Path;

use milepost::json::{Json, Object};

use super::{CallResult, User, parse};
use crate::git::{Repository, git};

/// Runs the words of a line in a folder that no variable names.
fn line(folder: &Path, line: &str, input: &str) -> CallResult {
    let words: Vec<Json> = line.split_whitespace().map(Json::from).collect();
    let place = Object::new()
        .with("working", folder.to_str().unwrap())
        .with("durability", "lazy");
    let call = Object::new()
        .with("arguments", words)
        .with("place", place)
        .with("color", false)
        .with("width", Json::Null)
        .with("user", Json::Null)
        .with("interactive", false);
    let mut user = User::new();
    user.pipe(input);
    user.drive(Json::from(call).to_line().as_bytes())
}

#[track_caller]
fn answer(folder: &Path, words: &str) -> String {
    line(folder, words, "").answer()
}

/// A session in a folder makes a plan of one phase, and ends.
fn session(folder: &Path, phase: &str) {
    let folder_name = folder.display();
    for more in [
        format!(
            r#""hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{{"todos":[{{"content":"{phase}","status":"in_progress"}}]}}"#
        ),
        r#""hook_event_name":"SessionEnd","reason":"other""#.to_owned(),
    ] {
        let payload = format!(r#"{{"session_id":"{phase}","cwd":"{folder_name}",{more}}}"#);
        let said = line(folder, "hook claude-code", &payload);
        assert_eq!((said.exit, said.error.as_str()), (0, ""));
    }
}

#[test]
fn verbs_without_a_command_mean_the_run_of_the_worktree() {
    let repository = Repository::new(&[]);
    let main = repository.top();
    repository.git(&["worktree", "add", "-q", "-b", "side", "../side"]);
    let side = repository.at("side");
    session(&side, "Aside");
    session(&main, "Onward");

    assert_eq!(
        answer(&side, "resume"),
        "command  implement\nfeature  side\nbranch   side\nphase    Aside\nstatus   in_progress\n\n\
         Also unfinished: implement on main\n"
    );
    assert!(answer(&main, "resume").contains("phase    Onward\n"));
    assert!(answer(&side, "show").contains("branch     side\n"));
    let status = answer(&main, "status");
    assert!(
        status.starts_with("COMMAND    FEATURE  BRANCH  "),
        "{status}"
    );
    for row in ["implement  -        main", "implement  side     side"] {
        assert!(status.contains(row), "{status}");
    }
    let listed = parse(&answer(&side, "status --json"));
    let branches = listed.as_array().unwrap().iter();
    let branches: Vec<String> = branches
        .map(|one| one.at("/branch").unwrap().to_line())
        .collect();
    assert_eq!(branches, ["\"main\"", "\"side\""]);

    let made = parse(&answer(&side, "create --reason handoff --json"));
    let file = made.at("/path").and_then(Json::as_str).unwrap();
    let made = std::fs::read_to_string(side.join(file)).unwrap();
    assert!(made.contains("side") && !made.contains("Onward"), "{made}");
    let doctor = line(&side, "doctor --look-only", "").output;
    assert!(
        doctor.starts_with("State is kept with the main worktree"),
        "{doctor}"
    );

    // The rest belongs to a worktree that is gone: it is shown, and to change it it has to be named.
    answer(&main, "complete implement --force");
    repository.git(&["worktree", "remove", "--force", "../side"]);
    let said = answer(&main, "resume");
    assert!(
        said.contains("branch   side (not checked out here)\n"),
        "{said}"
    );
    let said = parse(&answer(&main, "resume --json"));
    assert_eq!(said.at("/is_elsewhere"), Some(&Json::Bool(true)));
    assert!(answer(&main, "show").contains("branch     side\n"));
    let refusal = line(&main, "undo", "").refusal(1);
    assert!(
        refusal.contains("implement (feature side) on side"),
        "{refusal}"
    );
    git(&main, &["checkout", "-q", "side"]);
    assert!(answer(&main, "resume").contains("branch   side\n"));
}

#[test]
fn an_empty_feature_names_the_run_without_one_wherever_a_branch_has_its_own() {
    let repository = Repository::new(&[]);
    repository.git(&["worktree", "add", "-q", "-b", "side", "../side"]);
    let side = repository.at("side");
    answer(&side, "phase design sketch in_progress --feature=");
    answer(&side, "phase design draft in_progress");
    for (words, phase) in [
        ("resume design --feature=", "sketch"),
        ("resume design", "draft"),
        ("show design --feature=", "sketch"),
    ] {
        let shown = answer(&side, words);
        assert!(shown.contains(phase), "{words}: {shown}");
    }
}

#[test]
fn the_commands_of_an_answer_mean_the_run_without_a_feature_that_was_named() {
    let repository = Repository::new(&[]);
    repository.git(&["worktree", "add", "-q", "-b", "side", "../side"]);
    let side = repository.at("side");
    answer(&side, "phase design sketch in_progress --feature=");
    answer(&side, "phase design draft in_progress --feature side");
    let refusal = line(&side, "complete design --feature=", "").refusal(64);
    let force = "milepost complete design --force --feature=";
    assert!(refusal.contains(&format!("`{force}`")), "{refusal}");
    let news = answer(&side, "phase design sketchh --feature=");
    let back = "milepost phase design sketchh --remove --feature=";
    assert!(news.contains(&format!("`{back}`")), "{news}");
    let refusal = line(&side, "complete design", "").refusal(64);
    let force = "milepost complete design --force --feature side";
    assert!(refusal.contains(&format!("`{force}`")), "{refusal}");
}
