//! Overviews: `status`, and `milepost` alone.

use milepost::json::Json;

use super::{User, at, parse};

fn phases(user: &mut User, command: &str, statuses: &[(&str, &str)]) {
    for (name, status) in statuses {
        user.line(&format!("phase {command} {name} {status}"))
            .answer();
    }
}

/// The row of a command.
fn row(user: &mut User, command: &str) -> String {
    let said = user.line("status").answer();
    let row = said.lines().find(|line| line.starts_with(command));
    row.unwrap_or_else(|| panic!("no {command} in {said}"))
        .to_owned()
}

#[test]
fn the_status_counts_phases_in_progress_and_names_failed_ones() {
    let mut user = User::new();
    let five = ["a", "b", "c", "d", "e"].map(|name| (name, "in_progress"));
    phases(&mut user, "design", &five);
    assert!(row(&mut user, "design").ends_with("  5 in progress"));
    assert!(row(&mut user, "design").contains("  0/5  "));
    phases(
        &mut user,
        "design",
        &[("c", "failed"), ("d", "complete"), ("e", "skipped")],
    );
    assert!(row(&mut user, "design").ends_with("  2 in progress, 1 failed"));
    assert!(row(&mut user, "design").contains("  2/5  "));
    let shown = user.line("show design").answer();
    assert!(
        shown.contains("\n  phase      2 in progress, 1 failed\n"),
        "{shown}"
    );
    assert!(shown.contains("\n  done       2/5\n"), "{shown}");
    phases(&mut user, "design", &[("a", "complete")]);
    assert!(row(&mut user, "design").ends_with("  b, 1 failed"));
    phases(&mut user, "design", &[("b", "complete")]);
    assert!(row(&mut user, "design").ends_with("  c failed"));
    phases(&mut user, "design", &[("d", "failed")]);
    assert!(row(&mut user, "design").ends_with("  2 failed"));
    let said = parse(&user.line("status --json").answer());
    for (member, count) in [
        ("completed", 2),
        ("in_progress", 0),
        ("failed", 2),
        ("pending", 0),
        ("skipped", 1),
    ] {
        assert_eq!(
            at(&said, &format!("0.{member}")).as_u64(),
            Some(count),
            "{member}"
        );
    }
}

#[test]
fn a_phase_that_only_a_list_names_is_shown_as_it_is_counted() {
    let mut user = User::new();
    let document = r#"{"state": {"current_phase": "b", "completed_phases": ["a"],
        "pending_phases": ["c"]}, "phases": {}}"#;
    user.pipe(document).line("save design -").answer();
    let shown = user.line("show design").answer();
    let ending = "  done       1/3\n\nin_progress  b\n\npending  c\n\ncomplete  a\n";
    assert!(shown.ends_with(ending), "{shown}");
    assert!(row(&mut user, "design").ends_with("  b"));
}

#[test]
fn a_run_that_was_changed_by_hand_is_called_so_until_the_next_save() {
    let mut user = User::new();
    phases(&mut user, "design", &[("a", "in_progress")]);
    let said = user.line("status --json").answer();
    assert!(!said.contains("edited_by_hand"), "{said}");
    let path = ".claude/state/design-checkpoint.json";
    let edited = user.read(path).replace("\"a\"", "\"b\"");
    user.write(path, edited);
    assert!(row(&mut user, "design").ends_with("  b, changed by hand"));
    // The resume point warns of it as well.
    let said = user.line("").output;
    assert!(said.contains("  b, changed by hand\n"), "{said}");
    let said = parse(&user.line("status --json").answer());
    assert_eq!(at(&said, "0.edited_by_hand"), &Json::Bool(true));
    user.line("phase design b in_progress");
    assert!(row(&mut user, "design").ends_with("  b"));
}

#[test]
fn a_run_that_was_completed_long_ago_is_left_out_of_the_page() {
    let mut user = User::new();
    for feature in ["old", "new"] {
        user.line(&format!("phase design a complete --feature {feature}"))
            .answer();
        user.line(&format!("complete design --feature {feature}"))
            .answer();
    }
    user.line("phase ship push in_progress").answer();
    let path = ".claude/state/design-old.json";
    let old = parse(&user.read(path));
    let completed = at(&old, "completed_at").as_str().unwrap().to_owned();
    user.write(
        path,
        user.read(path)
            .replace(&completed, "2020-01-01T00:00:00.000Z"),
    );

    let names = |said: &str| -> Vec<String> {
        let rows = said.lines().filter(|line| {
            line.contains("20") && line.contains("  complete") || line.starts_with("ship")
        });
        rows.map(|row| row.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
            .collect()
    };
    let said = user.line("status").answer();
    assert_eq!(names(&said), ["design new", "ship -"]);
    assert!(
        said.ends_with("1 more is left out; `milepost status --all` lists all\n"),
        "{said}"
    );
    let said = user.line("status --all").answer();
    assert_eq!(names(&said), ["design new", "design old", "ship -"]);
    assert!(!said.contains("left out"), "{said}");
    let said = user.line("status --unfinished").answer();
    assert_eq!(names(&said), ["ship -"]);
    assert!(!said.contains("left out"), "{said}");
    let said = user.line("status --limit 1").answer();
    assert_eq!(names(&said), ["ship -"]);
    assert!(said.contains("2 more are left out"), "{said}");

    let count = |user: &mut User, line: &str| {
        let said = parse(&user.line(line).answer());
        said.as_array().unwrap().len()
    };
    for (line, expected) in [
        ("status --json", 3),
        ("status --all --json", 3),
        ("status --unfinished --json", 1),
        ("status --limit 2 --json", 2),
        ("status --unfinished --limit 0 --json", 0),
    ] {
        assert_eq!(count(&mut user, line), expected, "{line}");
    }
}

#[test]
fn the_changes_of_a_log_are_in_its_json() {
    let mut user = User::new();
    phases(
        &mut user,
        "design",
        &[("a", "in_progress"), ("a", "complete")],
    );
    let log = parse(&user.line("log design --json").answer());
    let patch = parse(&user.line("diff design 1 2 --json").answer());
    assert_eq!(at(&log, "0.patch"), &patch);
    assert!(!patch.as_array().unwrap().is_empty());
    assert_eq!(at(&log, "1.patch").to_line(), "[]");
}

#[test]
fn a_log_takes_a_limit() {
    let mut user = User::new();
    for phase in ["a", "b", "c"] {
        user.line(&format!("phase design {phase} pending")).answer();
    }
    let all = user.line("log design").answer();
    let newest = all.lines().next().unwrap().to_owned() + "\n";
    assert_eq!(user.line("log design --limit 1").answer(), newest);
    assert_eq!(user.line("log design --limit 0 --json").answer(), "[]\n");
    for since in ["2020-01-01", "2020-01-01T00:00:00Z", "1h", "2d"] {
        let said = user.line(&format!("log design --since {since}")).answer();
        assert_eq!(said, all, "{since}");
    }
    let said = user.line("log design --since 2999-01-01").answer();
    assert_eq!(said, "No revision is as new as that\n");
    let said = user.line("log design --since 2999-01-01 --json").answer();
    assert_eq!(said, "[]\n");
    let reason = user.line("log design --since yesterday").refusal(64);
    assert!(reason.contains("2d, 3h or 30m"), "{reason}");
}

#[test]
fn advice_that_was_followed_is_not_given_again() {
    let mut user = User::new();
    user.write(".codex/config.toml", "");
    let next = |user: &mut User| {
        let said = user.line("").answer();
        said.split_once("Next:\n").unwrap().1.to_owned()
    };
    assert!(next(&mut user).starts_with("  milepost init\n"));
    let made = user.line("init").answer();
    assert!(made.contains(": milepost hooks install codex\n"), "{made}");
    let rest = "  milepost phase implement <NAME> in_progress\n  milepost --help\n";
    let expected = format!("  milepost hooks install codex\n{rest}");
    assert_eq!(next(&mut user), expected);
    user.line("hooks install codex").answer();
    assert_eq!(next(&mut user), rest);
}

#[test]
fn milepost_alone_shows_the_overview() {
    let mut user = User::new();
    assert_eq!(
        user.line("").answer(),
        "Milepost keeps the state of a coding agent's work, so that the next process\n\
         carries on: in .claude/state, which `init` makes and has git ignore. Nothing is\n\
         written before that, or before you record something.\n\nNo runs here yet\n\nNext:\n  \
         milepost init\n  milepost phase implement <NAME> in_progress\n  milepost --help\n"
    );
    user.run(&[
        "phase",
        "design",
        "the plan",
        "in_progress",
        "--feature",
        "dark",
    ])
    .answer();
    let said = user.line("").answer();
    let (table, next) = said.split_once("\n\nNext:\n").unwrap();
    assert_eq!(format!("{table}\n"), user.line("status").answer());
    assert_eq!(
        next,
        "  milepost resume\n  milepost show design --feature dark\n  milepost phase design \
         'the plan' complete --summary <TEXT> --feature dark\n"
    );
    let json = parse(&user.line("--json").answer());
    assert_eq!(at(&json, "checkpoints.0.in_progress").as_u64(), Some(1));
    assert_eq!(at(&json, "next.0").as_str(), Some("milepost resume"));

    let next = |user: &mut User| {
        let said = user.line("").answer();
        said.lines().last().unwrap().trim().to_owned()
    };
    user.run(&["phase", "design", "the plan", "failed", "--feature", "dark"])
        .answer();
    let again = "milepost phase design 'the plan' in_progress --feature dark";
    assert_eq!(next(&mut user), again);
    user.run(&[
        "phase",
        "design",
        "the plan",
        "complete",
        "--feature",
        "dark",
    ])
    .answer();
    assert_eq!(next(&mut user), "milepost complete design --feature dark");
    user.line("complete design --feature dark").answer();
    let said = user.line("").answer();
    assert!(
        said.starts_with("Nothing is unfinished\n\nNext:\n  milepost status --all\n"),
        "{said}"
    );
    user.write(".claude/state/ship-checkpoint.json", "{ torn");
    let said = user.line("").answer();
    assert!(
        said.contains("is corrupt: .claude/state/ship-checkpoint.json"),
        "{said}"
    );
    assert!(said.contains("Next:\n  milepost doctor\n"), "{said}");
    let root = user.working();
    let said = user.run(&["--root", &root]).answer();
    assert!(
        said.contains(&format!("  milepost doctor --root {root}\n")),
        "{said}"
    );
}
