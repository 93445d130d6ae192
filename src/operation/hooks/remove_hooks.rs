//! Hooks taken out of the settings of agents.

use crate::agent::Agent;
use crate::agent::registration::{RemainingSettings, SettingsScope, remove};
use crate::effect::Io;
use crate::error::{Error, Written};
use crate::operation::reply::with_warnings;
use crate::operation::{Reply, Settings};
use crate::root;

use super::settings_file::{
    Mode, SettingsChange, SettingsFile, SettingsOutcome, overtaken, previewed, refusal,
};
use super::settings_path::{SettingsPath, User};

/// The hooks to remove.
#[derive(Clone, Debug)]
pub struct RemoveHooksRequest<'a> {
    /// The agents.
    pub agents: &'a [Agent],
    /// The scope of their settings.
    pub scope: SettingsScope,
    /// Writes, or only previews.
    pub mode: Mode,
    /// The facts about the user.
    pub user: &'a User,
}

/// Takes hooks out of the settings of agents, and restores the bytes that were there before them where nothing else has
/// changed since.
///
/// Fails as [`super::install_hooks::install_hooks`].
pub async fn remove_hooks(
    io: &Io,
    settings: &Settings,
    request: &RemoveHooksRequest<'_>,
) -> Reply<Vec<SettingsChange>> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        let mut planned = Vec::new();
        for &agent in request.agents {
            let path = SettingsPath::of(agent, request.scope, &root, request.user)?;
            let file = SettingsFile { io, path };
            let change = plan(&file, agent, request.scope, request.mode).await?;
            planned.push((file, change));
        }
        let mut changes: Vec<SettingsChange> = Vec::new();
        for (file, change) in planned {
            let change = match request.mode {
                Mode::Preview => previewed(&file, change).await,
                Mode::Write => {
                    let is_first = changes.iter().all(is_untouched);
                    write(&file, change).await.map_err(|error| match is_first {
                        true => error,
                        false => error.with_written(Written::Unknown),
                    })?
                }
            };
            changes.push(change);
        }
        Ok(changes)
    })
    .await
}

fn is_untouched(change: &SettingsChange) -> bool {
    change.outcome == SettingsOutcome::Absent
}

async fn plan(
    file: &SettingsFile<'_>,
    agent: Agent,
    scope: SettingsScope,
    mode: Mode,
) -> Result<SettingsChange, Error> {
    let shown = &file.path.shown;
    let before = file.text_for(mode).await?;
    let (outcome, after) = match &before {
        None => (SettingsOutcome::Absent, None),
        Some(text) => {
            let backup = file.backup().await?;
            let removed = remove(agent, text, backup.as_deref());
            match removed.map_err(|it| refusal(shown, it))? {
                RemainingSettings::Nothing => (SettingsOutcome::Removed, None),
                RemainingSettings::Text(after) if after == *text => {
                    (SettingsOutcome::Absent, Some(after))
                }
                RemainingSettings::Text(after) => (SettingsOutcome::Changed, Some(after)),
            }
        }
    };
    Ok(SettingsChange {
        agent,
        scope,
        path: shown.clone(),
        outcome,
        before,
        after,
        refused: None,
    })
}

/// Writes a change. Where another program was faster, it is planned a second time, and no more.
async fn write(file: &SettingsFile<'_>, change: SettingsChange) -> Result<SettingsChange, Error> {
    let mut change = change;
    for _ in 0..2 {
        if change.outcome == SettingsOutcome::Absent {
            return Ok(change);
        }
        let (before, after) = (change.before.as_deref(), change.after.as_deref());
        if file.replace(before, after).await? {
            file.forget().await;
            return Ok(change);
        }
        change = plan(file, change.agent, change.scope, Mode::Write).await?;
    }
    Err(overtaken(&change.path))
}
