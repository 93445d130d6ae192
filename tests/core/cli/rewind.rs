//! Rewinds on the command line, from hooks to files.
#![cfg(unix)]

use super::{CallResult, User, at, parse};

/// A user in a repository whose agent edited `a`, made `new/file` and deleted `b` in its only turn.
fn after_a_turn() -> User {
    let mut user = User::new();
    let git = |user: &User, arguments: &[&str]| crate::git::git(user.folder.path(), arguments);
    git(&user, &["init", "-q"]);
    for name in ["a", "b", "c"] {
        user.write(name, "then");
    }
    git(&user, &["add", "."]);
    git(&user, &["commit", "-qm", "first"]);
    user.write(".claude/state/.gitignore", "*\n");
    user.write(
        ".claude/config/integrations.json",
        r#"{"agents": {"rewind": true}}"#,
    );
    event(&mut user, "UserPromptSubmit", "tidy up the parser");
    user.write("a", "by the agent");
    user.write("new/file", "by the agent");
    std::fs::remove_file(user.folder.path().join("b")).unwrap();
    event(&mut user, "Stop", "");
    user.write("c", "by a person");
    user
}

/// An event of a session of Claude Code: what the hook prints.
fn event(user: &mut User, name: &str, prompt: &str) -> String {
    let folder = user.working();
    user.pipe(format!(
        r#"{{"session_id":"s","cwd":"{folder}","hook_event_name":"{name}","prompt":"{prompt}"}}"#
    ));
    user.line("hook claude-code").answer()
}

fn is_there(user: &User, name: &str) -> bool {
    user.folder.path().join(name).exists()
}

/// The contents at the paths that the turn touched.
#[track_caller]
fn expect(user: &User, is_of_agent: bool) {
    let expected = match is_of_agent {
        true => ("by the agent", false, true),
        false => ("then", true, false),
    };
    let found = (
        &*user.read("a"),
        is_there(user, "b"),
        is_there(user, "new/file"),
    );
    assert_eq!(found, expected);
    assert_eq!(user.read("c"), "by a person");
}

#[test]
fn a_turn_is_listed_planned_taken_back_and_brought_back() {
    let mut user = after_a_turn();
    let listed = user.line("rewind").answer();
    assert!(listed.starts_with("1  chk-"), "{listed}");
    assert!(
        listed.ends_with("claude-code  +1 ~2 -1  tidy up the parser\n"),
        "{listed}"
    );
    assert_eq!(user.line("snapshot list --prompts").answer(), listed);
    let json = parse(&user.line("rewind --json").answer());
    assert_eq!(at(&json, "0.prompt").as_str(), Some("tidy up the parser"));

    let planned = user.line("rewind --to 1 --dry-run").answer();
    for line in [
        "To before the prompt: tidy up the parser\n",
        "write   a  (changed since)\n",
        "write   b  (changed since)\n",
        "delete  new/file  (new since)\n",
        "left    c: was changed between the agent's turns\n",
        "  --lose PATH takes back what is left, too\n",
        "Nothing was touched; `milepost rewind --to chk-",
    ] {
        assert!(planned.contains(line), "{line} is not in {planned}");
    }
    expect(&user, true);

    let done = user.run(&["rewind", "--to", "the parser"]).answer();
    assert!(
        done.ends_with("Done; `milepost rewind --undo` brings back what was there\n"),
        "{done}"
    );
    expect(&user, false);
    let again = user.line("rewind --to 1").answer();
    assert!(again.contains("Nothing is to be taken back\n"), "{again}");
    user.line("rewind --undo").answer();
    expect(&user, true);
    user.line("rewind --undo").answer();
    expect(&user, false);

    let notice = event(&mut user, "UserPromptSubmit", "go on");
    assert!(notice.contains("tidy up the parser"), "{notice}");
    assert!(notice.contains("a, b, new/file"), "{notice}");
}

#[test]
fn what_is_left_goes_back_on_request_and_named_files_alone_where_some_are_named() {
    let mut user = after_a_turn();
    user.line("rewind --to 1 --files a").answer();
    assert_eq!(user.read("a"), "then");
    assert!(is_there(&user, "new/file") && !is_there(&user, "b"));
    user.line("rewind --to 1 --files c --lose c").answer();
    assert_eq!(user.read("c"), "then");
    assert!(is_there(&user, "new/file") && !is_there(&user, "b"));
}

#[test]
fn a_user_at_a_terminal_chooses_a_number_and_says_yes() {
    for (answers, is_done) in [("1\ny\n", true), ("1\nn\n", false), ("\n", false)] {
        let mut user = after_a_turn();
        (user.width, user.interactive) = (Some(90), true);
        user.pipe(answers);
        let said: CallResult = user.line("rewind");
        assert!(
            said.error
                .contains("Go back to before which prompt? [number] "),
            "{}",
            said.error
        );
        if answers.starts_with('1') {
            let shown = [
                "a\n@@ -1,1 +1,1 @@\n-by the agent\n\\ No newline",
                "b\n@@ -0,0 +1,1 @@\n+then\n",
                "new/file\n@@ -1,1 +0,0 @@\n-by the agent\n",
            ];
            for part in shown {
                assert!(said.error.contains(part), "{part} {}", said.error);
            }
        }
        assert_eq!(said.exit, u8::from(!is_done), "{answers:?}");
        assert_eq!(said.output == "Nothing was touched\n", !is_done);
        expect(&user, !is_done);
    }
}

#[test]
fn a_plan_shows_no_more_of_its_differences_than_a_user_reads() {
    let mut user = after_a_turn();
    event(&mut user, "UserPromptSubmit", "write much");
    let long = "a line\n".repeat(1_000);
    for number in 0..9 {
        user.write(&format!("long/{number}"), &long);
    }
    std::fs::write(user.folder.path().join("binary"), [0, 159]).unwrap();
    event(&mut user, "Stop", "");
    user.width = Some(90);
    let planned = user.line("rewind --to 1 --dry-run").answer();
    assert_eq!(planned.matches("-a line\n").count(), 5 * 57, "{planned}");
    for part in [
        "\\ 943 more lines\n",
        "[... changes of 4 files were left out]\n",
        "binary\nBinary or large files differ\n",
    ] {
        assert!(planned.contains(part), "{part} {planned}");
    }
    assert!(planned.lines().count() < 400);
    // A program gets the plan alone.
    user.width = None;
    let planned = user.line("rewind --to 1 --dry-run").answer();
    assert!(!planned.contains("a line"), "{planned}");
}

#[test]
fn what_cannot_be_rewound_is_refused_with_a_reason() {
    let mut user = after_a_turn();
    for (line, reason) in [
        (
            "rewind --to 9",
            "No prompt of this branch was kept that \"9\" means",
        ),
        ("rewind --undo", "There is no rewind of this branch to undo"),
    ] {
        let said = user.line(line);
        assert!(said.exit != 0 && said.error.contains(reason), "{said:?}");
    }
    let said = user.line("rewind --to 1 --plan 0000");
    assert_eq!((said.exit, said.output.as_str()), (75, ""), "{said:?}");
    assert!(said.error.contains("is outdated"), "{said:?}");
    expect(&user, true);
    let said = user.line("rewind --undo --to 1").refusal(64);
    assert!(said.contains("--to"), "{said}");
    for options in [
        "--yes",
        "--files a",
        "--lose a",
        "--plan 0000",
        "--dry-run",
        "--all --json",
    ] {
        let said = user.line(&format!("rewind {options}")).refusal(64);
        assert!(
            said.contains("`--to` with it, or `--undo`"),
            "{options}: {said}"
        );
    }
    expect(&user, true);
}

#[test]
fn a_list_without_prompts_names_the_setting() {
    let mut user = after_a_turn();
    user.write(".claude/config/integrations.json", "{}");
    std::fs::remove_dir_all(user.folder.path().join(".claude/checkpoints")).unwrap();
    assert_eq!(event(&mut user, "UserPromptSubmit", "again"), "");
    event(&mut user, "Stop", "");
    assert!(!is_there(&user, ".claude/checkpoints"));
    let said = user.line("rewind").answer();
    assert_eq!(
        said,
        "No prompts of this branch were kept; hooks keep the files before each where `agents.rewind` is true in \
         .claude/config/integrations.json\n"
    );
}
