//! Verbs that the host does by itself: what it gets, and what hosts without them say.

use milepost::cli;
use milepost::json::{Json, Object};

use super::User;

/// The call that a host gets for these words, where it works in `/work`.
fn hosted_call(line: &str) -> String {
    let words: Vec<Json> = line.split_whitespace().map(Json::from).collect();
    let call = Object::new()
        .with("arguments", words)
        .with("place", Object::new().with("working", "/work"))
        .with("color", false);
    cli::hosted(Json::from(call).to_line().as_bytes())
}

#[test]
fn the_host_does_what_the_words_say() {
    let plain = r#""root":null,"dir":null,"json":false,"quiet":false"#;
    let store = r#""store":{"variable":"URL","project":"shop"}"#;
    for (line, expected) in [
        ("mcp", format!(r#"{{"verb":"mcp","options":{{{plain}}}}}"#)),
        (
            "--root ../shop mcp --dir=state",
            r#"{"verb":"mcp","options":{"root":"/work/../shop","dir":"state","json":false,"quiet":false}}"#
                .to_owned(),
        ),
        (
            "notify --watch",
            format!(r#"{{"verb":"notify","options":{{"watch":true,"dry_run":false,"since_beginning":false,{plain}}}}}"#),
        ),
        (
            "notify --dry-run --json --quiet",
            r#"{"verb":"notify","options":{"watch":false,"dry_run":true,"since_beginning":false,"root":null,"dir":null,"json":true,"quiet":true}}"#
                .to_owned(),
        ),
        (
            "view",
            format!(r#"{{"verb":"view","options":{{"port":null,"no_open":false,{plain}}}}}"#),
        ),
        (
            "view --port 0",
            format!(r#"{{"verb":"view","options":{{"port":null,"no_open":false,{plain}}}}}"#),
        ),
        (
            "view --port 8080 --no-open",
            format!(r#"{{"verb":"view","options":{{"port":8080,"no_open":true,{plain}}}}}"#),
        ),
        (
            "export --html report.html",
            format!(r#"{{"verb":"export","options":{{"checkpoints":[],"file":"/work/report.html","shown":"report.html","redact":false,{plain}}}}}"#),
        ),
        (
            "export --html - --redact design review --feature x",
            format!(r#"{{"verb":"export","options":{{"checkpoints":[{{"command":"design","feature":"x"}},{{"command":"review","feature":"x"}}],"file":null,"shown":"-","redact":true,{plain}}}}}"#),
        ),
        (
            "hooks status",
            format!(r#"{{"verb":"doctor","options":{{{plain}}}}}"#),
        ),
        (
            "doctor --fix",
            format!(r#"{{"verb":"doctor","options":{{"examines":true,"fix":true,"look_only":false,{plain}}}}}"#),
        ),
        (
            "doctor --look-only",
            format!(r#"{{"verb":"doctor","options":{{"examines":true,"fix":false,"look_only":true,{plain}}}}}"#),
        ),
        (
            "doctor --store env:URL --project shop",
            format!(r#"{{"verb":"doctor","options":{{"examines":true,"fix":false,"look_only":false,{plain},{store}}}}}"#),
        ),
        (
            "mcp --store env: --project shop",
            r#"{"verb":"mcp","options":{"root":null,"dir":null,"json":false,"quiet":false,"store":{"variable":null,"project":"shop"}}}"#
                .to_owned(),
        ),
        (
            "view --store env:URL --project shop",
            format!(r#"{{"verb":"view","options":{{"port":null,"no_open":false,{plain},{store}}}}}"#),
        ),
        (
            "hooks install codex --scope local --runtime wasmtime --component a/milepost.wasm",
            format!(r#"{{"verb":"hooks","options":{{"component":"/work/a/milepost.wasm","compiled":"/work/a/milepost.cwasm",{plain}}}}}"#),
        ),
    ] {
        assert_eq!(hosted_call(line), expected, "{line}");
    }
}

#[test]
fn calls_of_the_command_line_itself_are_not_handed_to_the_host() {
    for line in [
        "",
        "status",
        "tokens mcp",
        "show --feature notify",
        "mcp --help",
        "doctor --fix --look-only",
        "hooks status --store env:URL --project shop",
        "init --store env:URL --project shop",
        "mcp --store env:URL",
        "hooks install codex",
        "hooks install codex --scope local --runtime wasmtime --component a/milepost.cwasm",
        "hooks install codex --scope local --runtime wasmtime --component a/milepost.wasm --dry-run",
        "hooks install codex --runtime wasmtime --component a/milepost.wasm",
        "help mcp",
        "mcp now",
        "notify --watch --dry-run",
        "mcp --project shop",
        "mcp --dir \u{FFFD}",
        "view --port 65536",
        "view --host 0.0.0.0",
        "view now",
        "export",
        "export design",
        "export --html x.html --feature a",
    ] {
        assert_eq!(hosted_call(line), "null", "{line}");
    }
}

#[test]
fn a_host_without_node_says_where_a_verb_is_available() {
    for (verb, words) in [
        ("mcp", ""),
        ("notify", ""),
        ("view", ""),
        ("export", "--html x.html"),
    ] {
        let reason = User::new().line(&format!("{verb} {words}")).refusal(64);
        let expected =
            format!("`milepost {verb}` needs Node: run `npx milepost {verb}` in a project");
        assert!(reason.contains(&expected), "{reason}");
        let reason = User::new()
            .line(&format!("{verb} {words} --store env:URL --project shop"))
            .refusal(64);
        assert!(
            reason.contains("needs a host that can reach a database"),
            "{reason}"
        );
    }
}
