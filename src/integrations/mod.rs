//! `integrations.json`: which services a project works with, and how.
//!
//! The file is committed, so a secret in it is refused, by the name of its field alone: the value
//! never reaches a message.

mod agents;
mod commands;
mod notifications;
mod redaction;
mod sessions;
mod tokens;

use crate::error::Error;
use crate::json::{self, Json, Object};
use crate::schema::{Kind, Shape, optional, published};
use crate::secret;

pub use agents::Agents;
pub use commands::{check_command_name, commands};
pub use notifications::{EVENTS, Endpoint, Notifications, Service};
pub use redaction::allowed_secrets;
pub use sessions::Sessions;
pub use tokens::budget;

/// The path of a project's settings, relative to its root.
pub const FILE: &str = ".claude/config/integrations.json";

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

/// The form of the file.
pub static INTEGRATIONS: Shape = Shape {
    name: "Integrations",
    doc: published("The services that a project works with, and their settings."),
    fields: &[
        optional(
            "agents",
            Kind::Object(&agents::AGENTS),
            "Hooks of coding agents.",
        ),
        optional(
            "commands",
            Kind::List(&Kind::String),
            "Commands beside the seven: small letters, digits and `_`.",
        ),
        optional("linear", Kind::Object(&LINEAR), "Issues."),
        optional(
            "notifications",
            Kind::Object(&notifications::NOTIFICATIONS),
            "The receivers of notices of what runs reached.",
        ),
        optional(
            "redaction",
            Kind::Object(&redaction::REDACTION),
            "The rules by which secrets are taken out of texts.",
        ),
        optional("sessions", Kind::Object(&sessions::SESSIONS), "Snapshots."),
        optional(
            "tokens",
            Kind::Object(&tokens::TOKENS),
            "A limit of context summaries in exact tokens, beside the 500 words.",
        ),
        optional("vercel", Kind::Object(&VERCEL), "Preview deployments."),
    ],
};

static LINEAR: Shape = Shape {
    name: "LinearIntegration",
    doc: published("Issues."),
    fields: &[
        optional(
            "enabled",
            Kind::Boolean,
            "True if issues are created and updated.",
        ),
        optional(
            "team",
            Kind::String,
            "The team that issues are assigned to.",
        ),
        optional(
            "branch_prefix",
            Kind::String,
            "Stands before the issue in a branch's name.",
        ),
        optional(
            "use_native_automation",
            Kind::Boolean,
            "True if the code host's own automation is used, which needs no token.",
        ),
    ],
};

static VERCEL: Shape = Shape {
    name: "VercelIntegration",
    doc: published("Preview deployments."),
    fields: &[
        optional("enabled", Kind::Boolean, "True if previews are deployed."),
        optional(
            "wait_for_preview",
            Kind::Boolean,
            "True if shipping waits for the preview.",
        ),
        optional(
            "preview_timeout_ms",
            Kind::Integer,
            "The longest wait, in milliseconds.",
        ),
        optional(
            "require_preview_success",
            Kind::Boolean,
            "True if a failed preview stops shipping.",
        ),
    ],
};

/// The integrations of a project without the file, as they are loaded. Nothing acts on them.
pub fn default_document() -> Object {
    match json::read(DEFAULTS.as_bytes()).map(|reading| reading.value) {
        Ok(Json::Object(object)) => object,
        _ => unreachable!("the constant is a JSON object, as a test shows"),
    }
}

/// The project's settings: what the file says, and the defaults for what it does not say of an integration that it
/// names. Unknown fields are kept.
///
/// # Errors
///
/// [`Error::invalid_document`] with every known field that is of the wrong kind, and every field
/// that looks like a secret.
pub fn parse(file: Json) -> Result<Object, Error> {
    let mut problems = INTEGRATIONS.problems(&file);
    problems.extend(secret::problems(&file));
    problems.extend(commands::problems(&file));
    problems.extend(redaction::problems(&file));
    problems.extend(sessions::problem(&file));
    problems.extend(notifications::problems(&file));
    problems.extend(agents::problems(&file));
    problems.extend(tokens::problem(&file));
    let Json::Object(mut settings) = file else {
        return Err(Error::invalid_document(problems));
    };
    if !problems.is_empty() {
        return Err(Error::invalid_document(problems));
    }
    for (name, default) in default_document() {
        if let (Some(Json::Object(named)), Json::Object(default)) =
            (settings.get_mut(&name), default)
        {
            fill(named, default);
        }
    }
    INTEGRATIONS.arrange(&mut settings);
    Ok(settings)
}

/// The settings as they are loaded: with the defaults of integrations that the file does not name, on which nothing
/// acts.
pub fn over_defaults(mut settings: Object) -> Object {
    fill(&mut settings, default_document());
    INTEGRATIONS.arrange(&mut settings);
    settings
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

    pub(super) fn parse_text(text: &str) -> Result<Object, Error> {
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
            if ["agents", "notifications", "redaction", "sessions", "tokens"]
                .contains(&service.name)
            {
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
    fn members_that_the_file_lacks_are_filled_in() {
        let settings =
            parse_text(r#"{"slack": {"channel": "dev"}, "linear": {"x": 1.0, "enabled": false}}"#);
        let settings = settings.unwrap();
        let named = concat!(
            r#"{"linear":{"enabled":false,"team":"Basecamp","branch_prefix":"feature","#,
            r#""use_native_automation":true,"x":1.0},"#,
        );
        assert_eq!(
            Json::from(settings.clone()).to_line(),
            format!(r#"{named}"slack":{{"channel":"dev"}}}}"#)
        );
        assert_eq!(
            Json::from(over_defaults(settings)).to_line(),
            format!(
                "{named}{}",
                concat!(
                    r#""vercel":{"enabled":true,"wait_for_preview":true,"preview_timeout_ms":300000,"#,
                    r##""require_preview_success":false},"slack":{"channel":"dev"}}"##
                )
            )
        );
        assert_eq!(parse_text("{}").map(over_defaults), Ok(default_document()));
    }

    #[test]
    fn an_integration_that_the_file_does_not_name_is_not_among_the_settings() {
        assert_eq!(parse_text("{}"), Ok(Object::new()));
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
