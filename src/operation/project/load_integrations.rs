//! The project's integrations.

use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::error::whole;
use crate::integrations;
use crate::json::{self, Json, Object};
use crate::operation::reply::{Warnings, with_warnings};
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings};
use crate::root::{self, Root};
use crate::secret;

use super::files::{read, stand};

pub(super) const OPERATION: Operation = Operation::at::<(), Object>(
    "load_integrations",
    "The project's integrations: its integrations.json over the defaults.",
    perform,
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move { load_integrations(io, settings).await.map(Json::from) })
}

/// The commands that the project at a root adds to the seven.
///
/// # Errors
///
/// Those of [`load_integrations`].
pub(crate) async fn added_commands(io: &Io, root: &Root) -> Result<Vec<String>, Error> {
    // Loading the settings reports how the file is written.
    let settings = read_file(io, root, &mut Warnings::default()).await?;
    Ok(settings
        .as_ref()
        .map(integrations::commands)
        .unwrap_or_default())
}

/// The rules whose findings the project at a root allows.
///
/// # Errors
///
/// Those of [`load_integrations`].
pub(in crate::operation) async fn allowed_secrets(
    io: &Io,
    root: &Root,
) -> Result<Vec<String>, Error> {
    let settings = read_file(io, root, &mut Warnings::default()).await?;
    Ok(settings
        .as_ref()
        .map(integrations::allowed_secrets)
        .unwrap_or_default())
}

/// The settings of the project at a root for snapshots.
///
/// # Errors
///
/// Those of [`load_integrations`].
pub(in crate::operation) async fn session_settings(
    io: &Io,
    root: &Root,
) -> Result<integrations::Sessions, Error> {
    let settings = read_file(io, root, &mut Warnings::default()).await?;
    Ok(settings
        .as_ref()
        .map(integrations::Sessions::of)
        .unwrap_or_default())
}

/// The settings of the project at a root for hooks of agents.
///
/// # Errors
///
/// Those of [`load_integrations`].
#[cfg(sessions)]
pub(in crate::operation) async fn hook_settings(
    io: &Io,
    root: &Root,
) -> Result<integrations::Agents, Error> {
    let settings = read_file(io, root, &mut Warnings::default()).await?;
    Ok(integrations::Agents::of(&settings.unwrap_or_default()))
}

/// The settings of the project at a root for notices.
///
/// # Errors
///
/// Those of [`load_integrations`].
pub(in crate::operation) async fn notification_settings(
    io: &Io,
    root: &Root,
    warnings: &mut Warnings,
) -> Result<integrations::Notifications, Error> {
    let settings = read_file(io, root, warnings).await?.unwrap_or_default();
    Ok(integrations::Notifications::of(&settings))
}

/// The project's integrations: its `integrations.json` over the defaults.
///
/// Fails with `invalid_document` when a field is wrong or looks like a secret, and with `corrupt`,
/// `unsafe_path`, `too_large`, `io`.
pub async fn load_integrations(io: &Io, settings: &Settings) -> Reply<Object> {
    with_warnings(async |warnings| {
        whole::needed()?;
        let root = root::locate(io, settings).await?;
        if let Some(settings) = read_file(io, &root, warnings).await? {
            return Ok(integrations::over_defaults(settings));
        }
        let folder = root::state_folder(&root, settings)?;
        root::expect_there(io, &root, &folder).await?;
        Ok(integrations::default_document())
    })
    .await
}

/// Reads the project's file, with the defaults of the integrations that it names; `None` where there is no file.
pub(super) async fn read_file(
    io: &Io,
    root: &Root,
    warnings: &mut Warnings,
) -> Result<Option<Object>, Error> {
    let file = read_unchecked(io, root, warnings).await?;
    file.map(integrations::parse).transpose()
}

/// Reads the project's file without checking it.
pub(super) async fn read_unchecked(
    io: &Io,
    root: &Root,
    warnings: &mut Warnings,
) -> Result<Option<Json>, Error> {
    whole::needed()?;
    stand(io, root, integrations::FILE).await?;
    let Some(bytes) = read(io, root, integrations::FILE).await? else {
        return Ok(None);
    };
    let reading = json::read(&bytes).map_err(|malformed| {
        Error::corrupt_integrations(integrations::FILE.to_owned(), malformed.to_string())
    })?;
    warnings.reading(
        integrations::FILE,
        // A value that looks like a secret is reported as one, and not shown.
        reading
            .duplicate_key
            .as_deref()
            .filter(|key| !secret::has_form_of_secret(key)),
        reading.text_replaced,
    );
    Ok(Some(reading.value))
}
