//! The settings of hooks of coding agents: `agents`.

use crate::json::{Json, Object, Pointer};
use crate::schema::{Kind, Problem, ProblemCode, Shape, optional, published};

use super::commands::check_command_name;

pub(super) static AGENTS: Shape = Shape {
    name: "AgentSettings",
    doc: published("Hooks of coding agents."),
    fields: &[
        optional(
            "commands",
            Kind::Record,
            "Names of slash commands, each with the command whose run it begins.",
        ),
        optional(
            "plan",
            Kind::Boolean,
            "True if the agent's own plan becomes phases; it does, unless this is false.",
        ),
        optional(
            "default_command",
            Kind::Nullable(&Kind::String),
            "The command that work without one begins; without it, `implement`, and with null none.",
        ),
        optional(
            "session_idle",
            Kind::Integer,
            "So many minutes after its last event a session is over; without it, 30.",
        ),
        optional(
            "handoff_at",
            Kind::Nullable(&Kind::Integer),
            "The fill of the context, in percent, at which a handoff is prepared; without it, 80, and with null \
             none is.",
        ),
        optional(
            "rewind",
            Kind::Boolean,
            "True if the files are kept before each prompt, for rewinds; without it they are not.",
        ),
        optional(
            "rewind_exclude",
            Kind::List(&Kind::String),
            "What is not kept for rewinds, besides what is ignored: patterns as those of `.gitignore`, from the root.",
        ),
        optional(
            "rewind_keep",
            Kind::Integer,
            "The number of prompts of a session that are kept for rewinds; without it, 100.",
        ),
        optional(
            "rewind_days",
            Kind::Integer,
            "So many days after a prompt its files are no longer kept; without it, 14.",
        ),
        optional(
            "rewind_max_bytes",
            Kind::Integer,
            "The most bytes of files that are kept for rewinds; without it, 1 GiB.",
        ),
    ],
};

/// The settings of hooks of coding agents, with the defaults where the file has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agents {
    /// Names of slash commands, each with the command whose checkpoint it begins.
    pub commands: Vec<(String, String)>,
    /// Set where the agent's own plan becomes phases.
    pub plan: bool,
    /// The command that work without one begins.
    pub default_command: Option<String>,
    /// The minutes after its last event at which a session is over.
    pub session_idle: u64,
    /// The fill of the context, in percent, at which a handoff is prepared.
    pub handoff_at: Option<u64>,
    /// True if the files are kept before each prompt.
    pub rewind: bool,
    /// The patterns of what is not kept for rewinds.
    pub rewind_exclude: Vec<String>,
    /// The number of prompts of a session that are kept.
    pub rewind_keep: u64,
    /// The days for which they are kept.
    pub rewind_days: u64,
    /// The most bytes of files that are kept for them.
    pub rewind_max_bytes: u64,
}

impl Default for Agents {
    fn default() -> Self {
        Agents::of(&Object::new())
    }
}

impl Agents {
    /// From settings, checked or not: what is of another kind counts as absent.
    pub fn of(settings: &Object) -> Self {
        let agents = settings.get("agents").and_then(Json::as_object);
        let member = |key: &str| agents?.get(key);
        let number = |key: &str| member(key).and_then(Json::as_u64);
        let texts = |key: &str| -> Vec<String> {
            let list = member(key).and_then(Json::as_array).unwrap_or_default();
            let texts = list.iter().filter_map(Json::as_str);
            texts.map(str::to_owned).collect()
        };
        let commands = member("commands").and_then(Json::as_object);
        let alias =
            |(name, command): (&str, &Json)| Some((name.to_owned(), command.as_str()?.to_owned()));
        Agents {
            commands: commands
                .map(|commands| commands.iter().filter_map(alias).collect())
                .unwrap_or_default(),
            plan: member("plan").and_then(Json::as_bool).unwrap_or(true),
            default_command: match member("default_command") {
                Some(Json::Null) => None,
                command => Some(
                    command
                        .and_then(Json::as_str)
                        .unwrap_or("implement")
                        .to_owned(),
                ),
            },
            session_idle: member("session_idle").and_then(Json::as_u64).unwrap_or(30),
            handoff_at: match member("handoff_at") {
                Some(Json::Null) => None,
                percent => Some(percent.and_then(Json::as_u64).unwrap_or(80)),
            },
            rewind: member("rewind").and_then(Json::as_bool).unwrap_or(false),
            rewind_exclude: texts("rewind_exclude"),
            rewind_keep: number("rewind_keep").unwrap_or(100),
            rewind_days: number("rewind_days").unwrap_or(14),
            rewind_max_bytes: number("rewind_max_bytes").unwrap_or(1 << 30),
        }
    }
}

/// The problems of `agents.commands`: a slash command begins a run of a valid command name.
pub(super) fn problems(file: &Json) -> Vec<Problem> {
    let commands = file.as_object().and_then(|file| {
        let agents = file.get("agents")?.as_object()?;
        agents.get("commands")?.as_object()
    });
    let wrong = |(name, command): (&str, &Json)| {
        let why = match command {
            Json::String(command) => check_command_name(command).err()?,
            other => sentence!("expected the name of a command, found {}", other.kind()),
        };
        Some(Problem {
            at: Pointer::root().key("agents").key("commands").key(name),
            code: ProblemCode::Name,
            message: why,
        })
    };
    let commands = commands.into_iter().flat_map(Object::iter);
    commands.filter_map(wrong).collect()
}
