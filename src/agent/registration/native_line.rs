//! The line that runs the native program: by its name, which a shell looks for on the PATH, or by its file.
//!
//! It is shorter than that for Node, because a program that is missing is the shell's to report, and the line still ends
//! well.

use crate::agent::Agent;

/// The name of the program, by which its lines are known.
pub(super) const NAME: &str = "milepost";

/// Runs the program with the command of another status line; where the program is missing, that command alone.
const WRAPPING: &str = r#"sh -c 'if command -v "$0" >/dev/null; then exec "$0" statusline --then "$2"; else eval "$2"; fi' "#;

/// The program as a word of a shell: its name, or its file.
pub(super) fn program_word(file: Option<&str>) -> String {
    file.map_or(NAME.to_owned(), |file| format!("\"{file}\""))
}

/// The program as a line names it, followed by the command of another status line.
pub(super) fn wrapping(file: Option<&str>) -> String {
    format!("{WRAPPING}{}", program_word(file))
}

/// Returns whether a file has the name by which a line of the program is known.
pub fn is_named(file: &str) -> bool {
    let folder = file.strip_suffix(NAME);
    folder.is_some_and(|folder| folder.ends_with('/'))
}

/// The file that a line of the native program names, `Some(None)` for its name alone; `None` for any other line. The
/// words of a plugin are JSON.
pub(super) fn program_of(line: &str) -> Option<Option<String>> {
    if let Some(words) = line.strip_prefix('[') {
        let (program, rest) = first_word(words)?;
        return named(program).filter(|_| rest.starts_with(",\"hook\","));
    }
    let wrapped = line.strip_prefix(WRAPPING);
    let (program, rest) = first_word(wrapped.unwrap_or(line))?;
    let mut words = rest.strip_prefix(' ')?.split(' ');
    let is_own = match (wrapped, words.next()) {
        (Some(_), word) => word == Some("--then"),
        (None, Some("hook")) => words.next().is_some_and(|it| Agent::parse(it).is_some()),
        (None, word) => word == Some("statusline"),
    };
    named(program).filter(|_| is_own)
}

fn named(program: &str) -> Option<Option<String>> {
    match program == NAME {
        true => Some(None),
        false => is_named(program).then(|| Some(program.to_owned())),
    }
}

/// The first word of a line, without its quotes, and the rest.
pub(super) fn first_word(line: &str) -> Option<(&str, &str)> {
    match line.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"'),
        None => Some(line.split_at(line.find(' ')?)),
    }
}

#[cfg(test)]
mod tests {
    use super::program_of;

    #[test]
    fn a_line_of_the_program_is_known_by_its_name_and_its_words() {
        for (line, file) in [
            ("milepost hook claude-code ; exit 0", None),
            ("milepost statusline", None),
            (
                "\"/my home/bin/milepost\" hook copilot sessionStart user ; exit 0",
                Some("/my home/bin/milepost"),
            ),
            ("/opt/milepost hook codex", Some("/opt/milepost")),
            ("\"/opt/milepost\" hook codex", Some("/opt/milepost")),
            ("\"milepost\" hook codex", None),
            (r#"["milepost","hook","opencode"]"#, None),
            (
                r#"["/opt/milepost","hook","opencode","user"]"#,
                Some("/opt/milepost"),
            ),
        ] {
            assert_eq!(program_of(line), Some(file.map(str::to_owned)), "{line}");
        }
        for line in [
            "milepost",
            "milepost status",
            "milepost hook no-agent",
            "npx milepost hook codex",
            "\"/opt/milepost\"hook codex",
            "\"/opt/mile post\" hook codex",
            "/opt/notmilepost hook codex",
            r#"["milepost","status"]"#,
        ] {
            assert_eq!(program_of(line), None, "{line}");
        }
    }
}
