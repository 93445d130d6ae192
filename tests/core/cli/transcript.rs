//! The story of the guide, typed in a fresh project at a terminal of 80 columns, against
//! `docs/reference/transcript.md`.
//!
//! `MILEPOST_BLESS=1` writes the page again; review the difference.

use std::fmt::Write;

use super::User;

const COLUMNS: usize = 80;

/// A heading, and what is typed below it.
const STORY: [(&str, &[&str]); 5] = [
    (
        "Begin",
        &[
            "milepost",
            "milepost init",
            "milepost phase implement parser in_progress --task T002",
            "milepost phase implement parser complete --created src/parser.js \
             --summary \"Parser done, 41 tests. It reads every form of the grammar but \
             comments, which the printer has to keep. Next: the printer.\"",
            "milepost phase implement printer in_progress",
            "milepost phase implement docs pending",
        ],
    ),
    (
        "Carry on, in the next process",
        &[
            "milepost",
            "milepost resume",
            "milepost show",
            "milepost gate",
            "milepost phase implement printer --created src/printer.js",
            "milepost phase design sketch in_progress --feature dark-mode",
            "milepost status",
        ],
    ),
    (
        "Go back",
        &[
            "milepost phase implement printer failed --error \"41 tests, 3 fail\"",
            "milepost resume",
            "milepost log",
            "milepost diff 4 5",
            "milepost diff 2 3",
            "milepost undo",
            "milepost log --limit 2",
            "milepost show implement --revision 1",
        ],
    ),
    (
        "What went wrong",
        &[
            "echo '{ torn' > .claude/state/implement-checkpoint.json",
            "milepost resume implement",
            "milepost recover implement",
            "milepost show deploy",
            "milepost phase implement printer done",
            "echo one two three | milepost tokens - --limit 2",
        ],
    ),
    (
        "Come to an end",
        &[
            "milepost phase implement printer complete --summary \"All 41 tests pass.\"",
            "milepost phase implement docs skipped",
            "milepost complete implement",
            "milepost rename design --feature dark-mode dark",
            "milepost prune implement",
            "milepost status",
            "milepost status --unfinished",
        ],
    ),
];

#[test]
fn the_transcript_shows_what_the_command_line_prints() {
    let mut user = User::new();
    user.width = Some(COLUMNS as u64);
    for file in ["src/parser.js", "src/printer.js"] {
        user.write(file, "");
    }
    let mut page = "# What it looks like\n\n\
        Typed in a fresh project, at a terminal of 80 columns. A test types it again and compares; \
        `MILEPOST_BLESS=1` renews this page.\n"
        .to_owned();
    for (heading, lines) in STORY {
        let _ = write!(page, "\n## {heading}\n\n```console\n");
        for line in lines {
            wrap(&mut page, &format!("$ {line}"));
            page.push_str(&type_line(&mut user, line));
        }
        page.truncate(page.trim_end().len());
        page.push_str("\n```\n");
    }
    for line in page.lines().skip(3) {
        assert!(line.chars().count() <= COLUMNS, "{line}");
    }
    let path = crate::in_package("docs/reference/transcript.md");
    if std::env::var_os("MILEPOST_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let reviewed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        page, reviewed,
        "MILEPOST_BLESS=1 refreshes docs/reference/transcript.md"
    );
}

/// A terminal's view of one line: the answer, the complaint, and an exit code that is not 0.
fn type_line(user: &mut User, line: &str) -> String {
    let mut line = line;
    if let Some(echo) = line.strip_prefix("echo ") {
        if let Some((text, file)) = echo.split_once(" > ") {
            user.write(file, text.trim_matches('\''));
            return String::new();
        }
        let (text, rest) = echo.split_once(" | ").unwrap();
        user.pipe(format!("{text}\n"));
        line = rest;
    }
    let words = words(line.strip_prefix("milepost").unwrap());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let said = user.run(&words);
    let mut shown = String::new();
    for line in said.output.lines() {
        assert!(line.chars().count() <= COLUMNS, "{line}");
        shown.push_str(line);
        shown.push('\n');
    }
    // Standard error is left to the terminal.
    for line in said.error.lines() {
        wrap(&mut shown, line);
    }
    if said.exit != 0 {
        let _ = writeln!(shown, "[exit code {}]", said.exit);
    }
    shown.push('\n');
    shown
}

/// The words of a line, as a shell takes them: double quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// A line as a terminal shows it that has no room for all of it.
fn wrap(page: &mut String, line: &str) {
    let characters: Vec<char> = line.chars().collect();
    if characters.is_empty() {
        page.push('\n');
    }
    for part in characters.chunks(COLUMNS) {
        page.extend(part);
        page.push('\n');
    }
}
