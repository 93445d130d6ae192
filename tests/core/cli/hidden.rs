//! Hidden text on a terminal.

use milepost::checkpoint::session::yaml;
use milepost::json::Object;
use milepost::operation::request;

use super::{CallResult, User};
use crate::hidden::{self, Text};

const RUN: &str = ".claude/state/implement-checkpoint.json";
const ONE: &str = "chk-20250126-103000";
const OTHER: &str = "chk-20250126-113000";

/// The sequences that answers have of their own.
const STYLES: [&str; 4] = ["\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[0m"];

/// Commands that show stored text.
const LINES: [&str; 21] = [
    "",
    "status",
    "status --all",
    "show",
    "show implement",
    "resume",
    "resume implement",
    "log implement",
    "diff implement",
    "gate implement",
    "list --archived",
    "restore --latest",
    "restore --latest --files --dry-run",
    "verify --latest",
    "show chk-20250126-103000",
    "diff chk-20250126-103000 chk-20250126-113000",
    "show start",
    "log start",
    "diff start 1 2",
    "thread list",
    "thread show [id]",
];

/// A user whose project has a run and two snapshots with a text in each field.
fn user(text: &Text) -> User {
    let mut user = User::new();
    let place = Object::new().with("root", user.working());
    let thread = hidden::thread(text).with("place", place).to_line();
    let reply = request::start(thread.as_bytes()).run(|effect| user.disk.perform(effect));
    assert!(!reply.contains(r#""error":{"#), "{reply}");
    user.write(RUN, hidden::run(text).to_document());
    let mut other = hidden::session(text, OTHER);
    other.remove(&text.of("member"));
    for (id, session) in [(ONE, hidden::session(text, ONE)), (OTHER, other)] {
        let file = format!(".claude/checkpoints/{id}.yaml");
        user.write(&file, yaml::write(&session));
    }
    user
}

/// The output of a call, without the styles of the program.
fn printed(said: CallResult) -> [String; 2] {
    [said.output, said.error].map(|text| {
        let without = |text: String, style: &&str| text.replace(*style, "");
        STYLES.iter().fold(text, without)
    })
}

/// Everything that the command line prints where texts are stored, or stand among the words of a call.
pub(crate) fn terminal(text: &Text) -> Vec<String> {
    let mut user = user(text);
    let value = text.of("argument");
    let mut said = Vec::new();
    for words in writing(&value) {
        said.extend(printed(user.run(&words)));
    }
    for (color, option) in [(false, None), (false, Some("--json")), (true, None)] {
        user.color = color;
        user.width = color.then_some(60);
        let mut calls = refused(&value);
        for line in LINES {
            calls.push(line.split_whitespace().collect());
        }
        for mut words in calls {
            words.extend(option);
            said.extend(printed(user.run(&words)));
        }
        for line in ["validate -", "save implement -", "handoff check -"] {
            let mut words: Vec<&str> = line.split(' ').collect();
            words.extend(option);
            user.pipe(hidden::run(text).to_document());
            said.extend(printed(user.run(&words)));
        }
    }
    // A problem of the settings is a warning of every call from then on.
    let settings = hidden::run(text).with("commands", vec![value.as_str()]);
    user.write(".claude/config/integrations.json", settings.to_document());
    for line in ["status", "resume --json", "schema --ts"] {
        said.extend(printed(user.line(line)));
    }
    said
}

/// Calls that store texts, or refuse to.
fn writing(value: &str) -> Vec<Vec<&str>> {
    vec![
        vec![
            "phase",
            "start",
            "a",
            "complete",
            "--summary",
            value,
            "--created",
            value,
            "--task",
            value,
        ],
        vec!["phase", "start", "a", "failed", "--error", value],
        vec!["phase", "start", value, "in_progress"],
        vec!["begin", "review", value],
        vec!["gate", "start", "--close", value],
        vec!["create", "--reason", "handoff", "--message", value, "start"],
    ]
}

/// Calls that are refused, with a word of them in the reason.
fn refused(value: &str) -> Vec<Vec<&str>> {
    vec![
        vec![value],
        vec!["show", value],
        vec!["show", "implement", "--feature", value],
        vec!["show", "implement", "--revision", value],
        vec!["phase", "start", "a", value],
        vec!["save", "implement", value],
        vec!["validate", value],
        vec!["restore", "--id", value],
        vec!["create", "--reason", value],
        vec!["rename", "implement", "--feature", value, value],
        vec!["log", "implement", "--since", value],
        vec!["tokens", value],
        vec!["status", "--root", value],
        vec!["status", "--dir", value],
    ]
}

/// The part of a commit that is printed: its first seven characters.
pub(crate) fn commits(text: &Text) -> Vec<String> {
    let mut user = user(text);
    let lines = ["show implement", "verify --latest", "status"];
    let said: Vec<String> = lines
        .iter()
        .flat_map(|line| printed(user.line(line)))
        .collect();
    assert!(
        said.iter().any(|it| it.starts_with("HEAD has moved: \\u{")),
        "{said:?}"
    );
    said
}
