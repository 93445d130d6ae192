//! `integrations.json`: which services a project works with, and how.
//!
//! The file is committed, so a secret in it is refused, by the name of its field alone: the value
//! never reaches a message.

mod notifications;
mod tokens;

use crate::error::Error;
use crate::json::{self, Json, Object, Pointer};
use crate::portable;
use crate::schema::{Field, Kind, Presence, Problem, ProblemCode, Shape, published};
use crate::secret;

pub use notifications::{EVENTS, Endpoint, Notifications, Service};
pub use tokens::budget;

/// Where a project keeps them, relative to its root.
pub const FILE: &str = ".claude/config/integrations.json";

/// With a feature, and a temporary name made of both, it fits any file system's 255 bytes.
pub const MAX_COMMAND: usize = 50;

/// Whatever is in it, a session checkpoint with a diff of this length can be read again.
const MAX_DIFF_BYTES: u64 = 256 << 10;

const DEFAULTS: &str = r#"{
  "linear": {
    "enabled": true,
    "team": "Basecamp",
    "branch_prefix": "feature",
    "use_native_automation": true
  },
  "vercel": {
    "enabled": true,
    "wait_for_preview": true,
    "preview_timeout_ms": 300000,
    "require_preview_success": false
  }
}
"#;

static INTEGRATIONS: Shape = Shape {
    name: "Integrations",
    doc: published("Which services a project works with, and how."),
    fields: &[
        field("agents", Kind::Object(&AGENTS), "Hooks of coding agents."),
        field(
            "commands",
            Kind::List(&Kind::String),
            "Commands that have checkpoints besides the seven.",
        ),
        field("linear", Kind::Object(&LINEAR), "Issues."),
        field(
            "notifications",
            Kind::Object(&notifications::NOTIFICATIONS),
            "Who is told of what checkpoints reached.",
        ),
        field("sessions", Kind::Object(&SESSIONS), "Session checkpoints."),
        field(
            "tokens",
            Kind::Object(&tokens::TOKENS),
            "A limit of context summaries in exact tokens, beside the 500 words.",
        ),
        field("vercel", Kind::Object(&VERCEL), "Preview deployments."),
    ],
};

static AGENTS: Shape = Shape {
    name: "AgentSettings",
    doc: published("Hooks of coding agents."),
    fields: &[
        field(
            "commands",
            Kind::Record,
            "Names of slash commands, each with the command whose checkpoint it begins.",
        ),
        field(
            "plan",
            Kind::Boolean,
            "Whether the agent's own plan becomes phases; it does, unless this is false.",
        ),
        field(
            "default_command",
            Kind::Nullable(&Kind::String),
            "The command that work without one begins; without it, `implement`, and with null none.",
        ),
        field(
            "session_idle",
            Kind::Integer,
            "So many minutes after its last event a session is over; without it, 30.",
        ),
        field(
            "handoff_at",
            Kind::Nullable(&Kind::Integer),
            "How full the context is, in percent, when a handoff is prepared; without it, 80, and with null \
             none is.",
        ),
    ],
};

static LINEAR: Shape = Shape {
    name: "LinearIntegration",
    doc: published("Issues."),
    fields: &[
        field(
            "enabled",
            Kind::Boolean,
            "Whether issues are created and updated.",
        ),
        field(
            "team",
            Kind::String,
            "The team that issues are assigned to.",
        ),
        field(
            "branch_prefix",
            Kind::String,
            "Stands before the issue in a branch's name.",
        ),
        field(
            "use_native_automation",
            Kind::Boolean,
            "Whether the code host's own automation is used, which needs no token.",
        ),
    ],
};

static SESSIONS: Shape = Shape {
    name: "SessionSettings",
    doc: published("Session checkpoints."),
    fields: &[
        field(
            "keep",
            Kind::Integer,
            "So many of the newest are kept; without it, 10.",
        ),
        field(
            "max_file_bytes",
            Kind::Integer,
            "A larger file is left out of a snapshot; without it, 268435456 (256 MiB).",
        ),
        field(
            "max_snapshot_bytes",
            Kind::Integer,
            "So many bytes of files a snapshot keeps at most; without it, 4294967296 (4 GiB).",
        ),
        field(
            "max_diff_bytes",
            Kind::Integer,
            "A longer git_diff is cut, up to 262144 (256 KiB); without it, 65536 (64 KiB), and with 0 there \
             is none.",
        ),
        field(
            "allow",
            Kind::List(&Kind::String),
            "Paths of files that are kept though they look like files of secrets, or are large.",
        ),
    ],
};

static VERCEL: Shape = Shape {
    name: "VercelIntegration",
    doc: published("Preview deployments."),
    fields: &[
        field("enabled", Kind::Boolean, "Whether previews are deployed."),
        field(
            "wait_for_preview",
            Kind::Boolean,
            "Whether shipping waits for the preview.",
        ),
        field(
            "preview_timeout_ms",
            Kind::Integer,
            "How long it waits at most, in milliseconds.",
        ),
        field(
            "require_preview_success",
            Kind::Boolean,
            "Whether a failed preview stops shipping.",
        ),
    ],
};

const fn field(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field {
        name,
        kind,
        presence: Presence::Optional,
        doc: published(doc),
    }
}

/// What holds for a project without the file, and what the file says when it is made.
pub fn default_document() -> Object {
    match json::read(DEFAULTS.as_bytes()).map(|reading| reading.value) {
        Ok(Json::Object(object)) => object,
        _ => unreachable!("the constant is a JSON object, as a test shows"),
    }
}

/// The project's settings: what the file says, and the defaults for what it does not say. Unknown
/// fields are kept.
///
/// # Errors
///
/// [`Error::invalid_document`] with every known field that is of the wrong kind, and every field
/// that looks like a secret.
pub fn parse(file: Json) -> Result<Object, Error> {
    let mut problems = INTEGRATIONS.problems(&file);
    problems.extend(secret::problems(&file));
    problems.extend(wrong_commands(&file));
    problems.extend(wrong_diff(&file));
    problems.extend(notifications::problems(&file));
    problems.extend(wrong_aliases(&file));
    problems.extend(tokens::problem(&file));
    let Json::Object(mut settings) = file else {
        return Err(Error::invalid_document(problems));
    };
    if !problems.is_empty() {
        return Err(Error::invalid_document(problems));
    }
    fill(&mut settings, default_document());
    INTEGRATIONS.arrange(&mut settings);
    Ok(settings)
}

/// The commands that the settings add.
pub fn commands(settings: &Object) -> Vec<String> {
    let commands = settings.get("commands").and_then(Json::as_array);
    let commands = commands.unwrap_or_default().iter();
    commands
        .filter_map(Json::as_str)
        .map(str::to_owned)
        .collect()
}

/// What the settings say of session checkpoints, each where they say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    /// How many of the newest are kept.
    pub keep: Option<u64>,
    /// The size of the largest file in a snapshot.
    pub max_file_bytes: Option<u64>,
    /// How much of all files a snapshot keeps.
    pub max_snapshot_bytes: Option<u64>,
    /// The length of the longest `git_diff`.
    pub max_diff_bytes: Option<u64>,
    /// Paths of files that are kept whatever they look like.
    pub allow: Vec<String>,
}

impl Sessions {
    /// From settings that were checked.
    pub fn of(settings: &Object) -> Self {
        let sessions = settings.get("sessions").and_then(Json::as_object);
        let number = |key: &str| sessions?.get(key)?.as_u64();
        let allow = sessions.and_then(|it| it.get("allow")?.as_array());
        let allow = allow.unwrap_or_default().iter().filter_map(Json::as_str);
        Sessions {
            keep: number("keep"),
            max_file_bytes: number("max_file_bytes"),
            max_snapshot_bytes: number("max_snapshot_bytes"),
            max_diff_bytes: number("max_diff_bytes"),
            allow: allow.map(str::to_owned).collect(),
        }
    }
}

/// What the settings say of hooks of coding agents, and what holds where they do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agents {
    /// Names of slash commands, each with the command whose checkpoint it begins.
    pub commands: Vec<(String, String)>,
    /// Whether the agent's own plan becomes phases.
    pub plan: bool,
    /// The command that work without one begins.
    pub default_command: Option<String>,
    /// So many minutes after its last event a session is over.
    pub session_idle: u64,
    /// How full the context is, in percent, when a handoff is prepared.
    pub handoff_at: Option<u64>,
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
        }
    }
}

/// What a slash command begins is a command.
fn wrong_aliases(file: &Json) -> Vec<Problem> {
    let commands = file.as_object().and_then(|file| {
        let agents = file.get("agents")?.as_object()?;
        agents.get("commands")?.as_object()
    });
    let wrong = |(name, command): (&str, &Json)| {
        let why = match command {
            Json::String(command) => portable::check_word(command, MAX_COMMAND).err()?,
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

/// A longer one might make a session checkpoint that nobody reads.
fn wrong_diff(file: &Json) -> Option<Problem> {
    let sessions = file.as_object()?.get("sessions")?.as_object()?;
    let bytes = sessions.get("max_diff_bytes")?.as_u64()?;
    (bytes > MAX_DIFF_BYTES).then(|| Problem {
        at: Pointer::root().key("sessions").key("max_diff_bytes"),
        code: ProblemCode::Range,
        message: sentence!("expected at most {MAX_DIFF_BYTES} bytes, found {bytes}"),
    })
}

/// A command is the first part of a file's name.
fn wrong_commands(file: &Json) -> Vec<Problem> {
    let commands = file
        .as_object()
        .and_then(|file| file.get("commands")?.as_array());
    let mut problems = Vec::new();
    for (at, command) in commands.unwrap_or_default().iter().enumerate() {
        if let Some(Err(message)) = command
            .as_str()
            .map(|command| portable::check_word(command, MAX_COMMAND))
        {
            problems.push(Problem {
                at: Pointer::root().key("commands").item(at),
                code: ProblemCode::Name,
                message,
            });
        }
    }
    problems
}

fn fill(settings: &mut Object, defaults: Object) {
    for (key, default) in defaults {
        match (settings.get_mut(&key), default) {
            (None, default) => settings.set(&key, default),
            (Some(Json::Object(present)), Json::Object(defaults)) => fill(present, defaults),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, ErrorKind};

    fn parse_text(text: &str) -> Result<Object, Error> {
        parse(json::read(text.as_bytes()).unwrap().value)
    }

    #[test]
    fn the_defaults_satisfy_their_own_rules_and_stand_as_written() {
        let defaults = Json::from(default_document());
        assert_eq!(defaults.to_document(), DEFAULTS);
        assert_eq!(parse(defaults), Ok(default_document()));
    }

    #[test]
    fn every_known_field_has_a_default() {
        let defaults = default_document();
        for service in INTEGRATIONS.fields {
            let Kind::Object(shape) = service.kind else {
                assert_eq!(service.name, "commands", "has none: there are seven");
                continue;
            };
            if ["agents", "notifications", "sessions", "tokens"].contains(&service.name) {
                continue;
            }
            let values = defaults
                .get(service.name)
                .and_then(Json::as_object)
                .unwrap();
            let names = values.iter().map(|(name, _)| name);
            assert!(names.eq(shape.fields.iter().map(|field| field.name)));
        }
    }

    #[test]
    fn what_the_file_does_not_say_is_filled_in() {
        let settings =
            parse_text(r#"{"slack": {"channel": "dev"}, "linear": {"x": 1.0, "enabled": false}}"#);
        assert_eq!(
            Json::from(settings.unwrap()).to_line(),
            concat!(
                r#"{"linear":{"enabled":false,"team":"Basecamp","branch_prefix":"feature","#,
                r#""use_native_automation":true,"x":1.0},"vercel":{"enabled":true,"#,
                r#""wait_for_preview":true,"preview_timeout_ms":300000,"#,
                r##""require_preview_success":false},"slack":{"channel":"dev"}}"##
            )
        );
        assert_eq!(parse_text("{}"), Ok(default_document()));
    }

    #[test]
    fn every_field_of_the_wrong_kind_is_named() {
        let Err(ErrorKind::InvalidDocument(problems)) = parse_text(
            r#"{"linear": {"enabled": "yes", "team": 1, "branch_prefix": null},
                "vercel": {"preview_timeout_ms": -1, "wait_for_preview": 0}}"#,
        )
        .map_err(Error::into_kind) else {
            panic!("the document is invalid");
        };
        let places: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
        assert_eq!(
            places,
            [
                "/linear/enabled",
                "/linear/team",
                "/linear/branch_prefix",
                "/vercel/wait_for_preview",
                "/vercel/preview_timeout_ms",
            ]
        );
        for text in ["[]", "null", r#"{"linear": true}"#] {
            assert!(parse_text(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_the_settings_say_of_sessions_was_not_taken_or_not_checked() {
        let settings = parse_text(
            r#"{"sessions": {"keep": 3, "max_file_bytes": 0, "max_snapshot_bytes": 9007199254740991,
                "max_diff_bytes": 262144, "allow": [".env", "b"]}}"#,
        );
        let expected = Sessions {
            keep: Some(3),
            max_file_bytes: Some(0),
            max_snapshot_bytes: Some(9_007_199_254_740_991),
            max_diff_bytes: Some(262_144),
            allow: vec![".env".to_owned(), "b".to_owned()],
        };
        assert_eq!(Sessions::of(&settings.unwrap()), expected);
        assert_eq!(Sessions::of(&default_document()), Sessions::default());
        for (member, at) in [
            (r#""max_diff_bytes": 262145"#, "/sessions/max_diff_bytes"),
            (r#""max_file_bytes": -1"#, "/sessions/max_file_bytes"),
            (
                r#""max_snapshot_bytes": "4 GB""#,
                "/sessions/max_snapshot_bytes",
            ),
            (r#""allow": ".env""#, "/sessions/allow"),
            (r#""allow": [1]"#, "/sessions/allow/0"),
        ] {
            let text = format!(r#"{{"sessions": {{{member}}}}}"#);
            let Err(ErrorKind::InvalidDocument(problems)) =
                parse_text(&text).map_err(Error::into_kind)
            else {
                panic!("{member} is refused");
            };
            assert_eq!(problems[0].at.as_str(), at);
        }
    }

    #[test]
    fn a_command_that_is_no_first_part_of_a_file_name_is_named() {
        let added = parse_text(r#"{"commands": ["build", "e2e_test", "7"]}"#).unwrap();
        assert_eq!(commands(&added), ["build", "e2e_test", "7"]);
        assert_eq!(commands(&default_document()), [""; 0]);
        let long = "a".repeat(51);
        for command in ["", "Build", "a-b", "a.b", "../x", "a b", "é", &long] {
            let text = format!(r#"{{"commands": ["build", "{command}"]}}"#);
            let Err(ErrorKind::InvalidDocument(problems)) =
                parse_text(&text).map_err(Error::into_kind)
            else {
                panic!("{command} is refused");
            };
            assert_eq!(problems[0].at.as_str(), "/commands/1");
        }
        assert!(parse_text(r#"{"commands": {"build": true}}"#).is_err());
        assert!(parse_text(r#"{"commands": [5]}"#).is_err());
    }

    #[test]
    fn no_message_quotes_a_value() {
        const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
        for text in [
            r#"{"linear": {"enabled": "SECRET"}}"#,
            r#"{"linear": "SECRET"}"#,
            r#"{"vercel": {"preview_timeout_ms": "SECRET"}, "a": {"token": "hunter2"}}"#,
            r#"{"SECRET": 1}"#,
            r#"{"token": ["hunter2", {"a": "SECRET"}]}"#,
            r#"{"slack": "https://hooks.slack.com/services/hunter2/SECRET"}"#,
            r#"{"a": "Bearer SECRET", "b": "https://me:hunter2@example.org"}"#,
            r#""SECRET""#,
        ] {
            let error = parse_text(&text.replace("SECRET", SECRET)).unwrap_err();
            let ErrorKind::InvalidDocument(problems) = error.kind() else {
                panic!("the document is invalid");
            };
            let said: String = problems.iter().map(ToString::to_string).collect();
            assert!(
                !said.contains("ghp_") && !said.contains("hunter2"),
                "{said}"
            );
        }
    }
}
