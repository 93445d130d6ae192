//! Going back, as its user sees it.

use super::{User, at, parse};

const FILE: &str = ".claude/state/design-checkpoint.json";

/// A user whose design checkpoint is at revision 3, with the phase plan in progress.
fn busy_user() -> User {
    let mut user = User::new();
    user.line("phase design research complete").answer();
    user.line("phase design plan pending").answer();
    user.line("phase design plan in_progress").answer();
    user
}

fn entry(user: &User, number: u64) -> String {
    let history = ".claude/state/.milepost/design-checkpoint/history";
    let files = std::fs::read_dir(user.folder.path().join(history)).unwrap();
    let mut names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let name = names.find(|name| name.starts_with(&format!("{number}-")));
    format!("{history}/{}", name.unwrap())
}

#[test]
fn a_revision_is_shown_as_it_is_stored() {
    let mut user = busy_user();
    let shown = user.line("show design --revision 2").answer();
    assert!(shown.starts_with("design, revision 2\n"), "{shown}");
    assert!(shown.contains("pending  plan"), "{shown}");
    let present = user.line("show design --json").answer();
    assert_eq!(
        user.line("show design --revision 3 --json").answer(),
        present
    );
    let missing = user.line("show design --revision 7").refusal(1);
    assert!(missing.contains("`milepost log design`"), "{missing}");
    user.line("show ship --revision 1").refusal(1);
    user.line("show design --revision x").refusal(64);
}

#[test]
fn an_altered_revision_is_named_and_not_shown() {
    let mut user = busy_user();
    let path = entry(&user, 2);
    user.write(&path, user.read(&path).replace("pending", "skipped"));
    let refused = user.line("show design --revision 2").refusal(65);
    assert!(refused.contains(&path), "{refused}");
    user.line("undo design --to 2").refusal(65);
    let log = user.line("log design").answer();
    assert_eq!(
        log.lines().filter(|line| line.contains("altered")).count(),
        1,
        "{log}"
    );
}

#[test]
fn the_log_compares_with_the_last_readable_revision_after_an_altered_one() {
    let mut user = busy_user();
    let path = entry(&user, 2);
    user.write(&path, user.read(&path).replace("pending", "skipped"));
    let log = user.line("log design").answer();
    let first = log.lines().next().unwrap();
    assert!(first.ends_with(", since revision 1"), "{log}");
    let path = entry(&user, 1);
    std::fs::remove_file(user.folder.path().join(&path)).unwrap();
    std::fs::create_dir(user.folder.path().join(&path)).unwrap();
    let log = user.line("log design").answer();
    let lines: Vec<&str> = log.lines().collect();
    assert!(
        lines[0].ends_with("  nothing before it can be read"),
        "{log}"
    );
    assert!(lines[2].contains("  cannot be read: .claude/"), "{log}");
}

#[test]
fn an_undo_says_where_it_went_and_is_taken_back_by_a_redo() {
    let mut user = busy_user();
    assert_eq!(
        user.line("undo design").answer(),
        "design: saved revision 4, with the content of revision 2\n"
    );
    assert_eq!(user.line("redo design --quiet").answer(), "");
    assert_eq!(
        user.line("undo design --to 5").answer(),
        "design: nothing to change, still at revision 5\n"
    );
    let undone = parse(&user.line("undo design --to 1 --json").answer());
    assert_eq!(at(&undone, "revision").as_u64(), Some(6));
    assert_eq!(at(&undone, "restored").as_u64(), Some(1));
    user.line("undo design --to 9").refusal(1);
    user.line("undo ship").refusal(1);
    let reason = user.line("undo design --seen 5").refusal(75);
    assert!(reason.contains("is at revision 6, not 5"), "{reason}");
    user.line("redo design --seen 5").refusal(75);
    user.line("redo design --seen 6").answer();
}

#[test]
fn each_revision_of_the_log_is_one_line() {
    let mut user = busy_user();
    user.line("undo design").answer();
    user.line("redo design").answer();
    let log = user.line("log design").answer();
    let lines: Vec<&str> = log.lines().collect();
    let parts: Vec<Vec<&str>> = lines
        .iter()
        .map(|line| line.splitn(3, "  ").collect())
        .collect();
    let numbers: Vec<&str> = parts.iter().map(|it| it[0]).collect();
    assert_eq!(numbers, ["5", "4", "3", "2", "1"]);
    let said: Vec<&str> = parts.iter().map(|it| it[2]).collect();
    assert_eq!(said[0], "as revision 3 again");
    assert_eq!(said[1], "as revision 2 again");
    assert_eq!(said[2], "phase plan: pending → in_progress (+2 more)");
    assert_eq!(said[3], "phase plan: added (pending) (+1 more)");
    assert_eq!(said[4], "created");
    assert!(parts.iter().all(|it| it[1].ends_with('Z')), "{log}");
    let json = parse(&user.line("log design --json").answer());
    assert_eq!(at(&json, "2.changes").as_array().unwrap().len(), 3);
    assert_eq!(at(&json, "0.same_as").as_u64(), Some(3));
}

#[test]
fn a_torn_checkpoint_comes_back_and_the_answer_says_where_the_file_went() {
    let mut user = busy_user();
    user.write(FILE, "{ torn");
    let refused = user.line("show design").refusal(65);
    assert!(refused.contains("`milepost recover design`"), "{refused}");
    let recovered = user.line("recover design").answer();
    let (first, second) = recovered.split_once('\n').unwrap();
    assert_eq!(
        first,
        "design: saved revision 5, with the content of revision 3"
    );
    let copy = second
        .trim_end()
        .strip_prefix("The corrupt file is kept as ")
        .unwrap();
    assert_eq!(user.read(copy), "{ torn");
    assert!(user.line("show design").answer().contains("plan"));

    let again = user.line("recover design").refusal(1);
    assert!(again.contains("nothing to recover"), "{again}");
    std::fs::remove_file(user.folder.path().join(FILE)).unwrap();
    let gone = parse(&user.line("recover design --to 1 --json").answer());
    assert_eq!(at(&gone, "restored").as_u64(), Some(1));
    assert_eq!(at(&gone, "quarantined"), &milepost::json::Json::Null);
    user.line("recover ship").refusal(1);
}

#[test]
fn a_run_that_was_removed_is_refused_with_the_command_that_recovers_it() {
    let mut user = busy_user();
    std::fs::remove_file(user.folder.path().join(FILE)).unwrap();
    let refused = user.line("show design").refusal(1);
    assert!(refused.contains("`milepost recover design`"), "{refused}");
    let never = user.line("show ship").refusal(1);
    assert!(never.contains("`milepost status`"), "{never}");
}

#[test]
fn without_a_good_revision_the_copy_is_named_and_the_file_stays() {
    let mut user = User::new();
    user.write(FILE, "{ torn");
    let refused = user.line("recover design").refusal(1);
    assert!(
        refused.contains("copied to .claude/state/.milepost/"),
        "{refused}"
    );
    assert_eq!(user.read(FILE), "{ torn");
}

#[test]
fn pruning_says_what_it_removed() {
    let mut user = User::new();
    for round in 0..20 {
        user.line(&format!("phase design p{round} pending"))
            .answer();
    }
    assert_eq!(
        user.line("prune design").answer(),
        "design: nothing to remove, 20 revisions are kept\n"
    );
    assert_eq!(
        user.line("prune design --keep 18").answer(),
        "design: removed revision 1, 19 are kept\n"
    );
    assert_eq!(
        user.line("prune design --keep 15").answer(),
        "design: removed 3 revisions, 2 to 4; 16 are kept\n"
    );
    let pruned = parse(&user.line("prune design --days 0 --json").answer());
    assert_eq!(at(&pruned, "kept").as_u64(), Some(11));
    let refused = user.line("prune design --keep 9").refusal(64);
    assert!(refused.contains("10"), "{refused}");
    user.line("prune ship").refusal(1);
    user.line("prune design --keep few").refusal(64);
}

#[test]
fn a_log_says_what_became_of_the_gate() {
    let mut user = busy_user();
    for options in ["--close red", "--close slow", "--open", "--close late"] {
        user.line(&format!("gate design {options}")).answer();
    }
    let log = user.line("log design -n 4").answer();
    let said: Vec<&str> = log
        .lines()
        .filter_map(|line| line.splitn(3, "  ").last())
        .collect();
    assert_eq!(
        said,
        [
            "gate: open → closed",
            "gate: closed → open",
            r#"gate.blockers: +"slow" -"red""#,
            "gate: added (closed)",
        ]
    );
}

#[test]
fn a_log_says_how_many_saves_without_a_change_it_leaves_out() {
    let mut user = busy_user();
    for _ in 0..3 {
        user.line("phase design plan in_progress").answer();
    }
    let log = user.line("log design").answer();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 4, "{log}");
    assert!(lines[0].starts_with('6'), "{log}");
    assert!(
        lines[1].starts_with('3') && lines[1].ends_with("(and 2 saves without a change)"),
        "{log}"
    );
    let undone = user.line("undo design").answer();
    assert!(undone.contains('2'), "{undone}");
    assert!(
        user.line("log design")
            .answer()
            .contains("as revision 2 again")
    );
}

#[test]
fn the_commands_of_doctor_work_on_the_root_that_was_named() {
    let mut user = User::new();
    user.line("phase design a pending").answer();
    user.write(".claude/state/design-checkpoint.json", "{ torn");
    user.write(".claude/state/ship-x.json", r#"{"version": 9}"#);
    let root = user.working();
    for (words, ending) in [
        (vec!["doctor"], ""),
        (vec!["doctor", "--root", &root], " --root ."),
    ] {
        let said = user.run(&words);
        assert_eq!(said.exit, 1, "{said:?}");
        let json = user.run(&[&words[..], &["--json"]].concat()).output;
        for command in [
            "milepost recover design",
            "milepost validate .claude/state/ship-x.json",
        ] {
            let line = format!("\n         {command}{ending}\n");
            assert!(said.output.contains(&line), "{line} in {}", said.output);
            let member = format!(r#""mend": "{command}{ending}""#);
            assert!(json.contains(&member), "{member} in {json}");
        }
    }
}

#[test]
fn resume_of_a_removed_run_says_that_its_history_is_kept() {
    let mut user = busy_user();
    user.line("remove design").answer();
    let reason = user.line("resume design").refusal(1);
    assert!(reason.contains("its history is kept"), "{reason}");
    assert!(reason.contains("`milepost recover design`"), "{reason}");
    user.line("recover design").answer();
    user.line("complete design --force").answer();
    let reason = user.line("resume design").refusal(1);
    assert!(reason.contains("design is complete\n"), "{reason}");
}

#[test]
fn every_verb_says_of_a_deleted_run_that_it_was_deleted_and_what_brings_it_back() {
    let mut user = busy_user();
    std::fs::remove_file(user.folder.path().join(FILE)).unwrap();
    let sentence = "The run of design was deleted, but its history is kept";
    let remedy = "`milepost recover design` brings it back";
    for line in [
        "show design",
        "resume design",
        "log design",
        "undo design",
        "phase design plan complete --existing",
    ] {
        let said = user.line(line).error;
        assert!(
            said.contains(sentence) && said.contains(remedy),
            "{line}: {said}"
        );
    }
    for line in ["status", ""] {
        let said = user.line(line).output;
        assert!(said.contains(&format!("  deleted; {remedy}\n")), "{said}");
        assert!(!said.contains("history is kept"), "{said}");
    }
    let said = user.line("").output;
    assert!(
        said.contains("Next:\n  milepost recover design\n"),
        "{said}"
    );
    let listed = parse(&user.line("status --json").answer());
    assert_eq!(at(&listed, "0.deleted"), &milepost::json::Json::Bool(true));
    user.line("recover design").answer();
    user.line("remove design").answer();
    let said = user.line("show design").refusal(1);
    assert!(
        said.contains("The run of design was deleted at 2"),
        "{said}"
    );
    assert!(said.contains(remedy), "{said}");
}

#[test]
fn begin_makes_a_run_with_its_plan_in_one_revision() {
    let mut user = User::new();
    let said = user
        .line("begin implement parser printer docs -f dark --task T-1")
        .answer();
    assert!(said.contains("saved revision 1"), "{said}");
    assert!(said.contains("go on with parser"), "{said}");
    let log = parse(&user.line("log implement -f dark --json").answer());
    assert_eq!(log.as_array().map(<[_]>::len), Some(1));
    let run = parse(&user.line("show implement -f dark --json").answer());
    assert_eq!(
        at(&run, "state.pending_phases").to_line(),
        r#"["parser","printer","docs"]"#
    );
    assert_eq!(at(&run, "state.current_task").as_str(), Some("T-1"));
}

#[test]
fn recover_says_what_puts_a_run_right_that_can_be_read_and_breaks_its_schema() {
    let mut user = busy_user();
    let broken = user.read(FILE).replace("\"in_progress\"", "\"bananas\"");
    user.write(FILE, broken);
    let refused = user.line("recover design").refusal(1);
    for expected in [
        "/phases/plan/status",
        "an update with an allowed value puts that right",
        "The revision before it is kept",
        "`milepost undo design`",
    ] {
        assert!(refused.contains(expected), "{expected}: {refused}");
    }
    user.line("phase design plan complete");
    let refused = user.line("recover design").refusal(1);
    assert!(!refused.contains("schema"), "{refused}");
}
