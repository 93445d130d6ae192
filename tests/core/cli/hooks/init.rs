//! Hooks that `init` offers to the agents of a project.

use super::{at, at_home, parse};

#[test]
fn init_names_the_agents_of_a_project() {
    let mut user = at_home();
    let said = user.line("init").answer();
    assert!(!said.contains("keeps runs by itself"), "{said}");
    user.write("GEMINI.md", "");
    user.write("CLAUDE.md", "");
    let said = user.line("init").answer();
    assert!(
        said.contains("after: milepost hooks install claude-code\n"),
        "{said}"
    );
    assert!(
        said.contains("after: milepost hooks install gemini\n"),
        "{said}"
    );
    user.line("hooks install claude-code gemini").answer();
    let said = user.line("init").answer();
    assert!(!said.contains("keeps runs by itself"), "{said}");
}

#[test]
fn init_for_a_program_has_the_files_alone_and_the_overview_names_the_command() {
    let mut user = at_home();
    user.write("GEMINI.md", "");
    let said = user.line("init --json");
    assert!(!said.output.contains("gemini"), "{}", said.output);
    assert_eq!((said.exit, said.error.as_str()), (0, ""));
    let overview = parse(&user.line("--json").answer());
    let command = at(&overview, "next.0").as_str();
    assert_eq!(command, Some("milepost hooks install gemini"));
    let help = user.line("init --help").answer();
    assert!(
        help.contains("`milepost --json`\nnames that command"),
        "{help}"
    );
}

#[test]
fn the_folder_of_claude_code_is_its_trace_but_for_what_init_makes_there() {
    let mut user = at_home();
    for _ in 0..2 {
        let said = user.line("init").answer();
        assert!(!said.contains("claude-code"), "{said}");
    }
    user.write(".claude/hooks/check.sh", "");
    let said = user.line("init").answer();
    assert!(
        said.contains("milepost hooks install claude-code"),
        "{said}"
    );
    user.line("hooks install claude-code --scope user").answer();
    let said = user.line("init").answer();
    assert!(!said.contains("claude-code"), "{said}");
}
