//! The words that start the program, before each command that is shown to be copied.

use milepost::json::{Json, Object};

use super::{CallResult, User, at, parse};

/// The words of a package manager that starts the program of a project.
const PROGRAM: &str = "pnpm exec milepost";

/// Runs a line as a host does that was started by these words.
fn line(user: &mut User, program: &str, line: &str) -> CallResult {
    let root = user.working();
    let place = Object::new()
        .with("git_root", root.as_str())
        .with("working", root.as_str())
        .with("durability", "lazy");
    let words: Vec<Json> = line.split_whitespace().map(Json::from).collect();
    let call = Object::new()
        .with("arguments", words)
        .with("place", place)
        .with("color", false)
        .with("program", program);
    user.drive(Json::from(call).to_line().as_bytes())
}

#[test]
fn every_command_that_is_shown_begins_with_the_words_that_start_the_program() {
    let mut user = User::new();
    for words in [
        "",
        "--help",
        "log --help",
        "help all",
        "snapshot --help",
        "snapshot create --help",
        "create --help",
        "revert",
        "schema --help",
        "completions --help",
        "help undo",
        "help nothing",
        "nothing",
        "tokens",
        "view",
        "status --project shop",
        "list --store env:URL --project shop",
        "hooks status",
        "show design",
        "phase design plan in_progress",
        "",
        "show design --revision 9",
        "doctor",
        "init",
    ] {
        let said = line(&mut user, PROGRAM, words);
        let text = said.output + &said.error;
        let otherwise = text.replace(PROGRAM, "");
        for beginning in ["`milepost ", "  milepost ", "(milepost ", "Usage: milepost"] {
            assert!(!otherwise.contains(beginning), "{words}: {text}");
        }
    }
}

#[test]
fn next_steps_usage_and_errors_name_the_program_by_which_it_was_started() {
    let mut user = User::new();
    let next = parse(&line(&mut user, PROGRAM, "--json").answer());
    assert_eq!(
        at(&next, "next.0").as_str(),
        Some("pnpm exec milepost init")
    );
    let help = line(&mut user, PROGRAM, "log --help").answer();
    assert!(help.contains("Usage: pnpm exec milepost log "), "{help}");
    let wrong = line(&mut user, PROGRAM, "status --project shop").refusal(64);
    assert!(
        wrong.contains("`pnpm exec milepost status --help` shows its usage"),
        "{wrong}"
    );
    let unknown = line(&mut user, PROGRAM, "sho").refusal(64);
    assert!(unknown.contains("Usage: pnpm exec milepost"), "{unknown}");
    let json = line(
        &mut user,
        PROGRAM,
        "list --json --store env:URL --project shop",
    )
    .refusal(64);
    assert!(
        json.contains("`pnpm exec milepost snapshot list` works on files"),
        "{json}"
    );
}

#[test]
fn the_help_of_a_component_says_how_to_name_it() {
    let mut user = User::new();
    for words in ["--help", "help all"] {
        for program in ["wasmtime run --dir . PATH/milepost.wasm", PROGRAM] {
            let help = line(&mut user, program, words).answer();
            let is_said = help.contains("`wasmtime run --argv0 WORDS`");
            assert_eq!(is_said, program != PROGRAM, "{words}: {help}");
        }
    }
}

#[test]
fn completions_complete_the_program_itself_however_it_was_started() {
    let mut user = User::new();
    for shell in ["bash", "zsh", "fish"] {
        let words = format!("completions {shell}");
        let script = line(&mut user, PROGRAM, &words).answer();
        assert!(!script.contains(PROGRAM), "{shell}: {script}");
    }
}
