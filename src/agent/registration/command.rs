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
#[cfg(native_host)]
use crate::json::{self, Json};

use super::database::DatabaseRef;
use super::file::SettingsScope;
use super::native_line;

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
    /// The native program: this file of the machine, absolute, or the one that the PATH has.
    Native(Option<String>),
}

impl Program {
    /// The runtime, as `hooks install` names it.
    pub fn runtime(&self) -> &'static str {
        match self {
            Program::Dependency { .. } | Program::Installed(_) => "node",
            Program::Compiled(_) => "wasmtime",
            Program::Native(_) => "native",
        }
    }

    /// The runtime as a sentence names it.
    pub fn runs_on(&self) -> &'static str {
        match self {
            Program::Dependency { .. } | Program::Installed(_) => "on Node",
            Program::Compiled(_) => "on wasmtime",
            Program::Native(_) => "by the native program",
        }
    }
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
            Program::Installed(path) | Program::Compiled(path) | Program::Native(Some(path))
                if path.contains(SPECIAL) =>
            {
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

    /// The launch with runs kept in this database; `None` for files. Node alone reaches one.
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
            Program::Native(file) => {
                let program = native_line::program_word(file.as_deref());
                words += self.scope_word();
                format!("{program} hook {words}{ENDS_WELL}")
            }
            Program::Dependency { .. } | Program::Installed(_) => {
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

    /// That word alone; `None` for hooks of the project.
    fn scope_name(&self) -> Option<String> {
        let scope = self.scope_word().trim_start();
        (!scope.is_empty()).then(|| scope.to_owned())
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
            Program::Native(file) => {
                let program = native_line::program_word(file.as_deref());
                format!("{program} statusline")
            }
            Program::Dependency { .. } | Program::Installed(_) => {
                let words = ["statusline", &self.database_words()].concat();
                self.node_in_folder(QUIETLY, &words)
            }
        }
    }

    /// The command for the status line, followed by the command of the one that was there. Where the package is
    /// missing, that one runs alone.
    pub(super) fn wrapping_status_line(&self) -> String {
        if let Program::Native(file) = &self.program {
            return native_line::wrapping(file.as_deref());
        }
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
            Program::Native(file) => {
                let program = file.as_deref().unwrap_or(native_line::NAME);
                let mut words = text(&[program, "hook", name]);
                words.extend(self.scope_name());
                words
            }
            Program::Dependency { .. } | Program::Installed(_) => {
                let file = match &self.program {
                    Program::Installed(folder) => format!("{folder}{BIN}"),
                    _ => ENTRY.to_owned(),
                };
                let mut words = text(&["node", "-e", QUIETLY, &file, name]);
                words.extend(self.scope_name());
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
            Program::Installed(folder) => {
                format!("node -e \"{script}\" \"{folder}{BIN}\" {words}")
            }
            _ => format!("node -e \"{script}\" {ENTRY} {words}"),
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

/// Returns whether a command is to the letter what this release registers with an agent in a scope; that of a plugin is
/// its words as JSON.
#[cfg(native_host)]
pub fn is_as_registered(agent: Agent, scope: SettingsScope, command: &str) -> bool {
    let can_be = |program: &Program| match program {
        // Hooks of the user run in every project, and this is of one.
        Program::Dependency { .. } => scope != SettingsScope::User,
        Program::Native(Some(file)) => file.starts_with('/'),
        _ => true,
    };
    let program = program(command).filter(can_be);
    let launch = program.and_then(|it| Launch::new(it).ok());
    let launch = launch.map(|it| it.within(scope));
    let database = DatabaseRef::of_command(command);
    let Some(launch) = launch.and_then(|it| it.keeping_in(database).ok()) else {
        return false;
    };
    if agent == Agent::OpenCode {
        let words: Vec<Json> = launch.words().into_iter().map(Json::from).collect();
        return Json::from(words).to_line() == command;
    }
    let mut events = agent.row().events.iter();
    events.any(|(event, _)| launch.hook(agent, event) == Command::Line(command.to_owned()))
}

/// The words behind the native program in a command that is as this release registers it.
#[cfg(native_host)]
pub fn hook_words(command: &str) -> Option<Vec<String>> {
    if command.starts_with('[') {
        let reading = json::read(command.as_bytes()).ok()?;
        let words = reading.value.as_array()?.iter().skip(1);
        return words.map(|it| it.as_str().map(str::to_owned)).collect();
    }
    let (_, words) = native_line::first_word(command)?;
    let words = words.strip_prefix(' ')?.strip_suffix(ENDS_WELL)?;
    Some(words.split(' ').map(str::to_owned).collect())
}

/// Returns whether a command, with its arguments, is one of those above, of any release.
pub(super) fn is_own(words: &str) -> bool {
    let words = words.replace('\\', "/");
    let on_node = [format!("{ENTRY} "), FILE.to_owned()];
    let runs = ["hook", "statusline"];
    let on_wasmtime = words.contains("milepost") && words.contains(COMPILED);
    on_node.iter().any(|name| words.contains(name))
        || native_line::program_of(&words).is_some()
        || on_wasmtime && words.split([' ', '"']).any(|word| runs.contains(&word))
}

/// The program that a command of ours runs; `None` where the command does not show it.
pub(super) fn program(words: &str) -> Option<Program> {
    let words = words.replace('\\', "/");
    if let Some(file) = native_line::program_of(&words) {
        return Some(Program::Native(file));
    }
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
#[path = "command_tests.rs"]
mod tests;
