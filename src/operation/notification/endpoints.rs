//! The endpoints of notices, as the settings and the caller's environment have them.

use crate::digest::digest;
use crate::integrations::{Endpoint, Notifications, Service};
use crate::json::Json;
use crate::notification::delivery::ConfiguredEndpoint;
use crate::operation::row::{Arguments, optional, required, shape};
use crate::schema::{Field, Kind, Shape};

/// The caller's account of the endpoints' variables.
pub(super) const FINGERPRINTS: Field = optional(
    "fingerprints",
    &Kind::List(&Kind::Object(&FINGERPRINT)),
    "Of each endpoint a digest of what its variables hold.",
);

const FINGERPRINT: Shape = shape(
    "EndpointFingerprint",
    "A digest of what the variables of an endpoint hold.",
    &[
        required("endpoint", Kind::String, "The name of the endpoint."),
        required("fingerprint", Kind::String, "The digest."),
    ],
);

/// Every endpoint, each under a fingerprint of its settings and of its variables' contents.
pub(super) fn known(settings: &Notifications, arguments: &Arguments) -> Vec<ConfiguredEndpoint> {
    let given = arguments.value("fingerprints").and_then(Json::as_array);
    let given = given.unwrap_or_default();
    let of_variables = |id: &str| {
        let mut given = given.iter().filter_map(Json::as_object);
        let own = given.find(|it| it.get("endpoint").and_then(Json::as_str) == Some(id));
        own.and_then(|own| own.get("fingerprint")?.as_str())
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
