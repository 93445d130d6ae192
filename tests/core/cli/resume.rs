//! Where to carry on, and what hides work.

use super::answers::busy_user;
use super::{User, parse};

#[test]
fn a_resume_point_names_the_phase_and_the_last_summary() {
    let mut user = busy_user();
    let expected = "command  design\nphase    specs\n\n- split it\n- then build\n";
    assert_eq!(user.line("resume design").answer(), expected);
    assert_eq!(user.line("resume").answer(), expected);
    let said = parse(&user.line("resume --json").answer());
    assert_eq!(
        said.to_line(),
        r#"{"command":"design","feature":null,"phase":"specs","summary":"- split it\n- then build","alongside":[],"others":[]}"#
    );
    user.line("phase ship push in_progress --feature x")
        .answer();
    let said = user.line("resume").answer();
    assert_eq!(
        said,
        "command  ship\nfeature  x\nphase    push\n\nAlso unfinished: design\n"
    );
}

#[test]
fn resume_names_all_phases_that_are_in_progress() {
    let mut user = User::new();
    for phase in ["a", "b", "c"] {
        let line = format!("phase design {phase} in_progress");
        user.line(&line).answer();
    }
    let said = user.line("resume").answer();
    assert_eq!(said, "command  design\nphase    c\nalso     a, b\n");
}

#[test]
fn a_corrupt_checkpoint_is_not_hidden_by_resume() {
    let mut user = User::new();
    for line in ["phase design a in_progress", "phase ship a in_progress"] {
        user.line(line).answer();
    }
    user.write(".claude/state/ship-checkpoint.json", "{ torn");
    let said = user.line("resume");
    assert_eq!(said.output, "command  design\nphase    a\n");
    for part in [
        "warning: Checkpoint file exists but is corrupt: .claude/state/ship-checkpoint.json",
        "`milepost recover ship` brings it back",
    ] {
        assert!(said.error.contains(part), "{}", said.error);
    }
    user.line("complete design --force").answer();
    let reason = user.line("resume").refusal(65);
    for part in [
        "ship-checkpoint.json",
        "`milepost recover ship` brings it back",
    ] {
        assert!(reason.contains(part), "{reason}");
    }
}

#[test]
fn a_vanished_checkpoint_is_not_called_empty_or_never_saved() {
    let mut user = User::new();
    user.line("phase design plan in_progress").answer();
    let file = user
        .folder
        .path()
        .join(".claude/state/design-checkpoint.json");
    std::fs::remove_file(file).unwrap();
    let reason = user.line("resume design").refusal(1);
    assert_eq!(
        reason,
        "milepost: There is no checkpoint of design, but its history is kept\n  \
         `milepost recover design` brings it back.\n"
    );
    let said = user.line("phase design plan in_progress");
    assert!(said.error.contains("was gone"), "{said:?}");
    assert!(
        said.error
            .contains("`milepost undo design` goes back to it.")
    );
}

#[test]
fn one_bad_part_is_mended_by_the_command_that_replaces_it() {
    let mut user = User::new();
    user.line("phase design a complete").answer();
    let long = "word ".repeat(501);
    let path = ".claude/state/design-checkpoint.json";
    let text = user.read(path);
    let summary = format!(r#""status": "complete", "context_summary": "{long}","#);
    user.write(path, text.replacen(r#""status": "complete","#, &summary, 1));
    let said = user.line("phase design b pending");
    assert_eq!(said.exit, 0, "{said:?}");
    assert!(
        said.error.contains("breaks its schema (1 problem"),
        "{said:?}"
    );
    let said = user.run(&["phase", "design", "a", "complete", "--summary", "short"]);
    assert_eq!((said.exit, said.error.as_str()), (0, ""));
}

#[test]
fn nothing_to_resume_is_a_no_with_a_reason() {
    let mut user = User::new();
    for line in ["resume", "resume design", "resume design --feature x"] {
        let reason = user.line(line).refusal(1);
        assert!(
            reason.starts_with("milepost: Nothing to resume: "),
            "{reason}"
        );
    }
    user.line("phase design a complete --summary s").answer();
    user.line("complete design").answer();
    user.line("resume").refusal(1);
    user.line("resume design").refusal(1);
}
