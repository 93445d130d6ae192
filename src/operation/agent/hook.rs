//! One event of a coding agent: what it means for the checkpoint that the agent's session works on.

use crate::agent::{self, Agent, CommandWords, ContextSource, Event, Payload, WrittenFile};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::error::whole;
use crate::json::Object;
use crate::operation::reply::{Warnings, with_warnings};
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::root;
use crate::schema::{ArgumentMembers, Shaped};
use crate::text::quoted;

use super::begin;
use super::compaction;
use super::context_window;
use super::gate::listed;
use super::hook_context::HookContext;
use super::kept_in_files::KeptInFiles;
use super::moments::{self, TurnEnd};
use super::session::SessionKey;
use super::settings::agent_settings;
use super::shell_changes::{self, Begins};
use super::site::{Site, Sites};
use super::subagents::root_session;
use super::tool_events::{planned, presented, wrote};
use super::turn::{report, stop};
use super::work_state;

pub(super) const OPERATION: Operation = Operation::changing::<HookArguments, HookAnswer>(
    "hook",
    "Takes one event of a coding agent into the checkpoint that its session works on.",
    perform,
)
.of(Capability::Agents);

/// The event, as the agent sent it.
#[derive(ArgumentMembers)]
struct HookArguments<'a> {
    /// The agent whose hook this is: `claude-code`, `codex`, `gemini`, `cursor`, `copilot`, `opencode` or `qwen-code`.
    agent: &'a str,
    /// The event's name, for an agent whose payloads do not say it.
    event: Option<&'a str>,
    /// The hook's payload.
    payload: &'a Object,
    /// The project's folder, as a variable of the agent's environment says it.
    project: Option<&'a str>,
    /// That the database which the hook names could not be used: its `variable`, its `project`, and the `reason`, which
    /// is absent where the variable is not set.
    kept_in_files: Option<&'a Object>,
    /// The words of a shell that start the program, for commands that the agent is asked to type; `npx milepost` by
    /// default.
    program: Option<&'a str>,
    /// The database that runs are kept in, for the same commands: its `variable` and its `project`.
    database: Option<&'a Object>,
}

impl<'a> HookArguments<'a> {
    fn kept_in_files(&self) -> Option<KeptInFiles<'a>> {
        KeptInFiles::read(self.kept_in_files)
    }

    /// The words of commands, as the host says them.
    fn words(&self) -> CommandWords<'a> {
        let database = self.database;
        let named = |name: &str| database?.get(name)?.as_str();
        CommandWords {
            program: self.program.unwrap_or(CommandWords::LOCAL.program),
            database: named("project").map(|project| (named("variable"), project)),
        }
    }
}

/// The answer.
#[derive(Shaped)]
struct HookAnswer {
    /// The line to print; null where nothing is to be printed.
    output: Option<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: HookArguments<'_> = arguments.read();
        let agent = match named(arguments.agent) {
            Ok(agent) => agent,
            Err(error) => return Warnings::default().reply(Err(error)),
        };
        let hook_event = HookEvent {
            agent,
            event: arguments.event,
            payload: arguments.payload,
            project: arguments.project,
            kept_in_files: arguments.kept_in_files(),
            words: &arguments.words(),
        };
        let reply = hook(io, settings, &hook_event).await;
        reply.map(|output| HookAnswer { output }.into())
    })
}

/// An event, as it came.
#[derive(Clone, Copy, Debug)]
pub struct HookEvent<'a> {
    /// The agent whose hook was called.
    pub agent: Agent,
    /// The event's name, for an agent whose payloads do not say it.
    pub event: Option<&'a str>,
    /// The hook's payload.
    pub payload: &'a Object,
    /// The project's folder, as a variable of the agent's environment says it.
    pub project: Option<&'a str>,
    /// The reason that runs are kept in files, where the hook names a database.
    pub kept_in_files: Option<KeptInFiles<'a>>,
    /// The words of commands that the agent is asked to type.
    pub words: &'a CommandWords<'a>,
}

/// Performs one event; the line to print, if there is one.
///
/// An event that is not the program's business does not fail, and neither does one outside of every project: nothing is
/// kept of either. Fails as the operations on a checkpoint do.
pub async fn hook(
    io: &Io,
    settings: &Settings,
    hook_event: &HookEvent<'_>,
) -> Reply<Option<String>> {
    with_warnings(async |warnings| {
        let agent = hook_event.agent;
        let Some(payload) = agent::read(agent, hook_event.event, hook_event.payload) else {
            return Ok(None);
        };
        let Some(id) = payload.session else {
            return Ok(None);
        };
        // An event that means nothing may say whose subagent it is of.
        if payload.event == Event::Other && payload.parent.is_none() {
            return Ok(None);
        }
        let project = hook_event.project;
        let Event::Wrote(files) = &payload.event else {
            let site = Site::of_session(io, settings, project, &payload).await?;
            let Some(site) = site else {
                return Ok(None);
            };
            return at(io, &site, hook_event, (&payload, id), (&[], &[]), warnings).await;
        };
        let sites = Sites::of_files(io, settings, project, &payload, files).await?;
        let mut elsewhere = None;
        for (site, files) in &sites.others {
            whole::needed()?;
            let output = at(io, site, hook_event, (&payload, id), (files, &[]), warnings).await?;
            elsewhere = elsewhere.or(output);
        }
        let Sites {
            own,
            files,
            outside,
            ..
        } = &sites;
        let Some(own) = own else {
            return Ok(elsewhere);
        };
        if elsewhere.is_some() && files.is_empty() && outside.is_empty() {
            return Ok(elsewhere);
        }
        let written = (files.as_slice(), outside.as_slice());
        let output = at(io, own, hook_event, (&payload, id), written, warnings).await?;
        Ok(output.or(elsewhere))
    })
    .await
}

/// Performs one event at a root, with the files of it that were written there, and those that were written outside.
async fn at(
    io: &Io,
    site: &Site,
    hook_event: &HookEvent<'_>,
    (payload, id): (&Payload<'_>, &str),
    (files, outside): (&[WrittenFile], &[String]),
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    let Site { folders, root } = site;
    let id = root_session(io, root, &folders.settings, payload, id).await?;
    if payload.event == Event::Other {
        return Ok(None);
    }
    let session = SessionKey::new(payload.sender, &id);
    let can_answer = payload.subagent.is_none() && agent::gives_context(payload);
    let mut hook = HookContext::new(io, &folders.settings, root, &session);
    hook.can_answer = can_answer;
    hook.kept_in_files = hook_event.kept_in_files;
    hook.words = hook_event.words;
    let is_request_due = context_window::is_request_due(&hook, payload).await?;
    let is_resume_point_due = compaction::is_due(&hook, payload).await?;
    let files = listed(folders.below(root, files), |(path, _)| path)?;
    let outside = &listed(outside.to_vec(), |path| path)?;
    let output = boxed(answer(&hook, payload, (&files, outside), warnings)).await?;
    if is_resume_point_due {
        whole::needed()?;
        return boxed(compaction::give(&hook, payload, output, warnings)).await;
    }
    match is_request_due && output.is_none() {
        true => boxed(context_window::request(&hook, payload, warnings)).await,
        false => Ok(output),
    }
}

/// The agent of that name.
///
/// # Errors
///
/// [`Error::usage`], with those that there are.
pub(crate) fn named(name: &str) -> Result<Agent, Error> {
    Agent::parse(name).ok_or_else(|| {
        let names = Agent::ALL.map(Agent::name);
        Error::usage(sentence!(
            "There is no agent {}: expected one of {}",
            quoted(name),
            names.join(", ")
        ))
    })
}

/// The files of an event: those below the root, by their paths from there, and those outside.
type Files<'a> = (&'a [(String, Option<bool>)], &'a [String]);

async fn answer(
    hook: &HookContext<'_>,
    payload: &Payload<'_>,
    (files, outside): Files<'_>,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    if payload.subagent.is_some() {
        return subagent(hook, payload, (files, outside), warnings).await;
    }
    match &payload.event {
        Event::SessionStart(source) => {
            whole::needed()?;
            let settings = agent_settings(hook.io, hook.root).await;
            let context = begin::resume(hook, &settings, warnings).await?;
            // A context that begins in the middle of a turn does not hide what the turn has changed.
            let begins = match source {
                ContextSource::Startup | ContextSource::Resume | ContextSource::Fork => {
                    Begins::Session
                }
                ContextSource::Clear | ContextSource::Compact => Begins::Part,
            };
            shell_changes::begin(hook, begins, &[]).await;
            Ok(context.and_then(|context| agent::answer(payload, &context)))
        }
        Event::Prompt(prompt) => {
            if !has_state(hook).await && agent::slash_command(prompt).is_none() {
                return Ok(None);
            }
            whole::needed()?;
            let settings = agent_settings(hook.io, hook.root).await;
            let notice = moments::before_prompt(hook, &settings, prompt, warnings);
            let notice = boxed(notice).await;
            let context = match agent::slash_command(prompt) {
                Some((word, rest)) => begin::command(hook, &settings, word, rest, warnings).await?,
                None => begin::prompt(hook, &settings, warnings).await?,
            };
            let context = match (notice, context) {
                (Some(notice), Some(context)) => Some([notice, context].join("\n")),
                (notice, context) => notice.or(context),
            };
            Ok(context.and_then(|context| agent::answer(payload, &context)))
        }
        Event::Wrote(_) => {
            let notice = boxed(wrote(hook, files, outside, warnings)).await?;
            Ok(notice.and_then(|notice| agent::answer(payload, &agent::notice(&notice))))
        }
        Event::Planned(plan) => {
            let notice = boxed(planned(hook, plan, warnings)).await?;
            Ok(notice.and_then(|notice| agent::answer(payload, &agent::notice(&notice))))
        }
        Event::Stop(message) => {
            let end = match payload.is_continued {
                true => TurnEnd::Continued,
                false => TurnEnd::Stop,
            };
            boxed(moments::after_turn(hook, end, warnings)).await?;
            stop(hook, payload, *message, warnings).await?;
            Ok(None)
        }
        Event::SubagentStop { kind, message } => {
            report(hook, *kind, *message, warnings).await?;
            Ok(None)
        }
        Event::Presented(plan) => {
            whole::needed()?;
            let notice = boxed(presented(hook, plan, warnings)).await?;
            Ok(notice.and_then(|notice| agent::answer(payload, &agent::notice(&notice))))
        }
        Event::BeforeCompaction => {
            whole::needed()?;
            compaction::record(hook).await;
            work_state::keep(hook, "handoff", warnings).await?;
            if !agent::gives_context(payload) {
                return Ok(None);
            }
            let settings = agent_settings(hook.io, hook.root).await;
            let context = begin::resume(hook, &settings, warnings).await?;
            Ok(context.and_then(|context| agent::answer(payload, &context)))
        }
        Event::Failure => work_state::keep(hook, "error", warnings)
            .await
            .map(|()| None),
        Event::SessionEnd => {
            boxed(moments::after_turn(hook, TurnEnd::SessionEnd, warnings)).await?;
            hook.end(warnings).await.map(|()| None)
        }
        Event::SessionFailure => {
            whole::needed()?;
            // The next steps find the session's work only while it has not ended.
            work_state::keep(hook, "error", warnings).await?;
            boxed(moments::after_turn(hook, TurnEnd::SessionEnd, warnings)).await?;
            hook.end(warnings).await.map(|()| None)
        }
        Event::Other => Ok(None),
    }
}

/// An event in a subagent: its files join the phase in progress, and its last words are reported. Its plan, its
/// prompt and its context are its own.
async fn subagent(
    hook: &HookContext<'_>,
    payload: &Payload<'_>,
    (files, outside): Files<'_>,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    match &payload.event {
        Event::Wrote(_) => drop(boxed(wrote(hook, files, outside, warnings)).await?),
        Event::SubagentStop { kind, message } => report(hook, *kind, *message, warnings).await?,
        _ => {}
    }
    Ok(None)
}

/// Returns whether there is a folder of runs at all.
async fn has_state(hook: &HookContext<'_>) -> bool {
    let Ok(folder) = root::state_folder(hook.root, hook.settings) else {
        return false;
    };
    folder.is_there(hook.io).await.unwrap_or(true)
}
