//! Sessions in linked worktrees that the real git made: where their state is, and that it outlives them.

use std::fs;
use std::path::{Path, PathBuf};

use milepost::json::{self, Json, Object};

use crate::disk::Disk;
use crate::git::{Repository, git};
use crate::variants;

use super::{at, facts_in};

/// A repository with a default branch.
fn repository() -> Repository {
    let repository = Repository::new(&[]);
    let head = [
        "symbolic-ref",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/main",
    ];
    repository.git(&head);
    repository
}

/// A linked worktree beside the main one, on a branch of its own.
fn linked(repository: &Repository, name: &str) -> PathBuf {
    let folder = format!("../{name}");
    repository.git(&["worktree", "add", "-q", "-b", name, &folder]);
    repository.at(name)
}

/// The repository with a detached HEAD.
fn detached(repository: &Repository, name: &str) -> PathBuf {
    let folder = format!("../{name}");
    repository.git(&["worktree", "add", "-q", "--detach", &folder]);
    repository.at(name)
}

/// Asks for an operation in a folder.
#[track_caller]
fn ask(folder: &Path, operation: &str, more: Object) -> Json {
    let place = Object::new().with("working", folder.to_str().unwrap());
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", place);
    for (key, value) in more {
        request.set(&key, value);
    }
    let mut disk = Disk::new();
    let request = Json::from(request).to_line();
    let reply = variants::reply(request.as_bytes(), |effect| disk.perform(effect));
    let reply = json::read(reply.as_bytes()).unwrap().value;
    let value = reply.at("/value").cloned();
    value.unwrap_or_else(|| panic!("{}", reply.to_line()))
}

/// The context that a session of Claude Code gets for an event.
#[track_caller]
fn hook(folder: &Path, session: &str, name: &str, more: &str) -> Option<Json> {
    let text = format!(
        r#"{{"session_id":"{session}","cwd":"{}","hook_event_name":"{name}",{more}}}"#,
        folder.display()
    );
    let payload = json::read(text.as_bytes()).unwrap().value;
    let arguments = Object::new()
        .with("agent", "claude-code")
        .with("payload", payload);
    let value = ask(folder, "hook", arguments);
    let output = value.at("/output").and_then(Json::as_str);
    facts_in(output.map(str::to_owned))
}

#[track_caller]
fn started(folder: &Path, session: &str) -> Option<Json> {
    hook(folder, session, "SessionStart", r#""source":"startup""#)
}

#[track_caller]
fn planned(folder: &Path, session: &str, phase: &str) {
    let more = format!(
        r#""tool_name":"TodoWrite","tool_input":{{"todos":[{{"content":"{phase}","status":"in_progress"}}]}}"#
    );
    hook(folder, session, "PostToolUse", &more);
}

#[track_caller]
fn ended(folder: &Path, session: &str) {
    hook(folder, session, "SessionEnd", r#""reason":"other""#);
}

/// The phase that a session is shown as its own, and the other work.
#[track_caller]
fn own_and_others(folder: &Path, session: &str) -> (String, String) {
    let facts = started(folder, session).unwrap_or(Json::Null);
    (at(&facts, "/phase"), at(&facts, "/other_work_here"))
}

/// The names of the files of runs below a folder.
fn runs(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder.join(".claude/state")) else {
        return Vec::new();
    };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut runs: Vec<String> = names.filter(|name| name.ends_with(".json")).collect();
    runs.sort();
    runs
}

#[test]
fn work_of_a_worktree_outlives_it() {
    let repository = repository();
    let main = repository.top();
    let side = linked(&repository, "side");
    planned(&side, "s", "In the worktree");
    planned(&main, "m", "In the main one");
    for session in ["s", "m"] {
        ended(&side, session);
    }
    assert_eq!(fs::read_dir(&side).unwrap().count(), 1, "its .git alone");
    // Each gets its own branch, and the other one as other work.
    let (phase, others) = own_and_others(&side, "s-2");
    assert_eq!(phase, "\"In the worktree\"");
    assert!(others.contains("branch main"), "{others}");
    let (phase, others) = own_and_others(&main, "m-2");
    assert_eq!(phase, "\"In the main one\"");
    assert!(others.contains("branch side"), "{others}");

    repository.git(&["worktree", "remove", "--force", "../side"]);
    let (phase, others) = own_and_others(&main, "m-3");
    assert_eq!(phase, "\"In the main one\"");
    assert!(
        others.contains("implement (feature side): branch side"),
        "{others}"
    );
    // Its branch is checked out again, in another worktree.
    repository.git(&["checkout", "-q", "side"]);
    let (phase, others) = own_and_others(&main, "m-4");
    assert_eq!(phase, "\"In the worktree\"");
    assert!(others.contains("branch main"), "{others}");
    planned(&main, "m-4", "In the worktree");
    assert_eq!(
        runs(&main),
        ["implement-checkpoint.json", "implement-side.json"]
    );
}

#[test]
fn a_worktree_with_a_state_folder_goes_on_with_it() {
    let repository = repository();
    let side = linked(&repository, "side");
    fs::create_dir_all(side.join(".claude/state")).unwrap();
    planned(&side, "s", "In the worktree");
    assert_eq!(runs(&side), ["implement-side.json"]);
    assert_eq!(runs(&repository.top()), [""; 0]);
}

#[test]
fn a_worktree_that_the_main_one_does_not_know_keeps_its_state() {
    let repository = repository();
    let side = linked(&repository, "side");
    let noted = repository.top().join(".git/worktrees/side/gitdir");
    // A copy of a worktree, with a `.git` that leads to the same repository.
    let copy = repository.at("copy");
    fs::create_dir(&copy).unwrap();
    fs::copy(side.join(".git"), copy.join(".git")).unwrap();
    planned(&copy, "c", "In the copy");
    assert_eq!(runs(&copy), ["implement-side.json"]);
    assert_eq!(runs(&repository.top()), [""; 0]);
    // The other way round, git notes it.
    fs::remove_dir_all(copy.join(".claude")).unwrap();
    fs::write(noted, format!("{}\n", copy.join(".git").display())).unwrap();
    planned(&copy, "c", "In the copy");
    assert_eq!(runs(&copy), [""; 0]);
    assert_eq!(runs(&repository.top()), ["implement-side.json"]);
}

#[cfg(unix)]
#[test]
fn a_worktree_is_known_by_each_of_its_names() {
    let repository = repository();
    let side = linked(&repository, "side");
    let link = repository.at("link");
    std::os::unix::fs::symlink(&side, &link).unwrap();
    planned(&link, "s", "Through a link");
    assert_eq!(runs(&side), [""; 0]);
    assert_eq!(runs(&repository.top()), ["implement-side.json"]);
}

#[test]
fn a_submodule_and_a_worktree_of_a_bare_repository_keep_their_state() {
    let repository = repository();
    let library = Repository::new(&[]);
    let source = library.top();
    let source = source.to_str().unwrap();
    repository.git(&["submodule", "--quiet", "add", source, "vendor/library"]);
    let submodule = repository.top().join("vendor/library");
    let bare = repository.at("bare.git");
    repository.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    git(
        &bare,
        &["worktree", "add", "-q", "-b", "side", "../of-bare"],
    );
    for folder in [submodule, repository.at("of-bare")] {
        planned(&folder, "s", "Here");
        assert_eq!(runs(&folder).len(), 1, "{}", folder.display());
    }
    assert_eq!(runs(&repository.top()), [""; 0]);
}

#[test]
fn a_root_or_a_state_folder_that_is_named_stays_in_the_worktree() {
    let repository = repository();
    let side = linked(&repository, "side");
    let path = side.to_str().unwrap();
    let in_main = repository.top().join(".claude/state");
    let in_side = side.join(".claude/state");
    for (key, value, expected) in [
        ("working", path, in_main),
        ("root", path, in_side.clone()),
        ("git_root", path, in_side),
        ("dir", "runs", side.join("runs")),
    ] {
        let place = Object::new().with("working", path).with(key, value);
        let location = ask(&side, "location", Object::new().with("place", place));
        let state = location.at("/state_folder").and_then(Json::as_str);
        assert_eq!(state, expected.to_str(), "{key}");
    }
}

#[test]
fn tracked_files_are_looked_up_beside_the_state() {
    let repository = repository();
    let side = linked(&repository, "side");
    planned(&side, "s", "In the worktree");
    let load = |folder: &Path| {
        let place = Object::new().with("working", folder.to_str().unwrap());
        let request = Object::new()
            .with("operation", "load")
            .with("place", place)
            .with("command", "implement")
            .with("feature", "side");
        let mut disk = Disk::new();
        let request = Json::from(request).to_line();
        let reply = variants::reply(request.as_bytes(), |effect| disk.perform(effect));
        reply.contains("untrusted_origin")
    };
    assert!(!load(&side));
    repository.git(&["add", "-f", ".claude/state/implement-side.json"]);
    assert!(load(&side));
    assert!(load(&repository.top()));
}

#[test]
fn nothing_more_is_asked_for_in_the_main_worktree() {
    let repository = repository();
    linked(&repository, "side");
    let place = Object::new().with("working", repository.top().to_str().unwrap());
    let request = Object::new()
        .with("operation", "location")
        .with("place", place);
    let request = Json::from(request).to_line();
    let mut disk = Disk::new();
    variants::reply(request.as_bytes(), |effect| disk.perform(effect));
    assert_eq!(disk.asked.len(), 1, "{:?}", disk.asked);
}

/// The feature of the run that a command means.
#[track_caller]
fn feature_of_run(folder: &Path) -> String {
    let run = ask(
        folder,
        "run_here",
        Object::new().with("command", "implement"),
    );
    at(&run, "/feature")
}

#[test]
fn worktrees_without_a_branch_have_runs_of_their_own() {
    let repository = repository();
    let (one, other) = (detached(&repository, "one"), detached(&repository, "other"));
    assert_eq!(feature_of_run(&one), "\"one\"");
    planned(&one, "s", "In one");
    planned(&other, "t", "In the other");
    ended(&one, "s");
    ended(&other, "t");
    assert_eq!(
        runs(&repository.top()),
        ["implement-one.json", "implement-other.json"]
    );
    for (folder, expected) in [(&one, "In one"), (&other, "In the other")] {
        let (phase, others) = own_and_others(folder, "next");
        assert_eq!(phase, format!("\"{expected}\""));
        assert!(others.contains("detached HEAD"), "{others}");
    }
    assert_eq!(feature_of_run(&other), "\"other\"");
}

#[test]
fn a_worktree_with_the_name_of_one_that_was_removed_is_another_one() {
    let repository = repository();
    let folder = detached(&repository, "again");
    planned(&folder, "s", "Before");
    ended(&folder, "s");
    assert_eq!(own_and_others(&folder, "t").0, "\"Before\"");
    repository.git(&["worktree", "remove", "--force", "../again"]);
    detached(&repository, "again");
    // A reflog has whole seconds, and a test takes less.
    let log = repository.top().join(".git/worktrees/again/logs/HEAD");
    let text = fs::read_to_string(&log).unwrap();
    let (before, time) = text.split_once("> ").unwrap();
    let (seconds, rest) = time.split_once(' ').unwrap();
    let later = seconds.parse::<u64>().unwrap() + 100;
    fs::write(&log, format!("{before}> {later} {rest}")).unwrap();
    let (phase, others) = own_and_others(&folder, "u");
    assert_eq!(phase, "");
    assert!(others.contains("implement (feature again)"), "{others}");
}

#[test]
fn a_run_of_another_worktree_is_not_taken_for_its_name() {
    let repository = repository();
    let (main, trunk) = (repository.top(), linked(&repository, "develop"));
    planned(&main, "m", "On main");
    ended(&main, "m");
    // Work on either of these branches has no feature.
    assert_eq!(feature_of_run(&main), "null");
    let of_trunk = feature_of_run(&trunk);
    assert_ne!(of_trunk, "null");
    planned(&trunk, "s", "On develop");
    ended(&trunk, "s");
    assert_eq!(runs(&main).len(), 2);
    let recorded = feature_of_run(&trunk);
    assert!(recorded.starts_with("\"session-"), "{recorded}");
    assert_eq!(own_and_others(&trunk, "t").0, "\"On develop\"");
    assert_eq!(own_and_others(&main, "n").0, "\"On main\"");
}

#[test]
fn a_complete_run_of_another_worktree_stays_complete() {
    let repository = repository();
    let (main, trunk) = (repository.top(), linked(&repository, "develop"));
    for begun in ["file", "command"] {
        planned(&main, "m", "On main");
        ended(&main, "m");
        ask(
            &main,
            "complete",
            Object::new()
                .with("command", "implement")
                .with("force", true),
        );
        match begun {
            "file" => planned(&trunk, "s", "On develop"),
            _ => drop(hook(
                &trunk,
                "t",
                "UserPromptSubmit",
                r#""prompt":"/implement""#,
            )),
        }
        let load = Object::new().with("command", "implement");
        let text = at(&ask(&main, "load", load), "/text");
        assert!(text.contains("completed_at"), "{begun}: {text}");
        ended(&trunk, "s");
    }
}
