//! The endpoints that get notices of what checkpoints reached.

use crate::effect::{Io, boxed};
use crate::integrations::{Endpoint, Notifications, Service};
use crate::json::{Json, Object};
use crate::operation::project::load_integrations::notification_settings;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, NONE, Operation, required, shape};
use crate::operation::{Reply, Settings};
use crate::root;
use crate::schema::{Kind, Shape};

pub(super) const OPERATION: Operation = Operation::at(
    "notification_endpoints",
    "The endpoints that get notices of what checkpoints reached, by the project's settings.",
    &NONE,
    Kind::Object(&ANSWER),
    perform,
)
.of(Capability::Notifications);

const ANSWER: Shape = shape(
    "NotificationEndpoints",
    "The endpoints of notices, and the limits of an attempt.",
    &[
        required(
            "endpoints",
            Kind::List(&Kind::Object(&ENDPOINT)),
            "Every endpoint.",
        ),
        required("timeout_ms", Kind::Integer, "The time limit of an attempt."),
        required(
            "allow_private_addresses",
            Kind::Boolean,
            "True if addresses of private networks are reached.",
        ),
    ],
);

const ENDPOINT: Shape = shape(
    "NotificationEndpoint",
    "An endpoint that gets notices. Its variables are those of the caller's environment.",
    &[
        required("id", Kind::String, "Its name."),
        required(
            "service",
            Kind::Enum(&["webhook", "slack", "linear"]),
            "Its kind.",
        ),
        required(
            "url_env",
            Kind::Nullable(&Kind::String),
            "The variable that holds its URL.",
        ),
        required(
            "secret_env",
            Kind::Nullable(&Kind::String),
            "The variable that holds what messages are signed with.",
        ),
        required(
            "api_key_env",
            Kind::Nullable(&Kind::String),
            "The variable that holds an API key.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move { notification_endpoints(io, settings).await.map(json) })
}

/// The endpoints that get notices of what checkpoints reached.
///
/// Fails with `invalid_document`, `corrupt`, `unsafe_path`, `too_large`, `io`, `usage`.
pub async fn notification_endpoints(io: &Io, settings: &Settings) -> Reply<Notifications> {
    with_warnings(async |warnings| {
        let root = root::locate(io, settings).await?;
        let folder = root::state_folder(&root, settings)?;
        root::expect_there(io, &root, &folder).await?;
        notification_settings(io, &root, warnings).await
    })
    .await
}

fn json(settings: Notifications) -> Json {
    let endpoints = settings.endpoints.iter().map(endpoint);
    Object::new()
        .with("endpoints", endpoints.collect::<Vec<Object>>())
        .with("timeout_ms", settings.timeout_ms)
        .with("allow_private_addresses", settings.allow_private_addresses)
        .into()
}

fn endpoint(endpoint: &Endpoint) -> Object {
    let (url, secret, api_key) = match &endpoint.service {
        Service::Webhook {
            url_env,
            secret_env,
        } => (Some(url_env), Some(secret_env), None),
        Service::Slack { url_env } => (Some(url_env), None, None),
        Service::Linear {
            api_key_env,
            url_env,
            ..
        } => (url_env.as_ref(), None, Some(api_key_env)),
    };
    Object::new()
        .with("id", endpoint.id())
        .with("service", endpoint.service.as_str())
        .with("url_env", url.cloned())
        .with("secret_env", secret.cloned())
        .with("api_key_env", api_key.cloned())
}
