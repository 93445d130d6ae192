//! The command that an agent runs for an event.
//!
//! It is a line for a shell that runs `node` with a file that stays, and never a shim: those start a second process,
//! and Windows cannot start them without a shell. Where the file is missing, as in a clone without installed packages,
//! nothing happens: `node FILE` would fail and say so at every event, so that the file is required by a word of
//! JavaScript that is quiet about it, in the same process. Where `node` is missing, the shell says so and the line
//! still ends well, which agents do not show.
//!
//! Claude Code would also take a program with arguments. Copilot CLI, which runs the entries of Claude Code as well,
//! runs such an entry without its arguments: `node` alone, which takes the payload for a script.

use crate::agent::Agent;

use super::database::DatabaseRef;
use super::file::SettingsScope;

/// Runs the file that the first word behind it names, with the others as its arguments, as `node FILE`
/// does. None of its characters means anything to a shell between double quotes.
pub(super) const QUIETLY: &str = "try{require(process.argv[1])}catch{}";

/// The script for a file that is named from the project's folder, for agents whose hooks run wherever they have gone.
/// The variable is read here because each shell has its own way to do that.
pub(super) const IN_PROJECT: &str = "try{require(require.resolve(process.argv[1],{paths:[process.env.CLAUDE_PROJECT_DIR||'.']}))}catch{}";

/// Ends a line well where its program is not there. In `cmd` these are three more arguments, which mean nothing.
const ENDS_WELL: &str = " ; exit 0";

/// The entry of the package for hooks. From a working folder, Node finds it in the folders above too.
pub(super) const ENTRY: &str = "milepost/hook";

/// The hook's program as a file of the package.
pub(super) const FILE: &str = "milepost/bin/hook.js";

/// The hook's program below the package's folder.
const BIN: &str = "/bin/hook.js";

/// The extension of a compiled component.
pub(super) const COMPILED: &str = ".cwasm";

/// The command that runs for an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// The package that the project depends on, installed so many folders above the project.
    Dependency {
        /// 0 for a package in the project's own `node_modules`.
        above: usize,
    },
    /// The package in this folder of the machine: absolute, with `/`.
    Installed(String),
    /// The component in this file of the machine, compiled for its wasmtime: absolute, with `/`.
    Compiled(String),
}

/// The way in which hooks are started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    program: Program,
    scope: SettingsScope,
    database: Option<DatabaseRef>,
}

/// A command as settings have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// A program and its arguments, without a shell.
    Exec(&'static str, Vec<String>),
    /// A line for the shell of the agent, which may be any.
    Line(String),
}

/// Characters that mean something between double quotes in one of the shells that agents take.
const SPECIAL: [char; 7] = ['"', '$', '`', '%', '!', '\n', '\r'];

impl Launch {
    /// Hooks that run this program, for the settings of the project.
    ///
    /// # Errors
    ///
    /// The path, where it has a character that not every shell takes as it is.
    pub fn new(program: Program) -> Result<Self, String> {
        match &program {
            Program::Installed(path) | Program::Compiled(path) if path.contains(SPECIAL) => {
                Err(path.clone())
            }
            _ => Ok(Launch {
                program,
                scope: SettingsScope::Project,
                database: None,
            }),
        }
    }

    /// Hooks that run the package in the project's own `node_modules`.
    pub fn of_dependency() -> Self {
        Launch {
            program: Program::Dependency { above: 0 },
            scope: SettingsScope::Project,
            database: None,
        }
    }

    /// The launch for the settings of another scope.
    #[must_use]
    pub fn within(self, scope: SettingsScope) -> Self {
        Launch { scope, ..self }
    }

    /// The launch with runs kept in this database; `None` for files. A compiled component reaches none.
    ///
    /// # Errors
    ///
    /// The name of the project, where it has a character that not every shell takes as it is.
    pub fn keeping_in(self, database: Option<DatabaseRef>) -> Result<Self, String> {
        match database {
            Some(database) if !database.fits_a_line() => Err(database.project),
            database => Ok(Launch { database, ..self }),
        }
    }

    /// The folder of the package that runs, where it is below this folder.
    pub fn installed_below(&self, folder: &str) -> Option<String> {
        match &self.program {
            Program::Installed(package) => {
                let below = package.strip_prefix(folder)?;
                below.starts_with('/').then(|| package.clone())
            }
            _ => None,
        }
    }

    /// Returns whether the status line can run another command: a component starts no programs.
    pub(super) fn can_wrap(&self) -> bool {
        !matches!(self.program, Program::Compiled(_))
    }

    /// The command that `agent` runs for an event.
    pub(super) fn hook(&self, agent: Agent, event: &str) -> Command {
        let mut words = agent.name().to_owned();
        if agent == Agent::Copilot {
            // Its payloads do not say which event they are of.
            words = format!("{words} {event}");
        }
        Command::Line(match &self.program {
            Program::Compiled(file) => compiled(file, agent, &format!("hook {words}")),
            _ => {
                words += self.scope_word();
                words += &self.database_words();
                self.node(agent, &words) + ENDS_WELL
            }
        })
    }

    /// The word that says in which scope a hook is registered. Hooks of the project need none: they leave no event to
    /// another entry.
    fn scope_word(&self) -> &'static str {
        match self.scope {
            SettingsScope::Project => "",
            SettingsScope::User => " user",
            SettingsScope::Local => " local",
        }
    }

    /// The words that name the database, with a space before them; empty where runs are kept in files.
    fn database_words(&self) -> String {
        self.database
            .as_ref()
            .map_or(String::new(), DatabaseRef::line)
    }

    /// The command that Claude Code runs for its status line, without the command of another one.
    pub(super) fn status_line(&self) -> String {
        match &self.program {
            Program::Compiled(file) => compiled(file, Agent::ClaudeCode, "statusline"),
            _ => {
                let words = ["statusline", &self.database_words()].concat();
                self.node_in_folder(QUIETLY, &words)
            }
        }
    }

    /// The command for the status line, followed by the command of the one that was there. Where the package is
    /// missing, that one runs alone.
    pub(super) fn wrapping_status_line(&self) -> String {
        let otherwise = "{require('child_process').spawnSync(process.argv.at(-1),{shell:true,stdio:'inherit'})}";
        let script = QUIETLY.replace("{}", otherwise);
        let words = ["statusline", &self.database_words()].concat();
        self.node_in_folder(&script, &words)
    }

    /// The words that an OpenCode plugin starts a process with.
    pub(super) fn words(&self) -> Vec<String> {
        let text = |words: &[&str]| words.iter().map(|&it| it.to_owned()).collect();
        let name = Agent::OpenCode.name();
        match &self.program {
            Program::Compiled(file) => text(&[
                "wasmtime",
                "run",
                "--argv0",
                file,
                "--allow-precompiled",
                "--dir",
                ".",
                file,
                "hook",
                name,
            ]),
            _ => {
                let file = match &self.program {
                    Program::Installed(folder) => format!("{folder}{BIN}"),
                    _ => ENTRY.to_owned(),
                };
                let mut words = text(&["node", "-e", QUIETLY, &file, name]);
                let scope = self.scope_word().trim_start();
                words.extend((!scope.is_empty()).then(|| scope.to_owned()));
                words.extend(self.database.iter().flat_map(DatabaseRef::words));
                words
            }
        }
    }

    /// A line of Node's that finds the package from the project's folder, or from the one that the agent works in.
    fn node(&self, agent: Agent, words: &str) -> String {
        match (&self.program, agent) {
            (Program::Dependency { above }, Agent::ClaudeCode) => {
                let above = "../".repeat(*above);
                format!("node -e \"{IN_PROJECT}\" ./{above}node_modules/{FILE} {words}")
            }
            _ => self.node_in_folder(QUIETLY, words),
        }
    }

    fn node_in_folder(&self, script: &str, words: &str) -> String {
        match &self.program {
            Program::Dependency { .. } => format!("node -e \"{script}\" {ENTRY} {words}"),
            Program::Installed(folder) | Program::Compiled(folder) => {
                format!("node -e \"{script}\" \"{folder}{BIN}\" {words}")
            }
        }
    }
}

/// A line that runs a compiled component. wasmtime ends with 2 where it does not know an option, which
/// agents take for a refusal of what they are about to do. A component learns where its file is from its name alone, and
/// names it in commands that the agent is asked to type.
fn compiled(file: &str, agent: Agent, words: &str) -> String {
    let folder = match agent {
        Agent::ClaudeCode if words != "statusline" => "\"$CLAUDE_PROJECT_DIR\"",
        // It puts the folder in by itself, in quotes.
        Agent::Gemini => "$GEMINI_PROJECT_DIR",
        _ => ".",
    };
    let variables = agent.project_variables().iter();
    let variables: String = variables.map(|name| format!(" --env {name}")).collect();
    format!(
        "wasmtime run --argv0 \"{file}\" --allow-precompiled --dir {folder}{variables} \"{file}\" {words} || exit 0"
    )
}

/// Returns whether a command, with its arguments, is one of those above, of any release.
pub(super) fn is_own(words: &str) -> bool {
    let words = words.replace('\\', "/");
    let on_node = [format!("{ENTRY} "), FILE.to_owned()];
    let runs = ["hook", "statusline"];
    let on_wasmtime = words.contains("milepost") && words.contains(COMPILED);
    on_node.iter().any(|name| words.contains(name))
        || on_wasmtime && words.split([' ', '"']).any(|word| runs.contains(&word))
}

/// The program that a command of ours runs; `None` where the command does not show it.
pub(super) fn program(words: &str) -> Option<Program> {
    let words = words.replace('\\', "/");
    let quoted = |ending: &str| words.split('"').find(|it| it.ends_with(ending));
    if let Some(file) = quoted(COMPILED) {
        return Some(Program::Compiled(file.to_owned()));
    }
    if words.contains(&format!(" {ENTRY} ")) || words.contains(&format!("\"{ENTRY}\"")) {
        return Some(Program::Dependency { above: 0 });
    }
    let file = quoted(FILE).or_else(|| {
        // Without quotes: what earlier releases gave Claude Code as an argument, and a path below the project.
        let (_, rest) = words.split_once("catch{}")?;
        let end = rest.find(FILE)? + FILE.len();
        Some(rest[..end].trim_start_matches(['"', ' ']))
    })?;
    let below = file.strip_prefix("${CLAUDE_PROJECT_DIR}/");
    match below.or(file.strip_prefix("./")) {
        Some(below) => Some(Program::Dependency {
            above: below.matches("../").count(),
        }),
        None => {
            let folder = file.strip_suffix(BIN)?;
            Some(Program::Installed(folder.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, Launch, Program, is_own, program};
    use crate::agent::Agent;
    use crate::agent::registration::SettingsScope;

    fn programs() -> [Program; 4] {
        [
            Program::Dependency { above: 0 },
            Program::Dependency { above: 2 },
            Program::Installed("/opt/my tools/milepost".to_owned()),
            Program::Compiled("/home/a b/milepost.cwasm".to_owned()),
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
                    | (Program::Installed(_) | Program::Compiled(_), _) => {
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
            let words =
                format!("node -e try{{require(process.argv[1])}}catch{{}} {words} claude-code");
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
}
