//! The programs that coding agents start: `milepost hook AGENT [EVENT] [SCOPE]` takes one event into the checkpoint of
//! the project, `milepost statusline [--then COMMAND]` is the status line of Claude Code. `--store env:NAME --project
//! PROJECT` names a database.
//!
//! An error must not disturb the agent: one line on standard error at most, and exit code 0, never 2.

use std::io::{self, Write};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::agent::registration::{DatabaseRef, SettingsScope, StartedEntry, is_left_to_another};
use crate::agent::{Agent, CommandWords};
use crate::blocking::effect::Io;
use crate::blocking::operation::agent::hook::{HookEvent, hook};
use crate::blocking::operation::agent::kept_in_files::KeptInFiles;
use crate::blocking::operation::agent::status_line::status_line;
use crate::effect::{Fault, Outcome, Stream, Until};
use crate::json::{self, Json, Object};
use crate::secret::redact;
use crate::text::{shell_word, visible};

use super::host::NativeHost;
use super::invocation::{settings, variable, working};
use super::process;
use super::program_file::{self, NAME};
use super::settings_lookup::SettingsOfMachine;
use super::system;

/// A payload has whole files in it.
const MAX_BYTES: u32 = 64 << 20;

/// The time that the command of another status line may take.
const OTHER_LINE_TIME: Duration = Duration::from_secs(3);
/// More than any terminal shows of it.
const OTHER_LINE_BYTES: usize = 1 << 20;

/// An event that no agent has, with which a registered line is tried, and the answer of a hook that works.
pub(super) const TRIAL: &str = "milepost.trial";
pub(super) const WORKS: &str = "works";

/// Members that only Cursor sends, to the hooks of other agents too.
const CURSORS_OWN: [&str; 3] = ["cursor_version", "conversation_id", "workspace_roots"];

/// The members that may name an event, and those that may name the folder that an agent works in.
const EVENT: [&str; 3] = ["hook_event_name", "hookEventName", "event"];
const FOLDER: [&str; 2] = ["cwd", "directory"];

/// A call of an agent.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AgentCall {
    kind: AgentCallKind,
    /// The words from `--store` on; empty without one.
    database: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum AgentCallKind {
    Hook {
        agent: Agent,
        /// The event, for an agent whose payloads do not say it.
        event: Option<String>,
        /// The settings that the entry is in; those of a project do not say it.
        scope: Option<SettingsScope>,
    },
    StatusLine {
        /// The command of another status line, which goes before this one.
        then: Option<String>,
    },
}

impl AgentCall {
    /// The call of these words; `None` where they are for the command line, which also refuses wrong ones.
    pub(super) fn of(words: &[String]) -> Option<Self> {
        let (verb, words) = words.split_first()?;
        let mut words = words.to_vec();
        let store = words.iter().position(|word| word == "--store");
        let database = store.map(|at| words.drain(at..words.len().min(at + 4)).collect());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let kind = match (verb.as_str(), words.as_slice()) {
            ("statusline", []) => AgentCallKind::StatusLine { then: None },
            ("statusline", ["--then", command]) => AgentCallKind::StatusLine {
                then: Some((*command).to_owned()),
            },
            ("hook", [agent, more @ ..]) if more.len() <= 2 => {
                let scope = more.iter().find_map(|word| foreign_scope(word));
                let mut events = more.iter().filter(|word| foreign_scope(word).is_none());
                let event = events.next().map(|&event| event.to_owned());
                let is_wrong = events.next().is_some()
                    || event.as_ref().is_some_and(|event| event.starts_with('-'));
                if is_wrong {
                    return None;
                }
                AgentCallKind::Hook {
                    agent: Agent::parse(agent)?,
                    event,
                    scope,
                }
            }
            _ => return None,
        };
        Some(AgentCall {
            kind,
            database: database.unwrap_or_default(),
        })
    }

    /// Takes the payload. A failure is a line on standard error.
    pub(super) fn run(&self) {
        if let Err(message) = self.take() {
            // One line: some messages go on with more.
            let message = message.split('\n').next().unwrap_or_default();
            let message = redact(message).text;
            let text = format!("[milepost hook] {}\n", visible(&message));
            // A closed output is no reason to disturb the agent.
            let _ = system::print(Stream::Error, text.as_bytes());
        }
    }

    fn take(&self) -> Result<(), String> {
        let Some((bytes, payload)) = payload()? else {
            return Ok(());
        };
        let database = self.database()?;
        match &self.kind {
            AgentCallKind::StatusLine { then } => {
                let other = then.as_ref().map_or(Vec::new(), |it| other_line(it, bytes));
                show_status(&payload, other)
            }
            AgentCallKind::Hook {
                agent,
                event,
                scope,
            } => {
                let event = event.as_deref();
                take_event((*agent, event, *scope), &payload, database.as_ref())
            }
        }
    }

    /// The database that `--store env:NAME --project PROJECT` names.
    fn database(&self) -> Result<Option<DatabaseRef>, String> {
        let [_, named, option, project] = self.database.as_slice() else {
            return match self.database.is_empty() {
                true => Ok(None),
                false => Err(wrong_database()),
            };
        };
        let variable = named.strip_prefix(DatabaseRef::ENV);
        match variable {
            Some(variable) if option == "--project" && !project.is_empty() => {
                Ok(Some(DatabaseRef {
                    variable: (!variable.is_empty()).then(|| variable.to_owned()),
                    project: project.clone(),
                }))
            }
            _ => Err(wrong_database()),
        }
    }
}

fn wrong_database() -> String {
    "expected `--store env:NAME --project PROJECT`, as `milepost hooks install` writes it"
        .to_owned()
}

/// The scope of an entry outside of the project's own settings.
fn foreign_scope(word: &str) -> Option<SettingsScope> {
    SettingsScope::parse(word).filter(|scope| *scope != SettingsScope::Project)
}

/// The bytes of the first object on standard input, and what they say; `None` where nothing came.
fn payload() -> Result<Option<(Vec<u8>, Object)>, String> {
    let taken = system::standard_input(MAX_BYTES, Until::Object);
    let bytes = match taken {
        Ok(Outcome::Bytes(bytes)) => bytes,
        Err(failed) if failed.fault == Fault::TooLarge => {
            return Err(format!("cannot read the payload: {}", failed.detail));
        }
        // As on Node, an input that cannot be read has nothing in it.
        Ok(_) | Err(_) => Vec::new(),
    };
    let Some(begin) = bytes.iter().position(|byte| *byte == b'{') else {
        return Ok(None);
    };
    // As on Node, a byte that is no UTF-8 loses a letter and not the event.
    let bytes = String::from_utf8_lossy(&bytes[begin..])
        .into_owned()
        .into_bytes();
    let reading = json::read(&bytes);
    let reading = reading.map_err(|error| format!("the payload is not valid JSON: {error}"))?;
    match reading.value {
        Json::Object(payload) => Ok(Some((bytes, payload))),
        _ => Ok(None),
    }
}

fn take_event(
    (agent, event, scope): (Agent, Option<&str>, Option<SettingsScope>),
    payload: &Object,
    database: Option<&DatabaseRef>,
) -> Result<(), String> {
    let name = text_of(payload, &EVENT).or(event);
    if name == Some(TRIAL) {
        answer((agent, None), &Object::new(), None, None)?;
        return print(&format!("{WORKS}\n"));
    }
    let project = agent.project_variables().iter().find_map(|it| variable(it));
    let sender = sender_of(agent, payload);
    // Most entries are those of the project, on their own agent: they ask nothing.
    if scope.is_some() || sender != agent {
        let here;
        let folder = match working_folder(payload) {
            Some(folder) => folder,
            None => {
                here = working()?;
                here.as_str()
            }
        };
        let started = StartedEntry {
            agent,
            scope: scope.unwrap_or(SettingsScope::Project),
            sender,
            event: name.unwrap_or_default(),
            project: project.as_deref(),
            folder,
        };
        if is_left_to_another(&started, &SettingsOfMachine) {
            return Ok(());
        }
    }
    let agent = match sender {
        Agent::Copilot => sender,
        _ => agent,
    };
    match answer((agent, event), payload, project.as_deref(), database)? {
        Some(line) => print(&format!("{line}\n")),
        None => Ok(()),
    }
}

/// The agent that started this: Cursor and Copilot CLI run the entries of Claude Code, too. The variable alone would name
/// Copilot CLI in an agent that was started from it.
fn sender_of(agent: Agent, payload: &Object) -> Agent {
    if agent != Agent::ClaudeCode {
        return agent;
    }
    if CURSORS_OWN
        .iter()
        .any(|member| payload.get(member).is_some())
    {
        return Agent::Cursor;
    }
    match variable("COPILOT_CLI").is_some() && payload.get("timestamp").is_some() {
        true => Agent::Copilot,
        false => agent,
    }
}

/// The folder that the agent works in, as its payload says it.
fn working_folder(payload: &Object) -> Option<&str> {
    let roots = payload.get("workspace_roots").and_then(Json::as_array);
    let root = roots.and_then(|roots| roots.first()?.as_str());
    root.or_else(|| text_of(payload, &FOLDER))
}

fn text_of<'a>(payload: &'a Object, names: &[&str]) -> Option<&'a str> {
    names
        .iter()
        .find_map(|name| payload.get(name).and_then(Json::as_str))
}

/// Has the core take an event; the line to print, if there is one. A database that is named is beyond this host: runs are
/// kept in files, and the core says so to the agent.
fn answer(
    (agent, event): (Agent, Option<&str>),
    payload: &Object,
    project: Option<&str>,
    database: Option<&DatabaseRef>,
) -> Result<Option<String>, String> {
    let settings = settings(working()?);
    // The package brings runs into a database, and this program does not.
    let program = match database {
        Some(_) => CommandWords::LOCAL.program.to_owned(),
        None => program(),
    };
    let named = database.map(|it| (it.variable.as_deref(), it.project.as_str()));
    let reason = "this program reaches no database; the package does, on Node";
    let hook_event = HookEvent {
        agent,
        event,
        payload,
        project,
        kept_in_files: named.map(|(name, project)| KeptInFiles {
            variable: name,
            project,
            reason: name
                .is_none_or(|name| variable(name).is_some())
                .then_some(reason),
        }),
        words: &CommandWords {
            program: &program,
            database: None,
        },
    };
    let reply = hook(&io(settings.working.clone()), &settings, &hook_event);
    reply.result.map_err(|error| error.to_string())
}

/// The handle to this host. Hooks have no vocabulary: nothing that they do counts exact tokens.
fn io(working: String) -> Io {
    let host = NativeHost::new(working, None);
    Io::new(move |effect| host.perform(effect))
}

fn print(text: &str) -> Result<(), String> {
    let printed = system::print(Stream::Output, text.as_bytes());
    printed.map(drop).map_err(|failed| failed.detail)
}

/// The words that start this program in a shell: its name where the PATH has one, else its file.
fn program() -> String {
    let is_on_path = program_file::on_path().is_some();
    let file = program_file::own().filter(|_| !is_on_path);
    file.map_or(NAME.to_owned(), |file| shell_word(&file))
}

/// Prints the status line, below that of the command which was there before it.
fn show_status(payload: &Object, other: Vec<u8>) -> Result<(), String> {
    let write = |bytes: &[u8]| {
        let written = system::print(Stream::Output, bytes);
        written.map(drop).map_err(|failed| failed.detail)
    };
    write(&other)?;
    let settings = settings(working()?);
    let reply = status_line(&io(settings.working.clone()), &settings, payload);
    let Some(line) = reply.result.map_err(|error| error.to_string())? else {
        return Ok(());
    };
    let is_open = other.last().is_some_and(|last| *last != b'\n');
    let begin = if is_open { "\n" } else { "" };
    write(format!("{begin}{line}\n").as_bytes())
}

/// The output of another command for the status line; nothing where it cannot be started.
fn other_line(command: &str, payload: Vec<u8>) -> Vec<u8> {
    let Ok((input, mut writer)) = io::pipe() else {
        return Vec::new();
    };
    // It may print before it has read all of it, or read nothing.
    let writing = thread::spawn(move || drop(writer.write_all(&payload)));
    let mut shell = system::shell(command);
    shell.stdin(input).stderr(Stdio::null());
    let run = process::run(&mut shell, OTHER_LINE_TIME, OTHER_LINE_BYTES);
    drop(shell);
    drop(writing);
    run.map_or(Vec::new(), |output| output.bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::{AgentCall, AgentCallKind, other_line};
    use crate::agent::Agent;
    use crate::agent::registration::SettingsScope;

    fn call(line: &str) -> Option<AgentCall> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        AgentCall::of(&words)
    }

    #[test]
    fn the_words_of_a_registered_line_are_those_of_a_hook() {
        let hook = |agent, event: Option<&str>, scope| AgentCallKind::Hook {
            agent,
            event: event.map(str::to_owned),
            scope,
        };
        for (line, expected) in [
            ("hook claude-code", hook(Agent::ClaudeCode, None, None)),
            (
                "hook claude-code user",
                hook(Agent::ClaudeCode, None, Some(SettingsScope::User)),
            ),
            (
                "hook copilot sessionStart local",
                hook(
                    Agent::Copilot,
                    Some("sessionStart"),
                    Some(SettingsScope::Local),
                ),
            ),
            (
                "hook codex --store env:URL --project shop",
                hook(Agent::Codex, None, None),
            ),
            ("statusline", AgentCallKind::StatusLine { then: None }),
        ] {
            assert_eq!(call(line).map(|call| call.kind), Some(expected), "{line}");
        }
        for line in [
            "hook",
            "hook no-agent",
            "hook claude-code --help",
            "hook claude-code a b c",
            "statusline --help",
            "status",
            "--root . hook claude-code",
        ] {
            assert_eq!(call(line), None, "{line}");
        }
    }

    #[test]
    fn a_database_is_named_by_four_words_and_no_others() {
        let named = |line: &str| call(line).unwrap().database();
        let database = named("hook codex --store env:URL --project shop").unwrap();
        let database = database.unwrap();
        assert_eq!(database.variable.as_deref(), Some("URL"));
        assert_eq!(database.project, "shop");
        assert_eq!(named("hook codex").unwrap(), None);
        for line in [
            "hook codex --store",
            "hook codex --store URL --project shop",
            "hook codex --store env:URL --dir shop",
        ] {
            assert!(named(line).is_err(), "{line}");
        }
    }

    #[test]
    fn the_other_status_line_gets_the_payload_and_its_output_is_kept() {
        let large = vec![b'x'; 1 << 20];
        assert_eq!(
            other_line("cat | wc -c", large.clone()).trim_ascii(),
            b"1048576"
        );
        assert_eq!(other_line("printf line; exec 2>&1; exit 3", large), b"line");
        assert_eq!(other_line("exit 1", Vec::new()), b"");
    }
}
