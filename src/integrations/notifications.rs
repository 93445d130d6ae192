//! The receivers of notices of what checkpoints reached: `notifications` of the settings.
//!
//! Secrets, and addresses that are secrets, are not in the file: it names the variables of the environment
//! that hold them.

use crate::json::{Json, Object, Pointer};
use crate::schema::{Kind, Problem, ProblemCode, Shape, optional, published, required};

/// The events that can be chosen.
pub const EVENTS: [&str; 4] = [
    "checkpoint.phase_completed",
    "checkpoint.phase_failed",
    "checkpoint.gate_closed",
    "checkpoint.completed",
];

/// An attempt that takes longer has failed; the Standard Webhooks say 15 to 30 seconds.
const TIMEOUT_MS: u64 = 20_000;

/// The longest timeout: with a longer one, a slow attempt could not be distinguished from one whose process is gone.
const MAX_TIMEOUT_MS: u64 = 60_000;

/// The most endpoints: the queue stays far below the most that a document can hold.
const MAX_ENDPOINTS: usize = 20;

const MAX_VARIABLE: usize = 100;

pub(super) static NOTIFICATIONS: Shape = Shape {
    name: "NotificationSettings",
    doc: published("The receivers of notices of what runs reached."),
    fields: &[
        optional(
            "webhooks",
            Kind::List(&Kind::Object(&WEBHOOK)),
            "Receivers of Standard Webhooks.",
        ),
        optional(
            "slack",
            Kind::List(&Kind::Object(&SLACK)),
            "Incoming webhooks of Slack.",
        ),
        optional(
            "linear",
            Kind::Object(&LINEAR),
            "Comments on the issue that the branch names.",
        ),
        optional(
            "allow_private_addresses",
            Kind::Boolean,
            "Reach addresses of private networks and of this machine, over plain HTTP too; \
             without it, false.",
        ),
        optional(
            "timeout_ms",
            Kind::Integer,
            "The time limit of an attempt, in milliseconds, up to 60000; without it, 20000.",
        ),
    ],
};

static WEBHOOK: Shape = Shape {
    name: "NotificationWebhook",
    doc: published("A receiver of Standard Webhooks."),
    fields: &[
        required(
            "url_env",
            Kind::String,
            "The variable of the environment that holds its URL.",
        ),
        required(
            "secret_env",
            Kind::String,
            "The variable of the environment that holds the secret with which messages are signed.",
        ),
        optional("events", EVENTS_KIND, EVENTS_DOC),
    ],
};

static SLACK: Shape = Shape {
    name: "NotificationSlack",
    doc: published("An incoming webhook of Slack."),
    fields: &[
        required(
            "url_env",
            Kind::String,
            "The variable of the environment that holds its URL.",
        ),
        optional("events", EVENTS_KIND, EVENTS_DOC),
    ],
};

static LINEAR: Shape = Shape {
    name: "NotificationLinear",
    doc: published("Comments on the issue that the branch names."),
    fields: &[
        required(
            "api_key_env",
            Kind::String,
            "The variable of the environment that holds a personal API key.",
        ),
        optional(
            "url_env",
            Kind::String,
            "The variable that holds the URL of a gateway; without it, Linear's own API is asked.",
        ),
        optional("events", EVENTS_KIND, EVENTS_DOC),
    ],
};

const EVENTS_KIND: Kind = Kind::List(&Kind::Enum(&EVENTS));
const EVENTS_DOC: &str = "The events that it gets; without it, all.";

/// The settings of notifications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notifications {
    /// The endpoints, in the order of the file.
    pub endpoints: Vec<Endpoint>,
    /// The timeout of an attempt.
    pub timeout_ms: u64,
    /// Set where addresses of private networks may be reached.
    pub allow_private_addresses: bool,
}

/// An endpoint that gets notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The service, and the variables that reach it.
    pub service: Service,
    /// The events that it gets; `None` for all.
    pub events: Option<Vec<String>>,
}

/// The service behind an endpoint. Each has the names of variables of the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Service {
    /// A receiver of Standard Webhooks.
    Webhook {
        /// Its URL.
        url_env: String,
        /// The variable of the key that messages are signed with.
        secret_env: String,
    },
    /// An incoming webhook of Slack.
    Slack {
        /// Its URL.
        url_env: String,
    },
    /// Comments on issues of Linear.
    Linear {
        /// A personal API key.
        api_key_env: String,
        /// The URL of a gateway.
        url_env: Option<String>,
        /// The text before the issue in a branch's name.
        branch_prefix: String,
    },
}

impl Service {
    /// The word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Service::Webhook { .. } => "webhook",
            Service::Slack { .. } => "slack",
            Service::Linear { .. } => "linear",
        }
    }

    /// The variable that no other endpoint of this service has.
    pub fn variable(&self) -> &str {
        match self {
            Service::Webhook { url_env, .. } | Service::Slack { url_env } => url_env,
            Service::Linear { api_key_env, .. } => api_key_env,
        }
    }
}

impl Endpoint {
    /// The name of the endpoint, which stays where its place in the file changes: `slack:SLACK_URL`.
    pub fn id(&self) -> String {
        format!("{}:{}", self.service.as_str(), self.service.variable())
    }

    /// Returns whether the endpoint gets this event.
    pub fn wants(&self, event: &str) -> bool {
        let events = self.events.as_ref();
        events.is_none_or(|events| events.iter().any(|it| it == event))
    }
}

impl Notifications {
    /// From settings that were checked.
    pub fn of(settings: &Object) -> Self {
        let said = settings.get("notifications").and_then(Json::as_object);
        let list = |key: &str| {
            said.and_then(|it| it.get(key)?.as_array())
                .unwrap_or_default()
        };
        let webhooks = list("webhooks").iter().filter_map(|it| {
            let service = Service::Webhook {
                url_env: variable(it, "url_env")?,
                secret_env: variable(it, "secret_env")?,
            };
            Some(endpoint(service, it))
        });
        let slack = list("slack").iter().filter_map(|it| {
            let url_env = variable(it, "url_env")?;
            Some(endpoint(Service::Slack { url_env }, it))
        });
        let linear = said.and_then(|said| linear(settings, said.get("linear")?));
        Notifications {
            endpoints: webhooks.chain(slack).chain(linear).collect(),
            timeout_ms: said
                .and_then(|it| it.get("timeout_ms")?.as_u64())
                .unwrap_or(TIMEOUT_MS),
            allow_private_addresses: said
                .and_then(|it| it.get("allow_private_addresses")?.as_bool())
                .unwrap_or_default(),
        }
    }
}

/// Where the code host's own automation links issues, and where the service is off, nothing is sent.
fn linear(settings: &Object, said: &Json) -> Option<Endpoint> {
    let general = settings.get("linear")?.as_object()?;
    let is = |key: &str| general.get(key).and_then(Json::as_bool) == Some(true);
    if !is("enabled") || is("use_native_automation") {
        return None;
    }
    let service = Service::Linear {
        api_key_env: variable(said, "api_key_env")?,
        url_env: variable(said, "url_env"),
        branch_prefix: general.get("branch_prefix")?.as_str()?.to_owned(),
    };
    Some(endpoint(service, said))
}

fn endpoint(service: Service, said: &Json) -> Endpoint {
    let events = said.as_object().and_then(|it| it.get("events")?.as_array());
    let texts = |events: &[Json]| {
        let texts = events.iter().filter_map(Json::as_str);
        texts.map(str::to_owned).collect()
    };
    Endpoint {
        service,
        events: events.map(texts),
    }
}

fn variable(said: &Json, key: &str) -> Option<String> {
    said.as_object()?.get(key)?.as_str().map(str::to_owned)
}

/// The problems that the shape of the settings cannot find.
pub(super) fn problems(file: &Json) -> Vec<Problem> {
    let mut problems = Vec::new();
    let Some(said) = file
        .as_object()
        .and_then(|file| file.get("notifications")?.as_object())
    else {
        return problems;
    };
    let at = Pointer::root().key("notifications");
    let mut count = 0;
    for list in ["webhooks", "slack"] {
        let items = said.get(list).and_then(Json::as_array).unwrap_or_default();
        let mut known: Vec<&str> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let at = at.key(list).item(index);
            wrong_variables(item, &at, &mut problems);
            let url = item.as_object().and_then(|it| it.get("url_env")?.as_str());
            let Some(url) = url else { continue };
            if known.contains(&url) {
                problems.push(Problem {
                    at: at.key("url_env"),
                    code: ProblemCode::Contradiction,
                    message: "another one of the list has the same variable".to_owned(),
                });
            }
            known.push(url);
        }
        count += items.len();
    }
    if let Some(linear) = said.get("linear") {
        wrong_variables(linear, &at.key("linear"), &mut problems);
    }
    if count > MAX_ENDPOINTS {
        problems.push(Problem {
            at: at.clone(),
            code: ProblemCode::Range,
            message: sentence!(
                "expected at most {MAX_ENDPOINTS} webhooks, those of Slack included, found {count}"
            ),
        });
    }
    problems.extend(wrong_timeout(said, &at));
    problems
}

/// A value in the place of a name may be the secret itself, and is not shown.
fn wrong_variables(item: &Json, at: &Pointer, problems: &mut Vec<Problem>) {
    for key in ["url_env", "secret_env", "api_key_env"] {
        let name = item.as_object().and_then(|it| it.get(key)?.as_str());
        if name.is_some_and(|name| !is_variable(name)) {
            problems.push(Problem {
                at: at.key(key),
                code: ProblemCode::Name,
                message: "expected the name of a variable of the environment (letters, digits and _), and \
                          not what it holds"
                    .to_owned(),
            });
        }
    }
}

fn is_variable(name: &str) -> bool {
    let begins = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    begins && name.len() <= MAX_VARIABLE && name.chars().all(is_part)
}

fn wrong_timeout(said: &Object, at: &Pointer) -> Option<Problem> {
    let timeout = said.get("timeout_ms")?.as_u64()?;
    (!(1..=MAX_TIMEOUT_MS).contains(&timeout)).then(|| Problem {
        at: at.key("timeout_ms"),
        code: ProblemCode::Range,
        message: sentence!("expected 1 to {MAX_TIMEOUT_MS} milliseconds, found {timeout}"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::default_document;
    use super::super::tests::parse_text;
    use super::*;
    use crate::checkpoint::command::milestone::MilestoneKind;
    use crate::error::{Error, ErrorKind};

    fn ids(text: &str) -> Vec<String> {
        let notifications = Notifications::of(&parse_text(text).unwrap());
        notifications.endpoints.iter().map(Endpoint::id).collect()
    }

    #[test]
    fn every_kind_of_milestone_can_be_chosen() {
        assert_eq!(EVENTS, MilestoneKind::ALL.map(MilestoneKind::as_str));
    }

    #[test]
    fn endpoints_are_known_with_their_variables_and_events() {
        let settings = parse_text(
            r#"{"notifications": {
                "webhooks": [
                    {"url_env": "HOOK_URL", "secret_env": "HOOK_SECRET"},
                    {"url_env": "B", "secret_env": "HOOK_SECRET", "events": ["checkpoint.completed"]}],
                "slack": [{"url_env": "HOOK_URL", "events": []}],
                "timeout_ms": 15000, "allow_private_addresses": true}}"#,
        );
        let it = Notifications::of(&settings.unwrap());
        let ids: Vec<_> = it.endpoints.iter().map(Endpoint::id).collect();
        assert_eq!(ids, ["webhook:HOOK_URL", "webhook:B", "slack:HOOK_URL"]);
        for (endpoint, wants) in it.endpoints.iter().zip([
            [true, true, true, true],
            [false, false, false, true],
            [false, false, false, false],
        ]) {
            assert_eq!(EVENTS.map(|event| endpoint.wants(event)), wants);
        }
        assert_eq!((it.timeout_ms, it.allow_private_addresses), (15_000, true));
        let none = Notifications::of(&default_document());
        assert_eq!(none.endpoints, []);
        assert_eq!(
            (none.timeout_ms, none.allow_private_addresses),
            (20_000, false)
        );
    }

    #[test]
    fn linear_gets_notices_only_where_it_is_on_and_does_not_link_issues_itself() {
        for (linear, expected) in [
            ("", 0),
            (r#""linear": {"use_native_automation": false},"#, 1),
            (
                r#""linear": {"use_native_automation": false, "enabled": false},"#,
                0,
            ),
            (r#""linear": {"use_native_automation": true},"#, 0),
        ] {
            let text =
                format!(r#"{{{linear} "notifications": {{"linear": {{"api_key_env": "K"}}}}}}"#);
            assert_eq!(ids(&text).len(), expected, "{text}");
        }
    }

    #[test]
    fn a_url_or_a_secret_in_the_place_of_a_name_is_refused_and_not_shown() {
        for (place, value) in [
            ("url_env", "https://hooks.example.org/T0/hunter2"),
            ("url_env", "hunter2!"),
            ("url_env", ""),
            ("url_env", "2HUNTER"),
            ("secret_env", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
            ("secret_env", "a-hunter2"),
        ] {
            let mut webhook = Object::new().with("url_env", "A").with("secret_env", "B");
            webhook.set(place, value);
            let text = Json::from(webhook).to_line();
            let text = format!(r#"{{"notifications": {{"webhooks": [{text}]}}}}"#);
            let Err(ErrorKind::InvalidDocument(problems)) =
                parse_text(&text).map_err(Error::into_kind)
            else {
                panic!("{value:?} is refused");
            };
            let at = format!("/notifications/webhooks/0/{place}");
            assert!(problems.iter().all(|it| it.at.as_str() == at), "{value:?}");
            let said: String = problems.iter().map(ToString::to_string).collect();
            assert!(
                !said.contains("hunter2") && !said.contains("MfKQ"),
                "{said}"
            );
        }
    }

    #[test]
    fn invalid_notification_settings_are_refused() {
        let many = vec![r#"{"url_env": "A"}"#; 21].join(",");
        for (text, at) in [
            (r#""timeout_ms": 0"#.to_owned(), "/timeout_ms"),
            (r#""timeout_ms": 60001"#.to_owned(), "/timeout_ms"),
            (
                r#""slack": [{"url_env": "A"}, {"url_env": "A"}]"#.to_owned(),
                "/slack/1/url_env",
            ),
            (
                r#""slack": [{"url_env": "A", "events": ["completed"]}]"#.to_owned(),
                "/slack/0/events/0",
            ),
            (
                r#""webhooks": [{"url_env": "A"}]"#.to_owned(),
                "/webhooks/0/secret_env",
            ),
            (r#""linear": {}"#.to_owned(), "/linear/api_key_env"),
            (format!(r#""slack": [{many}]"#), ""),
        ] {
            let text = format!(r#"{{"notifications": {{{text}}}}}"#);
            let Err(ErrorKind::InvalidDocument(problems)) =
                parse_text(&text).map_err(Error::into_kind)
            else {
                panic!("{text} is refused");
            };
            let at = format!("/notifications{at}");
            assert!(problems.iter().any(|it| it.at.as_str() == at), "{text}");
        }
    }
}
