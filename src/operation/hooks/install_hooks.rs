//! Hooks put into the settings of agents.

use crate::agent::Agent;
use crate::agent::registration::{
    DatabaseRef, Launch, Program, SettingsScope, StatusLine, find, has_status_line, install,
    names_native_program,
};
use crate::effect::{Io, PathKind};
use crate::error::{Error, Written};
use crate::git::folder::join;
use crate::operation::reply::with_warnings;
use crate::operation::{Reply, Settings};
use crate::root::{self, Root};

use super::settings_file::{
    Mode, SettingsChange, SettingsFile, SettingsOutcome, overtaken, previewed, refusal,
};
use super::settings_path::{SettingsPath, User};

/// The package as a dependency of the project.
const PACKAGE: &str = "node_modules/milepost/package.json";

/// The end of the folder of an installed package, by which entries are known.
const FOLDER: &str = "/milepost";

/// The package of a workspace is at most so many folders above a project in it.
const MAX_ABOVE: usize = 4;

/// Parts of paths to packages that do not stay: they were fetched for one call.
const PASSING: [&str; 4] = ["/_npx/", "/dlx-", "/bunx-", "/.yarn/berry/cache/"];

/// The program that hooks run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// The package, on Node.
    Node,
    /// The component in this file, which was compiled for the wasmtime of this machine.
    Wasmtime(String),
    /// The native program: the one that runs now, and in settings of a project the one that the PATH has.
    Native,
}

/// The hooks to install.
#[derive(Clone, Debug)]
pub struct InstallHooksRequest<'a> {
    /// The agents.
    pub agents: &'a [Agent],
    /// The scope of their settings.
    pub scope: SettingsScope,
    /// The program that runs.
    pub runtime: Runtime,
    /// The database that runs are kept in; `None` for files.
    pub database: Option<&'a DatabaseRef>,
    /// Writes, or only previews.
    pub mode: Mode,
    /// The facts about the user.
    pub user: &'a User,
}

/// The installed hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The change of each file.
    pub changes: Vec<SettingsChange>,
    /// Set where the project has no package that the hooks could run, and none that stays was found: they do nothing
    /// until it has one.
    pub lacks_package: bool,
    /// Files whose status line stays, and is not run by ours.
    pub kept_status_lines: Vec<String>,
    /// Other files with hooks that the agents run for the same events.
    pub others: Vec<OtherHooksFile>,
    /// The package that hooks of the user run, where it is in the project and goes with that.
    pub borrowed: Option<String>,
}

/// A file with hooks that an agent runs beside those that were installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherHooksFile {
    /// The agent that runs both.
    pub agent: Agent,
    /// The agent that the other settings belong to.
    pub of: Agent,
    /// The file, relative to the root or to `~`.
    pub path: String,
}

/// Puts hooks into the settings of agents. Every file is read and its new text made before any is written.
///
/// Fails with `usage`, `unsafe_path`, `invalid_document` where the agent could not use a file, `too_large`, `conflict`
/// where another program changes one again and again, and `io`. Files of agents before the one that failed stay
/// changed; doing it again goes on from there.
pub async fn install_hooks(
    io: &Io,
    settings: &Settings,
    request: &InstallHooksRequest<'_>,
) -> Reply<Installed> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        for &agent in request.agents {
            SettingsPath::of(agent, request.scope, &root, request.user)?;
        }
        let (launch, lacks_package) = launch(io, settings, &root, request).await?;
        let mut installed = Installed {
            changes: Vec::new(),
            lacks_package,
            kept_status_lines: Vec::new(),
            others: Vec::new(),
            borrowed: launch.installed_below(root.path()),
        };
        let mut planned = Vec::new();
        for &agent in request.agents {
            let path = SettingsPath::of(agent, request.scope, &root, request.user)?;
            let file = SettingsFile { io, path };
            let line = status_line(io, &root, agent, request, &mut installed).await?;
            let change = plan(&file, agent, request, &launch, line).await?;
            installed
                .others
                .extend(others(io, &root, agent, request).await);
            planned.push((file, line, change));
        }
        for (file, line, change) in planned {
            let change = match request.mode {
                Mode::Preview => previewed(&file, change).await,
                Mode::Write => {
                    let is_first = installed.changes.iter().all(is_untouched);
                    let written = write(&file, change, request, &launch, line).await;
                    written.map_err(|error| match is_first {
                        true => error,
                        false => error.with_written(Written::Unknown),
                    })?
                }
            };
            note_status_line(&change, line, &mut installed);
            installed.changes.push(change);
        }
        Ok(installed)
    })
    .await
}

fn is_untouched(change: &SettingsChange) -> bool {
    change.outcome == SettingsOutcome::Unchanged
}

/// Plans the new text of a file.
async fn plan(
    file: &SettingsFile<'_>,
    agent: Agent,
    request: &InstallHooksRequest<'_>,
    launch: &Launch,
    line: StatusLine,
) -> Result<SettingsChange, Error> {
    let shown = &file.path.shown;
    let before = file.text_for(request.mode).await?;
    let after = install(agent, before.as_deref(), launch, line);
    let after = after.map_err(|it| refusal(shown, it))?;
    let outcome = match &before {
        None => SettingsOutcome::Created,
        Some(before) if *before == after => SettingsOutcome::Unchanged,
        Some(_) => SettingsOutcome::Changed,
    };
    Ok(SettingsChange {
        agent,
        scope: request.scope,
        path: shown.clone(),
        outcome,
        before,
        after: Some(after),
        refused: None,
    })
}

/// Writes a change. Where another program was faster, it is planned a second time, and no more.
async fn write(
    file: &SettingsFile<'_>,
    change: SettingsChange,
    request: &InstallHooksRequest<'_>,
    launch: &Launch,
    line: StatusLine,
) -> Result<SettingsChange, Error> {
    let mut change = change;
    for _ in 0..2 {
        if change.outcome == SettingsOutcome::Unchanged {
            return Ok(change);
        }
        let before = change.before.as_deref();
        // The text before an update is not the text before the hooks.
        let kept = before.filter(|it| !has_any(change.agent, it));
        if let Some(kept) = kept {
            file.keep(kept).await?;
        }
        let replaced = file.replace(before, change.after.as_deref()).await;
        if matches!(replaced, Ok(true)) {
            return Ok(change);
        }
        if kept.is_some() {
            file.forget().await;
        }
        replaced?;
        change = plan(file, change.agent, request, launch, line).await?;
    }
    Err(overtaken(&change.path))
}

/// Returns whether a file has anything of ours.
fn has_any(agent: Agent, text: &str) -> bool {
    find(agent, text).is_ok_and(|it| it.events > 0 || it.status_line)
}

/// The launch of the hooks, and whether its program is missing so far.
async fn launch(
    io: &Io,
    settings: &Settings,
    root: &Root,
    request: &InstallHooksRequest<'_>,
) -> Result<(Launch, bool), Error> {
    expect_reachable(request)?;
    let (program, lacks_package) = match &request.runtime {
        Runtime::Wasmtime(_) if request.scope == SettingsScope::Project => {
            let message = "A compiled component belongs to one machine, and the settings of a project to \
                           all that work on it: expected scope local or user";
            return Err(Error::usage(message.to_owned()));
        }
        Runtime::Wasmtime(file) => (Program::Compiled(file.replace('\\', "/")), false),
        Runtime::Native => (Program::Native(native_file(request)?), false),
        Runtime::Node if request.scope == SettingsScope::User => (of_user(request.user)?, false),
        Runtime::Node => on_node(io, settings, root, request).await?,
    };
    let launch = Launch::new(program).map_err(|path| {
        let message = format!(
            "{path} has a character that not every shell takes as it is: expected a path without quotes, \
             `$`, `%`, `!` and line breaks"
        );
        Error::usage(message)
    })?;
    let launch = launch.within(request.scope);
    let launch = launch
        .keeping_in(request.database.cloned())
        .map_err(|project| {
            let message = format!(
                "The project name {project} has a character that not every shell takes as it is: expected one without \
                 quotes, `$`, `%`, `!`, `\\` and line breaks"
            );
            Error::usage(message)
        })?;
    Ok((launch, lacks_package))
}

/// Refuses a database where the hooks could not reach it, or would mix projects in it.
fn expect_reachable(request: &InstallHooksRequest<'_>) -> Result<(), Error> {
    let message = match (request.database, &request.runtime, request.scope) {
        (Some(_), Runtime::Wasmtime(_), _) => {
            "A component, which wasmtime runs, reaches no database: expected Node, or runs in files"
        }
        (Some(_), Runtime::Native, _) => {
            "The native program reaches no database: expected Node, or runs in files"
        }
        (Some(_), _, SettingsScope::User) => {
            "A database has the runs of one project, and hooks of scope user run in every one: expected scope project \
             or local"
        }
        _ => return Ok(()),
    };
    Err(Error::usage(message.to_owned()))
}

/// The file of the native program that runs now, for settings of this machine; `None` for the program that the PATH of
/// the agent has.
fn native_file(request: &InstallHooksRequest<'_>) -> Result<Option<String>, Error> {
    let file = match request.scope {
        SettingsScope::Project => None,
        SettingsScope::User | SettingsScope::Local => request.user.program.clone(),
    };
    match file {
        Some(file) if !names_native_program(&file) => Err(Error::usage(format!(
            "Hooks are known by the name of what they run, and the program that runs now is {file}: expected a file \
             named milepost"
        ))),
        file => Ok(file),
    }
}

/// The package that runs now: hooks of the user run it in every project, regardless of that project's dependencies.
fn of_user(user: &User) -> Result<Program, Error> {
    let Some(package) = lasting(user) else {
        let message = "Hooks of the user run in every project, and the package that runs now does not stay: expected \
                       one that is installed globally, such as from its packed file";
        return Err(Error::usage(message.to_owned()));
    };
    Ok(Program::Installed(package))
}

/// The folder of the package that runs, if it was installed to stay.
fn lasting(user: &User) -> Option<String> {
    let package = user.package.as_ref().map(|it| it.replace('\\', "/"));
    // A folder elsewhere is no installed package, such as that of a plugin, which goes with its version.
    let is_package = package.filter(|it| it.ends_with(FOLDER));
    is_package.filter(|it| !PASSING.iter().any(|part| it.contains(part)))
}

async fn on_node(
    io: &Io,
    settings: &Settings,
    root: &Root,
    request: &InstallHooksRequest<'_>,
) -> Result<(Program, bool), Error> {
    let above = |count: usize| format!("{}{PACKAGE}", "../".repeat(count));
    let paths = (0..=MAX_ABOVE).map(|count| root.join(&above(count)));
    if let Some(above) = first_file(io, paths.collect()).await? {
        return Ok((Program::Dependency { above }, false));
    }
    if request.scope == SettingsScope::Local
        && let Some(package) = lasting(request.user)
    {
        return Ok((Program::Installed(package), false));
    }
    let between = between(root.path(), &settings.working);
    let paths = between.iter().map(|it| root.join(&join(it, PACKAGE)));
    if let Some(at) = first_file(io, paths.collect()).await? {
        let folder = &between[at];
        let message = format!(
            "The package is a dependency of {folder}, and hooks of the project do not find it from its root: expected \
             it as a dependency of the root, or {folder} as the root, for agents that are started there"
        );
        return Err(Error::usage(message));
    }
    Ok((Program::Dependency { above: 0 }, true))
}

/// The folders from the working folder up to the root, without that, relative to it.
fn between(root: &str, working: &str) -> Vec<String> {
    let below = working.strip_prefix(root).unwrap_or_default();
    let mut below = below.trim_matches('/');
    let mut folders = Vec::new();
    while !below.is_empty() {
        folders.push(below.to_owned());
        below = below.rsplit_once('/').map_or("", |(above, _)| above);
    }
    folders
}

/// The position of the first of these paths that is a file.
async fn first_file(io: &Io, paths: Vec<String>) -> Result<Option<usize>, Error> {
    if paths.is_empty() {
        return Ok(None);
    }
    let looked = io.inspect(paths).await;
    let entries = looked.map_err(|failed| failed.cannot("look at", PACKAGE))?;
    Ok(entries
        .iter()
        .position(|entry| entry.kind == PathKind::File))
}

/// Other files with hooks that the agent runs for the same events.
async fn others(
    io: &Io,
    root: &Root,
    agent: Agent,
    request: &InstallHooksRequest<'_>,
) -> Vec<OtherHooksFile> {
    let own = SettingsScope::ALL
        .into_iter()
        .filter(|it| *it != request.scope);
    let own = own.map(|scope| (agent, scope));
    // Claude Code's entries in a project are run by these too.
    let foreign = match agent {
        Agent::Cursor | Agent::Copilot => [SettingsScope::Project, SettingsScope::Local].as_slice(),
        _ => &[],
    };
    let foreign = foreign.iter().map(|scope| (Agent::ClaudeCode, *scope));
    let mut others = Vec::new();
    for (of, scope) in own.chain(foreign) {
        // Where nothing can be seen of the user's own settings, nothing is known of them.
        let Ok(path) = SettingsPath::of(of, scope, root, request.user) else {
            continue;
        };
        let file = SettingsFile { io, path };
        let text = file.read_following_links().await.ok().flatten();
        if text.is_some_and(|text| find(of, &text).is_ok_and(|it| it.events > 0)) {
            let path = file.path.shown;
            others.push(OtherHooksFile { agent, of, path });
        }
    }
    others
}

/// The outcome for the status line: it is left out where another file has one that would be hidden.
async fn status_line(
    io: &Io,
    root: &Root,
    agent: Agent,
    request: &InstallHooksRequest<'_>,
    installed: &mut Installed,
) -> Result<StatusLine, Error> {
    let hidden: &[SettingsScope] = match request.scope {
        _ if agent != Agent::ClaudeCode => &[],
        SettingsScope::User => &[],
        SettingsScope::Project => &[SettingsScope::User],
        SettingsScope::Local => &[SettingsScope::User, SettingsScope::Project],
    };
    for &scope in hidden {
        // Where nothing can be seen of the user's own settings, nothing is known of them.
        let Ok(path) = SettingsPath::of(agent, scope, root, request.user) else {
            continue;
        };
        let file = SettingsFile { io, path };
        let text = file.read_following_links().await.ok().flatten();
        if text.is_some_and(|text| has_status_line(&text)) {
            installed.kept_status_lines.push(file.path.shown);
            return Ok(StatusLine::Leave);
        }
    }
    Ok(StatusLine::Register)
}

/// Notes a status line that stands in the file itself and could not be run as well.
fn note_status_line(change: &SettingsChange, line: StatusLine, installed: &mut Installed) {
    let is_kept = change.after.as_deref().is_some_and(has_status_line);
    if change.agent == Agent::ClaudeCode && line == StatusLine::Register && is_kept {
        installed.kept_status_lines.push(change.path.clone());
    }
}
