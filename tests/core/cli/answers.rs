//! Answers of the commands on stored checkpoints.

use milepost::json::Json;

use super::{User, at, parse};

/// A user whose design checkpoint has two completed phases and one in progress.
pub(super) fn busy_user() -> User {
    let mut user = User::new();
    user.line("phase design research complete --summary found")
        .answer();
    user.run(&[
        "phase",
        "design",
        "planning",
        "complete",
        "--summary",
        "- split it\n- then build",
        "--created",
        "plan.md",
        "--created",
        "notes.md",
        "--modified",
        "README.md",
        "--task",
        "T002",
        "--quiet",
    ])
    .answer();
    user.line("phase design specs in_progress").answer();
    user.line("phase design review pending").answer();
    user
}

#[test]
fn a_phase_is_recorded_as_given() {
    let mut user = User::new();
    let said = user
        .line("phase ship push failed --feature x --error rejected")
        .answer();
    assert_eq!(
        said,
        "ship (feature x): saved revision 1; new run, new feature, new phase push\n"
    );
    let document = parse(&user.read(".claude/state/ship-x.json"));
    assert_eq!(at(&document, "phases.push.status").as_str(), Some("failed"));
    assert_eq!(
        at(&document, "phases.push.error").as_str(),
        Some("rejected")
    );
    assert_eq!(at(&document, "feature").as_str(), Some("x"));

    user.line("phase design a complete --created a.md --created b.md --task T1 --quiet")
        .answer();
    user.line("phase design a complete --created c.md --modified d.md --quiet")
        .answer();
    let document = parse(&user.read(".claude/state/design-checkpoint.json"));
    assert_eq!(
        at(&document, "phases.a.files_created").to_line(),
        r#"["a.md","b.md","c.md"]"#
    );
    assert_eq!(
        at(&document, "phases.a.files_modified").to_line(),
        r#"["d.md"]"#
    );
    assert_eq!(at(&document, "state.current_task").as_str(), Some("T1"));
}

#[test]
fn files_that_another_writer_named_stay_in_the_list_of_a_phase() {
    let mut user = User::new();
    user.line("phase design a in_progress --created a.md --created a.md --modified x.md --quiet")
        .answer();
    user.line("phase design a --created b.md --created a.md --modified y.md --quiet")
        .answer();
    let document = parse(&user.read(".claude/state/design-checkpoint.json"));
    let list = |name: &str| at(&document, &format!("phases.a.{name}")).to_line();
    assert_eq!(list("files_created"), r#"["a.md","b.md"]"#);
    assert_eq!(list("files_modified"), r#"["x.md","y.md"]"#);
}

#[test]
fn a_phase_without_a_status_keeps_its_own_or_is_pending() {
    let mut user = User::new();
    user.line("phase design a in_progress").answer();
    user.line("phase design a --task T7").answer();
    user.line("phase design b --created b.md --quiet").answer();
    let document = parse(&user.read(".claude/state/design-checkpoint.json"));
    let status = |name: &str| at(&document, &format!("phases.{name}.status")).as_str();
    assert_eq!(status("a"), Some("in_progress"));
    assert_eq!(status("b"), Some("pending"));
    assert_eq!(at(&document, "state.current_phase").as_str(), Some("a"));
    let reason = user.line("phase design a done").refusal(64);
    assert!(reason.contains("in_progress"), "{reason}");
}

#[test]
fn a_saved_summary_is_answered_with_its_words_of_the_limit() {
    let mut user = User::new();
    let summary = "word ".repeat(120);
    let said = user.run(&["phase", "design", "a", "complete", "--summary", &summary]);
    assert_eq!(
        said.answer(),
        "design: saved revision 1; new run, new phase a; summary 120 of 500 words\n"
    );
    let help = user.line("phase --help").answer();
    assert!(
        help.contains("words of a summary are what white space separates"),
        "{help}"
    );
}

#[test]
fn a_summary_may_begin_with_a_dash_or_come_from_standard_input() {
    let mut user = User::new();
    user.run(&["phase", "design", "a", "complete", "--summary", "- done"])
        .answer();
    let said = user.line("resume design").answer();
    assert_eq!(said, "command  design\nphase    -\n\n- done\n");
    user.pipe("from\nthe pipe\r\n")
        .line("phase design a complete --summary -")
        .answer();
    let said = parse(&user.line("resume design --json").answer());
    assert_eq!(at(&said, "summary").as_str(), Some("from\nthe pipe"));
}

#[test]
fn completing_twice_changes_nothing_and_says_so() {
    let mut user = busy_user();
    assert_eq!(
        user.line("complete design --force").answer(),
        "design: saved revision 5\n"
    );
    let again = user.line("complete design").answer();
    assert_eq!(again, "design: nothing to change, still at revision 5\n");
    user.line("complete ship").refusal(1);
}

#[test]
fn a_run_with_open_phases_is_completed_by_force_alone() {
    let mut user = User::new();
    for line in [
        "phase design a complete --feature dark",
        "phase design b failed --feature dark",
        "phase design c pending --feature dark",
    ] {
        user.line(line).answer();
    }
    let reason = user.line("complete design --feature dark").refusal(64);
    assert_eq!(
        reason,
        "milepost: design (feature dark) has unfinished phases: \"b\" (failed), \"c\" (pending)\n  \
         Complete or skip them, or `milepost complete design --force --feature dark` marks them as skipped.\n"
    );
    assert!(user.line("status").answer().contains("  1/3  "));
    user.line("complete design --force --feature dark").answer();
    let said = parse(&user.line("status --json").answer());
    for (member, count) in [("done", 3), ("total", 3), ("skipped", 2)] {
        assert_eq!(
            at(&said, &format!("0.{member}")).as_u64(),
            Some(count),
            "{member}"
        );
    }
    assert_eq!(at(&said, "0.has_work").as_bool(), Some(false));
}

#[test]
fn the_gate_of_show_is_that_of_gate() {
    let mut user = User::new();
    user.write(
        "old.json",
        r#"{"phases": {}, "gate": {"ship_allowed": true, "blockers": [], "head_commit": "abc1234567"}}"#,
    );
    user.line("save ship old.json").answer();
    let gate = user.line("gate ship");
    assert_eq!(gate.exit, 1);
    let blocker = "The gate was recorded at abc1234, and the current HEAD is unknown";
    assert_eq!(gate.output, format!("closed\n  {blocker}\n"));
    let shown = user.line("show ship").answer();
    assert!(shown.contains("\n  gate       closed\n"), "{shown}");
    assert!(
        shown.contains(&format!("\n  blocker    {blocker}\n")),
        "{shown}"
    );
}

#[test]
fn the_status_is_a_table_that_survives_a_broken_file() {
    let mut user = busy_user();
    user.line("phase ship push complete --feature release-1.0")
        .answer();
    user.line("complete ship --feature release-1.0").answer();
    user.write(".claude/state/review-checkpoint.json", "{");
    let said = user.line("status").answer();
    let mut lines = said.lines();
    assert_eq!(
        lines.next(),
        Some("COMMAND  FEATURE      REVISION  DONE  UPDATED                   PHASE")
    );
    let design = lines.next().unwrap();
    assert!(
        design.starts_with("design   -            4         2/4   2"),
        "{said}"
    );
    assert!(design.ends_with("Z  specs"), "{said}");
    let review = lines.next().unwrap();
    assert!(
        review.starts_with("review   -            -         -     -   "),
        "{said}"
    );
    assert!(
        review.contains("is corrupt: .claude/state/review-checkpoint.json"),
        "{said}"
    );
    let ship = lines.next().unwrap();
    assert!(
        ship.starts_with("ship     release-1.0  2         1/1   2"),
        "{said}"
    );
    assert!(ship.ends_with("Z  complete"), "{said}");
    assert_eq!(lines.next(), None);
    let said = parse(&user.line("status --json").answer());
    assert_eq!(at(&said, "0.current_phase").as_str(), Some("specs"));
    assert_eq!(at(&said, "2.completed").as_u64(), Some(1));
    assert!(at(&said, "1.problem").as_str().is_some());
    assert_eq!(User::new().line("status").answer(), "No runs\n");
    assert_eq!(User::new().line("status --json").answer(), "[]\n");
}

#[test]
fn a_checkpoint_is_shown_with_its_phases_summaries_and_files() {
    let mut user = busy_user();
    let said = user.line("show design").answer();
    let shown: Vec<&str> = said
        .lines()
        // Times differ from run to run.
        .filter(|line| !line.starts_with("  started") && !line.starts_with("  updated"))
        .collect();
    let expected = "\
design, revision 4
  phase      specs
  done       2/4
  task       T002

complete  research
  found

complete  planning
  - split it
  - then build
  created    plan.md
  created    notes.md
  modified   README.md

in_progress  specs

pending  review";
    assert_eq!(shown.join("\n"), expected);
    assert!(
        user.line("show ship")
            .refusal(1)
            .contains("`milepost status`")
    );
}

#[test]
fn json_of_show_can_be_changed_and_saved_again() {
    let mut user = busy_user();
    let shown = user.line("show design --json").answer();
    assert_eq!(shown, user.read(".claude/state/design-checkpoint.json"));
    let said = user.pipe(shown.as_str()).line("save design -").answer();
    assert!(said.starts_with("design: "), "{said}");
    user.line("phase design docs pending").answer();
    let changed = shown.replace("T002", "T003");
    let said = user.pipe(changed).line("save design -").answer();
    assert!(
        said.ends_with(", merged with what others changed\n"),
        "{said}"
    );
    let stored = parse(&user.line("show design --json").answer());
    assert_eq!(at(&stored, "state.current_task").as_str(), Some("T003"));
    assert_eq!(at(&stored, "phases.docs.status").as_str(), Some("pending"));
}

#[test]
fn a_document_is_saved_from_a_file_and_completed_with_what_is_missing() {
    let mut user = User::new();
    user.write(
        "plan.json",
        r#"{"phases": {"a": {"status": "pending"}}, "mine": 1e400}"#,
    );
    assert_eq!(
        user.line("save design plan.json").answer(),
        "design: saved revision 1; new run, new phase a\n"
    );
    let stored = user.line("show design --json").answer();
    assert!(stored.contains("\"mine\": 1e400"), "{stored}");
    let said = parse(&user.line("save design plan.json --json").answer());
    assert_eq!(at(&said, "revision").as_u64(), Some(2));
    assert_eq!(at(&said, "merged").as_bool(), Some(false));
}

#[test]
fn the_gate_answers_with_its_exit_code_and_the_blockers() {
    let mut user = User::new();
    user.write(
        "open.json",
        r#"{"phases": {}, "gate": {"ship_allowed": true, "blockers": []}}"#,
    );
    user.write(
        "shut.json",
        r#"{"phases": {}, "gate": {"ship_allowed": false, "blockers": ["tests \u001b[31mred"]}}"#,
    );
    user.line("gate ship").refusal(1);
    user.line("save ship open.json").answer();
    assert_eq!(user.line("gate ship").answer(), "open\n");
    user.line("save ship shut.json").answer();
    let said = user.line("gate ship");
    assert_eq!(said.exit, 1);
    assert!(said.output.starts_with("closed\n"), "{}", said.output);
    assert!(
        said.output.contains("\n  tests \\u{1b}[31mred\n"),
        "{}",
        said.output
    );
    let said = user.line("gate ship --json");
    assert_eq!(said.exit, 1);
    assert_eq!(at(&parse(&said.output), "open").as_bool(), Some(false));
    assert!(!said.output.contains('\u{1b}'));
}

#[test]
fn the_log_lists_the_revisions_and_the_diff_compares_two() {
    let mut user = busy_user();
    let said = user.line("log design").answer();
    let revisions: Vec<&str> = said.lines().collect();
    assert_eq!(revisions.len(), 4, "{said}");
    assert!(revisions[0].starts_with("4  2"), "{said}");
    assert!(revisions[0].contains("review"), "{said}");
    assert!(revisions[3].ends_with("  created"), "{said}");
    let said = parse(&user.line("log design --json").answer());
    assert_eq!(at(&said, "3.revision").as_u64(), Some(1));
    assert_eq!(at(&said, "0.altered").as_bool(), Some(false));

    let said = user.line("diff design 1 3").answer();
    assert!(said.contains("specs"), "{said}");
    let last = user.line("diff design").answer();
    assert!(last.contains("review") && !last.contains("specs"), "{last}");
    assert_eq!(user.line("diff design 3 4").answer(), last);
    assert_eq!(user.line("diff design 3").answer(), last);
    let patch = parse(&user.line("diff design --json").answer());
    assert!(at(&patch, "0.op").as_str().is_some(), "{}", patch.to_line());
    assert_eq!(
        user.line("diff design 4 4").answer(),
        "Revisions 4 and 4 are the same\n"
    );
    assert_eq!(user.line("diff design 4 4 --json").answer(), "[]\n");
    user.line("diff design 1 9").refusal(1);
    user.line("log ship").refusal(1);
}

#[test]
fn init_says_what_it_made_and_then_what_it_kept() {
    let mut user = User::new();
    let said = user.line("init").answer();
    assert!(
        said.contains("created  .claude/config/integrations.json\n"),
        "{said}"
    );
    let said = user.line("init").answer();
    assert!(
        said.contains("kept     .claude/config/integrations.json\n"),
        "{said}"
    );
    assert!(!said.contains("created"), "{said}");
    user.write(".claude/sub-agents/protocols/handoff.md", "# Handoff\n");
    let said = user.line("init --quiet").answer();
    assert!(
        said.contains(
            "handoff.md is yours and stays as it is. It lacks: mode, previous_summary, enforcement. \
             Please add:\n\nIn the JSON of the request schema:\n\n```json\n\"mode\": "
        ),
        "{said}"
    );
    assert!(said.contains("\n\n## Enforcement\n"), "{said}");
    let said = parse(&user.line("init --json").answer());
    let outcomes: Vec<_> = said
        .as_array()
        .unwrap()
        .iter()
        .map(|item| at(item, "outcome").as_str().unwrap())
        .collect();
    assert_eq!(
        outcomes
            .iter()
            .filter(|outcome| **outcome == "missing_section")
            .count(),
        1
    );
    assert_eq!(at(&said, "3.missing.1").as_str(), Some("previous_summary"));
    assert!(
        at(&said, "3.section")
            .as_str()
            .unwrap()
            .contains("| `mode`")
    );
}

#[test]
fn quiet_keeps_answers_and_drops_confirmations_and_warnings() {
    let mut user = User::new();
    for line in [
        "phase design a in_progress --quiet",
        "--quiet complete design --force",
        "init --quiet",
    ] {
        assert_eq!(user.line(line).answer(), "", "{line}");
    }
    assert_ne!(user.line("status --quiet").answer(), "");
    let path = ".claude/state/design-checkpoint.json";
    user.write(path, user.read(path).replace("\"a\"", "\"b\""));
    let said = user.line("show design");
    assert_eq!(said.exit, 0);
    assert!(
        said.error.starts_with("milepost: warning: "),
        "{}",
        said.error
    );
    let said = user.line("show design --json");
    assert_eq!(
        at(&parse(&said.error), "warning.code").as_str(),
        Some("edited_by_hand")
    );
    assert_eq!(user.line("show design --quiet").error, "");
    assert_eq!(user.line("show design --quiet --json").error, "");
}

#[test]
fn the_root_is_the_one_that_the_option_names() {
    let mut user = User::new();
    std::fs::create_dir(user.folder.path().join("project")).unwrap();
    user.line("--root project phase design a pending").answer();
    user.read("project/.claude/state/design-checkpoint.json");
    let root = format!("{}/project", user.working());
    user.run(&["show", "design", "--root", &root]).answer();
    user.line("show design").refusal(1);
    user.run(&["show", "design", "--root", ""]).refusal(64);
}

#[test]
fn stored_escapes_are_shown_and_never_acted_on() {
    let mut user = User::new();
    let evil = "\u{1b}]52;c;ZXZpbA==\u{7}\u{202e}\u{9b}31m";
    let document = Json::String(evil.to_owned()).to_line();
    user.run(&[
        "phase",
        "design",
        "a",
        "complete",
        "--summary",
        evil,
        "--created",
        evil,
        "--task",
        evil,
        "--quiet",
    ])
    .answer();
    user.run(&["phase", "design", "b", "failed", "--error", evil])
        .answer();
    let words = [
        "show design",
        "status",
        "resume design",
        "log design",
        "diff design 1 2",
    ];
    for line in words {
        for line in [line.to_owned(), format!("{line} --json")] {
            let said = user.line(&line).answer();
            let harmful = |character: char| {
                character != '\n' && (character.is_control() || character == '\u{202e}')
            };
            assert!(!said.contains(harmful), "{line}: {said:?}");
        }
    }
    let shown = parse(&user.line("show design --json").answer());
    assert_eq!(at(&shown, "phases.a.context_summary").to_line(), document);
}

#[test]
fn colours_are_for_terminals_only() {
    let mut user = busy_user();
    assert!(!user.line("show design").answer().contains('\u{1b}'));
    user.color = true;
    assert!(
        user.line("show design")
            .answer()
            .contains("\u{1b}[32mcomplete\u{1b}[0m")
    );
    assert!(!user.line("show design --json").answer().contains('\u{1b}'));
}
