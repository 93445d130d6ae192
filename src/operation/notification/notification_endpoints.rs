//! The endpoints that get notices of what checkpoints reached.

use crate::effect::{Io, boxed};
use crate::integrations::{Endpoint, Notifications, Service};
use crate::operation::project::load_integrations::notification_settings;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::root;
use crate::schema::{Kind, Shaped};

pub(super) const OPERATION: Operation = Operation::at::<(), NotificationEndpoints>(
    "notification_endpoints",
    "The endpoints that get notices of what checkpoints reached, by the project's settings.",
    perform,
)
.of(Capability::Notifications);

/// The endpoints of notices, and the limits of an attempt.
#[derive(Shaped)]
struct NotificationEndpoints {
    /// Every endpoint.
    endpoints: Vec<NotificationEndpoint>,
    /// The time limit of an attempt.
    timeout_ms: u64,
    /// True if addresses of private networks are reached.
    allow_private_addresses: bool,
}

/// An endpoint that gets notices. Its variables are those of the caller's environment.
#[derive(Shaped)]
struct NotificationEndpoint {
    /// Its name.
    id: String,
    /// Its kind.
    #[shape(kind = Kind::Enum(&["webhook", "slack", "linear"]))]
    service: &'static str,
    /// The variable that holds its URL.
    url_env: Option<String>,
    /// The variable that holds what messages are signed with.
    secret_env: Option<String>,
    /// The variable that holds an API key.
    api_key_env: Option<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = notification_endpoints(io, settings).await;
        reply.map(|settings| NotificationEndpoints::from(settings).into())
    })
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

impl From<Notifications> for NotificationEndpoints {
    fn from(settings: Notifications) -> Self {
        NotificationEndpoints {
            endpoints: settings.endpoints.iter().map(endpoint).collect(),
            timeout_ms: settings.timeout_ms,
            allow_private_addresses: settings.allow_private_addresses,
        }
    }
}

fn endpoint(endpoint: &Endpoint) -> NotificationEndpoint {
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
    NotificationEndpoint {
        id: endpoint.id(),
        service: endpoint.service.as_str(),
        url_env: url.cloned(),
        secret_env: secret.cloned(),
        api_key_env: api_key.cloned(),
    }
}
