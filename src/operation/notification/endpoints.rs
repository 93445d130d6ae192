//! The endpoints of notices, as the settings and the caller's environment have them.

use crate::digest::digest;
use crate::integrations::{Endpoint, Notifications, Service};
use crate::notification::delivery::ConfiguredEndpoint;
use crate::schema::ArgumentMembers;

/// The caller's account of the endpoints' variables.
#[derive(ArgumentMembers)]
pub(super) struct Fingerprints<'a> {
    /// Of each endpoint a digest of what its variables hold.
    #[shape(optional)]
    fingerprints: Vec<EndpointFingerprint<'a>>,
}

/// A digest of what the variables of an endpoint hold.
#[derive(ArgumentMembers)]
struct EndpointFingerprint<'a> {
    /// The name of the endpoint.
    endpoint: &'a str,
    /// The digest.
    fingerprint: &'a str,
}

/// Every endpoint, each under a fingerprint of its settings and of its variables' contents.
pub(super) fn known(
    settings: &Notifications,
    account: &Fingerprints<'_>,
) -> Vec<ConfiguredEndpoint> {
    let of_variables = |id: &str| {
        let mut fingerprints = account.fingerprints.iter();
        let own = fingerprints.find(|it| it.endpoint == id);
        own.map(|own| own.fingerprint)
    };
    let endpoints = settings.endpoints.iter();
    endpoints
        .map(|endpoint| {
            let id = endpoint.id();
            let fingerprint = fingerprint(endpoint, of_variables(&id).unwrap_or_default());
            ConfiguredEndpoint {
                endpoint: id,
                fingerprint,
            }
        })
        .collect()
}

fn fingerprint(endpoint: &Endpoint, of_variables: &str) -> String {
    let other = match &endpoint.service {
        Service::Webhook { secret_env, .. } => secret_env.as_str(),
        Service::Linear { url_env, .. } => url_env.as_deref().unwrap_or_default(),
        Service::Slack { .. } => "",
    };
    let events = endpoint.events.as_ref().map(|events| events.join(" "));
    let parts = [
        &endpoint.id(),
        other,
        events.as_deref().unwrap_or("all"),
        of_variables,
    ];
    digest(&[parts.join("\0").as_bytes()])
}
