//! Commands of ours: known by what they run, and alike to every shell.

use super::{Command, Launch, Program, is_own, program};
use crate::agent::Agent;
use crate::agent::registration::SettingsScope;

fn programs() -> [Program; 6] {
    [
        Program::Dependency { above: 0 },
        Program::Dependency { above: 2 },
        Program::Installed("/opt/my tools/milepost".to_owned()),
        Program::Compiled("/home/a b/milepost.cwasm".to_owned()),
        Program::Native(None),
        Program::Native(Some("/home/a b/.cargo/bin/milepost".to_owned())),
    ]
}

#[test]
fn a_command_of_ours_is_known_as_ours() {
    for program in programs() {
        let launch = Launch::new(program).unwrap();
        for agent in Agent::ALL {
            let words = match launch.hook(agent, "stop") {
                Command::Exec(program, arguments) => {
                    format!("{program} {}", arguments.join(" "))
                }
                Command::Line(line) => line,
            };
            assert!(is_own(&words), "{words}");
        }
        assert!(is_own(&launch.status_line()), "{}", launch.status_line());
        let wrapping = format!("{} --then 'ls'", launch.wrapping_status_line());
        assert!(is_own(&wrapping), "{wrapping}");
    }
}

#[test]
fn a_command_shows_the_program_that_it_runs() {
    for expected in programs() {
        let launch = Launch::new(expected.clone()).unwrap();
        for agent in Agent::ALL {
            let words = match launch.hook(agent, "stop") {
                Command::Exec(program, words) => format!("{program} {}", words.join(" ")),
                Command::Line(line) => line,
            };
            let said = program(&words);
            // From its folder, Node finds a package above it as well.
            match (&expected, agent) {
                (Program::Dependency { .. }, Agent::ClaudeCode)
                | (Program::Installed(_) | Program::Compiled(_) | Program::Native(_), _) => {
                    assert_eq!(said.as_ref(), Some(&expected), "{words}");
                }
                _ => assert_eq!(said, Some(Program::Dependency { above: 0 }), "{words}"),
            }
        }
    }
    assert_eq!(program("npx milepost resume"), None);
}

#[test]
fn commands_of_earlier_releases_are_known() {
    for (words, above) in [
        ("${CLAUDE_PROJECT_DIR}/node_modules/milepost/bin/hook.js", 0),
        (
            "${CLAUDE_PROJECT_DIR}/../node_modules/milepost/bin/hook.js",
            1,
        ),
    ] {
        let words = format!("node -e try{{require(process.argv[1])}}catch{{}} {words} claude-code");
        assert!(is_own(&words), "{words}");
        assert_eq!(program(&words), Some(Program::Dependency { above }));
    }
    let words = "node -e try{require(process.argv[1])}catch{} /opt/my tools/milepost/bin/hook.js claude-code";
    let folder = "/opt/my tools/milepost".to_owned();
    assert_eq!(program(words), Some(Program::Installed(folder)));
}

#[test]
fn an_entry_outside_of_the_project_names_its_scope() {
    for program in programs() {
        let is_compiled = matches!(program, Program::Compiled(_));
        for agent in Agent::ALL {
            for scope in SettingsScope::ALL {
                let launch = Launch::new(program.clone()).unwrap().within(scope);
                let Command::Line(line) = launch.hook(agent, "stop") else {
                    panic!("a program with arguments")
                };
                let words = line.trim_end_matches(" ; exit 0");
                let is_named = words.ends_with(&format!(" {}", scope.name()));
                let expected = scope != SettingsScope::Project && !is_compiled;
                assert_eq!(is_named, expected, "{line}");
                assert!(super::program(&line).is_some(), "{line}");
            }
        }
    }
}

#[test]
fn a_line_means_the_same_to_every_shell() {
    for program in programs() {
        let launch = Launch::new(program.clone()).unwrap();
        for agent in Agent::ALL {
            let Command::Line(line) = launch.hook(agent, "stop") else {
                panic!("a program with arguments")
            };
            if !matches!(program, Program::Compiled(_)) {
                assert!(
                    !line.contains(['$', '%', '`', '!', '&', '<', '>']),
                    "{line}"
                );
                assert_eq!(line.matches('"').count() % 2, 0, "{line}");
            }
        }
    }
}

#[test]
fn a_command_that_only_names_the_package_is_not_ours() {
    for words in [
        "npx milepost resume",
        "node .claude/hooks/milepost/hook.cjs",
        "node tools/hook.js",
        "bash ~/.claude/statusline.sh",
        "wasmtime run --dir . milepost.cwasm resume",
    ] {
        assert!(!is_own(words), "{words}");
    }
}

#[test]
fn a_path_that_a_shell_would_change_is_refused() {
    for path in ["/home/$USER/milepost", "/a\"b", "C:/100%/milepost", "/a`b"] {
        let program = Program::Installed(path.to_owned());
        assert_eq!(Launch::new(program), Err(path.to_owned()));
    }
}

#[cfg(native_host)]
#[test]
fn a_line_is_as_registered_only_where_install_writes_it_in_that_scope() {
    use super::{hook_words, is_as_registered};
    use SettingsScope::{Local, Project, User};

    for (scope, line, expected) in [
        (Project, "milepost hook claude-code ; exit 0", true),
        (User, "milepost hook claude-code user ; exit 0", true),
        (User, "milepost hook claude-code ; exit 0", false),
        (
            Local,
            "\"/a b/milepost\" hook claude-code local ; exit 0",
            true,
        ),
        (Project, "\"./x/milepost\" hook claude-code ; exit 0", false),
        (Project, "./x/milepost hook claude-code ; exit 0", false),
        (
            Project,
            "\"/opt/$A/milepost\" hook claude-code ; exit 0",
            false,
        ),
        (
            Project,
            "\"/opt\\milepost\" hook claude-code ; exit 0",
            false,
        ),
    ] {
        let found = is_as_registered(Agent::ClaudeCode, scope, line);
        assert_eq!(found, expected, "{line}");
    }
    for scope in SettingsScope::ALL {
        let launch = Launch::of_dependency().within(scope);
        let Command::Line(line) = launch.hook(Agent::ClaudeCode, "stop") else {
            panic!("a program with arguments")
        };
        let found = is_as_registered(Agent::ClaudeCode, scope, &line);
        assert_eq!(found, scope != User, "{line}");
    }
    let words = |line| hook_words(line).map(|it| it.join("|"));
    let line = "\"/a b/milepost\" hook copilot stop local ; exit 0";
    assert_eq!(words(line).as_deref(), Some("hook|copilot|stop|local"));
    let plugin = r#"["/opt/milepost","hook","opencode","user"]"#;
    assert_eq!(words(plugin).as_deref(), Some("hook|opencode|user"));
}
