//! The part of agents' settings that is our hooks.

use std::time::Duration;

use crate::agent::Agent;
use crate::agent::registration::{RegisteredHooks, SettingsScope, file, find, trust_file, trusts};
use crate::effect::Io;
use crate::error::Error;
use crate::operation::reply::with_warnings;
use crate::operation::{Reply, Settings};
use crate::root::{self, Root};

use super::settings_file::{SettingsFile, refusal};
use super::settings_path::{SettingsPath, User};

/// The state of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredFile {
    /// The agent.
    pub agent: Agent,
    /// The scope.
    pub scope: SettingsScope,
    /// The file, relative to the root or to `~`.
    pub path: String,
    /// The part of it that is ours, or why the file does not show that.
    pub found: Result<RegisteredHooks, Error>,
    /// The time of an event, where it was measured, or the failure of the registered line, where it was run.
    pub run: Option<Result<Option<Duration>, String>>,
    /// The entry for the project in the agent's own list of trusted folders, where it keeps one.
    pub trust: Option<Trust>,
}

/// The trust of an agent in the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// Set where the list has the project.
    pub is_listed: bool,
    /// The file that has the list, relative to `~`.
    pub path: String,
}

/// Looks for our hooks in every file of settings that is there. Files without any are not in the answer,
/// and files that cannot be read are.
///
/// Fails with `usage`, `io` where not even the root can be found.
pub async fn hooks_status(io: &Io, settings: &Settings, user: &User) -> Reply<Vec<RegisteredFile>> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        let mut all = Vec::new();
        for agent in Agent::ALL {
            for scope in SettingsScope::ALL {
                if file(agent, scope).is_none() {
                    continue;
                }
                // Without a home, there is nothing that could be looked at.
                let Ok(path) = SettingsPath::of(agent, scope, &root, user) else {
                    continue;
                };
                let file = SettingsFile { io, path };
                let found = registered_hooks(&file, agent).await;
                if matches!(&found, Ok(found) if found.events == 0 && !found.status_line) {
                    continue;
                }
                let run = found
                    .as_ref()
                    .ok()
                    .and_then(|it| user.runs.of(&it.commands));
                let trust = match scope {
                    SettingsScope::User => None,
                    SettingsScope::Project | SettingsScope::Local => {
                        trust(io, agent, &root, user).await
                    }
                };
                all.push(RegisteredFile {
                    agent,
                    scope,
                    trust,
                    path: file.path.shown,
                    run: run.cloned(),
                    found,
                });
            }
        }
        Ok(all)
    })
    .await
}

/// The entry for the project in the agent's list of trusted folders; a list that cannot be read has none for the agent
/// either.
async fn trust(io: &Io, agent: Agent, root: &Root, user: &User) -> Option<Trust> {
    let path = SettingsPath::of_file(trust_file(agent)?, root, user).ok()?;
    let file = SettingsFile { io, path };
    let text = file.read_following_links().await.ok().flatten();
    Some(Trust {
        is_listed: text.is_some_and(|text| trusts(&text, root.path())),
        path: file.path.shown,
    })
}

async fn registered_hooks(file: &SettingsFile<'_>, agent: Agent) -> Result<RegisteredHooks, Error> {
    match file.read_following_links().await? {
        None => Ok(RegisteredHooks::default()),
        Some(text) => find(agent, &text).map_err(|it| refusal(&file.path.shown, it)),
    }
}
