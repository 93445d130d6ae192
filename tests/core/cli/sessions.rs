//! Snapshots on the command line.

use super::{User, at, parse};

/// The document of the description that the format comes from.
const SAMPLE: &str = include_str!("../../../src/checkpoint/session/document_tests/specified.yaml");

#[test]
fn every_line_of_the_script_reference_runs() {
    let mut user = User::new();
    user.line("phase implement ThemeProvider complete --summary done");
    user.line("phase implement Toggle in_progress");
    let made = user.line("create --reason phase_complete").answer();
    let id = made.split_whitespace().next().unwrap().to_owned();
    assert!(id.starts_with("chk-"), "{made}");
    user.run(&["create", "--reason", "handoff", "--message", "80% tokens"])
        .answer();
    let listed = user.line("list").answer();
    let lines: Vec<&str> = listed.lines().collect();
    assert!(
        lines[0].contains("handoff") && lines[0].contains("80% tokens"),
        "{listed}"
    );
    assert!(
        lines[1].starts_with(&id) && lines[1].contains("Phase 2/2  2") && lines[1].ends_with('Z'),
        "{listed}"
    );
    user.width = Some(80);
    let seen = user.line("list").answer();
    assert!(seen.contains("Phase 2/2  just now"), "{seen}");
    user.width = None;
    let resume = user.line(&format!("restore --id {id}")).answer();
    assert!(resume.contains("Continue with phase 2: Toggle"), "{resume}");
    let latest = user.line("restore --latest").answer();
    assert!(latest.contains("80% tokens"), "{latest}");
    assert_eq!(user.line("cleanup").answer(), "Nothing to remove\n");
    let shown = user.line(&format!("show {id}")).answer();
    assert!(
        shown.starts_with(&format!("Snapshot {id}, made ")),
        "{shown}"
    );
    let next = "Continue with phase 2: Toggle";
    assert!(shown.contains(next) && resume.contains(next), "{shown}");
    let json = parse(&user.line(&format!("show {id} --json")).answer());
    assert_eq!(at(&json, "reason").as_str(), Some("phase_complete"));
}

#[test]
fn a_snapshot_names_the_run_that_it_was_made_of_and_the_other_unfinished_ones() {
    let mut user = User::new();
    let said = user.line("create --reason handoff").answer();
    assert!(!said.contains("Made of"), "{said}");
    user.line("phase design sketch in_progress");
    let said = user.line("create --reason handoff").answer();
    assert!(said.contains("\nMade of the run design\n"), "{said}");
    assert!(!said.contains("Also unfinished"), "{said}");
    user.line("phase ship tag complete --summary done");
    user.line("complete ship");
    user.line("phase implement toggle in_progress --feature dark");
    let said = user.line("create --reason handoff").answer();
    let expected = "\nMade of the run implement (feature dark)\nAlso unfinished: design; \
                    `milepost snapshot create design --reason handoff` takes the first of them\n";
    assert!(said.contains(expected), "{said}");
    let named = user.line("create --reason handoff design").answer();
    assert!(!named.contains("Made of"), "{named}");
    let json = parse(&user.line("create --reason handoff --json").answer());
    assert_eq!(at(&json, "command").as_str(), Some("implement"));
    assert_eq!(at(&json, "feature").as_str(), Some("dark"));
    assert_eq!(at(&json, "others.0.command").as_str(), Some("design"));
    assert_eq!(at(&json, "others").as_array().map(<[_]>::len), Some(1));
}

#[test]
fn the_sample_document_can_be_restored() {
    let mut user = User::new();
    user.write(".claude/checkpoints/chk-20250126-103000.yaml", SAMPLE);
    let listed = user.line("list").answer();
    assert_eq!(
        listed,
        "chk-20250126-103000  phase_complete  Phase 2/4  2025-01-26T10:30:00.000Z\n"
    );
    let resume = user.line("restore --latest").answer();
    for part in [
        "Implement dark mode with system preference detection",
        "Continue with Phase 3: Toggle component",
        "- Theme storage: CSS variables (Better performance, no flash)",
        "- created src/providers/ThemeProvider.tsx",
        "Quirk: Project uses CSS modules",
    ] {
        assert!(resume.contains(part), "{part} is not in {resume}");
    }
}

#[cfg(unix)]
#[test]
fn a_snapshot_reads_as_prose_with_the_difference_of_each_file() {
    let mut user = User::new();
    let git = |user: &User, arguments: &[&str]| crate::git::git(user.folder.path(), arguments);
    git(&user, &["init", "-q"]);
    user.write("src/a.ts", "one\ntwo\n");
    git(&user, &["add", "."]);
    git(&user, &["commit", "-qm", "first"]);
    user.write("src/a.ts", "one\n2\n");
    user.write("new.txt", "fresh\n");
    user.write(".env", "A=1\n");
    let made = user.line("create --reason handoff --message soon");
    let id = made.answer().split_whitespace().next().unwrap().to_owned();
    let shown = user.line(&format!("show {id}")).answer();
    for part in [
        " for a handoff. ",
        "\nsoon\n",
        "2 files differed from the commit: 1 new, 1 changed. 1 path was not kept.",
        "\nadded     new.txt  6 bytes\n@@ -0,0 +1,1 @@\n+fresh\n",
        "\nmodified  src/a.ts  6 bytes\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
        "\nnot kept: .env is a file of secrets by its name\n",
    ] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    assert!(!shown.contains("sha256"), "{shown}");
    user.width = Some(100);
    let shown = user.line(&format!("show {id}")).answer();
    let row = format!("{:48} \u{2502}     2 + 2\n", "    2 - two");
    assert!(shown.contains(&row), "{shown}");
    let json = parse(&user.line(&format!("show {id} --json")).answer());
    assert_eq!(at(&json, "snapshot.files.0.path").as_str(), Some("new.txt"));
}

#[test]
fn the_snapshots_of_a_complete_run_are_archived() {
    let mut user = User::new();
    user.line("phase ship tag complete --summary done").answer();
    let made = user.line("create --reason phase_complete").answer();
    let id = made.split_whitespace().next().unwrap().to_owned();
    let done = user.line("complete ship").answer();
    assert!(done.contains(&format!("archived {id}")), "{done}");
    assert!(user.line("list").answer().contains("No snapshots"));
    assert!(user.line("list --archived").answer().contains("[archived]"));
    assert_eq!(user.line("archive").answer(), "Nothing to archive\n");
}

#[test]
fn fields_of_a_file_are_taken() {
    let mut user = User::new();
    user.pipe("task: {id: task-001, input: dark mode}\ndecisions:\n- {question: a, decision: b}\n");
    user.line("create --reason error --from -").answer();
    user.pipe(r#"{"task": {"id": "task-002"}, "tokens_used": 45000}"#);
    user.line("create --reason error --from -").answer();
    let json = parse(&user.line("list --json").answer());
    assert_eq!(at(&json, "0.task").as_str(), Some("task-002"));
    assert_eq!(at(&json, "1.task").as_str(), Some("task-001"));
    user.pipe("a: [1");
    let refused = user.line("create --reason error --from -").refusal(65);
    assert!(
        refused.contains("standard input cannot be read: not YAML"),
        "{refused}"
    );
}

#[test]
fn a_mistake_with_snapshots_is_explained() {
    let mut user = User::new();
    for (line, exit, part) in [
        (
            "create",
            64,
            "Expected --reason with one of phase_complete, handoff, error, mode_switch, user_requested",
        ),
        ("create --reason", 64, "phase_complete, handoff, error"),
        (
            "create --reason whim",
            64,
            "phase_complete, handoff, error, mode_switch",
        ),
        (
            "create --reason phase-complete",
            64,
            "did you mean phase_complete?",
        ),
        ("restore", 64, "--latest"),
        ("restore --latest --id chk-20250126-103000", 64, "--latest"),
        ("restore --latest", 1, "There is no snapshot"),
        ("restore --id ../x", 64, "Invalid snapshot id"),
        ("show chk-1", 64, "Invalid snapshot id"),
        (
            "show chk-20250126-103000 --revision 2",
            64,
            "has no revisions",
        ),
        ("diff chk-20250126-103000", 64, "a second snapshot"),
        ("diff 3 chk-20250126-103000", 64, "two snapshots, or none"),
        ("pin chk-20250126-103000", 1, "There is no snapshot"),
        ("cleanup --archived", 64, "--days"),
    ] {
        let refused = user.line(line).refusal(exit);
        assert!(refused.contains(part), "{line}: {refused}");
    }
}

#[test]
fn a_snapshot_is_shown_without_characters_that_a_terminal_acts_on() {
    let mut user = User::new();
    let made = user.run(&["create", "--reason", "handoff", "--message", "a\u{1b}[2Jb"]);
    let made = made.answer();
    let id = made.split_whitespace().next().unwrap().to_owned();
    for line in [
        "list",
        "restore --latest",
        &format!("show {id}"),
        "list --json",
    ] {
        let said = user.line(line).answer();
        assert!(!said.contains('\u{1b}'), "{line}: {said:?}");
    }
}

/// A user at a terminal, with a checkpoint of `notes.md` that says `then`, and where it says `now`.
#[test]
fn a_folder_is_named_without_characters_that_a_terminal_acts_on() {
    let mut user = User::new();
    let listed = user.run(&["list", "--dir", "\u{1b}[31mred"]).answer();
    assert!(!listed.contains('\u{1b}'), "{listed:?}");
    assert!(listed.contains("No snapshots"), "{listed:?}");
}

fn interactive_user() -> (User, String) {
    let mut user = User::new();
    user.write("notes.md", "then");
    let made = user.line("create --reason handoff").answer();
    let id = made.split_whitespace().next().unwrap().to_owned();
    user.write("notes.md", "now");
    user.width = Some(80);
    user.interactive = true;
    (user, id)
}

#[test]
fn a_plan_is_carried_out_after_a_yes_alone() {
    for (answer, is_yes) in [
        ("y\n", true),
        ("YES \r\n", true),
        ("", false),
        ("y", false),
        ("\n", false),
        ("no\n", false),
        ("yes please\n", false),
        ("\u{e4}\n", false),
    ] {
        for line in [
            "restore --latest --files",
            "restore --latest --files --force",
        ] {
            let (mut user, _) = interactive_user();
            user.pipe(answer);
            let said = user.line(line);
            let asked = "write   notes.md  (changed since)\nDo this? [y/N] ";
            let asked = match answer.ends_with('\n') {
                true => asked.to_owned(),
                false => format!("{asked}\n"),
            };
            assert_eq!(said.error, asked, "{line}: {answer:?}");
            let files = user.read("notes.md");
            if is_yes {
                let output = said.output;
                assert_eq!((said.exit, &*files), (0, "then"), "{answer:?}");
                assert!(
                    output.starts_with("Done; `milepost snapshot restore chk-"),
                    "{output}"
                );
            } else {
                assert_eq!((said.exit, &*files), (1, "now"), "{answer:?}");
                assert_eq!(said.output, "Nothing was touched\n");
                assert_eq!(user.line("list").answer().lines().count(), 1);
            }
        }
    }
}

#[test]
fn only_the_plan_that_was_shown_is_carried_out() {
    let (mut user, _) = interactive_user();
    user.pipe("y\n").write_while_asked = Some(("notes.md", "of another program"));
    let said = user.line("restore --latest --files");
    assert_eq!((said.exit, said.output.as_str()), (75, ""));
    assert!(said.error.contains("is outdated"), "{}", said.error);
    assert!(
        said.error.contains("Nothing was written."),
        "{}",
        said.error
    );
    assert_eq!(user.read("notes.md"), "of another program");
}

#[test]
fn a_yes_in_the_words_is_not_asked_for_again() {
    for (line, files) in [
        ("restore --latest --files --yes", "then"),
        ("restore --latest --files --yes --json", "then"),
        ("restore --latest --files --json", "now"),
        ("restore --latest --files --dry-run", "now"),
        ("restore --latest", "now"),
    ] {
        let (mut user, _) = interactive_user();
        user.pipe("y\n");
        assert_eq!(user.line(line).error, "", "{line}");
        assert_eq!(user.read("notes.md"), files, "{line}");
        assert_eq!(user.input, b"y\n", "{line}");
    }
    let (mut user, id) = interactive_user();
    user.write("notes.md", "then");
    user.pipe("y\n");
    let said = user.line(&format!("restore --id {id} --files")).answer();
    assert_eq!(said, "Everything is as in the snapshot\n");
}

#[test]
fn a_shown_plan_comes_with_the_command_that_carries_it_out() {
    let (mut user, id) = interactive_user();
    user.write(".env", "A=1\n");
    user.line("create --reason handoff --allow .env").answer();
    user.write(".env", "A=2\n");
    let shown = user.line("restore --latest --files --lose=.env --no-state --dry-run");
    let shown = shown.answer();
    let command = shown.split('`').nth(1).unwrap().to_owned();
    assert!(command.ends_with(" --lose=.env --no-state"), "{command}");
    let words = command.strip_prefix("milepost ").unwrap();
    assert!(user.line(words).answer().contains("Done; "), "{id}");
    assert_eq!(user.read(".env"), "A=1\n");
}

#[test]
fn a_dry_run_of_a_restore_that_is_refused_says_why_and_ends_as_the_restore() {
    let (mut user, _) = interactive_user();
    user.write(".env", "A=1\n");
    user.line("create --reason handoff --allow .env").answer();
    user.write(".env", "A=2\n");
    (user.width, user.interactive) = (None, false);
    let dry = user.line("restore --latest --files --dry-run");
    let real = user.line("restore --latest --files");
    assert_eq!(
        (dry.exit, real.exit),
        (64, 64),
        "{} {}",
        dry.error,
        real.error
    );
    let mut reasons = dry.output.lines();
    let reason = reasons.find_map(|line| line.strip_prefix("refused: "));
    let reason = reason.unwrap_or_else(|| panic!("{}", dry.output));
    assert!(real.error.contains(reason), "{reason}: {}", real.error);
    for said in [&dry.output, &real.error] {
        assert!(said.contains("`--lose` with its path"), "{said}");
        assert!(!said.contains("othing was"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_restore_onto_another_commit_names_the_option_that_allows_it() {
    let mut user = User::new();
    let git = |user: &User, arguments: &[&str]| crate::git::git(user.folder.path(), arguments);
    git(&user, &["init", "-q"]);
    user.write("a.txt", "one");
    git(&user, &["add", "a.txt"]);
    git(&user, &["commit", "-qm", "first"]);
    user.write("a.txt", "then");
    user.line("create --reason handoff").answer();
    git(&user, &["commit", "-qam", "second"]);
    // Nothing that another writer did: a retry would not help.
    let said = user.line("restore --latest --files").refusal(64);
    assert!(said.contains(" and HEAD is at "), "{said}");
    assert!(
        said.contains("\n  `--force` restores onto this commit"),
        "{said}"
    );
    assert!(!said.contains("othing"), "{said}");
    user.line("restore --latest --files --force").answer();
}

#[test]
fn a_plan_says_which_revision_the_run_goes_back_to_and_which_phases_change() {
    let mut user = User::new();
    user.write("notes.md", "then");
    user.line("phase design sketch in_progress").answer();
    user.line("create --reason handoff").answer();
    user.line("phase design sketch complete --summary done")
        .answer();
    user.line("phase design review pending").answer();
    let shown = user.line("restore --latest --files --dry-run").answer();
    for part in [
        "state   design: back to the content of revision 1, from revision 3\n",
        "        phase sketch: complete → in_progress\n",
        "        phase review: removed (pending)\n",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let line = "restore --latest --files --dry-run --json";
    let json = parse(&user.line(line).answer());
    assert_eq!(at(&json, "plan.run.revision").as_u64(), Some(1));
    assert_eq!(at(&json, "plan.run.present").as_u64(), Some(3));
    let phases = at(&json, "plan.run.phases").as_array().unwrap();
    assert!(phases.contains(&"phase sketch: complete → in_progress".into()));
    user.line("restore --latest --files").answer();
    let said = user.line("restore --latest --files --dry-run").answer();
    assert_eq!(said, "Everything is as in the snapshot\n");
}

#[test]
fn a_snapshot_of_which_nothing_is_left_to_do_is_an_answer() {
    let mut user = User::new();
    user.line("phase ship tag complete --summary done").answer();
    user.line("complete ship").answer();
    user.line("create --reason handoff ship").answer();
    let said = user.line("restore --latest").answer();
    assert!(said.contains("\n  Nothing is left to do.\n"), "{said}");
}

#[test]
fn a_plan_is_carried_out_only_where_its_question_can_be_seen() {
    let (mut user, _) = interactive_user();
    user.interactive = false;
    let shown = user.line("restore --latest --files").answer();
    assert!(
        shown.contains("Nothing was touched; `milepost snapshot restore"),
        "{shown}"
    );
    assert_eq!(user.read("notes.md"), "now");
}
