//! Files that go back to before a prompt, on real files beside the real git.

use std::fs;

use milepost::effect::Outcome;
use milepost::json::{Json, Object};

use super::worktree::{TempWorktree, failure, list, text, value};

/// A worktree in which the program is at home, and rewinds are wanted.
pub(super) fn at_home(files: &[(&str, &str)]) -> TempWorktree {
    let worktree = TempWorktree::with(files);
    fs::create_dir_all(worktree.at(".claude/state")).unwrap();
    want(&worktree, r#"{"rewind":true}"#);
    worktree
}

/// Writes the settings of agents.
pub(super) fn want(worktree: &TempWorktree, agents: &str) {
    let settings = format!(r#"{{"agents":{agents}}}"#);
    worktree.write(".claude/config/integrations.json", &settings);
}

/// The arguments of an event of a session of Claude Code.
pub(super) fn payload(
    worktree: &TempWorktree,
    session: &str,
    name: &str,
    more: &[(&str, Json)],
) -> [(&'static str, Json); 2] {
    let mut payload = Object::new()
        .with("session_id", session)
        .with("cwd", worktree.root.to_str().unwrap())
        .with("hook_event_name", name);
    for (key, value) in more {
        payload.set(key, value.clone());
    }
    [
        ("agent", "claude-code".into()),
        ("payload", Json::from(payload)),
    ]
}

/// An outcome on a host on which no time passes, so that a moment is complete on a busy machine too.
pub(super) fn unhurried(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Clock { wall_ms, .. } => Outcome::Clock {
            wall_ms,
            monotonic_ms: 0.0,
        },
        other => other,
    }
}

/// An event of a session of Claude Code: what the hook prints.
fn event(worktree: &TempWorktree, session: &str, name: &str, more: &[(&str, Json)]) -> String {
    let arguments = payload(worktree, session, name, more);
    let mut disk = worktree.disk();
    let reply = worktree.ask_over("hook", &arguments, |it| unhurried(disk.perform(it)));
    let warnings = reply.get("warnings").and_then(Json::as_array);
    assert_eq!(warnings.unwrap_or_default(), [], "{reply:?}");
    let output = value(&reply).at("/output").and_then(Json::as_str);
    output.unwrap_or_default().to_owned()
}

pub(super) fn prompt(worktree: &TempWorktree, session: &str, words: &str) -> String {
    let prompt = [("prompt", words.into())];
    event(worktree, session, "UserPromptSubmit", &prompt)
}

pub(super) fn stop(worktree: &TempWorktree, session: &str) {
    event(worktree, session, "Stop", &[]);
}

/// The end of a turn after a hook of the user refused the one before.
pub(super) fn stop_again(worktree: &TempWorktree, session: &str) {
    event(
        worktree,
        session,
        "Stop",
        &[("stop_hook_active", true.into())],
    );
}

/// A tool of the agent writes a file, of which the hook hears afterwards.
pub(super) fn write(worktree: &TempWorktree, session: &str, path: &str, text: &str) {
    worktree.remove(path);
    worktree.write(path, text);
    let input = Object::new()
        .with("file_path", worktree.at(path).to_str().unwrap())
        .with("content", text);
    let more = [("tool_name", "Write".into()), ("tool_input", input.into())];
    event(worktree, session, "PostToolUse", &more);
}

/// The end of a session, also in the middle of a turn.
pub(super) fn end(worktree: &TempWorktree, session: &str) {
    event(
        worktree,
        session,
        "SessionEnd",
        &[("reason", "other".into())],
    );
}

/// Has the process of a session be gone, without an event.
pub(super) fn kill(worktree: &TempWorktree, session: &str) {
    let record = format!(".claude/state/.milepost/.contexts/session-{session}.turn");
    let Ok(text) = fs::read_to_string(worktree.at(&record)) else {
        panic!("there is no {record}");
    };
    let (before, rest) = text.split_once("\"started\":\"").unwrap();
    let (_, rest) = rest.split_once('"').unwrap();
    worktree.write(&record, format!("{before}\"started\":\"1\"{rest}"));
}

/// The value of a rewind.
#[track_caller]
pub(super) fn rewind(worktree: &TempWorktree, more: &[(&str, Json)]) -> Json {
    value(&worktree.ask("rewind", more)).clone()
}

#[track_caller]
pub(super) fn to(worktree: &TempWorktree, words: &str, more: &[(&str, Json)]) -> Json {
    rewind(worktree, &[&[("to", words.into())], more].concat())
}

#[track_caller]
pub(super) fn undo(worktree: &TempWorktree) -> Json {
    rewind(worktree, &[("undo", true.into())])
}

/// The paths of a list of the plan.
pub(super) fn paths(rewound: &Json, of: &str) -> Vec<String> {
    let listed = rewound.at(of).and_then(Json::as_array).unwrap();
    listed.iter().map(|it| text(it, "/path")).collect()
}

pub(super) fn changes(rewound: &Json) -> Vec<String> {
    paths(rewound, "/plan/changes")
}

pub(super) fn left(rewound: &Json) -> Vec<String> {
    paths(rewound, "/plan/left")
}

fn prompts(worktree: &TempWorktree) -> Vec<Json> {
    let reply = worktree.ask("list_prompts", &[]);
    value(&reply).as_array().unwrap().to_vec()
}

pub(super) fn of(worktree: &TempWorktree) -> Vec<(String, char, bool, Vec<u8>)> {
    contents(&worktree.tree())
}

pub(super) fn contents(tree: &super::tree::Tree) -> Vec<(String, char, bool, Vec<u8>)> {
    let nodes = tree.nodes.iter().map(|(path, node)| {
        let (kind, is_executable, bytes) = node.recorded();
        (path.clone(), kind, is_executable, bytes.to_vec())
    });
    nodes.collect()
}

pub(super) const FILES: &[(&str, &str)] =
    &[("a", "1"), ("b", "1"), ("c", "1"), (".gitignore", "out/\n")];

/// A turn that edits, creates and deletes by shell commands, which no tool names.
pub(super) fn turn(worktree: &TempWorktree, words: &str) {
    prompt(worktree, "s", words);
    worktree.write("a", "by the agent");
    worktree.write("new/file", "by the agent");
    worktree.write("out/built", "by the agent");
    worktree.remove("b");
    stop(worktree, "s");
}

#[test]
fn what_a_turn_changed_is_taken_back_and_what_a_person_changed_stays() {
    let worktree = at_home(FILES);
    let before = worktree.tree();
    turn(&worktree, "refactor the parser");
    worktree.write("c", "by a person");
    worktree.write("mine", "by a person");
    let dry = to(&worktree, "1", &[("dry_run", true.into())]);
    assert_eq!(changes(&dry), ["a", "b", "new/file"]);
    assert_eq!(left(&dry), ["c", "mine"]);
    assert_eq!(text(&dry, "/prompt"), "refactor the parser");
    let done = to(
        &worktree,
        "the PARSER",
        &[("plan", text(&dry, "/plan/id").into())],
    );
    assert_eq!(done.at("/restored"), Some(&Json::Bool(true)));
    for path in ["a", "b"] {
        assert_eq!(worktree.tree().nodes[path].bytes, before.nodes[path].bytes);
    }
    assert!(!worktree.at("new").exists());
    assert_eq!(worktree.text("out/built"), "by the agent");
    assert_eq!(worktree.text("c"), "by a person");
    assert_eq!(worktree.text("mine"), "by a person");
}

#[test]
fn a_file_that_a_person_changed_after_the_agent_did_is_named_and_lost_on_request_alone() {
    let worktree = at_home(FILES);
    turn(&worktree, "first");
    worktree.write("a", "by a person");
    let rewound = to(&worktree, "1", &[]);
    assert_eq!(changes(&rewound), ["b", "new/file"]);
    assert_eq!(left(&rewound), ["a"]);
    let rewound = to(&worktree, "1", &[("lose", list(&["a"]))]);
    assert_eq!(changes(&rewound), ["a"]);
    assert_eq!(worktree.text("a"), "1");
    undo(&worktree);
    assert_eq!(worktree.text("a"), "by a person");
}

#[test]
fn only_the_named_files_and_folders_go_back() {
    let worktree = at_home(FILES);
    turn(&worktree, "first");
    let rewound = to(&worktree, "1", &[("files", list(&["new", "b"]))]);
    assert_eq!(changes(&rewound), ["b", "new/file"]);
    assert_eq!(left(&rewound), [""; 0]);
    assert_eq!(worktree.text("a"), "by the agent");
}

#[test]
fn commits_since_the_prompt_stay_and_files_go_back_in_the_worktree_alone() {
    let worktree = at_home(FILES);
    prompt(&worktree, "s", "first");
    worktree.write("a", "by the agent");
    worktree.write("new", "by the agent");
    worktree.commit();
    worktree.write("a", "by the agent again");
    stop(&worktree, "s");
    worktree.write("c", "by a person");
    worktree.commit();
    let head = worktree.git(&["rev-parse", "HEAD"]);
    let rewound = to(&worktree, "1", &[]);
    assert_eq!(changes(&rewound), ["a", "new"]);
    assert_eq!(left(&rewound), ["c"]);
    assert!(text(&rewound, "/commits").contains(".."));
    assert_eq!(worktree.text("a"), "1");
    assert!(!worktree.at("new").exists());
    assert_eq!(worktree.text("c"), "by a person");
    assert_eq!(worktree.git(&["rev-parse", "HEAD"]), head);
    undo(&worktree);
    assert_eq!(worktree.text("a"), "by the agent again");
    assert_eq!(worktree.text("new"), "by the agent");
}

#[test]
fn the_next_prompt_says_to_the_agent_what_is_undone() {
    let worktree = at_home(FILES);
    turn(&worktree, "first");
    assert_eq!(prompt(&worktree, "s", "second"), "");
    stop(&worktree, "s");
    to(&worktree, "first", &[]);
    let notice = prompt(&worktree, "s", "third");
    for words in ["to before the prompt", "first", "a, b, new/file"] {
        assert!(notice.contains(words), "{notice}");
    }
    stop(&worktree, "s");
    assert_eq!(prompt(&worktree, "s", "fourth"), "");
    assert_eq!(prompt(&worktree, "t", "of another session"), "");
}

#[test]
fn prompts_are_listed_with_what_changed_since_and_without_secrets() {
    let worktree = at_home(FILES);
    let token = ["ghp", "_", &"a1B2".repeat(9)].concat();
    turn(&worktree, &format!("use {token} {}", "x".repeat(300)));
    prompt(&worktree, "t", "second");
    stop(&worktree, "t");
    let listed = prompts(&worktree);
    let numbers = listed
        .iter()
        .map(|it| it.at("/number").and_then(Json::as_u64));
    assert_eq!(numbers.collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert_eq!(text(&listed[0], "/prompt"), "second");
    let first = text(&listed[1], "/prompt");
    assert!(
        !first.contains(&token) && first.chars().count() == 200,
        "{first}"
    );
    for (at, expected) in [(0, [0, 0, 0]), (1, [1, 1, 1])] {
        let count = |key: &str| listed[at].at(key).and_then(Json::as_u64).unwrap();
        assert_eq!(["/created", "/changed", "/deleted"].map(count), expected);
    }
    let kept = fs::read_dir(worktree.at(".claude/checkpoints/prompts")).unwrap();
    let kept = kept.map(|it| it.unwrap().path()).filter(|it| it.is_file());
    for file in kept {
        assert!(
            !fs::read_to_string(&file).unwrap().contains(&token),
            "{file:?}"
        );
    }
}

#[test]
fn snapshots_before_prompts_are_in_no_list_of_snapshots() {
    let worktree = at_home(FILES);
    worktree.write("c", "kept by a person");
    let (id, _) = worktree.create();
    for number in 0..12 {
        turn(&worktree, &format!("prompt {number}"));
    }
    to(&worktree, "3", &[]);
    let listed = worktree.ask("list_sessions", &[]);
    let listed = value(&listed).as_array().unwrap().to_vec();
    let ids: Vec<String> = listed.iter().map(|it| text(it, "/id")).collect();
    assert_eq!(ids, std::slice::from_ref(&id));
    let latest = worktree.ask("load_session", &[("latest", true.into())]);
    assert_eq!(text(value(&latest), "/id"), id);
    assert_eq!(prompts(&worktree).len(), 12);
}

#[test]
fn what_is_kept_for_rewinds_is_pruned_beyond_its_limits_and_nothing_else() {
    let worktree = at_home(FILES);
    want(&worktree, r#"{"rewind":true,"rewind_keep":3}"#);
    worktree.write("c", "kept by a person");
    let (id, _) = worktree.create();
    for number in 0..20 {
        prompt(&worktree, "s", "a prompt");
        worktree.write("a", format!("by the agent {number}"));
        stop(&worktree, "s");
    }
    // They are pruned now and then, so that there may be some more.
    assert!(prompts(&worktree).len() < 14);
    let dry = worktree.ask("clean_up_sessions", &[("dry_run", true.into())]);
    let count = value(&dry).as_array().unwrap().len();
    let removed = worktree.ask("clean_up_sessions", &[]);
    assert_eq!(value(&removed).as_array().unwrap().len(), count);
    assert_eq!(prompts(&worktree).len(), 3);
    let rewound = to(&worktree, "3", &[]);
    assert_eq!(changes(&rewound), ["a"]);
    assert_eq!(worktree.text("a"), "by the agent 16");
    let kept = worktree.ask("load_session", &[("id", id.as_str().into())]);
    assert_eq!(text(value(&kept), "/id"), id);
}

#[test]
fn nothing_is_kept_unless_the_project_wants_it() {
    let worktree = at_home(FILES);
    for settings in ["{}", r#"{"rewind":false}"#] {
        want(&worktree, settings);
        turn(&worktree, "first");
        assert!(!worktree.at(".claude/checkpoints").exists());
    }
    let reply = worktree.ask("rewind", &[("to", "1".into())]);
    assert_eq!(failure(&reply).0, "not_found");
    let reply = worktree.ask("rewind", &[("undo", true.into())]);
    assert_eq!(failure(&reply).0, "not_found");
    assert_eq!(failure(&worktree.ask("rewind", &[])).0, "usage");
}

#[test]
fn a_plain_folder_goes_back_as_well() {
    let worktree = at_home(FILES);
    super::worktree::remove(&worktree.at(".git"));
    let before = of(&worktree);
    turn(&worktree, "first");
    let rewound = to(&worktree, "1", &[]);
    assert_eq!(changes(&rewound), ["a", "b", "new/file"]);
    worktree.remove("out");
    assert_eq!(of(&worktree), before);
}

#[test]
fn a_document_says_its_occasion_in_members_of_its_own() {
    let worktree = at_home(FILES);
    turn(&worktree, "first");
    let folder = fs::read_dir(worktree.at(".claude/checkpoints/prompts")).unwrap();
    let files = folder.map(|it| it.unwrap().path());
    let mut files: Vec<_> = files.filter(|it| it.extension().is_some()).collect();
    files.sort_by_key(|it| it.file_stem().unwrap().to_owned());
    let texts: Vec<String> = files
        .iter()
        .map(|it| fs::read_to_string(it).unwrap())
        .collect();
    for (text, occasion) in texts.iter().zip(["prompt", "stop"]) {
        let is_said = [
            format!("origin: \"{occasion}\""),
            format!("origin: {occasion}"),
        ];
        assert!(is_said.iter().any(|it| text.contains(it)), "{text}");
        assert!(text.contains("user_requested"), "{text}");
    }
}
