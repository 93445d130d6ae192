//! Refusals: with a reason on standard error, nothing on standard output, never with 2.

use milepost::effect::Fault;

use super::{User, at, parse};

#[test]
fn a_placeholder_that_is_copied_with_its_command_is_stored_nowhere() {
    let mut user = User::new();
    for placeholder in ["…", "TEXT", "<TEXT>", " TEXT "] {
        let words = ["phase", "design", "a", "complete", "--summary", placeholder];
        let reason = user.run(&words).refusal(64);
        assert!(reason.contains("stands for a summary"), "{reason}");
    }
    user.pipe("TEXT\n")
        .line("phase design a complete -m -")
        .refusal(64);
    assert_eq!(user.folder.path().read_dir().unwrap().count(), 0);
    user.line("phase design a in_progress").answer();
    // A shell takes these for redirections from files that are not there.
    let overview = user.line("").answer();
    assert!(overview.contains(" --summary <TEXT>\n"), "{overview}");
}

#[test]
fn wrong_words_are_usage_errors_and_touch_no_file() {
    let lines = [
        "frobnicate",
        "sav design -",
        "--frobnicate",
        "save",
        "save design",
        "save deploy -",
        "save design - extra",
        "show Design",
        "phase design",
        "phase design a done",
        "phase design a complete --created",
        "resume --feature x",
        "gate --feature x",
        "diff one",
        "diff 1 2 3",
        "diff 1 2 --feature x",
        "diff design one",
        "diff design -1",
        "diff design 1 2 3",
        "log --since yesterday",
        "log --limit few",
        "status --all --unfinished",
        "help satus",
        "validate",
        "tokens",
        "tokens - --limit many",
        "handoff",
        "handoff check",
        "handoff check - --policy warn",
        "handoff check - --response --policy ignore",
        "schema",
        "schema --ts --markdown",
        "schema --json --ts",
        "schema --json --markdown",
        "completions",
        "completions tcsh",
        "status --root",
        // Names that no checkpoint can have.
        "show design --feature a/b",
        "show design --feature checkpoint",
        "complete design --feature ..",
        "log design --feature CON",
    ];
    for line in lines {
        let mut user = User::new();
        let reason = user.line(line).refusal(64);
        if !line.contains("schema --json") {
            assert!(reason.starts_with("milepost: "), "{line}: {reason}");
        }
        assert_eq!(user.folder.path().read_dir().unwrap().count(), 0, "{line}");
    }
}

#[test]
fn with_json_an_error_is_one_line_with_code_and_message() {
    let cases = [
        ("frobnicate --json", 64, "usage"),
        ("--json schema --ts", 64, "usage"),
        ("show design --json", 1, "not_found"),
        ("resume --json", 1, "not_found"),
        ("show design --feature a/b --json", 64, "invalid_name"),
        ("tokens missing.txt --json", 74, "io"),
        ("save design broken.json --json", 65, "invalid_document"),
    ];
    for (line, exit, code) in cases {
        let mut user = User::new();
        user.write("broken.json", "{");
        let reason = user.line(line).refusal(exit);
        assert_eq!(reason.lines().count(), 1, "{reason}");
        let error = parse(&reason);
        assert_eq!(at(&error, "error.code").as_str(), Some(code), "{line}");
        assert!(
            !at(&error, "error.message").as_str().unwrap().is_empty(),
            "{line}"
        );
    }
}

#[test]
fn a_misspelt_command_is_answered_with_the_nearest_one() {
    let reason = User::new().line("satus").refusal(64);
    assert!(reason.contains("'status'"), "{reason}");
}

#[test]
fn an_escape_sequence_in_a_word_is_shown_and_not_acted_on() {
    let reason = User::new().run(&["show", "\u{1b}]0;evil\u{7}"]).refusal(64);
    assert!(!reason.contains('\u{1b}'), "{reason:?}");
    assert!(reason.contains("\\u{1b}]0;evil\\u{7}"), "{reason:?}");
}

#[test]
fn an_input_that_is_missing_or_no_file_is_an_input_failure() {
    for line in [
        "save design missing.json",
        "save design .",
        "tokens .",
        "handoff check .",
    ] {
        User::new().line(line).refusal(74);
    }
}

#[test]
fn an_input_that_is_not_text_or_too_large_is_wrong_data() {
    let mut user = User::new();
    let reason = user.pipe(b"ab\xFF".to_vec()).line("tokens -").refusal(65);
    assert!(
        reason.contains("standard input is not UTF-8 from byte 3 on"),
        "{reason}"
    );
    let large = vec![b' '; (16 << 20) + 1];
    let reason = user.pipe(large).line("tokens -").refusal(65);
    assert!(
        reason.contains("standard input is larger than the limit of 16 MiB"),
        "{reason}"
    );
}

#[test]
fn a_reader_who_stops_early_gets_no_error_of_a_broken_pipe() {
    let mut user = User::new();
    user.deaf = Some((Fault::Closed, "EPIPE: broken pipe"));
    for (line, exit) in [
        ("phase design a pending", 0),
        ("status", 0),
        ("show design", 0),
        ("gate design", 1),
        ("--help", 0),
    ] {
        let said = user.line(line);
        assert_eq!((said.exit, said.error.as_str()), (exit, ""), "{line}");
    }
}

#[test]
fn a_full_device_leaves_no_doubt_that_the_update_was_saved() {
    let mut user = User::new();
    user.deaf = Some((Fault::Other, "ENOSPC: no space left on device"));
    let reason = user.line("status").refusal(74);
    assert_eq!(
        reason,
        "milepost: Cannot print the answer: ENOSPC: no space left on device\n"
    );
    let reason = user.line("phase design a pending").refusal(74);
    assert_eq!(
        reason,
        "milepost: Cannot print the answer, but the update is saved: ENOSPC: no space left on device\n"
    );
    let error = user.line("phase design b pending --json").refusal(74);
    assert_eq!(at(&parse(&error), "error.written").as_str(), Some("yes"));
    let reason = user.line("--help").refusal(74);
    assert!(reason.contains("ENOSPC"), "{reason}");
    user.deaf = None;
    assert!(user.line("show design").answer().contains('b'));
}

#[test]
fn an_argument_that_is_not_utf_8_is_refused() {
    let mut user = User::new();
    let words = [
        "phase",
        "design",
        "a",
        "pending",
        "--summary",
        "caf\u{FFFD}",
    ];
    let reason = user.run(&words).refusal(64);
    assert!(reason.contains("not UTF-8"), "{reason}");
    assert_eq!(user.folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_summary_that_is_too_long_is_refused_with_its_count() {
    let summary = "word ".repeat(501);
    let mut user = User::new();
    let reason = user
        .run(&["phase", "design", "a", "complete", "--summary", &summary])
        .refusal(65);
    let expected = "Context summary exceeds 500 word limit (actual: 501 words)";
    assert!(reason.contains(expected), "{reason}");
    let document = format!(r#"{{"context_summary": "{summary}"}}"#);
    let check = "handoff check - --response";
    let refused = user.pipe(document.as_str()).line(check).refusal(1);
    assert!(refused.contains(expected), "{refused}");
    let warned = user
        .pipe(document.as_str())
        .line(&format!("{check} --policy warn"));
    assert!(warned.error.contains(expected), "{}", warned.error);
    // Programs get the sentence of the scripts.
    let refused = user
        .pipe(document.as_str())
        .line(&format!("{check} --json"))
        .refusal(1);
    assert!(
        refused.contains("exceeds 500 token limit (actual: 501 tokens)"),
        "{refused}"
    );
    assert!(
        user.line("show design")
            .refusal(1)
            .contains("milepost status")
    );
}

#[test]
fn a_corrupt_checkpoint_is_refused_and_stays_unchanged() {
    let mut user = User::new();
    user.write(".claude/state/design-checkpoint.json", "{\"command\":");
    for line in [
        "show design",
        "phase design a complete",
        "complete design",
        "gate design",
    ] {
        let reason = user.line(line).refusal(65);
        let expected =
            "Checkpoint file exists but is corrupt: .claude/state/design-checkpoint.json";
        assert!(reason.contains(expected), "{line}: {reason}");
        assert_eq!(
            user.read(".claude/state/design-checkpoint.json"),
            "{\"command\":"
        );
    }
}

#[test]
fn a_document_with_several_problems_is_refused_with_all_of_them() {
    let mut user = User::new();
    let document = r#"{"command": "design", "state": {"current_phase": 1}, "phases": {"a": {"status": "done"}}}"#;
    let reason = user.pipe(document).line("save design -").refusal(65);
    assert!(reason.contains("\n  /state/current_phase: "), "{reason}");
    assert!(reason.contains("\n  /phases/a/status: "), "{reason}");
    let reason = user.pipe(document).line("save design - --json").refusal(65);
    let error = parse(&reason);
    assert!(
        at(&error, "error.problems").as_array().unwrap().len() >= 2,
        "{reason}"
    );
}

#[test]
fn a_document_of_a_later_version_is_not_written() {
    let document = r#"{"command": "design", "version": 2}"#;
    let mut user = User::new();
    let reason = user.pipe(document).line("save design - --json").refusal(65);
    assert_eq!(
        at(&parse(&reason), "error.code").as_str(),
        Some("unsupported_version")
    );
}

#[test]
fn a_file_of_another_feature_is_nothing_to_try_again() {
    let mut user = User::new();
    let state = ".claude/state";
    user.line("phase design a pending --feature Dark").answer();
    let text = user.read(&format!("{state}/design-Dark.json"));
    user.write(&format!("{state}/design-x.json"), text);
    let refused = user.line("phase design a complete --feature x").refusal(65);
    assert!(refused.contains("`milepost doctor`"), "{refused}");
    assert!(!refused.contains("milepost show"), "{refused}");
}

#[test]
fn a_document_from_a_revision_that_never_was_is_a_conflict() {
    let mut user = User::new();
    user.line("phase design a pending").answer();
    let shown = user.line("show design --json").answer();
    let ahead = shown.replace("\"revision\": 1", "\"revision\": 9");
    assert_ne!(ahead, shown);
    let reason = user.pipe(ahead).line("save design -").refusal(75);
    assert!(reason.contains("`milepost show design --json`"), "{reason}");
    let root = user.working();
    let ahead = shown.replace("\"revision\": 1", "\"revision\": 9");
    let words = ["save", "design", "-", "--root", &root];
    let reason = user.pipe(ahead).run(&words).refusal(75);
    let command = format!("`milepost show design --json --root {root}`");
    assert!(reason.contains(&command), "{reason}");
}

#[cfg(unix)]
#[test]
fn a_state_folder_that_is_a_link_is_not_followed() {
    let mut user = User::new();
    let elsewhere = tempfile::tempdir().unwrap();
    user.write(".claude/keep", "");
    std::os::unix::fs::symlink(elsewhere.path(), user.folder.path().join(".claude/state")).unwrap();
    let reason = user.line("phase design a complete --json").refusal(65);
    assert_eq!(
        at(&parse(&reason), "error.code").as_str(),
        Some("unsafe_path")
    );
    assert_eq!(elsewhere.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_request_that_no_host_should_send_is_a_usage_error() {
    let requests = [
        "",
        "[]",
        "{}",
        r#"{"arguments": "status", "place": {"working": "/"}, "color": false}"#,
        r#"{"arguments": [1], "place": {"working": "/"}, "color": false}"#,
        r#"{"arguments": [], "place": {"working": "/"}}"#,
        r#"{"arguments": [], "place": {}, "color": false, "width": "wide"}"#,
        r#"{"arguments": [], "color": false}"#,
    ];
    for request in requests {
        let reason = User::new().drive(request.as_bytes()).refusal(64);
        assert!(reason.starts_with("milepost: "), "{request}: {reason}");
    }
}

#[test]
fn a_request_carries_words_place_and_colour() {
    let mut user = User::new();
    let place = format!(
        r#"{{"root": null, "git_root": null, "working": "{}", "dir": null, "durability": "lazy"}}"#,
        user.working().replace('\\', "/")
    );
    let request = format!(r#"{{"arguments": ["status"], "place": {place}, "color": true}}"#);
    let said = user.drive(request.as_bytes());
    assert_eq!(said.answer(), "No runs\n");
    let wide = request.replace(r#""color": true"#, r#""color": true, "width": 40"#);
    let wide = wide.replace(r#"["status"]"#, r#"["phase", "design", "a", "pending"]"#);
    user.drive(wide.as_bytes()).answer();
}
