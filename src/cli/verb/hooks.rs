//! `milepost hooks`

use std::fmt::Write;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use crate::agent::Agent;
use crate::agent::registration::{SettingsScope, diff};
use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::cli::hook_steps;
use crate::cli::input;
use crate::effect::PathKind;
use crate::error::{Error, ErrorKind};
use crate::json::{Json, Object};
use crate::operation::hooks::hooks_status::{RegisteredFile, hooks_status};
use crate::operation::hooks::install_hooks::{InstallHooksRequest, Runtime, install_hooks};
use crate::operation::hooks::remove_hooks::{RemoveHooksRequest, remove_hooks};
use crate::operation::hooks::{Mode, SettingsChange, SettingsOutcome};
use crate::text::visible;

const HELP: &str = "\
AGENT is claude-code, codex, gemini, cursor, copilot, opencode or qwen-code.

The agent's own settings are edited: entries of this program are put in, brought up to date or taken out,
and every other byte stays. The content before is kept beside the file, with .milepost-backup behind its
name, until the hooks are removed. A status line of Claude Code that is there is run as well.

The hooks run node with a file of the package that the project depends on; where it is missing, they do
nothing. With --scope user they run the package that runs now, regardless of the project; with --scope
local too, where the project does not depend on it.

With --store and --project the hooks keep runs in that database; a later install without them changes
that back. Where the variable is not set when an event arrives, runs are kept in files, the start of a
session says so, and milepost doctor --fix brings them into the database once it is set.

On wasmtime it is a component compiled for this machine and its wasmtime. On Node, a component that is not
is compiled first, into a file beside it whose name ends with .cwasm; do that again after an upgrade of
wasmtime.

With --runtime native it is the program milepost that the PATH has, and with --scope user or local, from
that program itself, its file; there it is what hooks run unless --runtime says otherwise. Where it is
missing, they do nothing.";

/// The ends of the names of components, and of compiled ones.
const COMPONENT: &str = ".wasm";
const COMPILED: &str = ".cwasm";

/// Have agents record runs by hooks: install, remove, status
#[derive(Args, Debug)]
#[command(arg_required_else_help = false, after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(subcommand)]
    verb: HooksVerb,
}

#[derive(Debug, Subcommand)]
enum HooksVerb {
    /// Put hooks into the settings of agents
    Install {
        #[command(flatten)]
        settings_arg: SettingsArg,
        /// The runtime of the hooks: node, native (milepost on the PATH), or wasmtime (with --component, and --scope local
        /// or user)
        #[arg(long, value_name = "RUNTIME", value_parser = ["node", "native", "wasmtime"])]
        runtime: Option<String>,
        /// The component: milepost.wasm, or what `wasmtime compile` has made of it
        #[arg(long, value_name = "FILE", required_if_eq("runtime", "wasmtime"))]
        component: Option<String>,
    },
    /// Take hooks out of the settings of agents
    Remove {
        #[command(flatten)]
        settings_arg: SettingsArg,
    },
    /// Print where hooks are registered, a line each
    Status,
}

#[derive(Args, Debug)]
struct SettingsArg {
    /// For which agents
    #[arg(value_name = "AGENT", required = true, value_parser = agents(), hide_possible_values = true)]
    agents: Vec<Agent>,
    /// In whose settings: project, user, or local (yours, in this project)
    #[arg(long, value_name = "SCOPE", default_value = "project", value_parser = scopes(), hide_possible_values = true)]
    scope: SettingsScope,
    /// Print what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

fn agents() -> impl TypedValueParser<Value = Agent> {
    PossibleValuesParser::new(Agent::ALL.map(Agent::name))
        .try_map(|name| Agent::parse(&name).ok_or("no agent of this name"))
}

fn scopes() -> impl TypedValueParser<Value = SettingsScope> {
    PossibleValuesParser::new(SettingsScope::ALL.map(SettingsScope::name))
        .try_map(|name| SettingsScope::parse(&name).ok_or("no scope of this name"))
}

impl SettingsArg {
    fn mode(&self) -> Mode {
        match self.dry_run {
            true => Mode::Preview,
            false => Mode::Write,
        }
    }
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    match arguments.verb {
        HooksVerb::Install {
            settings_arg,
            component,
            runtime,
        } => {
            let runtime = runtime.as_deref();
            install(call, &settings_arg, runtime, component).await
        }
        HooksVerb::Remove { settings_arg } => {
            let request = RemoveHooksRequest {
                agents: &settings_arg.agents,
                scope: settings_arg.scope,
                mode: settings_arg.mode(),
                user: &call.user,
            };
            let reply = remove_hooks(call.io(), &call.settings, &request).await;
            let changes = call.settle(reply).await.map_err(with_way_out)?;
            let shown = answer(&changes, settings_arg.mode(), String::new(), Object::new());
            ended(call, &changes, shown).await
        }
        HooksVerb::Status => {
            let reply = hooks_status(call.io(), &call.settings, &call.user).await;
            let install = call.command("hooks install AGENT", None, "");
            Ok(status(&call.settle(reply).await?, &install))
        }
    }
}

impl Arguments {
    /// Returns true for the verb that prints where hooks are registered.
    pub(in crate::cli) fn is_status(&self) -> bool {
        matches!(self.verb, HooksVerb::Status)
    }

    /// The name of its own verb, where that works on settings alone; `None` for what registers hooks.
    pub(in crate::cli) fn on_settings(&self) -> Option<&'static str> {
        match self.verb {
            HooksVerb::Install { .. } => None,
            HooksVerb::Remove { .. } => Some("hooks remove"),
            HooksVerb::Status => Some("hooks status"),
        }
    }
}

/// The component that the host is to compile before it begins the call, and the file that it makes of it;
/// `None` without one.
pub(in crate::cli) fn to_compile(arguments: &Arguments, working: &str) -> Option<(String, String)> {
    let HooksVerb::Install {
        settings_arg,
        component: Some(component),
        ..
    } = &arguments.verb
    else {
        return None;
    };
    // A change that is refused, or only shown, needs none.
    let is_needed =
        settings_arg.scope != SettingsScope::Project && settings_arg.mode() == Mode::Write;
    let component = input::resolve(working, component);
    let compiled = compiled_path(&component).filter(|_| is_needed)?;
    Some((component, compiled))
}

/// The compiled component of one that is not.
fn compiled_path(component: &str) -> Option<String> {
    let name = component.strip_suffix(COMPONENT)?;
    Some(format!("{name}{COMPILED}"))
}

/// The compiled component that hooks run: the one that was named, or the one that the host has made.
async fn compiled(
    call: &CliCall,
    settings_arg: &SettingsArg,
    component: &str,
) -> Result<String, Error> {
    let component = input::resolve(&call.settings.working, component);
    let Some(compiled) = compiled_path(&component) else {
        return Ok(component);
    };
    if settings_arg.scope == SettingsScope::Project {
        return Ok(compiled);
    }
    let cannot = |reason: &str| Error::usage(format!("Cannot compile {component}: {reason}"));
    match &call.user.compiled {
        Some(Ok(())) => Ok(compiled),
        Some(Err(reason)) => Err(cannot(reason)),
        // A host with a package would compile it, and does not for a preview.
        None if settings_arg.mode() == Mode::Preview && call.user.package.is_some() => {
            match call.is_file(&component).await? {
                true => Ok(compiled),
                false => Err(cannot("there is no such file")),
            }
        }
        None => Err(Error::usage(format!(
            "{component} is not compiled for this machine, which only Node does here: expected what `wasmtime \
             compile -o {compiled} {component}` makes"
        ))),
    }
}

async fn install(
    call: &CliCall,
    settings_arg: &SettingsArg,
    runtime: Option<&str>,
    component: Option<String>,
) -> Result<CliAnswer, Error> {
    let is_of_machine = settings_arg.scope != SettingsScope::Project;
    // A database is out of its reach.
    let by_this_program = call.user.program.is_some() && call.database.is_none();
    let runtime = match (component, runtime) {
        (Some(_), Some("native")) => {
            let message =
                "`--component` is for wasmtime: expected `--runtime wasmtime`, or no component";
            return Err(Error::usage(message.to_owned()));
        }
        (Some(file), _) => Runtime::Wasmtime(compiled(call, settings_arg, &file).await?),
        (None, Some("native")) => Runtime::Native,
        (None, None) if is_of_machine && by_this_program => Runtime::Native,
        (None, _) => Runtime::Node,
    };
    let is_on_path = runtime == Runtime::Native && (!is_of_machine || call.user.program.is_none());
    let request = InstallHooksRequest {
        agents: &settings_arg.agents,
        scope: settings_arg.scope,
        runtime,
        database: call.database.as_ref(),
        mode: settings_arg.mode(),
        user: &call.user,
    };
    let reply = install_hooks(call.io(), &call.settings, &request).await;
    let installed = call.settle(reply).await.map_err(with_way_out)?;
    let mut steps = Vec::new();
    steps.extend(is_on_path.then(hook_steps::is_on_path));
    steps.extend(hook_steps::of(&installed, settings_arg.scope));
    steps.extend(call.database.as_ref().map(hook_steps::reaches));
    let mut notes = String::new();
    for step in &steps {
        let _ = writeln!(notes, "{step}");
    }
    let more = Object::new().with("next", steps);
    let shown = answer(&installed.changes, settings_arg.mode(), notes, more);
    ended(call, &installed.changes, shown).await
}

/// The end of a call: one that only shows its changes fails where making them would fail, once it has shown them.
async fn ended(
    call: &CliCall,
    changes: &[SettingsChange],
    shown: CliAnswer,
) -> Result<CliAnswer, Error> {
    let refused = changes.iter().find_map(|change| change.refused.clone());
    match refused {
        None => Ok(shown),
        Some(error) => {
            call.show(shown).await?;
            Err(error)
        }
    }
}

/// The failure with what helps where a link stands in place of settings, which nothing is written through.
fn with_way_out(error: Error) -> Error {
    match error.kind() {
        ErrorKind::UnsafePath { path, message } if message.contains(PathKind::Symlink.noun()) => {
            let message = format!(
                "{message}. `--dry-run` prints the change, to be made in the file that it leads to"
            );
            Error::unsafe_path(path.clone(), message).with_written(error.written())
        }
        _ => error,
    }
}

fn answer(changes: &[SettingsChange], mode: Mode, notes: String, more: Object) -> CliAnswer {
    let mut text = String::new();
    let mut items = Vec::new();
    for change in changes {
        let shown = diff(
            &change.path,
            change.before.as_deref(),
            change.after.as_deref(),
        );
        if mode == Mode::Preview {
            for line in shown.lines() {
                let _ = writeln!(text, "{}", visible(line));
            }
        } else {
            let word = match change.outcome {
                SettingsOutcome::Absent => "nothing",
                other => other.as_str(),
            };
            let _ = writeln!(
                text,
                "{word:9}  {}  {}",
                change.agent.name(),
                visible(&change.path)
            );
        }
        let item = Object::new()
            .with("agent", change.agent.name())
            .with("scope", change.scope.name())
            .with("path", change.path.as_str())
            .with("outcome", change.outcome.as_str())
            .with("diff", shown);
        items.push(Json::from(item));
    }
    if !notes.is_empty() {
        text = format!("{text}\n{notes}");
    }
    let mut object = Object::new().with("changes", items);
    for (key, value) in more.iter() {
        object.set(key, value.clone());
    }
    match mode {
        Mode::Preview => CliAnswer::data(text, object),
        Mode::Write => CliAnswer::confirmation(text, object),
    }
}

/// Lists where hooks are registered; `install` is the command that registers them.
fn status(all: &[RegisteredFile], install: &str) -> CliAnswer {
    let mut text = String::new();
    let mut items = Vec::new();
    for registered in all {
        let RegisteredFile {
            agent,
            scope,
            path,
            found,
            run,
            trust,
        } = registered;
        let mut item = Object::new()
            .with("agent", agent.name())
            .with("scope", scope.name())
            .with("path", path.as_str());
        let line = match found {
            Err(error) => {
                item.set("error", error.to_string());
                error.to_string()
            }
            Ok(found) => {
                item.set("events", found.events as u64);
                let missing = found.missing.iter().map(|&it| Json::from(it));
                item.set("missing", missing.collect::<Vec<_>>());
                item.set("commands", found.commands.clone());
                item.set("status_line", found.status_line);
                item.set("wrapped_status_line", found.wrapped.clone());
                let mut events = match found.missing.as_slice() {
                    [] => format!("all {} events", found.events),
                    missing => format!("without {}", missing.join(", ")),
                };
                if let Some(program) = &found.program {
                    item.set("runtime", program.runtime());
                    let _ = write!(events, ", {}", program.runs_on());
                }
                match run {
                    None => events,
                    Some(Ok(_)) => {
                        item.set("works", true);
                        format!("{events}, and what is registered works")
                    }
                    Some(Err(reason)) => {
                        item.set("works", false);
                        item.set("reason", reason.as_str());
                        format!("{events}, and what is registered does not work: {reason}")
                    }
                }
            }
        };
        let (name, scope) = (agent.name(), scope.name());
        let _ = writeln!(
            text,
            "{name:11}  {scope:7}  {}  {}",
            visible(path),
            visible(&line)
        );
        if let Ok(Some(database)) = found.as_ref().map(|it| it.database.as_ref()) {
            item.set("store", Json::from(database.clone()));
            let shown = visible(&database.shown()).into_owned();
            let _ = writeln!(text, "  runs are kept in {shown}");
        }
        if let Ok(Some(wrapped)) = found.as_ref().map(|it| it.wrapped.as_ref()) {
            let _ = writeln!(
                text,
                "  with the status line of before: {}",
                visible(wrapped)
            );
        }
        if let Some(trust) = trust {
            item.set("trusted", trust.is_listed);
            let path = visible(&trust.path);
            let _ = match trust.is_listed {
                true => writeln!(text, "  {name} trusts this project, as {path} says"),
                false => writeln!(
                    text,
                    "  {name} does not trust this project, as far as {path} says, and runs none of these until it does"
                ),
            };
        }
        if *agent == Agent::Codex {
            text.push_str("  whether each of these was reviewed, only /hooks in Codex says\n");
        }
        items.push(Json::from(item));
    }
    let exit = match all.is_empty() {
        true => {
            let _ = writeln!(
                text,
                "No agent has hooks of milepost here; `{install}` registers them"
            );
            Exit::No
        }
        false => Exit::Done,
    };
    CliAnswer::data(text, items).with_exit(exit)
}
