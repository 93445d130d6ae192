//! The commands that work on given text alone.

use super::{User, at, parse};

#[test]
fn tokens_are_counted_and_held_against_a_limit() {
    let mut user = User::new();
    user.write("text.md", "one two\nthree\u{feff}four");
    assert_eq!(user.line("tokens text.md").answer(), "4\n");
    assert_eq!(user.line("tokens text.md --limit 4").answer(), "4\n");
    let over = user.line("tokens text.md --limit 3");
    assert_eq!((over.exit, over.output.as_str()), (1, "4\n"));
    assert_eq!(user.pipe("").line("tokens -").answer(), "0\n");
    let over = user.pipe("a b").line("tokens - --limit 1 --json");
    let json = parse(&over.output);
    assert_eq!(over.exit, 1);
    assert_eq!(
        json.to_line(),
        r#"{"valid":false,"token_count":2,"limit":1}"#
    );
}

#[test]
fn exact_tokens_are_counted_by_the_host() {
    let mut user = User::new();
    user.write("text.md", "one two");
    user.counts = true;
    assert_eq!(user.line("tokens text.md --encoding o200k").answer(), "7\n");
    let by_tiktoken = user.line("tokens text.md --encoding o200k_base --json");
    assert_eq!(
        parse(&by_tiktoken.answer()).to_line(),
        r#"{"valid":true,"token_count":7,"limit":null,"encoding":"o200k"}"#
    );
    let over = user.line("tokens text.md --encoding cl100k --limit 6 --json");
    assert_eq!(over.exit, 1);
    assert_eq!(
        parse(&over.output).to_line(),
        r#"{"valid":false,"token_count":7,"limit":6,"encoding":"cl100k"}"#
    );
    let refused = user.line("tokens text.md --encoding p50k").refusal(64);
    assert!(refused.contains("o200k, cl100k"), "{refused}");
    user.counts = false;
    let refused = user.line("tokens text.md --encoding o200k").refusal(74);
    assert!(
        refused.contains("Cannot count the tokens of a text in o200k: "),
        "{refused}"
    );
}

#[test]
fn a_handoff_above_the_budget_of_the_project_is_refused() {
    let mut user = User::new();
    user.counts = true;
    let settings = ".claude/config/integrations.json";
    let request = r#"{"mode":"plan","context":{"previous_summary":"0123456789"}}"#;
    let response = r#"{"context_summary":"0123456789"}"#;
    user.write("request.json", request);
    user.write("response.json", response);
    let check = "handoff check response.json --response --policy";
    user.line("handoff check request.json").answer();
    user.write(
        settings,
        r#"{"tokens": {"encoding": "cl100k", "limit": 4}}"#,
    );
    let recorded = user.line("phase design a --summary 0123").answer();
    let within = "summary 1 of 500 words (and within 4 tokens of cl100k)\n";
    assert!(recorded.ends_with(within), "{recorded}");
    let refused = user.line("handoff check request.json").refusal(1);
    let why = "Context summary exceeds 4 token limit of this project (actual: 10 tokens in cl100k)";
    assert!(refused.contains("/context/previous_summary"), "{refused}");
    assert!(refused.contains(why), "{refused}");
    assert!(
        user.line(&format!("{check} reject"))
            .refusal(1)
            .contains(why)
    );
    let cut = user.line(&format!("{check} truncate"));
    assert_eq!(
        parse(&cut.output).to_line(),
        r#"{"context_summary":"0123"}"#
    );
    assert!(
        cut.error.contains("it was cut to 4 tokens"),
        "{}",
        cut.error
    );
    let warned = user.line(&format!("{check} warn"));
    assert_eq!(parse(&warned.output).to_line(), response);
    assert!(warned.error.contains(why), "{}", warned.error);
    user.counts = false;
    let failed = user.line("handoff check request.json").refusal(74);
    assert!(failed.contains("Cannot count"), "{failed}");
}

const VALID: &str = r#"{
  "command": "design", "version": 1,
  "started_at": "2026-01-29T10:30:00.000Z", "updated_at": "2026-01-29T10:30:00.000Z",
  "state": {"current_phase": null, "completed_phases": [], "pending_phases": []},
  "phases": {}
}"#;

#[test]
fn validation_names_every_problem_of_every_file() {
    let mut user = User::new();
    user.write("good.json", VALID);
    let wrong = VALID.replace("\"version\": 1", r#""version": "\u001b[2J""#);
    user.write("bad.json", wrong.replace("[]", "0"));
    assert_eq!(
        user.line("validate good.json").answer(),
        "good.json: valid\n"
    );
    let said = user.line("validate good.json bad.json");
    assert_eq!((said.exit, said.error.as_str()), (1, ""));
    assert!(
        said.output
            .starts_with("good.json: valid\nbad.json: 3 problems\n  /"),
        "{}",
        said.output
    );
    for entry in [
        "/version: ",
        "/state/completed_phases: ",
        "/state/pending_phases: ",
    ] {
        assert!(
            said.output.contains(&format!("\n  {entry}")),
            "{entry} in {}",
            said.output
        );
    }
    assert!(!said.output.contains('\u{1b}'));
    let said = user.line("validate good.json bad.json --json");
    let json = parse(&said.output);
    assert_eq!(said.exit, 1);
    assert_eq!(at(&json, "0.valid").as_bool(), Some(true));
    assert_eq!(at(&json, "1.file").as_str(), Some("bad.json"));
    assert_eq!(at(&json, "1.problems").as_array().unwrap().len(), 3);
}

#[test]
fn a_file_that_cannot_be_read_does_not_hide_the_verdict_on_the_others() {
    let mut user = User::new();
    user.write("good.json", VALID);
    user.write("bad.json", "[]");
    user.write("torn.json", "{\"command\":");
    let said = user.line("validate bad.json torn.json good.json");
    assert_eq!(said.exit, 65);
    assert!(
        said.error
            .contains("torn.json is not JSON: expected a value at line 1 column 12"),
        "{}",
        said.error
    );
    assert!(
        said.output.contains("bad.json: 1 problem\n"),
        "{}",
        said.output
    );
    assert!(
        said.output.ends_with("good.json: valid\n"),
        "{}",
        said.output
    );
    assert_eq!(
        user.line("validate missing.json torn.json good.json").exit,
        74
    );
    assert_eq!(user.pipe(VALID).line("validate -").answer(), "-: valid\n");
}

#[test]
fn ambiguities_of_a_file_are_warnings() {
    let mut user = User::new();
    let twice = VALID.replace("\"version\": 1,", "\"version\": 2, \"version\": 1,");
    let said = user.pipe(twice).line("validate - --json");
    assert_eq!(said.exit, 0, "{}", said.output);
    let warning = parse(&said.error);
    assert_eq!(at(&warning, "warning.code").as_str(), Some("duplicate_key"));
}

const REQUEST: &str =
    r#"{"mode": "plan", "extra": 1.0, "context": {"previous_findings": "found"}}"#;

#[test]
fn a_handoff_request_is_checked_and_passed_on_under_the_new_name() {
    let mut user = User::new();
    let said = user.pipe(REQUEST).line("handoff check -");
    assert_eq!(said.exit, 0, "{}", said.error);
    let document = parse(&said.output);
    assert_eq!(
        at(&document, "context.previous_summary").as_str(),
        Some("found")
    );
    assert_eq!(at(&document, "extra").to_line(), "1.0");
    assert!(
        said.error.starts_with("milepost: warning: "),
        "{}",
        said.error
    );
    assert_eq!(user.pipe(REQUEST).line("handoff check - --quiet").error, "");
    let said = user.pipe(REQUEST).line("handoff check - --json");
    assert_eq!(
        at(&parse(&said.error), "warning.code").as_str(),
        Some("legacy_name")
    );
    assert_eq!(parse(&said.output), document);
    let reason = user.pipe("{}").line("handoff check -").refusal(1);
    assert!(reason.contains("/mode: "), "{reason}");
    user.pipe("no JSON").line("handoff check -").refusal(65);
}

#[test]
fn a_response_above_the_limit_meets_the_policy_of_the_caller() {
    let mut user = User::new();
    let long = format!(r#"{{"context_summary": "{}"}}"#, "word ".repeat(501));
    user.write("long.json", &long);
    let reason = user.line("handoff check long.json --response").refusal(1);
    assert!(reason.contains("500 word limit"), "{reason}");
    user.line("handoff check long.json --response --policy reject")
        .refusal(1);
    let said = user.line("handoff check long.json --response --policy truncate");
    assert_eq!(said.exit, 0, "{}", said.error);
    let kept = parse(&said.output);
    let kept = at(&kept, "context_summary").as_str().unwrap();
    assert_eq!(kept.split_whitespace().count(), 500);
    let said = user.line("handoff check long.json --response --policy warn");
    assert_eq!(said.exit, 0, "{}", said.error);
    assert!(said.error.contains("500 word limit"), "{}", said.error);
    assert_eq!(parse(&said.output), parse(&long));
}

#[test]
fn the_schema_is_printed_in_three_forms() {
    let mut user = User::new();
    let schema = parse(&user.line("schema --json").answer());
    assert!(at(&schema, "$schema").as_str().unwrap().contains("2020-12"));
    let types = user.line("schema --ts").answer();
    assert!(types.contains("interface UnifiedCheckpoint"), "{types}");
    let page = user.line("schema --markdown").answer();
    assert!(page.starts_with("# "), "{page}");
}

#[test]
fn every_shell_has_a_completion_script_that_knows_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = User::new().run(&["completions", shell]).answer();
        for word in ["milepost", "handoff", "completions", "markdown"] {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
}

#[test]
fn schema_and_validate_know_the_commands_that_the_project_adds() {
    let mut user = User::new();
    let document = r#"{"command": "build", "version": 1,
        "started_at": "2026-01-29T12:00:00Z", "updated_at": "2026-01-29T12:00:00Z",
        "state": {"current_phase": null, "completed_phases": [], "pending_phases": []},
        "phases": {}}"#;
    user.write("a.json", document);
    assert_eq!(user.line("validate a.json").exit, 1);
    assert!(!user.line("schema --json").answer().contains("build"));
    user.write(
        ".claude/config/integrations.json",
        r#"{"commands": ["build"]}"#,
    );
    assert_eq!(user.line("validate a.json").answer(), "a.json: valid\n");
    assert!(user.line("schema --json").answer().contains(r#""build""#));
    assert!(user.line("schema --ts").answer().contains(r#"| "build""#));
    user.write(".claude/config/integrations.json", "{ torn");
    let said = user.line("schema --json");
    assert_eq!(said.exit, 0);
    assert!(
        said.error.contains(r#""warning":{"code":"corrupt""#),
        "{}",
        said.error
    );
}
