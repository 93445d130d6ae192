//! The resume point, and what hides work.

use super::answers::busy_user;
use super::{User, at, parse};

#[test]
fn a_resume_point_names_the_phase_and_the_last_summary() {
    let mut user = busy_user();
    let expected = "command  design\nphase    specs\nstatus   in_progress\npending  review\n\n\
                    - split it\n- then build\n";
    assert_eq!(user.line("resume design").answer(), expected);
    assert_eq!(user.line("resume").answer(), expected);
    let said = parse(&user.line("resume --json").answer());
    assert_eq!(
        said.to_line(),
        r#"{"command":"design","feature":null,"phase":"specs","status":"in_progress","error":null,"files_created":[],"files_modified":[],"phase_summary":null,"summary":"- split it\n- then build","alongside":[],"pending":["review"],"others":[]}"#
    );
    user.line("phase ship push in_progress --feature x")
        .answer();
    let said = user.line("resume").answer();
    assert_eq!(
        said,
        "command  ship\nfeature  x\nphase    push\nstatus   in_progress\n\nAlso unfinished: design\n"
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
    assert_eq!(
        said,
        "command  design\nphase    c\nstatus   in_progress\nalso     a, b\n"
    );
}

#[test]
fn resume_names_the_phases_that_stopped() {
    let mut user = User::new();
    for file in ["src/printer.js", "src/parser.js"] {
        user.write(file, "");
    }
    for line in [
        "phase ship push in_progress",
        "phase implement parser complete --summary Parsed.",
        "phase implement docs pending",
        "phase implement printer in_progress --created src/printer.js --modified src/parser.js",
        "phase implement printer failed --error rejected",
    ] {
        user.line(line).answer();
    }
    let expected = "command  implement\nphase    printer\nstatus   failed\n\
                    files    src/printer.js, src/parser.js\npending  docs\n\n\
                    error: rejected\n\nParsed.\n\nAlso unfinished: ship\n";
    for line in ["resume", "resume implement"] {
        assert_eq!(user.line(line).answer(), expected, "{line}");
    }
}

#[test]
fn resume_prints_the_summary_of_the_stopped_phase_before_the_last_completed_one() {
    let mut user = busy_user();
    user.run(&["phase", "design", "specs", "-m", "- half\n- the rest"])
        .answer();
    let said = user.line("resume").answer();
    assert_eq!(
        said,
        "command  design\nphase    specs\nstatus   in_progress\npending  review\n\n\
         so far: - half\n- the rest\n\n- split it\n- then build\n"
    );
    let said = parse(&user.line("resume --json").answer());
    assert_eq!(
        at(&said, "phase_summary").as_str(),
        Some("- half\n- the rest")
    );
    let first = at(&said, "summary").as_str();
    assert_eq!(first, Some("- split it\n- then build"));
}

#[test]
fn resume_names_a_phase_that_is_next_and_pending_once() {
    let mut user = User::new();
    user.line("begin design specs review").answer();
    let said = user.line("resume").answer();
    assert_eq!(
        said,
        "command  design\nphase    specs\nstatus   pending\npending  review\n"
    );
}

#[test]
fn resume_names_ten_files_and_counts_the_rest() {
    let mut user = User::new();
    let files: Vec<String> = (0..12).map(|at| format!("f{at}")).collect();
    for file in &files {
        user.write(file, "");
    }
    let mut words = vec!["phase", "design", "a", "in_progress"];
    for file in &files {
        words.extend(["--created", file.as_str()]);
    }
    user.run(&words).answer();
    let said = user.line("resume").answer();
    let expected = "files    f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 2 more\n";
    assert!(said.contains(expected), "{said}");
    let said = parse(&user.line("resume --json").answer());
    let listed = at(&said, "files_created").as_array().unwrap();
    assert_eq!(listed.len(), 12);
}

#[test]
fn resume_json_has_one_shape_with_and_without_a_name() {
    let mut user = busy_user();
    user.write("a.md", "");
    user.line("phase design specs failed --error torn --created a.md")
        .answer();
    user.line("phase ship push in_progress").answer();
    let said = user.line("resume design --json").answer();
    assert_eq!(
        parse(&said).to_line(),
        r#"{"command":"design","feature":null,"phase":"specs","status":"failed","error":"torn","files_created":["a.md"],"files_modified":[],"phase_summary":null,"summary":"- split it\n- then build","alongside":[],"pending":["review"],"others":[{"command":"ship","feature":null}]}"#
    );
    for line in ["phase ship push complete", "complete ship"] {
        user.line(line).answer();
    }
    let named = parse(&user.line("resume design --json").answer());
    let chosen = parse(&user.line("resume --json").answer());
    assert_eq!(named, chosen);
    assert_eq!(at(&named, "others").to_line(), "[]");
}

#[test]
fn a_corrupt_checkpoint_is_not_hidden_by_resume() {
    let mut user = User::new();
    for line in ["phase design a in_progress", "phase ship a in_progress"] {
        user.line(line).answer();
    }
    user.write(".claude/state/ship-checkpoint.json", "{ torn");
    let said = user.line("resume");
    assert_eq!(
        said.output,
        "command  design\nphase    a\nstatus   in_progress\n"
    );
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
        "milepost: The run of design was deleted, but its history is kept\n  \
         `milepost recover design` brings it back.\n"
    );
    let said = user.line("phase design plan in_progress");
    let begun =
        "The run of design was deleted, but its history is kept; this change began a new run";
    assert!(said.error.contains(begun), "{said:?}");
    assert!(
        said.error
            .contains("`milepost undo design` goes back to it.")
    );
}

#[test]
fn one_bad_part_is_fixed_by_the_command_that_replaces_it() {
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

#[test]
fn nothing_to_resume_comes_with_the_one_reason_that_holds() {
    let mut user = User::new();
    let empty = r#"{"state": {"completed_phases": [], "pending_phases": []}, "phases": {}}"#;
    user.pipe(empty).line("save design -").answer();
    user.line("phase ship a complete").answer();
    for (line, reason) in [
        (
            "resume design",
            "design has no phase to carry on with; `milepost phase design <NAME> in_progress` begins one",
        ),
        (
            "resume ship",
            "every phase of ship is done; `milepost complete ship` completes it",
        ),
        (
            "resume review",
            "there is no run of review; `milepost status` lists the runs",
        ),
    ] {
        let said = user.line(line).refusal(1);
        let expected = format!("milepost: Nothing to resume: {reason}\n");
        assert!(said.starts_with(&expected), "{said}");
    }
    user.line("complete ship").answer();
    let said = user.line("resume ship").refusal(1);
    let expected = "milepost: Nothing to resume: ship is complete\n";
    assert!(said.starts_with(expected), "{said}");
}
