//! The settings of a project for agents.

use crate::effect::Io;
use crate::integrations::{Agents, FILE};
use crate::json::{self, Json};
use crate::operation::project::files::read;
use crate::root::Root;

/// The settings of the project at a root; the defaults where it has none, or its file cannot be read: loading them
/// reports that, and a hook does not end for it.
pub(super) async fn agent_settings(io: &Io, root: &Root) -> Agents {
    let file = read(io, root, FILE).await;
    let Ok(Some(bytes)) = file else {
        return Agents::default();
    };
    match json::read(&bytes).map(|reading| reading.value) {
        Ok(Json::Object(settings)) => Agents::of(&settings),
        _ => Agents::default(),
    }
}
