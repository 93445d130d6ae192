//! Differences on a terminal: times, widths, colours. A pipe gets everything as it is.

use super::User;

/// A user with long names and a long summary, at a terminal of 60 columns without colours.
fn user_at_a_terminal() -> User {
    let mut user = User::new();
    user.width = Some(60);
    let summary = "The parser reads every form of the grammar. ".repeat(5);
    let feature = "a-feature-with-a-name-that-is-longer-than-most-of-them";
    let phase = "a phase that no one gave a short name, 世界世界世界世界";
    user.run(&[
        "phase",
        "implement",
        phase,
        "complete",
        "--summary",
        &summary,
        "--feature",
        feature,
        "--created",
        &format!("src/{}/mod.rs", "deeply/nested/".repeat(6)),
        "--quiet",
    ])
    .answer();
    user.run(&[
        "phase",
        "implement",
        phase,
        "in_progress",
        "--feature",
        feature,
    ])
    .answer();
    user.run(&[
        "phase",
        "implement",
        "b",
        "in_progress",
        "--feature",
        feature,
    ])
    .answer();
    user
}

fn width(line: &str) -> usize {
    let wide = |character: char| {
        if character >= '\u{1100}' && character != '…' {
            2
        } else {
            1
        }
    };
    line.chars()
        .map(|character| {
            if character == '…' || character == '→' {
                1
            } else {
                wide(character)
            }
        })
        .sum()
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let mut user = user_at_a_terminal();
    for line in [
        "status", "show", "log", "diff", "diff 1 2", "resume", "gate", "undo",
    ] {
        let said = user.line(line);
        for line in said.output.lines() {
            assert!(width(line) <= 60, "{line}");
        }
    }
    let shown = user.line("show").answer();
    assert!(
        shown.contains("\n  The parser reads every form of the grammar. The parser\n"),
        "{shown}"
    );
    assert!(user.line("status").answer().contains('…'));
    // Nothing is lost for a program, or in a file.
    user.width = None;
    let piped = user.line("status").answer();
    assert!(
        piped.contains("longer-than-most-of-them") && !piped.contains('…'),
        "{piped}"
    );
    let shown = user.line("show").answer();
    assert!(shown.lines().any(|line| line.len() > 200), "{shown}");
}

#[test]
fn a_terminal_shows_how_long_ago_and_a_pipe_when() {
    let mut user = user_at_a_terminal();
    for line in ["status", "show", "log"] {
        let said = user.line(line).answer();
        assert!(said.contains("just now"), "{said}");
    }
    user.width = None;
    for line in ["status", "show", "log"] {
        let said = user.line(line).answer();
        assert!(said.contains("Z") && !said.contains("just now"), "{said}");
    }
}

#[test]
fn a_colour_does_not_count_as_width() {
    let mut user = user_at_a_terminal();
    let plain = user.line("show").answer();
    user.color = true;
    let coloured = user.line("show").answer();
    assert_ne!(coloured, plain);
    let mut stripped = coloured;
    for colour in ["\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[0m"] {
        stripped = stripped.replace(colour, "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn a_text_of_no_width_is_visible_in_a_name() {
    let mut user = User::new();
    user.run(&[
        "phase",
        "design",
        "pla\u{200b}n",
        "in_progress",
        "--task",
        "T\u{e0041}1",
    ])
    .answer();
    for line in [
        "show design",
        "status",
        "resume",
        "log design",
        "show design --json",
    ] {
        let said = user.line(line).answer();
        assert!(
            !said.contains(['\u{200b}', '\u{e0041}']),
            "{line}: {said:?}"
        );
    }
    assert!(user.line("status").answer().contains("pla\\u{200b}n"));
    assert!(
        user.line("show --json")
            .answer()
            .contains("T\\udb40\\udc411")
    );
}
