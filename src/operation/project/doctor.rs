//! The examination of the state folder.

use crate::agent::Agent;
use crate::agent::registration::{LineRuns, SettingsScope, file};
use crate::doctor::{self, Finding, Fix, SettingsLocation};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::hooks::{User, settings_locations};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::root::{self, Root};
use crate::schema::ArgumentMembers;

use super::load_integrations::added_commands;

pub(super) const OPERATION: Operation = Operation::changing::<DoctorArguments, Vec<Finding>>(
    "doctor",
    "Examines the state folder and its file system, and says how to fix each problem.",
    perform,
)
.of(Capability::Disks);

/// The changes that it may make.
#[derive(ArgumentMembers)]
struct DoctorArguments {
    /// Fix what can be fixed without a risk.
    fix: bool,
    /// Leave out trying the file system, so that nothing at all is written. Not with `fix`.
    look_only: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let DoctorArguments { fix, look_only } = arguments.read();
        let fix = match (fix, look_only) {
            (true, true) => {
                let message = "Expected one of `fix` and `look_only`, got both".to_owned();
                return Warnings::default().reply(Err(Error::usage(message)));
            }
            (true, false) => Fix::Safe,
            (false, true) => Fix::Look,
            (false, false) => Fix::None,
        };
        doctor(io, settings, fix).await.map(Json::from)
    })
}

/// Examines the state folder, as [`doctor::examine`] does.
///
/// Fails with `usage`, `io` where not even the place can be found.
pub async fn doctor(io: &Io, settings: &Settings, fix: Fix) -> Reply<Vec<Finding>> {
    examined(io, settings, fix, &LineRuns::default(), of_project).await
}

/// Examines with the user's own settings of agents, and with the results of the registered lines that the host ran.
///
/// Fails as [`doctor()`].
pub async fn doctor_of(io: &Io, settings: &Settings, fix: Fix, user: &User) -> Reply<Vec<Finding>> {
    let places = |root: &Root| settings_locations(root, user);
    examined(io, settings, fix, &user.runs, places).await
}

async fn examined(
    io: &Io,
    settings: &Settings,
    fix: Fix,
    runs: &LineRuns,
    places: impl FnOnce(&Root) -> Vec<SettingsLocation>,
) -> Reply<Vec<Finding>> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        let folder = root::state_folder(&root, settings)?;
        root::expect_there(io, &root, &folder).await?;
        let added = added_commands(io, &root).await;
        let sessions = root::sessions_folder(&root, settings)?;
        let sessions = [root::archive_folder(&root, &sessions)?, sessions];
        let known = doctor::DoctorInput {
            sessions: &sessions,
            added: &added,
            settings: &places(&root),
            runs,
        };
        doctor::examine(io, &root, &folder, &known, fix).await
    })
    .await
}

/// The files of a project that agents read hooks from.
fn of_project(root: &Root) -> Vec<SettingsLocation> {
    let of = |agent: Agent| {
        let scopes = [SettingsScope::Project, SettingsScope::Local].into_iter();
        let files = scopes.filter_map(move |scope| file(agent, scope));
        files.map(move |file| SettingsLocation {
            agent,
            shown: file.path.to_owned(),
            host: root.join(file.path),
        })
    };
    Agent::ALL.into_iter().flat_map(of).collect()
}
