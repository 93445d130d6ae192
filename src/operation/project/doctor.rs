//! The examination of the state folder.

use crate::doctor::{self, Finding, Fix};
use crate::effect::Io;
use crate::operation::{Noticed, Reply, Settings};
use crate::root;

/// Examines the state folder, as [`doctor::examine`] does.
///
/// Fails with `usage`, `io` where not even the place can be told.
pub async fn doctor(io: &Io, settings: &Settings, fix: Fix) -> Reply<Vec<Finding>> {
    let result = async {
        let root = root::locate(io, settings).await?;
        let folder = root::state_folder(&root, settings)?;
        doctor::examine(io, &root, &folder, fix).await
    };
    Noticed::default().reply(result.await)
}
