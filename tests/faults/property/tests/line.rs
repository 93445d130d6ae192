//! The line in the output of a run that failed.

use std::env;
use std::process::{Command, Output};

use milepost_property::{MARK, line, seed};

const SABOTAGE: &str = "MILEPOST_SABOTAGE";

#[test]
fn a_violation_of_several_lines_is_one_line() {
    assert_eq!(
        line("seed 5: lost\n  kept: /tmp/a\n"),
        "violated: seed 5: lost; kept: /tmp/a"
    );
}

/// Fails only where [`a_run_that_panics_prints_its_property_and_seed`] starts it again.
#[test]
fn sabotage() {
    let Ok(kind) = env::var(SABOTAGE) else {
        return;
    };
    assert_ne!(kind, "before", "the machine has no space");
    let _run = seed("no update is lost", 7);
    assert_ne!(kind, "within", "revision 3 is lost");
}

fn sabotaged(kind: &str) -> (bool, String) {
    let mut test = Command::new(env::current_exe().expect("a test has a program"));
    test.args(["--exact", "sabotage"]).env(SABOTAGE, kind);
    let Output { status, stdout, .. } = test.output().expect("it starts");
    (
        status.success(),
        String::from_utf8_lossy(&stdout).into_owned(),
    )
}

fn marked(output: &str) -> Vec<&str> {
    output
        .lines()
        .filter(|line| line.starts_with(MARK))
        .collect()
}

#[test]
fn a_run_that_panics_prints_its_property_and_seed() {
    let (passed, output) = sabotaged("within");
    assert!(!passed);
    assert!(output.contains("revision 3 is lost"), "{output}");
    assert_eq!(marked(&output), ["violated: no update is lost: seed 7"]);
}

#[test]
fn a_failure_before_a_run_begins_is_no_proof() {
    let (passed, output) = sabotaged("before");
    assert!(!passed);
    assert!(marked(&output).is_empty(), "{output}");
    assert!(sabotaged("none").0);
}
