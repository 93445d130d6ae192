//! Findings of an examination about hooks.

use milepost::json::Json;

use super::super::{User, at, parse};
use super::{SETTINGS, at_home, names};

/// Findings of doctor about hooks: level, path and sentence.
fn examined(user: &mut User) -> Vec<(String, String, String)> {
    let said = user.line("doctor --json");
    let findings = parse(&said.output);
    let of = |finding: &Json, key: &str| {
        let value = finding.as_object().and_then(|it| it.get(key)?.as_str());
        value.unwrap_or_default().to_owned()
    };
    let all = findings.as_array().unwrap().iter();
    let hooks = all.filter(|it| of(it, "check") == "hooks");
    hooks
        .map(|it| (of(it, "level"), of(it, "path"), of(it, "found")))
        .collect()
}

#[test]
fn hooks_that_cannot_run_are_found_by_an_examination() {
    let mut user = at_home();
    let release = env!("CARGO_PKG_VERSION");
    let package = |version: &str| format!("{{\"version\": \"{version}\"}}");
    user.write("node_modules/milepost/package.json", package(release));
    let none = "No coding agent has hooks registered in this project";
    assert_eq!(
        examined(&mut user),
        [("ok".into(), String::new(), none.into())]
    );
    user.line("hooks install claude-code").answer();
    let sound =
        "claude-code has hooks for all of its 8 events, on Node, and what they run is there";
    let settings = || SETTINGS.to_owned();
    let silent = "No hook of claude-code has run yet, by what checkpoints say";
    let silent = || ("note".into(), settings(), silent.into());
    assert_eq!(
        examined(&mut user),
        [("ok".into(), settings(), sound.into()), silent()]
    );
    user.write("node_modules/milepost/package.json", package("0.0.9"));
    let other =
        format!("The hooks of claude-code run release 0.0.9, and this program is {release}");
    assert_eq!(
        examined(&mut user),
        [("note".into(), settings(), other), silent()]
    );
    std::fs::remove_dir_all(user.folder.path().join("node_modules")).unwrap();
    let text = user.read(SETTINGS).replace("\"Stop\"", "\"Stopp\"");
    user.write(SETTINGS, text);
    let lacking = "The hooks of claude-code lack Stop";
    let nothing = "The hooks of claude-code run nothing: node_modules/milepost is not there";
    let wrong = |it: &str| ("warning".into(), settings(), it.into());
    assert_eq!(
        examined(&mut user),
        [wrong(lacking), wrong(nothing), silent()]
    );
}

#[test]
fn an_examination_says_when_a_hook_last_ran() {
    let mut user = at_home();
    let release = env!("CARGO_PKG_VERSION");
    let package = format!("{{\"version\": \"{release}\"}}");
    user.write("node_modules/milepost/package.json", package);
    user.line("hooks install claude-code gemini").answer();
    user.line("hooks install claude-code --scope local")
        .answer();
    for (feature, agent, seen) in [
        ("a", "claude-code", "2026-03-01T08:00:00.000Z"),
        ("b", "claude-code", "2026-03-02T08:00:00.000Z"),
        ("c", "claude-code", "2026-03-01T20:00:00.000Z"),
        ("d", "another", "2026-03-04T08:00:00.000Z"),
    ] {
        let document = format!(
            r#"{{"agent_sessions": {{"s-{feature}": {{"agent": "{agent}", "seen_at": "{seen}"}}}}}}"#
        );
        user.pipe(document);
        user.run(&["save", "implement", "--feature", feature, "-"])
            .answer();
    }
    user.line("complete implement --feature b").answer();
    let said = examined(&mut user);
    let ran: Vec<&(String, String, String)> = said
        .iter()
        .filter(|(_, _, found)| found.contains(" ran ") || found.contains(" run yet"))
        .collect();
    let expected = [
        (
            "ok",
            SETTINGS,
            "A hook of claude-code last ran at 2026-03-02T08:00:00.000Z, by what checkpoints say",
        ),
        (
            "note",
            ".gemini/settings.json",
            "No hook of gemini has run yet, by what checkpoints say",
        ),
    ];
    let expected = expected.map(|(level, path, found)| (level.into(), path.into(), found.into()));
    assert_eq!(ran, expected.iter().collect::<Vec<_>>());
}

#[test]
fn records_of_a_status_line_are_no_strays() {
    let mut user = at_home();
    user.line("phase implement printer in_progress").answer();
    let event = format!(
        r#"{{"session_id": "a", "cwd": "{0}", "hook_event_name": "PostToolUse", "tool_name": "Write",
            "tool_input": {{"file_path": "{0}/x"}}, "tool_response": {{}}}}"#,
        user.working()
    );
    user.pipe(event.clone()).line("hook claude-code").answer();
    let status = r#"{"session_id": "a", "context_window": {"used_percentage": 82}}"#;
    let line = user.pipe(status).line("statusline").answer();
    assert_eq!(line, "implement · printer 0/1 · 82 %\n");
    let folder = ".claude/state/.milepost/.contexts";
    let recorded = ["session-a.due", "session-a.json", "session-a.owner"];
    assert_eq!(names(&user, folder), recorded);
    let said = user.line("doctor --json");
    let findings = parse(&said.output);
    let strays = findings.as_array().unwrap().iter();
    let strays: Vec<String> = strays
        .filter(|it| ["strays", "leftovers", "modes"].contains(&at(it, "check").as_str().unwrap()))
        .map(|it| at(it, "level").as_str().unwrap().to_owned())
        .collect();
    assert_eq!(strays, ["ok", "ok", "ok"], "{}", said.output);
    let answer = user.pipe(event).line("hook claude-code").answer();
    assert!(
        answer.contains("82 % full") && answer.contains("`milepost phase implement printer"),
        "{answer}"
    );
    assert_eq!(
        names(&user, folder),
        ["session-a.json", "session-a.made", "session-a.owner"]
    );
}
